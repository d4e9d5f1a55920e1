// Node 2 has no edges and an infinite factor: its sum is 0, before and after. Numbers
// of the source are not masked: node 1 has no edge of its own, but sends.
// RUN: gnn-eval %s --entry @norm | FileCheck %s
// RUN: gnn-opt %s --gnn-scale-rows | gnn-eval --entry @norm | FileCheck %s
// RUN: gnn-opt %s --gnn-scale-rows | FileCheck %s --check-prefix=FIRED
// CHECK: @norm #0: 3x2xf64 {{\[}}[5, 8], [0, 0], [0, 0]]
// FIRED: arith.select
func.func @norm() -> tensor<3x2xf64> {
  %c0 = arith.constant 0 : index
  %src = arith.constant dense<[0, 1]> : tensor<2xi64>
  %dst = arith.constant dense<[0, 0]> : tensor<2xi64>
  %g = gnn.graph %src, %dst : tensor<2xi64>, tensor<2xi64> -> !gnn.graph<3x3x2>
  %x = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf64>
  %s = arith.constant dense<[2.0, 1.0, 1.0]> : tensor<3xf64>
  %d = arith.constant dense<[1.0, 0x7FF0000000000000, 0x7FF0000000000000]> : tensor<3xf64>
  %ps = gnn.gather %s, %g at src : tensor<3xf64>, !gnn.graph<3x3x2> -> tensor<2xf64>
  %pd = gnn.gather %d, %g at dst : tensor<3xf64>, !gnn.graph<3x3x2> -> tensor<2xf64>
  %norm = arith.mulf %ps, %pd : tensor<2xf64>
  %init = tensor.empty() : tensor<2x2xf64>
  %rows = linalg.broadcast ins(%norm : tensor<2xf64>) outs(%init : tensor<2x2xf64>) dimensions = [1]
  %m = gnn.gather %x, %g at src : tensor<3x2xf64>, !gnn.graph<3x3x2> -> tensor<2x2xf64>
  %p = arith.mulf %m, %rows : tensor<2x2xf64>
  %y = gnn.scatter sum %p, %g at dst acc f64 : tensor<2x2xf64>, !gnn.graph<3x3x2> -> tensor<3x2xf64>
  return %y : tensor<3x2xf64>
}
