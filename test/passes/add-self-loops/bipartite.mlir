// A mark on such a graph is no valid IR; the option can still ask for it.
// RUN: gnn-opt %s --gnn-add-self-loops=loops=all --verify-diagnostics

// expected-error @below {{gnn-add-self-loops: argument #0 (!gnn.graph<5x6x?>) has different counts of destinations and sources; a node of one is no node of the other}}
func.func @bipartite(%g: !gnn.graph<5x6x?>, %x: tensor<6x4xf32>) -> tensor<5x4xf32> {
  %m = gnn.gather %x, %g at src : tensor<6x4xf32>, !gnn.graph<5x6x?> -> tensor<?x4xf32>
  %y = gnn.scatter sum %m, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<5x6x?> -> tensor<5x4xf32>
  return %y : tensor<5x4xf32>
}
