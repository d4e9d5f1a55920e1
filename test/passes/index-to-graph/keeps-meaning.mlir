// RUN: gnn-eval --entry @all %s | FileCheck %s
// RUN: gnn-opt %s --gnn-index-to-graph | gnn-eval --entry @all - | FileCheck %s
// RUN: gnn-opt %s --gnn-index-to-graph --gnn-fuse-aggregate --canonicalize --cse | gnn-eval --entry @all - | FileCheck %s

// Repeated, unsorted, with a place and a segment that get nothing.
// CHECK: @all #0: 4xf64 [6, 1, 6, 2]
// CHECK: @all #1: 3xf64 [3, 0, 9]
// CHECK: @all #2: 3xf64 [1.5, 0, 6]
// CHECK: @all #3: 3xf64 [0.5, 0.5, 1]
func.func @all() -> (tensor<4xf32>, tensor<3xf32>, tensor<?xf32>, tensor<3xf32>) {
  %x = arith.constant dense<[1.0, 2.0, 6.0]> : tensor<3xf32>
  %i = arith.constant dense<[2, 0, 2, 1]> : tensor<4xi64>
  %a = gnn.gather_at %x, %i : tensor<3xf32>, tensor<4xi64> -> tensor<4xf32>
  %y = arith.constant dense<[1.0, 9.0, 2.0]> : tensor<3xf32>
  %j = arith.constant dense<[0, 2, 0]> : tensor<3xi64>
  %b = gnn.scatter_at sum %y, %j acc f32 : tensor<3xf32>, tensor<3xi64> -> tensor<3xf32>
  %p = arith.constant dense<[0, 2, 2, 3]> : tensor<4xi32>
  %q = tensor.cast %p : tensor<4xi32> to tensor<?xi32>
  %c = gnn.segment_reduce mean %x, %q acc f32 : tensor<3xf32>, tensor<?xi32> -> tensor<?xf32>
  %z = arith.constant dense<3.0> : tensor<3xf32>
  %d = gnn.segment_softmax %z, %p acc f32 : tensor<3xf32>, tensor<4xi32>
  return %a, %b, %c, %d : tensor<4xf32>, tensor<3xf32>, tensor<?xf32>, tensor<3xf32>
}
