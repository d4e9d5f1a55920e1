"""The hard graphs of the suite, and files to hold them. Standard library alone.

Features and weights are numbers that f16 and bf16 hold exactly, so that one float64
reference serves every element type."""
import gzip
import json
import pathlib
import random
import struct
import sys
from array import array

FEATURES, EDGE_FEATURES = 8, 9
GROUPS = 6
SIZES = {"F32": 4, "F64": 8, "F16": 2, "BF16": 2, "I64": 8, "I32": 4}


def read_file(path):
    """-> {name: (dtype, shape, bytes)}"""
    content = pathlib.Path(path).read_bytes()
    if content[:2] == b"\x1f\x8b":
        content = gzip.decompress(content)
    (length,) = struct.unpack_from("<Q", content)
    header = json.loads(content[8:8 + length])
    header.pop("__metadata__", None)
    return {name: (entry["dtype"], entry["shape"], content[8 + length + entry["data_offsets"][0]:
                                                           8 + length + entry["data_offsets"][1]])
            for name, entry in header.items()}


def write_file(path, tensors, metadata=None):
    header, at = ({"__metadata__": metadata} if metadata else {}), 0
    for name, (dtype, shape, data) in tensors.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [at, at + len(data)]}
        at += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    pathlib.Path(path).write_bytes(struct.pack("<Q", len(text)) + text + b"".join(t[2] for t in tensors.values()))


def numbers(tensor):
    """The floats of a tensor of any float type."""
    dtype, _, data = tensor
    if dtype == "BF16":  # the upper half of an f32
        words = array("I", (bits << 16 for bits in array("H", data)))
        return array("f", words.tobytes())
    if dtype == "F16":
        return array("d", struct.unpack(f"<{len(data) // 2}e", data))
    return array({"F32": "f", "F64": "d"}[dtype], data)


def made_exact(path):
    """Rounds the f32 tensors of a file towards zero to bf16, and what f16 cannot hold to 0."""
    tensors = read_file(path)
    for name, (dtype, shape, data) in tensors.items():
        if dtype == "F32":
            kept = array("I", (word & 0xffff0000 if word & 0x7fffffff >= 0x38800000 else 0
                               for word in array("I", data)))
            tensors[name] = (dtype, shape, kept.tobytes())
    write_file(path, tensors)


def edges_of(path):
    dtype, (_, count), data = read_file(path)["edge_index"]
    ids = array({"I64": "q", "I32": "i"}[dtype], data)
    return list(ids[:count]), list(ids[count:])


def hard_graphs(data):
    """-> {name: (nodes, sources of edges, destinations of edges)}"""
    rng = random.Random(4)
    def some(count, low, high):
        return [rng.randrange(low, high) for _ in range(count)]
    def real(path):
        src, dst = edges_of(path)
        return max(src + dst) + 1, src, dst
    loops = list(range(0, 60, 3))
    return {
        "no-nodes": (0, [], []),
        "no-edges": (7, [], []),
        "one-node": (1, [], []),
        "one-node-loop": (1, [0], [0]),
        "isolated-nodes": (300, some(200, 0, 40), some(200, 20, 60)),
        "self-loops": (60, some(150, 0, 60) + loops + loops[:4], some(150, 0, 60) + loops + loops[:4]),
        "duplicate-edges": (40, some(50, 0, 40) * 4, some(50, 0, 40) * 4),
        "one-row": (3000, some(5000, 0, 3000), [17] * 5000),
        "one-way": (500, some(1500, 0, 200), some(1500, 200, 500)),
        "random-100k": (20000, some(100000, 0, 20000), some(100000, 0, 20000)),
        "cora": real(data / "cora" / "cora.safetensors.gz"),
        "slashdot": real(data / "pyg" / "gcn-no-fixes-slashdot" / "graph.safetensors"),
    }


def bipartite_graphs():
    """-> {name: ((sources, destinations), sources of edges, destinations of edges)}"""
    rng = random.Random(5)
    def some(count, high):
        return [rng.randrange(high) for _ in range(count)]
    return {
        "no-nodes": ((0, 0), [], []),
        "no-sources": ((0, 5), [], []),
        "no-destinations": ((5, 0), [], []),
        "no-edges": ((3, 7), [], []),
        "one-pair": ((1, 1), [0, 0], [0, 0]),
        "few-sources": ((40, 900), some(3000, 40), some(3000, 900)),
        "few-destinations": ((900, 40), some(3000, 900), some(3000, 40)),
        "isolated": ((300, 200), some(200, 60), some(200, 60)),
        "duplicate-edges": ((40, 30), some(50, 40) * 4, some(50, 30) * 4),
        "one-row": ((3000, 30), some(5000, 3000), [17] * 5000),
        "random-100k": ((30000, 9000), some(100000, 30000), some(100000, 9000)),
    }


def index_tensors(nodes, edges):
    """What test/programs/index-ops go by: repeated, unsorted, some groups empty, one long."""
    rng = random.Random(nodes + 7)
    rows = 3 * nodes
    def some(count, below):
        return [rng.randrange(below) for _ in range(count)]
    def pointer(total):
        return [0, *sorted(rng.randrange(total + 1) for _ in range(GROUPS - 1)), total]
    values = {"batch": some(nodes, GROUPS - 1), "groups": [0] * GROUPS, "ptr": pointer(nodes), "list_ptr": pointer(rows),
              "picked": some(2 * nodes, nodes), "from": some(rows, nodes), "from_too": some(rows, nodes),
              "to": some(rows, GROUPS - 1), "edge_type": some(edges, 3)}
    return {name: ("I64", [len(list_)], array("q", list_).tobytes()) for name, list_ in values.items()}


def write_graph(path, nodes, src, dst):
    """`nodes`: their count, or those of both ends."""
    assert sys.byteorder == "little"
    ends = (("x_src", nodes[0], "num_src_nodes"), ("x_dst", nodes[1], "num_dst_nodes")) \
        if isinstance(nodes, tuple) else (("x", nodes, "num_nodes"),)
    rng = random.Random(sum(count for _, count, _ in ends) * 31 + len(src))
    index = array("q", src + dst)
    tensors = {"edge_index": ("I64", [2, len(src)], index.tobytes())}
    tensors["edge_weight"] = ("F32", [len(src)], array("f", (rng.randrange(1, 65) / 32 for _ in src)).tobytes())
    edge_attr = array("f", (rng.randrange(-64, 65) / 64 for _ in range(EDGE_FEATURES * len(src))))
    tensors["edge_attr"] = ("F32", [len(src), EDGE_FEATURES], edge_attr.tobytes())
    for name, count, _ in ends:
        x = array("f", (rng.randrange(-64, 65) / 64 for _ in range(count * FEATURES)))
        tensors[name] = ("F32", [count, FEATURES], x.tobytes())
    tensors |= {} if isinstance(nodes, tuple) else index_tensors(nodes, len(src))
    write_file(path, tensors, {key: str(count) for _, count, key in ends})


def write_weights(path):
    """Of the programs of test/programs/index-ops."""
    table = array("f", ((i % 7 - 3) / 4 for i in range(3 * FEATURES)))
    write_file(path, {"relations": ("F32", [3, FEATURES], table.tobytes())})
