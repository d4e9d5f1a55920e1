// RUN: gnn-opt %s --gnn-fuse-aggregate | FileCheck %s
// RUN: gnn-opt %s --gnn-fuse-aggregate --gnn-fuse-aggregate | FileCheck %s

// Edge features times a weight of a row per feature move into the message; bf16 ones are
// added up in f32 and rounded once. The rows that are multiplied are read from memory:
// their square is computed by a kernel of its own.
#nk = affine_map<(n, c, k) -> (n, k)>
#kc = affine_map<(n, c, k) -> (k, c)>
#nc = affine_map<(n, c, k) -> (n, c)>
// CHECK-LABEL: func.func @sum(
// CHECK-SAME:    %[[F:[^:]*]]: tensor<?x3xf32>, %[[W:[^:]*]]: tensor<3x8xf32>
// CHECK:         %[[SQUARE:.*]] = arith.mulf %[[F]], %[[F]]
// CHECK:         gnn.aggregate %{{.*}} edge(%[[SQUARE]] : tensor<?x3xf32>) param(%[[W]] : tensor<3x8xf32>) reduce [sum]
// CHECK:         ^bb0(%[[ROW:.*]]: vector<3xf32>, %[[WEIGHT:.*]]: vector<3x8xf32>):
// CHECK:           %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<8xf32>
// CHECK:           %[[M:.*]] = vector.contract {{.*}} %[[ROW]], %[[WEIGHT]], %[[ZERO]] : vector<3xf32>, vector<3x8xf32> into vector<8xf32>
// CHECK:           gnn.yield %[[M]]
func.func @sum(%g: !gnn.graph<?x?x?, i32, csr>, %f: tensor<?x3xf32>, %w: tensor<3x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %f, %c0 : tensor<?x3xf32>
  %square = arith.mulf %f, %f : tensor<?x3xf32>
  %init = tensor.empty(%n) : tensor<?x8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<?x8xf32>) -> tensor<?x8xf32>
  %p = linalg.contract indexing_maps = [#nk, #kc, #nc] ins(%square, %w : tensor<?x3xf32>, tensor<3x8xf32>) outs(%zeros : tensor<?x8xf32>) -> tensor<?x8xf32>
  %y = gnn.scatter sum %p, %g at dst acc f32 : tensor<?x8xf32>, !gnn.graph<?x?x?, i32, csr> -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// CHECK-LABEL: func.func @of_sources(
// CHECK:         gnn.aggregate %{{.*}} src(%{{.*}} : tensor<?x3xbf16>) param(%{{.*}} : tensor<3x8xbf16>)
// CHECK:           %[[M:.*]] = vector.contract {{.*}} : vector<3xbf16>, vector<3x8xbf16> into vector<8xf32>
// CHECK:           arith.truncf %[[M]] : vector<8xf32> to vector<8xbf16>
func.func @of_sources(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x3xbf16>, %w: tensor<3x8xbf16>) -> tensor<?x8xbf16> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : bf16
  %f = gnn.gather %x, %g at src : tensor<?x3xbf16>, !gnn.graph<?x?x?, i32, csr> -> tensor<?x3xbf16>
  %n = tensor.dim %f, %c0 : tensor<?x3xbf16>
  %init = tensor.empty(%n) : tensor<?x8xbf16>
  %zeros = linalg.fill ins(%zero : bf16) outs(%init : tensor<?x8xbf16>) -> tensor<?x8xbf16>
  %p = linalg.contract indexing_maps = [#nk, #kc, #nc] ins(%f, %w : tensor<?x3xbf16>, tensor<3x8xbf16>) outs(%zeros : tensor<?x8xbf16>) -> tensor<?x8xbf16>
  %y = gnn.scatter sum %p, %g at dst acc f32 : tensor<?x8xbf16>, !gnn.graph<?x?x?, i32, csr> -> tensor<?x8xbf16>
  return %y : tensor<?x8xbf16>
}
