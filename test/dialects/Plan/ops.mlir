// RUN: gnn-opt %s | gnn-opt | FileCheck %s
// RUN: gnn-opt %s --mlir-print-op-generic | gnn-opt | FileCheck %s

// A one-layer GCN on the host, as gnn-build-plan and gnn-plan-memory write it.
// CHECK-LABEL: gnn_plan.program @host target(<cpu, "x86-64-v4">) {
gnn_plan.program @host target(<cpu, "x86-64-v4">) {
  // CHECK-NEXT: gnn_plan.symbol n graph_dst
  gnn_plan.symbol n graph_dst
  // CHECK-NEXT: gnn_plan.symbol m graph_src
  gnn_plan.symbol m graph_src
  // CHECK-NEXT: gnn_plan.symbol e graph_edges
  gnn_plan.symbol e graph_edges
  // CHECK-NEXT: gnn_plan.symbol e.loops prepare bound(e + n)
  gnn_plan.symbol e.loops prepare bound(n + e)
  // CHECK-NEXT: %src = gnn_plan.buffer graph_index "src" i64[e]
  %src = gnn_plan.buffer graph_index "src" i64[e]
  %dst = gnn_plan.buffer graph_index "dst" i64[e]
  // CHECK: %x = gnn_plan.buffer input "x" f32[n, 1433]
  %x = gnn_plan.buffer input "x" f32[n, 1433]
  // CHECK-NEXT: %convs.0.lin.weight = gnn_plan.buffer weight "convs.0.lin.weight" f32[16, 1433]
  %w = gnn_plan.buffer weight "convs.0.lin.weight" f32[16, 1433]
  %b = gnn_plan.buffer weight "convs.0.bias" f32[16]
  %src1 = gnn_plan.buffer transient "src1" i64[e.loops] at(0)
  // CHECK: at(256*(e ceildiv 32) + 256*(n ceildiv 32))
  %dst1 = gnn_plan.buffer transient "dst1" i64[e.loops] at(256 * (8 * e ceildiv 256) + 256 * (8*n ceildiv 256))
  // CHECK: %rowptr = gnn_plan.buffer persistent "rowptr" i32[n + 1]
  %rowptr = gnn_plan.buffer persistent "rowptr" i32[n + 1]
  %col = gnn_plan.buffer persistent "col" i32[e.loops]
  %out = gnn_plan.buffer output "out" f32[n, 16]
  // CHECK: %h = gnn_plan.buffer transient "h" f32[n, 16] at(0)
  %h = gnn_plan.buffer transient "h" f32[n, 16] at(0)
  // CHECK: gnn_plan.guard max(e + n) limit 2147483647 "edges with self loops fit 32-bit indices"
  gnn_plan.guard max(e + n) limit 2147483647 "edges with self loops fit 32-bit indices"
  // CHECK: gnn_plan.prepare arena(16*e + 16*n) {
  gnn_plan.prepare arena(16*e + 16*n) {
    // CHECK-NEXT: gnn_plan.graph_call add_self_loops in(%src, %dst) out(%src1, %dst1) nodes(n, m) edges(e) sets(e.loops) fill 1.000000e+00
    gnn_plan.graph_call add_self_loops in(%src, %dst) out(%src1, %dst1) nodes(n, m) edges(e) sets(e.loops) fill 1.0
    // CHECK-NEXT: gnn_plan.graph_call to_csr in(%src1, %dst1) out(%rowptr, %col) nodes(n, m) edges(e.loops)
    gnn_plan.graph_call to_csr in(%src1, %dst1) out(%rowptr, %col) nodes(n, m) edges(e.loops)
  }
  // CHECK: gnn_plan.forward arena(64*n) {
  gnn_plan.forward arena(64*n) {
    // CHECK-NEXT: gnn_plan.gemm %h = %x, %convs.0.lin.weight transpose_b bias(%convs.0.bias) activation relu
    gnn_plan.gemm %h = %x, %w transpose_b bias(%b) activation relu
    // CHECK-NEXT: gnn_plan.launch @aggregate_0(%rowptr, %col, %h, out %out, n) items(n) balance(%rowptr) flops(4*n) schedule(#gnn.cpu_schedule<tile = 64, prefetch = 4>)
    gnn_plan.launch @aggregate_0(%rowptr, %col, %h, out %out, n) items(n) balance(%rowptr) flops(4*n) schedule(#gnn.cpu_schedule<tile = 64, prefetch = 4>)
  }
}

// CHECK-LABEL: gnn_plan.program @device target(<cuda, "sm_90">) attributes {dynamic = "false", mode = "reduce-overhead"}
gnn_plan.program @device target(<cuda, "sm_90">) attributes {mode = "reduce-overhead", dynamic = "false"} {
  gnn_plan.symbol n graph_dst
  gnn_plan.symbol m graph_src
  gnn_plan.symbol e graph_edges
  // CHECK: gnn_plan.symbol items.0 prepare bound(e floordiv 128 + n)
  gnn_plan.symbol items.0 prepare bound(n + e floordiv 128)
  gnn_plan.symbol splits.0 prepare bound(e floordiv 128)
  // CHECK: gnn_plan.symbol slots.0 prepare bound(2*(e floordiv 128))
  gnn_plan.symbol k prepare bound(e)
  gnn_plan.symbol l prepare bound(e + n)
  gnn_plan.symbol slots.0 prepare bound(2 * (e floordiv 128))
  %src = gnn_plan.buffer graph_index "src" i32[e]
  %dst = gnn_plan.buffer graph_index "dst" i32[e]
  %x = gnn_plan.buffer input "x" bf16[m, 64]
  %y = gnn_plan.buffer output "y" bf16[n, 64]
  %w = gnn_plan.buffer weight "w" bf16[64, 64]
  %wh = gnn_plan.buffer weight "wh" bf16[32, 64]
  %rowptr = gnn_plan.buffer persistent "rowptr" i32[n + 1]
  %col = gnn_plan.buffer persistent "col" i32[e]
  %part = gnn_plan.buffer persistent "part" bf16[64, 32]
  %turned = gnn_plan.buffer persistent "turned" bf16[32, 64]
  %ks = gnn_plan.buffer persistent "ks" i32[k]
  %kd = gnn_plan.buffer persistent "kd" i32[k]
  %ls = gnn_plan.buffer persistent "ls" i32[l]
  %ld = gnn_plan.buffer persistent "ld" i32[l]
  %items = gnn_plan.buffer persistent "items" i32[items.0, 4]
  %splits = gnn_plan.buffer persistent "splits" i32[splits.0, 4]
  // CHECK: gnn_plan.buffer transient "flags" i8[slots.0] at(0) zeroed
  %flags = gnn_plan.buffer transient "flags" i8[slots.0] at(0) zeroed
  // CHECK: gnn_plan.buffer transient "h" bf16[m, 64] at(256*((slots.0 + 128) floordiv 256))
  %h = gnn_plan.buffer transient "h" bf16[m, 64] at(256 * ((slots.0 + 128) floordiv 256))
  %r = gnn_plan.buffer transient "r" bf16[m, 64]
  // CHECK: gnn_plan.guard equal(-m + n) limit 0 "x is square"
  gnn_plan.guard equal(n - m) limit 0 "x is square"
  gnn_plan.prepare {
    gnn_plan.graph_call to_csr in(%src, %dst) out(%rowptr, %col) nodes(n, m) edges(e)
    // CHECK: gnn_plan.graph_call slice in(%w) out(%part) nodes(0, 0) edges(0) offsets [0, 32] sizes [64, 32]
    gnn_plan.graph_call slice in(%w) out(%part) nodes(0, 0) edges(0) offsets [0, 32] sizes [64, 32]
    // CHECK: gnn_plan.graph_call transpose_matrix in(%part) out(%turned) nodes(0, 0) edges(0)
    gnn_plan.graph_call transpose_matrix in(%part) out(%turned) nodes(0, 0) edges(0)
    // CHECK: gnn_plan.graph_call remove_self_loops in(%src, %dst) out(%ks, %kd) nodes(n, m) edges(e) sets(k)
    gnn_plan.graph_call remove_self_loops in(%src, %dst) out(%ks, %kd) nodes(n, m) edges(e) sets(k)
    // CHECK: gnn_plan.graph_call append_self_loops in(%src, %dst) out(%ls, %ld) nodes(n, m) edges(e) sets(l)
    gnn_plan.graph_call append_self_loops in(%src, %dst) out(%ls, %ld) nodes(n, m) edges(e) sets(l)
    // CHECK: gnn_plan.graph_call partition_rows in(%rowptr) out(%items, %splits) nodes(n, m) edges(e) sets(items.0, splits.0, slots.0) chunk 128 order "longest"
    gnn_plan.graph_call partition_rows in(%rowptr) out(%items, %splits) nodes(n, m) edges(e) sets(items.0, splits.0, slots.0) chunk 128 order "longest"
  }
  gnn_plan.forward {
    // CHECK: gnn_plan.gemm %h = %x, %w precision bf16
    gnn_plan.gemm %h = %x, %w precision bf16
    // CHECK-NEXT: gnn_plan.gemm %h = %x, %w residual(%r) activation relu
    gnn_plan.gemm %h = %x, %w residual(%r) activation relu
    // CHECK-NEXT: gnn_plan.gemm %h = %x, %wh heads 2 beside residual(%r)
    gnn_plan.gemm %h = %x, %wh heads 2 beside residual(%r)
    // CHECK-NEXT: gnn_plan.launch @aggregate_0(%items, %col, %h, %flags, out %y, items.0, 64) grid[items.0 ceildiv 16, 2, 1] block 128 shared 4096
    gnn_plan.launch @aggregate_0(%items, %col, %h, %flags, out %y, items.0, 64) grid[items.0 ceildiv 16, 2, 1] block 128 shared 4096
  }
}
