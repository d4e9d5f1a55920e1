// RUN: gnn-opt %s --gnn-lower-to-cpu | FileCheck %s

// Rows of heads x features on the host: what is one number per head is a short
// vector, so that all heads share one exp.
module attributes {gnn.target = #gnn.target<cpu, "x86-64-v4">} {
  // Sum of 2 x 16, denominator and maximum of 2 heads travel from edge to edge.
  // CHECK-LABEL: func @attention
  // CHECK:         scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<2xf32>, vector<2xf32>)
  // Only a score above the maximum so far (or NaN) scales what there is.
  // CHECK:           %[[ABOVE:.*]] = arith.cmpf ugt, %[[SCORE:.*]], %{{.*}} : vector<2xf32>
  // CHECK:           %[[ANY:.*]] = vector.reduction <or>, %[[ABOVE]] : vector<2xi1> into i1
  // CHECK:           %[[NOW:.*]]:4 = scf.if %[[ANY]] -> (vector<16xf32>, vector<16xf32>, vector<2xf32>, vector<2xf32>)
  // CHECK:             %[[TOP:.*]] = arith.maximumf %{{.*}}, %[[SCORE]] : vector<2xf32>
  // CHECK:             %[[FALL:.*]] = arith.subf %{{.*}}, %[[TOP]] : vector<2xf32>
  // CHECK:             math.exp %[[FALL]] : vector<2xf32>
  // CHECK:           } else {
  // CHECK:           arith.subf %[[SCORE]], %[[NOW]]#3 : vector<2xf32>
  // CHECK:           vector.extract %{{.*}}[1] : f32 from vector<2xf32>
  // The long rest of a row is merged, which rescales both parts.
  // CHECK:         scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<2xf32>, vector<2xf32>)
  // CHECK-COUNT-4: math.exp
  // No weight at all: 0 of no edges, NaN of edges.
  // CHECK:         arith.cmpf oeq, {{.*}} : vector<2xf32>
  // CHECK:         arith.divf {{.*}} : vector<16xf32>
  func.func private @attention(%g: !gnn.graph<?x?x?, i32, csr>, %s: tensor<?x2xf32>, %x: tensor<?x32xf32>) -> tensor<?x32xf32> attributes {gnn.kernel = "aggregate"} {
    %y = gnn.aggregate %g src(%s, %x : tensor<?x2xf32>, tensor<?x32xf32>) reduce [softmax] acc f32 schedule(#gnn.cpu_schedule<tile = 256, prefetch = 0>) : !gnn.graph<?x?x?, i32, csr> -> tensor<?x32xf32> message {
    ^bb0(%score: vector<2xf32>, %row: vector<32xf32>):
      %m = vector.shape_cast %row : vector<32xf32> to vector<2x16xf32>
      gnn.yield %score, %m : vector<2xf32>, vector<2x16xf32>
    } epilogue {
    ^bb0(%sum: vector<2x16xf32>, %den: vector<2xf32>, %top: vector<2xf32>):
      %c = vector.shape_cast %den : vector<2xf32> to vector<2x1xf32>
      %d = vector.broadcast %c : vector<2x1xf32> to vector<2x16xf32>
      %q = arith.divf %sum, %d : vector<2x16xf32>
      %o = vector.shape_cast %q : vector<2x16xf32> to vector<32xf32>
      gnn.yield %o : vector<32xf32>
    }
    return %y : tensor<?x32xf32>
  }

  // Sum over the features of each head: halves of a register, down to one number; the
  // masked tail of a row of 20 adds nothing. One head a tile of 8, so three walks.
  // CHECK-LABEL: func @scores
  // CHECK-COUNT-3: scf.for
  // CHECK-NOT:     scf.for
  func.func private @scores(%x: tensor<?x3x20xf32>, %a: tensor<1x3x20xf32>) -> tensor<?x3xf32> attributes {gnn.kernel = "map"} {
    %y = gnn.map rows(%x : tensor<?x3x20xf32>) param(%a : tensor<1x3x20xf32>) schedule(#gnn.cpu_schedule<tile = 8, prefetch = 0>) -> tensor<?x3xf32> {
    ^bb0(%row: vector<3x20xf32>, %w: vector<1x3x20xf32>):
      %zero = arith.constant dense<0.0> : vector<3xf32>
      %c = vector.shape_cast %w : vector<1x3x20xf32> to vector<3x20xf32>
      %m = arith.mulf %row, %c : vector<3x20xf32>
      %s = vector.multi_reduction <add>, %m, %zero [1] : vector<3x20xf32> to vector<3xf32>
      gnn.yield %s : vector<3xf32>
    }
    return %y : tensor<?x3xf32>
  }

  // The mean of heads holds them all: 4 heads, tiles of 16 features each.
  // CHECK-LABEL: func @mean_of_heads
  // CHECK:         scf.for
  // CHECK-COUNT-4:   llvm.load {{.*}} -> vector<16xf32>
  // CHECK:           llvm.store {{.*}} : vector<16xf32>
  // CHECK-NOT:       llvm.store
  // CHECK:         scf.for
  func.func private @mean_of_heads(%x: tensor<?x4x32xf32>) -> tensor<?x32xf32> attributes {gnn.kernel = "map"} {
    %y = gnn.map rows(%x : tensor<?x4x32xf32>) schedule(#gnn.cpu_schedule<tile = 64, prefetch = 0>) -> tensor<?x32xf32> {
    ^bb0(%row: vector<4x32xf32>):
      %zero = arith.constant dense<0.0> : vector<32xf32>
      %quarter = arith.constant dense<0.25> : vector<32xf32>
      %s = vector.multi_reduction <add>, %row, %zero [0] : vector<4x32xf32> to vector<32xf32>
      %m = arith.mulf %s, %quarter : vector<32xf32>
      gnn.yield %m : vector<32xf32>
    }
    return %y : tensor<?x32xf32>
  }

  // As many heads as features: the bias of 3 is added along the features, the
  // denominator of 3 divides head by head.
  // CHECK-LABEL: func @three_by_three
  // CHECK-DAG:     llvm.intr.masked.load {{.*}} -> vector<4xf32>
  // CHECK-DAG:     llvm.load {{.*}} -> vector<3xf32>
  func.func private @three_by_three(%x: tensor<?x3x3xf32>, %d: tensor<?x3xf32>, %b: tensor<3xf32>) -> tensor<?x3x3xf32> attributes {gnn.kernel = "map"} {
    %y = gnn.map rows(%x, %d : tensor<?x3x3xf32>, tensor<?x3xf32>) param(%b : tensor<3xf32>) schedule(#gnn.cpu_schedule<tile = 256, prefetch = 0>) -> tensor<?x3x3xf32> {
    ^bb0(%row: vector<3x3xf32>, %den: vector<3xf32>, %bias: vector<3xf32>):
      %column = vector.shape_cast %den : vector<3xf32> to vector<3x1xf32>
      %heads = vector.broadcast %column : vector<3x1xf32> to vector<3x3xf32>
      %features = vector.broadcast %bias : vector<3xf32> to vector<3x3xf32>
      %q = arith.divf %row, %heads : vector<3x3xf32>
      %s = arith.addf %q, %features : vector<3x3xf32>
      gnn.yield %s : vector<3x3xf32>
    }
    return %y : tensor<?x3x3xf32>
  }
}
