// RUN: gnn-opt %s --gnn-assign-schedules --split-input-file | FileCheck %s
// RUN: gnn-opt %s --gnn-assign-schedules --split-input-file | gnn-opt --gnn-assign-schedules --split-input-file | FileCheck %s

module attributes {gnn.target = #gnn.target<cpu, "x86-64-v4">} {
  // 16 registers of 16 floats; sources are asked for ahead of their use.
  // CHECK-LABEL: func private @gathers_sources
  // CHECK: schedule(#gnn.cpu_schedule<tile = 256, prefetch = 8>)
  func.func private @gathers_sources(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x512xf32>) -> tensor<?x512xf32> attributes {gnn.kernel = "aggregate"} {
    %s = gnn.aggregate %g src(%x : tensor<?x512xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?x512xf32> message {
    ^bb0(%r: vector<512xf32>):
      gnn.yield %r : vector<512xf32>
    }
    return %s : tensor<?x512xf32>
  }
  // CHECK-LABEL: func private @reads_edges_only
  // CHECK: schedule(#gnn.cpu_schedule<tile = 256, prefetch = 0>)
  func.func private @reads_edges_only(%g: !gnn.graph<?x?x?, i32, csr>, %m: tensor<?x8xf32>) -> tensor<?x8xf32> attributes {gnn.kernel = "aggregate"} {
    %s = gnn.aggregate %g edge(%m : tensor<?x8xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?x8xf32> message {
    ^bb0(%r: vector<8xf32>):
      gnn.yield %r : vector<8xf32>
    }
    return %s : tensor<?x8xf32>
  }
  // A schedule written by hand stays.
  // CHECK-LABEL: func private @by_hand
  // CHECK: schedule(#gnn.cpu_schedule<tile = 64, prefetch = 2>)
  func.func private @by_hand(%x: tensor<?x8xf32>) -> tensor<?x8xf32> attributes {gnn.kernel = "map"} {
    %s = gnn.map rows(%x : tensor<?x8xf32>) schedule(#gnn.cpu_schedule<tile = 64, prefetch = 2>) -> tensor<?x8xf32> {
    ^bb0(%r: vector<8xf32>):
      gnn.yield %r : vector<8xf32>
    }
    return %s : tensor<?x8xf32>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cuda, "sm_90">} {
  // Wide rows: tiles of 8 lanes x 16 bytes.
  // CHECK-LABEL: func private @wide
  // CHECK: schedule(#gnn.gpu_schedule<chunk = 128, group = 8, vector = 4, regs = 1, unroll = 8, block = 128, order = windows>)
  func.func private @wide(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x256xf32>) -> tensor<?x256xf32> attributes {gnn.kernel = "aggregate"} {
    %s = gnn.aggregate %g src(%x : tensor<?x256xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?x256xf32> message {
    ^bb0(%r: vector<256xf32>):
      gnn.yield %r : vector<256xf32>
    }
    return %s : tensor<?x256xf32>
  }
  // 8 heads weigh one row of 64: a lane has the 8 sums of 4 features, and reads them once.
  // CHECK-LABEL: func private @heads_share_a_row
  // CHECK: schedule(#gnn.gpu_schedule<chunk = 128, group = 8, vector = 4, regs = 1, unroll = 3, block = 128, order = windows>)
  func.func private @heads_share_a_row(%g: !gnn.graph<?x?x?, i32, csr>, %s: tensor<?x8xf32>, %x: tensor<?x64xf32>) -> tensor<?x8x64xf32> attributes {gnn.kernel = "aggregate"} {
    %y = gnn.aggregate %g src(%s, %x : tensor<?x8xf32>, tensor<?x64xf32>) reduce [softmax] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?x8x64xf32> message {
    ^bb0(%score: vector<8xf32>, %row: vector<64xf32>):
      %all = vector.broadcast %row : vector<64xf32> to vector<8x64xf32>
      gnn.yield %score, %all : vector<8xf32>, vector<8x64xf32>
    } epilogue {
    ^bb0(%sum: vector<8x64xf32>, %den: vector<8xf32>, %top: vector<8xf32>):
      gnn.yield %sum : vector<8x64xf32>
    }
    return %y : tensor<?x8x64xf32>
  }
  // 7 features: 4-byte loads, one lane each.
  // CHECK-LABEL: func private @seven
  // CHECK: group = 8, vector = 1
  func.func private @seven(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x7xf32>) -> tensor<?x7xf32> attributes {gnn.kernel = "aggregate"} {
    %s = gnn.aggregate %g src(%x : tensor<?x7xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?x7xf32> message {
    ^bb0(%r: vector<7xf32>):
      gnn.yield %r : vector<7xf32>
    }
    return %s : tensor<?x7xf32>
  }
  // 47 features and 4-byte loads: 16 lanes read the row whole, three loads each.
  // CHECK-LABEL: func private @whole_row
  // CHECK: schedule(#gnn.gpu_schedule<chunk = 64, group = 16, vector = 1, regs = 3, unroll = 8, block = 128, order = windows>)
  func.func private @whole_row(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x47xf32>) -> tensor<?x47xf32> attributes {gnn.kernel = "aggregate"} {
    %s = gnn.aggregate %g src(%x : tensor<?x47xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?x47xf32> message {
    ^bb0(%r: vector<47xf32>):
      gnn.yield %r : vector<47xf32>
    }
    return %s : tensor<?x47xf32>
  }
  // A sum over 2048 features is the most a warp holds.
  // CHECK-LABEL: func private @sum_of_2048
  // CHECK: group = 32, vector = 4, regs = 16, unroll = 1
  func.func private @sum_of_2048(%x: tensor<?x2048xf32>) -> tensor<?xf32> attributes {gnn.kernel = "map"} {
    %s = gnn.map rows(%x : tensor<?x2048xf32>) -> tensor<?xf32> {
    ^bb0(%r: vector<2048xf32>):
      %zero = arith.constant 0.0 : f32
      %sum = vector.multi_reduction <add>, %r, %zero [0] : vector<2048xf32> to f32
      gnn.yield %sum : f32
    }
    return %s : tensor<?xf32>
  }
  // Scores over 4 heads of 20 features: a head has 8 lanes, the rest of the warp others.
  // CHECK-LABEL: func private @scores
  // CHECK: group = 32, vector = 4, regs = 1, unroll = 8, block = 128, min_blocks = 0, order
  func.func private @scores(%x: tensor<?x4x20xf32>) -> tensor<?x4xf32> attributes {gnn.kernel = "map"} {
    %s = gnn.map rows(%x : tensor<?x4x20xf32>) -> tensor<?x4xf32> {
    ^bb0(%r: vector<4x20xf32>):
      %zero = arith.constant dense<0.0> : vector<4xf32>
      %sum = vector.multi_reduction <add>, %r, %zero [1] : vector<4x20xf32> to vector<4xf32>
      gnn.yield %sum : vector<4xf32>
    }
    return %s : tensor<?x4xf32>
  }
  // Scalars of edges: lanes over edges.
  // CHECK-LABEL: func private @edge_scalars
  // CHECK: group = 32, vector = 1
  func.func private @edge_scalars(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?xf32>) -> tensor<?xf32> attributes {gnn.kernel = "map"} {
    %s = gnn.map over %g : !gnn.graph<?x?x?, i32, csr> src(%x : tensor<?xf32>) -> tensor<?xf32> {
    ^bb0(%r: f32):
      gnn.yield %r : f32
    }
    return %s : tensor<?xf32>
  }
}
