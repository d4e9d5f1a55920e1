// RUN: gnn-opt %s | gnn-opt | FileCheck %s

// CHECK-LABEL: func @weighted_sum_with_bias
func.func @weighted_sum_with_bias(%g: !gnn.graph<?x?x?, i32, csr>, %h: tensor<?x16xf32>,
                                  %w: tensor<?xf32>, %b: tensor<16xf32>) -> tensor<?x16xf32> {
  // CHECK: gnn.aggregate %{{.*}} src(%{{.*}} : tensor<?x16xf32>) edge(%{{.*}} : tensor<?xf32>) param(%{{.*}} : tensor<16xf32>) reduce [sum] acc f32 schedule(#gnn.cpu_schedule<tile = 256, prefetch = 4>) : !gnn.graph<?x?x?, i32, csr> -> tensor<?x16xf32> message {
  %o = gnn.aggregate %g src(%h : tensor<?x16xf32>) edge(%w : tensor<?xf32>) param(%b : tensor<16xf32>)
      reduce [sum] acc f32 schedule(#gnn.cpu_schedule<tile = 256, prefetch = 4>)
      : !gnn.graph<?x?x?, i32, csr> -> tensor<?x16xf32> message {
  ^bb0(%x: vector<16xf32>, %c: f32, %bias: vector<16xf32>):
    %cv = vector.broadcast %c : f32 to vector<16xf32>
    %m = arith.mulf %x, %cv : vector<16xf32>
    gnn.yield %m : vector<16xf32>
  } epilogue {
  ^bb0(%sum: vector<16xf32>, %bias: vector<16xf32>):
    %y = arith.addf %sum, %bias : vector<16xf32>
    // CHECK: gnn.yield %{{.*}} : vector<16xf32>
    gnn.yield %y : vector<16xf32>
  }
  return %o : tensor<?x16xf32>
}

// One score per head, mixed with another reduction; three accumulators, then that of max.
// CHECK-LABEL: func @softmax
// CHECK:         gnn.aggregate {{.*}} reduce [softmax, max] acc f32
// CHECK:           gnn.yield %{{.*}}, %{{.*}}, %{{.*}} : vector<2xf32>, vector<2x8xf32>, f32
// CHECK:         } epilogue {
// CHECK-NEXT:    ^bb0(%{{.*}}: vector<2x8xf32>, %{{.*}}: vector<2xf32>, %{{.*}}: vector<2xf32>, %{{.*}}: f32):
func.func @softmax(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x2x8xf32>, %s: tensor<?x2xf32>, %w: tensor<?xf32>)
    -> (tensor<?x2x8xf32>, tensor<?xf32>) {
  %o:2 = gnn.aggregate %g src(%x, %s : tensor<?x2x8xf32>, tensor<?x2xf32>) edge(%w : tensor<?xf32>)
      reduce [softmax, max] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?x2x8xf32>, tensor<?xf32> message {
  ^bb0(%row: vector<2x8xf32>, %score: vector<2xf32>, %c: f32):
    gnn.yield %score, %row, %c : vector<2xf32>, vector<2x8xf32>, f32
  } epilogue {
  ^bb0(%sum: vector<2x8xf32>, %den: vector<2xf32>, %m: vector<2xf32>, %largest: f32):
    gnn.yield %sum, %largest : vector<2x8xf32>, f32
  }
  return %o#0, %o#1 : tensor<?x2x8xf32>, tensor<?xf32>
}

// Without an epilogue the accumulators are the results; a row may be its own head.
// CHECK-LABEL: func @softmax_accumulators
// CHECK:         gnn.aggregate {{.*}} reduce [softmax] acc f64 : !gnn.graph<?x?x?> -> tensor<?x4xf64>, tensor<?x4xf64>, tensor<?x4xf64>
func.func @softmax_accumulators(%g: !gnn.graph<?x?x?>, %x: tensor<?x4xf64>, %s: tensor<?x4xf64>)
    -> (tensor<?x4xf64>, tensor<?x4xf64>, tensor<?x4xf64>) {
  %o:3 = gnn.aggregate %g src(%x, %s : tensor<?x4xf64>, tensor<?x4xf64>) reduce [softmax] acc f64
      : !gnn.graph<?x?x?> -> tensor<?x4xf64>, tensor<?x4xf64>, tensor<?x4xf64> message {
  ^bb0(%row: vector<4xf64>, %score: vector<4xf64>):
    gnn.yield %score, %row : vector<4xf64>, vector<4xf64>
  }
  return %o#0, %o#1, %o#2 : tensor<?x4xf64>, tensor<?x4xf64>, tensor<?x4xf64>
}
