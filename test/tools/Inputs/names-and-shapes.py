"""Print dtype, shape and name of every tensor of a safetensors file, sorted by name."""
import json
import struct
import sys

with open(sys.argv[1], "rb") as file:
    (size,) = struct.unpack("<Q", file.read(8))
    header = json.loads(file.read(size))
for name, tensor in sorted(header.items()):
    if name != "__metadata__":
        print(tensor["dtype"], tensor["shape"], name)
