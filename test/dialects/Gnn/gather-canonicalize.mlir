// RUN: gnn-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func @splat
// CHECK:         %[[C:.*]] = arith.constant dense<5.000000e-01> : tensor<4x2xf32>
// CHECK-NOT:     gnn.gather
// CHECK:         return %[[C]]
func.func @splat(%g: !gnn.graph<3x3x4>) -> tensor<4x2xf32> {
  %x = arith.constant dense<0.5> : tensor<3x2xf32>
  %m = gnn.gather %x, %g at src : tensor<3x2xf32>, !gnn.graph<3x3x4> -> tensor<4x2xf32>
  return %m : tensor<4x2xf32>
}

// CHECK-LABEL: func @fill
// CHECK:         arith.constant dense<5.000000e-01> : tensor<4x2xf32>
// CHECK-NOT:     gnn.gather
func.func @fill(%g: !gnn.graph<3x3x4>) -> tensor<4x2xf32> {
  %c = arith.constant 0.5 : f32
  %init = tensor.empty() : tensor<3x2xf32>
  %x = linalg.fill ins(%c : f32) outs(%init : tensor<3x2xf32>) -> tensor<3x2xf32>
  %m = gnn.gather %x, %g at dst : tensor<3x2xf32>, !gnn.graph<3x3x4> -> tensor<4x2xf32>
  return %m : tensor<4x2xf32>
}

// CHECK-LABEL: func @unknown_edge_count_stays
// CHECK:         gnn.gather
func.func @unknown_edge_count_stays(%g: !gnn.graph<3x3x?>) -> tensor<?x2xf32> {
  %x = arith.constant dense<0.5> : tensor<3x2xf32>
  %m = gnn.gather %x, %g at src : tensor<3x2xf32>, !gnn.graph<3x3x?> -> tensor<?x2xf32>
  return %m : tensor<?x2xf32>
}

// CHECK-LABEL: func @different_rows_stay
// CHECK:         gnn.gather
func.func @different_rows_stay(%g: !gnn.graph<2x2x4>) -> tensor<4xf32> {
  %x = arith.constant dense<[0.5, 1.0]> : tensor<2xf32>
  %m = gnn.gather %x, %g at src : tensor<2xf32>, !gnn.graph<2x2x4> -> tensor<4xf32>
  return %m : tensor<4xf32>
}
