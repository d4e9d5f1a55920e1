// RUN: gnn-eval --entry @remove %s | FileCheck %s --check-prefix=REMOVE
// RUN: gnn-eval --entry @turn %s | FileCheck %s --check-prefix=TURN

// Duplicates stay, loops go with their rows.
// REMOVE: @remove #0: graph 3x3x3 src [0, 2, 0] dst [1, 0, 1]
// REMOVE: @remove #1: 3x2xf64 {{\[\[}}1, 10], [3, 30], [5, 50]]
func.func @remove() -> (!gnn.graph<3x3x?>, tensor<?x2xf32>) {
  %src = arith.constant dense<[0, 1, 2, 2, 0]> : tensor<5xi64>
  %dst = arith.constant dense<[1, 1, 0, 2, 1]> : tensor<5xi64>
  %w = arith.constant dense<[[1.0, 10.0], [2.0, 20.0], [3.0, 30.0], [4.0, 40.0], [5.0, 50.0]]> : tensor<5x2xf32>
  %g = gnn.graph %src, %dst : tensor<5xi64>, tensor<5xi64> -> !gnn.graph<3x3x5>
  %l:2 = gnn.remove_self_loops %g edges(%w : tensor<5x2xf32>) : !gnn.graph<3x3x5> -> !gnn.graph<3x3x?>, tensor<?x2xf32>
  return %l#0, %l#1 : !gnn.graph<3x3x?>, tensor<?x2xf32>
}

// A sum at src is one at dst of the transpose, bipartite graphs included.
// TURN: @turn #0: graph 4x2x3 src [1, 0, 1] dst [3, 0, 3]
// TURN: @turn #1: 4xf64 [2, 0, 0, 5]
// TURN: @turn #2: 4xf64 [2, 0, 0, 5]
func.func @turn() -> (!gnn.graph<4x2x3>, tensor<4xf32>, tensor<4xf32>) {
  %src = arith.constant dense<[3, 0, 3]> : tensor<3xi64>
  %dst = arith.constant dense<[1, 0, 1]> : tensor<3xi64>
  %w = arith.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %g = gnn.graph %src, %dst : tensor<3xi64>, tensor<3xi64> -> !gnn.graph<2x4x3>
  %t = gnn.transpose %g : !gnn.graph<2x4x3> -> !gnn.graph<4x2x3>
  %a = gnn.scatter sum %w, %g at src acc f32 : tensor<3xf32>, !gnn.graph<2x4x3> -> tensor<4xf32>
  %b = gnn.scatter sum %w, %t at dst acc f32 : tensor<3xf32>, !gnn.graph<4x2x3> -> tensor<4xf32>
  return %t, %a, %b : !gnn.graph<4x2x3>, tensor<4xf32>, tensor<4xf32>
}
