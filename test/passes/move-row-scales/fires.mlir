// RUN: gnn-opt %s --gnn-move-row-scales --canonicalize --split-input-file | FileCheck %s
// RUN: gnn-opt %s --gnn-move-row-scales --gnn-fuse-epilogue --canonicalize --split-input-file | FileCheck %s --check-prefix=FUSED
// Twice is once.
// RUN: gnn-opt %s --gnn-move-row-scales --canonicalize --split-input-file > %t.once
// RUN: gnn-opt %t.once --gnn-move-row-scales --canonicalize --split-input-file | diff %t.once -

// Through the product, and past a weight per edge.
// CHECK-LABEL: func @source_factor(
// CHECK-SAME:    %[[G:[^:]*]]: !gnn.graph<?x?x?, i32, csr>, %[[X:[^:]*]]: tensor<?x4xf32>, %[[S:[^:]*]]: tensor<?xf32>, %[[E:[^:]*]]: tensor<?xf32>
// CHECK:         %[[A:.*]] = gnn.aggregate %[[G]] src(%[[X]]
// CHECK:         %[[R:.*]] = linalg.broadcast ins(%[[S]]
// CHECK:         %[[AS:.*]] = arith.mulf %[[A]], %[[R]]
// CHECK:         %[[H:.*]] = linalg.matmul ins(%[[AS]]
// CHECK:         gnn.aggregate %[[G]] src(%[[H]] : tensor<?x8xf32>) edge(%[[E]] : tensor<?xf32>)
// CHECK:           arith.mulf
// CHECK-NOT:       arith.mulf
// FUSED-LABEL: func @source_factor(
// FUSED-SAME:    %[[G:[^:]*]]: !gnn.graph<?x?x?, i32, csr>, %[[X:[^:]*]]: tensor<?x4xf32>, %[[S:[^:]*]]: tensor<?xf32>
// FUSED:         %[[A:.*]] = gnn.aggregate %[[G]] src(%[[X]] : tensor<?x4xf32>) dst(%[[S]] : tensor<?xf32>)
// FUSED:         linalg.matmul ins(%[[A]]
func.func @source_factor(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x4xf32>, %s: tensor<?xf32>, %e: tensor<?xf32>, %w: tensor<4x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %a = gnn.aggregate %g src(%x : tensor<?x4xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?x4xf32> message {
  ^bb0(%r: vector<4xf32>):
    gnn.yield %r : vector<4xf32>
  }
  %n = tensor.dim %a, %c0 : tensor<?x4xf32>
  %init = tensor.empty(%n) : tensor<?x8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<?x8xf32>) -> tensor<?x8xf32>
  %h = linalg.matmul ins(%a, %w : tensor<?x4xf32>, tensor<4x8xf32>) outs(%zeros : tensor<?x8xf32>) -> tensor<?x8xf32>
  %o = gnn.aggregate %g src(%s, %h : tensor<?xf32>, tensor<?x8xf32>) edge(%e : tensor<?xf32>) reduce [max] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?x8xf32> message {
  ^bb0(%f: f32, %r: vector<8xf32>, %c: f32):
    %fs = vector.broadcast %f : f32 to vector<8xf32>
    %cs = vector.broadcast %c : f32 to vector<8xf32>
    %m = arith.mulf %r, %fs : vector<8xf32>
    %p = arith.mulf %cs, %m : vector<8xf32>
    gnn.yield %p : vector<8xf32>
  }
  return %o : tensor<?x8xf32>
}

// -----

// The rows come from the aggregate itself.
// CHECK-LABEL: func @no_product(
// CHECK:         %[[A:.*]] = gnn.aggregate
// CHECK:         %[[AS:.*]] = arith.mulf %[[A]]
// CHECK:         gnn.aggregate %{{.*}} src(%[[AS]] : tensor<5x4xf32>) reduce
func.func @no_product(%g: !gnn.graph<5x5x?>, %x: tensor<5x4xf32>, %s: tensor<5xf32>) -> tensor<5x4xf32> {
  %a = gnn.aggregate %g src(%x : tensor<5x4xf32>) reduce [sum] acc f32 : !gnn.graph<5x5x?> -> tensor<5x4xf32> message {
  ^bb0(%r: vector<4xf32>):
    gnn.yield %r : vector<4xf32>
  }
  %o = gnn.aggregate %g src(%a, %s : tensor<5x4xf32>, tensor<5xf32>) reduce [sum] acc f32 : !gnn.graph<5x5x?> -> tensor<5x4xf32> message {
  ^bb0(%r: vector<4xf32>, %f: f32):
    %fs = vector.broadcast %f : f32 to vector<4xf32>
    %m = arith.mulf %fs, %r : vector<4xf32>
    gnn.yield %m : vector<4xf32>
  }
  return %o : tensor<5x4xf32>
}

// -----

// A scaling behind a product.
// CHECK-LABEL: func @behind_product(
// CHECK:         %[[A:.*]] = gnn.aggregate
// CHECK:         %[[AS:.*]] = arith.mulf %[[A]]
// CHECK:         %[[H:.*]] = linalg.matmul ins(%[[AS]]
// CHECK:         return %[[H]]
// FUSED-LABEL: func @behind_product(
// FUSED:         gnn.aggregate {{.*}} dst(
// FUSED-NOT:     arith.mulf %{{.*}} : tensor
func.func @behind_product(%g: !gnn.graph<5x5x?>, %x: tensor<5x4xf32>, %s: tensor<5xf32>, %w: tensor<4x8xf32>) -> tensor<5x8xf32> {
  %zeros = arith.constant dense<0.0> : tensor<5x8xf32>
  %a = gnn.aggregate %g src(%x : tensor<5x4xf32>) reduce [sum] acc f32 : !gnn.graph<5x5x?> -> tensor<5x4xf32> message {
  ^bb0(%r: vector<4xf32>):
    gnn.yield %r : vector<4xf32>
  }
  %h = linalg.matmul ins(%a, %w : tensor<5x4xf32>, tensor<4x8xf32>) outs(%zeros : tensor<5x8xf32>) -> tensor<5x8xf32>
  %init = tensor.empty() : tensor<5x8xf32>
  %rows = linalg.broadcast ins(%s : tensor<5xf32>) outs(%init : tensor<5x8xf32>) dimensions = [1]
  %o = arith.mulf %rows, %h : tensor<5x8xf32>
  return %o : tensor<5x8xf32>
}
