// RUN: gnn-opt %s --gnn-reorder-attention=order=aggregate-first --split-input-file --remarks-filter=gnn-reorder-attention 2>&1 | FileCheck %s
// RUN: not gnn-opt %s --gnn-reorder-attention=order=none --split-input-file 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: gnn-opt %s --gnn-reorder-attention --split-input-file --remarks-filter=gnn-reorder-attention 2>&1 | FileCheck %s --check-prefix=AUTO
// BAD: gnn-reorder-attention: option order is auto, transform-first or aggregate-first, found none
// CHECK-NOT: linalg.contract
// The heads of the destinations.
// CHECK: the heads are not those of the sources of the edges
#nk = affine_map<(d0, d1, d2) -> (d0, d2)>
#ck = affine_map<(d0, d1, d2) -> (d1, d2)>
#nc = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @destinations(%g: !gnn.graph<?x?x?>, %x: tensor<?x2xf32>, %w: tensor<16x2xf32> {gnn.weight = "w"}, %s: tensor<?x2xf32>) -> tensor<?x2x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %nh = tensor.dim %x, %c0 : tensor<?x2xf32>
  %ih = tensor.empty(%nh) : tensor<?x16xf32>
  %zh = linalg.fill ins(%zero : f32) outs(%ih : tensor<?x16xf32>) -> tensor<?x16xf32>
  %ph = linalg.matmul indexing_maps = [#nk, #ck, #nc] ins(%x, %w : tensor<?x2xf32>, tensor<16x2xf32>) outs(%zh : tensor<?x16xf32>) -> tensor<?x16xf32>
  %h = tensor.expand_shape %ph [[0], [1, 2]] output_shape [%nh, 2, 8] : tensor<?x16xf32> into tensor<?x2x8xf32>
  %rows = gnn.gather %h, %g at dst : tensor<?x2x8xf32>, !gnn.graph<?x?x?> -> tensor<?x2x8xf32>
  %alpha = gnn.segment_softmax %s, %g at dst acc f32 : tensor<?x2xf32>, !gnn.graph<?x?x?>
  %ne = tensor.dim %s, %c0 : tensor<?x2xf32>
  %ie = tensor.empty(%ne) : tensor<?x2x8xf32>
  %wide = linalg.broadcast ins(%alpha : tensor<?x2xf32>) outs(%ie : tensor<?x2x8xf32>) dimensions = [2]
  %message = arith.mulf %rows, %wide : tensor<?x2x8xf32>
  %y = gnn.scatter sum %message, %g at dst acc f32 : tensor<?x2x8xf32>, !gnn.graph<?x?x?> -> tensor<?x2x8xf32>
  return %y : tensor<?x2x8xf32>
}

// -----

// Weighed once more, feature by feature.
// CHECK: more is done with the weighed heads than to add them up
#nk = affine_map<(d0, d1, d2) -> (d0, d2)>
#ck = affine_map<(d0, d1, d2) -> (d1, d2)>
#nc = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @weighed_twice(%g: !gnn.graph<?x?x?>, %x: tensor<?x2xf32>, %w: tensor<16x2xf32> {gnn.weight = "w"}, %s: tensor<?x2xf32>, %more: tensor<?x2x8xf32>) -> tensor<?x2x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %nh = tensor.dim %x, %c0 : tensor<?x2xf32>
  %ih = tensor.empty(%nh) : tensor<?x16xf32>
  %zh = linalg.fill ins(%zero : f32) outs(%ih : tensor<?x16xf32>) -> tensor<?x16xf32>
  %ph = linalg.matmul indexing_maps = [#nk, #ck, #nc] ins(%x, %w : tensor<?x2xf32>, tensor<16x2xf32>) outs(%zh : tensor<?x16xf32>) -> tensor<?x16xf32>
  %h = tensor.expand_shape %ph [[0], [1, 2]] output_shape [%nh, 2, 8] : tensor<?x16xf32> into tensor<?x2x8xf32>
  %rows = gnn.gather %h, %g at src : tensor<?x2x8xf32>, !gnn.graph<?x?x?> -> tensor<?x2x8xf32>
  %alpha = gnn.segment_softmax %s, %g at dst acc f32 : tensor<?x2xf32>, !gnn.graph<?x?x?>
  %ne = tensor.dim %s, %c0 : tensor<?x2xf32>
  %ie = tensor.empty(%ne) : tensor<?x2x8xf32>
  %wide = linalg.broadcast ins(%alpha : tensor<?x2xf32>) outs(%ie : tensor<?x2x8xf32>) dimensions = [2]
  %message = arith.mulf %rows, %wide : tensor<?x2x8xf32>
  %twice = arith.mulf %message, %more : tensor<?x2x8xf32>
  %y = gnn.scatter sum %twice, %g at dst acc f32 : tensor<?x2x8xf32>, !gnn.graph<?x?x?> -> tensor<?x2x8xf32>
  return %y : tensor<?x2x8xf32>
}

// -----

// One score for all heads.
// CHECK: there is not one score for each head
#nk = affine_map<(d0, d1, d2) -> (d0, d2)>
#ck = affine_map<(d0, d1, d2) -> (d1, d2)>
#nc = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @one_score(%g: !gnn.graph<?x?x?>, %x: tensor<?x2xf32>, %w: tensor<16x2xf32> {gnn.weight = "w"}, %s: tensor<?xf32>) -> tensor<?x2x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %nh = tensor.dim %x, %c0 : tensor<?x2xf32>
  %ih = tensor.empty(%nh) : tensor<?x16xf32>
  %zh = linalg.fill ins(%zero : f32) outs(%ih : tensor<?x16xf32>) -> tensor<?x16xf32>
  %ph = linalg.matmul indexing_maps = [#nk, #ck, #nc] ins(%x, %w : tensor<?x2xf32>, tensor<16x2xf32>) outs(%zh : tensor<?x16xf32>) -> tensor<?x16xf32>
  %h = tensor.expand_shape %ph [[0], [1, 2]] output_shape [%nh, 2, 8] : tensor<?x16xf32> into tensor<?x2x8xf32>
  %rows = gnn.gather %h, %g at src : tensor<?x2x8xf32>, !gnn.graph<?x?x?> -> tensor<?x2x8xf32>
  %alpha = gnn.segment_softmax %s, %g at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?>
  %ne = tensor.dim %s, %c0 : tensor<?xf32>
  %ie = tensor.empty(%ne) : tensor<?x2x8xf32>
  %wide = linalg.broadcast ins(%alpha : tensor<?xf32>) outs(%ie : tensor<?x2x8xf32>) dimensions = [1, 2]
  %message = arith.mulf %rows, %wide : tensor<?x2x8xf32>
  %y = gnn.scatter sum %message, %g at dst acc f32 : tensor<?x2x8xf32>, !gnn.graph<?x?x?> -> tensor<?x2x8xf32>
  return %y : tensor<?x2x8xf32>
}

// -----

// Rows of 16 bits, sums of 32.
// CHECK: rows, weights and scores are of several element types
#nk = affine_map<(d0, d1, d2) -> (d0, d2)>
#ck = affine_map<(d0, d1, d2) -> (d1, d2)>
#nc = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @types(%g: !gnn.graph<?x?x?>, %x: tensor<?x2xf16>, %w: tensor<16x2xf16> {gnn.weight = "w"}, %s: tensor<?x2xf32>) -> tensor<?x2x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %nh = tensor.dim %x, %c0 : tensor<?x2xf16>
  %ih = tensor.empty(%nh) : tensor<?x16xf32>
  %zh = linalg.fill ins(%zero : f32) outs(%ih : tensor<?x16xf32>) -> tensor<?x16xf32>
  %ph = linalg.matmul indexing_maps = [#nk, #ck, #nc] ins(%x, %w : tensor<?x2xf16>, tensor<16x2xf16>) outs(%zh : tensor<?x16xf32>) -> tensor<?x16xf32>
  %h = tensor.expand_shape %ph [[0], [1, 2]] output_shape [%nh, 2, 8] : tensor<?x16xf32> into tensor<?x2x8xf32>
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

// The product is returned, too.
// CHECK: the product has readers that are not of this attention
#nk = affine_map<(d0, d1, d2) -> (d0, d2)>
#ck = affine_map<(d0, d1, d2) -> (d1, d2)>
#nc = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @product_read(%g: !gnn.graph<?x?x?>, %x: tensor<?x2xf32>, %w: tensor<16x2xf32> {gnn.weight = "w"}, %s: tensor<?x2xf32>) -> (tensor<?x2x8xf32>, tensor<?x16xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %nh = tensor.dim %x, %c0 : tensor<?x2xf32>
  %ih = tensor.empty(%nh) : tensor<?x16xf32>
  %zh = linalg.fill ins(%zero : f32) outs(%ih : tensor<?x16xf32>) -> tensor<?x16xf32>
  %ph = linalg.matmul indexing_maps = [#nk, #ck, #nc] ins(%x, %w : tensor<?x2xf32>, tensor<16x2xf32>) outs(%zh : tensor<?x16xf32>) -> tensor<?x16xf32>
  %h = tensor.expand_shape %ph [[0], [1, 2]] output_shape [%nh, 2, 8] : tensor<?x16xf32> into tensor<?x2x8xf32>
  %rows = gnn.gather %h, %g at src : tensor<?x2x8xf32>, !gnn.graph<?x?x?> -> tensor<?x2x8xf32>
  %alpha = gnn.segment_softmax %s, %g at dst acc f32 : tensor<?x2xf32>, !gnn.graph<?x?x?>
  %ne = tensor.dim %s, %c0 : tensor<?x2xf32>
  %ie = tensor.empty(%ne) : tensor<?x2x8xf32>
  %wide = linalg.broadcast ins(%alpha : tensor<?x2xf32>) outs(%ie : tensor<?x2x8xf32>) dimensions = [2]
  %message = arith.mulf %rows, %wide : tensor<?x2x8xf32>
  %y = gnn.scatter sum %message, %g at dst acc f32 : tensor<?x2x8xf32>, !gnn.graph<?x?x?> -> tensor<?x2x8xf32>
  return %y, %ph : tensor<?x2x8xf32>, tensor<?x16xf32>
}

// -----

// And so are its heads.
// CHECK: reads the heads of the product as they are, so that it must exist
#nk = affine_map<(d0, d1, d2) -> (d0, d2)>
#ck = affine_map<(d0, d1, d2) -> (d1, d2)>
#nc = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @heads_read(%g: !gnn.graph<?x?x?>, %x: tensor<?x2xf32>, %w: tensor<16x2xf32> {gnn.weight = "w"}, %s: tensor<?x2xf32>) -> (tensor<?x2x8xf32>, tensor<?x2x8xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %nh = tensor.dim %x, %c0 : tensor<?x2xf32>
  %ih = tensor.empty(%nh) : tensor<?x16xf32>
  %zh = linalg.fill ins(%zero : f32) outs(%ih : tensor<?x16xf32>) -> tensor<?x16xf32>
  %ph = linalg.matmul indexing_maps = [#nk, #ck, #nc] ins(%x, %w : tensor<?x2xf32>, tensor<16x2xf32>) outs(%zh : tensor<?x16xf32>) -> tensor<?x16xf32>
  %h = tensor.expand_shape %ph [[0], [1, 2]] output_shape [%nh, 2, 8] : tensor<?x16xf32> into tensor<?x2x8xf32>
  %rows = gnn.gather %h, %g at src : tensor<?x2x8xf32>, !gnn.graph<?x?x?> -> tensor<?x2x8xf32>
  %alpha = gnn.segment_softmax %s, %g at dst acc f32 : tensor<?x2xf32>, !gnn.graph<?x?x?>
  %ne = tensor.dim %s, %c0 : tensor<?x2xf32>
  %ie = tensor.empty(%ne) : tensor<?x2x8xf32>
  %wide = linalg.broadcast ins(%alpha : tensor<?x2xf32>) outs(%ie : tensor<?x2x8xf32>) dimensions = [2]
  %message = arith.mulf %rows, %wide : tensor<?x2x8xf32>
  %y = gnn.scatter sum %message, %g at dst acc f32 : tensor<?x2x8xf32>, !gnn.graph<?x?x?> -> tensor<?x2x8xf32>
  return %y, %h : tensor<?x2x8xf32>, tensor<?x2x8xf32>
}

// -----

// Rows that are not narrower: possible, but no gain. Scores likewise.
// AUTO: gathering the rows before their product moves no less
#nk = affine_map<(d0, d1, d2) -> (d0, d2)>
#ck = affine_map<(d0, d1, d2) -> (d1, d2)>
#nc = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @wide(%g: !gnn.graph<?x?x?>, %x: tensor<?x16xf32>, %w: tensor<16x16xf32> {gnn.weight = "w"}, %s: tensor<?x2xf32>, %as: tensor<2x8xf32> {gnn.weight = "as"}) -> (tensor<?x2x8xf32>, tensor<?x2xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %nh = tensor.dim %x, %c0 : tensor<?x16xf32>
  %ih = tensor.empty(%nh) : tensor<?x16xf32>
  %zh = linalg.fill ins(%zero : f32) outs(%ih : tensor<?x16xf32>) -> tensor<?x16xf32>
  %ph = linalg.matmul indexing_maps = [#nk, #ck, #nc] ins(%x, %w : tensor<?x16xf32>, tensor<16x16xf32>) outs(%zh : tensor<?x16xf32>) -> tensor<?x16xf32>
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
  %rows = gnn.gather %h, %g at src : tensor<?x2x8xf32>, !gnn.graph<?x?x?> -> tensor<?x2x8xf32>
  %alpha = gnn.segment_softmax %s, %g at dst acc f32 : tensor<?x2xf32>, !gnn.graph<?x?x?>
  %ne = tensor.dim %s, %c0 : tensor<?x2xf32>
  %ie = tensor.empty(%ne) : tensor<?x2x8xf32>
  %wide = linalg.broadcast ins(%alpha : tensor<?x2xf32>) outs(%ie : tensor<?x2x8xf32>) dimensions = [2]
  %message = arith.mulf %rows, %wide : tensor<?x2x8xf32>
  %y = gnn.scatter sum %message, %g at dst acc f32 : tensor<?x2x8xf32>, !gnn.graph<?x?x?> -> tensor<?x2x8xf32>
  return %y, %ls : tensor<?x2x8xf32>, tensor<?x2xf32>
}

// -----

// Scores alone.
// AUTO: func.func @wide_scores
#nk = affine_map<(d0, d1, d2) -> (d0, d2)>
#ck = affine_map<(d0, d1, d2) -> (d1, d2)>
#nc = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @wide_scores(%x: tensor<?x16xf32>, %w: tensor<16x16xf32> {gnn.weight = "w"}, %as: tensor<2x8xf32> {gnn.weight = "as"}) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %nh = tensor.dim %x, %c0 : tensor<?x16xf32>
  %ih = tensor.empty(%nh) : tensor<?x16xf32>
  %zh = linalg.fill ins(%zero : f32) outs(%ih : tensor<?x16xf32>) -> tensor<?x16xf32>
  %ph = linalg.matmul indexing_maps = [#nk, #ck, #nc] ins(%x, %w : tensor<?x16xf32>, tensor<16x16xf32>) outs(%zh : tensor<?x16xf32>) -> tensor<?x16xf32>
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

// -----

// No attention at all.
// AUTO: func.func @plain_sum
#nk = affine_map<(d0, d1, d2) -> (d0, d2)>
#ck = affine_map<(d0, d1, d2) -> (d1, d2)>
#nc = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @plain_sum(%g: !gnn.graph<?x?x?>, %e: tensor<?x4xf32>, %f: tensor<?x4xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = arith.mulf %e, %f : tensor<?x4xf32>
  %sum = gnn.scatter sum %m, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %n = tensor.dim %e, %c0 : tensor<?x4xf32>
  %i = tensor.empty(%n) : tensor<?xf32>
  %z = linalg.fill ins(%zero : f32) outs(%i : tensor<?xf32>) -> tensor<?xf32>
  %r = linalg.reduce { arith.addf } ins(%sum : tensor<?x4xf32>) outs(%z : tensor<?xf32>) dimensions = [1]
  return %r : tensor<?xf32>
}
