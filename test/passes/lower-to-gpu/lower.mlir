// RUN: gnn-opt %s --gnn-lower-to-gpu | FileCheck %s
// RUN: gnn-opt %s --gnn-lower-to-gpu --gnn-lower-to-gpu | FileCheck %s

module attributes {gnn.target = #gnn.target<cuda, "sm_90">} {
  // CHECK: gpu.module @kernels

  // Items in, partial sums of split rows out; four edges' loads before the first
  // use; 16-byte read-only loads.
  // CHECK-LABEL: gpu.func @weighted_sum(
  // CHECK-SAME:    kernel attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.minctasm = 1 : i32}
  // CHECK:         %[[REC:.*]] = llvm.load %{{.*}} invariant {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
  // CHECK:         %[[MAIN:.*]] = scf.for
  // CHECK-COUNT-4:   llvm.load %{{.*}} invariant {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
  // CHECK:           arith.mulf
  // The rest is one block too; what is beyond the end is dropped.
  // CHECK:         %[[SUM:.*]] = scf.if
  // CHECK-COUNT-2:   arith.minsi
  // CHECK-COUNT-2:   arith.select
  // CHECK:         } else {
  // CHECK:           scf.yield %[[MAIN]]
  // CHECK:         scf.if
  // CHECK:           llvm.store %[[SUM]], %{{.*}} {alignment = 16 : i64}
  // CHECK:         } else {
  // CHECK:           llvm.store %[[SUM]], %{{.*}} {alignment = 16 : i64}
  // The merge adds the parts in order.
  // CHECK-LABEL: gpu.func @weighted_sum_merge(
  // CHECK-SAME:    kernel attributes {known_block_size = array<i32: 32, 1, 1>, nvvm.minctasm = 1 : i32}
  // CHECK:         scf.for
  // CHECK-COUNT-8:   arith.addf
  func.func private @weighted_sum(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x64xf32>, %w: tensor<?xf32>) -> tensor<?x64xf32> attributes {gnn.kernel = "aggregate"} {
    %s = gnn.aggregate %g src(%x : tensor<?x64xf32>) edge(%w : tensor<?xf32>) reduce [sum] acc f32 schedule(#gnn.gpu_schedule<chunk = 128, group = 16, vector = 4, regs = 1, unroll = 4, block = 128, order = longest>) : !gnn.graph<?x?x?, i32, csr> -> tensor<?x64xf32> message {
    ^bb0(%r: vector<64xf32>, %c: f32):
      %b = vector.broadcast %c : f32 to vector<64xf32>
      %m = arith.mulf %r, %b : vector<64xf32>
      gnn.yield %m : vector<64xf32>
    }
    return %s : tensor<?x64xf32>
  }

  // Two tiles of 32 features: the tile is the slow grid axis. No edges, no merge.
  // CHECK-LABEL: gpu.func @rows(
  // CHECK:         gpu.block_id y
  // CHECK-NOT:   @rows_merge
  func.func private @rows(%x: tensor<?x64xf32>) -> tensor<?x64xf32> attributes {gnn.kernel = "map"} {
    %s = gnn.map rows(%x : tensor<?x64xf32>) schedule(#gnn.gpu_schedule<chunk = 128, group = 8, vector = 4, regs = 1, unroll = 4, block = 128, order = row>) -> tensor<?x64xf32> {
    ^bb0(%r: vector<64xf32>):
      %y = math.absf %r : vector<64xf32>
      gnn.yield %y : vector<64xf32>
    }
    return %s : tensor<?x64xf32>
  }
}
