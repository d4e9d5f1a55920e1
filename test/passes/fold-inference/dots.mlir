// RUN: gnn-opt %s --gnn-fold-inference --canonicalize --cse --split-input-file | FileCheck %s
// RUN: gnn-opt %s --gnn-fold-inference --canonicalize --cse --gnn-fold-inference --canonicalize --cse --split-input-file | FileCheck %s

// Only the dot products of a product's heads with vectors are read (GAT's edge
// features): they go into the weight.
// CHECK-LABEL: func.func @dots
// CHECK-SAME:    %[[X:[^:]*]]: tensor<?x3xf32>{{.*}}, %[[W:.*]]: tensor<8x3xf32> {{.*}}, %[[A:.*]]: tensor<2x4xf32> {{.*}})
// CHECK-DAG:     %[[APART:.*]] = tensor.expand_shape %[[W]] {{\[\[}}0, 1], [2]] output_shape [2, 4, 3]
// CHECK-DAG:     %[[ROW:.*]] = tensor.expand_shape %[[A]] {{\[\[}}0, 1], [2]] output_shape [1, 2, 4]
// CHECK:         %[[ONE:.*]] = linalg.contract {{.*}} ins(%[[ROW]], %[[APART]] : tensor<1x2x4xf32>, tensor<2x4x3xf32>)
// CHECK:         %[[V:.*]] = tensor.collapse_shape %[[ONE]]
// CHECK:         %[[Y:.*]] = linalg.matmul {{.*}} ins(%[[X]], %[[V]] : tensor<?x3xf32>, tensor<2x3xf32>)
// CHECK:         return %[[Y]]
#nk = affine_map<(d0, d1, d2) -> (d0, d2)>
#ck = affine_map<(d0, d1, d2) -> (d1, d2)>
#nc = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @dots(%x: tensor<?x3xf32> {gnn.graph_data = "x"}, %w: tensor<8x3xf32> {gnn.weight = "w"}, %a: tensor<2x4xf32> {gnn.weight = "a"}) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  %init = tensor.empty(%n) : tensor<?x8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<?x8xf32>) -> tensor<?x8xf32>
  %p = linalg.matmul indexing_maps = [#nk, #ck, #nc] ins(%x, %w : tensor<?x3xf32>, tensor<8x3xf32>) outs(%zeros : tensor<?x8xf32>) -> tensor<?x8xf32>
  %heads = tensor.expand_shape %p [[0], [1, 2]] output_shape [%n, 2, 4] : tensor<?x8xf32> into tensor<?x2x4xf32>
  %wide = tensor.empty(%n) : tensor<?x2x4xf32>
  %rows = linalg.broadcast ins(%a : tensor<2x4xf32>) outs(%wide : tensor<?x2x4xf32>) dimensions = [0]
  %m = arith.mulf %heads, %rows : tensor<?x2x4xf32>
  %narrow = tensor.empty(%n) : tensor<?x2xf32>
  %start = linalg.fill ins(%zero : f32) outs(%narrow : tensor<?x2xf32>) -> tensor<?x2xf32>
  %y = linalg.reduce ins(%m : tensor<?x2x4xf32>) outs(%start : tensor<?x2xf32>) dimensions = [2]
    (%in: f32, %sum: f32) {
      %s = arith.addf %in, %sum : f32
      linalg.yield %s : f32
    }
  return %y : tensor<?x2xf32>
}

// -----

// The weight has its outputs in columns.
// CHECK-LABEL: func.func @columns
// CHECK-SAME:    %[[X:[^:]*]]: tensor<?x3xf32>{{.*}}, %[[W:.*]]: tensor<3x8xf32> {{.*}}, %[[A:.*]]: tensor<2x4xf32> {{.*}})
// CHECK-DAG:     %[[APART:.*]] = tensor.expand_shape %[[W]] {{\[\[}}0], [1, 2]] output_shape [3, 2, 4]
// CHECK-DAG:     %[[ROW:.*]] = tensor.expand_shape %[[A]] {{\[\[}}0, 1], [2]] output_shape [1, 2, 4]
// CHECK:         %[[ONE:.*]] = linalg.contract {{.*}} ins(%[[ROW]], %[[APART]] : tensor<1x2x4xf32>, tensor<3x2x4xf32>)
// CHECK:         %[[V:.*]] = tensor.collapse_shape %[[ONE]]
// CHECK:         linalg.matmul {{.*}} ins(%[[X]], %[[V]] : tensor<?x3xf32>, tensor<2x3xf32>)
func.func @columns(%x: tensor<?x3xf32> {gnn.graph_data = "x"}, %w: tensor<3x8xf32> {gnn.weight = "w"}, %a: tensor<2x4xf32> {gnn.weight = "a"}) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  %init = tensor.empty(%n) : tensor<?x8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<?x8xf32>) -> tensor<?x8xf32>
  %p = linalg.matmul ins(%x, %w : tensor<?x3xf32>, tensor<3x8xf32>) outs(%zeros : tensor<?x8xf32>) -> tensor<?x8xf32>
  %heads = tensor.expand_shape %p [[0], [1, 2]] output_shape [%n, 2, 4] : tensor<?x8xf32> into tensor<?x2x4xf32>
  %wide = tensor.empty(%n) : tensor<?x2x4xf32>
  %rows = linalg.broadcast ins(%a : tensor<2x4xf32>) outs(%wide : tensor<?x2x4xf32>) dimensions = [0]
  %m = arith.mulf %rows, %heads : tensor<?x2x4xf32>
  %narrow = tensor.empty(%n) : tensor<?x2xf32>
  %start = linalg.fill ins(%zero : f32) outs(%narrow : tensor<?x2xf32>) -> tensor<?x2xf32>
  %y = linalg.reduce ins(%m : tensor<?x2x4xf32>) outs(%start : tensor<?x2xf32>) dimensions = [2]
    (%in: f32, %sum: f32) {
      %s = arith.addf %in, %sum : f32
      linalg.yield %s : f32
    }
  return %y : tensor<?x2xf32>
}

// -----

// The product is read, too (GAT's nodes): it is needed anyway, and has the dots for
// one more pass over it.
// CHECK-LABEL: func.func @read_elsewhere
// CHECK:         %[[P:.*]] = linalg.matmul
// CHECK:         tensor.expand_shape %[[P]]
// CHECK-NOT:     linalg.matmul
#nk = affine_map<(d0, d1, d2) -> (d0, d2)>
#ck = affine_map<(d0, d1, d2) -> (d1, d2)>
#nc = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @read_elsewhere(%x: tensor<?x3xf32> {gnn.input = "x"}, %w: tensor<8x3xf32> {gnn.weight = "w"}, %a: tensor<2x4xf32> {gnn.weight = "a"}) -> (tensor<?x2xf32>, tensor<?x8xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  %init = tensor.empty(%n) : tensor<?x8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<?x8xf32>) -> tensor<?x8xf32>
  %p = linalg.matmul indexing_maps = [#nk, #ck, #nc] ins(%x, %w : tensor<?x3xf32>, tensor<8x3xf32>) outs(%zeros : tensor<?x8xf32>) -> tensor<?x8xf32>
  %heads = tensor.expand_shape %p [[0], [1, 2]] output_shape [%n, 2, 4] : tensor<?x8xf32> into tensor<?x2x4xf32>
  %wide = tensor.empty(%n) : tensor<?x2x4xf32>
  %rows = linalg.broadcast ins(%a : tensor<2x4xf32>) outs(%wide : tensor<?x2x4xf32>) dimensions = [0]
  %m = arith.mulf %heads, %rows : tensor<?x2x4xf32>
  %narrow = tensor.empty(%n) : tensor<?x2xf32>
  %start = linalg.fill ins(%zero : f32) outs(%narrow : tensor<?x2xf32>) -> tensor<?x2xf32>
  %y = linalg.reduce ins(%m : tensor<?x2x4xf32>) outs(%start : tensor<?x2xf32>) dimensions = [2]
    (%in: f32, %sum: f32) {
      %s = arith.addf %in, %sum : f32
      linalg.yield %s : f32
    }
  return %y, %p : tensor<?x2xf32>, tensor<?x8xf32>
}

// -----

// A sum over features of what is no product.
// CHECK-LABEL: func.func @plain_sum
// CHECK:         linalg.reduce
func.func @plain_sum(%x: tensor<?x2x4xf32> {gnn.input = "x"}) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x2x4xf32>
  %narrow = tensor.empty(%n) : tensor<?x2xf32>
  %start = linalg.fill ins(%zero : f32) outs(%narrow : tensor<?x2xf32>) -> tensor<?x2xf32>
  %y = linalg.reduce ins(%x : tensor<?x2x4xf32>) outs(%start : tensor<?x2xf32>) dimensions = [2]
    (%in: f32, %sum: f32) {
      %s = arith.addf %in, %sum : f32
      linalg.yield %s : f32
    }
  return %y : tensor<?x2xf32>
}

// -----

// Dot products of rows that no product makes.
// CHECK-LABEL: func.func @no_product
// CHECK:         linalg.reduce
func.func @no_product(%x: tensor<?x2x4xf32> {gnn.input = "x"}, %a: tensor<2x4xf32> {gnn.weight = "a"}) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x2x4xf32>
  %wide = tensor.empty(%n) : tensor<?x2x4xf32>
  %rows = linalg.broadcast ins(%a : tensor<2x4xf32>) outs(%wide : tensor<?x2x4xf32>) dimensions = [0]
  %m = arith.mulf %x, %rows : tensor<?x2x4xf32>
  %narrow = tensor.empty(%n) : tensor<?x2xf32>
  %start = linalg.fill ins(%zero : f32) outs(%narrow : tensor<?x2xf32>) -> tensor<?x2xf32>
  %y = linalg.reduce ins(%m : tensor<?x2x4xf32>) outs(%start : tensor<?x2xf32>) dimensions = [2]
    (%in: f32, %sum: f32) {
      %s = arith.addf %in, %sum : f32
      linalg.yield %s : f32
    }
  return %y : tensor<?x2xf32>
}
