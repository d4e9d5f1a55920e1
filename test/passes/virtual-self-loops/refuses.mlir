// RUN: gnn-opt %s --gnn-virtual-self-loops --split-input-file --verify-diagnostics | FileCheck %s --implicit-check-not=remove_self_loops

// Loops that were there keep their weight.
// CHECK: gnn.add_self_loops
func.func @prepare(%g: !gnn.graph<?x?x?>, %w: tensor<?xf32> {gnn.graph_data = "edge_weight"}) -> !gnn.graph<?x?x?, i32, csr> {
  // expected-remark @below {{gnn-virtual-self-loops: loops stay edges: the loops have weights of their own, and no node tensor holds them}}
  %l, %lw = gnn.add_self_loops %g weights(%w) fill 1.0 : !gnn.graph<?x?x?>, tensor<?xf32> -> !gnn.graph<?x?x?>, tensor<?xf32>
  %c, %p = gnn.to_csr %l edges(%lw : tensor<?xf32>) : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>, tensor<?xf32>
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

// The message reads a row per edge.
// CHECK: gnn.add_self_loops
func.func @prepare(%g: !gnn.graph<?x?x?>) -> (!gnn.graph<?x?x?, i32, csr>, tensor<?xf32>) {
  %l = gnn.add_self_loops %g fill 1.0 : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  %c = gnn.to_csr %l : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>
  %d = gnn.degree %c at dst : !gnn.graph<?x?x?, i32, csr> -> tensor<?xf32>
  return %c, %d : !gnn.graph<?x?x?, i32, csr>, tensor<?xf32>
}
func.func @forward(%x: tensor<?xf32> {gnn.input = "x"}, %c: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64}, %e: tensor<?xf32> {gnn.prepared = 1 : i64}) -> (tensor<?xf32> {gnn.output = "out"}) {
  // expected-remark @below {{gnn-virtual-self-loops: loops stay edges: the message reads a tensor with a row per edge, loops included}}
  %o = gnn.aggregate %c src(%x : tensor<?xf32>) edge(%e : tensor<?xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?xf32> message {
  ^bb0(%r: f32, %q: f32):
    gnn.yield %r : f32
  }
  return %o : tensor<?xf32>
}

// -----

// A tensor of @prepare has a row per edge.
// CHECK: gnn.add_self_loops
func.func @prepare(%g: !gnn.graph<?x?x?>) -> (!gnn.graph<?x?x?, i32, csr>, tensor<?xf32>) {
  %l = gnn.add_self_loops %g fill 1.0 : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  %c = gnn.to_csr %l : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>
  %d = gnn.degree %c at dst : !gnn.graph<?x?x?, i32, csr> -> tensor<?xf32>
  // expected-remark @below {{gnn-virtual-self-loops: loops stay edges: 'gnn.gather' follows the edges, loops included}}
  %e = gnn.gather %d, %c at src : tensor<?xf32>, !gnn.graph<?x?x?, i32, csr> -> tensor<?xf32>
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

// An edge tensor goes along into csr order.
// CHECK: gnn.add_self_loops
func.func @prepare(%g: !gnn.graph<?x?x?>, %w: tensor<?xf32> {gnn.graph_data = "edge_weight"}) -> !gnn.graph<?x?x?, i32, csr> {
  %l = gnn.add_self_loops %g fill 1.0 : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  // expected-remark @below {{gnn-virtual-self-loops: loops stay edges: a tensor has a row for each edge, loops included}}
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

// -----

// Copied into the epilogue, the zero of the scores (one per head) and that of the sum
// over heads (one per feature) would be one vector<3xf32>.
// CHECK: gnn.add_self_loops
func.func @prepare(%g: !gnn.graph<?x?x?>) -> !gnn.graph<?x?x?, i32, csr> {
  %l = gnn.add_self_loops %g fill 1.0 : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  %c = gnn.to_csr %l : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>
  return %c : !gnn.graph<?x?x?, i32, csr>
}
func.func @forward(%x: tensor<?x3x3xf32> {gnn.input = "x"}, %t: tensor<?x3xf32> {gnn.input = "t"}, %c: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64}) -> (tensor<?x3xf32> {gnn.output = "out"}) {
  // expected-remark @below {{gnn-virtual-self-loops: loops stay edges: one constant would stand for heads and for features, of which there are equally many}}
  %o = gnn.aggregate %c src(%x, %t : tensor<?x3x3xf32>, tensor<?x3xf32>) reduce [softmax] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?x3xf32> message {
  ^bb0(%xu: vector<3x3xf32>, %tu: vector<3xf32>):
    %zero = arith.constant dense<0.0> : vector<3xf32>
    %score = arith.maximumf %tu, %zero : vector<3xf32>
    gnn.yield %score, %xu : vector<3xf32>, vector<3x3xf32>
  } epilogue {
  ^bb0(%s: vector<3x3xf32>, %den: vector<3xf32>, %max: vector<3xf32>):
    %zero = arith.constant dense<0.0> : vector<3xf32>
    %y = vector.multi_reduction <add>, %s, %zero [0] : vector<3x3xf32> to vector<3xf32>
    gnn.yield %y : vector<3xf32>
  }
  return %o : tensor<?x3xf32>
}
