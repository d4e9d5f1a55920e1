// RUN: gnn-opt %s | gnn-opt | FileCheck %s

// CHECK-LABEL: func @rows
// CHECK:         gnn.map rows(%{{.*}}, %{{.*}} : tensor<?x4xf32>, tensor<?xf32>) param(%{{.*}} : tensor<4xf32>) schedule(#gnn.gpu_schedule<{{.*}}>) -> tensor<?x4xf32>, tensor<?xf32> {
func.func @rows(%x: tensor<?x4xf32>, %c: tensor<?xf32>, %b: tensor<4xf32>) {
  %y, %z = gnn.map rows(%x, %c : tensor<?x4xf32>, tensor<?xf32>) param(%b : tensor<4xf32>)
      schedule(#gnn.gpu_schedule<chunk = 128, group = 8, vector = 4, regs = 1, unroll = 4, block = 128, order = longest>)
      -> tensor<?x4xf32>, tensor<?xf32> {
  ^bb0(%row: vector<4xf32>, %s: f32, %bias: vector<4xf32>):
    %sum = arith.addf %row, %bias : vector<4xf32>
    gnn.yield %sum, %s : vector<4xf32>, f32
  }
  return
}

// CHECK-LABEL: func @edges
// CHECK:         gnn.map over %{{.*}} : !gnn.graph<?x?x?, i32, csr> src(%{{.*}} : tensor<?xf32>) dst(%{{.*}} : tensor<?xf32>) rows(%{{.*}} : tensor<?xf32>) -> tensor<?xf32> {
// CHECK-NEXT:    ^bb0(%{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32):
func.func @edges(%g: !gnn.graph<?x?x?, i32, csr>, %d: tensor<?xf32>, %w: tensor<?xf32>) {
  %n = gnn.map over %g : !gnn.graph<?x?x?, i32, csr> src(%d : tensor<?xf32>) dst(%d : tensor<?xf32>) rows(%w : tensor<?xf32>) -> tensor<?xf32> {
  ^bb0(%u: f32, %v: f32, %c: f32):
    %a = arith.mulf %u, %c : f32
    %b = arith.mulf %a, %v : f32
    gnn.yield %b : f32
  }
  return
}
