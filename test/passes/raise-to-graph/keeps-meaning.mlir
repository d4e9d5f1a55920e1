// RUN: gnn-eval --entry @messages %s | FileCheck %s
// RUN: gnn-opt %s --gnn-raise-to-graph | gnn-eval --entry @messages - | FileCheck %s
// RUN: gnn-opt %s --gnn-raise-to-graph --gnn-fuse-aggregate --canonicalize | FileCheck %s --check-prefix=FUSED

// FUSED: gnn.aggregate
// FUSED-NOT: gnn.{{gather|scatter}}
// CHECK: 3xf64 [24, 1, 0]
func.func @messages() -> tensor<3xf32> {
  %src = arith.constant dense<[1, 0, 2, 1]> : tensor<4xi64>
  %dst = arith.constant dense<[0, 1, 0, 0]> : tensor<4xi64>
  %x = arith.constant dense<[1.0, 2.0, 6.0]> : tensor<3xf32>
  %a = gnn.gather_at %x, %src : tensor<3xf32>, tensor<4xi64> -> tensor<4xf32>
  %h = gnn.scatter_at mul %a, %dst acc f32 : tensor<4xf32>, tensor<4xi64> -> tensor<3xf32>
  %zero = arith.constant dense<[1.0, 1.0, 0.0]> : tensor<3xf32>
  %y = arith.mulf %h, %zero : tensor<3xf32>
  return %y : tensor<3xf32>
}
