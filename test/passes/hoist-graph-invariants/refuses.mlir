// RUN: gnn-opt %s --gnn-hoist-graph-invariants --split-input-file --verify-diagnostics

// expected-error@+1 {{argument #1 is an edge tensor and a gnn.input; its edge order is fixed when the graph is bound: mark it gnn.graph_data}}
func.func @forward(%g: !gnn.graph<?x?x?>, %e: tensor<?x4xf32> {gnn.input = "edge_attr"}) -> (tensor<?x4xf32> {gnn.output = "out"}) {
  %s = gnn.scatter sum %e, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  return %s : tensor<?x4xf32>
}

// -----

// The caller would see the edges sorted.
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?x4xf32> {gnn.input = "x"}) -> (tensor<?x4xf32> {gnn.output = "out"}) {
  %m = gnn.gather %x, %g at src : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  // expected-error@+1 {{depends on the order of edges: operand #0 ('tensor<?x4xf32>') is an edge tensor, and edges are sorted by destination}}
  return %m : tensor<?x4xf32>
}

// -----

func.func @forward(%g: !gnn.graph<?x?x?>, %l: !gnn.graph<?x?x?>, %x: tensor<?x4xf32> {gnn.input = "x"}) -> (tensor<?x4xf32> {gnn.output = "out"}) {
  %m = gnn.gather %x, %g at src : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  // expected-error@+1 {{an edge tensor is used with two graphs ('!gnn.graph<?x?x?>' and '!gnn.graph<?x?x?>'); sorting their edges would tear it apart}}
  %s = gnn.scatter sum %m, %l at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  return %s : tensor<?x4xf32>
}

// -----

func.func @forward(%g: !gnn.graph<?x?x?>, %w: tensor<?x4xf32> {gnn.graph_data = "edge_attr"}) -> (tensor<?x4xf32> {gnn.output = "out"}) {
  %n = arith.constant 7 : index
  // expected-error@+1 {{makes an edge tensor that cannot be put into csr order; compute it row by row}}
  %part = tensor.extract_slice %w[0, 0] [%n, 4] [1, 1] : tensor<?x4xf32> to tensor<?x4xf32>
  %s = gnn.scatter sum %part, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  return %s : tensor<?x4xf32>
}

// -----

// expected-error@+1 {{the module has no function @forward with one block}}
module {
  func.func @other() { return }
}

// -----

// expected-error@+1 {{gnn-hoist-graph-invariants: argument #0 still carries gnn.self_loops; run gnn-add-self-loops and gnn-normalize first}}
func.func @forward(%g: !gnn.graph<?x?x?> {gnn.self_loops = 1.0 : f64}, %x: tensor<?x4xf32> {gnn.input = "x"}) -> (tensor<?x4xf32> {gnn.output = "out"}) {
  return %x : tensor<?x4xf32>
}
