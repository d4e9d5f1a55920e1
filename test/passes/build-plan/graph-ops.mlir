// RUN: gnn-opt %s --gnn-build-plan --split-input-file | FileCheck %s

// Each op that changes the edges is a call that counts them; a transpose costs nothing: the two
// ends change places. Of the bounds, the one of kept edges is that of the edges before.
// CHECK:      gnn_plan.symbol e.kept prepare bound(e)
// CHECK-NEXT: gnn_plan.symbol e.loops prepare bound(e + n)
// CHECK-NEXT: gnn_plan.symbol e.kept.1 prepare bound(e + n)
// CHECK-DAG:  %kept.edges = gnn_plan.buffer transient "kept.edges" f32[e.kept, 3]
// CHECK-DAG:  %kept.src = gnn_plan.buffer transient "kept.src" i64[e.kept]
// CHECK:      gnn_plan.graph_call remove_self_loops in(%src, %dst, %edge_attr) out(%kept.src, %kept.dst, %kept.edges) nodes(n, n) edges(e) sets(e.kept)
// CHECK-NEXT: gnn_plan.graph_call add_self_loops in(%kept.dst, %kept.src) out(%loops.src, %loops.dst) nodes(n, n) edges(e.kept) sets(e.loops) fill 1.000000e+00
// CHECK-NEXT: gnn_plan.graph_call remove_self_loops in(%loops.src, %loops.dst) out(%[[S:.*]], %[[D:.*]]) nodes(n, n) edges(e.loops) sets(e.kept.1)
// CHECK-NEXT: gnn_plan.graph_call to_csr in(%[[S]], %[[D]])
module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func private @map_0(%a: tensor<?x3xf32>) -> tensor<?x3xf32> attributes {gnn.kernel = "map"} {
    %o = gnn.map rows(%a : tensor<?x3xf32>) schedule(#gnn.cpu_schedule<tile = 16, prefetch = 8>) -> tensor<?x3xf32> {
    ^bb0(%x: vector<3xf32>):
      gnn.yield %x : vector<3xf32>
    }
    return %o : tensor<?x3xf32>
  }
  func.func @prepare(%g: !gnn.graph<?x?x?>, %attr: tensor<?x3xf32> {gnn.graph_data = "edge_attr"}) -> (!gnn.graph<?x?x?, i32, csr>, tensor<?x3xf32>) {
    %k, %ka = gnn.remove_self_loops %g edges(%attr : tensor<?x3xf32>) : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>, tensor<?x3xf32>
    %t = gnn.transpose %k : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
    %l = gnn.add_self_loops %t fill 1.0 : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
    %r = gnn.remove_self_loops %l : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
    %csr = gnn.to_csr %r : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>
    %m = call @map_0(%ka) : (tensor<?x3xf32>) -> tensor<?x3xf32>
    return %csr, %m : !gnn.graph<?x?x?, i32, csr>, tensor<?x3xf32>
  }
  func.func @forward(%csr: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64}, %m: tensor<?x3xf32> {gnn.prepared = 1 : i64}) -> (tensor<?x3xf32> {gnn.output = "out"}) {
    %o = call @map_0(%m) : (tensor<?x3xf32>) -> tensor<?x3xf32>
    return %o : tensor<?x3xf32>
  }
}

// -----

// Loops with rows of their own; one weight for each node.
// CHECK:      gnn_plan.symbol e.appended prepare bound(e + n)
// CHECK:      gnn_plan.graph_call loop_weights in(%src, %dst, %edge_weight) out(%loop.weights) nodes(n, n) edges(e) fill 1.000000e+00
// CHECK-NEXT: gnn_plan.graph_call append_self_loops in(%src, %dst, %edge_weight, %loop.weights) out(%appended.src, %appended.dst, %appended.edges) nodes(n, n) edges(e) sets(e.appended)
// CHECK-NEXT: gnn_plan.graph_call to_csr in(%appended.src, %appended.dst, %appended.edges)
module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func private @map_0(%a: tensor<?xf32>) -> tensor<?xf32> attributes {gnn.kernel = "map"} {
    %o = gnn.map rows(%a : tensor<?xf32>) schedule(#gnn.cpu_schedule<tile = 16, prefetch = 8>) -> tensor<?xf32> {
    ^bb0(%x: f32):
      gnn.yield %x : f32
    }
    return %o : tensor<?xf32>
  }
  func.func @prepare(%g: !gnn.graph<?x?x?>, %w: tensor<?xf32> {gnn.graph_data = "edge_weight"}) -> (!gnn.graph<?x?x?, i32, csr>, tensor<?xf32>) {
    %o = gnn.loop_weights %g weights(%w : tensor<?xf32>) fill 1.0 : !gnn.graph<?x?x?> -> tensor<?xf32>
    %l, %lw = gnn.append_self_loops %g edges(%w : tensor<?xf32>) loops(%o : tensor<?xf32>) : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>, tensor<?xf32>
    %csr, %p = gnn.to_csr %l edges(%lw : tensor<?xf32>) : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>, tensor<?xf32>
    return %csr, %o : !gnn.graph<?x?x?, i32, csr>, tensor<?xf32>
  }
  func.func @forward(%csr: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64}, %m: tensor<?xf32> {gnn.prepared = 1 : i64}) -> (tensor<?xf32> {gnn.output = "out"}) {
    %o = call @map_0(%m) : (tensor<?xf32>) -> tensor<?xf32>
    return %o : tensor<?xf32>
  }
}

// -----

// An index tensor that both functions have is no row pointer for that: it may have no rows.
// CHECK:         gnn_plan.symbol rows.0 index_rows of "i"
// CHECK-NOT:     index_segments
// CHECK:         make_graph in(%i) {{.*}} edges(rows.0) form "scatter"
module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func @prepare(%i: tensor<?xi64> {gnn.index = "i"}) -> !gnn.graph<5x?x?> {
    %g = gnn.index_graph scatter %i : tensor<?xi64> -> !gnn.graph<5x?x?>
    return %g : !gnn.graph<5x?x?>
  }
  func.func @forward(%i: tensor<?xi64> {gnn.index = "i"}, %g: !gnn.graph<5x?x?> {gnn.prepared = 0}) { return }
}
