// RUN: gnn-opt %s --gnn-lower-to-gpu | FileCheck %s

// 3 heads of one row of 16 features: each lane loads its 4 features of a source once and
// carries the sums, denominators and maxima of all heads.
module attributes {gnn.target = #gnn.target<cuda, "sm_90">} {
  // CHECK-LABEL: gpu.func @attention(
  // CHECK-NOT:     gpu.block_id y
  // CHECK:         scf.for {{.*}} -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<3xf32>, vector<3xf32>)
  // The source, then its scores and its row.
  // CHECK:           llvm.load {{.*}} -> i32
  // CHECK:           llvm.load {{.*}} -> vector<3xf32>
  // CHECK:           llvm.load {{.*}} -> vector<4xf32>
  // CHECK-NOT:       llvm.load
  // CHECK:           scf.yield
  // CHECK-LABEL: gpu.func @attention_merge(
  func.func private @attention(%g: !gnn.graph<?x?x?, i32, csr>, %s: tensor<?x3xf32>, %x: tensor<?x16xf32>) -> tensor<?x3x16xf32> attributes {gnn.kernel = "aggregate"} {
    %y = gnn.aggregate %g src(%s, %x : tensor<?x3xf32>, tensor<?x16xf32>) reduce [softmax] acc f32 schedule(#gnn.gpu_schedule<chunk = 128, group = 4, vector = 4, regs = 1, unroll = 1, block = 128, order = longest>) : !gnn.graph<?x?x?, i32, csr> -> tensor<?x3x16xf32> message {
    ^bb0(%score: vector<3xf32>, %row: vector<16xf32>):
      %all = vector.broadcast %row : vector<16xf32> to vector<3x16xf32>
      gnn.yield %score, %all : vector<3xf32>, vector<3x16xf32>
    } epilogue {
    ^bb0(%sum: vector<3x16xf32>, %den: vector<3xf32>, %top: vector<3xf32>):
      gnn.yield %sum : vector<3x16xf32>
    }
    return %y : tensor<?x3x16xf32>
  }
}
