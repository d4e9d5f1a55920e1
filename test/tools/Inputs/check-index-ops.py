"""The programs of test/programs/index-ops (look-ups, pooling, segments, graphs that programs
build), each on every hard graph, against float64; and what binding says of bad index tensors.

Usage: check-index-ops.py   (the tools are found on PATH)
"""
import pathlib
import random
import sys

from programs import GRAPHS, Programs
from tooltest import write_tensors

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "programs" / "index-ops"
GROUPS = 6


def index_tensors(nodes, edges, ids="I64"):
    """Repeated, unsorted, with groups that are empty; and nothing at all of no nodes."""
    chance = random.Random(nodes)
    cuts = sorted(chance.randrange(nodes + 1) for _ in range(GROUPS - 1))
    rows = 3 * nodes
    lists = sorted(chance.randrange(rows + 1) for _ in range(GROUPS - 1))
    def some(count, below):
        return [chance.randrange(below) for _ in range(count)]
    tensors = {"batch": some(nodes, 5), "groups": [0] * GROUPS, "ptr": [0, *cuts, nodes], "list_ptr": [0, *lists, rows],
               "picked": some(2 * nodes, nodes), "from": some(rows, nodes), "from_too": some(rows, nodes),
               "to": some(rows, GROUPS - 1), "edge_type": some(edges, 3)}
    return {name: (ids, [len(values)], values) for name, values in tensors.items()}


RELATIONS = {"relations": ("F32", [3, 8], [(i % 7 - 3) / 4 for i in range(24)])}
POOL = """func.func @forward(%x: tensor<?x2xf32> {gnn.input = "x"}, %i: tensor<?xi64> {gnn.index = "i"}) -> (tensor<3x2xf32> {gnn.output = "out"}) {
  %r = gnn.scatter_at sum %x, %i acc f32 : tensor<?x2xf32>, tensor<?xi64> -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}
"""
LOOK_UP = """func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?x2xf32> {gnn.input = "x"}, %i: tensor<?xi32> {gnn.index = "i"}) -> (tensor<?x2xf32> {gnn.output = "out"}, tensor<?x2xf32> {gnn.output = "h"}) {
  %m = gnn.gather %x, %g at src : tensor<?x2xf32>, !gnn.graph<?x?x?> -> tensor<?x2xf32>
  %h = gnn.scatter sum %m, %g at dst acc f32 : tensor<?x2xf32>, !gnn.graph<?x?x?> -> tensor<?x2xf32>
  %r = gnn.gather_at %x, %i : tensor<?x2xf32>, tensor<?xi32> -> tensor<?x2xf32>
  return %r, %h : tensor<?x2xf32>, tensor<?x2xf32>
}
"""
SEGMENTS = """func.func @forward(%x: tensor<?x2xf32> {gnn.input = "x"}, %i: tensor<?xi64> {gnn.index = "i"}) -> (tensor<?x2xf32> {gnn.output = "out"}) {
  %r = gnn.segment_reduce sum %x, %i acc f32 : tensor<?x2xf32>, tensor<?xi64> -> tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}
"""


def refusals(p):
    """What the index tensor `i` of a program over 4 rows must not be, and what is said."""
    def refused(program, values, message, ids="I64", shape=None):
        with open(p.t.path("bad.mlir"), "w", encoding="utf-8") as file:
            file.write(program)
        done = p.tool("gnn-compile", "bad.mlir", "-o", "bad.gnnx")
        p.t.expect(done.returncode == 0 and not done.stderr, f"compiling: {done.stderr}")
        tensors = {"edge_index": ("I64", [2, 1], [0, 1]), "x": ("F32", [4, 2], [1.0] * 8)}
        if values is not None:
            tensors["i"] = (ids, shape or [len(values)], values)
        write_tensors(p.t.path("g.safetensors"), tensors)
        p.t.bad(message, "bad.gnnx", "--graph", "g.safetensors", "-o", "out.safetensors")
    refused(POOL, [0, 1, 3, 0], "index tensor 'i': entry 2 is 3, not in [0, 3); were ids counted from 1?")
    refused(POOL, [0, -1, 9, 0], "index tensor 'i': entry 1 is -1, not in [0, 3)")
    refused(POOL, None, "the program needs the index tensor 'i', I32 or I64 of rank 1; the graph has none of that name")
    refused(POOL, [0.0] * 4, "index tensor 'i' is F32[4], expected I32 or I64 of rank 1", ids="F32")
    refused(POOL, [0] * 4, "index tensor 'i' is I64[2, 2], expected I32 or I64 of rank 1", shape=[2, 2])
    refused(POOL, [0, 1, 1], "'x'")
    refused(LOOK_UP, [0, 1 << 32, 3], "index tensor 'i': entry 1 is 4294967296, the program reads it as 32-bit numbers")
    refused(LOOK_UP, [4], "index tensor 'i': entry 0 is 4, not in [0, 4)", ids="I32")
    refused(SEGMENTS, [0, 3, 2, 4], "row pointer 'i': falls from 3 to 2 at entry 2")
    refused(SEGMENTS, [1, 3, 4], "row pointer 'i': begins with 1, expected 0")
    refused(SEGMENTS, [], "row pointer 'i' is empty; it has one entry more than segments")
    refused(SEGMENTS, [0, 9, 4], "row pointer 'i': entry 1 is 9, but there are 4 rows")
    refused(SEGMENTS, [0, -3], "row pointer 'i' ends with -3, expected a number of rows")
    both = SEGMENTS.replace("%r = ", "%m = gnn.gather %x, %g at src : tensor<?x2xf32>, !gnn.graph<?x?x?> -> tensor<?x2xf32>\n"
                            "  %h = gnn.scatter sum %m, %g at dst acc f32 : tensor<?x2xf32>, !gnn.graph<?x?x?> -> tensor<?x2xf32>\n"
                            "  %r = ").replace("(%x:", "(%g: !gnn.graph<?x?x?>, %x:").replace("sum %x, %i", "sum %h, %i")
    refused(both, [0, 2, 3], "row pointer 'i': ends with 3, but there are 4 rows")
    refused(both, [0, 2, 7], "row pointer 'i': entry 2 is 7, but there are 4 rows")


def main():
    p = Programs()
    for path in sorted(FOLDER.glob("*.mlir")):
        text = path.read_text(encoding="utf-8")
        outputs = ("out", *(name for name in ("weights", "pooled") if f'"{name}"' in text))
        weights = RELATIONS if "relations" in text else None
        for name, graph in GRAPHS.items():
            more = index_tensors(graph[0], len(graph[1]))
            p.check(f"{path.stem} on {name}", text, graph, (8,), outputs, weights=weights, more=more)
        more = index_tensors(50, 300, "I32")
        # Files of either type, programs of either type.
        p.check(f"{path.stem} of i32 files", text, GRAPHS["random"], (8,), outputs, weights=weights,
                more={**more, "edge_type": index_tensors(50, 300)["edge_type"]})
        narrow = text.replace("xi64>", "xi32>").replace("!gnn.graph<?x?x?>", "!gnn.graph<?x?x?, i32>").replace("i64, csr", "i32, csr")
        p.check(f"{path.stem} of i32 indices", narrow, GRAPHS["random"], (8,), outputs, weights=weights, more=more)
        p.check(f"{path.stem} with 64-bit indices", text, GRAPHS["random"], (8,), outputs, weights=weights,
                more=index_tensors(50, 300), flags=("--index", "i64"))
    refusals(p)
    sys.exit(p.t.finish())


main()
