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
