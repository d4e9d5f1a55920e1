"""The math functions of f64, compiled for several processors and run on the host, in
units in the last place from Python's, which are those of the C library.

Usage: check-math.py   (the tools are found on PATH)
"""
import math
import random
import shutil
import sys

from tooltest import Checker, read_tensor, write_tensors

WIDTH = 8
INF, NAN = math.inf, math.nan
SPECIAL = [0.0, -0.0, INF, -INF, NAN, 1.0, -1.0, 5e-324, -5e-324, 1e-310, 2.2250738585072014e-308, 1.7976931348623157e308,
           709.782712893384, 709.7827128933841, -745.1332191019411, -745.1332191019412, -708.4, 1023.9, -1074.5, 0.5, -0.5,
           0.49999999999999994, 2.5, -2.5, 4503599627370497.5, 9007199254740993.0, 1e-17, -1e-17, 26.5, -6.0, 27.3, 1e22, 8.0]


def rounded(x):
    return math.copysign(math.floor(abs(x) + 0.5) if abs(x) != 0.49999999999999994 else 0, x) if abs(x) < 2**52 else x


def or_infinite(function):
    def call(x):
        try:
            return function(x)
        except OverflowError:
            return INF
        except ValueError: # a logarithm
            return -INF if x == (-1 if function is math.log1p else 0) else NAN
    return call


# name: Python's, and how many units in the last place the result may be off (C's are off by up to one).
FUNCTIONS = {"exp": (math.exp, 1), "exp2": (lambda x: 2.0**x, 2), "expm1": (math.expm1, 3), "log": (math.log, 1),
             "log2": (math.log2, 2), "log10": (math.log10, 2), "log1p": (math.log1p, 2), "tanh": (math.tanh, 4),
             "erf": (math.erf, 3), "erfc": (math.erfc, 4), "atan": (math.atan, 2), "cosh": (math.cosh, 2), "round": (rounded, 0)}


def program(names, nodes):
    rows = f"tensor<{nodes}x{WIDTH}xf64>"
    outputs = ", ".join(f'{rows} {{gnn.output = "{name}"}}' for name in names)
    text = f'func.func @forward(%g: !gnn.graph<?x?x?>, %x: {rows} {{gnn.input = "x"}}) -> ({outputs}) {{\n'
    text += "".join(f"  %{name} = math.{name} %x : {rows}\n" for name in names)
    return text + f"  return {', '.join('%' + name for name in names)} : {', '.join([rows] * len(names))}\n}}\n"


def values():
    chance = random.Random(5)
    some = list(SPECIAL)
    for scale in (1e-300, 1e-9, 0.1, 1, 3, 30, 700, 1e5):
        some += [chance.uniform(-scale, scale) for _ in range(400)]
    some += [chance.uniform(0.5, 2) for _ in range(400)]
    return some + [1.0] * (-len(some) % WIDTH)


def distance(found, wanted):
    if math.isnan(wanted) or math.isnan(found):
        return 0 if math.isnan(wanted) and math.isnan(found) else INF
    if found == wanted: # zeros of both signs are equal, and not the same
        return 0 if math.copysign(1, found) == math.copysign(1, wanted) else INF
    return INF if math.isinf(found) or math.isinf(wanted) else abs(found - wanted) / math.ulp(wanted)


def main():
    t = Checker(shutil.which("gnn-run"))
    compiler = Checker(shutil.which("gnn-compile"))
    x = values()
    write_tensors(t.path("g.safetensors"), {"edge_index": ("I64", [2, 1], [0, 0]), "x": ("F64", [len(x) // WIDTH, WIDTH], x)})
    with open(t.path("p.mlir"), "w", encoding="utf-8") as file:
        file.write(program(FUNCTIONS, len(x) // WIDTH))
    compiler.good(t.path("p.mlir"), "--target", "cuda", "--no-cubin", "-o", t.path("cuda.gnnx"))
    for chip in ("generic", "x86-64-v2", None):
        compiler.good(t.path("p.mlir"), *(("--chip", chip) if chip else ()), "-o", t.path("p.gnnx"))
        t.good("p.gnnx", "--graph", "g.safetensors", "-o", "out.safetensors")
        for name, (function, bound) in FUNCTIONS.items():
            _, found = read_tensor(t.path("out.safetensors"), name)
            off = [distance(a, or_infinite(function)(b)) for a, b in zip(found, x)]
            worst = max(range(len(x)), key=off.__getitem__)
            t.expect(len(found) == len(x) and off[worst] <= bound,
                     f"{name} on {chip or 'this machine'}: {name}({x[worst]!r}) is {found[worst]!r}, wanted "
                     f"{or_infinite(function)(x[worst])!r}: {off[worst]} units, allowed {bound}")
    sys.exit(t.finish() or compiler.finish())


main()
