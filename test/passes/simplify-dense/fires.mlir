// RUN: gnn-opt %s --gnn-simplify-dense --canonicalize --split-input-file | FileCheck %s
// Idempotent.
// RUN: gnn-opt %s --gnn-simplify-dense --gnn-simplify-dense --canonicalize --split-input-file | FileCheck %s

#rk = affine_map<(d0, d1, d2) -> (d0, d2)>
#kc = affine_map<(d0, d1, d2) -> (d2, d1)>
#ck = affine_map<(d0, d1, d2) -> (d1, d2)>
#rc = affine_map<(d0, d1, d2) -> (d0, d1)>

// F.linear of an import: addmm(bias, x, permute(w)).
// CHECK-DAG:   #[[CK:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: func @linear
// CHECK-SAME:    %[[X:[^:]*]]: tensor<?x4xf32>, %[[W:[^:]*]]: tensor<6x4xf32>, %[[B:[^:]*]]: tensor<6xf32>
// CHECK-NOT:     linalg.transpose
// CHECK-DAG:     %[[Z:.*]] = linalg.fill
// CHECK-DAG:     %[[R:.*]] = linalg.broadcast ins(%[[B]]
// CHECK:         %[[P:.*]] = linalg.matmul indexing_maps = [#{{.*}}, #[[CK]], #{{.*}}] ins(%[[X]], %[[W]] : tensor<?x4xf32>, tensor<6x4xf32>) outs(%[[Z]]
// CHECK:         %[[S:.*]] = arith.addf %[[P]], %[[R]]
// CHECK:         return %[[S]]
func.func @linear(%x: tensor<?x4xf32>, %w: tensor<6x4xf32>, %b: tensor<6xf32>) -> tensor<?x6xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<?x6xf32>
  %we = tensor.empty() : tensor<4x6xf32>
  %wt = linalg.transpose ins(%w : tensor<6x4xf32>) outs(%we : tensor<4x6xf32>) permutation = [1, 0]
  %r = linalg.broadcast ins(%b : tensor<6xf32>) outs(%e : tensor<?x6xf32>) dimensions = [0]
  %y = linalg.matmul ins(%x, %wt : tensor<?x4xf32>, tensor<4x6xf32>) outs(%r : tensor<?x6xf32>) -> tensor<?x6xf32>
  return %y : tensor<?x6xf32>
}

// -----

#rk = affine_map<(d0, d1, d2) -> (d0, d2)>
#ck = affine_map<(d0, d1, d2) -> (d1, d2)>
#rc = affine_map<(d0, d1, d2) -> (d0, d1)>

// Concatenated features meet the columns of their own.
// CHECK-LABEL: func @concatenated
// CHECK-SAME:    %[[X:[^:]*]]: tensor<?x4xf32>, %[[Y:[^:]*]]: tensor<?x2xf32>, %[[W:[^:]*]]: tensor<3x6xf32>
// CHECK-NOT:     tensor.concat
// CHECK-DAG:     %[[V:.*]] = tensor.extract_slice %[[W]][0, 0] [3, 4] [1, 1] : tensor<3x6xf32> to tensor<3x4xf32>
// CHECK-DAG:     %[[U:.*]] = tensor.extract_slice %[[W]][0, 4] [3, 2] [1, 1] : tensor<3x6xf32> to tensor<3x2xf32>
// CHECK-DAG:     %[[P:.*]] = linalg.matmul indexing_maps = {{.*}} ins(%[[X]], %[[V]] :
// CHECK-DAG:     %[[Q:.*]] = linalg.matmul indexing_maps = {{.*}} ins(%[[Y]], %[[U]] :
// CHECK:         %[[S:.*]] = arith.addf %[[P]], %[[Q]]
// CHECK:         return %[[S]]
func.func @concatenated(%x: tensor<?x4xf32>, %y: tensor<?x2xf32>, %w: tensor<3x6xf32>) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<?x3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x3xf32>) -> tensor<?x3xf32>
  %c = tensor.concat dim(1) %x, %y : (tensor<?x4xf32>, tensor<?x2xf32>) -> tensor<?x6xf32>
  %p = linalg.matmul indexing_maps = [#rk, #ck, #rc] ins(%c, %w : tensor<?x6xf32>, tensor<3x6xf32>) outs(%z : tensor<?x3xf32>) -> tensor<?x3xf32>
  return %p : tensor<?x3xf32>
}

// -----

// The other way around the matrix has the parts in its rows; a bias stays.
// CHECK-LABEL: func @concatenated_rows
// CHECK-SAME:    %[[X:[^:]*]]: tensor<5x4xf32>, %[[W:[^:]*]]: tensor<8x3xf32>, %[[C:[^:]*]]: tensor<5x3xf32>
// CHECK-DAG:     tensor.extract_slice %[[W]][0, 0] [4, 3] [1, 1]
// CHECK-DAG:     tensor.extract_slice %[[W]][4, 0] [4, 3] [1, 1]
// CHECK:         %[[S:.*]] = arith.addf
// CHECK:         arith.addf %[[S]], %[[C]]
func.func @concatenated_rows(%x: tensor<5x4xf32>, %w: tensor<8x3xf32>, %c: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %xx = tensor.concat dim(1) %x, %x : (tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<5x8xf32>
  %p = linalg.matmul ins(%xx, %w : tensor<5x8xf32>, tensor<8x3xf32>) outs(%c : tensor<5x3xf32>) -> tensor<5x3xf32>
  return %p : tensor<5x3xf32>
}

// -----

#rk = affine_map<(d0, d1, d2) -> (d0, d2)>
#ck = affine_map<(d0, d1, d2) -> (d1, d2)>
#rc = affine_map<(d0, d1, d2) -> (d0, d1)>

// CHECK-DAG:   #[[CK:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: func @generic_product
// CHECK:         linalg.matmul indexing_maps = [#{{.*}}, #[[CK]], #{{.*}}] ins(%{{.*}}, %{{.*}} : tensor<5x4xf32>, tensor<6x4xf32>)
func.func @generic_product(%x: tensor<5x4xf32>, %w: tensor<6x4xf32>) -> tensor<5x6xf32> {
  %z = arith.constant dense<0.0> : tensor<5x6xf32>
  %y = linalg.generic {indexing_maps = [#rk, #ck, #rc], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<5x4xf32>, tensor<6x4xf32>) outs(%z : tensor<5x6xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<5x6xf32>
  return %y : tensor<5x6xf32>
}

// -----

// CHECK-LABEL: func @dot_of_rows
// CHECK-SAME:    %[[X:[^:]*]]: tensor<?x4xf32>, %[[V:[^:]*]]: tensor<4xf32>, %[[C:[^:]*]]: tensor<?xf32>
// CHECK:         %[[B:.*]] = linalg.broadcast ins(%[[V]]
// CHECK:         %[[M:.*]] = arith.mulf %[[X]], %[[B]]
// CHECK:         %[[S:.*]] = linalg.reduce ins(%[[M]] : tensor<?x4xf32>) outs(%{{.*}} : tensor<?xf32>) dimensions = [1]
// CHECK:         %[[R:.*]] = arith.addf %[[S]], %[[C]]
// CHECK:         return %[[R]]
func.func @dot_of_rows(%x: tensor<?x4xf32>, %v: tensor<4xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %y = linalg.matvec ins(%x, %v : tensor<?x4xf32>, tensor<4xf32>) outs(%c : tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

// CHECK-LABEL: func @named
// CHECK-SAME:    %[[X:[^:]*]]: tensor<?x4xf32>
// CHECK:         %[[A:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[X]]
// CHECK:           arith.addf
// CHECK:         %[[E:.*]] = linalg.generic {{.*}} ins(%[[A]]
// CHECK:           math.exp
// CHECK:         %[[M:.*]] = linalg.generic
// CHECK:           math.tanh
// CHECK-NOT:     linalg.copy
// CHECK:         return %[[M]]
func.func @named(%x: tensor<?x4xf32>, %e: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %a = linalg.add ins(%x, %x : tensor<?x4xf32>, tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %b = linalg.exp ins(%a : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %c = linalg.map { math.tanh } ins(%b : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>)
  %d = linalg.copy ins(%c : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %d : tensor<?x4xf32>
}

// -----

// Memory has no single bits: a mask is gathered as bytes.
// CHECK-LABEL: func @masks
// CHECK-SAME:    %[[G:[^:]*]]: !gnn.graph<?x?x?>, %[[M:[^:]*]]: tensor<?x4xi1>, %[[I:[^:]*]]: tensor<?xi64>
// CHECK:         %[[B:.*]] = arith.extui %[[M]] : tensor<?x4xi1> to tensor<?x4xi8>
// CHECK:         %[[E:.*]] = gnn.gather %[[B]], %[[G]] at src : tensor<?x4xi8>, !gnn.graph<?x?x?> -> tensor<?x4xi8>
// CHECK:         %[[S:.*]] = arith.trunci %[[E]] : tensor<?x4xi8> to tensor<?x4xi1>
// CHECK:         %[[C:.*]] = arith.extui %[[M]]
// CHECK:         %[[A:.*]] = gnn.gather_at %[[C]], %[[I]] : tensor<?x4xi8>, tensor<?xi64> -> tensor<?x4xi8>
// CHECK:         %[[L:.*]] = arith.trunci %[[A]]
// CHECK:         return %[[S]], %[[L]]
func.func @masks(%g: !gnn.graph<?x?x?>, %m: tensor<?x4xi1>, %i: tensor<?xi64>) -> (tensor<?x4xi1>, tensor<?x4xi1>) {
  %s = gnn.gather %m, %g at src : tensor<?x4xi1>, !gnn.graph<?x?x?> -> tensor<?x4xi1>
  %l = gnn.gather_at %m, %i : tensor<?x4xi1>, tensor<?xi64> -> tensor<?x4xi1>
  return %s, %l : tensor<?x4xi1>, tensor<?x4xi1>
}
