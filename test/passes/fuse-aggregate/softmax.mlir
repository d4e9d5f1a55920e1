// RUN: gnn-opt %s --gnn-fuse-aggregate --canonicalize --cse --split-input-file | FileCheck %s
// RUN: gnn-opt %s --gnn-fuse-aggregate --gnn-fuse-aggregate --canonicalize --cse --split-input-file | FileCheck %s

// One score for a row, repeated along its features; the graph is coo, extents are ?.
// CHECK-LABEL: func.func @scalar_score
// CHECK-SAME:    %[[G:[^:]*]]: !gnn.graph<?x?x?>, %[[X:.*]]: tensor<?x4xf32>, %[[S:.*]]: tensor<?xf32>)
// CHECK:         %[[A:.*]] = gnn.aggregate %[[G]] src(%[[X]] : tensor<?x4xf32>) edge(%[[S]] : tensor<?xf32>) reduce [softmax] acc f32
// CHECK-NEXT:    ^bb0(%[[U:.*]]: vector<4xf32>, %[[C:.*]]: f32):
// CHECK-NEXT:      gnn.yield %[[C]], %[[U]] : f32, vector<4xf32>
// CHECK-NEXT:    } epilogue {
// CHECK-NEXT:    ^bb0(%[[SUM:.*]]: vector<4xf32>, %[[DEN:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      %[[TINY:.*]] = arith.constant 1.000000e-16 : f32
// CHECK-NEXT:      %[[SAFE:.*]] = arith.addf %[[DEN]], %[[TINY]] : f32
// CHECK-NEXT:      %[[D:.*]] = vector.broadcast %[[SAFE]] : f32 to vector<4xf32>
// CHECK-NEXT:      %[[Y:.*]] = arith.divf %[[SUM]], %[[D]] : vector<4xf32>
// CHECK-NEXT:      gnn.yield %[[Y]]
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[A]]
func.func @scalar_score(%g: !gnn.graph<?x?x?>, %x: tensor<?x4xf32>, %s: tensor<?xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %m = gnn.gather %x, %g at src : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %e = tensor.dim %m, %c0 : tensor<?x4xf32>
  %a = gnn.segment_softmax %s, %g at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?>
  %init = tensor.empty(%e) : tensor<?x4xf32>
  %rows = linalg.broadcast ins(%a : tensor<?xf32>) outs(%init : tensor<?x4xf32>) dimensions = [1]
  %w = arith.mulf %rows, %m : tensor<?x4xf32>
  %o = gnn.scatter sum %w, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  return %o : tensor<?x4xf32>
}

// -----

// GATv2: the score is a dot product per head over both ends; the parameter is the state_dict's [1, heads, features].
// CHECK-LABEL: func.func @score_by_dot_product
// CHECK-SAME:    %[[G:[^:]*]]: !gnn.graph<?x?x?>, %[[L:.*]]: tensor<?x8xf32>, %[[R:.*]]: tensor<?x8xf32>, %[[P:.*]]: tensor<1x2x4xf32>)
// CHECK:         gnn.aggregate %[[G]] src(%[[L]] : tensor<?x8xf32>) dst(%[[R]] : tensor<?x8xf32>) param(%[[P]] : tensor<1x2x4xf32>) reduce [softmax]
// CHECK:         ^bb0(%[[U:.*]]: vector<8xf32>, %[[V:.*]]: vector<8xf32>, %[[ATT:.*]]: vector<1x2x4xf32>):
// CHECK-DAG:       %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<2xf32>
// CHECK-DAG:       %[[U2:.*]] = vector.shape_cast %[[U]] : vector<8xf32> to vector<2x4xf32>
// CHECK-DAG:       %[[V2:.*]] = vector.shape_cast %[[V]] : vector<8xf32> to vector<2x4xf32>
// CHECK-DAG:       %[[B:.*]] = arith.addf %[[U2]], %[[V2]] : vector<2x4xf32>
// CHECK-DAG:       %[[T:.*]] = math.tanh %[[B]] : vector<2x4xf32>
// CHECK-DAG:       %[[ATT2:.*]] = vector.shape_cast %[[ATT]] : vector<1x2x4xf32> to vector<2x4xf32>
// CHECK:           %[[PROD:.*]] = arith.mulf %[[T]], %[[ATT2]] : vector<2x4xf32>
// CHECK:           %[[SCORE:.*]] = vector.multi_reduction <add>, %[[PROD]], %[[ZERO]] [1] : vector<2x4xf32> to vector<2xf32>
// CHECK:           gnn.yield %[[SCORE]], %[[U2]] : vector<2xf32>, vector<2x4xf32>
// CHECK:         epilogue
// CHECK:           vector.shape_cast %{{.*}} : vector<2xf32> to vector<2x1xf32>
// CHECK-NEXT:      vector.broadcast %{{.*}} : vector<2x1xf32> to vector<2x4xf32>
// CHECK-NEXT:      arith.divf
// CHECK-NEXT:      gnn.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    tensor.collapse_shape
// CHECK-NEXT:    return
func.func @score_by_dot_product(%g: !gnn.graph<?x?x?>, %l: tensor<?x8xf32>, %r: tensor<?x8xf32>, %p: tensor<1x2x4xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %l, %c0 : tensor<?x8xf32>
  %m = tensor.dim %r, %c0 : tensor<?x8xf32>
  %lh = tensor.expand_shape %l [[0], [1, 2]] output_shape [%n, 2, 4] : tensor<?x8xf32> into tensor<?x2x4xf32>
  %rh = tensor.expand_shape %r [[0], [1, 2]] output_shape [%m, 2, 4] : tensor<?x8xf32> into tensor<?x2x4xf32>
  %u = gnn.gather %lh, %g at src : tensor<?x2x4xf32>, !gnn.graph<?x?x?> -> tensor<?x2x4xf32>
  %v = gnn.gather %rh, %g at dst : tensor<?x2x4xf32>, !gnn.graph<?x?x?> -> tensor<?x2x4xf32>
  %b = arith.addf %u, %v : tensor<?x2x4xf32>
  %t = math.tanh %b : tensor<?x2x4xf32>
  %e = tensor.dim %u, %c0 : tensor<?x2x4xf32>
  %init = tensor.empty(%e) : tensor<?x2x4xf32>
  %flat = tensor.collapse_shape %p [[0, 1], [2]] : tensor<1x2x4xf32> into tensor<2x4xf32>
  %att = linalg.broadcast ins(%flat : tensor<2x4xf32>) outs(%init : tensor<?x2x4xf32>) dimensions = [0]
  %prod = arith.mulf %t, %att : tensor<?x2x4xf32>
  %heads = tensor.empty(%e) : tensor<?x2xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%heads : tensor<?x2xf32>) -> tensor<?x2xf32>
  %s = linalg.reduce ins(%prod : tensor<?x2x4xf32>) outs(%zeros : tensor<?x2xf32>) dimensions = [2]
    (%a: f32, %acc: f32) {
      %sum = arith.addf %a, %acc : f32
      linalg.yield %sum : f32
    }
  %alpha = gnn.segment_softmax %s, %g at dst acc f32 : tensor<?x2xf32>, !gnn.graph<?x?x?>
  %rows = linalg.broadcast ins(%alpha : tensor<?x2xf32>) outs(%init : tensor<?x2x4xf32>) dimensions = [2]
  %w = arith.mulf %u, %rows : tensor<?x2x4xf32>
  %o = gnn.scatter sum %w, %g at dst acc f32 : tensor<?x2x4xf32>, !gnn.graph<?x?x?> -> tensor<?x2x4xf32>
  %y = tensor.collapse_shape %o [[0], [1, 2]] : tensor<?x2x4xf32> into tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// -----

// As an import writes it: [E, H] -> [E, H, 1], a product with broadcasting, heads side by side before the sum, and
// another factor per edge.
// CHECK-LABEL: func.func @generic_product
// CHECK:         %[[A:.*]] = gnn.aggregate {{.*}} reduce [softmax] acc f32 : !gnn.graph<5x5x9> -> tensor<5x2x4xf32> message {
// CHECK-NEXT:    ^bb0(%[[U:.*]]: vector<2x4xf32>, %[[S:.*]]: vector<2xf32>, %[[W:.*]]: f32):
// CHECK-NEXT:      %[[WR:.*]] = vector.broadcast %[[W]] : f32 to vector<2x4xf32>
// CHECK-NEXT:      %[[M:.*]] = arith.mulf %[[U]], %[[WR]] : vector<2x4xf32>
// CHECK-NEXT:      gnn.yield %[[S]], %[[M]] : vector<2xf32>, vector<2x4xf32>
// CHECK:         %[[Y:.*]] = tensor.collapse_shape %[[A]]
// CHECK-NEXT:    return %[[Y]]
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#head = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
func.func @generic_product(%g: !gnn.graph<5x5x9>, %x: tensor<5x2x4xf32>, %s: tensor<9x2xf32>, %ew: tensor<9xf32>) -> tensor<5x8xf32> {
  %u = gnn.gather %x, %g at src : tensor<5x2x4xf32>, !gnn.graph<5x5x9> -> tensor<9x2x4xf32>
  %alpha = gnn.segment_softmax %s, %g at dst acc f32 : tensor<9x2xf32>, !gnn.graph<5x5x9>
  %col = tensor.expand_shape %alpha [[0], [1, 2]] output_shape [9, 2, 1] : tensor<9x2xf32> into tensor<9x2x1xf32>
  %init = tensor.empty() : tensor<9x2x4xf32>
  %w = linalg.generic {indexing_maps = [#head, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%col, %u : tensor<9x2x1xf32>, tensor<9x2x4xf32>) outs(%init : tensor<9x2x4xf32>) {
    ^bb0(%a: f32, %b: f32, %out: f32):
      %p = arith.mulf %a, %b : f32
      linalg.yield %p : f32
  } -> tensor<9x2x4xf32>
  %ewr = linalg.broadcast ins(%ew : tensor<9xf32>) outs(%init : tensor<9x2x4xf32>) dimensions = [1, 2]
  %ww = arith.mulf %w, %ewr : tensor<9x2x4xf32>
  %flat = tensor.collapse_shape %ww [[0], [1, 2]] : tensor<9x2x4xf32> into tensor<9x8xf32>
  %o = gnn.scatter sum %flat, %g at dst acc f32 : tensor<9x8xf32>, !gnn.graph<5x5x9> -> tensor<5x8xf32>
  return %o : tensor<5x8xf32>
}

// -----

// 16 bit rows and scores: both are widened, the quotient is rounded once.
// CHECK-LABEL: func.func @narrow
// CHECK:         reduce [softmax] acc f32 : !gnn.graph<?x?x?> -> tensor<?xbf16>
// CHECK-NEXT:    ^bb0(%[[U:.*]]: bf16, %[[S:.*]]: bf16):
// CHECK-NEXT:      %[[SW:.*]] = arith.extf %[[S]] : bf16 to f32
// CHECK-NEXT:      %[[UW:.*]] = arith.extf %[[U]] : bf16 to f32
// CHECK-NEXT:      gnn.yield %[[SW]], %[[UW]] : f32, f32
// CHECK:         epilogue
// CHECK:           %[[Q:.*]] = arith.divf %{{.*}}, %{{.*}} : f32
// CHECK-NEXT:      %[[Y:.*]] = arith.truncf %[[Q]] : f32 to bf16
// CHECK-NEXT:      gnn.yield %[[Y]] : bf16
func.func @narrow(%g: !gnn.graph<?x?x?>, %x: tensor<?xbf16>, %s: tensor<?xbf16>) -> tensor<?xbf16> {
  %u = gnn.gather %x, %g at src : tensor<?xbf16>, !gnn.graph<?x?x?> -> tensor<?xbf16>
  %alpha = gnn.segment_softmax %s, %g at dst acc f32 : tensor<?xbf16>, !gnn.graph<?x?x?>
  %w = arith.mulf %u, %alpha : tensor<?xbf16>
  %o = gnn.scatter sum %w, %g at dst acc f32 : tensor<?xbf16>, !gnn.graph<?x?x?> -> tensor<?xbf16>
  return %o : tensor<?xbf16>
}
