// RUN: gnn-opt %s --gnn-fuse-aggregate --canonicalize --cse --split-input-file | FileCheck %s
// RUN: gnn-opt %s --gnn-fuse-aggregate --gnn-fuse-aggregate --canonicalize --cse --split-input-file | FileCheck %s
// RUN: gnn-opt %s --gnn-fuse-aggregate=max-results=1 --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=APART
// RUN: gnn-eval --entry @test %s | FileCheck %s --check-prefix=NUM
// RUN: gnn-opt %s --split-input-file --gnn-fuse-aggregate | sed '/^\/\/ -----/,$d' | gnn-eval --entry @test - | FileCheck %s --check-prefix=NUM

// Mean, maximum and a weighted sum of the same neighbours; one of them is rounded in an epilogue.
// CHECK-LABEL: func.func private @mean_max_sum
// CHECK:         %[[A:.*]]:3 = gnn.aggregate %{{.*}} src(%{{.*}} : tensor<?x2xf32>) dst(%{{.*}} : tensor<?x2xf32>) edge(%{{.*}} : tensor<?xf32>) reduce [mean, max, softmax] acc f32
// CHECK-SAME:      -> tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>
// CHECK-NEXT:    ^bb0(%[[U:.*]]: vector<2xf32>, %[[V:.*]]: vector<2xf32>, %[[S:.*]]: f32):
// CHECK:           gnn.yield %[[U]], %[[D:.*]], %[[S]], %[[U]] : vector<2xf32>, vector<2xf32>, f32, vector<2xf32>
// CHECK:         } epilogue {
// CHECK-NEXT:    ^bb0(%[[MEAN:.*]]: vector<2xf32>, %[[MAX:.*]]: vector<2xf32>, %[[SUM:.*]]: vector<2xf32>, %[[DEN:.*]]: f32, %{{.*}}: f32, %{{.*}}: vector<2xf32>):
// CHECK:           %[[Q:.*]] = arith.divf %[[SUM]]
// CHECK:           gnn.yield %[[MEAN]], %[[MAX]], %[[Q]]
// CHECK:         return %[[A]]#0, %[[A]]#1, %[[A]]#2
// APART-LABEL: func.func private @mean_max_sum
// APART-COUNT-3: gnn.aggregate
func.func private @mean_max_sum(%g: !gnn.graph<?x?x?>, %x: tensor<?x2xf32>, %s: tensor<?xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>) {
  %c0 = arith.constant 0 : index
  %u = gnn.gather %x, %g at src : tensor<?x2xf32>, !gnn.graph<?x?x?> -> tensor<?x2xf32>
  %v = gnn.gather %x, %g at dst : tensor<?x2xf32>, !gnn.graph<?x?x?> -> tensor<?x2xf32>
  %mean = gnn.scatter mean %u, %g at dst acc f32 : tensor<?x2xf32>, !gnn.graph<?x?x?> -> tensor<?x2xf32>
  %d = arith.subf %u, %v : tensor<?x2xf32>
  %max = gnn.scatter max %d, %g at dst acc f32 : tensor<?x2xf32>, !gnn.graph<?x?x?> -> tensor<?x2xf32>
  %a = gnn.segment_softmax %s, %g at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?>
  %e = tensor.dim %u, %c0 : tensor<?x2xf32>
  %init = tensor.empty(%e) : tensor<?x2xf32>
  %rows = linalg.broadcast ins(%a : tensor<?xf32>) outs(%init : tensor<?x2xf32>) dimensions = [1]
  %w = arith.mulf %u, %rows : tensor<?x2xf32>
  %sum = gnn.scatter sum %w, %g at dst acc f32 : tensor<?x2xf32>, !gnn.graph<?x?x?> -> tensor<?x2xf32>
  return %mean, %max, %sum : tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>
}

// NUM: @test #0: 3x2xf64 {{\[\[}}1.5, 15], [1, 10], [0, 0]]
// NUM: @test #1: 3x2xf64 {{\[\[}}1, 10], [-1, -10], [0, 0]]
// NUM: @test #2: 3x2xf64 {{\[\[}}1.75, 17.5], [1, 10], [0, 0]]
func.func @test() -> (tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>) {
  %c3 = arith.constant 3 : index
  %src = arith.constant dense<[0, 0, 1]> : tensor<3xi64>
  %dst = arith.constant dense<[0, 1, 0]> : tensor<3xi64>
  %sd = tensor.cast %src : tensor<3xi64> to tensor<?xi64>
  %dd = tensor.cast %dst : tensor<3xi64> to tensor<?xi64>
  %g = gnn.graph %sd, %dd nodes(%c3, %c3) : tensor<?xi64>, tensor<?xi64> -> !gnn.graph<?x?x?>
  %x = arith.constant dense<[[1.0, 10.0], [2.0, 20.0], [5.0, 50.0]]> : tensor<3x2xf32>
  %xd = tensor.cast %x : tensor<3x2xf32> to tensor<?x2xf32>
  %odds = arith.constant dense<[1.0, 1.0, 3.0]> : tensor<3xf32>
  %s = math.log %odds : tensor<3xf32>
  %sc = tensor.cast %s : tensor<3xf32> to tensor<?xf32>
  %r:3 = call @mean_max_sum(%g, %xd, %sc) : (!gnn.graph<?x?x?>, tensor<?x2xf32>, tensor<?xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>)
  return %r#0, %r#1, %r#2 : tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>
}

// -----

// The second reads what the first computes.
// CHECK-LABEL: func.func @depends
// CHECK-COUNT-2: reduce [sum]
func.func @depends(%g: !gnn.graph<4x4x9>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %u = gnn.gather %x, %g at src : tensor<4xf32>, !gnn.graph<4x4x9> -> tensor<9xf32>
  %a = gnn.scatter sum %u, %g at dst acc f32 : tensor<9xf32>, !gnn.graph<4x4x9> -> tensor<4xf32>
  %v = gnn.gather %a, %g at dst : tensor<4xf32>, !gnn.graph<4x4x9> -> tensor<9xf32>
  %w = arith.mulf %u, %v : tensor<9xf32>
  %b = gnn.scatter sum %w, %g at dst acc f32 : tensor<9xf32>, !gnn.graph<4x4x9> -> tensor<4xf32>
  return %b : tensor<4xf32>
}

// -----

// Another graph, another accumulation type, other rows: a traversal each. The last two share one, where the second was.
// CHECK-LABEL: func.func @different
// CHECK:         reduce [sum] acc f32 : !gnn.graph<4x4x9> -> tensor<4xf32> message
// CHECK:         reduce [sum] acc f32 : !gnn.graph<4x4x8> -> tensor<4xf32> message
// CHECK:         reduce [sum] acc f64 : !gnn.graph<4x4x9> -> tensor<4xf32> message
// CHECK:         %[[Z:.*]] = math.exp
// CHECK:         src(%{{.*}} : tensor<4xf32>) dst(%[[Z]] : tensor<4xf32>) reduce [max, min] acc f32
func.func @different(%g: !gnn.graph<4x4x9>, %h: !gnn.graph<4x4x8>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %u = gnn.gather %x, %g at src : tensor<4xf32>, !gnn.graph<4x4x9> -> tensor<9xf32>
  %a = gnn.scatter sum %u, %g at dst acc f32 : tensor<9xf32>, !gnn.graph<4x4x9> -> tensor<4xf32>
  %u2 = gnn.gather %x, %h at src : tensor<4xf32>, !gnn.graph<4x4x8> -> tensor<8xf32>
  %b = gnn.scatter sum %u2, %h at dst acc f32 : tensor<8xf32>, !gnn.graph<4x4x8> -> tensor<4xf32>
  %c = gnn.scatter sum %u, %g at dst acc f64 : tensor<9xf32>, !gnn.graph<4x4x9> -> tensor<4xf32>
  %w = gnn.gather %y, %g at src : tensor<4xf32>, !gnn.graph<4x4x9> -> tensor<9xf32>
  %d = gnn.scatter max %w, %g at dst acc f32 : tensor<9xf32>, !gnn.graph<4x4x9> -> tensor<4xf32>
  %z = math.exp %x : tensor<4xf32>
  %zd = gnn.gather %z, %g at dst : tensor<4xf32>, !gnn.graph<4x4x9> -> tensor<9xf32>
  %wz = arith.mulf %w, %zd : tensor<9xf32>
  %e = gnn.scatter min %wz, %g at dst acc f32 : tensor<9xf32>, !gnn.graph<4x4x9> -> tensor<4xf32>
  return %a, %b, %c, %d, %e : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// A sum of rows of four, and one of two: lanes of the second would idle.
// CHECK-LABEL: func.func @widths
// CHECK-COUNT-2: reduce [sum]
func.func @widths(%g: !gnn.graph<4x4x9>, %x: tensor<4x2x2xf32>, %z: tensor<9x2xf32>) -> (tensor<4x2x2xf32>, tensor<4x2xf32>) {
  %zeros = arith.constant dense<0.0> : tensor<9x2xf32>
  %u = gnn.gather %x, %g at src : tensor<4x2x2xf32>, !gnn.graph<4x4x9> -> tensor<9x2x2xf32>
  %a = gnn.scatter sum %u, %g at dst acc f32 : tensor<9x2x2xf32>, !gnn.graph<4x4x9> -> tensor<4x2x2xf32>
  %r = linalg.reduce ins(%u : tensor<9x2x2xf32>) outs(%zeros : tensor<9x2xf32>) dimensions = [2]
    (%p: f32, %acc: f32) {
      %s = arith.addf %p, %acc : f32
      linalg.yield %s : f32
    }
  %b = gnn.scatter sum %r, %g at dst acc f32 : tensor<9x2xf32>, !gnn.graph<4x4x9> -> tensor<4x2xf32>
  return %a, %b : tensor<4x2x2xf32>, tensor<4x2xf32>
}

// -----

// A schedule was chosen for one result.
// CHECK-LABEL: func.func @has_a_schedule
// CHECK-COUNT-2: gnn.aggregate
func.func @has_a_schedule(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %s = gnn.aggregate %g src(%x : tensor<?x8xf32>) reduce [sum] acc f32 schedule(#gnn.gpu_schedule<chunk = 128, group = 2, vector = 4, regs = 1, unroll = 4, block = 128, order = row>) : !gnn.graph<?x?x?, i32, csr> -> tensor<?x8xf32> message {
  ^bb0(%r: vector<8xf32>):
    gnn.yield %r : vector<8xf32>
  }
  %m = gnn.aggregate %g src(%x : tensor<?x8xf32>) reduce [max] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?x8xf32> message {
  ^bb0(%r: vector<8xf32>):
    gnn.yield %r : vector<8xf32>
  }
  return %s, %m : tensor<?x8xf32>, tensor<?x8xf32>
}
