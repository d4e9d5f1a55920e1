"""gnn-compile on each bad input: one line with the file, the place, both values and
the mend, the right exit code, and no file left behind.

Usage: check-gnn-compile.py   (the tool is found on PATH)
"""
import os
import random
import shutil
import sys

from tooltest import Checker, write_tensors

PROGRAM = """func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?x3xf32> {gnn.input = "x"}) -> (tensor<?x3xf32> {gnn.output = "out"}) {
  %m = gnn.gather %x, %g at src : tensor<?x3xf32>, !gnn.graph<?x?x?> -> tensor<?x3xf32>
  %s = gnn.scatter sum %m, %g at dst acc f32 : tensor<?x3xf32>, !gnn.graph<?x?x?> -> tensor<?x3xf32>
  return %s : tensor<?x3xf32>
}
"""
WEIGHTED = """#nk = affine_map<(n, c, k) -> (n, k)>
#ck = affine_map<(n, c, k) -> (c, k)>
#nc = affine_map<(n, c, k) -> (n, c)>
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?x3xf32> {gnn.input = "x"},
                   %w: tensor<2x3xf32> {gnn.weight = "w"}) -> (tensor<?x2xf32> {gnn.output = "out"}) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  %m = gnn.gather %x, %g at src : tensor<?x3xf32>, !gnn.graph<?x?x?> -> tensor<?x3xf32>
  %s = gnn.scatter mean %m, %g at dst acc f32 : tensor<?x3xf32>, !gnn.graph<?x?x?> -> tensor<?x3xf32>
  %i = tensor.empty(%n) : tensor<?x2xf32>
  %z = linalg.fill ins(%zero : f32) outs(%i : tensor<?x2xf32>) -> tensor<?x2xf32>
  %h = linalg.matmul indexing_maps = [#nk, #ck, #nc] ins(%s, %w : tensor<?x3xf32>, tensor<2x3xf32>)
      outs(%z : tensor<?x2xf32>) -> tensor<?x2xf32>
  return %h : tensor<?x2xf32>
}
"""


def write(t, name, content):
    with open(t.path(name), "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())
    return name


def malformed(t):
    run = lambda message, text: t.bad(message, write(t, "bad.mlir", text), "-o", "o.gnnx")
    t.bad("absent.mlir: cannot read the program: No such file or directory", "absent.mlir", "-o", "o.gnnx")
    t.bad("folder: cannot read the program: Is a directory", "folder", "-o", "o.gnnx")
    run("bad.mlir: gnn-hoist-graph-invariants: the module has no function @forward with one block", "")
    run("bad.mlir:1:14: expected non-function type", "func.func @f([")
    run("bad.mlir:1:2: unexpected character", b"\x00\x01\x02")
    run("bad.mlir:1:8008: brackets or signs are nested more than 1000 deep", "module {" * 20000)
    run("bad.mlir:1:1026: brackets or signs are nested", f"#m = affine_map<(d0) -> ({'-' * 200000}d0)>")
    run("bad.mlir:1:141: expected '['", # upstream's parser ends in a signal after this
        "func.func @f(%b: tensor<3xf32>, %i: tensor<2x3xf32>) { %r = linalg.broadcast ins(%b : tensor<3xf32>) "
        "dimensions = 0.0 return }".replace(") dimensions", ") outs(%i : tensor<2x3xf32>) dimensions"))
    run("bad.mlir:3:8: 'gnn.scatter' op result (tensor<?x4xf32>) has rows vector<4xf32>, operand 'edges' "
        "(tensor<?x3xf32>) has rows vector<3xf32> (C3)",
        PROGRAM.replace("-> tensor<?x3xf32>\n  return %s : tensor<?x3xf32>",
                        "-> tensor<?x4xf32>\n  return %s : tensor<?x4xf32>")
        .replace('-> (tensor<?x3xf32>', '-> (tensor<?x4xf32>'))
    run("bad.mlir:3:8: 'math.sin' op has no kernel code for 'f32'",
        PROGRAM.replace("%s = gnn.scatter sum %m", "%n = math.sin %m : tensor<?x3xf32>\n  %s = gnn.scatter sum %n"))
    # Whatever is missing or wrong in the text, the tool ends by itself.
    chance = random.Random(5)
    for _ in range(60):
        text = bytearray(WEIGHTED.encode())
        if chance.random() < .3:
            del text[chance.randrange(len(text)):]
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(len(text))
            text[at:at + chance.choice((0, 1, 4))] = chance.choice((b"", b"?", b"-1", b"x", b"!", b"0", b"f64", b"%w", b"<"))
        done = t.run(write(t, "bad.mlir", bytes(text)), "-w", "w.safetensors", "-o", "o.gnnx")
        t.expect(done.returncode in (0, 1) and done.stderr.count("\n") == done.returncode,
                 f"exit {done.returncode}, stderr {done.stderr!r} for {bytes(text)}")
        t.expect((done.returncode == 0) == os.path.exists(t.path("o.gnnx")), f"o.gnnx after {done.returncode}")
        if done.returncode == 0:
            os.remove(t.path("o.gnnx"))


def weights(t):
    run = lambda message, *args: t.bad(message, "m.mlir", *args, "-o", "o.gnnx")
    run("m.mlir: needs the weight 'w' (F32[2, 3]); give a weights file with --weights")
    run("absent: cannot open: No such file or directory", "-w", "absent")
    run("folder: is a folder, a file was expected", "-w", "folder")
    run("m.mlir: not a safetensors file: header length", "-w", "m.mlir")
    for dtype, shape in (("F32", [3, 2]), ("I64", [2, 3]), ("F32", [6])):
        write_tensors(t.path("bad.safetensors"), {"w": (dtype, shape, [1] * 6)})
        text = ", ".join(str(extent) for extent in shape)
        run(f"bad.safetensors: tensor 'w' is {dtype}[{text}], m.mlir needs F32[2, 3]", "-w", "bad.safetensors")
    write_tensors(t.path("bad.safetensors"), {"v": ("F32", [2, 3], [0.5] * 6)})
    run("bad.safetensors: ", "-w", "bad.safetensors")
    # More than the program reads: it compiles, with a word of warning. Counters of batches are no weights,
    # a shared one has two names.
    values, others = (("F32", [2, 3], [number] * 6) for number in (.5, .25))
    for extra, what in (({}, None), ({"n": ("I64", [1], [3])}, None), ({"b": values}, None), ({"b": others}, "tensor 'b'"),
                        ({"b": others, "c": others}, "2 tensors, the first is 'b'")):
        write_tensors(t.path("more.safetensors"), {"w": values, **extra})
        done = t.run("m.mlir", "-w", "more.safetensors", "-o", "more.gnnx")
        said = f"gnn-compile: warning: more.safetensors: m.mlir has no use for {what}; is it the program of this model, " \
               "with all of its arguments?\n" if what else ""
        t.expect(done.returncode == 0 and done.stderr == said, f"{extra}: exit {done.returncode}, {done.stderr!r}")


def flags(t):
    run = lambda message, *args: t.bad(message, "m.mlir", "-w", "w.safetensors", *args, code=2)
    t.bad("unknown flag '--no-such-flag'", "--no-such-flag", code=2)
    run("unknown flag '--bogus'", "-o", "o.gnnx", "--bogus")
    run("-o is required")
    run("--target is one of cpu, cuda; found 'tpu'", "-o", "o.gnnx", "--target", "tpu")
    run("--mode is one of default, reduce-overhead, max-autotune-no-cudagraphs, max-autotune; found 'fast'", "-o", "o.gnnx", "--mode", "fast")
    run("--emit is one of", "-o", "o.gnnx", "--emit", "text")
    run("--emit ptx needs --target cuda, found --target cpu", "--emit", "ptx")
    compiled = ("m.mlir", "-w", "w.safetensors", "-o", "o.gnnx")
    t.bad("chip of cuda is sm_70 or later (sm_90), found 'sm_9'", *compiled, "--target", "cuda", "--chip", "sm_9")
    t.bad("chip of cpu is x86-64-v2, x86-64-v3, x86-64-v4 or generic, found 'sm_90'", *compiled, "--chip", "sm_90")
    t.bad("--print-ir-after: no pass 'gnn-none' runs here", *compiled, "--print-ir-after", "gnn-none")


def outputs(t):
    run = lambda message, path: t.bad(message, "m.mlir", "-w", "w.safetensors", "-o", path)
    run("folder: cannot write: is a folder", "folder")
    run("no/such/o.gnnx: cannot write: No such file or directory", "no/such/o.gnnx")
    if os.path.exists("/dev/full"):
        run("/dev/full: cannot write: No space left on device", "/dev/full")
    # What is read is not replaced, whatever way it is named.
    os.symlink("m.mlir", t.path("link.mlir"))
    for path in ("m.mlir", "./m.mlir", "link.mlir", "w.safetensors"):
        t.bad(f"{path}: is read too and would be lost; name another file to write",
              "m.mlir", "-w", "w.safetensors", "-o", path, code=2)
    with open(t.path("m.mlir"), encoding="utf-8") as file:
        t.expect(file.read() == WEIGHTED, "m.mlir has changed")


def main():
    t = Checker(shutil.which("gnn-compile"))
    os.mkdir(t.path("folder"))
    write(t, "m.mlir", WEIGHTED)
    write_tensors(t.path("w.safetensors"), {"w": ("F32", [2, 3], [.5, -1., 2., 3., -.25, 1.])})
    malformed(t)
    weights(t)
    flags(t)
    outputs(t)
    t.good("m.mlir", "-w", "w.safetensors", "-o", "o.gnnx")
    t.expect(os.path.exists(t.path("o.gnnx")), "the program itself is good")
    sys.exit(t.finish())


main()
