// RUN: gnn-opt %s --gnn-build-plan | FileCheck %s
// RUN: gnn-opt %s --gnn-build-plan | gnn-opt | FileCheck %s

// A two-layer GCN on the host. Row counts follow from use: x is multiplied, the
// product aggregated, so x has a row for each source node, and self loops make
// sources and destinations the same.
// CHECK-LABEL: module @gcn
// CHECK:      gnn_plan.program @gcn target(<cpu, "x86-64-v4">) {
// CHECK-NEXT:   gnn_plan.symbol n graph_dst
// CHECK-NEXT:   gnn_plan.symbol m graph_src
// CHECK-NEXT:   gnn_plan.symbol e graph_edges
// CHECK-NEXT:   gnn_plan.symbol e.loops prepare bound(e + n)
// CHECK-NEXT:   %src = gnn_plan.buffer graph_index "src" i64[e]
// CHECK-NEXT:   %dst = gnn_plan.buffer graph_index "dst" i64[e]
// CHECK-NEXT:   %loops.src = gnn_plan.buffer transient "loops.src" i64[e.loops]
// CHECK-NEXT:   %loops.dst = gnn_plan.buffer transient "loops.dst" i64[e.loops]
// CHECK-NEXT:   %csr.rowptr = gnn_plan.buffer persistent "csr.rowptr" i32[n + 1]
// CHECK-NEXT:   %csr.col = gnn_plan.buffer persistent "csr.col" i32[e.loops]
// CHECK-NEXT:   %degree = gnn_plan.buffer transient "degree" f32[n]
// CHECK-NEXT:   %norm = gnn_plan.buffer persistent "norm" f32[e.loops]
// CHECK-NEXT:   %x = gnn_plan.buffer input "x" f32[n, 1433]
// CHECK-NEXT:   %convs.0.lin.weight = gnn_plan.buffer weight "convs.0.lin.weight" f32[16, 1433]
// CHECK-NEXT:   %convs.0.bias = gnn_plan.buffer weight "convs.0.bias" f32[16]
// CHECK-NEXT:   %convs.1.lin.weight = gnn_plan.buffer weight "convs.1.lin.weight" f32[7, 16]
// CHECK-NEXT:   %convs.1.bias = gnn_plan.buffer weight "convs.1.bias" f32[7]
// CHECK-NEXT:   %out = gnn_plan.buffer output "out" f32[n, 7]
// CHECK-NEXT:   %gemm_0 = gnn_plan.buffer transient "gemm_0" f32[n, 16]
// CHECK-NEXT:   %aggregate_0 = gnn_plan.buffer transient "aggregate_0" f32[n, 16]
// CHECK-NEXT:   %gemm_1 = gnn_plan.buffer transient "gemm_1" f32[n, 7]
// CHECK-NEXT:   gnn_plan.guard equal(m - n) limit 0 "the program needs as many source nodes as destination nodes"
// CHECK-NEXT:   gnn_plan.guard max(n) limit 2147483647 "destination nodes fit 32-bit indices"
// CHECK-NEXT:   gnn_plan.guard max(e + n) limit 2147483647 "edges with self loops fit 32-bit indices"
// CHECK-NEXT:   gnn_plan.prepare {
// CHECK-NEXT:     gnn_plan.graph_call add_self_loops in(%src, %dst) out(%loops.src, %loops.dst) nodes(n, n) edges(e) sets(e.loops) fill 1.000000e+00
// CHECK-NEXT:     gnn_plan.graph_call to_csr in(%loops.src, %loops.dst) out(%csr.rowptr, %csr.col) nodes(n, n) edges(e.loops)
// CHECK-NEXT:     gnn_plan.launch @degree(%csr.rowptr, out %degree) items(n) balance(%csr.rowptr) bytes(8*n + 4) flops(e.loops + n)
// CHECK-NEXT:     gnn_plan.launch @norm(%csr.rowptr, %csr.col, %degree, out %norm) items(n) balance(%csr.rowptr) bytes(12*e.loops + 8*n + 4) flops(e.loops)
// CHECK-NEXT:   }
// CHECK-NEXT:   gnn_plan.forward {
// CHECK-NEXT:     gnn_plan.gemm %gemm_0 = %x, %convs.0.lin.weight transpose_b{{$}}
// CHECK-NEXT:     gnn_plan.launch @aggregate_0(%csr.rowptr, %csr.col, %gemm_0, %norm, %convs.0.bias, out %aggregate_0) items(n) balance(%csr.rowptr) bytes(72*e.loops + 68*n + 68) flops(32*e.loops + 32*n)
// CHECK-NEXT:     gnn_plan.gemm %gemm_1 = %aggregate_0, %convs.1.lin.weight transpose_b{{$}}
// CHECK-NEXT:     gnn_plan.launch @aggregate_1(%csr.rowptr, %csr.col, %gemm_1, %norm, %convs.1.bias, out %out) items(n) balance(%csr.rowptr)
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-NOT:  @gemm_
// CHECK-NOT:  @prepare
// CHECK-NOT:  @forward
// CHECK:      func.func private @aggregate_0
module @gcn attributes {gnn.target = #gnn.target<cpu, "x86-64-v4">} {
  func.func private @degree(%g: !gnn.graph<?x?x?, i32, csr>) -> tensor<?xf32> attributes {gnn.kernel = "aggregate"} {
    %d = gnn.aggregate %g reduce [sum] acc f32 schedule(#gnn.cpu_schedule<tile = 16, prefetch = 8>) : !gnn.graph<?x?x?, i32, csr> -> tensor<?xf32> message {
      %one = arith.constant 1.0 : f32
      gnn.yield %one : f32
    } epilogue {
    ^bb0(%sum: f32):
      %rs = math.rsqrt %sum : f32
      gnn.yield %rs : f32
    }
    return %d : tensor<?xf32>
  }
  func.func private @norm(%g: !gnn.graph<?x?x?, i32, csr>, %d: tensor<?xf32>) -> tensor<?xf32> attributes {gnn.kernel = "map"} {
    %n = gnn.map over %g : !gnn.graph<?x?x?, i32, csr> src(%d : tensor<?xf32>) dst(%d : tensor<?xf32>) schedule(#gnn.cpu_schedule<tile = 16, prefetch = 8>) -> tensor<?xf32> {
    ^bb0(%s: f32, %t: f32):
      %p = arith.mulf %s, %t : f32
      gnn.yield %p : f32
    }
    return %n : tensor<?xf32>
  }
  func.func private @gemm_0(%x: tensor<?x1433xf32>, %w: tensor<16x1433xf32>) -> tensor<?x16xf32> attributes {gnn.kernel = "gemm"} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %n = tensor.dim %x, %c0 : tensor<?x1433xf32>
    %init = tensor.empty(%n) : tensor<?x16xf32>
    %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<?x16xf32>) -> tensor<?x16xf32>
    %h = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>]
        ins(%x, %w : tensor<?x1433xf32>, tensor<16x1433xf32>) outs(%zeros : tensor<?x16xf32>) -> tensor<?x16xf32>
    return %h : tensor<?x16xf32>
  }
  func.func private @aggregate_0(%g: !gnn.graph<?x?x?, i32, csr>, %h: tensor<?x16xf32>, %w: tensor<?xf32>, %b: tensor<16xf32>) -> tensor<?x16xf32> attributes {gnn.kernel = "aggregate"} {
    %o = gnn.aggregate %g src(%h : tensor<?x16xf32>) edge(%w : tensor<?xf32>) param(%b : tensor<16xf32>)
        reduce [sum] acc f32 schedule(#gnn.cpu_schedule<tile = 16, prefetch = 8>) : !gnn.graph<?x?x?, i32, csr> -> tensor<?x16xf32> message {
    ^bb0(%x: vector<16xf32>, %c: f32, %bias: vector<16xf32>):
      %cv = vector.broadcast %c : f32 to vector<16xf32>
      %m = arith.mulf %x, %cv : vector<16xf32>
      gnn.yield %m : vector<16xf32>
    } epilogue {
    ^bb0(%sum: vector<16xf32>, %bias: vector<16xf32>):
      %zero = arith.constant dense<0.0> : vector<16xf32>
      %y = arith.addf %sum, %bias : vector<16xf32>
      %r = arith.maximumf %y, %zero : vector<16xf32>
      gnn.yield %r : vector<16xf32>
    }
    return %o : tensor<?x16xf32>
  }
  func.func private @gemm_1(%x: tensor<?x16xf32>, %w: tensor<7x16xf32>) -> tensor<?x7xf32> attributes {gnn.kernel = "gemm"} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %n = tensor.dim %x, %c0 : tensor<?x16xf32>
    %init = tensor.empty(%n) : tensor<?x7xf32>
    %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<?x7xf32>) -> tensor<?x7xf32>
    %h = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>]
        ins(%x, %w : tensor<?x16xf32>, tensor<7x16xf32>) outs(%zeros : tensor<?x7xf32>) -> tensor<?x7xf32>
    return %h : tensor<?x7xf32>
  }
  func.func private @aggregate_1(%g: !gnn.graph<?x?x?, i32, csr>, %h: tensor<?x7xf32>, %w: tensor<?xf32>, %b: tensor<7xf32>) -> tensor<?x7xf32> attributes {gnn.kernel = "aggregate"} {
    %o = gnn.aggregate %g src(%h : tensor<?x7xf32>) edge(%w : tensor<?xf32>) param(%b : tensor<7xf32>)
        reduce [sum] acc f32 schedule(#gnn.cpu_schedule<tile = 16, prefetch = 8>) : !gnn.graph<?x?x?, i32, csr> -> tensor<?x7xf32> message {
    ^bb0(%x: vector<7xf32>, %c: f32, %bias: vector<7xf32>):
      %cv = vector.broadcast %c : f32 to vector<7xf32>
      %m = arith.mulf %x, %cv : vector<7xf32>
      gnn.yield %m : vector<7xf32>
    } epilogue {
    ^bb0(%sum: vector<7xf32>, %bias: vector<7xf32>):
      %y = arith.addf %sum, %bias : vector<7xf32>
      gnn.yield %y : vector<7xf32>
    }
    return %o : tensor<?x7xf32>
  }
  func.func @prepare(%g: !gnn.graph<?x?x?>) -> (!gnn.graph<?x?x?, i32, csr>, tensor<?xf32>) {
    %loops = gnn.add_self_loops %g fill 1.0 : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
    %csr = gnn.to_csr %loops : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>
    %d = call @degree(%csr) : (!gnn.graph<?x?x?, i32, csr>) -> tensor<?xf32>
    %norm = call @norm(%csr, %d) : (!gnn.graph<?x?x?, i32, csr>, tensor<?xf32>) -> tensor<?xf32>
    return %csr, %norm : !gnn.graph<?x?x?, i32, csr>, tensor<?xf32>
  }
  func.func @forward(%x: tensor<?x1433xf32> {gnn.input = "x"},
                     %w0: tensor<16x1433xf32> {gnn.weight = "convs.0.lin.weight"},
                     %b0: tensor<16xf32> {gnn.weight = "convs.0.bias"},
                     %w1: tensor<7x16xf32> {gnn.weight = "convs.1.lin.weight"},
                     %b1: tensor<7xf32> {gnn.weight = "convs.1.bias"},
                     %csr: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64},
                     %norm: tensor<?xf32> {gnn.prepared = 1 : i64}) -> (tensor<?x7xf32> {gnn.output = "out"}) {
    %h0 = call @gemm_0(%x, %w0) : (tensor<?x1433xf32>, tensor<16x1433xf32>) -> tensor<?x16xf32>
    %a0 = call @aggregate_0(%csr, %h0, %norm, %b0) : (!gnn.graph<?x?x?, i32, csr>, tensor<?x16xf32>, tensor<?xf32>, tensor<16xf32>) -> tensor<?x16xf32>
    %h1 = call @gemm_1(%a0, %w1) : (tensor<?x16xf32>, tensor<7x16xf32>) -> tensor<?x7xf32>
    %a1 = call @aggregate_1(%csr, %h1, %norm, %b1) : (!gnn.graph<?x?x?, i32, csr>, tensor<?x7xf32>, tensor<?xf32>, tensor<7xf32>) -> tensor<?x7xf32>
    return %a1 : tensor<?x7xf32>
  }
}
