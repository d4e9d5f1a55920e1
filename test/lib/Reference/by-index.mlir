// RUN: gnn-eval --entry @by_index %s | FileCheck %s
// RUN: not gnn-eval --entry @gather_out_of_range %s 2>&1 | FileCheck %s --check-prefix=GATHER
// RUN: not gnn-eval --entry @scatter_out_of_range %s 2>&1 | FileCheck %s --check-prefix=SCATTER

// Place 1 gets nothing; an index may repeat.
// CHECK: @by_index #0: 4x2xf64 {{\[\[}}3, 30], [1, 10], [3, 30], [2, 20]]
// CHECK: @by_index #1: 3x2xf64 {{\[\[}}3, 30], [0, 0], [2, 20]]
// CHECK: @by_index #2: 3x2xf64 {{\[\[}}9, 900], [1, 1], [2, 200]]
func.func @by_index() -> (tensor<4x2xf32>, tensor<3x2xf32>, tensor<?x2xf32>) {
  %c3 = arith.constant 3 : index
  %x = arith.constant dense<[[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]]> : tensor<3x2xf32>
  %i = arith.constant dense<[2, 0, 2, 1]> : tensor<4xi64>
  %j = arith.constant dense<[0, 2, 0, 2]> : tensor<4xi32>
  %m = gnn.gather_at %x, %i : tensor<3x2xf32>, tensor<4xi64> -> tensor<4x2xf32>
  %b = gnn.scatter_at mul %m, %j extent %c3 acc f32 : tensor<4x2xf32>, tensor<4xi32> -> tensor<?x2xf32>
  %a = gnn.scatter_at max %m, %j acc f32 : tensor<4x2xf32>, tensor<4xi32> -> tensor<3x2xf32>
  return %m, %a, %b : tensor<4x2xf32>, tensor<3x2xf32>, tensor<?x2xf32>
}

// GATHER: 'gnn.gather_at' op index #1 is 3, not in [0, 3); were ids counted from 1?
func.func @gather_out_of_range() -> tensor<2xf32> {
  %x = arith.constant dense<1.0> : tensor<3xf32>
  %i = arith.constant dense<[2, 3]> : tensor<2xi64>
  %m = gnn.gather_at %x, %i : tensor<3xf32>, tensor<2xi64> -> tensor<2xf32>
  return %m : tensor<2xf32>
}

// SCATTER: 'gnn.scatter_at' op index #0 is -1, not in [0, 3)
func.func @scatter_out_of_range() -> tensor<3xf32> {
  %x = arith.constant dense<1.0> : tensor<2xf32>
  %i = arith.constant dense<[-1, 2]> : tensor<2xi64>
  %m = gnn.scatter_at sum %x, %i acc f32 : tensor<2xf32>, tensor<2xi64> -> tensor<3xf32>
  return %m : tensor<3xf32>
}
