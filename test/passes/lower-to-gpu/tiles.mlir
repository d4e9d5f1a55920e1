// Where the tiles of a row lie in the grid.
// RUN: gnn-opt %s --gnn-lower-to-gpu | FileCheck %s

module attributes {gnn.target = #gnn.target<cuda, "sm_90">} {
  // Rows of 512 bytes in four tiles: far apart from 78125 sources (all rows leave the
  // cache) to 312500 (a slice does), else side by side; the grid is the same.
  // CHECK-LABEL: gpu.func @by_size(
  // CHECK-SAME:    %[[SOURCES:[a-z0-9]+]]: i64, %{{[a-z0-9]+}}: i64) kernel
  // CHECK-DAG:     %[[LEAST:.*]] = arith.constant 78125 : i64
  // CHECK-DAG:     %[[MOST:.*]] = arith.constant 312500 : i64
  // CHECK-DAG:     %[[ABOVE:.*]] = arith.cmpi slt, %[[LEAST]], %[[SOURCES]] : i64
  // CHECK-DAG:     %[[BELOW:.*]] = arith.cmpi sle, %[[SOURCES]], %[[MOST]] : i64
  // CHECK:         %[[OUTER:.*]] = arith.andi %[[ABOVE]], %[[BELOW]] : i1
  // CHECK:         gpu.grid_dim x
  // CHECK:         %[[ITEM:.*]] = arith.divui %[[GROUP:.*]], %{{.*}} : i64
  // CHECK:         arith.remui %[[GROUP]], %{{.*}} : i64
  // CHECK-COUNT-2: arith.select %[[OUTER]], %{{.*}} : i32
  // The merge of split rows has its tiles far apart.
  // CHECK-LABEL: gpu.func @by_size_merge(
  // CHECK-NOT:     gpu.grid_dim
  func.func private @by_size(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x128xf32>) -> tensor<?x128xf32> attributes {gnn.kernel = "aggregate"} {
    %s = gnn.aggregate %g src(%x : tensor<?x128xf32>) reduce [sum] acc f32 schedule(#gnn.gpu_schedule<chunk = 128, group = 8, vector = 4, regs = 1, unroll = 4, block = 128, order = windows>) : !gnn.graph<?x?x?, i32, csr> -> tensor<?x128xf32> message {
    ^bb0(%r: vector<128xf32>):
      gnn.yield %r : vector<128xf32>
    }
    return %s : tensor<?x128xf32>
  }

  // CHECK-LABEL: gpu.func @outer(
  // CHECK:         gpu.block_id y
  // CHECK-NOT:     gpu.grid_dim
  // CHECK-LABEL: gpu.func @outer_merge(
  func.func private @outer(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x128xf32>) -> tensor<?x128xf32> attributes {gnn.kernel = "aggregate"} {
    %s = gnn.aggregate %g src(%x : tensor<?x128xf32>) reduce [sum] acc f32 schedule(#gnn.gpu_schedule<chunk = 128, group = 8, vector = 4, regs = 1, unroll = 4, block = 128, order = longest, tiles = outer>) : !gnn.graph<?x?x?, i32, csr> -> tensor<?x128xf32> message {
    ^bb0(%r: vector<128xf32>):
      gnn.yield %r : vector<128xf32>
    }
    return %s : tensor<?x128xf32>
  }

  // CHECK-LABEL: gpu.func @inner(
  // CHECK-NOT:     arith.constant 78125
  // CHECK:         gpu.grid_dim x
  // CHECK-LABEL: gpu.func @inner_merge(
  func.func private @inner(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x128xf32>) -> tensor<?x128xf32> attributes {gnn.kernel = "aggregate"} {
    %s = gnn.aggregate %g src(%x : tensor<?x128xf32>) reduce [sum] acc f32 schedule(#gnn.gpu_schedule<chunk = 128, group = 8, vector = 4, regs = 1, unroll = 4, block = 128, order = longest, tiles = inner>) : !gnn.graph<?x?x?, i32, csr> -> tensor<?x128xf32> message {
    ^bb0(%r: vector<128xf32>):
      gnn.yield %r : vector<128xf32>
    }
    return %s : tensor<?x128xf32>
  }

  // Rows without edges are read once wherever their tiles are.
  // CHECK-LABEL: gpu.func @rows(
  // CHECK-NOT:     gpu.grid_dim
  // CHECK:         gpu.return
  func.func private @rows(%x: tensor<?x64xf32>) -> tensor<?x64xf32> attributes {gnn.kernel = "map"} {
    %s = gnn.map rows(%x : tensor<?x64xf32>) schedule(#gnn.gpu_schedule<chunk = 128, group = 8, vector = 4, regs = 1, unroll = 4, block = 128, order = row>) -> tensor<?x64xf32> {
    ^bb0(%r: vector<64xf32>):
      %y = math.absf %r : vector<64xf32>
      gnn.yield %y : vector<64xf32>
    }
    return %s : tensor<?x64xf32>
  }
}
