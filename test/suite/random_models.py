#!/usr/bin/env python3
"""Random arguments of gnn-model, compiled for the host: the outputs against float64,
and a NaN in one node's features against where it must arrive, and where not.

Widths, heads and graphs are odd on purpose. A failing program is found again by its
number: --first N --count 1 --work FOLDER keeps its files."""
import array
import concurrent.futures
import math
import os
import random
import re
import subprocess
import sys

import graphs
import outcome

WIDTHS = (1, 2, 3, 5, 7, 8, 15, 17, 31, 33, 65, 129, 257)
BOUND = 1e-5


def activations():
    """From the catalogue, so that a new one is drawn too."""
    text = subprocess.run(["gnn-model", "--help"], capture_output=True, text=True, check=True).stdout
    return re.sub(r"\s+", " ", re.search(r"activation between layers: ((?:\w+,?\s+)+)", text)[1]).strip().split(", ")


class Program:
    """One draw: the flags, the graph, and along which way a NaN goes."""

    def __init__(self, number, names):
        rng = self.rng = random.Random(number)
        self.model = rng.choice(("gcn", "sage", "gin", "gat", "gatv2"))
        self.layers, self.width = rng.choice((1, 2, 3)), rng.choice(WIDTHS)
        self.weighted, self.edge_dim, heads, self.bound = False, 0, 1, BOUND
        self.flags = ["--model", self.model, "--layers", str(self.layers), "--in", str(self.width)]
        self.loops = self.model in ("gcn", "gat", "gatv2")
        self.keeps = self.model != "sage"  # a node's row reaches itself
        self.of_model()
        self.jumps = self.maybe(0.3, "--jk", rng.choice(("last", "cat", "max")))
        if self.model.startswith("gat"):
            heads = rng.choice((1, 2, 3, 7))
            self.flags += ["--heads", str(heads)] + (["--no-concat"] if rng.random() < 0.3 else [])
        hidden = heads * rng.choice(WIDTHS[:9] if heads > 1 else WIDTHS)
        self.flags += ["--hidden", str(hidden)]
        self.maybe(0.8, "--out", str(rng.choice(WIDTHS)))
        self.maybe(0.8, "--act", rng.choice(names))
        self.maybe(0.2, "--act-first")
        if self.model != "gin":
            self.maybe(0.2, "--no-bias")
        if not self.maybe(0.3, "--norm", "batch_norm"):
            # Of few features some row has nearly equal ones: what f32 rounded off before is divided by their
            # deviation, down to the 0.003 of the norm's eps.
            if self.maybe(0.2, "--norm", "layer_norm", "--norm-mode", "node") and hidden < 8:
                self.bound = 10 * BOUND
        self.maybe(0.3, "--mark-graph")
        self.draw_graph()
        # Last, so that a number's other draws do not depend on it.
        if not self.model.startswith("gat") and self.maybe(0.3, "--residual", "true"):
            self.keeps = True
        self.order = rng.choice(("auto", "transform-first", "aggregate-first"))

    def maybe(self, chance, *flags):
        drawn = self.rng.random() < chance
        self.flags += flags if drawn else ()
        return drawn

    def of_model(self):
        rng = self.rng
        if self.model == "gcn":
            self.weighted = self.maybe(0.4, "--edge-weight")
            if self.maybe(0.2, "--no-normalize") or self.maybe(0.2, "--no-self-loops"):
                self.loops = self.keeps = False
            self.maybe(0.2, "--improved", "true")
        elif self.model == "sage":
            self.flags += ["--aggr", rng.choice(("sum", "mean", "max", "min", "mul"))]
            self.keeps = not self.maybe(0.3, "--no-root-weight")
            self.maybe(0.3, "--project", "true")
        elif self.model == "gin":
            self.maybe(0.4, "--train-eps", "true")
            self.maybe(0.4, "--eps", rng.choice(("0.5", "-0.3")))
            self.maybe(0.3, "--aggr", rng.choice(("mean", "max")))
        else:
            if self.maybe(0.4, "--no-self-loops"):
                self.loops = self.keeps = False
                features = rng.choice((1, 3, 20, 75))
                if self.maybe(0.5, "--edge-dim", str(features)):
                    self.edge_dim = features
            if self.maybe(0.3, "--residual", "true"):
                self.keeps = True
            self.maybe(0.3, "--negative-slope", rng.choice(("0.0", "0.1", "1.5")))

    def draw_graph(self):
        rng = self.rng
        self.nodes = rng.choice((0, 1, 2, 5, 40, 200))
        count = rng.choice((0, 1, 3 * self.nodes)) if self.nodes else 0
        # The upper half sends nothing, so that there are nodes that no NaN reaches.
        self.src = [rng.randrange(max(self.nodes // 2, 1)) for _ in range(count)]
        hub = rng.random() < 0.3
        self.dst = [0 if hub else rng.randrange(self.nodes) for _ in range(count)]

    def reached(self, start):
        """Rows that `start`'s features arrive at."""
        now, ever = {start}, set()
        # A score reads both ends, so a node with any neighbour reaches itself.
        scored = set(self.dst) if self.model.startswith("gat") else set()
        for _ in range(self.layers):
            now = {d for s, d in zip(self.src, self.dst) if s in now} | (now if self.keeps else now & scored)
            ever |= now
        return ever if self.jumps and "last" not in self.flags else now

    def write(self, path, nan_at=None):
        rng = random.Random(len(self.src))
        x = array.array("f", (rng.gauss(0, 1) for _ in range(self.nodes * self.width)))
        if nan_at is not None:
            x[nan_at * self.width:(nan_at + 1) * self.width] = array.array("f", [math.nan] * self.width)
        index = array.array(rng.choice("iq"), self.src + self.dst)
        tensors = {"edge_index": ("I64" if index.typecode == "q" else "I32", [2, len(self.src)], index.tobytes()),
                   "x": ("F32", [self.nodes, self.width], x.tobytes())}
        for name, extra in (("edge_weight", [1] * self.weighted), ("edge_attr", [self.edge_dim] * bool(self.edge_dim))):
            if extra:
                shape = [len(self.src)] + (extra if name == "edge_attr" else [])
                values = array.array("f", (rng.uniform(0.1, 1) for _ in range(math.prod(shape))))
                tensors[name] = ("F32", shape, values.tobytes())
        graphs.write_file(path, tensors, {"num_nodes": str(self.nodes)})


def tool(*arguments):
    done = subprocess.run(list(map(str, arguments)), capture_output=True, text=True, check=False, timeout=300)
    if done.returncode:
        lines = (done.stdout + done.stderr).strip().splitlines() or ["no output"]
        raise RuntimeError(f"{arguments[0]}: exit {done.returncode}: {lines[0]}")


def check(number, names, work):
    program = Program(number, names)
    base = work / str(number)
    name = {kind: f"{base}-{kind}" for kind in
            ("m.mlir", "eval.mlir", "w.safetensors", "g.safetensors", "m.gnnx", "o.safetensors")}
    try:
        tool("gnn-model", *program.flags, "--weights-seed", number, "--weights", name["w.safetensors"], "-o", name["m.mlir"])
        tool("gnn-compile", name["m.mlir"], "--weights", name["w.safetensors"], "--order", program.order, "-o",
             name["m.gnnx"])
        # The evaluator reads loops and norms as the builder writes them.
        unmarked = [flag for flag in program.flags if flag != "--mark-graph"]
        tool("gnn-model", *unmarked, "-o", name["eval.mlir"])
        program.write(name["g.safetensors"])
        tool("gnn-run", name["m.gnnx"], "--graph", name["g.safetensors"], "-o", name["o.safetensors"])
        tool("gnn-eval", name["eval.mlir"], "--graph", name["g.safetensors"], "--weights", name["w.safetensors"],
             "--expect", name["o.safetensors"], "--tolerance", program.bound)
        if program.nodes:
            program.write(name["g.safetensors"], nan_at=0)
            tool("gnn-run", name["m.gnnx"], "--graph", name["g.safetensors"], "-o", name["o.safetensors"])
            out = graphs.read_file(name["o.safetensors"])["out"]
            values, width = graphs.numbers(out), out[1][1]
            reached = program.reached(0)
            for row in range(program.nodes):
                bad = sum(math.isnan(v) for v in values[row * width:(row + 1) * width])
                if bad != (width if row in reached else 0):
                    raise RuntimeError(f"a NaN in node 0 makes {bad} of {width} numbers of node {row} NaN")
    except (RuntimeError, OSError, KeyError, subprocess.TimeoutExpired) as error:
        return f"{number}: {error} [gnn-model {' '.join(program.flags)}; --order {program.order}, {program.nodes} nodes, {len(program.src)} edges]"
    return None


def main():
    parser = outcome.parser(__doc__)
    parser.add_argument("--first", type=int, default=0, help="number of the first program")
    parser.add_argument("--count", type=int, default=60, help="how many programs")
    options = parser.parse_args()
    names = activations()
    with outcome.folder(options) as work:
        numbers = range(options.first, options.first + options.count)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(lambda number: check(number, names, work), numbers))
    return outcome.report(len(results), "programs", [result for result in results if result])


if __name__ == "__main__":
    sys.exit(main())
