// RUN: gnn-opt %s --gnn-add-self-loops --split-input-file --verify-diagnostics
// RUN: gnn-opt %s --gnn-add-self-loops=loops=all --split-input-file --verify-diagnostics
// RUN: not gnn-opt %s --gnn-add-self-loops=loops=some 2>&1 | FileCheck %s --check-prefix=LOOPS
// RUN: not gnn-opt %s --gnn-add-self-loops=scope=edge 2>&1 | FileCheck %s --check-prefix=SCOPE
// LOOPS: gnn-add-self-loops: option loops is one of marked, all, none, found 'some'
// SCOPE: gnn-add-self-loops: option scope is one of graph, layer, found 'edge'

// expected-error @below {{gnn-add-self-loops: argument #0 (!gnn.graph<?x?x9>) fixes the number of edges, which loops change; write ? for it}}
func.func @fixed(%g: !gnn.graph<?x?x9> {gnn.self_loops = 1.0 : f64}, %x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %m = gnn.gather %x, %g at src : tensor<?x4xf32>, !gnn.graph<?x?x9> -> tensor<9x4xf32>
  %y = gnn.scatter sum %m, %g at dst acc f32 : tensor<9x4xf32>, !gnn.graph<?x?x9> -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

// expected-error @below {{gnn-add-self-loops: argument #1 (tensor<?x3xf32>) has rows for the edges but none for new loops; write gnn.add_self_loops in the program}}
func.func @edge_features(%g: !gnn.graph<?x?x?> {gnn.self_loops = 1.0 : f64}, %f: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %y = gnn.scatter sum %f, %g at dst acc f32 : tensor<?x3xf32>, !gnn.graph<?x?x?> -> tensor<?x3xf32>
  return %y : tensor<?x3xf32>
}

// -----

// expected-error @below {{gnn-add-self-loops: a value of 'arith.constant' (tensor<2xf32>) has rows for the edges but none for new loops; write gnn.add_self_loops in the program}}
func.func @constant(%g: !gnn.graph<?x?x?> {gnn.self_loops = 1.0 : f64}) -> tensor<?xf32> {
  %f = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = gnn.scatter sum %f, %g at dst acc f32 : tensor<2xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

// expected-error @below {{gnn-add-self-loops: two tensors have one number per edge, and either may be its weight}}
func.func @two_weights(%g: !gnn.graph<?x?x?> {gnn.self_loops = 1.0 : f64}, %v: tensor<?xf32>, %w: tensor<?xf32>) -> tensor<?xf32> {
  %m = arith.mulf %v, %w : tensor<?xf32>
  %y = gnn.scatter sum %m, %g at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  return %y : tensor<?xf32>
}
