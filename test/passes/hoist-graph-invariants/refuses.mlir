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

// -----

// The nodes of the second graph are the edges of the first, by numbers that sorting would change.
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?x4xf32> {gnn.input = "x"}, %i: tensor<?xi64> {gnn.index = "i"})
    -> (tensor<3x4xf32> {gnn.output = "out"}, tensor<?x4xf32> {gnn.output = "h"}) {
  %m = gnn.gather %x, %g at src : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %h = gnn.scatter sum %m, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %c0 = arith.constant 0 : index
  %e = tensor.dim %m, %c0 : tensor<?x4xf32>
  %l = gnn.index_graph gather %i nodes(%e) : tensor<?xi64> -> !gnn.graph<?x?x?, i32, csr>
  // expected-error@+1 {{depends on the order of edges: operand #0 ('tensor<?x4xf32>') is an edge tensor, and edges are sorted by destination}}
  %p = gnn.gather %m, %l at src : tensor<?x4xf32>, !gnn.graph<?x?x?, i32, csr> -> tensor<?x4xf32>
  %s = gnn.index_graph scatter %i : tensor<?xi64> -> !gnn.graph<3x?x?>
  %q = gnn.gather %p, %s at src : tensor<?x4xf32>, !gnn.graph<3x?x?> -> tensor<?x4xf32>
  %r = gnn.scatter sum %q, %s at dst acc f32 : tensor<?x4xf32>, !gnn.graph<3x?x?> -> tensor<3x4xf32>
  return %r, %h : tensor<3x4xf32>, tensor<?x4xf32>
}

// -----

// Consecutive edges as they were bound.
func.func @forward(%g: !gnn.graph<?x?x?>, %e: tensor<?x4xf32> {gnn.graph_data = "edge_attr"}, %p: tensor<?xi64> {gnn.index = "ptr"})
    -> (tensor<?x4xf32> {gnn.output = "out"}, tensor<?x4xf32> {gnn.output = "pooled"}) {
  %s = gnn.scatter sum %e, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %l = gnn.index_graph segments %p : tensor<?xi64> -> !gnn.graph<?x?x?, i32, csr>
  // expected-error@+1 {{an edge tensor is used with two graphs ('!gnn.graph<?x?x?>' and '!gnn.graph<?x?x?, i32, csr>'); sorting their edges would tear it apart}}
  %r = gnn.scatter sum %e, %l at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?, i32, csr> -> tensor<?x4xf32>
  return %s, %r : tensor<?x4xf32>, tensor<?x4xf32>
}

// -----

// What the nodes of one graph sum up goes by the edges of another, at both of its ends.
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?x4xf32> {gnn.input = "x"}, %i: tensor<?xi64> {gnn.index = "i"}, %j: tensor<?xi64> {gnn.index = "j"})
    -> (tensor<?x4xf32> {gnn.output = "out"}, tensor<?x4xf32> {gnn.output = "other"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %l = gnn.graph %i, %j nodes(%n, %n) : tensor<?xi64>, tensor<?xi64> -> !gnn.graph<?x?x?>
  %m = gnn.gather %x, %g at src : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %s = gnn.scatter sum %m, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %a = gnn.scatter sum %s, %l at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  // expected-error@+1 {{an edge tensor is used with two graphs ('!gnn.graph<?x?x?>' and '!gnn.graph<?x?x?, i32, csr>'); sorting their edges would tear it apart}}
  %b = gnn.scatter sum %s, %l at src acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  return %a, %b : tensor<?x4xf32>, tensor<?x4xf32>
}

// -----

// How many nodes the graph has is counted by the look-up that its order decides.
func.func @forward(%x: tensor<?x4xf32> {gnn.input = "x"}, %s: tensor<?xi64> {gnn.index = "s"}, %d: tensor<?xi64> {gnn.index = "d"},
                   %t: tensor<?xi64> {gnn.index = "t"}, %e: tensor<3x4xf32> {gnn.weight = "e"}) -> (tensor<?x4xf32> {gnn.output = "out"}) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{depends on the order of edges of a graph that depends on it; count the nodes of that graph by a tensor that is there before}}
  %l = gnn.index_graph gather %t : tensor<?xi64> -> !gnn.graph<?x3x?, i32, csr>
  %r = gnn.gather %e, %l at src : tensor<3x4xf32>, !gnn.graph<?x3x?, i32, csr> -> tensor<?x4xf32>
  %n = tensor.dim %r, %c0 : tensor<?x4xf32>
  %g = gnn.graph %s, %d nodes(%n, %n) : tensor<?xi64>, tensor<?xi64> -> !gnn.graph<?x?x?>
  %m = gnn.gather %x, %g at src : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %w = arith.mulf %m, %r : tensor<?x4xf32>
  %y = gnn.scatter sum %w, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

// expected-error@+1 {{gnn-hoist-graph-invariants: argument #0 is a result of @prepare, which the module has not; mark it with what brings it, such as gnn.graph_data}}
func.func @forward(%w: tensor<?xf32> {gnn.prepared = 0}) -> (tensor<?xf32> {gnn.output = "out"}) {
  %y = math.exp %w : tensor<?xf32>
  return %y : tensor<?xf32>
}
