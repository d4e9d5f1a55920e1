"""gnn-autotune and gnn-compile --mode max-autotune on the host: arguments: a scratch folder."""
import json
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys

work = pathlib.Path(sys.argv[1])
shutil.rmtree(work, ignore_errors=True)
work.mkdir(parents=True)


def run(*arguments, code=0, says=None):
    done = subprocess.run([str(a) for a in arguments], cwd=work, capture_output=True, text=True, check=False)
    if done.returncode != code or (says and says not in done.stderr):
        sys.exit(f"{' '.join(map(str, arguments))}\nexit {done.returncode}, expected {code}; "
                 f"expected to say {says!r}:\n{done.stderr}")
    return done


def write_graph(path, nodes, edges, seed):
    """Edges only: tuning makes the input up."""
    numbers = random.Random(seed)
    ids = [numbers.randrange(nodes) for _ in range(2 * edges)]
    data = struct.pack(f"<{len(ids)}q", *ids)
    header = json.dumps({"__metadata__": {"num_nodes": str(nodes)},
                         "edge_index": {"dtype": "I64", "shape": [2, edges], "data_offsets": [0, len(data)]}}).encode()
    path.write_bytes(struct.pack("<Q", len(header)) + header + data)


write_graph(work / "g.safetensors", 300, 2000, 1)
write_graph(work / "like.safetensors", 310, 2050, 2)
run("gnn-model", "--model", "gat", "--in", "12", "--hidden", "8", "--out", "5", "--heads", "2", "--layers", "2",
    "--weights-seed", "1", "--weights", "w.safetensors", "-o", "m.mlir")
tune = ["gnn-compile", "m.mlir", "--weights", "w.safetensors", "--mode", "max-autotune"]
with_database = [*tune, "--graph", "g.safetensors", "--tuning-db", "db.json"]

# Measured, checked against float64, kept.
done = run(*with_database, "--budget", "10s", "-o", "tuned.gnnx", says="of float64")
assert re.search(r"[1-9]\d* candidates measured, [1-9]\d* compilations", done.stderr), done.stderr
entries = json.loads((work / "db.json").read_text())["entries"]
entries = [entry for entry in entries if not entry["about"].startswith("forward")]
assert entries and all(entry["edges"] == 2000 and entry["us"] > 0 for entry in entries), entries

# Known: nothing is measured, the same artefact comes out.
done = run(*with_database, "-o", "again.gnnx", says=f"{len(entries)} from the database, 0 candidates measured, 0 comp")
assert (work / "tuned.gnnx").read_bytes() == (work / "again.gnnx").read_bytes()

# The database decides: its choice is in the IR, and by the nearest graph too.
for entry in entries:
    entry["choice"] = "#gnn.cpu_schedule<tile = 16, prefetch = 3>"
(work / "db.json").write_text(json.dumps({"format": "gnnc tuning database", "version": 1, "entries": entries}))
for graph in ("g", "like"):
    done = run(*tune, "--graph", f"{graph}.safetensors", "--tuning-db", "db.json", "--budget", "0s", "--emit", "kernels")
    assert done.stdout.count("prefetch = 3>") >= len(entries), done.stdout
# An impossible choice is none.
for entry in entries:
    entry["choice"] = "#gnn.cpu_schedule<tile = 0, prefetch = 3>"
(work / "db.json").write_text(json.dumps({"format": "gnnc tuning database", "version": 1, "entries": entries}))
done = run(*with_database, "--budget", "0s", "--emit", "kernels", says="0 from the database")
assert "tile = 0" not in done.stdout

# The order of products is measured, kept, and taken from the database.
run("gnn-model", "--model", "gcn", "--in", "24", "--hidden", "8", "--out", "16", "--layers", "2",
    "--weights-seed", "1", "--weights", "o.w", "-o", "o-gcn.mlir")
order = ["gnn-compile", "o-gcn.mlir", "--weights", "o.w", "--mode", "max-autotune", "--graph", "g.safetensors",
         "--tuning-db", "order.json"]
run(*order, "--budget", "10s", "-o", "order.gnnx", says=" is taken, found in ")
entries = json.loads((work / "order.json").read_text())["entries"]
forward, *more = [entry for entry in entries if entry["about"].startswith("forward")]
assert not more and forward["choice"].startswith("order ") and forward["candidates"] >= 1, entries
for name in ("aggregate-first", "transform-first"):
    forward["choice"] = f"order {name}"
    (work / "order.json").write_text(
        json.dumps({"format": "gnnc tuning database", "version": 1, "entries": [forward]}))
    found = run(*order, "--budget", "0s", "--emit", "kernels").stdout
    wanted = run("gnn-compile", "o-gcn.mlir", "--order", name, "--emit", "kernels").stdout
    plain = run("gnn-compile", "o-gcn.mlir", "--emit", "kernels").stdout
    if wanted != plain:
        assert found == wanted, name
assert run("gnn-compile", "o-gcn.mlir", "--order", "aggregate-first", "--emit", "kernels").stdout != plain
forward["choice"] = "order sideways"
(work / "order.json").write_text(json.dumps({"format": "gnnc tuning database", "version": 1, "entries": [forward]}))
assert run(*order, "--budget", "0s", "--emit", "kernels").stdout == plain

# A file that is no database is kept aside.
(work / "db.json").write_text('{"format": "gnnc tun')
run(*with_database, "--budget", "0s", "--quiet", "--emit", "kernels",
    says="autotune: warning: db.json: is no tuning database (it is no JSON object); kept as db.json.bad-1, a new one is begun")
assert (work / "db.json.bad-1").exists() and not (work / "db.json").exists()

# No time: the untuned schedules.
done = run(*tune, "--graph", "g.safetensors", "--budget", "1ms", "-o", "no.gnnx", says="the untuned schedules are kept")

# The pass by itself; refusals.
run("gnn-compile", "m.mlir", "--emit", "kernels", "-o", "k.mlir")
options = "graph=g.safetensors weights=w.safetensors budget=1 quiet=true"
run("gnn-opt", "k.mlir", f"--gnn-autotune={options}", "-o", "o.mlir")
run("gnn-opt", "k.mlir", "--gnn-autotune", code=1, says="gnn-autotune needs a graph to measure on: graph=FILE")
run("gnn-opt", "m.mlir", "--gnn-autotune=graph=g.safetensors", code=1, says="needs the module attribute gnn.target")
run("gnn-opt", "k.mlir", "--gnn-autotune=graph=none.safetensors", code=1, says="none.safetensors")
run("gnn-opt", "k.mlir", "--gnn-autotune=graph=g.safetensors budget=-1", code=1, says="budget is at least 0 seconds")
run("gnn-opt", "k.mlir", "--gnn-autotune=graph=g.safetensors quiet=true", code=1, says="gnn-autotune:")
(work / "bare.mlir").write_text(re.sub(r" schedule\(<?#gnn[^)]*\)", "", (work / "k.mlir").read_text()))
run("gnn-opt", "bare.mlir", "--gnn-autotune=graph=g.safetensors", code=1, says="has no #gnn.cpu_schedule")
run(*tune, "-o", "n.gnnx", code=2, says="measures on a graph; name its file with --graph")
run(*tune[:-2], "--tuning-db", "t.json", "-o", "n.gnnx", code=2, says="--tuning-db keeps what a max-autotune mode measured")
run(*tune[:-2], "--graph", "g.safetensors", "-o", "n.gnnx", code=2, says="found --dynamic true --mode default")
run(*tune, "--graph", "g.safetensors", "--budget", "soon", "-o", "n.gnnx", code=2, says="--budget is a time such as")
run(*tune, "--graph", "g.safetensors", "--target", "cuda", "--chip", "sm_90", "--budget", "1s", "-o", "n.gnnx",
    code=1, says="cuda") if shutil.which("nvidia-smi") is None else None
