"""The programs of test/programs/graph-ops (loops removed, edges turned around, reductions
at both ends, ...), each on every hard graph, against float64.

Usage: check-graph-ops.py   (the tools are found on PATH)
"""
import pathlib
import sys

from programs import GRAPHS, Programs

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "programs" / "graph-ops"


def main():
    p = Programs()
    for path in sorted(FOLDER.glob("*.mlir")):
        text = path.read_text(encoding="utf-8")
        for name, graph in GRAPHS.items():
            p.check(f"{path.stem} on {name}", text, graph, (5,))
        narrow = text.replace("!gnn.graph<?x?x?>", "!gnn.graph<?x?x?, i32>")
        p.check(f"{path.stem} of i32 ids", narrow, GRAPHS["random"], (5,), ids="I32")
        p.check(f"{path.stem} with 64-bit indices", text, GRAPHS["random"], (5,), flags=("--index", "i64"))
    sys.exit(p.t.finish())


main()
