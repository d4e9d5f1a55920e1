// RUN: gnn-opt %s --gnn-lower-to-gpu | FileCheck %s

// Rows of heads x features on lanes.
module attributes {gnn.target = #gnn.target<cuda, "sm_90">} {
  // 2 heads of 64, 8 lanes x 4 features: 2 tiles a head. Every lane has the softmax of
  // its head; exp is a power of two.
  // CHECK-LABEL: gpu.func @attention(
  // CHECK:         %[[TILE:.*]] = gpu.block_id y
  // CHECK:         arith.remui
  // CHECK:         arith.divui
  // CHECK:         scf.for {{.*}} -> (vector<4xf32>, f32, f32)
  // CHECK:           arith.maximumf %{{.*}} : f32
  // CHECK:           llvm.call_intrinsic "llvm.exp2"(%{{.*}}) {fastmathFlags = #llvm.fastmath<afn>
  // Denominator and maximum of a split row are stored once per head.
  // CHECK:         } else {
  // CHECK:           llvm.store {{.*}} : vector<4xf32>
  // CHECK:           scf.if
  // CHECK-NEXT:        llvm.getelementptr
  // CHECK-NEXT:        llvm.store {{.*}} : f32
  // CHECK:           scf.if
  // CHECK-NEXT:        llvm.getelementptr
  // CHECK-NEXT:        llvm.store {{.*}} : f32
  // CHECK-LABEL: gpu.func @attention_merge(
  func.func private @attention(%g: !gnn.graph<?x?x?, i32, csr>, %s: tensor<?x2xf32>, %x: tensor<?x128xf32>) -> tensor<?x128xf32> attributes {gnn.kernel = "aggregate"} {
    %y = gnn.aggregate %g src(%s, %x : tensor<?x2xf32>, tensor<?x128xf32>) reduce [softmax] acc f32 schedule(#gnn.gpu_schedule<chunk = 128, group = 8, vector = 4, regs = 1, unroll = 1, block = 128, order = longest>) : !gnn.graph<?x?x?, i32, csr> -> tensor<?x128xf32> message {
    ^bb0(%score: vector<2xf32>, %row: vector<128xf32>):
      %m = vector.shape_cast %row : vector<128xf32> to vector<2x64xf32>
      gnn.yield %score, %m : vector<2xf32>, vector<2x64xf32>
    } epilogue {
    ^bb0(%sum: vector<2x64xf32>, %den: vector<2xf32>, %top: vector<2xf32>):
      %c = vector.shape_cast %den : vector<2xf32> to vector<2x1xf32>
      %d = vector.broadcast %c : vector<2x1xf32> to vector<2x64xf32>
      %q = arith.divf %sum, %d : vector<2x64xf32>
      %o = vector.shape_cast %q : vector<2x64xf32> to vector<128xf32>
      gnn.yield %o : vector<128xf32>
    }
    return %y : tensor<?x128xf32>
  }

  // 3 heads of 20 features: 8 lanes x 4 features hold one head, four stand in a warp.
  // Lanes beyond feature 20 or head 3 stay for the butterfly, repeat what others
  // load, add nothing and store nothing.
  // CHECK-LABEL: gpu.func @scores(
  // CHECK:         arith.cmpi slt, %[[HEAD:.*]], %{{.*}} : i32
  // CHECK:         arith.minsi %[[HEAD]]
  // CHECK:         %[[EXISTS:.*]] = arith.cmpi slt, %[[AT:.*]], %{{.*}} : i32
  // CHECK:         arith.minsi %[[AT]]
  // CHECK:         llvm.load {{.*}} : !llvm.ptr<1> -> vector<4xf32>
  // CHECK:         arith.select %[[EXISTS]], %{{.*}} : vector<4xf32>
  // CHECK-COUNT-3: nvvm.shfl.sync bfly
  // CHECK-NOT:     nvvm.shfl
  // CHECK:         scf.if
  // CHECK:           llvm.store {{.*}} : f32
  func.func private @scores(%x: tensor<?x3x20xf32>, %a: tensor<1x3x20xf32>) -> tensor<?x3xf32> attributes {gnn.kernel = "map"} {
    %y = gnn.map rows(%x : tensor<?x3x20xf32>) param(%a : tensor<1x3x20xf32>) schedule(#gnn.gpu_schedule<chunk = 128, group = 32, vector = 4, regs = 1, unroll = 1, block = 128, order = longest>) -> tensor<?x3xf32> {
    ^bb0(%row: vector<3x20xf32>, %w: vector<1x3x20xf32>):
      %zero = arith.constant dense<0.0> : vector<3xf32>
      %c = vector.shape_cast %w : vector<1x3x20xf32> to vector<3x20xf32>
      %m = arith.mulf %row, %c : vector<3x20xf32>
      %s = vector.multi_reduction <add>, %m, %zero [1] : vector<3x20xf32> to vector<3xf32>
      gnn.yield %s : vector<3xf32>
    }
    return %y : tensor<?x3xf32>
  }

  // The mean of heads: a lane has both heads of its 4 features.
  // CHECK-LABEL: gpu.func @mean_of_heads(
  // CHECK-COUNT-2: llvm.load {{.*}} -> vector<4xf32>
  // CHECK-NOT:     nvvm.shfl
  // CHECK:         arith.addf {{.*}} : vector<4xf32>
  func.func private @mean_of_heads(%x: tensor<?x2x32xf32>) -> tensor<?x32xf32> attributes {gnn.kernel = "map"} {
    %y = gnn.map rows(%x : tensor<?x2x32xf32>) schedule(#gnn.gpu_schedule<chunk = 128, group = 8, vector = 4, regs = 1, unroll = 1, block = 128, order = row>) -> tensor<?x32xf32> {
    ^bb0(%row: vector<2x32xf32>):
      %zero = arith.constant dense<0.0> : vector<32xf32>
      %half = arith.constant dense<0.5> : vector<32xf32>
      %s = vector.multi_reduction <add>, %row, %zero [0] : vector<2x32xf32> to vector<32xf32>
      %m = arith.mulf %s, %half : vector<32xf32>
      gnn.yield %m : vector<32xf32>
    }
    return %y : tensor<?x32xf32>
  }
}
