// RUN: gnn-opt %s --canonicalize --cse --gnn-raise-to-graph --canonicalize --cse --split-input-file | FileCheck %s
// RUN: gnn-opt %s --canonicalize --cse --gnn-raise-to-graph --gnn-raise-to-graph --canonicalize --cse --split-input-file | FileCheck %s

// An import: edge_index is [2, E]; two layers, scores from both ends, a degree counted by hand. It becomes the graph argument.
// CHECK-LABEL: func.func @forward
// CHECK-SAME:    (%[[G:[^:]*]]: !gnn.graph<?x?x?>, %[[X:[^:]*]]: tensor<?x4xf32> {gnn.input = "x"}) -> tensor<?x4xf32>
// CHECK-NOT:     tensor.extract_slice
// CHECK:         %[[A:.*]] = gnn.gather %[[X]], %[[G]] at src : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
// CHECK:         %[[B:.*]] = gnn.gather %[[X]], %[[G]] at dst
// CHECK:         %[[M:.*]] = arith.mulf %[[A]], %[[B]]
// CHECK:         %[[H:.*]] = gnn.scatter mean %[[M]], %[[G]] at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
// CHECK:         %[[C:.*]] = gnn.gather %[[H]], %[[G]] at src
// CHECK:         %[[Y:.*]] = gnn.scatter sum %[[C]], %[[G]] at dst
// CHECK:         return %[[Y]]
func.func @forward(%x: tensor<?x4xf32> {gnn.input = "x"}, %ei: tensor<2x?xi64> {gnn.graph_data = "edge_index"}) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %e = tensor.dim %ei, %c1 : tensor<2x?xi64>
  %src = tensor.extract_slice %ei[0, 0] [1, %e] [1, 1] : tensor<2x?xi64> to tensor<?xi64>
  %dst = tensor.extract_slice %ei[1, 0] [1, %e] [1, 1] : tensor<2x?xi64> to tensor<?xi64>
  %a = gnn.gather_at %x, %src : tensor<?x4xf32>, tensor<?xi64> -> tensor<?x4xf32>
  %b = gnn.gather_at %x, %dst : tensor<?x4xf32>, tensor<?xi64> -> tensor<?x4xf32>
  %m = arith.mulf %a, %b : tensor<?x4xf32>
  %h = gnn.scatter_at mean %m, %dst extent %n acc f32 : tensor<?x4xf32>, tensor<?xi64> -> tensor<?x4xf32>
  %c = gnn.gather_at %h, %src : tensor<?x4xf32>, tensor<?xi64> -> tensor<?x4xf32>
  %y = gnn.scatter_at sum %c, %dst extent %n acc f32 : tensor<?x4xf32>, tensor<?xi64> -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

// Index tensors of their own, two sets of nodes, one count known: the graph is built. A scatter at the other end is one at src.
// CHECK-LABEL: func.func @bipartite
// CHECK-SAME:    %[[X:[^:]*]]: tensor<?x4xf32>, %[[S:[^:]*]]: tensor<?xi32>, %[[D:[^:]*]]: tensor<?xi32>)
// CHECK-DAG:     %[[N:.*]] = tensor.dim %[[X]], %{{.*}}
// CHECK-DAG:     %[[G:.*]] = gnn.graph %[[S]], %[[D]] nodes(%[[N]]) : tensor<?xi32>, tensor<?xi32> -> !gnn.graph<5x?x?, i32>
// CHECK:         %[[A:.*]] = gnn.gather %[[X]], %[[G]] at src
// CHECK:         gnn.scatter max %[[A]], %[[G]] at dst acc f32 : tensor<?x4xf32>, !gnn.graph<5x?x?, i32> -> tensor<5x4xf32>
// CHECK:         gnn.scatter sum %[[A]], %[[G]] at src acc f32 : tensor<?x4xf32>, !gnn.graph<5x?x?, i32> -> tensor<?x4xf32>
func.func @bipartite(%x: tensor<?x4xf32>, %src: tensor<?xi32>, %dst: tensor<?xi32>) -> (tensor<5x4xf32>, tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %a = gnn.gather_at %x, %src : tensor<?x4xf32>, tensor<?xi32> -> tensor<?x4xf32>
  %h = gnn.scatter_at max %a, %dst acc f32 : tensor<?x4xf32>, tensor<?xi32> -> tensor<5x4xf32>
  %k = gnn.scatter_at sum %a, %src extent %n acc f32 : tensor<?x4xf32>, tensor<?xi32> -> tensor<?x4xf32>
  return %h, %k : tensor<5x4xf32>, tensor<?x4xf32>
}

// -----

// Two edge lists are two graphs.
// CHECK-LABEL: func.func @two_lists
// CHECK-COUNT-2: gnn.graph
// CHECK-NOT:     _at
// CHECK:         return
func.func @two_lists(%x: tensor<5xf32>, %s: tensor<7xi64>, %d: tensor<7xi64>, %t: tensor<9xi64>, %e: tensor<9xi64>) -> tensor<5xf32> {
  %a = gnn.gather_at %x, %s : tensor<5xf32>, tensor<7xi64> -> tensor<7xf32>
  %h = gnn.scatter_at sum %a, %d acc f32 : tensor<7xf32>, tensor<7xi64> -> tensor<5xf32>
  %b = gnn.gather_at %h, %t : tensor<5xf32>, tensor<9xi64> -> tensor<9xf32>
  %y = gnn.scatter_at sum %b, %e acc f32 : tensor<9xf32>, tensor<9xi64> -> tensor<5xf32>
  return %y : tensor<5xf32>
}
