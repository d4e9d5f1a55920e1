"""Programs other than a GCN, compiled, run on the host and compared with the float64
evaluator: every reduction with every element and index type, odd widths, hard graphs,
not-a-number, several outputs. The cuda target must compile all of them.

Usage: check-programs.py   (the tools are found on PATH)
"""
import math
import sys

from programs import GRAPHS, Programs

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
