// RUN: gnn-opt %s --gnn-normalize --split-input-file --verify-diagnostics
// RUN: not gnn-opt %s --gnn-normalize=kind=column 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not gnn-opt %s --gnn-normalize=scope=edge 2>&1 | FileCheck %s --check-prefix=SCOPE
// KIND: gnn-normalize: option kind is one of marked, symmetric, row, none, found 'column'
// SCOPE: gnn-normalize: option scope is one of graph, layer, found 'edge'

// expected-error @below {{gnn-normalize: argument #0 wants self loops, which count in the norm; run gnn-add-self-loops first}}
func.func @loops_first(%g: !gnn.graph<?x?x?> {gnn.normalize = "symmetric", gnn.self_loops = 1.0 : f64}) {
  return
}

// -----

func.func @softmax(%g: !gnn.graph<?x?x?> {gnn.normalize = "row"}, %s: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{gnn-normalize: the softmax of an attention has normalised its weights already}}
  %a = gnn.segment_softmax %s, %g at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?>
  %y = gnn.scatter sum %a, %g at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

func.func @degrees(%g: !gnn.graph<?x?x?> {gnn.normalize = "row"}) -> tensor<?xf32> {
  // expected-error @below {{gnn-normalize: the program computes degrees of this graph itself}}
  %y = gnn.degree %g at dst : !gnn.graph<?x?x?> -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

func.func @at_src(%g: !gnn.graph<?x?x?> {gnn.normalize = "row"}, %m: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{gnn-normalize: the norm is that of messages to destinations, this reduces at src}}
  %y = gnn.scatter sum %m, %g at src acc f32 : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

func.func @bipartite(%g: !gnn.graph<4x5x?> {gnn.normalize = "symmetric"}, %x: tensor<5x4xf32>) -> tensor<4x4xf32> {
  %m = gnn.gather %x, %g at src : tensor<5x4xf32>, !gnn.graph<4x5x?> -> tensor<?x4xf32>
  // expected-error @below {{gnn-normalize: the symmetric norm needs a graph with the same nodes at both ends; use row}}
  %y = gnn.scatter sum %m, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<4x5x?> -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// -----

// expected-error @below {{gnn-normalize: two tensors have one number per edge, and either may be its weight}}
func.func @two_weights(%g: !gnn.graph<?x?x?> {gnn.normalize = "row"}, %v: tensor<?xf32>, %w: tensor<?xf32>) -> tensor<?xf32> {
  %m = arith.mulf %v, %w : tensor<?xf32>
  %y = gnn.scatter sum %m, %g at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  return %y : tensor<?xf32>
}
