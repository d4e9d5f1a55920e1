// RUN: gnn-eval --entry @softmax %s | FileCheck %s
// RUN: gnn-opt %s --gnn-expand-softmax | gnn-eval --entry @softmax - | FileCheck %s
// RUN: gnn-opt %s --gnn-expand-softmax --gnn-fuse-aggregate --canonicalize | gnn-eval --entry @softmax - | FileCheck %s

// Node 0 has three edges, node 1 one with NaN, node 2 none.
// CHECK: 4x2xf64 {{\[\[}}0.5, 0], [0.25, 1], [0.25, 0], [nan, 1]]
func.func @softmax() -> tensor<4x2xf32> {
  %src = arith.constant dense<[0, 1, 2, 2]> : tensor<4xi64>
  %dst = arith.constant dense<[0, 0, 0, 1]> : tensor<4xi64>
  %g = gnn.graph %src, %dst : tensor<4xi64>, tensor<4xi64> -> !gnn.graph<3x3x4>
  %odds = arith.constant dense<[[2.0, 1.0], [1.0, 1.0], [1.0, 1.0], [0x7FC00000, 1.0]]> : tensor<4x2xf32>
  %more = arith.constant dense<[[0.0, -1000.0], [0.0, 1000.0], [0.0, 0.0], [0.0, 9.0]]> : tensor<4x2xf32>
  %log = math.log %odds : tensor<4x2xf32>
  %s = arith.addf %log, %more : tensor<4x2xf32>
  %a = gnn.segment_softmax %s, %g at dst acc f32 : tensor<4x2xf32>, !gnn.graph<3x3x4>
  return %a : tensor<4x2xf32>
}
