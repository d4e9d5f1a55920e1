// RUN: gnn-opt %s --gnn-fold-inference --split-input-file | FileCheck %s

// The product is read twice; the scale depends on an input; the sum has a part that takes no scale in.
// CHECK-LABEL: func.func @stay
// CHECK-COUNT-2: linalg.matmul ins(%{{.*}}, %arg1 :
// CHECK:         arith.mulf {{.*}} : tensor<6x4xf32>
// CHECK:         arith.mulf {{.*}} : tensor<6x4xf32>
// CHECK:         arith.addf
// CHECK:         arith.mulf {{.*}} : tensor<6x4xf32>
// CHECK-NOT:     tensor<4x4xf32>
// CHECK:         return
func.func @stay(%x: tensor<6x4xf32> {gnn.input = "x"}, %w: tensor<4x4xf32> {gnn.weight = "w"}, %s: tensor<4xf32> {gnn.weight = "s"}, %i: tensor<4xf32> {gnn.input = "i"})
    -> (tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>) {
  %zeros = arith.constant dense<0.0> : tensor<6x4xf32>
  %init = tensor.empty() : tensor<6x4xf32>
  %sr = linalg.broadcast ins(%s : tensor<4xf32>) outs(%init : tensor<6x4xf32>) dimensions = [0]
  %ir = linalg.broadcast ins(%i : tensor<4xf32>) outs(%init : tensor<6x4xf32>) dimensions = [0]
  %p = linalg.matmul ins(%x, %w : tensor<6x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<6x4xf32>) -> tensor<6x4xf32>
  %q = linalg.matmul ins(%x, %w : tensor<6x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<6x4xf32>) -> tensor<6x4xf32>
  %a = arith.mulf %p, %sr : tensor<6x4xf32>
  %b = arith.mulf %q, %ir : tensor<6x4xf32>
  %sum = arith.addf %b, %x : tensor<6x4xf32>
  %c = arith.mulf %sum, %sr : tensor<6x4xf32>
  return %p, %a, %b, %c : tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>
}

// -----

// A product onto values, and one that is none of rows with a weight.
// CHECK-LABEL: func.func @other_products
// CHECK:         linalg.matmul ins(%arg0, %arg1 :
// CHECK:         arith.mulf
// CHECK:         linalg.matmul ins(%arg0, %arg0 :
// CHECK:         arith.mulf
func.func @other_products(%x: tensor<4x4xf32> {gnn.input = "x"}, %w: tensor<4x4xf32> {gnn.weight = "w"}, %s: tensor<4xf32> {gnn.weight = "s"})
    -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %zeros = arith.constant dense<0.0> : tensor<4x4xf32>
  %init = tensor.empty() : tensor<4x4xf32>
  %sr = linalg.broadcast ins(%s : tensor<4xf32>) outs(%init : tensor<4x4xf32>) dimensions = [0]
  %p = linalg.matmul ins(%x, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
  %a = arith.mulf %p, %sr : tensor<4x4xf32>
  %q = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = arith.mulf %q, %sr : tensor<4x4xf32>
  return %a, %b : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// What is subtracted depends on an input.
// CHECK-LABEL: func.func @difference_of_inputs
// CHECK:         arith.subf
func.func @difference_of_inputs(%x: tensor<?x4xf32> {gnn.input = "x"}, %y: tensor<?x4xf32> {gnn.input = "y"}) -> tensor<?x4xf32> {
  %d = arith.subf %x, %y : tensor<?x4xf32>
  return %d : tensor<?x4xf32>
}

// -----

// A product that is written to memory has no value.
// CHECK-LABEL: func.func @memory
// CHECK-NEXT:    linalg.matmul
func.func @memory(%x: memref<?x4xf32>, %w: memref<4x3xf32>, %y: memref<?x3xf32>) {
  linalg.matmul ins(%x, %w : memref<?x4xf32>, memref<4x3xf32>) outs(%y : memref<?x3xf32>)
  return
}
