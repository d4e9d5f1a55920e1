#!/usr/bin/env python3
"""Every model x fixes x element type x hard graph on one target against float64, and
every program that goes by index tensors (test/programs/index-ops).

Each program is compiled once for all graphs; the reference is evaluated once per
model and graph. A cell fails when the error, relative to the largest output, is
above the bound of its element type, or when two runs differ in a bit."""
import concurrent.futures
import itertools
import math
import os
import pathlib
import subprocess
import sys

import graphs
import outcome

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SHAPE = ["--in", str(graphs.FEATURES), "--hidden", "16", "--out", "5"]
# On graphs of two sets of nodes: one layer, since the second has no sources.
BIPARTITE = "--bipartite"
MATRIX_EACH = ["--in-dst", str(graphs.FEATURES)]
# name: arguments of gnn-model. Another model is one more line.
MODELS = {
    "gcn": ["--model", "gcn", "--norm", "batch_norm"],
    "sage": ["--model", "sage"],
    "sage-max": ["--model", "sage", "--aggr", "max"],
    "gin": ["--model", "gin"],
    "gat": ["--model", "gat", "--heads", "2"],
    "gatv2": ["--model", "gatv2", "--heads", "2"],
    "gcn-residual": ["--model", "gcn", "--residual", "true"],
    "gin-residual": ["--model", "gin", "--residual", "true"],
    "gcn-weighted": ["--model", "gcn", "--edge-weight"],
    # Sums of rows before their product in the first layer, by cost; both forms where they are possible.
    "gat-wide": ["--model", "gat", "--hidden", "64", "--heads", "4", "--norm", "batch_norm"],
    "gat-wide-transform-first": ["--model", "gat", "--hidden", "64", "--heads", "4", "--norm", "batch_norm"],
    "gat-aggregate-first": ["--model", "gat", "--heads", "2"],
    "gat-one-head": ["--model", "gat", "--hidden", "64", "--residual", "true"],
    "gat-edges": ["--model", "gat", "--heads", "2", "--edge-dim", str(graphs.EDGE_FEATURES)],
    # More heads than features of an edge, which messages then multiply.
    "gat-wide-edges": ["--model", "gat", "--hidden", "64", "--heads", "16", "--edge-dim", str(graphs.EDGE_FEATURES)],
    "gatv2-edges": ["--model", "gatv2", "--heads", "2", "--edge-dim", str(graphs.EDGE_FEATURES), "--fill-value", "0.5"],
    "bipartite-sage": ["--model", "sage", BIPARTITE, *MATRIX_EACH],
    "bipartite-sage-max": ["--model", "sage", "--aggr", "max", BIPARTITE],
    "bipartite-gin": ["--model", "gin", BIPARTITE],
    "bipartite-gat": ["--model", "gat", "--heads", "2", "--no-self-loops", BIPARTITE, *MATRIX_EACH],
    "bipartite-gat-shared": ["--model", "gat", "--heads", "2", "--no-self-loops", BIPARTITE],
    "bipartite-gat-wide": ["--model", "gat", "--hidden", "64", "--out", "64", "--heads", "4", "--no-self-loops", BIPARTITE, *MATRIX_EACH],
    "bipartite-gatv2": ["--model", "gatv2", "--heads", "2", "--no-self-loops", BIPARTITE],
}
# Programs as files, compiled as they are.
PROGRAMS = {path.stem: path for path in sorted((ROOT / "test" / "programs" / "index-ops").glob("*.mlir"))}
# The largest error that an output may have, relative to the largest output.
BOUNDS = {"f32": 1e-5, "bf16": 3e-2, "f16": 4e-3, "f64": 1e-13}
FIXES = ("on", "off")


def arguments(model):
    own = MODELS[model]
    shape = [part for name, value in zip(SHAPE[::2], SHAPE[1::2]) if name not in own for part in (name, value)]
    return [*shape, "--layers", 1 if BIPARTITE in MODELS[model] else 2, *MODELS[model]]


class Suite:
    def __init__(self, options):
        self.options = options
        self.work = pathlib.Path(options.work)
        self.work.mkdir(parents=True, exist_ok=True)
        self.graphs = {}  # name: file
        self.bipartite = set()

    def tool(self, name, *arguments):
        path = str(pathlib.Path(self.options.bin) / name) if self.options.bin else name
        done = subprocess.run([path, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=300)
        if done.returncode != 0:
            lines = (done.stdout + done.stderr).strip().splitlines() or ["no output"]
            raise RuntimeError(f"{name}: exit {done.returncode}: {lines[-1]}")

    def weights(self, model):
        return self.work / f"{model}-w.safetensors"

    def artifact(self, model, dtype, fixes):
        return self.work / f"{model}-{dtype}-{fixes}.gnnx"

    def reference(self, model, graph):
        return self.work / f"{model}-{graph}-expected.safetensors"

    def write_weights(self, model):
        if model in PROGRAMS:
            graphs.write_weights(self.weights(model))
            (self.work / f"{model}.mlir").write_text(PROGRAMS[model].read_text(encoding="utf-8"), encoding="utf-8")
            return
        program = self.work / f"{model}.mlir"
        # Of f64, so that constants are: 0.2 in f32 is another number.
        self.tool("gnn-model", *arguments(model), "--dtype", "f64", "--weights-seed", 3, "--weights", self.weights(model), "-o", program)
        graphs.made_exact(self.weights(model))

    def compile(self, model, dtype, fixes):
        # Loops and norms as the passes write them; the reference has them from the builder.
        program = self.work / f"{model}-{dtype}-{fixes}.mlir"
        if model in PROGRAMS:
            text = PROGRAMS[model].read_text(encoding="utf-8").replace("xf32>", f"x{dtype}>")
            program.write_text(text.replace("acc f32", "acc f64") if dtype == "f64" else text, encoding="utf-8")
        else:
            self.tool("gnn-model", *arguments(model), "--mark-graph", "--dtype", dtype, "-o", program)
        chip = ["--chip", self.options.chip] if self.options.chip else []
        order = next((name for name in ("transform-first", "aggregate-first") if model.endswith(name)), "auto")
        self.tool("gnn-compile", program, "--weights", self.weights(model), "--target", self.options.target, *chip,
                  "--order", order, "--fixes", fixes, "-o", self.artifact(model, dtype, fixes))

    def evaluate(self, model, graph):
        self.tool("gnn-eval", self.work / f"{model}.mlir", "--graph", self.graphs[graph], "--weights",
                  self.weights(model), "-o", self.reference(model, graph))

    def output(self, cell, graph, number):
        return self.work / f"{'-'.join(cell)}-{graph}-{number}.safetensors"

    def run_on(self, cell, names, number):
        """One process, its graphs one after the other."""
        arguments = [part for name in names
                     for part in ("--graph", self.graphs[name], "-o", self.output(cell, name, number))]
        self.tool("gnn-run", self.artifact(*cell), *arguments)

    def run(self, *cell):
        """Two processes on every graph, the second in the other order -> {graph: error or what is wrong}."""
        names = self.graphs_of(cell[0])
        try:
            for number, order in enumerate((names, names[::-1])):
                self.run_on(cell, order, number)
        except RuntimeError:  # which graph it was shows one by one
            return {name: self.judged(cell, name, alone=True) for name in names}
        return {name: self.judged(cell, name, alone=False) for name in names}

    def judged(self, cell, graph, alone):
        try:
            if alone:
                for number in range(2):
                    self.run_on(cell, [graph], number)
            return self.error_of(cell, graph)
        except (RuntimeError, OSError, KeyError, ValueError) as error:
            return str(error)

    def error_of(self, cell, graph):
        model, dtype, _ = cell
        outputs = [self.output(cell, graph, number) for number in range(2)]
        first, second = (path.read_bytes() for path in outputs)
        if first != second:
            raise RuntimeError("two runs differ")
        found, expected = (graphs.read_file(path)["out"] for path in (outputs[0], self.reference(model, graph)))
        for path in outputs:
            path.unlink()
        if found[0] != dtype.upper() or found[1] != expected[1]:
            raise RuntimeError(f"out is {found[0]}{found[1]}, expected {dtype.upper()}{expected[1]}")
        want, have = graphs.numbers(expected), graphs.numbers(found)
        worst = max((abs(a - b) if a == a and b == b else math.inf for a, b in zip(have, want)), default=0.0)
        largest = max(map(abs, want), default=0.0)
        error = worst / largest if largest else worst
        if not error <= BOUNDS[dtype]:
            raise RuntimeError(f"error {error:.3g}, allowed {BOUNDS[dtype]:.3g}")
        return error

    def add_graph(self, name, graph):
        self.graphs[name] = self.work / f"{name}.safetensors"
        graphs.write_graph(self.graphs[name], *graph)

    def graphs_of(self, model):
        return [name for name in self.graphs if (name in self.bipartite) == (BIPARTITE in MODELS.get(model, ()))]

    def everything(self):
        """-> the number of cells and the lines of those that failed."""
        chosen = [model for model in (*MODELS, *PROGRAMS) if self.options.model in (None, model)]
        cells = [cell for cell in itertools.product(chosen, BOUNDS, FIXES) if cell[0] in MODELS or cell[2] == "on"]
        failed, worst = [], {}

        def attempt(name, function, *arguments):
            try:
                return function(*arguments)
            except (RuntimeError, OSError, KeyError, ValueError, subprocess.TimeoutExpired) as error:
                failed.append(f"{name}: {error}")
                return None

        for name, graph in graphs.bipartite_graphs().items():
            self.bipartite.add(f"bipartite-{name}")
            self.add_graph(f"bipartite-{name}", graph)
        for name, graph in graphs.hard_graphs(ROOT / "test" / "data").items():
            self.add_graph(name, graph)
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            list(pool.map(lambda model: attempt(model, self.write_weights, model), chosen))
            # The long ones first.
            evaluations = [(model, graph) for graph in reversed(list(self.graphs)) for model in chosen
                           if graph in self.graphs_of(model)]
            jobs = [pool.submit(attempt, f"{'/'.join(pair)}/reference", self.evaluate, *pair) for pair in evaluations]
            jobs += [pool.submit(attempt, f"{'/'.join(cell)}/compile", self.compile, *cell) for cell in cells]
            concurrent.futures.wait(jobs)
            compiled = [cell for cell in cells if self.artifact(*cell).exists()]
            jobs = [(cell, pool.submit(attempt, "/".join(cell), self.run, *cell)) for cell in compiled]
            for cell, job in jobs:
                for graph, found in (job.result() or {}).items():
                    if isinstance(found, str):
                        failed.append(f"{'/'.join((*cell, graph))}: {found}")
                    else:
                        worst[cell[1]] = max(worst.get(cell[1], 0.0), found)
        for dtype, error in worst.items():
            print(f"{dtype}: largest error {error:.2g}, allowed {BOUNDS[dtype]:.2g}")
        return sum(len(self.graphs_of(cell[0])) for cell in cells), failed


def main():
    parser = outcome.parser(__doc__)
    parser.add_argument("--target", default="cpu", help="cpu or cuda")
    parser.add_argument("--chip", help="default: this machine's, sm_90 for cuda")
    parser.add_argument("--bin", help="folder of the tools; default: the search path")
    parser.add_argument("--model", choices=(*MODELS, *PROGRAMS), help="one model only")
    parser.add_argument("--list", action="store_true", help="print the models' names and end")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="tools at the same time")
    options = parser.parse_args()
    if options.list:
        print("\n".join((*MODELS, *PROGRAMS)))
        return 0
    with outcome.folder(options) as work:
        options.work = work
        count, failed = Suite(options).everything()
    return outcome.report(count, "cells", failed)


if __name__ == "__main__":
    sys.exit(main())
