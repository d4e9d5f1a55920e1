// RUN: gnn-eval --entry @loops %s | FileCheck %s --check-prefix=LOOPS
// RUN: gnn-eval --entry @unweighted_loops %s | FileCheck %s --check-prefix=UNWEIGHTED
// RUN: gnn-eval --entry @appended %s | FileCheck %s --check-prefix=APPENDED
// RUN: gnn-eval --entry @csr %s | FileCheck %s --check-prefix=CSR
// RUN: gnn-eval --entry @csr_operands %s | FileCheck %s --check-prefix=FROM-CSR
// RUN: gnn-eval --entry @degrees %s | FileCheck %s --check-prefix=DEGREE
// RUN: gnn-eval --entry @gathers %s | FileCheck %s --check-prefix=GATHER

// Two loops at node 1 (weights 5, then 7), one edge twice, node 3 isolated.
func.func private @graph() -> (!gnn.graph<4x4x6>, tensor<6xf32>) {
  %src = arith.constant dense<[1, 2, 1, 0, 0, 1]> : tensor<6xi64>
  %dst = arith.constant dense<[1, 0, 0, 2, 2, 1]> : tensor<6xi64>
  %w = arith.constant dense<[5.0, 1.0, 2.0, 3.0, 4.0, 7.0]> : tensor<6xf32>
  %g = gnn.graph %src, %dst : tensor<6xi64>, tensor<6xi64> -> !gnn.graph<4x4x6>
  return %g, %w : !gnn.graph<4x4x6>, tensor<6xf32>
}

// The last loop's weight stays; the others get 0.5.
// LOOPS: @loops #0: graph 4x4x8 src [2, 1, 0, 0, 0, 1, 2, 3] dst [0, 0, 2, 2, 0, 1, 2, 3]
// LOOPS: @loops #1: 8xf64 [1, 2, 3, 4, 0.5, 7, 0.5, 0.5]
func.func @loops() -> (!gnn.graph<4x4x?>, tensor<?xf32>) {
  %g, %w = call @graph() : () -> (!gnn.graph<4x4x6>, tensor<6xf32>)
  %wd = tensor.cast %w : tensor<6xf32> to tensor<?xf32>
  %l, %lw = gnn.add_self_loops %g weights(%wd) fill 0.5 : !gnn.graph<4x4x6>, tensor<?xf32> -> !gnn.graph<4x4x?>, tensor<?xf32>
  return %l, %lw : !gnn.graph<4x4x?>, tensor<?xf32>
}

// All edges stay, old loops too; what add_self_loops makes of the weights, alone.
// APPENDED: @appended #0: graph 4x4x10 src [1, 2, 1, 0, 0, 1, 0, 1, 2, 3] dst [1, 0, 0, 2, 2, 1, 0, 1, 2, 3]
// APPENDED: @appended #1: 10xf64 [5, 1, 2, 3, 4, 7, 0.5, 7, 0.5, 0.5]
// APPENDED: @appended #2: 4xf64 [0.5, 7, 0.5, 0.5]
func.func @appended() -> (!gnn.graph<4x4x?>, tensor<?xf32>, tensor<4xf32>) {
  %g, %w = call @graph() : () -> (!gnn.graph<4x4x6>, tensor<6xf32>)
  %o = gnn.loop_weights %g weights(%w : tensor<6xf32>) fill 0.5 : !gnn.graph<4x4x6> -> tensor<4xf32>
  %l, %lw = gnn.append_self_loops %g edges(%w : tensor<6xf32>) loops(%o : tensor<4xf32>) : !gnn.graph<4x4x6> -> !gnn.graph<4x4x?>, tensor<?xf32>
  return %l, %lw, %o : !gnn.graph<4x4x?>, tensor<?xf32>, tensor<4xf32>
}

// UNWEIGHTED: graph 4x4x8 src [2, 1, 0, 0, 0, 1, 2, 3] dst [0, 0, 2, 2, 0, 1, 2, 3]
func.func @unweighted_loops() -> !gnn.graph<4x4x?> {
  %g, %w = call @graph() : () -> (!gnn.graph<4x4x6>, tensor<6xf32>)
  %l = gnn.add_self_loops %g fill 1.0 : !gnn.graph<4x4x6> -> !gnn.graph<4x4x?>
  return %l : !gnn.graph<4x4x?>
}

// Edges of one destination keep their order.
// CSR: @csr #0: graph 4x4x6 src [2, 1, 1, 1, 0, 0] dst [0, 0, 1, 1, 2, 2]
// CSR: @csr #1: 6xf64 [1, 2, 5, 7, 3, 4]
// CSR: @csr #2: 6x2xi64 {{\[\[}}2, 3], [4, 5], [0, 1], [10, 11], [6, 7], [8, 9]]
func.func @csr() -> (!gnn.graph<4x4x6, i32, csr>, tensor<6xf32>, tensor<6x2xi32>) {
  %g, %w = call @graph() : () -> (!gnn.graph<4x4x6>, tensor<6xf32>)
  %ids = arith.constant dense<[[0, 1], [2, 3], [4, 5], [6, 7], [8, 9], [10, 11]]> : tensor<6x2xi32>
  %c, %pw, %pi = gnn.to_csr %g edges(%w, %ids : tensor<6xf32>, tensor<6x2xi32>) : !gnn.graph<4x4x6> -> !gnn.graph<4x4x6, i32, csr>, tensor<6xf32>, tensor<6x2xi32>
  return %c, %pw, %pi : !gnn.graph<4x4x6, i32, csr>, tensor<6xf32>, tensor<6x2xi32>
}

// FROM-CSR: graph 3x5x4 src [4, 0, 1, 2] dst [0, 0, 2, 2]
func.func @csr_operands() -> !gnn.graph<?x?x?, i32, csr> {
  %rows = arith.constant dense<[0, 2, 2, 4]> : tensor<4xi32>
  %src = arith.constant dense<[4, 0, 1, 2]> : tensor<4xi32>
  %n = arith.constant 3 : index
  %m = arith.constant 5 : index
  %g = gnn.graph %rows, %src nodes(%n, %m) : tensor<4xi32>, tensor<4xi32> -> !gnn.graph<?x?x?, i32, csr>
  return %g : !gnn.graph<?x?x?, i32, csr>
}

// DEGREE: @degrees #0: 4xf64 [2, 2, 2, 0]
// DEGREE: @degrees #1: 4xf64 [7, 14, 1, 0]
func.func @degrees() -> (tensor<4xf32>, tensor<4xf32>) {
  %g, %w = call @graph() : () -> (!gnn.graph<4x4x6>, tensor<6xf32>)
  %in = gnn.degree %g at dst : !gnn.graph<4x4x6> -> tensor<4xf32>
  %out = gnn.degree %g weights(%w : tensor<6xf32>) at src : !gnn.graph<4x4x6> -> tensor<4xf32>
  return %in, %out : tensor<4xf32>, tensor<4xf32>
}

// GATHER: @gathers #0: 6x2xf64 {{\[\[}}3, 4], [5, nan], [3, 4], [1, 2], [1, 2], [3, 4]]
// GATHER: @gathers #1: 6x2xf64 {{\[\[}}3, 4], [1, 2], [1, 2], [5, nan], [5, nan], [3, 4]]
func.func @gathers() -> (tensor<6x2xf32>, tensor<6x2xf32>) {
  %g, %w = call @graph() : () -> (!gnn.graph<4x4x6>, tensor<6xf32>)
  %x = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 0x7FC00000], [9.0, 9.0]]> : tensor<4x2xf32>
  %s = gnn.gather %x, %g at src : tensor<4x2xf32>, !gnn.graph<4x4x6> -> tensor<6x2xf32>
  %d = gnn.gather %x, %g at dst : tensor<4x2xf32>, !gnn.graph<4x4x6> -> tensor<6x2xf32>
  return %s, %d : tensor<6x2xf32>, tensor<6x2xf32>
}
