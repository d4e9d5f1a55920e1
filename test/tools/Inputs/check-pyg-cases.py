"""What unmodified PyG models computed, through every tool: gnn-model writes the
program, gnn-compile the artefact, gnn-run the outputs.

Usage: check-pyg-cases.py BIN_DIR DATA_DIR [DEVICE [WRITER_BIN_DIR]]
  DEVICE          cpu (default) or cuda
  WRITER_BIN_DIR  where gnn-model and gnn-compile are, when elsewhere

Outputs within 1e-5 of the largest float64 output, the same bits in ten runs and,
on the cpu, for one thread and three.
"""
import hashlib
import json
import os
import shutil
import sys

from tooltest import Checker, read_tensor


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def check(t, tools, data, case, device):
    folder = os.path.join(data, "pyg", case)
    with open(os.path.join(folder, "case.json"), encoding="utf-8") as file:
        about = json.load(file)
    graph = os.path.join(folder, "graph.safetensors")
    if not os.path.exists(graph):
        graph = os.path.join(data, about["graph"])
    for name, args in (("gnn-model", ("--args", os.path.join(folder, "case.json"), "-o", "m.mlir")),
                       ("gnn-compile", ("m.mlir", "--weights", os.path.join(folder, "weights.safetensors"),
                                        "--target", device, "-o", "m.gnnx"))):
        t.tool = tools[name]
        t.good(*args)
    t.tool = tools["gnn-run"]
    devices = ("cpu:1", "cpu:3", *["cpu"] * 8) if device == "cpu" else ("cuda",) * 10
    digests = set()
    for name in devices:
        t.good("m.gnnx", "--graph", graph, "--device", name, "-o", "out.safetensors")
        digests.add(digest(t.path("out.safetensors")))
    t.expect(len(digests) == 1, f"{case}: {len(digests)} different outputs in {len(devices)} runs")
    shape, out = read_tensor(t.path("out.safetensors"), "out")
    wanted_shape, wanted = read_tensor(os.path.join(folder, "expected.safetensors"), "out")
    largest = max((abs(value) for value in wanted), default=0) or 1
    error = max((abs(a - b) for a, b in zip(out, wanted)), default=0) / largest
    t.expect(shape == wanted_shape and error <= 1e-5, f"{case}: {shape}, error {error:.2e}, want {wanted_shape}, 1e-5")
    print(f"{case}: error {error:.2e}")


def main():
    bin_dir, data = sys.argv[1:3]
    device = sys.argv[3] if len(sys.argv) > 3 else "cpu"
    writers = sys.argv[4] if len(sys.argv) > 4 else os.path.dirname(shutil.which("gnn-compile") or bin_dir + "/")
    tools = {"gnn-run": os.path.join(bin_dir, "gnn-run"), "gnn-model": os.path.join(writers, "gnn-model"),
             "gnn-compile": os.path.join(writers, "gnn-compile")}
    t = Checker(tools["gnn-run"])
    cases = sorted(name for name in os.listdir(os.path.join(data, "pyg"))
                   if os.path.isdir(os.path.join(data, "pyg", name)))
    for case in cases:
        check(t, tools, data, case, device)
    t.expect(len(cases) >= 41, f"{len(cases)} cases")
    sys.exit(t.finish())


main()
