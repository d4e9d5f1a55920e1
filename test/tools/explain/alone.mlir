// What cannot be fused says why, with the words of the pass that left it; extents
// are symbols, so costs are formulas.
// RUN: gnn-compile %s --target cpu --chip x86-64-v3 --explain | FileCheck %s
// RUN: gnn-opt %s --gnn-default-pipeline="stage=plan" --remarks-filter="gnn-.*" --remark-policy=all 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#weight = affine_map<(d0, d1, d2) -> (d1, d2)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK:      target cpu x86-64-v3, mode default
// CHECK:      e: E, edges
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?x8xf32> {gnn.input = "x"},
                   %w: tensor<8x8xf32> {gnn.weight = "w"})
    -> (tensor<?x8xf32> {gnn.output = "max"}, tensor<?x8xf32> {gnn.output = "sum"},
        tensor<?x8xf32> {gnn.output = "out"}) {
  // CHECK:      0 math.exp ({{.*}}alone.mlir:[[# @LINE + 2]]:13): unread
  // CHECK-NEXT:   no result of the program depends on it
  %unread = math.exp %x : tensor<?x8xf32>
  // CHECK-NEXT: 1 gnn.gather ({{.*}}): fused in agg_1
  %m = gnn.gather %x, %g at src : tensor<?x8xf32>, !gnn.graph<?x?x?> -> tensor<?x8xf32>
  // CHECK-NEXT: 2 gnn.scatter ({{.*}}): fused in agg_1
  %max = gnn.scatter max %m, %g at dst acc f32 : tensor<?x8xf32>, !gnn.graph<?x?x?> -> tensor<?x8xf32>
  // CHECK-NEXT: 3 math.absf ({{.*}}): fused in agg_1
  %r = math.absf %max : tensor<?x8xf32>
  // CHECK-NEXT: 4 math.sqrt ({{.*}}): alone in map_2
  // CHECK-NEXT:   gnn-form-kernels: its value is returned
  // CHECK-NEXT:   gnn-fuse-epilogue: the result or a value computed from it is read in more than one place
  %t = math.sqrt %r : tensor<?x8xf32>
  %q = gnn.gather %r, %g at src : tensor<?x8xf32>, !gnn.graph<?x?x?> -> tensor<?x8xf32>
  // CHECK:      6 gnn.scatter ({{.*}}): fused in agg_3
  %sum = gnn.scatter sum %q, %g at dst acc f32 : tensor<?x8xf32>, !gnn.graph<?x?x?> -> tensor<?x8xf32>
  // CHECK-NEXT: 7 arith.constant ({{.*}}): free
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  // CHECK:      12 linalg.matmul ({{.*}}): alone in gemm_0
  // CHECK-NEXT:   gnn-form-kernels: products of the library take a bias, a stored tensor and a ReLU along, not 'math.absf'
  %p = linalg.matmul indexing_maps = [#rows, #weight, #out] ins(%x, %w : tensor<?x8xf32>, tensor<8x8xf32>) outs(%z : tensor<?x8xf32>) -> tensor<?x8xf32>
  // CHECK-NEXT: 13 math.absf ({{.*}}): alone in map_4
  // CHECK-NEXT:   gnn-form-kernels: its value is returned
  // CHECK-NEXT:   gnn-form-kernels: products of the library take a bias, a stored tensor and a ReLU along, not 'math.absf'
  %o = math.absf %p : tensor<?x8xf32>
  return %t, %sum, %o : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>
}
// CHECK:      agg_1 (aggregate, forward)
// CHECK-NEXT:   ops      1:gnn.gather 2:gnn.scatter 3:math.absf
// CHECK-NEXT:   schedule #gnn.cpu_schedule<tile = 64, prefetch = 8>
// CHECK-NEXT:   reads    36*e + 4*n + 4 bytes
// CHECK-NEXT:   writes   32*n bytes
// CHECK-NEXT:   least    4*e + 68*n + 4 bytes, each buffer once
// CHECK-NEXT:   flops    8*e + 8*n operations
// CHECK-NEXT:   ends     gnn-fuse-epilogue: the result or a value computed from it is read in more than one place
// CHECK:      gemm_0 (gemm, forward)
// CHECK:        reads    32*n + 256 bytes
// CHECK-NEXT:   writes   32*n bytes
// CHECK:        flops    128*n operations
// CHECK:      For numbers give the graph: --explain-graph FILE, or --extent N=...,E=...

// REMARK-DAG: remark: [Missed] gnn-form-kernels | Category:gnn-form-kernels | Reason="its value is returned"
// REMARK-DAG: remark: [Missed] gnn-fuse-epilogue | Category:gnn-fuse-epilogue | Reason="the result or a value computed from it is read in more than one place"
