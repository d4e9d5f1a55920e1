// Tiles whose place depends on the graph: the kernel is told how many sources there are.
// RUN: gnn-opt %s --gnn-build-plan | FileCheck %s

// CHECK:      gnn_plan.graph_call partition_rows {{.*}} chunk 128 order "windows"
// CHECK:      gnn_plan.launch @by_size(%items.0, %csr.col, %x, out %by_size, out %by_size.partial, n, items.0) grid[items.0 ceildiv 16, 4, 1]
// CHECK-NEXT: gnn_plan.launch @by_size_merge(%splits.0, %csr.col, %x, out %by_size, %by_size.partial, splits.0) grid[splits.0, 4, 1]
// CHECK:      gnn_plan.launch @outer(%items.0, %csr.col, %by_size, out %y, out %outer.partial, items.0) grid[items.0 ceildiv 16, 4, 1]
module attributes {gnn.target = #gnn.target<cuda, "sm_90">} {
  func.func private @by_size(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x128xf32>) -> tensor<?x128xf32> attributes {gnn.kernel = "aggregate"} {
    %s = gnn.aggregate %g src(%x : tensor<?x128xf32>) reduce [sum] acc f32 schedule(#gnn.gpu_schedule<chunk = 128, group = 8, vector = 4, regs = 1, unroll = 4, block = 128, order = windows>) : !gnn.graph<?x?x?, i32, csr> -> tensor<?x128xf32> message {
    ^bb0(%r: vector<128xf32>):
      gnn.yield %r : vector<128xf32>
    }
    return %s : tensor<?x128xf32>
  }
  func.func private @outer(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x128xf32>) -> tensor<?x128xf32> attributes {gnn.kernel = "aggregate"} {
    %s = gnn.aggregate %g src(%x : tensor<?x128xf32>) reduce [max] acc f32 schedule(#gnn.gpu_schedule<chunk = 128, group = 8, vector = 4, regs = 1, unroll = 4, block = 128, order = windows, tiles = outer>) : !gnn.graph<?x?x?, i32, csr> -> tensor<?x128xf32> message {
    ^bb0(%r: vector<128xf32>):
      gnn.yield %r : vector<128xf32>
    }
    return %s : tensor<?x128xf32>
  }
  func.func @prepare(%g: !gnn.graph<?x?x?>) -> !gnn.graph<?x?x?, i32, csr> {
    %csr = gnn.to_csr %g : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>
    return %csr : !gnn.graph<?x?x?, i32, csr>
  }
  func.func @forward(%x: tensor<?x128xf32> {gnn.input = "x"}, %csr: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64}) -> (tensor<?x128xf32> {gnn.output = "y"}) {
    %a = call @by_size(%csr, %x) : (!gnn.graph<?x?x?, i32, csr>, tensor<?x128xf32>) -> tensor<?x128xf32>
    %b = call @outer(%csr, %a) : (!gnn.graph<?x?x?, i32, csr>, tensor<?x128xf32>) -> tensor<?x128xf32>
    return %b : tensor<?x128xf32>
  }
}
