"""gnn-graph: facts about small and real graphs, conversions, and each bad input.

Usage: check-gnn-graph.py BIN_DIR DATA_DIR
"""
import gzip
import json
import os
import sys

from tooltest import Checker, read_tensor, write_tensors


def spill(t, name, text):
    with open(t.path(name), "w", encoding="utf-8") as file:
        file.write(text)
    return name


def facts(t, data):
    # Edges 0->1 twice, a loop at 1, 3->1; nodes 2 and 4 have none.
    write_tensors(t.path("g.safetensors"), {"edge_index": ("I32", [2, 4], [0, 0, 1, 3, 1, 1, 1, 1])},
                  {"num_nodes": "5"})
    found = json.loads(t.good("inspect", "g.safetensors", "--json"))
    expected = {"nodes": 5, "edges": 4, "index_type": "I32", "mean_degree": 0.8, "max_in_degree": 4,
                "max_out_degree": 2, "self_loops": 1, "duplicates": 1, "isolated": 2, "symmetric": False,
                "sorted_by_source": True, "sorted_by_destination": True,
                "in_degree_histogram": {"0": 4, "1": 0, "2-3": 0, "4-7": 1}}
    for key, value in expected.items():
        t.expect(found.get(key) == value, f"{key} is {found.get(key)}, want {value}")
    text = t.good("inspect", "g.safetensors")
    for line in ("self loops      1", "isolated        2", "in-degree       4-7: 1 nodes", "sorted          by both ends"):
        t.expect(line in text, f"'{line}' is not in\n{text}")
    t.expect("sound, 5 nodes, 4 edges" in t.good("inspect", "g.safetensors", "--validate"), "--validate")
    write_tensors(t.path("none.safetensors"), {"edge_index": ("I64", [2, 0], [])})
    found = json.loads(t.good("inspect", "none.safetensors", "--json"))
    t.expect(found["nodes"] == 0 and found["in_degree_histogram"] == {}, "no nodes")
    found = json.loads(t.good("inspect", os.path.join(data, "cora", "cora.safetensors.gz"), "--json"))
    for key, value in {"nodes": 2708, "edges": 10556, "max_in_degree": 168, "self_loops": 0, "duplicates": 0,
                       "isolated": 0, "symmetric": True}.items():
        t.expect(found[key] == value, f"cora: {key} is {found[key]}, want {value}")


def conversions(t):
    write_tensors(t.path("w.safetensors"), {
        "edge_index": ("I64", [2, 3], [2, 0, 0, 1, 1, 3]), "edge_weight": ("F32", [3], [0.1, -2.5, 3e-9]),
        "x": ("F32", [5, 1], [0.0] * 5)})
    t.expect("without x" in t.good("convert", "w.safetensors", "a.txt"), "what text drops is said")
    with open(t.path("a.txt"), encoding="utf-8") as file:
        t.expect(file.read() == "# nodes 5\n2 1 0.1\n0 1 -2.5\n0 3 3e-09\n", "edge list")
    chain = ("a.txt", "b.mtx", "c.txt.gz", "d.mtx.gz", "e.safetensors.gz", "f.safetensors")
    for a, b in zip(chain, chain[1:]):
        t.good("convert", a, b)
    with open(t.path("b.mtx"), encoding="utf-8") as file:
        t.expect(file.read() == "%%MatrixMarket matrix coordinate real general\n5 5 3\n3 2 0.1\n1 2 -2.5\n1 4 3e-09\n",
                 "Matrix Market")
    with gzip.open(t.path("c.txt.gz"), "rt") as file:
        t.expect(file.readline() == "# nodes 5\n", "packed edge list")
    for name in ("edge_index", "edge_weight"):
        t.expect(read_tensor(t.path("f.safetensors"), name) == read_tensor(t.path("w.safetensors"), name),
                 f"{name} after the chain")
    spill(t, "s.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n% a comment\n3 3 2\n2 1\n3 3\n")
    t.good("convert", "s.mtx", "s.txt")
    with open(t.path("s.txt"), encoding="utf-8") as file:
        t.expect(file.read() == "# nodes 3\n1 0\n0 1\n2 2\n", "a symmetric matrix has both directions, a loop once")
    spill(t, "snap.txt", "# Nodes: 4 Edges: 2\n0\t1\r\n\n2,0\n")
    found = json.loads(t.good("inspect", "snap.txt", "--json"))
    t.expect((found["nodes"], found["edges"]) == (4, 2), f"an edge list as others write it: {found}")


def two_sets(t):
    """Bipartite graphs: sources 0 and 2 of 4, destinations 0 and 1 of 3."""
    edges = {"edge_index": ("I64", [2, 3], [0, 2, 2, 0, 0, 1])}
    write_tensors(t.path("bi.safetensors"), {**edges, "x_src": ("F32", [4, 1], [0.0] * 4), "x_dst": ("F32", [3, 2], [0.0] * 6)})
    found = json.loads(t.good("inspect", "bi.safetensors", "--json"))
    for key, value in {"nodes": 7, "sources": 4, "destinations": 3, "bipartite": True, "mean_degree": 1.0, "self_loops": 0,
                       "isolated": 3, "symmetric": False, "in_degree_histogram": {"0": 1, "1": 1, "2-3": 1}}.items():
        t.expect(found[key] == value, f"bipartite: {key} is {found[key]}, want {value}")
    text = t.good("inspect", "bi.safetensors")
    t.expect("sources         4\ndestinations    3\n" in text, f"both counts are not in\n{text}")
    t.expect("sound, 4 sources, 3 destinations, 3 edges" in t.good("inspect", "bi.safetensors", "--validate"), "--validate")
    t.good("convert", "bi.safetensors", "bi.mtx")
    with open(t.path("bi.mtx"), encoding="utf-8") as file:
        t.expect(file.read().startswith("%%MatrixMarket matrix coordinate pattern general\n4 3 3\n1 1\n"), "a matrix that is not square")
    t.good("convert", "bi.mtx", "again.safetensors")
    found = json.loads(t.good("inspect", "again.safetensors", "--json"))
    t.expect((found["sources"], found["destinations"]) == (4, 3), f"back from a matrix: {found}")
    t.bad("bi.safetensors: 4 sources, 3 destinations, 3 edges: bi.txt would have one set of nodes; write .safetensors, or .mtx where "
          "the counts differ", "convert", "bi.safetensors", "bi.txt")
    for tensors, metadata, message in (
            ({"x": ("F32", [4, 1], [0.0] * 4)}, {"num_src_nodes": "4"}, "has x of one set of nodes and x_src, x_dst"),
            ({}, {"num_nodes": "4", "num_dst_nodes": "4"}, "metadata num_nodes counts one set of nodes, the file has two"),
            ({"x_src": ("F32", [4, 1], [0.0] * 4)}, {"num_src_nodes": "5"},
             "metadata num_src_nodes gives 5 sources, x_src gives 4"),
            ({"train_mask": ("U8", [2], [0, 1])}, {"num_dst_nodes": "3"},
             "metadata num_dst_nodes gives 3 destinations, train_mask gives 2"),
            ({}, {"num_src_nodes": "2"}, "edge 1: source 2 is not in [0, 2)"),
            ({}, {"num_dst_nodes": "1"}, "edge 2: destination 1 is not in [0, 1)")):
        write_tensors(t.path("bad-bi.safetensors"), {**edges, **tensors}, metadata)
        t.bad(message, "inspect", "bad-bi.safetensors")
    write_tensors(t.path("square.safetensors"), edges, {"num_src_nodes": "3", "num_dst_nodes": "3"})
    t.bad("square.mtx would have one set of nodes; write .safetensors", "convert", "square.safetensors", "square.mtx")


def made_up_counts(t):
    """However many nodes a file claims, looking at it takes memory for its edges."""
    for nodes in (3 * 10 ** 9, 2 ** 63 - 1):
        write_tensors(t.path("huge.safetensors"), {"edge_index": ("I64", [2, 2], [0, 1, 1, 2])}, {"num_nodes": str(nodes)})
        found = json.loads(t.good("inspect", "huge.safetensors", "--json"))
        t.expect((found["nodes"], found["isolated"], found["in_degree_histogram"]) == (nodes, nodes - 3, {"0": nodes - 2, "1": 2}),
                 f"{nodes} nodes: {found}")
    spill(t, "prose.txt", "# nodes and edges of a graph\n0 1\n")
    t.expect(json.loads(t.good("inspect", "prose.txt", "--json"))["nodes"] == 2, "a comment that counts nothing")


def bad_inputs(t):
    t.bad("absent.txt: cannot open: No such file or directory", "inspect", "absent.txt")
    write_tensors(t.path("bad.safetensors"), {"edge_index": ("I64", [2, 2], [0, 1, 1, 9])}, {"num_nodes": "5"})
    for args in (("inspect", "bad.safetensors"), ("inspect", "bad.safetensors", "--validate"),
                 ("convert", "bad.safetensors", "out.txt")):
        t.bad("bad.safetensors: edge 1: destination 9 is not in [0, 5)", *args)
    write_tensors(t.path("count.safetensors"), {"edge_index": ("I64", [2, 0], [])}, {"num_nodes": "many"})
    t.bad("metadata num_nodes is 'many', expected a count", "inspect", "count.safetensors")
    for text, message in (
            ("0 1\n1 two\n", "bad.txt:2: expected \"source destination [weight]\", found '1' 'two'"),
            ("0 1\n7\n", "bad.txt:2: expected"), ("0 1 0.5\n1 2\n", "bad.txt:2: some edges have a weight"),
            ("0 1 heavy\n", "bad.txt:1: weight 'heavy' is no number"),
            ("0 -1\n", "bad.txt: edge 0: destination -1 is not in [0, 1)"),
            ("0 1 2.5 7\n", "found '7' after them"), ("# nodes -5\n", "bad.txt:1: nodes is '-5', expected a count"),
            ("# nodes 99999999999999999999\n", "bad.txt:1: nodes is '99999999999999999999', expected a count"),
            ("0 99999999999999999999\n", "bad.txt:1: expected")):
        spill(t, "bad.txt", text)
        t.bad(message, "inspect", "bad.txt")
    head = "%%MatrixMarket matrix coordinate pattern general\n"
    for text, message in (
            ("3 3 1\n1 1\n", "bad.mtx:1: a Matrix Market file begins with"),
            (head.replace("general", "symmetric") + "2 3 0\n", "bad.mtx:2: the matrix is 2x3, a symmetric one is square"),
            (head + "2 2 1\n3 1\n", "bad.mtx:3: entry (3, 1) is not in a matrix of 2 rows and 2 columns counted from 1"),
            (head + "3 2 1\n2 3\n", "bad.mtx:3: entry (2, 3) is not in a matrix of 3 rows and 2 columns"),
            (head + "2 2 1\n0 1\n", "counted from 1"), (head + "2 2 2\n1 1\n", "has 1 entries, its header says 2"),
            (head.replace("pattern", "complex") + "1 1 0\n", "is not supported"), ("", "begins with")):
        spill(t, "bad.mtx", text)
        t.bad(message, "inspect", "bad.mtx")
    t.bad("cannot write", "convert", "g.safetensors", "no/such/folder/out.txt")
    t.bad("unknown flag '--jsn'", "inspect", "g.safetensors", "--jsn", code=2)
    t.bad("subcommand is required", code=2)


def main():
    t = Checker(os.path.join(sys.argv[1], "gnn-graph"))
    facts(t, sys.argv[2])
    conversions(t)
    made_up_counts(t)
    two_sets(t)
    bad_inputs(t)
    sys.exit(t.finish())


main()
