// A value per edge that two sums read is computed once and stays an edge tensor; it
// says so.
// RUN: gnn-compile %s --explain | FileCheck %s

func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?x4xf32> {gnn.input = "x"})
    -> (tensor<?x4xf32> {gnn.output = "out"}, tensor<?x4xf32> {gnn.output = "largest"}) {
  %m = gnn.gather %x, %g at src : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %c = gnn.gather %x, %g at dst : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %d = arith.mulf %m, %c : tensor<?x4xf32>
  %a = math.exp %d : tensor<?x4xf32>
  %b = math.sqrt %d : tensor<?x4xf32>
  %s = gnn.scatter sum %a, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %t = gnn.scatter max %b, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  return %s, %t : tensor<?x4xf32>, tensor<?x4xf32>
}
// CHECK:      2 arith.mulf ({{.*}}): fused in map_0
// CHECK:      3 math.exp ({{.*}}): fused in agg_1
// CHECK:      4 math.sqrt ({{.*}}): fused in agg_2
// CHECK:      map_0 (map, forward)
// CHECK-NEXT:   ops      0:gnn.gather 1:gnn.gather 2:arith.mulf
// CHECK:        writes   16*e bytes
// CHECK:        ends     gnn-form-kernels: its value is read in more than one place and computed once for all
// CHECK:        ends     gnn-fuse-aggregate: the value is also read by 'gnn.aggregate', so it must exist as a tensor
