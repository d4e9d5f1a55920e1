"""The steps that time sums over edges beside cuSPARSE, with the chosen schedule and with others:
gnn-spmm on generated and real graphs."""
import json

import peers
from run import ROOT, check, goal

WIDTHS = "16,32,47,64,100,128,256,512"
# What might be faster than the chosen schedule somewhere: more edges in flight, shorter items, orders for
# communities, tiles of a row side by side or far apart, rows read whole.
OTHER_WIDTHS = "32,64,100,128,256"
OTHERS = ("unroll=8", "unroll=8:chunk=64", "chunk=32:unroll=8", "order=row", "order=windows", "tiles=outer", "tiles=inner",
          "tiles=inner:order=windows", "tiles=inner:order=windows:unroll=8", "group=32:order=windows",
          "group=32:order=windows:unroll=8", "group=16:regs=2:order=windows")
# A sum that moves more than a cache holds needs few samples; so do graphs of 124 million edges.
FEW = ["--repeats", "5"]


def made(run, folder, name, *arguments):
    path = run.work / f"{name}.safetensors"
    if not path.exists():
        run.command([folder / "bin" / "gnn-generate", *arguments, "--features", "0", "-o", path], timeout=300,
                    env=run.build_env)
    return path


def graphs(run, folder):
    """-> [(name, function that gives the file, more arguments)], large ones made in the background meanwhile"""
    large = [("products-random", ["--preset", "products"]),
             ("products-communities", ["--preset", "products", "--communities", "2000"])]
    pending = {name: run.pool.submit(made, run, folder, name, *arguments) for name, arguments in large}
    real = ROOT / "benchmarks" / "data" / "graphs"
    listed = [("cora", lambda: ROOT / "test/data/cora/cora.safetensors.gz", [])]
    listed += [(name, lambda name=name: real / f"{name}.safetensors.gz", [])
               for name in ("pubmed", "facebook_large")]
    listed.append(("slashdot", lambda: ROOT / "test/data/pyg/gcn-no-fixes-slashdot/graph.safetensors", []))
    listed += [("arxiv-random", lambda: made(run, folder, "arxiv-random", "--preset", "arxiv"), []),
               ("arxiv-communities", lambda: made(run, folder, "arxiv-communities", "--preset", "arxiv",
                                                  "--communities", "40"), [])]
    return listed + [(name, lambda name=name: pending[name].result(timeout=300), FEW) for name, _ in large]


def build(run):
    folder = run.benchmarks_folder()
    run.command(["cmake", "--build", folder, "--target", "gnn-generate", "gnn-spmm"], timeout=300, env=run.build_env)
    return folder


def time_graph(run, folder, name, graph, weighted, more, suite="spmm", widths=WIDTHS):
    """-> rows, which also go to gpu-SUITE.jsonl"""
    rows = run.work / f"{suite}-{name}{'-weighted' if weighted else ''}.jsonl"
    rows.unlink(missing_ok=True)
    run.command([folder / "bin" / "gnn-spmm", "--graph", graph, "--data", name, "--widths", widths, "--device", "cuda",
                 *(["--weighted"] if weighted else []), *more, "--tools", run.bundle / "bin", "--runtime",
                 run.bundle / "lib" / "libgnnc_runtime.so", "-o", rows], timeout=300,
                env=run.build_env | {"GNNC_COMMIT": run.commit or ""}, check=suite == "spmm")
    lines = [{"suite": suite, **json.loads(line)} for line in rows.read_text(encoding="utf-8").splitlines()]
    with open(run.out / f"gpu-{suite}.jsonl", "a", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    return lines


def ratios(lines):
    """-> {model: the fastest cuSPARSE algorithm's time over ours}"""
    best = {}
    for line in lines:
        if line["ok"]:
            times = best.setdefault(line["model"], {})
            times[line["system"]] = min(times.get(line["system"], float("inf")), line["latency_ms"]["median"])
    return {model: times["cusparse"] / times["gnnc"] for model, times in best.items() if len(times) == 2}


def step_spmm(run, record):
    """Faster than the best algorithm of cuSPARSE on every graph at every width."""
    folder = build(run)
    (run.out / "gpu-spmm.jsonl").unlink(missing_ok=True)
    cells = {}
    for name, graph, more in graphs(run, folder):
        for weighted in (False, True):
            def timed(name=name, graph=graph, more=more, weighted=weighted):
                found = ratios(time_graph(run, folder, name, graph(), weighted, more))
                cells.update({f"{name} {model}": ratio for model, ratio in found.items()})
                return {"times_faster": {model: round(ratio, 3) for model, ratio in found.items()}}
            check(record, f"{name}{' weighted' if weighted else ''}", timed)
    least = min(cells, key=cells.get, default=None)
    record["times_faster_geomean"] = peers.geomean(list(cells.values()))
    mean = record["times_faster_geomean"]
    goal(record, "cuSPARSE, geomean", 1 / mean if mean else None, 1 / 1.8,
         f"share of the best algorithm's time over {len(cells)} cells")
    goal(record, "cuSPARSE, slowest cell", 1 / cells[least] if least else None, 1.0, f"share of its time: {least}")


def step_schedules(run, record):
    """What other schedules would give: a check's `faster` has, by width, the best one and its gain over the chosen one.
    One that a width does not allow is an error row, no failure."""
    folder = build(run)
    (run.out / "gpu-schedules.jsonl").unlink(missing_ok=True)
    others = [part for schedule in OTHERS for part in ("--schedule", schedule)]
    for name, graph, more in graphs(run, folder):
        def timed(name=name, graph=graph, more=more):
            lines = time_graph(run, folder, name, graph(), False, more + others, "schedules", OTHER_WIDTHS)
            times = {}
            for line in lines:
                if line["ok"] and line["system"] == "gnnc":
                    times.setdefault(line["model"], {})[line["mode"]] = line["latency_ms"]["median"]
            best = {model: min(of, key=of.get) for model, of in times.items()}
            return {"faster": {model: f"{mode} {times[model]['default'] / times[model][mode]:.3f}x"
                               for model, mode in best.items()}}
        check(record, name, timed)
