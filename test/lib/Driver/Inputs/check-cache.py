"""gnn-compile --cache-dir. Arguments: a scratch folder."""
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys

work = pathlib.Path(sys.argv[1])
shutil.rmtree(work, ignore_errors=True)
work.mkdir(parents=True)


def run(*arguments, code=0, env=None):
    done = subprocess.run([str(a) for a in arguments], cwd=work, capture_output=True, text=True, check=False,
                          env={**os.environ, **(env or {})})
    if done.returncode != code:
        sys.exit(f"{' '.join(map(str, arguments))}\nexit {done.returncode}, expected {code}:\n{done.stderr}")
    return done


def model(name, *more):
    run("gnn-model", "--model", "gcn", "--in", "12", "--hidden", "8", "--out", "5", "--layers", "2", *more,
        "--weights-seed", "1", "--weights", f"{name}.w", "-o", f"{name}.mlir")


def build(*more, name="m", output="o.gnnx", cache="cache", env=None):
    """-> hit, miss, or none where the cache was not asked"""
    done = run("gnn-compile", f"{name}.mlir", "--weights", f"{name}.w", "-o", output, "--timing", "--cache-dir", cache,
               *more, env=env)
    lines = [line for line in done.stdout.splitlines() if line.startswith("cache ")]
    return lines[0].split(";")[0].removeprefix("cache ") if lines else "none"


def expect(found, wanted, what):
    if found != wanted:
        sys.exit(f"{what}: {found}, expected {wanted}")


def entries(cache="cache"):
    return sorted((work / cache).glob("*.gnncc"))


model("m")
model("n", "--act", "elu")

# The same bytes come out of the compiler and of the cache; a program's name is no part of it.
run("gnn-compile", "m.mlir", "--weights", "m.w", "-o", "plain.gnnx")
expect(build(), "miss", "first")
expect(build(output="again.gnnx"), "hit", "second")
shutil.copy(work / "m.mlir", work / "copy.mlir")
shutil.copy(work / "m.w", work / "copy.w")
expect(build(name="copy", output="copy.gnnx"), "hit", "under another name")
for made in ("o.gnnx", "again.gnnx", "copy.gnnx"):
    assert (work / made).read_bytes() == (work / "plain.gnnx").read_bytes(), made
counters = json.loads((work / "cache" / "counters").read_text())
assert counters == {"hits": 2, "misses": 1, "evicted": 0, "damaged": 0}, counters

# A hit loads no library of LLVM or MLIR, and does not start the compiler; a miss does, whose libraries these are.
known = list((work / "cache").glob("*.compiler"))
assert len(known) == 1, known
libraries = [line.split()[0] for line in known[0].read_text().splitlines() if line.startswith("/")]
assert pathlib.Path(libraries[0]).name in ("gnn-compiler", "gnnc-tools"), libraries
loads = run("gnn-compile", "m.mlir", "--weights", "m.w", "-o", "o.gnnx", "--cache-dir", "cache",
            env={"LD_DEBUG": "files", "LD_DEBUG_OUTPUT": str(work / "loads")})
loads = "".join(file.read_text() for file in work.glob("loads.*"))
assert "libzip" in loads and "LLVM" not in loads and "MLIR" not in loads and "gnn-compiler" not in loads, loads

# From standard input, which the compiler reads after a miss all the same.
for program, kind in (("m", "hit"), ("stdin", "miss"), ("stdin", "hit")):
    if program == "stdin":
        (work / "stdin.mlir").write_bytes((work / "m.mlir").read_bytes() + b"// another text\n")
    with open(work / f"{program}.mlir", "rb") as text:
        done = subprocess.run(["gnn-compile", "-", "--weights", "m.w", "-o", "stdin.gnnx", "--timing", "--cache-dir", "cache"],
                              cwd=work, stdin=text, capture_output=True, text=True, check=True)
    assert f"cache {kind};" in done.stdout, (program, kind, done.stdout)
    assert (work / "stdin.gnnx").read_bytes() == (work / "plain.gnnx").read_bytes()

# A library that changed is another compiler, until the compiler itself says that it is not.
text = known[0].read_text()
known[0].write_text(text.replace("libzip", "libzap"))
expect(build(), "hit", "a list of libraries that does not hold")
assert known[0].read_text() == text

# Each part of the key.
expect(build(name="n"), "miss", "another program")
for flags in (["--chip", "generic"], ["--order", "aggregate-first"], ["--index", "i64"], ["--precision", "bf16"],
              ["--mode", "reduce-overhead"], ["--loop-edges"], ["--fixes", "off"], ["--schedule", "agg_*:tile=16"]):
    expect(build(*flags), "miss", flags)
    expect(build(*flags), "hit", flags)
cuda = ["--target", "cuda", "--chip", "sm_90"]
expect(build(*cuda, "--no-cubin"), "miss", "cuda")
expect(build(*cuda, "--no-cubin"), "hit", "cuda again")
expect(build("--target", "cuda", "--chip", "sm_100", "--no-cubin"), "miss", "another chip")
assembler = work / "tools" / "ptxas"
assembler.parent.mkdir()
path = {"PATH": f"{assembler.parent}:{os.environ['PATH']}"}
for version in ("one", "another"):
    assembler.write_text(f'#!/bin/sh\necho {version} > "$4"\n')
    assembler.chmod(0o755)
    expect(build(*cuda, env=path), "miss", f"ptxas {version}")
    expect(build(*cuda, env=path), "hit", f"ptxas {version} again")
assert b"another" in (work / "o.gnnx").read_bytes()

# Weights are none of it: read, checked and written each time.
run("gnn-model", "--model", "gcn", "--in", "12", "--hidden", "8", "--out", "5", "--layers", "2", "--weights-seed", "2",
    "--weights", "copy.w", "-o", "copy.mlir")
expect(build(name="copy", output="copy.gnnx"), "hit", "other weights")
assert (work / "copy.gnnx").read_bytes() != (work / "plain.gnnx").read_bytes()
wrong = run("gnn-compile", "m.mlir", "-o", "x.gnnx", "--cache-dir", "cache", code=1)
assert "needs the weight" in wrong.stderr and not (work / "x.gnnx").exists(), wrong.stderr

# What needs the IR, or measures, compiles.
count = len(entries())
expect(build("--emit", "plan", output="plan.txt"), "none", "--emit plan")
expect(build("--explain"), "none", "--explain")
assert len(entries()) == count

# The environment names the folder, too; what does not compile leaves nothing.
run("gnn-compile", "m.mlir", "--weights", "m.w", "-o", "o.gnnx", env={"GNNC_CACHE_DIR": "deep/er"})
assert len(entries("deep/er")) == 1
(work / "bad.mlir").write_text("module {\n")
shutil.copy(work / "m.w", work / "bad.w")
run("gnn-compile", "bad.mlir", "-o", "x.gnnx", "--cache-dir", "deep/er", code=1)
assert len(entries("deep/er")) == 1

# Damage of any kind is found, told, and mended.
entry = entries("deep/er")[0]
good = entry.read_bytes()
for number, bytes_ in enumerate((good[:-20], b"", good[:400] + bytes([good[400] ^ 1]) + good[401:], b"x" * 500,
                                 next(e for e in entries() if e.name != entry.name).read_bytes())):
    entry.write_bytes(bytes_)
    done = run("gnn-compile", "m.mlir", "--weights", "m.w", "-o", "o.gnnx", "--cache-dir", "deep/er")
    assert "was damaged and is made anew" in done.stderr, (number, done.stderr)
    assert (work / "o.gnnx").read_bytes() == (work / "plain.gnnx").read_bytes() and entry.read_bytes() == good, number
assert json.loads((work / "deep/er/counters").read_text())["damaged"] == 5

# A folder that is none, and one that is full of other things, stop nothing.
(work / "file").write_text("")
done = run("gnn-compile", "m.mlir", "--weights", "m.w", "-o", "o.gnnx", "--cache-dir", "file")
assert "file: cannot be made a folder" in done.stderr and "warning" in done.stderr, done.stderr

# The bound: what was used longest ago goes; foreign files and young leftovers stay.
small = work / "small"
small.mkdir()
(small / "mine.txt").write_text("x" * (1 << 20))
(small / ("0" * 64 + ".gnncc.tmpabc")).write_text("y")
os.utime(small / ("0" * 64 + ".gnncc.tmpabc"), (1, 1))
(small / ("1" * 64 + ".gnncc.tmpabc")).write_text("y")
for number, age in enumerate((300, 200, 100)):
    filler = small / (f"{number}" * 64 + ".gnncc")
    filler.write_bytes(b"z" * 400000)
    when = filler.stat().st_mtime - age
    os.utime(filler, (when, when))
expect(build("--cache-mib", "1", cache="small"), "miss", "bounded")
left = sorted(file.name[0] for file in small.iterdir() if ".gnncc" in file.name and file.stat().st_size != 1 and
              file.stat().st_size == 400000)
assert left == ["1", "2"], left
assert (small / "mine.txt").exists() and not (small / ("0" * 64 + ".gnncc.tmpabc")).exists()
assert (small / ("1" * 64 + ".gnncc.tmpabc")).exists()
assert json.loads((small / "counters").read_text())["evicted"] == 1

# Eight processes at once, on few programs and with little room: each output is right.
for number in range(3):
    run("gnn-model", "--model", "gcn", "--in", "12", "--hidden", str(8 + 8 * number), "--out", "5", "--layers", "2",
        "--weights-seed", "1", "--weights", f"p{number}.w", "-o", f"p{number}.mlir")
    run("gnn-compile", f"p{number}.mlir", "--weights", f"p{number}.w", "-o", f"p{number}.gnnx")


def one(index):
    number = index % 3
    found = build("--cache-mib", "1", name=f"p{number}", output=f"at-once-{index}.gnnx", cache="at-once")
    return found, (work / f"at-once-{index}.gnnx").read_bytes() == (work / f"p{number}.gnnx").read_bytes()


with concurrent.futures.ThreadPoolExecutor(8) as pool:
    done = list(pool.map(one, range(24)))
assert all(right for _, right in done), done
assert sum(found == "hit" for found, _ in done) >= 8, done
assert not list((work / "at-once").glob("*.tmp*")) and len(entries("at-once")) == 3
