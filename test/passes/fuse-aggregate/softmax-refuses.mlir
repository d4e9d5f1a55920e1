// RUN: gnn-opt %s --gnn-fuse-aggregate=max-results=1 --canonicalize --cse --split-input-file | FileCheck %s

// The weights are returned: they must exist, so the sum reads them as an edge tensor.
// CHECK-LABEL: func.func @weights_are_returned
// CHECK:         %[[A:.*]] = gnn.segment_softmax
// CHECK:         gnn.aggregate {{.*}} edge(%[[A]] : tensor<?xf32>) reduce [sum]
func.func @weights_are_returned(%g: !gnn.graph<?x?x?>, %x: tensor<?xf32>, %s: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %u = gnn.gather %x, %g at src : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %a = gnn.segment_softmax %s, %g at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?>
  %w = arith.mulf %u, %a : tensor<?xf32>
  %o = gnn.scatter sum %w, %g at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  return %o, %a : tensor<?xf32>, tensor<?xf32>
}

// -----

// A maximum of weighed rows is no weighed sum.
// CHECK-LABEL: func.func @maximum
// CHECK:         %[[A:.*]] = gnn.segment_softmax
// CHECK:         gnn.aggregate {{.*}} edge(%[[A]] : tensor<?xf32>) reduce [max]
func.func @maximum(%g: !gnn.graph<?x?x?>, %x: tensor<?xf32>, %s: tensor<?xf32>) -> tensor<?xf32> {
  %u = gnn.gather %x, %g at src : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %a = gnn.segment_softmax %s, %g at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?>
  %w = arith.mulf %u, %a : tensor<?xf32>
  %o = gnn.scatter max %w, %g at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  return %o : tensor<?xf32>
}

// -----

// Among the edges that leave a node, summed at the nodes they reach.
// CHECK-LABEL: func.func @other_end
// CHECK:         %[[A:.*]] = gnn.segment_softmax
// CHECK:         gnn.aggregate {{.*}} edge(%[[A]] : tensor<?xf32>) reduce [sum]
func.func @other_end(%g: !gnn.graph<?x?x?>, %x: tensor<?xf32>, %s: tensor<?xf32>) -> tensor<?xf32> {
  %u = gnn.gather %x, %g at src : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %a = gnn.segment_softmax %s, %g at src acc f32 : tensor<?xf32>, !gnn.graph<?x?x?>
  %w = arith.mulf %u, %a : tensor<?xf32>
  %o = gnn.scatter sum %w, %g at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  return %o : tensor<?xf32>
}

// -----

// The square of a softmax is none, whether one product is used twice or the weight.
// CHECK-LABEL: func.func @squares
// CHECK:         %[[A:.*]] = gnn.segment_softmax
// CHECK:         gnn.aggregate {{.*}} edge(%[[A]] : tensor<?xf32>) reduce [sum]
// CHECK:         %[[B:.*]] = gnn.segment_softmax
// CHECK:         gnn.aggregate {{.*}} edge({{.*}}%[[B]]{{.*}}) reduce [softmax]
func.func @squares(%g: !gnn.graph<?x?x?>, %x: tensor<?xf32>, %s: tensor<?xf32>, %t: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %u = gnn.gather %x, %g at src : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %a = gnn.segment_softmax %s, %g at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?>
  %w = arith.mulf %u, %a : tensor<?xf32>
  %w2 = arith.mulf %w, %w : tensor<?xf32>
  %o = gnn.scatter sum %w2, %g at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %b = gnn.segment_softmax %t, %g at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?>
  %v = arith.mulf %u, %b : tensor<?xf32>
  %v2 = arith.mulf %v, %b : tensor<?xf32>
  %p = gnn.scatter sum %v2, %g at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  return %o, %p : tensor<?xf32>, tensor<?xf32>
}

// -----

// One weight per feature and all heads: scores are not those of the leading extent, though the extents are equal.
// CHECK-LABEL: func.func @weights_of_features
// CHECK:         %[[A:.*]] = gnn.segment_softmax
// CHECK:         gnn.aggregate {{.*}} edge(%[[A]] : tensor<7x4xf32>) reduce [sum]
func.func @weights_of_features(%g: !gnn.graph<5x5x7>, %x: tensor<5x4x4xf32>, %s: tensor<7x4xf32>) -> tensor<5x4x4xf32> {
  %u = gnn.gather %x, %g at src : tensor<5x4x4xf32>, !gnn.graph<5x5x7> -> tensor<7x4x4xf32>
  %a = gnn.segment_softmax %s, %g at dst acc f32 : tensor<7x4xf32>, !gnn.graph<5x5x7>
  %init = tensor.empty() : tensor<7x4x4xf32>
  %rows = linalg.broadcast ins(%a : tensor<7x4xf32>) outs(%init : tensor<7x4x4xf32>) dimensions = [1]
  %w = arith.mulf %u, %rows : tensor<7x4x4xf32>
  %o = gnn.scatter sum %w, %g at dst acc f32 : tensor<7x4x4xf32>, !gnn.graph<5x5x7> -> tensor<5x4x4xf32>
  return %o : tensor<5x4x4xf32>
}

// -----

// Scores of rank 2 have no place in the reduction.
// CHECK-LABEL: func.func @score_per_head_and_feature
// CHECK:         %[[A:.*]] = gnn.segment_softmax
// CHECK:         gnn.aggregate {{.*}} edge(%[[A]] : tensor<7x2x4xf32>) reduce [sum]
func.func @score_per_head_and_feature(%g: !gnn.graph<5x5x7>, %x: tensor<5x2x4xf32>, %s: tensor<7x2x4xf32>) -> tensor<5x2x4xf32> {
  %u = gnn.gather %x, %g at src : tensor<5x2x4xf32>, !gnn.graph<5x5x7> -> tensor<7x2x4xf32>
  %a = gnn.segment_softmax %s, %g at dst acc f32 : tensor<7x2x4xf32>, !gnn.graph<5x5x7>
  %w = arith.mulf %u, %a : tensor<7x2x4xf32>
  %o = gnn.scatter sum %w, %g at dst acc f32 : tensor<7x2x4xf32>, !gnn.graph<5x5x7> -> tensor<5x2x4xf32>
  return %o : tensor<5x2x4xf32>
}

// -----

// Reshaped behind the product: 6 scores are no longer those of 2 heads.
// CHECK-LABEL: func.func @reshaped_behind
// CHECK:         %[[A:.*]] = gnn.segment_softmax
// CHECK:         gnn.aggregate {{.*}} edge(%[[A]] : tensor<?x6xf32>) reduce [sum]
func.func @reshaped_behind(%g: !gnn.graph<?x?x?>, %x: tensor<?x6xf32>, %s: tensor<?x6xf32>) -> tensor<?x2x3xf32> {
  %c0 = arith.constant 0 : index
  %u = gnn.gather %x, %g at src : tensor<?x6xf32>, !gnn.graph<?x?x?> -> tensor<?x6xf32>
  %a = gnn.segment_softmax %s, %g at dst acc f32 : tensor<?x6xf32>, !gnn.graph<?x?x?>
  %w = arith.mulf %u, %a : tensor<?x6xf32>
  %n = tensor.dim %w, %c0 : tensor<?x6xf32>
  %r = tensor.expand_shape %w [[0], [1, 2]] output_shape [%n, 2, 3] : tensor<?x6xf32> into tensor<?x2x3xf32>
  %o = gnn.scatter sum %r, %g at dst acc f32 : tensor<?x2x3xf32>, !gnn.graph<?x?x?> -> tensor<?x2x3xf32>
  return %o : tensor<?x2x3xf32>
}
