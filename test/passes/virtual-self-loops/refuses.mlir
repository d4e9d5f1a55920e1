// RUN: gnn-opt %s --gnn-virtual-self-loops --split-input-file --verify-diagnostics | FileCheck %s --implicit-check-not=remove_self_loops

// Something reads the weights with the loops' before they are in csr order.
// CHECK: gnn.add_self_loops
func.func @prepare(%g: !gnn.graph<?x?x?>, %w: tensor<?xf32> {gnn.graph_data = "edge_weight"}) -> (!gnn.graph<?x?x?, i32, csr>, tensor<?xf32>) {
  %l, %lw = gnn.add_self_loops %g weights(%w) fill 1.0 : !gnn.graph<?x?x?>, tensor<?xf32> -> !gnn.graph<?x?x?>, tensor<?xf32>
  %c, %p = gnn.to_csr %l edges(%lw : tensor<?xf32>) : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>, tensor<?xf32>
  // expected-remark @below {{gnn-virtual-self-loops: loops stay edges: 'math.exp' reads a row for each edge, loops included}}
  %e = math.exp %lw : tensor<?xf32>
  return %c, %e : !gnn.graph<?x?x?, i32, csr>, tensor<?xf32>
}
func.func @forward(%x: tensor<?xf32> {gnn.input = "x"}, %c: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64}) -> (tensor<?xf32> {gnn.output = "out"}) {
  %o = gnn.aggregate %c src(%x : tensor<?xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?xf32> message {
  ^bb0(%r: f32):
    gnn.yield %r : f32
  }
  return %o : tensor<?xf32>
}

// -----

// The message reads a row per edge.
// CHECK: gnn.add_self_loops
func.func @prepare(%g: !gnn.graph<?x?x?>) -> (!gnn.graph<?x?x?, i32, csr>, tensor<?xf32>) {
  %l = gnn.add_self_loops %g fill 1.0 : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  %c = gnn.to_csr %l : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>
  %d = gnn.degree %c at dst : !gnn.graph<?x?x?, i32, csr> -> tensor<?xf32>
  return %c, %d : !gnn.graph<?x?x?, i32, csr>, tensor<?xf32>
}
func.func @forward(%x: tensor<?xf32> {gnn.input = "x"}, %c: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64}, %e: tensor<?xf32> {gnn.prepared = 1 : i64}) -> (tensor<?xf32> {gnn.output = "out"}) {
  // expected-remark @below {{gnn-virtual-self-loops: loops stay edges: the message reads a row for each edge that nothing gives for loops}}
  %o = gnn.aggregate %c src(%x : tensor<?xf32>) edge(%e : tensor<?xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?xf32> message {
  ^bb0(%r: f32, %q: f32):
    gnn.yield %r : f32
  }
  return %o : tensor<?xf32>
}

// -----

// The sum of weights knows none for loops.
// CHECK: gnn.add_self_loops
func.func @prepare(%g: !gnn.graph<?x?x?>, %w: tensor<?xf32> {gnn.graph_data = "w"}) -> (!gnn.graph<?x?x?, i32, csr>, tensor<?xf32>) {
  %l = gnn.add_self_loops %g fill 1.0 : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  %c = gnn.to_csr %l : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>
  // expected-remark @below {{gnn-virtual-self-loops: loops stay edges: the sum reads a weight for each edge that nothing gives for loops}}
  %d = gnn.degree %c weights(%w : tensor<?xf32>) at dst : !gnn.graph<?x?x?, i32, csr> -> tensor<?xf32>
  return %c, %d : !gnn.graph<?x?x?, i32, csr>, tensor<?xf32>
}
func.func @forward(%x: tensor<?xf32> {gnn.input = "x"}, %c: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64}) -> (tensor<?xf32> {gnn.output = "out"}) {
  %o = gnn.aggregate %c src(%x : tensor<?xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?xf32> message {
  ^bb0(%r: f32):
    gnn.yield %r : f32
  }
  return %o : tensor<?xf32>
}

// -----

// A factor of the weights that is a row per edge of no known origin.
// CHECK: gnn.add_self_loops
func.func @prepare(%g: !gnn.graph<?x?x?>, %w: tensor<?xf32> {gnn.graph_data = "edge_weight"}, %f: tensor<?xf32> {gnn.graph_data = "f"}) -> (!gnn.graph<?x?x?, i32, csr>, tensor<?xf32>) {
  %l, %lw = gnn.add_self_loops %g weights(%w) fill 1.0 : !gnn.graph<?x?x?>, tensor<?xf32> -> !gnn.graph<?x?x?>, tensor<?xf32>
  %c, %p = gnn.to_csr %l edges(%lw : tensor<?xf32>) : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>, tensor<?xf32>
  // expected-remark @below {{gnn-virtual-self-loops: loops stay edges: 'arith.mulf' reads rows of edges that nothing gives for loops}}
  %e = arith.mulf %p, %f : tensor<?xf32>
  return %c, %e : !gnn.graph<?x?x?, i32, csr>, tensor<?xf32>
}
func.func @forward(%x: tensor<?xf32> {gnn.input = "x"}, %c: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64}, %e: tensor<?xf32> {gnn.prepared = 1 : i64}) -> (tensor<?xf32> {gnn.output = "out"}) {
  %o = gnn.aggregate %c src(%x : tensor<?xf32>) edge(%e : tensor<?xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?xf32> message {
  ^bb0(%r: f32, %q: f32):
    gnn.yield %q : f32
  }
  return %o : tensor<?xf32>
}

// -----

// Without the loops there are as many edges as the type says, and other types follow.
// CHECK: gnn.append_self_loops
func.func @prepare(%g: !gnn.graph<5x5x9>) -> !gnn.graph<5x5x?, i32, csr> {
  // expected-remark @below {{gnn-virtual-self-loops: loops stay edges: the type fixes how many edges there are without loops}}
  %l = gnn.append_self_loops %g : !gnn.graph<5x5x9> -> !gnn.graph<5x5x?>
  %c = gnn.to_csr %l : !gnn.graph<5x5x?> -> !gnn.graph<5x5x?, i32, csr>
  return %c : !gnn.graph<5x5x?, i32, csr>
}
func.func @forward(%x: tensor<5xf32> {gnn.input = "x"}, %c: !gnn.graph<5x5x?, i32, csr> {gnn.prepared = 0 : i64}) -> (tensor<5xf32> {gnn.output = "out"}) {
  %o = gnn.aggregate %c src(%x : tensor<5xf32>) reduce [sum] acc f32 : !gnn.graph<5x5x?, i32, csr> -> tensor<5xf32> message {
  ^bb0(%r: f32):
    gnn.yield %r : f32
  }
  return %o : tensor<5xf32>
}

// -----

// An edge tensor goes along into csr order.
// CHECK: gnn.add_self_loops
func.func @prepare(%g: !gnn.graph<?x?x?>, %w: tensor<?xf32> {gnn.graph_data = "edge_weight"}) -> !gnn.graph<?x?x?, i32, csr> {
  %l = gnn.add_self_loops %g fill 1.0 : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  // expected-remark @below {{gnn-virtual-self-loops: loops stay edges: a tensor in csr order has rows for loops that nothing gives alone}}
  %c, %p = gnn.to_csr %l edges(%w : tensor<?xf32>) : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>, tensor<?xf32>
  return %c : !gnn.graph<?x?x?, i32, csr>
}
func.func @forward(%x: tensor<?xf32> {gnn.input = "x"}, %c: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64}) -> (tensor<?xf32> {gnn.output = "out"}) {
  %o = gnn.aggregate %c src(%x : tensor<?xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?xf32> message {
  ^bb0(%r: f32):
    gnn.yield %r : f32
  }
  return %o : tensor<?xf32>
}

// -----

// Something other than an aggregate follows the edges.
// CHECK: gnn.add_self_loops
func.func @prepare(%g: !gnn.graph<?x?x?>) -> !gnn.graph<?x?x?, i32, csr> {
  %l = gnn.add_self_loops %g fill 1.0 : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  %c = gnn.to_csr %l : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>
  return %c : !gnn.graph<?x?x?, i32, csr>
}
func.func @forward(%x: tensor<?xf32> {gnn.input = "x"}, %c: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64}) -> (tensor<?xf32> {gnn.output = "out"}, tensor<?xf32> {gnn.output = "edges"}) {
  %o = gnn.aggregate %c src(%x : tensor<?xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?xf32> message {
  ^bb0(%r: f32):
    gnn.yield %r : f32
  }
  // expected-remark @below {{gnn-virtual-self-loops: loops stay edges: 'gnn.gather' follows the edges, loops included}}
  %e = gnn.gather %x, %c at src : tensor<?xf32>, !gnn.graph<?x?x?, i32, csr> -> tensor<?xf32>
  return %o, %e : tensor<?xf32>, tensor<?xf32>
}

// -----

// The graph with loops is read in two orders.
// CHECK: gnn.add_self_loops
func.func @prepare(%g: !gnn.graph<?x?x?>) -> (!gnn.graph<?x?x?, i32, csr>, !gnn.graph<?x?x?, i32, csr>) {
  %l = gnn.add_self_loops %g fill 1.0 : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  %c = gnn.to_csr %l : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>
  // expected-remark @below {{gnn-virtual-self-loops: loops stay edges: the graph with loops is read other than by one gnn.to_csr}}
  %t = gnn.transpose %l : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  %ct = gnn.to_csr %t : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>
  return %c, %ct : !gnn.graph<?x?x?, i32, csr>, !gnn.graph<?x?x?, i32, csr>
}
func.func @forward(%x: tensor<?xf32> {gnn.input = "x"}, %c: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64}) -> (tensor<?xf32> {gnn.output = "out"}) {
  %o = gnn.aggregate %c src(%x : tensor<?xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?xf32> message {
  ^bb0(%r: f32):
    gnn.yield %r : f32
  }
  return %o : tensor<?xf32>
}

// -----

// Nobody reads it.
// CHECK: gnn.add_self_loops
func.func @prepare(%g: !gnn.graph<?x?x?>) -> !gnn.graph<?x?x?, i32, csr> {
  // expected-remark @below {{gnn-virtual-self-loops: loops stay edges: nothing follows the graph with loops}}
  %l = gnn.add_self_loops %g fill 1.0 : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  %c = gnn.to_csr %g : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>
  return %c : !gnn.graph<?x?x?, i32, csr>
}
func.func @forward(%x: tensor<?xf32> {gnn.input = "x"}, %c: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64}) -> (tensor<?xf32> {gnn.output = "out"}) {
  %o = gnn.aggregate %c src(%x : tensor<?xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?xf32> message {
  ^bb0(%r: f32):
    gnn.yield %r : f32
  }
  return %o : tensor<?xf32>
}

// -----

// Only counted.
// CHECK: gnn.add_self_loops
func.func @prepare(%g: !gnn.graph<?x?x?>) -> (!gnn.graph<?x?x?, i32, csr>, tensor<?xf32>) {
  // expected-remark @below {{gnn-virtual-self-loops: loops stay edges: no aggregate could add what the loops send}}
  %l = gnn.add_self_loops %g fill 1.0 : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  %c = gnn.to_csr %l : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>
  %d = gnn.degree %c at dst : !gnn.graph<?x?x?, i32, csr> -> tensor<?xf32>
  %u = gnn.to_csr %g : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>
  return %u, %d : !gnn.graph<?x?x?, i32, csr>, tensor<?xf32>
}
func.func @forward(%x: tensor<?xf32> {gnn.input = "x"}, %c: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64}) -> (tensor<?xf32> {gnn.output = "out"}) {
  %o = gnn.aggregate %c src(%x : tensor<?xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?xf32> message {
  ^bb0(%r: f32):
    gnn.yield %r : f32
  }
  return %o : tensor<?xf32>
}

// -----

// Schedules are made for what is there.
// CHECK: gnn.add_self_loops
func.func @prepare(%g: !gnn.graph<?x?x?>) -> !gnn.graph<?x?x?, i32, csr> {
  %l = gnn.add_self_loops %g fill 1.0 : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  %c = gnn.to_csr %l : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>
  return %c : !gnn.graph<?x?x?, i32, csr>
}
func.func @forward(%x: tensor<?xf32> {gnn.input = "x"}, %c: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64}) -> (tensor<?xf32> {gnn.output = "out"}) {
  // expected-remark @below {{gnn-virtual-self-loops: loops stay edges: the aggregate has its schedule already}}
  %o = gnn.aggregate %c src(%x : tensor<?xf32>) reduce [sum] acc f32 schedule("by hand") : !gnn.graph<?x?x?, i32, csr> -> tensor<?xf32> message {
  ^bb0(%r: f32):
    gnn.yield %r : f32
  }
  return %o : tensor<?xf32>
}

// -----

// Loops that are not split off into @prepare: nothing to do here.
// CHECK: gnn.add_self_loops
func.func @forward(%x: tensor<?xf32> {gnn.input = "x"}, %g: !gnn.graph<?x?x?>) -> (tensor<?xf32> {gnn.output = "out"}) {
  %l = gnn.add_self_loops %g fill 1.0 : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  %o = gnn.aggregate %l src(%x : tensor<?xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?> -> tensor<?xf32> message {
  ^bb0(%r: f32):
    gnn.yield %r : f32
  }
  return %o : tensor<?xf32>
}
