// RUN: gnn-opt %s --canonicalize --cse | FileCheck %s

// Building a graph has no effect: one that nobody reads goes, equal ones are one.
// CHECK-LABEL: func @unread_and_equal
// CHECK:     = gnn.graph
// CHECK-NOT: = gnn.graph
// CHECK:     return
func.func @unread_and_equal(%src: tensor<?xi64>, %dst: tensor<?xi64>, %x: tensor<?x4xf32>, %n: index)
    -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %unread = gnn.graph %dst, %src nodes(%n, %n) : tensor<?xi64>, tensor<?xi64> -> !gnn.graph<?x?x?>
  %g = gnn.graph %src, %dst nodes(%n, %n) : tensor<?xi64>, tensor<?xi64> -> !gnn.graph<?x?x?>
  %h = gnn.graph %src, %dst nodes(%n, %n) : tensor<?xi64>, tensor<?xi64> -> !gnn.graph<?x?x?>
  %a = gnn.gather %x, %g at src : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %b = gnn.gather %x, %h at dst : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  return %a, %b : tensor<?x4xf32>, tensor<?x4xf32>
}

// Graphs of other node counts or ends stay two.
// CHECK-LABEL: func @different
// CHECK-COUNT-2: = gnn.graph
func.func @different(%src: tensor<?xi64>, %dst: tensor<?xi64>, %x: tensor<?x4xf32>, %n: index, %m: index)
    -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %g = gnn.graph %src, %dst nodes(%n, %n) : tensor<?xi64>, tensor<?xi64> -> !gnn.graph<?x?x?>
  %h = gnn.graph %src, %dst nodes(%m, %n) : tensor<?xi64>, tensor<?xi64> -> !gnn.graph<?x?x?>
  %a = gnn.gather %x, %g at src : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %b = gnn.gather %x, %h at src : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  return %a, %b : tensor<?x4xf32>, tensor<?x4xf32>
}
