"""The step that runs unmodified PyG, eager and through torch.compile, on the cells of step `bench`."""
import math
import sys

import cases
from run import ROOT, Failure, check

MODES = ("eager", "default", "reduce-overhead")


def time_peer(run, case, mode):
    """-> the row of one PyG model in a process of its own; it also goes to gpu.jsonl."""
    rows = run.work / f"peer-{case.name}-{mode}.jsonl"
    rows.unlink(missing_ok=True)
    model = case.model_arguments[case.model_arguments.index("--model") + 1]
    run.command([sys.executable, "-B", ROOT / "benchmarks" / "peers" / "pyg-bench.py", "--model", model, "--preset",
                 case.preset, "--graph", case.graph, "--weights", case.weights, "--device", "cuda", "--mode", mode,
                 "--label", case.graph.name.partition(".")[0], "-o", rows], timeout=120)
    return run.keep(rows)[0]


def geomean(values):
    return math.exp(sum(math.log(value) for value in values) / len(values)) if values else None


def step_peers(run, record):
    """How many times faster gnnc is, a line a cell; a mode that fails there is no failure here."""
    cells = [case for case in cases.timed_cases(ROOT, run.work) + cases.small_cases(ROOT, run.work) +
             [case for case, _ in cases.model_cases(run.work)] if not case.name.endswith("gatv2")]
    if not run.bench_rows:
        raise Failure("nothing to compare with: run step bench in the same call")
    faster = {"eager": [], "compile": []}
    for case in cells:
        def compared(case=case):
            ours = min((line["latency_ms"]["median"] for line in run.bench_rows.get(case.name, [])
                        if line["system"] == "gnnc" and line["ok"]), default=None)
            if ours is None:
                raise Failure("gnnc was not measured")
            times = {}
            for mode in MODES:
                row = time_peer(run, case, mode)
                times[mode] = row["latency_ms"]["median"] if row["ok"] else row["error"]
            numbers = {mode: value for mode, value in times.items() if isinstance(value, float)}
            best = min((numbers[mode] for mode in MODES[1:] if mode in numbers), default=None)
            if "eager" in numbers:
                faster["eager"].append(numbers["eager"] / ours)
            if best:
                faster["compile"].append(best / ours)
            return {"gnnc_ms": ours, "pyg_ms": times}
        check(record, case.name, compared)
    record["times_faster_geomean"] = {name: geomean(values) for name, values in faster.items()}
    record["times_faster_least"] = {name: min(values, default=None) for name, values in faster.items()}
    print(f"gpu-check:   times faster than PyG: {record['times_faster_geomean']}, least {record['times_faster_least']}",
          flush=True)
