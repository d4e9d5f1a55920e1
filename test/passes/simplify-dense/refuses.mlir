// RUN: gnn-opt %s --gnn-simplify-dense --split-input-file | FileCheck %s

#kr = affine_map<(d0, d1, d2) -> (d2, d0)>
#kc = affine_map<(d0, d1, d2) -> (d2, d1)>
#rc = affine_map<(d0, d1, d2) -> (d0, d1)>

// Rows that are read transposed have no features in a row.
// CHECK-LABEL: func @rows_transposed
// CHECK:         tensor.concat
// CHECK:         linalg.matmul
func.func @rows_transposed(%x: tensor<6x2xf32>, %w: tensor<6x3xf32>) -> tensor<4x3xf32> {
  %z = arith.constant dense<0.0> : tensor<4x3xf32>
  %c = tensor.concat dim(1) %x, %x : (tensor<6x2xf32>, tensor<6x2xf32>) -> tensor<6x4xf32>
  %p = linalg.matmul indexing_maps = [#kr, #kc, #rc] ins(%c, %w : tensor<6x4xf32>, tensor<6x3xf32>) outs(%z : tensor<4x3xf32>) -> tensor<4x3xf32>
  return %p : tensor<4x3xf32>
}

// -----

// Nodes below nodes; the matrix is not touched.
// CHECK-LABEL: func @rows_concatenated
// CHECK:         tensor.concat dim(0)
// CHECK-NOT:     extract_slice
func.func @rows_concatenated(%x: tensor<5x4xf32>, %w: tensor<4x3xf32>) -> tensor<10x3xf32> {
  %z = arith.constant dense<0.0> : tensor<10x3xf32>
  %c = tensor.concat dim(0) %x, %x : (tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<10x4xf32>
  %p = linalg.matmul ins(%c, %w : tensor<10x4xf32>, tensor<4x3xf32>) outs(%z : tensor<10x3xf32>) -> tensor<10x3xf32>
  return %p : tensor<10x3xf32>
}

// -----

// Widths that are not known give no parts.
// CHECK-LABEL: func @dynamic_width
// CHECK:         tensor.concat
func.func @dynamic_width(%x: tensor<5x?xf32>, %y: tensor<5x?xf32>, %w: tensor<8x3xf32>) -> tensor<5x3xf32> {
  %z = arith.constant dense<0.0> : tensor<5x3xf32>
  %c = tensor.concat dim(1) %x, %y : (tensor<5x?xf32>, tensor<5x?xf32>) -> tensor<5x8xf32>
  %p = linalg.matmul ins(%c, %w : tensor<5x8xf32>, tensor<8x3xf32>) outs(%z : tensor<5x3xf32>) -> tensor<5x3xf32>
  return %p : tensor<5x3xf32>
}

// -----

// Whole numbers: sums are what they are.
// CHECK-LABEL: func @integers
// CHECK:         linalg.matmul ins({{.*}}) outs(%arg2
// CHECK-NOT:     arith.add
// CHECK:         linalg.matvec
func.func @integers(%x: tensor<5x4xi32>, %w: tensor<4x3xi32>, %c: tensor<5x3xi32>, %v: tensor<4xi32>, %d: tensor<5xi32>) -> (tensor<5x3xi32>, tensor<5xi32>) {
  %p = linalg.matmul ins(%x, %w : tensor<5x4xi32>, tensor<4x3xi32>) outs(%c : tensor<5x3xi32>) -> tensor<5x3xi32>
  %q = linalg.matvec ins(%x, %v : tensor<5x4xi32>, tensor<4xi32>) outs(%d : tensor<5xi32>) -> tensor<5xi32>
  return %p, %q : tensor<5x3xi32>, tensor<5xi32>
}

// -----

#lhs = affine_map<(k, i, j) -> (i, k)>
#rhs = affine_map<(k, i, j) -> (k, j)>
#out = affine_map<(k, i, j) -> (i, j)>
#rk = affine_map<(d0, d1, d2) -> (d0, d2)>
#kc = affine_map<(d0, d1, d2) -> (d2, d1)>
#rc = affine_map<(d0, d1, d2) -> (d0, d1)>

// Other orders of loops, other sums and elements that are converted keep their body.
// CHECK-LABEL: func @other_generics
// CHECK-COUNT-3: linalg.generic
// CHECK-NOT:     linalg.matmul
func.func @other_generics(%x: tensor<5x4xf32>, %w: tensor<4x6xf32>, %h: tensor<5x4xf16>, %v: tensor<4x6xf16>)
    -> (tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>) {
  %z = arith.constant dense<0.0> : tensor<5x6xf32>
  %p = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["reduction", "parallel", "parallel"]}
      ins(%x, %w : tensor<5x4xf32>, tensor<4x6xf32>) outs(%z : tensor<5x6xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#rk, #kc, #rc], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<5x4xf32>, tensor<4x6xf32>) outs(%z : tensor<5x6xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.maximumf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#rk, #kc, #rc], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h, %v : tensor<5x4xf16>, tensor<4x6xf16>) outs(%z : tensor<5x6xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %wa = arith.extf %a : f16 to f32
    %wb = arith.extf %b : f16 to f32
    %m = arith.mulf %wa, %wb : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<5x6xf32>
  return %p, %q, %r : tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>
}

// -----

#lr = affine_map<(d0, d1, d2) -> (d0, d2)>
#once = affine_map<(d0, d1, d2) -> (d2)>
#lc = affine_map<(d0, d1, d2) -> (d0, d1)>

// One column that stands for all of the matrix.
// CHECK-LABEL: func @repeats_a_column
// CHECK:         tensor.concat
// CHECK:         linalg.matmul indexing_maps
// CHECK-NOT:     extract_slice
func.func @repeats_a_column(%x: tensor<?x2xf32>, %w: tensor<4xf32>, %z: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %c = tensor.concat dim(1) %x, %x : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x4xf32>
  %zero = arith.constant 0.0 : f32
  %zeros = linalg.fill ins(%zero : f32) outs(%z : tensor<?x3xf32>) -> tensor<?x3xf32>
  %p = linalg.matmul indexing_maps = [#lr, #once, #lc] ins(%c, %w : tensor<?x4xf32>, tensor<4xf32>) outs(%zeros : tensor<?x3xf32>) -> tensor<?x3xf32>
  return %p : tensor<?x3xf32>
}

// -----

// Memory is not what a program computes with.
// CHECK-LABEL: func @memory
// CHECK-NEXT:    linalg.matmul
// CHECK-NEXT:    linalg.copy
func.func @memory(%x: memref<?x4xf32>, %w: memref<4x3xf32>, %y: memref<?x3xf32>, %z: memref<?x3xf32>) {
  linalg.matmul ins(%x, %w : memref<?x4xf32>, memref<4x3xf32>) outs(%y : memref<?x3xf32>)
  linalg.copy ins(%y : memref<?x3xf32>) outs(%z : memref<?x3xf32>)
  return
}

// -----

#rk2 = affine_map<(d0, d1, d2) -> (d0, d2)>
#kc2 = affine_map<(d0, d1, d2) -> (d2, d1)>
#cr2 = affine_map<(d0, d1, d2) -> (d1, d0)>

// The result comes out transposed.
// CHECK-LABEL: func @other_loops
// CHECK:         linalg.generic
// CHECK-NOT:     linalg.matmul
func.func @other_loops(%x: tensor<?x4xf32>, %w: tensor<4x3xf32>, %z: tensor<3x?xf32>) -> tensor<3x?xf32> {
  %p = linalg.generic {indexing_maps = [#rk2, #kc2, #cr2], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<?x4xf32>, tensor<4x3xf32>) outs(%z : tensor<3x?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<3x?xf32>
  return %p : tensor<3x?xf32>
}

// -----

// Bytes are gathered as they are.
// CHECK-LABEL: func @gathered_bytes
// CHECK-NEXT:    gnn.gather %{{.*}} : tensor<?x4xi8>
// CHECK-NEXT:    return
func.func @gathered_bytes(%g: !gnn.graph<?x?x?>, %m: tensor<?x4xi8>) -> tensor<?x4xi8> {
  %s = gnn.gather %m, %g at src : tensor<?x4xi8>, !gnn.graph<?x?x?> -> tensor<?x4xi8>
  return %s : tensor<?x4xi8>
}
