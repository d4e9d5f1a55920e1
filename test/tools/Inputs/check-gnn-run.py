"""gnn-run on an artefact written by hand: results, reports, and each bad input.

Usage: check-gnn-run.py BIN_DIR WRITE_TEST_ARTIFACT DATA_DIR
"""
import gzip
import json
import math
import os
import random
import shutil
import subprocess
import sys
import zipfile

from tooltest import Checker, read_tensor, write_tensors


def graph(t, name, edges=((0, 1), (1, 2)), nodes=3, width=3, dtype="I64", x=None, **more):
    ids = [src for src, _ in edges] + [dst for _, dst in edges]
    values = x if x is not None else [float(i) for i in range(nodes * width)]
    tensors = {"x": ("F32", [nodes, width], values), "edge_index": (dtype, [2, len(edges)], ids)}
    tensors.update(more)
    write_tensors(t.path(name), tensors)
    return name


def results(t):
    graph(t, "g.safetensors")
    # w = [[-2.5, -1.5, -.5], [.5, 1.5, 2.5]], bias [0, .25]; see TestProgram.h
    h = [[-2.5 * a - 1.5 * b - .5 * c, .5 * a + 1.5 * b + 2.5 * c] for a, b, c in ((0, 1, 2), (3, 4, 5), (6, 7, 8))]
    expected = [h[0][0], h[0][1] + .25, (h[0][0] + h[1][0]) / 2, (h[0][1] + h[1][1] + .25) / 2,
                (h[1][0] + h[2][0]) / 2, (h[1][1] + h[2][1] + .25) / 2]
    t.good("m.gnnx", "--graph", "g.safetensors", "-o", "out.safetensors")
    shape, values = read_tensor(t.path("out.safetensors"), "out")
    t.expect(shape == [3, 2] and all(abs(a - b) < 1e-5 for a, b in zip(values, expected)),
             f"out is {shape} {values}, want {expected}")
    os.remove(t.path("out.safetensors"))
    # The same from other index types, formats and devices.
    graph(t, "i32.safetensors", dtype="I32")
    with open(t.path("g.safetensors"), "rb") as plain, gzip.open(t.path("g.safetensors.gz"), "wb") as packed:
        shutil.copyfileobj(plain, packed)
    write_tensors(t.path("csr.safetensors"), {
        "edge_index": ("I64", [2, 2], [0, 1, 1, 2]), "x_indptr": ("I64", [4], [0, 2, 5, 8]),
        "x_indices": ("I32", [8], [1, 2, 0, 1, 2, 0, 1, 2]), "x_values": ("F32", [8], [1, 2, 3, 4, 5, 6, 7, 8])})
    for name, *more in (("i32.safetensors",), ("g.safetensors.gz",), ("csr.safetensors",),
                        ("g.safetensors", "--device", "cpu:1"), ("g.safetensors", "--device", "cpu")):
        t.good("m.gnnx", "-g", name, "-o", "o.safetensors", *more)
        t.expect(read_tensor(t.path("o.safetensors"), "out") == (shape, values), f"{name} {more} differs")
        os.remove(t.path("o.safetensors"))
    graph(t, "nan.safetensors", x=[math.nan] + [1.0] * 8)
    t.good("m.gnnx", "-g", "nan.safetensors", "-o", "o.safetensors")
    values = read_tensor(t.path("o.safetensors"), "out")[1]
    t.expect([math.isnan(v) for v in values] == [True] * 4 + [False] * 2, f"NaN went to {values}")
    graph(t, "empty.safetensors", edges=(), nodes=0)
    t.good("m.gnnx", "-g", "empty.safetensors", "-o", "o.safetensors")
    t.expect(read_tensor(t.path("o.safetensors"), "out")[0] == [0, 2], "no nodes")
    os.remove(t.path("o.safetensors"))


def several_graphs(t):
    """One artefact, loaded once, on graphs of different sizes: the same bytes as one at a time."""
    graph(t, "large.safetensors", edges=[(i, (i * 7) % 50) for i in range(50)], nodes=50)
    names = ("g.safetensors", "empty.safetensors", "large.safetensors", "g.safetensors")
    pairs = [part for i, name in enumerate(names) for part in ("-g", name, "-o", f"{i}.out")]
    t.expect(t.good("m.gnnx", *pairs) == "", "several graphs are silent")
    for i, name in enumerate(names):
        t.good("m.gnnx", "-g", name, "-o", "alone.out")
        with open(t.path("alone.out"), "rb") as alone, open(t.path(f"{i}.out"), "rb") as together:
            t.expect(alone.read() == together.read(), f"{name} differs when it is not alone")
    two = ("m.gnnx", "-g", "g.safetensors", "-g", "large.safetensors")
    t.good(*two)
    t.bad("--output is given 1 times and --graph 2 times", *two, "-o", "o", code=2)
    t.bad("would be written twice", *two, "-o", "o", "-o", "o", code=2)
    t.bad("is read too and would be lost", *two, "-o", "o", "-o", "g.safetensors", code=2)
    for more in (("--repeat", "3"), ("--accuracy",), ("--profile", "p")):
        t.bad("are of one graph, found 2", *two, *more, code=2)
    stats = json.loads(t.good(*two, "--stats", "json"))
    t.expect(stats["nodes"] == 50 and stats["rebinds"] == 1 and stats["compilations"] is None, f"stats of two {stats}")
    # The one that fails is named; those before it are written.
    os.remove(t.path("0.out"))
    done = t.run("m.gnnx", "-g", "g.safetensors", "-o", "0.out", "-g", "missing.safetensors", "-o", "1.out")
    t.expect(done.returncode == 1 and "missing.safetensors" in done.stderr, f"a missing graph: {done.stderr}")
    t.expect(os.path.exists(t.path("0.out")), "the outputs before a failure are kept")


def reports(t):
    t.expect(t.good("m.gnnx", "-g", "g.safetensors") == "", "a plain run is silent")
    text = t.good("m.gnnx", "-g", "g.safetensors", "--repeat", "5", "--inner", "2", "--profile", "t.json")
    for word in ("median", "quartiles", "5 samples", "load", "bind", "memory", "3 nodes, 2 edges"):
        t.expect(word in text, f"--repeat prints no '{word}': {text}")
    with open(t.path("t.json"), encoding="utf-8") as file:
        names = [event["name"] for event in json.load(file)["traceEvents"] if event["ph"] == "X"]
    t.expect(names == ["add_self_loops", "to_csr", "inverse_degree", "gemm 3x3x2", "sum_rows", "scale_rows"],
             f"trace has {names}")
    stats = json.loads(t.good("m.gnnx", "-g", "g.safetensors", "--stats", "json"))
    t.expect(stats["nodes"] == 3 and stats["latency_ms"] is None and stats["peak_mib"] > 0, f"stats {stats}")
    stats = json.loads(t.good("m.gnnx", "-g", "g.safetensors", "--stats", "json", "-r", "3"))
    t.expect(stats["latency_ms"]["n"] == 3 and stats["latency_ms"]["median"] > 0, f"stats {stats}")
    t.good("m.gnnx", "-g", "g.safetensors", "--stats", "stats.json")
    t.expect(os.path.exists(t.path("stats.json")), "--stats FILE")
    plan = json.loads(t.good("m.gnnx", "--print-plan"))
    t.expect(plan["target"] == "cpu" and len(plan["forward"]) == 3, "--print-plan")
    guards = t.good("m.gnnx", "--print-guards").splitlines()
    t.expect([line.split()[0] for line in guards] ==
             ["range", "type", "width", "index", "index", "type", "width", "alignment", "chip"], f"--print-guards: {guards}")
    graph(t, "y.safetensors", y=("I64", [3], [1, 0, 1]), test_mask=("U8", [3], [1, 1, 0]))
    text = t.good("m.gnnx", "-g", "y.safetensors", "--accuracy")
    t.expect("accuracy 0.5000 on test_mask" in text, f"--accuracy prints {text}")
    t.bad("--accuracy needs y", "m.gnnx", "-g", "g.safetensors", "--accuracy")


def bad_graphs(t):
    run = lambda message, name: t.bad(message, "m.gnnx", "-g", name, "-o", "o.safetensors")
    run("absent.safetensors: cannot open: No such file or directory", "absent.safetensors")
    graph(t, "bad.safetensors", edges=((0, 1), (3, 1)))
    run("bad.safetensors: bind: edge 1: source 3 is not in [0, 3)", "bad.safetensors")
    graph(t, "bad.safetensors", edges=((1, 1), (2, 3)))
    run("bad.safetensors: bind: edge 1: destination 3 is not in [0, 3); were ids counted from 1?", "bad.safetensors")
    graph(t, "bad.safetensors", edges=((0, -1),))
    run("bind: edge 0: destination -1 is not in [0, 3); ids count from 0", "bad.safetensors")
    graph(t, "bad.safetensors", edges=((0, 2 ** 40),))
    run("bind: edge 0: destination 1099511627776 is not in [0, 3)", "bad.safetensors")
    graph(t, "bad.safetensors", dtype="F32", edges=((0, 1),))
    run("edge_index is F32[2, 1], expected I32 or I64 [2, edges]", "bad.safetensors")
    graph(t, "bad.safetensors", width=4)
    run("run: input 'x' is F32[3, 4], the program needs F32[3, 3]; its features do not fit the weights",
        "bad.safetensors")
    write_tensors(t.path("bad.safetensors"), {"x": ("F32", [3, 3], [0.0] * 9)})
    run("tensor 'edge_index' is missing; a graph file needs it", "bad.safetensors")
    write_tensors(t.path("bad.safetensors"), {"edge_index": ("I64", [2, 1], [0, 1])})
    run("has no features: neither x nor x_indptr, x_indices, x_values", "bad.safetensors")
    write_tensors(t.path("bad.safetensors"), {"edge_index": ("I64", [3, 1], [0, 1, 2])})
    run("edge_index is I64[3, 1], expected I32 or I64 [2, edges]", "bad.safetensors")
    graph(t, "bad.safetensors", edge_weight=("F32", [1], [1.0]))
    run("edge_weight is F32[1], the graph has 2 edges", "bad.safetensors")
    graph(t, "bad.safetensors", test_mask=("U8", [4], [1, 1, 1, 0]))
    run("test_mask gives 4 nodes, x gives 3", "bad.safetensors")
    write_tensors(t.path("bad.safetensors"), {
        "edge_index": ("I64", [2, 1], [0, 1]), "x_indptr": ("I64", [3], [0, 1, 2]),
        "x_indices": ("I32", [2], [0, 7]), "x_values": ("F32", [2], [1, 2])}, {"num_features": "3"})
    run("x_indices: entry 1 is 7, not in [0, 3)", "bad.safetensors")
    with open(t.path("g.safetensors"), "rb") as file:
        content = file.read()
    for size in (0, 5, 8, 40, len(content) - 1):
        with open(t.path("bad.safetensors"), "wb") as file:
            file.write(content[:size])
        run("bad.safetensors: ", "bad.safetensors")
    t.bad("cannot write", "m.gnnx", "-g", "g.safetensors", "-o", "no/such/folder/o.safetensors")
    t.bad("cannot write", "m.gnnx", "-g", "g.safetensors", "--profile", "no/such/folder/t.json")
    t.bad("--accuracy needs y", "m.gnnx", "-g", "g.safetensors", "-o", "o.safetensors", "--accuracy")
    for path, *args in (("g.safetensors", "-o"), ("m.gnnx", "--profile"), ("./g.safetensors", "--stats")):
        t.bad(f"{path}: is read too and would be lost", "m.gnnx", "-g", "g.safetensors", *args, path, code=2)
    t.bad("o: would be written twice", "m.gnnx", "-g", "g.safetensors", "-o", "o", "--profile", "o", code=2)


def bad_artifacts(t):
    run = lambda message, name: t.bad(message, name, "-g", "g.safetensors", "-o", "o.safetensors")
    run("absent.gnnx: cannot open: No such file or directory", "absent.gnnx")
    run("g.safetensors: not a gnnx artefact, or a damaged one", "g.safetensors")
    with open(t.path("m.gnnx"), "rb") as file:
        content = file.read()
    # Member data follow a header of 30 bytes and the name.
    with zipfile.ZipFile(t.path("m.gnnx")) as packed:
        begins = {info.filename: info.header_offset for info in packed.infolist()}
    t.expect(sorted(begins) == ["kernels/host.so", "manifest.json", "plan.json", "weights.safetensors"],
             f"members are {sorted(begins)}")

    def damaged(name, data):
        with open(t.path(name), "wb") as file:
            file.write(data)
        return name
    for begin in sorted(begins.values()):
        for size in (begin, begin + 40):
            run("short.gnnx: ", damaged("short.gnnx", content[:size]))
    for name, begin in begins.items():
        at = begin + 30 + len(name) + 60
        flipped = bytearray(content)
        flipped[at] ^= 1
        run(f"flipped.gnnx: member {name}: damaged: CRC error", damaged("flipped.gnnx", bytes(flipped)))
    other = content.replace(b'"version": 3,', b'"version": 9,')
    run("other.gnnx: ", damaged("other.gnnx", other))


def random_damage(t):
    """Whatever bytes are wrong, the tool ends by itself and says at most one line."""
    chance = random.Random(3)
    for name, args in (("m.gnnx", ("bad.bin", "-g", "g.safetensors")), ("g.safetensors", ("m.gnnx", "-g", "bad.bin"))):
        with open(t.path(name), "rb") as file:
            content = file.read()
        for _ in range(40):
            damaged = bytearray(content)
            for _ in range(chance.randint(1, 3)):
                damaged[chance.randrange(len(damaged))] = chance.randrange(256)
            with open(t.path("bad.bin"), "wb") as file:
                file.write(damaged)
            done = t.run(*args)
            t.expect(done.returncode in (0, 1) and done.stderr.count("\n") == done.returncode,
                     f"damaged {name}: exit {done.returncode}, stderr {done.stderr!r}")


def main():
    bin_dir, writer, data = sys.argv[1:4]
    t = Checker(os.path.join(bin_dir, "gnn-run"))
    write = lambda *args: subprocess.run([writer, *args], check=True)
    write(t.path("m.gnnx"))
    results(t)
    several_graphs(t)
    reports(t)
    bad_graphs(t)
    bad_artifacts(t)
    random_damage(t)
    write(t.path("chip.gnnx"), "3", "2", "x86-64-v9")
    t.bad("the program was compiled for 'x86-64-v9', which is not known", "chip.gnnx", "-g", "g.safetensors")
    t.bad("device 'gpu' is not known; expected cpu", "m.gnnx", "-g", "g.safetensors", "--device", "gpu")
    t.bad("--graph is required", "m.gnnx", code=2)
    t.bad("unknown flag '--no-such-flag'", "m.gnnx", "-g", "g.safetensors", "--no-such-flag", code=2)
    t.bad("--repeat", "m.gnnx", "-g", "g.safetensors", "--repeat", "many", code=2)
    # A real graph, with the width of its features.
    write(t.path("cora.gnnx"), "1433", "7")
    cora = os.path.join(data, "cora", "cora.safetensors.gz")
    text = t.good("cora.gnnx", "-g", cora, "--repeat", "3", "--accuracy")
    t.expect("2708 nodes, 10556 edges" in text, text)
    starts = []
    for _ in range(5): # the least: other work may be going on
        stats = json.loads(t.good("cora.gnnx", "-g", cora, "--stats", "json"))
        starts.append(stats["load_ms"] + stats["bind_ms"])
    t.expect(min(starts) < 100, f"load and bind of Cora take {min(starts):.1f} ms, the bound is 100")
    sys.exit(t.finish())


main()
