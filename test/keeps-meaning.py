"""Check that passes keep what a program computes: evaluate it in float64 before
and after them, against the PyG result of a case.

Usage: keeps-meaning.py CASE [gnn-opt arguments]

CASE is a folder of test/data/pyg. Its program is written by gnn-model, unless
KEEPS_MEANING_PROGRAM names one. gnn-eval, gnn-model and gnn-opt come from PATH.
"""
import json
import os
import subprocess
import sys
import tempfile

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
TOLERANCE = "1e-9"


def case_files(case):
    folder = os.path.join(DATA, "pyg", case)
    graph = os.path.join(folder, "graph.safetensors")
    if not os.path.exists(graph):
        with open(os.path.join(folder, "case.json"), encoding="utf-8") as file:
            graph = os.path.join(DATA, json.load(file)["graph"])
    return folder, graph


def main():
    case, passes = sys.argv[1], sys.argv[2:]
    folder, graph = case_files(case)
    with tempfile.TemporaryDirectory() as work:
        before = os.environ.get("KEEPS_MEANING_PROGRAM", os.path.join(work, "before.mlir"))
        after = os.path.join(work, "after.mlir")
        if not os.path.exists(before):
            subprocess.run(["gnn-model", "--args", os.path.join(folder, "case.json"), "-o", before],
                           check=True)
        subprocess.run(["gnn-opt", before, *passes, "-o", after], check=True)
        for program in (before, after):
            done = subprocess.run(
                ["gnn-eval", program, "--graph", graph,
                 "--weights", os.path.join(folder, "weights.safetensors"),
                 "--expect", os.path.join(folder, "expected.safetensors"),
                 "--tolerance", TOLERANCE], check=False)
            if done.returncode:
                sys.exit(f"{case}: {'after ' + ' '.join(passes) if program == after else 'unchanged'}")


if __name__ == "__main__":
    main()
