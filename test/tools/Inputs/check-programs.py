"""Programs other than a GCN, compiled, run on the host and compared with the float64
evaluator: every reduction with every element and index type, odd widths, hard graphs,
not-a-number, several outputs. The cuda target must compile all of them.

Usage: check-programs.py   (the tools are found on PATH)
"""
import math
import random
import shutil
import subprocess
import sys

from tooltest import Checker, read_tensor, write_tensors

KINDS = ("sum", "mean", "max", "min", "mul")


def program(kind, width, element="f32", acc=None, graph="!gnn.graph<?x?x?>", nodes="?", edges="?", weighted=False):
    """The reduction of each node's sources, times the weight of the edge if `weighted`."""
    shape = "".join(f"{extent}x" for extent in width)
    rows, messages = f"tensor<{nodes}x{shape}{element}>", f"tensor<{edges}x{shape}{element}>"
    weights = f"tensor<{edges}x{element}>"
    text = f'func.func @forward(%g: {graph}, %x: {rows} {{gnn.input = "x"}}'
    text += f', %w: {weights} {{gnn.graph_data = "edge_weight"}}' if weighted else ""
    text += f') -> ({rows} {{gnn.output = "out"}}) {{\n'
    text += f"  %m = gnn.gather %x, %g at src : {rows}, {graph} -> {messages}\n"
    if weighted:
        text += f"""  %c0 = arith.constant 0 : index
  %e = tensor.dim %w, %c0 : {weights}
  %i = tensor.empty(%e) : {messages}
  %b = linalg.broadcast ins(%w : {weights}) outs(%i : {messages}) dimensions = {list(range(1, 1 + len(width)))}
  %v = arith.mulf %m, %b : {messages}
"""
    text += f"""  %s = gnn.scatter {kind} {'%v' if weighted else '%m'}, %g at dst acc {acc or element} : {messages}, {graph} -> {rows}
  return %s : {rows}
}}
"""
    return text


def several_outputs(width):
    """All reductions of one message, each an output, and the degree."""
    rows = f"tensor<?x{width}xf32>"
    outputs = ", ".join(f'{rows} {{gnn.output = "{kind}"}}' for kind in KINDS)
    text = f'func.func @forward(%g: !gnn.graph<?x?x?>, %x: {rows} {{gnn.input = "x"}}) -> ({outputs}) {{\n'
    text += f"  %m = gnn.gather %x, %g at src : {rows}, !gnn.graph<?x?x?> -> {rows}\n"
    for kind in KINDS:
        text += f"  %{kind} = gnn.scatter {kind} %m, %g at dst acc f32 : {rows}, !gnn.graph<?x?x?> -> {rows}\n"
    return text + f"  return {', '.join('%' + kind for kind in KINDS)} : {', '.join([rows] * len(KINDS))}\n}}\n"


def functions():
    """What needs other instructions on each processor: rounding, multiply and add."""
    names = ("exp", "tanh", "erf", "floor", "ceil", "trunc", "roundeven", "round", "log1p")
    rows = "tensor<?x5xf32>"
    text = f'func.func @forward(%g: !gnn.graph<?x?x?>, %x: {rows} {{gnn.input = "x"}}) -> ({rows} {{gnn.output = "out"}}) {{\n'
    text += f"  %m0 = gnn.gather %x, %g at src : {rows}, !gnn.graph<?x?x?> -> {rows}\n  %a = math.absf %m0 : {rows}\n"
    for i, name in enumerate(names):
        text += f"  %f{i} = math.{name} {'%a' if name == 'log1p' else '%m0'} : {rows}\n"
        text += f"  %m{i + 1} = arith.addf {f'%m{i}' if i else '%a'}, %f{i} : {rows}\n"
    return text + f"""  %s = gnn.scatter sum %m{len(names)}, %g at dst acc f32 : {rows}, !gnn.graph<?x?x?> -> {rows}
  return %s : {rows}
}}
"""


def edges(nodes, count, seed=1):
    chance = random.Random(seed)
    return [(chance.randrange(nodes), chance.randrange(nodes)) for _ in range(count)]


GRAPHS = {"random": (50, edges(50, 300)), "no_nodes": (0, []), "one_node": (1, []), "one_loop": (1, [(0, 0)] * 3),
          "no_edges": (4, []), "duplicates": (5, [(3, 1)] * 7 + [(1, 3), (2, 2)]), "hub": (900, [(v, 7) for v in range(900)])}


class Programs:
    def __init__(self):
        self.t = Checker(shutil.which("gnn-run"))

    def tool(self, name, *args):
        return subprocess.run([name, *args], capture_output=True, text=True, check=False,
                              timeout=120, cwd=self.t.folder.name, stdin=subprocess.DEVNULL)

    def check(self, what, text, graph, width, outputs=("out",), dtype="F32", ids="I64", values=None, flags=(), bound=1e-5):
        nodes, list_of_edges = graph
        chance = random.Random(7)
        count = nodes * math.prod(width)
        tensors = {"edge_index": (ids, [2, len(list_of_edges)], [s for s, _ in list_of_edges] + [d for _, d in list_of_edges]),
                   "x": (dtype, [nodes, *width], values or [chance.uniform(-1, 1) for _ in range(count)]),
                   "edge_weight": (dtype, [len(list_of_edges)], [chance.uniform(-2, 2) for _ in list_of_edges])}
        write_tensors(self.t.path("g.safetensors"), tensors)
        with open(self.t.path("p.mlir"), "w", encoding="utf-8") as file:
            file.write(text)
        for args in (("gnn-compile", "p.mlir", "--target", "cuda", "--no-cubin", "-o", "cuda.gnnx"),
                     ("gnn-compile", "p.mlir", *flags, "-o", "p.gnnx"),
                     ("gnn-eval", "p.mlir", "--graph", "g.safetensors", "-o", "expected.safetensors"),
                     ("gnn-run", "p.gnnx", "--graph", "g.safetensors", "-o", "out.safetensors"),
                     ("gnn-run", "p.gnnx", "--graph", "g.safetensors", "-o", "again.safetensors")):
            done = self.tool(*args)
            if done.returncode:
                return self.t.expect(False, f"{what}: {args}: {done.stderr}")
        with open(self.t.path("out.safetensors"), "rb") as once, open(self.t.path("again.safetensors"), "rb") as again:
            self.t.expect(once.read() == again.read(), f"{what}: the second run differs")
        return [self.compare(f"{what}, {name}", name, bound) for name in outputs]

    def compare(self, what, name, bound):
        shape, found = read_tensor(self.t.path("out.safetensors"), name)
        wanted_shape, wanted = read_tensor(self.t.path("expected.safetensors"), name)
        largest = max((abs(v) for v in wanted if math.isfinite(v)), default=0) or 1
        wrong = [i for i, (a, b) in enumerate(zip(found, wanted))
                 if not (a == b or math.isnan(a) and math.isnan(b) or abs(a - b) <= bound * largest)]
        self.t.expect(shape == wanted_shape and not wrong,
                      f"{what}: {shape} for {wanted_shape}, wrong at {wrong[:5]}: "
                      f"{[(found[i], wanted[i]) for i in wrong[:3]]}")


def main():
    p = Programs()
    some = GRAPHS["random"]
    for kind in KINDS:
        for name, graph in GRAPHS.items():
            p.check(f"{kind} on {name}", program(kind, (5,), weighted=name == "hub"), graph, (5,))
        p.check(f"{kind} of f64", program(kind, (5,), "f64"), some, (5,), dtype="F64")
        p.check(f"{kind} in f64", program(kind, (3,), acc="f64"), some, (3,))
        p.check(f"{kind} of i32 ids", program(kind, (5,), graph="!gnn.graph<?x?x?, i32>"), some, (5,), ids="I32")
        p.check(f"{kind} of numbers", program(kind, ()), some, ())
        p.check(f"{kind} of heads", program(kind, (2, 3)), some, (2, 3))
        p.check(f"{kind} of known sizes", program(kind, (7,), graph="!gnn.graph<50x50x300>", nodes=50, edges=300), some, (7,))
        values = [float(i % 13) for i in range(250)]
        values[7], values[33], values[60] = math.nan, math.inf, -math.inf
        p.check(f"{kind} with NaN", program(kind, (5,)), some, (5,), values=values)
    for width in (1, 3, 17, 33, 100, 257):
        p.check(f"width {width}", program("max", (width,)), some, (width,))
        p.check(f"width {width}, weighted", program("sum", (width,), weighted=True), some, (width,))
    # Terms of both signs cancel: what rounding leaves shows in the result.
    star = (40000, [(v, 0) for v in range(40000)])
    for kind in ("sum", "mean"):
        p.check(f"{kind} of one long row", program(kind, (3,)), star, (3,), bound=3e-6)
    for chip in ("generic", "x86-64-v2"): # every processor that this runs on has more
        p.check(f"functions on {chip}", functions(), some, (5,), values=[.37 * (v % 41) - 7.5 for v in range(250)],
                flags=("--chip", chip))
    p.check("64-bit prepared graph", program("sum", (5,), weighted=True), some, (5,), flags=("--index", "i64"))
    p.check("several outputs", several_outputs(5), some, (5,), outputs=KINDS)
    sys.exit(p.t.finish())


main()
