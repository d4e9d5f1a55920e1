// RUN: gnn-opt %s --gnn-reorder-attention --canonicalize --cse --split-input-file | FileCheck %s
// RUN: gnn-opt %s --gnn-reorder-attention=order=aggregate-first --canonicalize --cse --split-input-file | FileCheck %s
// RUN: gnn-opt %s --gnn-reorder-attention --gnn-reorder-attention --canonicalize --cse --split-input-file | FileCheck %s
// RUN: gnn-opt %s --gnn-reorder-attention=order=transform-first --split-input-file | FileCheck %s --check-prefix=WRITTEN

// Rows of 2 instead of 2 heads of 8, and both scores from them: x W is computed nowhere.
// CHECK-LABEL: func.func @gat
// CHECK-SAME:    (%[[G:.*]]: !gnn.graph<?x?x?>, %[[X:.*]]: tensor<?x2xf32>, %[[W:.*]]: tensor<16x2xf32> {gnn.weight = "w"},
// CHECK-NOT:     tensor<?x16xf32>
// CHECK-DAG:     %[[W3:.*]] = tensor.expand_shape %[[W]] {{\[\[}}0, 1], [2]] output_shape [2, 8, 2]
// CHECK-DAG:     linalg.contract {{.*}} ins(%{{.*}}, %[[W3]] : tensor<1x2x8xf32>, tensor<2x8x2xf32>) {{.*}} -> tensor<1x2x2xf32>
// CHECK:         linalg.matmul {{.*}} ins(%[[X]], %{{.*}} : tensor<?x2xf32>, tensor<2x2xf32>)
// CHECK:         linalg.matmul {{.*}} ins(%[[X]], %{{.*}} : tensor<?x2xf32>, tensor<2x2xf32>)
// CHECK:         %[[ROWS:.*]] = gnn.gather %[[X]], %[[G]] at src : tensor<?x2xf32>
// CHECK:         linalg.broadcast ins(%[[ROWS]] : tensor<?x2xf32>) {{.*}} dimensions = [1]
// CHECK:         %[[SUMS:.*]] = gnn.scatter sum %{{.*}}, %[[G]] at dst acc f32 : tensor<?x2x2xf32>, !gnn.graph<?x?x?> -> tensor<?x2x2xf32>
// CHECK:         %[[Y:.*]] = linalg.contract {{.*}} ins(%[[SUMS]], %[[W3]] : tensor<?x2x2xf32>, tensor<2x8x2xf32>)
// CHECK:         return %[[Y]]
// WRITTEN-LABEL: func.func @gat
// WRITTEN-NOT:     linalg.contract
// WRITTEN:         gnn.scatter sum %{{.*}} : tensor<?x2x8xf32>
// WRITTEN-NOT:     linalg.contract
#nk = affine_map<(d0, d1, d2) -> (d0, d2)>
#ck = affine_map<(d0, d1, d2) -> (d1, d2)>
#nc = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @gat(%g: !gnn.graph<?x?x?>, %x: tensor<?x2xf32>, %w: tensor<16x2xf32> {gnn.weight = "w"}, %as: tensor<2x8xf32> {gnn.weight = "as"}, %ad: tensor<2x8xf32> {gnn.weight = "ad"}) -> tensor<?x2x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %nh = tensor.dim %x, %c0 : tensor<?x2xf32>
  %ih = tensor.empty(%nh) : tensor<?x16xf32>
  %zh = linalg.fill ins(%zero : f32) outs(%ih : tensor<?x16xf32>) -> tensor<?x16xf32>
  %ph = linalg.matmul indexing_maps = [#nk, #ck, #nc] ins(%x, %w : tensor<?x2xf32>, tensor<16x2xf32>) outs(%zh : tensor<?x16xf32>) -> tensor<?x16xf32>
  %h = tensor.expand_shape %ph [[0], [1, 2]] output_shape [%nh, 2, 8] : tensor<?x16xf32> into tensor<?x2x8xf32>
  %els = tensor.empty(%nh) : tensor<?x2x8xf32>
  %bls = linalg.broadcast ins(%as : tensor<2x8xf32>) outs(%els : tensor<?x2x8xf32>) dimensions = [0]
  %mls = arith.mulf %h, %bls : tensor<?x2x8xf32>
  %jls = tensor.empty(%nh) : tensor<?x2xf32>
  %ols = linalg.fill ins(%zero : f32) outs(%jls : tensor<?x2xf32>) -> tensor<?x2xf32>
  %ls = linalg.reduce ins(%mls : tensor<?x2x8xf32>) outs(%ols : tensor<?x2xf32>) dimensions = [2]
    (%in: f32, %acc: f32) {
      %sum = arith.addf %in, %acc : f32
      linalg.yield %sum : f32
    }
  %eld = tensor.empty(%nh) : tensor<?x2x8xf32>
  %bld = linalg.broadcast ins(%ad : tensor<2x8xf32>) outs(%eld : tensor<?x2x8xf32>) dimensions = [0]
  %mld = arith.mulf %h, %bld : tensor<?x2x8xf32>
  %jld = tensor.empty(%nh) : tensor<?x2xf32>
  %old = linalg.fill ins(%zero : f32) outs(%jld : tensor<?x2xf32>) -> tensor<?x2xf32>
  %ld = linalg.reduce ins(%mld : tensor<?x2x8xf32>) outs(%old : tensor<?x2xf32>) dimensions = [2]
    (%in: f32, %acc: f32) {
      %sum = arith.addf %in, %acc : f32
      linalg.yield %sum : f32
    }
  %es = gnn.gather %ls, %g at src : tensor<?x2xf32>, !gnn.graph<?x?x?> -> tensor<?x2xf32>
  %ed = gnn.gather %ld, %g at dst : tensor<?x2xf32>, !gnn.graph<?x?x?> -> tensor<?x2xf32>
  %s = arith.addf %es, %ed : tensor<?x2xf32>
  %rows = gnn.gather %h, %g at src : tensor<?x2x8xf32>, !gnn.graph<?x?x?> -> tensor<?x2x8xf32>
  %alpha = gnn.segment_softmax %s, %g at dst acc f32 : tensor<?x2xf32>, !gnn.graph<?x?x?>
  %ne = tensor.dim %s, %c0 : tensor<?x2xf32>
  %ie = tensor.empty(%ne) : tensor<?x2x8xf32>
  %wide = linalg.broadcast ins(%alpha : tensor<?x2xf32>) outs(%ie : tensor<?x2x8xf32>) dimensions = [2]
  %message = arith.mulf %rows, %wide : tensor<?x2x8xf32>
  %y = gnn.scatter sum %message, %g at dst acc f32 : tensor<?x2x8xf32>, !gnn.graph<?x?x?> -> tensor<?x2x8xf32>
  return %y : tensor<?x2x8xf32>
}

// -----

// Extents that are known and differ, a weight that is not turned round, and a scale of the
// columns behind the products. The scores are the program's own.
// CHECK-LABEL: func.func @scaled
// CHECK-SAME:    %[[X:[^:]*]]: tensor<50x3xf32>, %[[W:[^:]*]]: tensor<3x32xf32> {gnn.weight = "w"}, %{{.*}}: tensor<900x4xf32>, %[[S:[^:]*]]: tensor<32xf32>
// CHECK:         %[[S2:.*]] = linalg.broadcast ins(%[[S]] : tensor<32xf32>) outs(%{{.*}} : tensor<3x32xf32>) dimensions = [0]
// CHECK:         %[[WS:.*]] = arith.mulf %[[W]], %[[S2]] : tensor<3x32xf32>
// CHECK:         %[[W3:.*]] = tensor.expand_shape %[[WS]] {{\[\[}}0], [1, 2]] output_shape [3, 4, 8]
// CHECK:         linalg.contract {{.*}} ins(%{{.*}}, %[[W3]] : tensor<20x4x3xf32>, tensor<3x4x8xf32>)
// CHECK-NOT:     arith.mulf {{.*}} : tensor<20x32xf32>
// CHECK:         return
func.func @scaled(%g: !gnn.graph<20x50x900>, %x: tensor<50x3xf32>, %w: tensor<3x32xf32> {gnn.weight = "w"}, %s: tensor<900x4xf32>, %scale: tensor<32xf32>) -> tensor<20x32xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %ih = tensor.empty() : tensor<50x32xf32>
  %zh = linalg.fill ins(%zero : f32) outs(%ih : tensor<50x32xf32>) -> tensor<50x32xf32>
  %ph = linalg.matmul ins(%x, %w : tensor<50x3xf32>, tensor<3x32xf32>) outs(%zh : tensor<50x32xf32>) -> tensor<50x32xf32>
  %h = tensor.expand_shape %ph [[0], [1, 2]] output_shape [50, 4, 8] : tensor<50x32xf32> into tensor<50x4x8xf32>
  %rows = gnn.gather %h, %g at src : tensor<50x4x8xf32>, !gnn.graph<20x50x900> -> tensor<900x4x8xf32>
  %alpha = gnn.segment_softmax %s, %g at dst acc f32 : tensor<900x4xf32>, !gnn.graph<20x50x900>
  %ie = tensor.empty() : tensor<900x4x8xf32>
  %wide = linalg.broadcast ins(%alpha : tensor<900x4xf32>) outs(%ie : tensor<900x4x8xf32>) dimensions = [2]
  %message = arith.mulf %rows, %wide : tensor<900x4x8xf32>
  %y = gnn.scatter sum %message, %g at dst acc f32 : tensor<900x4x8xf32>, !gnn.graph<20x50x900> -> tensor<20x4x8xf32>
  %flat = tensor.collapse_shape %y [[0], [1, 2]] : tensor<20x4x8xf32> into tensor<20x32xf32>
  %init = tensor.empty() : tensor<20x32xf32>
  %scales = linalg.broadcast ins(%scale : tensor<32xf32>) outs(%init : tensor<20x32xf32>) dimensions = [0]
  %out = arith.mulf %flat, %scales : tensor<20x32xf32>
  return %out : tensor<20x32xf32>
}

// -----

// One head is one product.
// CHECK-LABEL: func.func @one_head
// CHECK:         gnn.scatter sum {{.*}} -> tensor<20x1x3xf32>
// CHECK:         linalg.contract {{.*}} -> tensor<20x1x32xf32>
func.func @one_head(%g: !gnn.graph<20x50x900>, %x: tensor<50x3xf32>, %w: tensor<3x32xf32> {gnn.weight = "w"}, %s: tensor<900x1xf32>) -> tensor<20x1x32xf32> {
  %zero = arith.constant 0.0 : f32
  %init = tensor.empty() : tensor<50x32xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<50x32xf32>) -> tensor<50x32xf32>
  %p = linalg.matmul ins(%x, %w : tensor<50x3xf32>, tensor<3x32xf32>) outs(%zeros : tensor<50x32xf32>) -> tensor<50x32xf32>
  %h = tensor.expand_shape %p [[0], [1, 2]] output_shape [50, 1, 32] : tensor<50x32xf32> into tensor<50x1x32xf32>
  %rows = gnn.gather %h, %g at src : tensor<50x1x32xf32>, !gnn.graph<20x50x900> -> tensor<900x1x32xf32>
  %alpha = gnn.segment_softmax %s, %g at dst acc f32 : tensor<900x1xf32>, !gnn.graph<20x50x900>
  %ie = tensor.empty() : tensor<900x1x32xf32>
  %wide = linalg.broadcast ins(%alpha : tensor<900x1xf32>) outs(%ie : tensor<900x1x32xf32>) dimensions = [2]
  %message = arith.mulf %rows, %wide : tensor<900x1x32xf32>
  %y = gnn.scatter sum %message, %g at dst acc f32 : tensor<900x1x32xf32>, !gnn.graph<20x50x900> -> tensor<20x1x32xf32>
  return %y : tensor<20x1x32xf32>
}

// -----

// A product that dot products alone read, as that of the destinations between two sets of nodes.
// CHECK-LABEL: func.func @scores
// CHECK-NOT:     linalg.reduce
// CHECK:         linalg.contract
// CHECK:         linalg.matmul {{.*}} -> tensor<?x2xf32>
#nk = affine_map<(d0, d1, d2) -> (d0, d2)>
#ck = affine_map<(d0, d1, d2) -> (d1, d2)>
#nc = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @scores(%x: tensor<?x2xf32>, %w: tensor<16x2xf32> {gnn.weight = "w"}, %as: tensor<2x8xf32> {gnn.weight = "as"}) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %nh = tensor.dim %x, %c0 : tensor<?x2xf32>
  %ih = tensor.empty(%nh) : tensor<?x16xf32>
  %zh = linalg.fill ins(%zero : f32) outs(%ih : tensor<?x16xf32>) -> tensor<?x16xf32>
  %ph = linalg.matmul indexing_maps = [#nk, #ck, #nc] ins(%x, %w : tensor<?x2xf32>, tensor<16x2xf32>) outs(%zh : tensor<?x16xf32>) -> tensor<?x16xf32>
  %h = tensor.expand_shape %ph [[0], [1, 2]] output_shape [%nh, 2, 8] : tensor<?x16xf32> into tensor<?x2x8xf32>
  %els = tensor.empty(%nh) : tensor<?x2x8xf32>
  %bls = linalg.broadcast ins(%as : tensor<2x8xf32>) outs(%els : tensor<?x2x8xf32>) dimensions = [0]
  %mls = arith.mulf %h, %bls : tensor<?x2x8xf32>
  %jls = tensor.empty(%nh) : tensor<?x2xf32>
  %ols = linalg.fill ins(%zero : f32) outs(%jls : tensor<?x2xf32>) -> tensor<?x2xf32>
  %ls = linalg.reduce ins(%mls : tensor<?x2x8xf32>) outs(%ols : tensor<?x2xf32>) dimensions = [2]
    (%in: f32, %acc: f32) {
      %sum = arith.addf %in, %acc : f32
      linalg.yield %sum : f32
    }
  return %ls : tensor<?x2xf32>
}
