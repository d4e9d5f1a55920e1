"""Used by gpu-check.test: compares tensors of a file with each other."""
import json
import math
import pathlib
import struct
import sys

sys.path.insert(0, sys.argv[1] + "/scripts/gpu_check")
import tensors  # noqa: E402

file = sys.argv[2]
single, _ = tensors.read(file, "out_f32")
double, _ = tensors.read(file, "out")
largest = max(abs(value) for value in double)
print("within 1e-6:", max(abs(a - b) for a, b in zip(single, double)) / largest < 1e-6)


def write(path, value):
    header = json.dumps({"out": {"dtype": "F64", "shape": [1], "data_offsets": [0, 8]}}).encode()
    pathlib.Path(path).write_bytes(struct.pack("<Q", len(header)) + header + struct.pack("<d", value))
    return path


folder = pathlib.Path.cwd()
one, nan = write(folder / "gpu-check-one", 1.0), write(folder / "gpu-check-nan", math.nan)
print("NaN is not 1:", tensors.compare(nan, one, "out")["max_rel_err"])
