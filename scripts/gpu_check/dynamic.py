"""The step that times the program for every graph beside the one compiled for this graph, and Cora's captured forwards
beside torch.compile's reduce-overhead."""
import cases
from peers import geomean, time_peer
from run import ROOT, Failure, check, goal

SLOWER = 1.05  # the program for every graph may be, on the geomean
FASTER_THAN_COMPILE = 5
MODE = "reduce-overhead"


def cells(run):
    """-> [(case, mode)]: Cora by replay, as its launches would drown what its kernels differ by."""
    small = [cases.named(ROOT, run.work, "cora"), *cases.small_cases(ROOT, run.work)]
    large = [cases.named(ROOT, run.work, "arxiv-sized"), *(case for case, _ in cases.model_cases(run.work))]
    return [(case, MODE) for case in small] + [(case, "default") for case in large]


def measure(run, folder, case, mode):
    """-> latency by `dynamic`; the rows go to gpu.jsonl."""
    rows = run.work / f"dynamic-{case.name}.jsonl"
    rows.unlink(missing_ok=True)
    done = run.command([folder / "bin" / "gnn-bench", *case.bench_arguments([]), "--device", "cuda", "--chip",
                        run.env.get("chip", "sm_90"), "--systems", "gnnc", "--mode", mode, "--dynamic", "true,false",
                        "--tools", run.bundle / "bin", "--runtime", run.bundle / "lib" / "libgnnc_runtime.so", "-o", rows],
                       timeout=120, env=run.build_env | {"GNNC_COMMIT": run.commit or ""}, check=False)
    if not rows.exists():
        raise Failure(f"gnn-bench: exit {done.returncode}: {done.stderr.strip().splitlines()[-1:] or 'no rows'}")
    found = {row["dynamic"]: row for row in run.keep(rows)}
    for dynamic in ("true", "false"):
        if dynamic not in found or not found[dynamic]["ok"]:
            raise Failure(f"dynamic {dynamic}: {found.get(dynamic, {}).get('error') or 'error over the bound'}")
    return {dynamic: row["latency_ms"]["median"] for dynamic, row in found.items()}


def step_dynamic(run, record):
    folder = run.benchmarks_folder()
    times = {}
    for case, mode in cells(run):
        def timed(case=case, mode=mode):
            run.ensure_model(case)
            times[case.name] = measure(run, folder, case, mode)
            return {**times[case.name], "ratio": times[case.name]["true"] / times[case.name]["false"]}
        check(record, f"{case.name}/{mode}", timed)
    goal(record, "every graph beside this graph", geomean([found["true"] / found["false"] for found in times.values()]),
         SLOWER, "geomean of the medians, the program for every graph by the one compiled for this graph")
    for case, mode in cells(run):
        if mode == MODE and case.name in times:
            beside_compile(run, record, case, times[case.name]["true"])


def beside_compile(run, record, case, ours):
    def timed():
        row = time_peer(run, case, MODE)
        if not row["ok"]:
            raise Failure(f"torch.compile: {row['error']}")
        theirs.append(row["latency_ms"]["median"])
        return {"pyg_ms": theirs[0], "gnnc_ms": ours}
    theirs = []
    check(record, f"{case.name}/torch.compile {MODE}", timed)
    if theirs:
        goal(record, f"{case.name} beside torch.compile", ours / theirs[0], 1 / FASTER_THAN_COMPILE,
             f"share of torch.compile's time, both in mode {MODE}")
