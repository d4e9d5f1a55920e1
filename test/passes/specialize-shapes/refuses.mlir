// RUN: gnn-opt %s --split-input-file --gnn-specialize-shapes="dst=3 src=4 edges=7" --verify-diagnostics 2>&1

// expected-error @+1 {{gnn-specialize-shapes: the graph ('!gnn.graph<5x?x?>') has 5 destination nodes, asked for are 3; give the program a graph of its size}}
func.func @forward(%g: !gnn.graph<5x?x?>) {
  return
}

// -----

// expected-error @+1 {{gnn-specialize-shapes: the graph ('!gnn.graph<3x5x7>') has 5 source nodes, asked for are 4; give the program a graph of its size}}
func.func @forward(%g: !gnn.graph<3x5x7>) {
  return
}

// -----

// expected-error @+1 {{gnn-specialize-shapes: the graph ('!gnn.graph<?x4x8>') has 8 edges, asked for are 7; give the program a graph of its size}}
func.func @forward(%g: !gnn.graph<?x4x8>) {
  return
}
