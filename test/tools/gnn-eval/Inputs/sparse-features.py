"""Write a graph file with its features as CSR: x_indptr, x_indices, x_values.

Usage: sparse-features.py GRAPH.safetensors OUT.safetensors
"""
import array
import json
import struct
import sys


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    (size,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + size])
    header.pop("__metadata__", None)
    return {name: (entry["dtype"], entry["shape"],
                   data[8 + size + entry["data_offsets"][0]:8 + size + entry["data_offsets"][1]])
            for name, entry in header.items()}


def write(path, tensors, metadata):
    header, offset = {"__metadata__": metadata}, 0
    for name, (dtype, shape, data) in tensors.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [offset, offset + len(data)]}
        offset += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(t[2] for t in tensors.values()))


def main():
    tensors = read(sys.argv[1])
    _, (nodes, features), data = tensors.pop("x")
    x = array.array("f", data)
    rows, columns, values = [0], [], []
    for node in range(nodes):
        for feature in range(features):
            value = x[node * features + feature]
            if value != 0:
                columns.append(feature)
                values.append(value)
        rows.append(len(values))
    for name, dtype, code, entries in (("x_indptr", "I64", "q", rows), ("x_indices", "I32", "i", columns),
                                       ("x_values", "F32", "f", values)):
        tensors[name] = (dtype, [len(entries)], array.array(code, entries).tobytes())
    write(sys.argv[2], tensors, {"num_nodes": str(nodes), "num_features": str(features)})


if __name__ == "__main__":
    main()
