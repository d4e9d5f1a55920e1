"""Writes rings of 3, 5 and 9 nodes with three features each: PREFIX.3.safetensors and so on."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../Inputs"))
import tooltest

for nodes in (3, 5, 9):
    ids = list(range(nodes)) + [(i + 1) % nodes for i in range(nodes)]
    tensors = {"edge_index": ("I64", [2, nodes], ids), "x": ("F32", [nodes, 3], [i / 2 for i in range(nodes * 3)])}
    tooltest.write_tensors(f"{sys.argv[1]}.{nodes}.safetensors", tensors)
