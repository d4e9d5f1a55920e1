"""The step that runs `gnn-bench study` on the device, peers included, as far as its time goes."""
import json
import shutil
import sys
import time

from run import Failure

SPARE_S = 15  # for the cell in flight to be left, and its row to be written


def python_for_peers(run):
    """gnn-bench needs the bundle's libraries; Python must not get them. -> a program that starts it without"""
    wrapper = run.work / "peer-python"
    path = run.child_env.get("LD_LIBRARY_PATH")
    keep = f"LD_LIBRARY_PATH='{path}'; export LD_LIBRARY_PATH" if path else "unset LD_LIBRARY_PATH"
    wrapper.write_text(f"#!/bin/sh\n{keep}\nexec '{sys.executable}' \"$@\"\n", encoding="utf-8")
    wrapper.chmod(0o755)
    return wrapper


def summary(rows):
    """-> counts of rows by system and status"""
    counts = {}
    for row in rows:
        of_system = counts.setdefault(row["system"], {})
        of_system[row["status"]] = of_system.get(row["status"], 0) + 1
    return counts


def record_ours(record, rows):
    """A check for each cell of gnnc; what became of a peer is a row, no failure."""
    for row in rows:
        if row["system"] != "gnnc":
            continue
        entry = {"name": row["cell"], "ok": row["status"] == "ok"}
        if not entry["ok"]:
            entry["error"] = f"{row['status']}: {row['error'] or row['max_rel_err']}"
        record["checks"].append(entry)


def step_study(run, record):
    folder = run.benchmarks_folder()
    rows = run.out / "study.jsonl"
    if run.options.study_from:
        shutil.copy(run.options.study_from, rows)
    left = run.deadline - time.monotonic() - SPARE_S
    if left < 30:
        raise Failure("no time left (--time-limit)")
    limit = min(left, run.options.study_limit)
    more = run.options.study_arguments.split()
    done = run.command([folder / "bin" / "gnn-bench", "study", "--preset", "study", "--target", "cuda", "--resume", "-o",
                        rows, "--time-limit", max(30, limit - run.options.study_cell_limit), "--timeout",
                        run.options.study_cell_limit, "--scratch", run.work / "study", "--python",
                        python_for_peers(run), "--tools", run.bundle / "bin", "--runtime",
                        run.bundle / "lib" / "libgnnc_runtime.so", "--chip", run.env.get("chip", "sm_90"), *more],
                       timeout=limit, env=run.build_env | {"GNNC_COMMIT": run.commit or ""}, check=False)
    if done.returncode not in (0, 1, 3):
        raise Failure(f"gnn-bench study: exit {done.returncode}: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")
    found = [json.loads(line) for line in rows.read_text(encoding="utf-8").splitlines()] if rows.exists() else []
    if not found:
        raise Failure(f"no rows: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")
    record["rows"], record["complete"] = summary(found), done.returncode != 3
    record_ours(record, found)
