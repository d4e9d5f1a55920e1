// RUN: gnn-opt %s --gnn-multiply-in-messages --split-input-file | FileCheck %s
// RUN: gnn-opt %s --gnn-multiply-in-messages --gnn-clean-up --gnn-multiply-in-messages --split-input-file | FileCheck %s

// @forward reads edges x 2 and a weight of one row per feature, no edges x 8; what passed
// behind the product keeps its place.
// CHECK-DAG:   #[[NK:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG:   #[[KC:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG:   #[[NC:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @prepare
// CHECK:         %[[CSR:.*]], %[[ROWS:.*]] = gnn.to_csr
// CHECK:         %[[W:.*]] = linalg.transpose ins(%{{.*}} : tensor<8x2xf32>) outs(%{{.*}} : tensor<2x8xf32>) permutation = [1, 0]
// CHECK:         return %[[CSR]], %{{.*}}, %[[W]], %[[ROWS]] :
// CHECK-LABEL: func.func @forward
// CHECK-SAME:    %[[DEG:[^:]*]]: tensor<?xf32> {gnn.prepared = 1 : i64}
// CHECK-SAME:    %[[W:[^:]*]]: tensor<2x8xf32> {gnn.prepared = 2 : i64}, %[[ROWS:[^:]*]]: tensor<?x2xf32> {gnn.prepared = 3 : i64}
// CHECK:         %[[P:.*]] = linalg.contract indexing_maps = [#[[NK]], #[[KC]], #[[NC]]] ins(%[[ROWS]], %[[W]] : tensor<?x2xf32>, tensor<2x8xf32>)
// CHECK:         gnn.scatter max %[[P]]
#nk = affine_map<(d0, d1, d2) -> (d0, d2)>
#ck = affine_map<(d0, d1, d2) -> (d1, d2)>
#nc = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @prepare(%g: !gnn.graph<?x?x?>, %f: tensor<?x2xf32> {gnn.graph_data = "edge_attr"}, %w: tensor<8x2xf32> {gnn.weight = "w"})
    -> (!gnn.graph<?x?x?, i32, csr>, tensor<?x8xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %csr, %rows = gnn.to_csr %g edges(%f : tensor<?x2xf32>) : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>, tensor<?x2xf32>
  %n = tensor.dim %rows, %c0 : tensor<?x2xf32>
  %init = tensor.empty(%n) : tensor<?x8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<?x8xf32>) -> tensor<?x8xf32>
  %p = linalg.matmul indexing_maps = [#nk, #ck, #nc] ins(%rows, %w : tensor<?x2xf32>, tensor<8x2xf32>) outs(%zeros : tensor<?x8xf32>) -> tensor<?x8xf32>
  %d = gnn.degree %csr at dst : !gnn.graph<?x?x?, i32, csr> -> tensor<?xf32>
  return %csr, %p, %d : !gnn.graph<?x?x?, i32, csr>, tensor<?x8xf32>, tensor<?xf32>
}
func.func @forward(%g: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64}, %p: tensor<?x8xf32> {gnn.prepared = 1 : i64}, %d: tensor<?xf32> {gnn.prepared = 2 : i64})
    -> (tensor<?x8xf32> {gnn.output = "out"}, tensor<?xf32> {gnn.output = "degree"}) {
  %y = gnn.scatter max %p, %g at dst acc f32 : tensor<?x8xf32>, !gnn.graph<?x?x?, i32, csr> -> tensor<?x8xf32>
  %z = math.sqrt %d : tensor<?xf32>
  return %y, %z : tensor<?x8xf32>, tensor<?xf32>
}

// -----

// A weight that has its rows already, extents that are numbers, one feature.
// CHECK-LABEL: func.func @prepare
// CHECK-SAME:    %[[W:[^:]*]]: tensor<1x8xf32> {gnn.weight = "w"}
// CHECK-NOT:     linalg.transpose
// CHECK:         return %{{.*}}, %[[W]], %{{.*}} :
// CHECK-LABEL: func.func @forward
// CHECK:         %[[P:.*]] = linalg.contract {{.*}} -> tensor<9x8xf32>
// CHECK:         gnn.scatter sum %[[P]]
func.func @prepare(%g: !gnn.graph<5x5x9>, %f: tensor<9x1xf32> {gnn.graph_data = "edge_attr"}, %w: tensor<1x8xf32> {gnn.weight = "w"})
    -> (!gnn.graph<5x5x9, i32, csr>, tensor<9x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %csr, %rows = gnn.to_csr %g edges(%f : tensor<9x1xf32>) : !gnn.graph<5x5x9> -> !gnn.graph<5x5x9, i32, csr>, tensor<9x1xf32>
  %init = tensor.empty() : tensor<9x8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<9x8xf32>) -> tensor<9x8xf32>
  %p = linalg.matmul ins(%rows, %w : tensor<9x1xf32>, tensor<1x8xf32>) outs(%zeros : tensor<9x8xf32>) -> tensor<9x8xf32>
  return %csr, %p : !gnn.graph<5x5x9, i32, csr>, tensor<9x8xf32>
}
func.func @forward(%g: !gnn.graph<5x5x9, i32, csr> {gnn.prepared = 0 : i64}, %p: tensor<9x8xf32> {gnn.prepared = 1 : i64})
    -> (tensor<5x8xf32> {gnn.output = "out"}) {
  %y = gnn.scatter sum %p, %g at dst acc f32 : tensor<9x8xf32>, !gnn.graph<5x5x9, i32, csr> -> tensor<5x8xf32>
  return %y : tensor<5x8xf32>
}

// -----

// Fewer numbers than an edge has features, but the message adds them up: they are
// features (GATv2's), not coefficients.
// CHECK-LABEL: func.func @forward
// CHECK:         linalg.contract {{.*}} -> tensor<?x2xf32>
// CHECK:         linalg.reduce
func.func @prepare(%g: !gnn.graph<?x?x?>, %f: tensor<?x3xf32> {gnn.graph_data = "edge_attr"}, %w: tensor<3x2xf32> {gnn.weight = "w"})
    -> (!gnn.graph<?x?x?, i32, csr>, tensor<?x2xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %csr, %rows = gnn.to_csr %g edges(%f : tensor<?x3xf32>) : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>, tensor<?x3xf32>
  %n = tensor.dim %rows, %c0 : tensor<?x3xf32>
  %init = tensor.empty(%n) : tensor<?x2xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<?x2xf32>) -> tensor<?x2xf32>
  %p = linalg.matmul ins(%rows, %w : tensor<?x3xf32>, tensor<3x2xf32>) outs(%zeros : tensor<?x2xf32>) -> tensor<?x2xf32>
  return %csr, %p : !gnn.graph<?x?x?, i32, csr>, tensor<?x2xf32>
}
func.func @forward(%g: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64}, %p: tensor<?x2xf32> {gnn.prepared = 1 : i64})
    -> (tensor<?xf32> {gnn.output = "out"}) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %t = math.tanh %p : tensor<?x2xf32>
  %m = tensor.dim %p, %c0 : tensor<?x2xf32>
  %init = tensor.empty(%m) : tensor<?xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  %s = linalg.reduce { arith.addf } ins(%t : tensor<?x2xf32>) outs(%zeros : tensor<?xf32>) dimensions = [1]
  %y = gnn.scatter sum %s, %g at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?, i32, csr> -> tensor<?xf32>
  return %y : tensor<?xf32>
}
