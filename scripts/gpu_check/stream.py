"""The step that runs a stream of graphs of many sizes: gnnc symbolic, automatic and specialised, beside PyG eager and
torch.compile with each `dynamic`."""
import json
import sys

import cases
from run import ROOT, Failure, check, goal, in_parallel

PEERS = ("eager", "true", "auto")
SLOWEST_MS, UPDATE_US = 20, 20
FASTER_THAN_COMPILE, FASTER_SECOND_PASS = 10, 3


def models(run):
    """-> [(name, arguments of gnn-bench)]: the arxiv preset of each model."""
    shapes = [("gcn", [])] + [(name, []) for name in ("sage", "gin")] + [("gat", ["--heads", "4", "--act", "elu"])]
    return [(name, [*cases.shape(name, 128, 256, 40, 3), *more]) for name, more in shapes]


def keep(run, rows):
    """Puts rows behind those of gpu-stream.jsonl. -> them by `dynamic`"""
    text = rows.read_text()
    with run.lock, open(run.out / "gpu-stream.jsonl", "a", encoding="utf-8") as kept:
        kept.write(text)
    found = [json.loads(line) for line in text.splitlines() if line]
    return {row["dynamic"] or "eager": row for row in found}


def gnnc(run, folder, name, arguments, dynamic, graphs, *more):
    rows = run.work / f"stream-{name}-{dynamic}.jsonl"
    rows.unlink(missing_ok=True)
    done = run.command([folder / "bin" / "gnn-bench", *arguments, "--stream", graphs, "--max-nodes", run.options.stream_max_nodes,
                        "--dynamic", dynamic, "--device", "cuda", "--chip", run.env.get("chip", "sm_90"), *more,
                        "--tools", run.bundle / "bin", "--runtime", run.bundle / "lib" / "libgnnc_runtime.so", "-o", rows],
                       timeout=240, env=run.build_env | {"GNNC_COMMIT": run.commit or ""}, check=False)
    if not rows.exists():
        raise Failure(f"gnn-bench: exit {done.returncode}: {done.stderr.strip().splitlines()[-1:] or 'no rows'}")
    found = keep(run, rows)
    for row in found.values():
        if not row["ok"]:
            raise Failure(f"dynamic {row['dynamic']}: {row['error'] or 'error over the bound'}")
    return found


def peer(run, name, dynamic):
    rows = run.work / f"stream-pyg-{name}-{dynamic}.jsonl"
    rows.unlink(missing_ok=True)
    run.command([sys.executable, "-B", ROOT / "benchmarks" / "peers" / "pyg-stream.py", "--model", name, "--preset", "arxiv",
                 "--graphs", run.work / "stream.safetensors", "--dynamic", dynamic, "--device", "cuda", "--time-limit",
                 run.options.stream_peer_limit, "-o", rows], timeout=120 + 2 * run.options.stream_peer_limit)
    return keep(run, rows)[dynamic]


def expect(record, name, found, expected):
    """A count that has to be what it is."""
    entry = {"name": name, "ok": found == expected, "value": found}
    if not entry["ok"]:
        entry["error"] = f"{found}, expected {expected}"
    record["checks"].append(entry)


def counts(record, name, rows, graphs):
    for dynamic, compilations in (("true", 1), ("auto", 2 if graphs > 1 else 1)):
        expect(record, f"{name}/{dynamic} compilations", rows[dynamic]["compilations"], compilations)
        expect(record, f"{name}/{dynamic} guard failures", rows[dynamic]["guard_failures"], 0)
        expect(record, f"{name}/{dynamic} allocations after the largest", rows[dynamic]["allocations_after_largest"], 0)
    goal(record, f"{name} slowest step", rows["true"]["slowest_after_first_ms"], SLOWEST_MS,
         "ms of a step after the first, symbolic")


def beside_peers(record, name, ours, rows):
    """`rows`: of the peers by dynamic. What a peer spent when it was stopped is less than what it would have taken."""
    compiled = [row["spent_ms"] for key, row in rows.items() if key != "eager" and row["graphs"]]
    again = [row["second_pass_ms"] for row in rows.values() if row["second_pass_ms"]]
    goal(record, f"{name} total", ours["total_ms"] / min(compiled) if compiled else None, 1 / FASTER_THAN_COMPILE,
         "share of torch.compile's time for the stream, its best `dynamic`, compilation included")
    goal(record, f"{name} second pass", ours["second_pass_ms"] / min(again) if again else None, 1 / FASTER_SECOND_PASS,
         "share of PyG's time for the same graphs again, the best of eager and torch.compile")


def step_stream(run, record):
    folder = run.benchmarks_folder()
    (run.out / "gpu-stream.jsonl").unlink(missing_ok=True)
    graphs, specialised = run.options.stream_graphs, run.options.stream_specialised
    ours = {}
    for name, arguments in models(run):
        def symbolic(name=name, arguments=arguments):
            file = [] if ours else ["--write-stream", run.work / "stream.safetensors"]
            ours[name] = gnnc(run, folder, name, arguments, "true,auto", graphs, *file)
            return {key: {field: row[field] for field in ("first_ms", "slowest_after_first_ms", "total_ms", "second_pass_ms")}
                    for key, row in ours[name].items()}
        check(record, f"{name}/gnnc", symbolic)
    for name, rows in ours.items():
        counts(record, name, rows, graphs)
    for name, arguments in models(run):
        def updated(name=name, arguments=arguments):
            row = gnnc(run, folder, name, arguments, "true", graphs, "--mode", "reduce-overhead")["true"]
            updates[name] = row["update_us"]
            return {field: row[field] for field in ("captures", "updates", "failed_updates", "update_failure", "update_us",
                                                    "slowest_update_us", "allocations_after_largest")}
        updates = {}
        check(record, f"{name}/reduce-overhead", updated)
        goal(record, f"{name} update", updates.get(name), UPDATE_US, "us to change a captured forward to a new size, median")
    theirs = {name: {} for name in ours}
    for dynamic in PEERS:
        for name in ours:
            def other(name=name, dynamic=dynamic):
                row = theirs[name][dynamic] = peer(run, name, dynamic)
                return {field: row[field] for field in ("graphs", "spent_ms", "second_pass_ms", "slowest_after_first_ms",
                                                        "recompilations", "guard_failures", "error")}
            check(record, f"{name}/pyg {dynamic}", other)
    for name, rows in ours.items():
        beside_peers(record, name, rows["true"], theirs[name])

    # Counted, not timed against each other: all at once.
    def shapes(name, arguments):
        row = gnnc(run, folder, name, arguments, "false", specialised)["false"]
        if row["compilations"] != specialised or row["guard_failures"]:
            raise Failure(f"{row['compilations']} compilations and {row['guard_failures']} guard failures, expected "
                          f"{specialised} and 0")
        return {field: row[field] for field in ("compilations", "compile_ms", "second_pass_ms")}
    def compiled_for_each(name):
        row = peer(run, name, "false")
        return {field: row[field] for field in ("graphs", "spent_ms", "recompilations", "guard_failures", "error")}
    in_parallel(record, [(f"{name}/specialised", lambda name=name, arguments=arguments: shapes(name, arguments))
                         for name, arguments in models(run)] +
                [(f"{name}/pyg false", lambda name=name: compiled_for_each(name)) for name in ours], 8)
