// RUN: gnn-opt %s --canonicalize | FileCheck %s

// %x occurs twice, %w is not read, %b is read by the epilogue alone.
// CHECK-LABEL: func @unread_and_repeated
// CHECK-SAME:    %[[G:[^:]*]]: !gnn.graph<?x?x?>, %[[X:[^:]*]]: tensor<?x4xf32>, %{{.*}}: tensor<?xf32>, %[[B:[^:]*]]: tensor<4xf32>)
// CHECK:         gnn.aggregate %[[G]] src(%[[X]] : tensor<?x4xf32>) param(%[[B]] : tensor<4xf32>) reduce [sum]
// CHECK-NEXT:    ^bb0(%[[U:.*]]: vector<4xf32>, %{{.*}}: vector<4xf32>):
// CHECK-NEXT:      %[[M:.*]] = arith.mulf %[[U]], %[[U]]
// CHECK-NEXT:      gnn.yield %[[M]]
// CHECK:         epilogue
// CHECK-NEXT:    ^bb0(%[[S:.*]]: vector<4xf32>, %[[P:.*]]: vector<4xf32>):
// CHECK-NEXT:      arith.addf %[[S]], %[[P]]
func.func @unread_and_repeated(%g: !gnn.graph<?x?x?>, %x: tensor<?x4xf32>, %w: tensor<?xf32>, %b: tensor<4xf32>) -> tensor<?x4xf32> {
  %o = gnn.aggregate %g src(%x, %x : tensor<?x4xf32>, tensor<?x4xf32>) dst(%x : tensor<?x4xf32>) edge(%w : tensor<?xf32>)
      param(%b : tensor<4xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?> -> tensor<?x4xf32> message {
  ^bb0(%u: vector<4xf32>, %u2: vector<4xf32>, %v: vector<4xf32>, %c: f32, %bias: vector<4xf32>):
    %m = arith.mulf %u, %u2 : vector<4xf32>
    gnn.yield %m : vector<4xf32>
  } epilogue {
  ^bb0(%sum: vector<4xf32>, %v: vector<4xf32>, %bias: vector<4xf32>):
    %y = arith.addf %sum, %bias : vector<4xf32>
    gnn.yield %y : vector<4xf32>
  }
  return %o : tensor<?x4xf32>
}

// The epilogue's arguments behind three accumulators are counted right.
// CHECK-LABEL: func @softmax_unread
// CHECK:         gnn.aggregate %{{.*}} src(%{{.*}} : tensor<?x4xf32>) dst(%{{.*}} : tensor<?xf32>) reduce [softmax]
// CHECK:         epilogue
// CHECK-NEXT:    ^bb0(%[[SUM:.*]]: vector<4xf32>, %{{.*}}: f32, %{{.*}}: f32, %[[V:.*]]: f32):
// CHECK-NEXT:      %[[R:.*]] = vector.broadcast %[[V]]
// CHECK-NEXT:      arith.addf %[[SUM]], %[[R]]
func.func @softmax_unread(%g: !gnn.graph<?x?x?>, %x: tensor<?x4xf32>, %s: tensor<?xf32>, %w: tensor<?xf32>) -> tensor<?x4xf32> {
  %o = gnn.aggregate %g src(%x : tensor<?x4xf32>) dst(%w, %s : tensor<?xf32>, tensor<?xf32>) reduce [softmax] acc f32
      : !gnn.graph<?x?x?> -> tensor<?x4xf32> message {
  ^bb0(%u: vector<4xf32>, %a: f32, %b: f32):
    gnn.yield %b, %u : f32, vector<4xf32>
  } epilogue {
  ^bb0(%sum: vector<4xf32>, %den: f32, %m: f32, %a: f32, %b: f32):
    %r = vector.broadcast %b : f32 to vector<4xf32>
    %y = arith.addf %sum, %r : vector<4xf32>
    gnn.yield %y : vector<4xf32>
  }
  return %o : tensor<?x4xf32>
}
