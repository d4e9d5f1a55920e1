// RUN: gnn-eval --entry @matmul %s | FileCheck %s --check-prefix=MATMUL
// RUN: gnn-eval --entry @shapes %s | FileCheck %s --check-prefix=SHAPES
// RUN: gnn-eval --entry @generic %s | FileCheck %s --check-prefix=GENERIC
// RUN: gnn-eval --entry @concat %s | FileCheck %s --check-prefix=CONCAT
// RUN: gnn-eval --entry @unwritten %s | FileCheck %s --check-prefix=UNWRITTEN

#nk = affine_map<(d0, d1, d2) -> (d0, d2)>
#ck = affine_map<(d0, d1, d2) -> (d1, d2)>
#nc = affine_map<(d0, d1, d2) -> (d0, d1)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// [in, out] and [out, in] weights; the product adds to what is there.
// MATMUL: #0: 2x2xf64 {{\[\[}}101, 102], [105, 106]]
// MATMUL: #1: 2x2xf64 {{\[\[}}101, 103], [105, 107]]
func.func @matmul() -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %a = arith.constant dense<[[1.0, 0.0], [1.0, 2.0]]> : tensor<2x2xf32>
  %b = arith.constant dense<[[1.0, 2.0], [2.0, 2.0]]> : tensor<2x2xf32>
  %bt = arith.constant dense<[[1.0, 2.0], [3.0, 2.0]]> : tensor<2x2xf32>
  %init = arith.constant dense<100.0> : tensor<2x2xf32>
  %c = linalg.matmul ins(%a, %b : tensor<2x2xf32>, tensor<2x2xf32>) outs(%init : tensor<2x2xf32>) -> tensor<2x2xf32>
  %d = linalg.matmul indexing_maps = [#nk, #ck, #nc] ins(%a, %bt : tensor<2x2xf32>, tensor<2x2xf32>) outs(%init : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %c, %d : tensor<2x2xf32>, tensor<2x2xf32>
}

// SHAPES: #0: 3x2xf64 {{\[\[}}1, 4], [2, 5], [3, 6]]
// SHAPES: #1: 2x3xf64 {{\[\[}}7, 7, 7], [8, 8, 8]]
// SHAPES: #2: 6xf64 [1, 2, 3, 4, 5, 6]
// SHAPES: #3: 2x1xf64 {{\[\[}}2], [5]]
// SHAPES: #4: i64 3
// SHAPES: #5: f64 6
func.func @shapes() -> (tensor<3x2xf32>, tensor<2x3xf32>, tensor<6xf32>, tensor<2x1xf32>, index, f32) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %v = arith.constant dense<[7.0, 8.0]> : tensor<2xf32>
  %e32 = tensor.empty() : tensor<3x2xf32>
  %e23 = tensor.empty() : tensor<2x3xf32>
  %t = linalg.transpose ins(%a : tensor<2x3xf32>) outs(%e32 : tensor<3x2xf32>) permutation = [1, 0]
  %b = linalg.broadcast ins(%v : tensor<2xf32>) outs(%e23 : tensor<2x3xf32>) dimensions = [1]
  %f = tensor.collapse_shape %a [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %s = tensor.extract_slice %a[0, 1] [2, 1] [1, 1] : tensor<2x3xf32> to tensor<2x1xf32>
  %d = tensor.dim %a, %c1 : tensor<2x3xf32>
  %x = tensor.extract %a[%c1, %c2] : tensor<2x3xf32>
  return %t, %b, %f, %s, %d, %x : tensor<3x2xf32>, tensor<2x3xf32>, tensor<6xf32>, tensor<2x1xf32>, index, f32
}

// GENERIC: #0: 2x3xf64 {{\[\[}}1, 3, 5], [4, 6, 8]]
// GENERIC: #1: 2xf64 [6, 15]
// GENERIC: #2: 2x3xf64 {{\[\[}}1, 4, 9], [16, 25, 36]]
func.func @generic() -> (tensor<2x3xf32>, tensor<2xf32>, tensor<2x3xf32>) {
  %a = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %e = tensor.empty() : tensor<2x3xf32>
  %zero = arith.constant dense<0.0> : tensor<2xf32>
  %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %j = linalg.index 1 : index
    %i = arith.index_cast %j : index to i64
    %f = arith.sitofp %i : i64 to f32
    %y = arith.addf %in, %f : f32
    linalg.yield %y : f32
  } -> tensor<2x3xf32>
  %r = linalg.reduce { arith.addf } ins(%a : tensor<2x3xf32>) outs(%zero : tensor<2xf32>) dimensions = [1]
  %m = linalg.mul ins(%a, %a : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %g, %r, %m : tensor<2x3xf32>, tensor<2xf32>, tensor<2x3xf32>
}

// CONCAT: #0: 2x3xf64 {{\[\[}}1, 2, 5], [3, 4, 6]]
// CONCAT: #1: 4x2xf64 {{\[\[}}1, 2], [3, 4], [1, 2], [3, 4]]
// CONCAT: #2: 2xi64 [7, 8]
// CONCAT: #3: 0x3xf64
// CONCAT: #4: 2xf64 [1, nan]
func.func @concat() -> (tensor<2x3xf32>, tensor<4x2xf32>, tensor<2xi64>, tensor<0x3xf32>, tensor<2xf32>) {
  %a = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = arith.constant dense<[[5.0], [6.0]]> : tensor<2x1xf32>
  %features = tensor.concat dim(1) %a, %b : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  %rows = tensor.concat dim(0) %a, %a : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  %i = arith.constant dense<7> : tensor<1xi64>
  %j = arith.constant dense<8> : tensor<1xi64>
  %numbers = tensor.concat dim(0) %i, %j : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %none = arith.constant dense<0.0> : tensor<0x2xf32>
  %nor = arith.constant dense<0.0> : tensor<0x1xf32>
  %empty = tensor.concat dim(1) %none, %nor : (tensor<0x2xf32>, tensor<0x1xf32>) -> tensor<0x3xf32>
  %one = arith.constant dense<1.0> : tensor<1xf32>
  %new = tensor.empty() : tensor<1xf32>
  %half = tensor.concat dim(0) %one, %new : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
  return %features, %rows, %numbers, %empty, %half : tensor<2x3xf32>, tensor<4x2xf32>, tensor<2xi64>, tensor<0x3xf32>, tensor<2xf32>
}

// Reading what nobody wrote shows as NaN.
// UNWRITTEN: 2xf64 [nan, nan]
func.func @unwritten() -> tensor<2xf32> {
  %e = tensor.empty() : tensor<2xf32>
  %one = arith.constant dense<1.0> : tensor<2xf32>
  %y = arith.addf %e, %one : tensor<2xf32>
  return %y : tensor<2xf32>
}
