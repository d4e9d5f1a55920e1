// RUN: gnn-opt %s --gnn-fuse-aggregate --canonicalize --cse --split-input-file | FileCheck %s

// Reductions over features, reshapes, and generic ops whose operands are rows, heads, parameters and numbers.
// CHECK-LABEL: func.func @generic_message
// CHECK:         gnn.aggregate %{{.*}} src(%[[X:.*]] : tensor<?x2x3xf32>) edge(%{{.*}} : tensor<?x2xf32>) param(%{{.*}} : tensor<3xf32>) reduce [sum]
// CHECK-NEXT:    ^bb0(%[[U:.*]]: vector<2x3xf32>, %[[H:.*]]: vector<2xf32>, %[[P:.*]]: vector<3xf32>):
// CHECK-DAG:       %[[TWO:.*]] = arith.constant dense<2.000000e+00> : vector<2x3xf32>
// CHECK-DAG:       %[[LOW:.*]] = arith.constant dense<0xFF800000> : vector<3xf32>
// CHECK-DAG:       %[[H1:.*]] = vector.shape_cast %[[H]] : vector<2xf32> to vector<2x1xf32>
// CHECK-DAG:       %[[HR:.*]] = vector.broadcast %[[H1]] : vector<2x1xf32> to vector<2x3xf32>
// CHECK-DAG:       %[[PR:.*]] = vector.broadcast %{{.*}} : vector<{{(1x)?}}3xf32> to vector<2x3xf32>
// CHECK:           %[[A:.*]] = arith.mulf %[[U]], %[[HR]] : vector<2x3xf32>
// CHECK:           %[[B:.*]] = arith.addf %[[A]], %[[PR]] : vector<2x3xf32>
// CHECK:           %[[C:.*]] = arith.divf %[[B]], %[[TWO]] : vector<2x3xf32>
// CHECK:           %[[M:.*]] = vector.multi_reduction <maximumf>, %[[C]], %[[LOW]] [0] : vector<2x3xf32> to vector<3xf32>
// CHECK:           gnn.yield %[[M]] : vector<3xf32>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#head = affine_map<(d0, d1, d2) -> (d0, d1)>
#feature = affine_map<(d0, d1, d2) -> (d2)>
func.func @generic_message(%g: !gnn.graph<?x?x?>, %x: tensor<?x2x3xf32>, %h: tensor<?x2xf32>, %p: tensor<3xf32>) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %two = arith.constant 2.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %u = gnn.gather %x, %g at src : tensor<?x2x3xf32>, !gnn.graph<?x?x?> -> tensor<?x2x3xf32>
  %e = tensor.dim %u, %c0 : tensor<?x2x3xf32>
  %init = tensor.empty(%e) : tensor<?x2x3xf32>
  %t = linalg.generic {indexing_maps = [#all, #head, #feature, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%u, %h, %p : tensor<?x2x3xf32>, tensor<?x2xf32>, tensor<3xf32>) outs(%init : tensor<?x2x3xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32, %out: f32):
      %m = arith.mulf %a, %b : f32
      %s = arith.addf %m, %c : f32
      %q = arith.divf %s, %two : f32
      linalg.yield %q : f32
  } -> tensor<?x2x3xf32>
  %rinit = tensor.empty(%e) : tensor<?x3xf32>
  %lows = linalg.fill ins(%low : f32) outs(%rinit : tensor<?x3xf32>) -> tensor<?x3xf32>
  %r = linalg.reduce ins(%t : tensor<?x2x3xf32>) outs(%lows : tensor<?x3xf32>) dimensions = [1]
    (%a: f32, %acc: f32) {
      %m = arith.maximumf %a, %acc : f32
      linalg.yield %m : f32
    }
  %o = gnn.scatter sum %r, %g at dst acc f32 : tensor<?x3xf32>, !gnn.graph<?x?x?> -> tensor<?x3xf32>
  return %o : tensor<?x3xf32>
}

// -----

// A column of one feature is a scalar; its extent may join the rows.
// CHECK-LABEL: func.func @column
// CHECK:         gnn.aggregate %{{.*}} src(%{{.*}} : tensor<?x1xf32>) reduce [sum]
// CHECK-NEXT:    ^bb0(%[[U:.*]]: vector<1xf32>):
// CHECK-NEXT:      %[[S:.*]] = vector.extract %[[U]][0] : f32 from vector<1xf32>
// CHECK-NEXT:      %[[E:.*]] = math.exp %[[S]] : f32
// CHECK-NEXT:      %[[V:.*]] = vector.broadcast %[[E]] : f32 to vector<1xf32>
// CHECK-NEXT:      gnn.yield %[[V]] : vector<1xf32>
func.func @column(%g: !gnn.graph<?x?x?>, %x: tensor<?x1xf32>) -> tensor<?x1xf32> {
  %c0 = arith.constant 0 : index
  %u = gnn.gather %x, %g at src : tensor<?x1xf32>, !gnn.graph<?x?x?> -> tensor<?x1xf32>
  %s = tensor.collapse_shape %u [[0, 1]] : tensor<?x1xf32> into tensor<?xf32>
  %x1 = math.exp %s : tensor<?xf32>
  %n = tensor.dim %s, %c0 : tensor<?xf32>
  %v = tensor.expand_shape %x1 [[0, 1]] output_shape [%n, 1] : tensor<?xf32> into tensor<?x1xf32>
  %o = gnn.scatter sum %v, %g at dst acc f32 : tensor<?x1xf32>, !gnn.graph<?x?x?> -> tensor<?x1xf32>
  return %o : tensor<?x1xf32>
}

// -----

// Not row by row: a reduction over edges, a reduction from values, a generic op that uses its result or turns rows.
// CHECK-LABEL: func.func @other_ops_stay
// CHECK:         linalg.reduce
// CHECK:         linalg.reduce
// CHECK:         linalg.generic
// CHECK:         gnn.aggregate
#id = affine_map<(d0, d1) -> (d0, d1)>
#turn = affine_map<(d0, d1) -> (d1, d0)>
func.func @other_ops_stay(%g: !gnn.graph<4x4x4>, %m: tensor<4x4xf32>, %from: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4x4xf32>) {
  %zeros = arith.constant dense<0.0> : tensor<4xf32>
  %r = linalg.reduce ins(%m : tensor<4x4xf32>) outs(%zeros : tensor<4xf32>) dimensions = [0]
    (%a: f32, %acc: f32) {
      %s = arith.addf %a, %acc : f32
      linalg.yield %s : f32
    }
  %o0 = gnn.scatter sum %r, %g at dst acc f32 : tensor<4xf32>, !gnn.graph<4x4x4> -> tensor<4xf32>
  %q = linalg.reduce ins(%m : tensor<4x4xf32>) outs(%from : tensor<4xf32>) dimensions = [1]
    (%a: f32, %acc: f32) {
      %s = arith.addf %a, %acc : f32
      linalg.yield %s : f32
    }
  %o1 = gnn.scatter sum %q, %g at dst acc f32 : tensor<4xf32>, !gnn.graph<4x4x4> -> tensor<4xf32>
  %init = tensor.empty() : tensor<4x4xf32>
  %t = linalg.generic {indexing_maps = [#turn, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m : tensor<4x4xf32>) outs(%init : tensor<4x4xf32>) {
    ^bb0(%a: f32, %out: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
  } -> tensor<4x4xf32>
  %o2 = gnn.scatter sum %t, %g at dst acc f32 : tensor<4x4xf32>, !gnn.graph<4x4x4> -> tensor<4x4xf32>
  return %o0, %o1, %o2 : tensor<4xf32>, tensor<4xf32>, tensor<4x4xf32>
}

// -----

// One number of the weights (GIN's eps is a tensor of one element), by two spellings.
// CHECK-LABEL: func.func @one_number
// CHECK:         gnn.aggregate {{.*}} param(%{{.*}} : tensor<1xf32>) reduce [sum]
// CHECK-NEXT:    ^bb0(%[[U:.*]]: vector<3xf32>, %[[EPS:.*]]: vector<1xf32>):
// CHECK-NEXT:      %[[N:.*]] = vector.extract %[[EPS]][0] : f32 from vector<1xf32>
// CHECK-NEXT:      %[[R:.*]] = vector.broadcast %[[N]] : f32 to vector<3xf32>
// CHECK-NEXT:      %[[A:.*]] = arith.mulf %[[U]], %[[R]] : vector<3xf32>
// CHECK:           %[[B:.*]] = arith.addf %[[A]], %{{.*}} : vector<3xf32>
// CHECK:           gnn.yield %[[B]]
#all = affine_map<(d0, d1) -> (d0, d1)>
#one = affine_map<(d0, d1) -> (0)>
func.func @one_number(%g: !gnn.graph<?x?x?>, %x: tensor<?x3xf32>, %eps: tensor<1xf32>) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %u = gnn.gather %x, %g at src : tensor<?x3xf32>, !gnn.graph<?x?x?> -> tensor<?x3xf32>
  %e = tensor.dim %u, %c0 : tensor<?x3xf32>
  %init = tensor.empty(%e) : tensor<?x3xf32>
  %number = tensor.collapse_shape %eps [] : tensor<1xf32> into tensor<f32>
  %rows = linalg.broadcast ins(%number : tensor<f32>) outs(%init : tensor<?x3xf32>) dimensions = [0, 1]
  %a = arith.mulf %u, %rows : tensor<?x3xf32>
  %b = linalg.generic {indexing_maps = [#all, #one, #all], iterator_types = ["parallel", "parallel"]}
      ins(%a, %eps : tensor<?x3xf32>, tensor<1xf32>) outs(%init : tensor<?x3xf32>) {
    ^bb0(%p: f32, %q: f32, %out: f32):
      %s = arith.addf %p, %q : f32
      linalg.yield %s : f32
  } -> tensor<?x3xf32>
  %o = gnn.scatter sum %b, %g at dst acc f32 : tensor<?x3xf32>, !gnn.graph<?x?x?> -> tensor<?x3xf32>
  return %o : tensor<?x3xf32>
}
