// RUN: gnn-opt %s --gnn-build-plan | FileCheck %s
// RUN: gnn-opt %s --gnn-build-plan="mode=reduce-overhead dynamic=auto" | FileCheck %s --check-prefix=MODE

// MODE: gnn_plan.program @program target(<cuda, "sm_90">) attributes {dynamic = "auto", mode = "reduce-overhead"}

// Kernels that follow edges share a partition of the rows for each graph, chunk
// and order: two of forward one, the one with another chunk its own. A kernel of
// prepare that follows edges has it before its launch.
// CHECK-LABEL: gnn_plan.program @program target(<cuda, "sm_90">) {
// CHECK:        gnn_plan.symbol items.0 prepare bound(e ceildiv 64 + n)
// CHECK-NEXT:   gnn_plan.symbol splits.0 prepare bound(e ceildiv 64)
// CHECK-NEXT:   gnn_plan.symbol slots.0 prepare bound(2*(e ceildiv 64))
// CHECK-NEXT:   gnn_plan.symbol items.1 prepare bound(e ceildiv 128 + n)
// CHECK-NEXT:   gnn_plan.symbol splits.1 prepare bound(e ceildiv 128)
// CHECK-NEXT:   gnn_plan.symbol slots.1 prepare bound(2*(e ceildiv 128))
// CHECK-NOT:    gnn_plan.symbol
// CHECK:        %edge_weight = gnn_plan.buffer graph_data "edge_weight" f32[e]
// CHECK:        %csr.rowptr = gnn_plan.buffer transient "csr.rowptr" i32[n + 1]
// CHECK-NEXT:   %csr.col = gnn_plan.buffer persistent "csr.col" i32[e]
// CHECK-NEXT:   %csr.edges = gnn_plan.buffer persistent "csr.edges" f32[e]
// CHECK-NEXT:   %degree = gnn_plan.buffer persistent "degree" f32[n]
// CHECK-NEXT:   %items.0 = gnn_plan.buffer transient "items.0" i32[items.0, 4]
// CHECK-NEXT:   %splits.0 = gnn_plan.buffer transient "splits.0" i32[splits.0, 4]
// CHECK-NEXT:   %degree.partial = gnn_plan.buffer transient "degree.partial" i8[slots.0, 4]
// CHECK-NEXT:   %x = gnn_plan.buffer input "x" f32[n, 16]
// CHECK-NEXT:   %y = gnn_plan.buffer output "y" f32[n, 16]
// CHECK-NEXT:   %sum = gnn_plan.buffer transient "sum" f32[n, 16]
// CHECK-NEXT:   %items.1 = gnn_plan.buffer persistent "items.1" i32[items.1, 4]
// CHECK-NEXT:   %splits.1 = gnn_plan.buffer persistent "splits.1" i32[splits.1, 4]
// CHECK-NEXT:   %sum.partial = gnn_plan.buffer transient "sum.partial" i8[slots.1, 64]
// CHECK-NEXT:   %sum.1 = gnn_plan.buffer transient "sum.1" f32[n, 16]
// CHECK-NEXT:   %sum.partial.1 = gnn_plan.buffer transient "sum.partial.1" i8[slots.1, 64]
// CHECK-NEXT:   gnn_plan.guard equal(m - n) limit 0
// CHECK-NEXT:   gnn_plan.guard max(n) limit 2147483647 "destination nodes fit 32-bit indices"
// CHECK-NEXT:   gnn_plan.guard max(e) limit 2147483647 "edges fit 32-bit indices"
// CHECK-NEXT:   gnn_plan.prepare {
// CHECK-NEXT:     gnn_plan.graph_call to_csr in(%src, %dst, %edge_weight) out(%csr.rowptr, %csr.col, %csr.edges) nodes(n, n) edges(e)
// CHECK-NEXT:     gnn_plan.graph_call partition_rows in(%csr.rowptr) out(%items.0, %splits.0) nodes(n, n) edges(e) sets(items.0, splits.0, slots.0) chunk 64 order "row"
// CHECK-NEXT:     gnn_plan.launch @degree(%items.0, %csr.edges, out %degree, out %degree.partial, items.0) grid[items.0 ceildiv 128, 1, 1] block 128
// CHECK-NEXT:     gnn_plan.launch @degree_merge(%splits.0, %csr.edges, out %degree, %degree.partial, splits.0) grid[splits.0, 1, 1] block 32{{$}}
// CHECK-NEXT:     gnn_plan.graph_call partition_rows in(%csr.rowptr) out(%items.1, %splits.1) nodes(n, n) edges(e) sets(items.1, splits.1, slots.1) chunk 128 order "longest"
// CHECK-NEXT:   }
// CHECK-NEXT:   gnn_plan.forward {
// CHECK-NEXT:     gnn_plan.launch @sum(%items.1, %csr.col, %x, %csr.edges, out %sum, out %sum.partial, items.1) grid[items.1 ceildiv 16, 1, 1] block 128
// CHECK-NEXT:     gnn_plan.launch @sum_merge(%splits.1, %csr.col, %x, %csr.edges, out %sum, %sum.partial, splits.1) grid[splits.1, 1, 1] block 32{{$}}
// CHECK-NEXT:     gnn_plan.launch @sum(%items.1, %csr.col, %sum, %csr.edges, out %sum.1, out %sum.partial.1, items.1) grid[items.1 ceildiv 16, 1, 1] block 128
// CHECK-NEXT:     gnn_plan.launch @sum_merge(%splits.1, %csr.col, %sum, %csr.edges, out %sum.1, %sum.partial.1, splits.1) grid[splits.1, 1, 1] block 32{{$}}
// CHECK-NEXT:     gnn_plan.launch @scale(%sum.1, %degree, out %y, n) grid[n ceildiv 16, 1, 1] block 128 bytes(132*n) flops(16*n)
// CHECK-NEXT:   }
module attributes {gnn.target = #gnn.target<cuda, "sm_90">} {
  func.func private @degree(%g: !gnn.graph<?x?x?, i32, csr>, %w: tensor<?xf32>) -> tensor<?xf32> attributes {gnn.kernel = "aggregate"} {
    %d = gnn.aggregate %g edge(%w : tensor<?xf32>) reduce [sum] acc f32
        schedule(#gnn.gpu_schedule<chunk = 64, group = 1, vector = 1, regs = 1, unroll = 4, block = 128, order = row>) : !gnn.graph<?x?x?, i32, csr> -> tensor<?xf32> message {
    ^bb0(%x: f32):
      gnn.yield %x : f32
    }
    return %d : tensor<?xf32>
  }
  func.func private @sum(%g: !gnn.graph<?x?x?, i32, csr>, %h: tensor<?x16xf32>, %w: tensor<?xf32>) -> tensor<?x16xf32> attributes {gnn.kernel = "aggregate"} {
    %o = gnn.aggregate %g src(%h : tensor<?x16xf32>) edge(%w : tensor<?xf32>) reduce [sum] acc f32
        schedule(#gnn.gpu_schedule<chunk = 128, group = 8, vector = 4, regs = 1, unroll = 4, block = 128, order = longest>) : !gnn.graph<?x?x?, i32, csr> -> tensor<?x16xf32> message {
    ^bb0(%x: vector<16xf32>, %c: f32):
      %cv = vector.broadcast %c : f32 to vector<16xf32>
      %m = arith.mulf %x, %cv : vector<16xf32>
      gnn.yield %m : vector<16xf32>
    }
    return %o : tensor<?x16xf32>
  }
  func.func private @scale(%h: tensor<?x16xf32>, %d: tensor<?xf32>) -> tensor<?x16xf32> attributes {gnn.kernel = "map"} {
    %o = gnn.map rows(%h, %d : tensor<?x16xf32>, tensor<?xf32>)
        schedule(#gnn.gpu_schedule<chunk = 128, group = 8, vector = 4, regs = 1, unroll = 4, block = 128, order = row>) -> tensor<?x16xf32> {
    ^bb0(%x: vector<16xf32>, %c: f32):
      %cv = vector.broadcast %c : f32 to vector<16xf32>
      %m = arith.mulf %x, %cv : vector<16xf32>
      gnn.yield %m : vector<16xf32>
    }
    return %o : tensor<?x16xf32>
  }
  func.func @prepare(%g: !gnn.graph<?x?x?>, %w: tensor<?xf32> {gnn.graph_data = "edge_weight"}) -> (!gnn.graph<?x?x?, i32, csr>, tensor<?xf32>, tensor<?xf32>) {
    %csr, %cw = gnn.to_csr %g edges(%w : tensor<?xf32>) : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>, tensor<?xf32>
    %d = call @degree(%csr, %cw) : (!gnn.graph<?x?x?, i32, csr>, tensor<?xf32>) -> tensor<?xf32>
    return %csr, %cw, %d : !gnn.graph<?x?x?, i32, csr>, tensor<?xf32>, tensor<?xf32>
  }
  func.func @forward(%x: tensor<?x16xf32> {gnn.input = "x"},
                     %csr: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64},
                     %w: tensor<?xf32> {gnn.prepared = 1 : i64},
                     %d: tensor<?xf32> {gnn.prepared = 2 : i64}) -> (tensor<?x16xf32> {gnn.output = "y"}) {
    %a = call @sum(%csr, %x, %w) : (!gnn.graph<?x?x?, i32, csr>, tensor<?x16xf32>, tensor<?xf32>) -> tensor<?x16xf32>
    %b = call @sum(%csr, %a, %w) : (!gnn.graph<?x?x?, i32, csr>, tensor<?x16xf32>, tensor<?xf32>) -> tensor<?x16xf32>
    %c = call @scale(%b, %d) : (tensor<?x16xf32>, tensor<?xf32>) -> tensor<?x16xf32>
    return %c : tensor<?x16xf32>
  }
}
