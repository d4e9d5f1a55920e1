// RUN: gnn-opt %s --gnn-lower-to-cpu | FileCheck %s
// RUN: gnn-opt %s --gnn-lower-to-cpu --gnn-lower-to-cpu | FileCheck %s

module attributes {gnn.target = #gnn.target<cpu, "x86-64-v4">} {
  // 40 features are two registers of 16 and one of 8; the edge's scalar is spread.
  // CHECK-LABEL: func @weighted_sum
  // CHECK-SAME:    (%[[ARGS:.*]]: !llvm.ptr, %[[BEGIN:.*]]: i64, %[[END:.*]]: i64)
  // CHECK:         scf.for %[[ROW:.*]] = %[[BEGIN]] to %[[END]]
  // The first 1024 edges of a row, then sums of up to 1024 are added to theirs.
  // CHECK:           %[[CHUNK:.*]] = arith.constant 1024 : i64
  // CHECK:           %[[F:.*]]:3 = scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<8xf32>)
  // CHECK:             vector.broadcast %{{.*}} : f32 to vector<16xf32>
  // CHECK:             arith.mulf %{{.*}} fastmath<contract> : vector<8xf32>
  // CHECK:           %[[S:.*]]:3 = scf.for %{{.*}} step %{{.*}} iter_args(%[[A:.*]] = %[[F]]#0, %{{.*}} = %[[F]]#1, %{{.*}} = %[[F]]#2)
  // CHECK:             %[[P:.*]]:3 = scf.for
  // CHECK:             arith.addf %[[A]], %[[P]]#0
  // CHECK:           llvm.store %[[S]]#0
  // CHECK:           llvm.store %[[S]]#2
  func.func private @weighted_sum(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x40xf32>, %w: tensor<?xf32>) -> tensor<?x40xf32> attributes {gnn.kernel = "aggregate"} {
    %s = gnn.aggregate %g src(%x : tensor<?x40xf32>) edge(%w : tensor<?xf32>) reduce [sum] acc f32 schedule(#gnn.cpu_schedule<tile = 256, prefetch = 0>) : !gnn.graph<?x?x?, i32, csr> -> tensor<?x40xf32> message {
    ^bb0(%r: vector<40xf32>, %c: f32):
      %b = vector.broadcast %c : f32 to vector<40xf32>
      %m = arith.mulf %r, %b : vector<40xf32>
      gnn.yield %m : vector<40xf32>
    }
    return %s : tensor<?x40xf32>
  }

  // 7 features: one masked register; mean divides by the count, at least 1.
  // CHECK-LABEL: func @mean_of_seven
  // CHECK:         llvm.intr.prefetch
  // CHECK:         llvm.intr.masked.load
  // CHECK:         arith.maxsi
  // CHECK:         arith.divf %{{.*}} : vector<8xf32>
  // CHECK:         llvm.intr.masked.store
  func.func private @mean_of_seven(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x7xf32>) -> tensor<?x7xf32> attributes {gnn.kernel = "aggregate"} {
    %s = gnn.aggregate %g src(%x : tensor<?x7xf32>) reduce [mean] acc f32 schedule(#gnn.cpu_schedule<tile = 256, prefetch = 4>) : !gnn.graph<?x?x?, i32, csr> -> tensor<?x7xf32> message {
    ^bb0(%r: vector<7xf32>):
      gnn.yield %r : vector<7xf32>
    }
    return %s : tensor<?x7xf32>
  }

  // A tile of 16 walks the rows twice for 32 features; max of no edges is 0. A
  // maximum loses no digits: one loop over all edges.
  // CHECK-LABEL: func @two_tiles
  // CHECK-COUNT-2: arith.maximumf
  // CHECK:         arith.select
  func.func private @two_tiles(%g: !gnn.graph<?x?x?, i64, csr>, %x: tensor<?x32xf32>) -> tensor<?x32xf32> attributes {gnn.kernel = "aggregate"} {
    %s = gnn.aggregate %g src(%x : tensor<?x32xf32>) reduce [max] acc f32 schedule(#gnn.cpu_schedule<tile = 16, prefetch = 0>) : !gnn.graph<?x?x?, i64, csr> -> tensor<?x32xf32> message {
    ^bb0(%r: vector<32xf32>):
      gnn.yield %r : vector<32xf32>
    }
    return %s : tensor<?x32xf32>
  }

  // A map over edges follows the rows, so that each edge's destination is known.
  // CHECK-LABEL: func @edge_product
  // CHECK:         scf.for
  // CHECK:           scf.for
  // CHECK:             arith.mulf
  // CHECK:             llvm.store
  func.func private @edge_product(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?xf32>) -> tensor<?xf32> attributes {gnn.kernel = "map"} {
    %s = gnn.map over %g : !gnn.graph<?x?x?, i32, csr> src(%x : tensor<?xf32>) dst(%x : tensor<?xf32>) schedule(#gnn.cpu_schedule<tile = 256, prefetch = 0>) -> tensor<?xf32> {
    ^bb0(%a: f32, %b: f32):
      %p = arith.mulf %a, %b : f32
      gnn.yield %p : f32
    }
    return %s : tensor<?xf32>
  }
}
