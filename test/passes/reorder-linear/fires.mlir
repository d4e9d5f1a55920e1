// RUN: gnn-opt %s --gnn-reorder-linear --canonicalize --cse --split-input-file | FileCheck %s
// RUN: gnn-opt %s --gnn-reorder-linear=order=aggregate-first --split-input-file | FileCheck %s --check-prefix=AGG
// RUN: gnn-opt %s --gnn-reorder-linear=order=transform-first --split-input-file | FileCheck %s --check-prefix=TRANS

// 4 -> 64 features: aggregating first gathers a sixteenth.
// CHECK-LABEL: func.func @widens
// CHECK-SAME:    %[[G:[^:]*]]: !gnn.graph<?x?x?, i32, csr>, %[[X:.*]]: tensor<?x4xf32>, %[[C:.*]]: tensor<?xf32>, %[[W:.*]]: tensor<64x4xf32>)
// CHECK:         %[[A:.*]] = gnn.aggregate %[[G]] src(%[[X]] : tensor<?x4xf32>) edge(%[[C]] : tensor<?xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?x4xf32> message {
// CHECK-NEXT:    ^bb0(%[[R:.*]]: vector<4xf32>, %[[S:.*]]: f32):
// CHECK-DAG:       %[[TWO:.*]] = arith.constant dense<2.000000e+00> : vector<4xf32>
// CHECK-DAG:       %[[V:.*]] = vector.broadcast %[[S]] : f32 to vector<4xf32>
// CHECK:           arith.mulf %{{.*}}, %[[TWO]] : vector<4xf32>
// CHECK:         linalg.matmul {{.*}} ins(%[[A]], %[[W]] : tensor<?x4xf32>, tensor<64x4xf32>) outs(%{{.*}} : tensor<?x64xf32>)
// TRANS-LABEL: func.func @widens
// TRANS:         linalg.matmul
// TRANS:         gnn.aggregate
#nk = affine_map<(d0, d1, d2) -> (d0, d2)>
#ck = affine_map<(d0, d1, d2) -> (d1, d2)>
#nc = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @widens(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x4xf32>, %c: tensor<?xf32>, %w: tensor<64x4xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %init = tensor.empty(%n) : tensor<?x64xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<?x64xf32>) -> tensor<?x64xf32>
  %h = linalg.matmul indexing_maps = [#nk, #ck, #nc]
      ins(%x, %w : tensor<?x4xf32>, tensor<64x4xf32>) outs(%zeros : tensor<?x64xf32>) -> tensor<?x64xf32>
  %o = gnn.aggregate %g src(%h : tensor<?x64xf32>) edge(%c : tensor<?xf32>) reduce [sum] acc f32
      : !gnn.graph<?x?x?, i32, csr> -> tensor<?x64xf32> message {
  ^bb0(%r: vector<64xf32>, %s: f32):
    %two = arith.constant dense<2.0> : vector<64xf32>
    %v = vector.broadcast %s : f32 to vector<64xf32>
    %m = arith.mulf %r, %v : vector<64xf32>
    %t = arith.mulf %m, %two : vector<64xf32>
    gnn.yield %t : vector<64xf32>
  }
  return %o : tensor<?x64xf32>
}

// -----

// 64 -> 4 features after a mean: transforming first gathers a sixteenth.
// CHECK-LABEL: func.func @narrows
// CHECK-SAME:    %[[G:[^:]*]]: !gnn.graph<?x?x?, i32, csr>, %[[X:.*]]: tensor<?x64xf32>, %[[D:.*]]: tensor<?xf32>, %[[W:.*]]: tensor<64x4xf32>)
// CHECK:         %[[H:.*]] = linalg.matmul ins(%[[X]], %[[W]] : tensor<?x64xf32>, tensor<64x4xf32>)
// CHECK:         %[[A:.*]] = gnn.aggregate %[[G]] src(%[[D]], %[[H]] : tensor<?xf32>, tensor<?x4xf32>) reduce [mean] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?x4xf32>
// CHECK:           arith.divf %{{.*}} : vector<4xf32>
// CHECK:         return %[[A]]
// AGG-LABEL: func.func @narrows
// AGG:         gnn.aggregate
// AGG:         linalg.matmul
func.func @narrows(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x64xf32>, %d: tensor<?xf32>, %w: tensor<64x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %a = gnn.aggregate %g src(%d, %x : tensor<?xf32>, tensor<?x64xf32>) reduce [mean] acc f32
      : !gnn.graph<?x?x?, i32, csr> -> tensor<?x64xf32> message {
  ^bb0(%s: f32, %r: vector<64xf32>):
    %v = vector.broadcast %s : f32 to vector<64xf32>
    %m = arith.divf %r, %v : vector<64xf32>
    gnn.yield %m : vector<64xf32>
  }
  %n = tensor.dim %x, %c0 : tensor<?x64xf32>
  %init = tensor.empty(%n) : tensor<?x4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<?x4xf32>) -> tensor<?x4xf32>
  %h = linalg.matmul ins(%a, %w : tensor<?x64xf32>, tensor<64x4xf32>) outs(%zeros : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %h : tensor<?x4xf32>
}

// -----

// Equal widths, static extents with many more sources than destinations: the
// product over the few destinations is the cheaper one.
// CHECK-LABEL: func.func @few_destinations
// CHECK:         gnn.aggregate {{.*}} -> tensor<10x8xf32>
// CHECK:         linalg.matmul {{.*}} -> tensor<10x8xf32>
func.func @few_destinations(%g: !gnn.graph<10x1000x500, i32, csr>, %x: tensor<1000x8xf32>, %w: tensor<8x8xf32>) -> tensor<10x8xf32> {
  %zero = arith.constant 0.0 : f32
  %init = tensor.empty() : tensor<1000x8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<1000x8xf32>) -> tensor<1000x8xf32>
  %h = linalg.matmul ins(%x, %w : tensor<1000x8xf32>, tensor<8x8xf32>) outs(%zeros : tensor<1000x8xf32>) -> tensor<1000x8xf32>
  %o = gnn.aggregate %g src(%h : tensor<1000x8xf32>) reduce [sum] acc f32
      : !gnn.graph<10x1000x500, i32, csr> -> tensor<10x8xf32> message {
  ^bb0(%r: vector<8xf32>):
    gnn.yield %r : vector<8xf32>
  }
  return %o : tensor<10x8xf32>
}

// -----

// 64 -> 4 features behind a number per row (the norm of the destination), which stays
// behind both.
// CHECK-LABEL: func.func @scaled_between
// CHECK:         %[[H:.*]] = linalg.matmul
// CHECK:         %[[A:.*]] = gnn.aggregate {{.*}} src(%[[H]] : tensor<?x4xf32>)
// CHECK:         %[[R:.*]] = linalg.broadcast ins(%{{.*}} : tensor<?xf32>) outs(%{{.*}} : tensor<?x4xf32>) dimensions = [1]
// CHECK:         %[[O:.*]] = arith.mulf %[[A]], %[[R]] : tensor<?x4xf32>
// CHECK:         return %[[O]]
func.func @scaled_between(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x64xf32>, %d: tensor<?xf32>, %w: tensor<64x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %a = gnn.aggregate %g src(%x : tensor<?x64xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?x64xf32> message {
  ^bb0(%r: vector<64xf32>):
    gnn.yield %r : vector<64xf32>
  }
  %n = tensor.dim %a, %c0 : tensor<?x64xf32>
  %wide = tensor.empty(%n) : tensor<?x64xf32>
  %rows = linalg.broadcast ins(%d : tensor<?xf32>) outs(%wide : tensor<?x64xf32>) dimensions = [1]
  %s = arith.mulf %rows, %a : tensor<?x64xf32>
  %init = tensor.empty(%n) : tensor<?x4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<?x4xf32>) -> tensor<?x4xf32>
  %h = linalg.matmul ins(%s, %w : tensor<?x64xf32>, tensor<64x4xf32>) outs(%zeros : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %h : tensor<?x4xf32>
}

// -----

// GIN: 64 -> 4 features of the neighbours and of the node itself, which has a factor of
// its own, the same for all nodes or one for each. One product serves both.
// CHECK-LABEL: func.func @with_own_rows
// CHECK:         %[[H:.*]] = linalg.matmul ins(%arg1, %{{.*}} : tensor<?x64xf32>, tensor<64x4xf32>)
// CHECK:         %[[A:.*]] = gnn.aggregate {{.*}} src(%[[H]] : tensor<?x4xf32>)
// CHECK:         %[[C:.*]] = linalg.broadcast ins(%arg2 : tensor<f32>) outs(%{{.*}} : tensor<?x4xf32>) dimensions = [0, 1]
// CHECK:         %[[O:.*]] = arith.mulf %[[H]], %[[C]] : tensor<?x4xf32>
// CHECK:         %[[S:.*]] = arith.addf %[[A]], %[[O]] : tensor<?x4xf32>
// CHECK-NOT:     linalg.matmul
// CHECK:         return %[[S]]
func.func @with_own_rows(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x64xf32>, %c: tensor<f32>, %w: tensor<64x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %a = gnn.aggregate %g src(%x : tensor<?x64xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?x64xf32> message {
  ^bb0(%r: vector<64xf32>):
    gnn.yield %r : vector<64xf32>
  }
  %n = tensor.dim %x, %c0 : tensor<?x64xf32>
  %wide = tensor.empty(%n) : tensor<?x64xf32>
  %rows = linalg.broadcast ins(%c : tensor<f32>) outs(%wide : tensor<?x64xf32>) dimensions = [0, 1]
  %own = arith.mulf %x, %rows : tensor<?x64xf32>
  %s = arith.addf %own, %a : tensor<?x64xf32>
  %init = tensor.empty(%n) : tensor<?x4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<?x4xf32>) -> tensor<?x4xf32>
  %h = linalg.matmul ins(%s, %w : tensor<?x64xf32>, tensor<64x4xf32>) outs(%zeros : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %h : tensor<?x4xf32>
}

// -----

// Both terms with numbers per row.
// CHECK-LABEL: func.func @both_scaled
// CHECK:         %[[H:.*]] = linalg.matmul
// CHECK:         %[[A:.*]] = gnn.aggregate {{.*}} src(%[[H]] : tensor<8x4xf32>)
// CHECK-DAG:     %[[L:.*]] = arith.mulf %[[A]], %{{.*}} : tensor<8x4xf32>
// CHECK-DAG:     %[[R:.*]] = arith.mulf %[[H]], %{{.*}} : tensor<8x4xf32>
// CHECK:         %[[S:.*]] = arith.addf %[[L]], %[[R]] : tensor<8x4xf32>
// CHECK:         return %[[S]]
func.func @both_scaled(%g: !gnn.graph<8x8x40, i32, csr>, %x: tensor<8x64xf32>, %d: tensor<8xf32>, %c: tensor<8xf32>, %w: tensor<64x4xf32>) -> tensor<8x4xf32> {
  %a = gnn.aggregate %g src(%x : tensor<8x64xf32>) reduce [mean] acc f32 : !gnn.graph<8x8x40, i32, csr> -> tensor<8x64xf32> message {
  ^bb0(%r: vector<64xf32>):
    gnn.yield %r : vector<64xf32>
  }
  %wide = tensor.empty() : tensor<8x64xf32>
  %ds = linalg.broadcast ins(%d : tensor<8xf32>) outs(%wide : tensor<8x64xf32>) dimensions = [1]
  %cs = linalg.broadcast ins(%c : tensor<8xf32>) outs(%wide : tensor<8x64xf32>) dimensions = [1]
  %scaled = arith.mulf %a, %ds : tensor<8x64xf32>
  %own = arith.mulf %cs, %x : tensor<8x64xf32>
  %s = arith.addf %scaled, %own : tensor<8x64xf32>
  %zeros = arith.constant dense<0.0> : tensor<8x4xf32>
  %h = linalg.matmul ins(%s, %w : tensor<8x64xf32>, tensor<64x4xf32>) outs(%zeros : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %h : tensor<8x4xf32>
}
