"""Dense ops as imports and people write them, beside an aggregate: compiled, run on
the host and compared with the float64 evaluator.

Usage: check-dense.py   (the tools are found on PATH)
"""
import random
import sys

from programs import GRAPHS, Programs

ADD = """ {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %s = arith.mulf %p, %q : f32
    %t = arith.addf %r, %s : f32
    linalg.yield %t : f32
  }"""
# %h and %x have 4 features; %e4, %e6, %e1 are empty, %z6, %z1 zeros of as many rows.
BODIES = {
    "a transposed weight": (6, """  %we = tensor.empty() : tensor<4x6xf32>
  %wt = linalg.transpose ins(%w : tensor<6x4xf32>) outs(%we : tensor<4x6xf32>) permutation = [1, 0]
  %out = linalg.matmul ins(%h, %wt : tensor<?x4xf32>, tensor<4x6xf32>) outs(%z6 : tensor<?x6xf32>) -> tensor<?x6xf32>"""),
    "a product onto a bias": (6, """  %r = linalg.broadcast ins(%b : tensor<6xf32>) outs(%e6 : tensor<?x6xf32>) dimensions = [0]
  %out = linalg.matmul indexing_maps = [#rk, #ck, #rc] ins(%h, %w : tensor<?x4xf32>, tensor<6x4xf32>) outs(%r : tensor<?x6xf32>) -> tensor<?x6xf32>"""),
    "a product of joined features": (6, """  %j = tensor.concat dim(1) %h, %x : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x8xf32>
  %out = linalg.matmul ins(%j, %w2 : tensor<?x8xf32>, tensor<8x6xf32>) outs(%z6 : tensor<?x6xf32>) -> tensor<?x6xf32>"""),
    "a generic product": (6, """  %out = linalg.generic {indexing_maps = [#rk, #ck, #rc], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h, %w : tensor<?x4xf32>, tensor<6x4xf32>) outs(%z6 : tensor<?x6xf32>)""" + ADD + " -> tensor<?x6xf32>"),
    "a matrix times a vector": (None, """  %out = linalg.matvec ins(%h, %v : tensor<?x4xf32>, tensor<4xf32>) outs(%z1 : tensor<?xf32>) -> tensor<?xf32>"""),
    "named ops on elements": (4, """  %a = linalg.add ins(%h, %x : tensor<?x4xf32>, tensor<?x4xf32>) outs(%e4 : tensor<?x4xf32>) -> tensor<?x4xf32>
  %c = linalg.exp ins(%a : tensor<?x4xf32>) outs(%e4 : tensor<?x4xf32>) -> tensor<?x4xf32>
  %d = linalg.map { math.tanh } ins(%c : tensor<?x4xf32>) outs(%e4 : tensor<?x4xf32>)
  %out = linalg.copy ins(%d : tensor<?x4xf32>) outs(%e4 : tensor<?x4xf32>) -> tensor<?x4xf32>"""),
    "two ops on the same rows": (4, """  %a = arith.mulf %x, %h : tensor<?x4xf32>
  %c = math.tanh %x : tensor<?x4xf32>
  %m = linalg.matmul indexing_maps = [#rk, #ck, #rc] ins(%c, %w : tensor<?x4xf32>, tensor<6x4xf32>) outs(%z6 : tensor<?x6xf32>) -> tensor<?x6xf32>
  %k = linalg.matmul ins(%m, %w : tensor<?x6xf32>, tensor<6x4xf32>) outs(%z4 : tensor<?x4xf32>) -> tensor<?x4xf32>
  %out = arith.addf %k, %a : tensor<?x4xf32>"""),
}


def program(width, body):
    out = f"tensor<?x{width}xf32>" if width else "tensor<?xf32>"
    text = """#rk = affine_map<(d0, d1, d2) -> (d0, d2)>
#ck = affine_map<(d0, d1, d2) -> (d1, d2)>
#rc = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?x4xf32> {gnn.input = "x"}, %w: tensor<6x4xf32> {gnn.weight = "w"},
                   %w2: tensor<8x6xf32> {gnn.weight = "w2"}, %b: tensor<6xf32> {gnn.weight = "b"}, %v: tensor<4xf32> {gnn.weight = "v"})
"""
    text += f'    -> ({out} {{gnn.output = "out"}}) {{\n'
    text += """  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %m0 = gnn.gather %x, %g at src : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %h = gnn.scatter mean %m0, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
"""
    for name, type in (("4", "tensor<?x4xf32>"), ("6", "tensor<?x6xf32>"), ("1", "tensor<?xf32>")):
        text += f"  %e{name} = tensor.empty(%n) : {type}\n"
        text += f"  %z{name} = linalg.fill ins(%zero : f32) outs(%e{name} : {type}) -> {type}\n"
    return text + body + f"\n  return %out : {out}\n}}\n"


def main():
    p = Programs()
    chance = random.Random(3)
    weights = {name: ("F32", shape, [chance.uniform(-1, 1) for _ in range(count)])
               for name, shape, count in (("w", [6, 4], 24), ("w2", [8, 6], 48), ("b", [6], 6), ("v", [4], 4))}
    for what, (width, body) in BODIES.items():
        for name in ("random", "no_nodes", "one_node", "no_edges"):
            p.check(f"{what} on {name}", program(width, body), GRAPHS[name], (4,), weights=weights)
    sys.exit(p.t.finish())


main()
