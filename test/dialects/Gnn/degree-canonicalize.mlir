// RUN: gnn-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func @unit_weights_are_counted
// CHECK:         gnn.degree %{{.*}} at src : !gnn.graph<3x3x4> -> tensor<3xf32>
func.func @unit_weights_are_counted(%g: !gnn.graph<3x3x4>) -> tensor<3xf32> {
  %w = arith.constant dense<1.0> : tensor<4xf32>
  %d = gnn.degree %g weights(%w : tensor<4xf32>) at src : !gnn.graph<3x3x4> -> tensor<3xf32>
  return %d : tensor<3xf32>
}

// CHECK-LABEL: func @filled_with_one
// CHECK:         gnn.degree %{{.*}} at dst : !gnn.graph<?x?x?> -> tensor<?xf32>
func.func @filled_with_one(%g: !gnn.graph<?x?x?>, %e: index) -> tensor<?xf32> {
  %one = arith.constant 1.0 : f32
  %init = tensor.empty(%e) : tensor<?xf32>
  %w = linalg.fill ins(%one : f32) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  %d = gnn.degree %g weights(%w : tensor<?xf32>) at dst : !gnn.graph<?x?x?> -> tensor<?xf32>
  return %d : tensor<?xf32>
}

// CHECK-LABEL: func @other_weights_stay
// CHECK:         gnn.degree %{{.*}} weights(
func.func @other_weights_stay(%g: !gnn.graph<3x3x4>) -> tensor<3xf32> {
  %w = arith.constant dense<2.0> : tensor<4xf32>
  %d = gnn.degree %g weights(%w : tensor<4xf32>) at src : !gnn.graph<3x3x4> -> tensor<3xf32>
  return %d : tensor<3xf32>
}

// A count without weights is f32, which ends at 2^24: f64 stays a sum.
// CHECK-LABEL: func @f64_stays
// CHECK:         gnn.degree %{{.*}} weights(
func.func @f64_stays(%g: !gnn.graph<3x3x4>) -> tensor<3xf64> {
  %w = arith.constant dense<1.0> : tensor<4xf64>
  %d = gnn.degree %g weights(%w : tensor<4xf64>) at src : !gnn.graph<3x3x4> -> tensor<3xf64>
  return %d : tensor<3xf64>
}
