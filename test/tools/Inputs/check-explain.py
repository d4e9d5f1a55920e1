"""gnn-compile --explain=json of every model of gnn-model, for both targets, and of every PyG case: each op of
the source stands there once, in the order of the file, and is in a kernel or says why
not; what depends on the graph alone stands in prepare, once however many layers read it; and what
the flags refuse.

Usage: check-explain.py   (the tools are found on PATH)
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys

from tooltest import Checker

CASES = pathlib.Path(__file__).resolve().parents[2] / "data" / "pyg"
MODELS = {"gcn": [], "gcn-norms": ["--norm", "batch_norm", "--edge-weight"], "sage": [], "sage-max": ["--aggr", "max"],
          "gin": ["--norm", "batch_norm"], "gat": ["--heads", "4"], "gatv2": ["--heads", "2", "--no-concat"],
          "gat-edges": ["--heads", "4", "--edge-dim", "3"], "gatv2-edges": ["--heads", "2", "--edge-dim", "3"]}
# Kernels of prepare. Loops are taken out for those that add them, then there is csr; weights of loops are read for
# weighted ones; GCN adds up degrees.
ON_GRAPH = {"gcn": {"graph": 2, "aggregate": 1}, "gcn-norms": {"graph": 3, "aggregate": 1},
            "sage": {"graph": 1, "aggregate": 0}, "sage-max": {"graph": 1, "aggregate": 0},
            "gin": {"graph": 1, "aggregate": 0}, "gat": {"graph": 2, "aggregate": 0}, "gatv2": {"graph": 2, "aggregate": 0}}
FATES = {"fused", "alone", "runtime", "free", "folded", "unread"}
# Ops without work of their own: sizes, constants, fills, copies of rows.
FREE = re.compile(r"arith\.constant|tensor\.(dim|empty|splat|cast|expand_shape|collapse_shape)|linalg\.(fill|broadcast)|gnn\.transpose")


def source_ops(text):
    """Names of the ops directly in @forward, in their order: lines with its indentation."""
    found = []
    for line in text.splitlines():
        match = re.match(r"    (?:%[\w:, %]+ = )?([a-z_]+\.[\w.]+|return)\b", line)
        if match and match.group(1) not in ("func.func", "return"):
            found.append(match.group(1))
    return found


def explain(t, name, flags, *more):
    """-> the program and what --explain=json says of it, or None behind a failed check"""
    program = subprocess.run(["gnn-model", *flags], capture_output=True, text=True, check=True, timeout=60).stdout
    path = t.path(f"{name}.mlir")
    with open(path, "w", encoding="utf-8") as file:
        file.write(program)
    done = subprocess.run(["gnn-compile", path, *more, "--explain=json", "--extent", "N=1000,E=9000"],
                          capture_output=True, text=True, check=False, timeout=120)
    t.expect(not done.returncode, f"{name} {more}: {done.stderr}")
    return program, None if done.returncode else json.loads(done.stdout)


def check_once_per_graph(t, name, flags):
    """Algorithms on the graph, and sums over its edges that no input takes part in."""
    def of_graph(layers, fixes):
        explained = explain(t, name, [*flags, "--layers", str(layers), "--mark-graph"], "--fixes", fixes)[1]
        kernels = explained["kernels"] if explained else []
        t.expect(not any(kernel["kind"] == "graph" for kernel in kernels if kernel["phase"] == "forward"),
                 f"{name}, {layers} layers: an algorithm on the graph in forward")
        return [kernel["kind"] for kernel in kernels
                if kernel["phase"] == "prepare" and kernel["kind"] in ("graph", "aggregate")]
    few = of_graph(2, "on")
    counts = {kind: few.count(kind) for kind in ("graph", "aggregate")}
    t.expect(counts == ON_GRAPH[name], f"{name}: {counts} kernels on the graph, expected {ON_GRAPH[name]}")
    for layers, fixes in ((4, "on"), (4, "off")):
        many = of_graph(layers, fixes)
        t.expect(many == few, f"{name}, {layers} layers, fixes {fixes}: {many} once per graph, with 2 layers {few}")


def check_model(t, name, flags, target):
    program, explained = explain(t, name, flags, "--target", target)
    what = f"{name} on {target}"
    if not explained:
        return
    ops, kernels = explained["ops"], explained["kernels"]
    t.expect([op["name"] for op in ops] == source_ops(program),
             f"{what}: ops {[op['name'] for op in ops]} for {source_ops(program)}")
    t.expect([op["number"] for op in ops] == list(range(len(ops))), f"{what}: numbers of ops")
    names = {kernel["name"] for kernel in kernels}
    for op in ops:
        place = f"{what}: {op}"
        t.expect(op["fate"] in FATES and set(op["kernels"]) <= names, place)
        t.expect(bool(op["kernels"]) == (op["fate"] in ("fused", "alone", "runtime")), place)
        t.expect((op["fate"] == "fused") != bool(op["reasons"]), f"{place}: a reason where it is not fused, only there")
        t.expect(FREE.fullmatch(op["name"]) or op["fate"] in ("fused", "alone", "runtime"),
                 f"{place}: an op with work ends in no kernel")
        t.expect(op["fate"] != "alone" or all(reason["pass"] for reason in op["reasons"]), f"{place}: no pass says why")
    for kernel in kernels:
        place = f"{what}: {kernel}"
        for cost in ("read_bytes", "written_bytes", "least_bytes", "flops"):
            t.expect(isinstance(kernel[cost]["value"], int) and kernel[cost]["value"] >= 0, place)
        # More edges than nodes: rows read along them are more than all there are.
        t.expect(kernel["least_bytes"]["value"] <= kernel["read_bytes"]["value"] + kernel["written_bytes"]["value"], place)
        isCounted = kernel["kind"] in ("aggregate", "map", "gemm")
        t.expect((kernel["bound"] is not None) == isCounted, place)
        if isCounted:
            times = {by: kernel["bound"][f"{by}_us"] for by in ("memory", "cache", "flop", "launch")}
            t.expect(times[kernel["bound"]["by"]] == max(times.values()) == kernel["bound"]["us"], place)
            t.expect(kernel["ops"] and kernel["schedule"] and kernel["ends"], place)


def check_flags(t):
    path = t.path("gcn.mlir")
    t.bad("--explain is one of text, json; found 'yaml'", path, "--explain=yaml", code=2)
    t.bad("--extent takes E, M, N, each with = and a number; found 'K=3'", path, "--explain", "--extent", "K=3", code=2)
    t.bad("found 'N=-3'", path, "--explain", "--extent", "N=-3", code=2)
    t.bad("found 'N='", path, "--explain", "--extent", "N=", code=2)
    t.bad("--explain-limits takes cache, flop, launch, memory", path, "--explain", "--explain-limits", "x=1", code=2)
    t.bad("--extent is of use with --explain only", path, "--extent", "N=3", "-o", t.path("x.gnnx"), code=2)
    t.bad("both give counts", path, "--explain", "--extent", "N=3", "--explain-graph", "g.safetensors", code=2)
    t.bad("--explain reads the plan, which --emit kernels stops before", path, "--explain", "--emit", "kernels", code=2)
    t.bad("both go to standard output", path, "--explain", "--emit", "plan", code=2)
    t.bad("no.safetensors", path, "--explain", "--explain-graph", "no.safetensors", code=1)


def main():
    t = Checker(shutil.which("gnn-compile"))
    for name, flags in MODELS.items():
        shape = ["--model", name.split("-", maxsplit=1)[0], "--in", "24", "--hidden", "16", "--out", "8", *flags]
        for target in ("cpu", "cuda"):
            check_model(t, name, [*shape, "--layers", "2"], target)
        if name in ON_GRAPH:  # each layer's weight of edge features is taken apart once per graph, too
            check_once_per_graph(t, name, shape)
    for case in sorted(CASES.glob("*/case.json")):
        check_model(t, case.parent.name, ["--args", str(case)], "cpu")
    check_flags(t)
    sys.exit(t.finish())


main()
