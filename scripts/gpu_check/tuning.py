"""How far the heuristic's schedules are from measured ones: a row for each kernel."""
import json
import pathlib
import re

from run import Failure

MARGIN = 0.15  # the heuristic may be this much slower than the fastest schedule
BUDGET_S = 12  # of a program
SUMMARY = re.compile(r"of (\d+) kinds .*\((\d+) from the database, (\d+) candidates measured")


def tune(run, case, target, chip, budget=BUDGET_S):
    """Tunes the kernels of a case's program that no case before had. -> (rows, which also go to gpu-tuning.jsonl,
    what gnn-autotune said last)"""
    database = run.work / f"tuning-{target}.json"
    rows = run.out / "gpu-tuning.jsonl"
    if not run.tuned:
        database.unlink(missing_ok=True)
        rows.unlink(missing_ok=True)
    done = run.command([run.tool("gnn-compile"), case.program, "--weights", case.weights, "--graph", case.graph,
                        "--target", target, "--chip", chip, "--mode", "max-autotune-no-cudagraphs", "--budget",
                        f"{budget}s", "--tuning-db", database, "-o", case.artifact("tuned")], timeout=10 * budget + 60)
    said = [line.removeprefix("autotune: ") for line in done.stderr.splitlines() if line.startswith("autotune: ")]
    if not database.exists():
        raise Failure(f"nothing was measured: {said[-1] if said else 'gnn-autotune said nothing'}")
    kinds, found, measured = (int(number) for number in SUMMARY.search(said[-1]).groups())
    if not measured and found < kinds:
        raise Failure(f"no candidate was measured in {budget} s")
    new = [entry for entry in json.loads(database.read_text())["entries"] if entry["key"] not in run.tuned]
    found = [row_of(run, case, target, entry) for entry in new]
    run.tuned.update(entry["key"] for entry in new)
    with open(rows, "a", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in found)
    return found, said[-1]


def row_of(run, case, target, entry):
    ratio = entry["default_us"] / entry["best_us"]
    shape = dict(zip(case.model_arguments[::2], case.model_arguments[1::2]))
    return {"suite": "tuning", "device": target, "data": pathlib.Path(case.graph).name.partition(".")[0],
            "model": f"{shape['--model']} {shape['--hidden']}", "kernel": entry["about"], "nodes": entry["dst_nodes"],
            "edges": entry["edges"], "heuristic_us": entry["default_us"], "tuned_us": entry["best_us"],
            "heuristic_over_tuned": round(ratio, 4), "within": ratio <= 1 + MARGIN, "margin": MARGIN,
            "candidates": entry["candidates"], "choice": entry["choice"], "chip": entry["device"],
            "commit": run.commit, "env": run.env}


def share_beyond(rows):
    """-> the share of kernels whose heuristic schedule is beyond the margin, None without rows"""
    return sum(not row["within"] for row in rows) / len(rows) if rows else None
