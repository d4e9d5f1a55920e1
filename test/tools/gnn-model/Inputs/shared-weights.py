"""Usage: shared-weights.py GATV2_WEIGHTS GIN_WEIGHTS"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Inputs"))
from tooltest import read_tensor  # noqa: E402

for part in ("weight", "bias"):
    left, right = (read_tensor(sys.argv[1], f"convs.0.lin_{side}.{part}") for side in "lr")
    assert left == right and any(left[1]), part
assert read_tensor(sys.argv[2], "convs.0.eps") == ([1], [0.25])
