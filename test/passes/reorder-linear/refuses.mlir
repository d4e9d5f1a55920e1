// RUN: gnn-opt %s --gnn-reorder-linear --split-input-file | FileCheck %s
// RUN: gnn-opt %s --gnn-reorder-linear=order=aggregate-first --split-input-file | FileCheck %s --check-prefix=FORCED

// Equal widths: left as written.
// CHECK-LABEL: func.func @equal_widths
// CHECK:         linalg.matmul
// CHECK:         gnn.aggregate
func.func @equal_widths(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x4xf32>, %w: tensor<4x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %init = tensor.empty(%n) : tensor<?x4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<?x4xf32>) -> tensor<?x4xf32>
  %h = linalg.matmul ins(%x, %w : tensor<?x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<?x4xf32>) -> tensor<?x4xf32>
  %o = gnn.aggregate %g src(%h : tensor<?x4xf32>) reduce [sum] acc f32
      : !gnn.graph<?x?x?, i32, csr> -> tensor<?x4xf32> message {
  ^bb0(%r: vector<4xf32>):
    gnn.yield %r : vector<4xf32>
  }
  return %o : tensor<?x4xf32>
}

// -----

// The product is returned too.
// CHECK-LABEL: func.func @product_has_other_users
// CHECK:         linalg.matmul
// CHECK:         gnn.aggregate
// FORCED-LABEL: func.func @product_has_other_users
// FORCED:         linalg.matmul
// FORCED:         gnn.aggregate
func.func @product_has_other_users(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x4xf32>, %w: tensor<4x64xf32>) -> (tensor<?x64xf32>, tensor<?x64xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %init = tensor.empty(%n) : tensor<?x64xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<?x64xf32>) -> tensor<?x64xf32>
  %h = linalg.matmul ins(%x, %w : tensor<?x4xf32>, tensor<4x64xf32>) outs(%zeros : tensor<?x64xf32>) -> tensor<?x64xf32>
  %o = gnn.aggregate %g src(%h : tensor<?x64xf32>) reduce [sum] acc f32
      : !gnn.graph<?x?x?, i32, csr> -> tensor<?x64xf32> message {
  ^bb0(%r: vector<64xf32>):
    gnn.yield %r : vector<64xf32>
  }
  return %o, %h : tensor<?x64xf32>, tensor<?x64xf32>
}

// -----

// The maximum of products is not the product of maxima.
// CHECK-LABEL: func.func @maximum
// CHECK:         linalg.matmul
// CHECK:         gnn.aggregate
// FORCED-LABEL: func.func @maximum
// FORCED:         linalg.matmul
// FORCED:         gnn.aggregate
func.func @maximum(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x4xf32>, %w: tensor<4x64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %init = tensor.empty(%n) : tensor<?x64xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<?x64xf32>) -> tensor<?x64xf32>
  %h = linalg.matmul ins(%x, %w : tensor<?x4xf32>, tensor<4x64xf32>) outs(%zeros : tensor<?x64xf32>) -> tensor<?x64xf32>
  %o = gnn.aggregate %g src(%h : tensor<?x64xf32>) reduce [max] acc f32
      : !gnn.graph<?x?x?, i32, csr> -> tensor<?x64xf32> message {
  ^bb0(%r: vector<64xf32>):
    gnn.yield %r : vector<64xf32>
  }
  return %o : tensor<?x64xf32>
}

// -----

// A factor per feature does not commute with the product.
// CHECK-LABEL: func.func @factor_per_feature
// CHECK:         linalg.matmul
// CHECK:         gnn.aggregate
// FORCED-LABEL: func.func @factor_per_feature
// FORCED:         linalg.matmul
// FORCED:         gnn.aggregate
func.func @factor_per_feature(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x4xf32>, %w: tensor<4x64xf32>, %f: tensor<64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %init = tensor.empty(%n) : tensor<?x64xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<?x64xf32>) -> tensor<?x64xf32>
  %h = linalg.matmul ins(%x, %w : tensor<?x4xf32>, tensor<4x64xf32>) outs(%zeros : tensor<?x64xf32>) -> tensor<?x64xf32>
  %o = gnn.aggregate %g src(%h : tensor<?x64xf32>) param(%f : tensor<64xf32>) reduce [sum] acc f32
      : !gnn.graph<?x?x?, i32, csr> -> tensor<?x64xf32> message {
  ^bb0(%r: vector<64xf32>, %p: vector<64xf32>):
    %m = arith.mulf %r, %p : vector<64xf32>
    gnn.yield %m : vector<64xf32>
  }
  return %o : tensor<?x64xf32>
}

// -----

// An activation in the message.
// CHECK-LABEL: func.func @not_linear
// CHECK:         linalg.matmul
// CHECK:         gnn.aggregate
// FORCED-LABEL: func.func @not_linear
// FORCED:         linalg.matmul
// FORCED:         gnn.aggregate
func.func @not_linear(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x4xf32>, %w: tensor<4x64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %init = tensor.empty(%n) : tensor<?x64xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<?x64xf32>) -> tensor<?x64xf32>
  %h = linalg.matmul ins(%x, %w : tensor<?x4xf32>, tensor<4x64xf32>) outs(%zeros : tensor<?x64xf32>) -> tensor<?x64xf32>
  %o = gnn.aggregate %g src(%h : tensor<?x64xf32>) reduce [sum] acc f32
      : !gnn.graph<?x?x?, i32, csr> -> tensor<?x64xf32> message {
  ^bb0(%r: vector<64xf32>):
    %m = math.exp %r : vector<64xf32>
    gnn.yield %m : vector<64xf32>
  }
  return %o : tensor<?x64xf32>
}

// -----

// A constant added to the message is not linear.
// CHECK-LABEL: func.func @offset
// CHECK:         linalg.matmul
// CHECK:         gnn.aggregate
// FORCED-LABEL: func.func @offset
// FORCED:         linalg.matmul
// FORCED:         gnn.aggregate
func.func @offset(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x4xf32>, %w: tensor<4x64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %init = tensor.empty(%n) : tensor<?x64xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<?x64xf32>) -> tensor<?x64xf32>
  %h = linalg.matmul ins(%x, %w : tensor<?x4xf32>, tensor<4x64xf32>) outs(%zeros : tensor<?x64xf32>) -> tensor<?x64xf32>
  %o = gnn.aggregate %g src(%h : tensor<?x64xf32>) reduce [sum] acc f32
      : !gnn.graph<?x?x?, i32, csr> -> tensor<?x64xf32> message {
  ^bb0(%r: vector<64xf32>):
    %k = arith.constant dense<1.0> : vector<64xf32>
    %m = arith.addf %r, %k : vector<64xf32>
    gnn.yield %m : vector<64xf32>
  }
  return %o : tensor<?x64xf32>
}

// -----

// The epilogue would have to move behind the product.
// CHECK-LABEL: func.func @has_epilogue
// CHECK:         linalg.matmul
// CHECK:         gnn.aggregate
// FORCED-LABEL: func.func @has_epilogue
// FORCED:         linalg.matmul
// FORCED:         gnn.aggregate
func.func @has_epilogue(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x4xf32>, %w: tensor<4x64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %init = tensor.empty(%n) : tensor<?x64xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<?x64xf32>) -> tensor<?x64xf32>
  %h = linalg.matmul ins(%x, %w : tensor<?x4xf32>, tensor<4x64xf32>) outs(%zeros : tensor<?x64xf32>) -> tensor<?x64xf32>
  %o = gnn.aggregate %g src(%h : tensor<?x64xf32>) reduce [sum] acc f32
      : !gnn.graph<?x?x?, i32, csr> -> tensor<?x64xf32> message {
  ^bb0(%r: vector<64xf32>):
    gnn.yield %r : vector<64xf32>
  } epilogue {
  ^bb0(%s: vector<64xf32>):
    %e = math.exp %s : vector<64xf32>
    gnn.yield %e : vector<64xf32>
  }
  return %o : tensor<?x64xf32>
}

// -----

// The product adds to ones.
// CHECK-LABEL: func.func @accumulates
// CHECK:         linalg.matmul
// CHECK:         gnn.aggregate
// FORCED-LABEL: func.func @accumulates
// FORCED:         linalg.matmul
// FORCED:         gnn.aggregate
func.func @accumulates(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x4xf32>, %w: tensor<4x64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %init = tensor.empty(%n) : tensor<?x64xf32>
  %zeros = linalg.fill ins(%one : f32) outs(%init : tensor<?x64xf32>) -> tensor<?x64xf32>
  %h = linalg.matmul ins(%x, %w : tensor<?x4xf32>, tensor<4x64xf32>) outs(%zeros : tensor<?x64xf32>) -> tensor<?x64xf32>
  %o = gnn.aggregate %g src(%h : tensor<?x64xf32>) reduce [sum] acc f32
      : !gnn.graph<?x?x?, i32, csr> -> tensor<?x64xf32> message {
  ^bb0(%r: vector<64xf32>):
    gnn.yield %r : vector<64xf32>
  }
  return %o : tensor<?x64xf32>
}

// -----

// Rows of 5 and of 8 floats are one sector of memory each: left as written.
// CHECK-LABEL: func.func @one_sector
// CHECK:         linalg.matmul
// CHECK:         gnn.aggregate
// FORCED-LABEL: func.func @one_sector
// FORCED:         gnn.aggregate
// FORCED:         linalg.matmul
func.func @one_sector(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x5xf32>, %w: tensor<5x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x5xf32>
  %init = tensor.empty(%n) : tensor<?x8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<?x8xf32>) -> tensor<?x8xf32>
  %h = linalg.matmul ins(%x, %w : tensor<?x5xf32>, tensor<5x8xf32>) outs(%zeros : tensor<?x8xf32>) -> tensor<?x8xf32>
  %o = gnn.aggregate %g src(%h : tensor<?x8xf32>) reduce [sum] acc f32
      : !gnn.graph<?x?x?, i32, csr> -> tensor<?x8xf32> message {
  ^bb0(%r: vector<8xf32>):
    gnn.yield %r : vector<8xf32>
  }
  return %o : tensor<?x8xf32>
}

// -----

// The other direction: the aggregate is returned too, so it must exist.
// CHECK-LABEL: func.func @aggregate_has_other_users
// CHECK:         gnn.aggregate
// CHECK:         linalg.matmul
func.func @aggregate_has_other_users(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x64xf32>, %w: tensor<64x4xf32>) -> (tensor<?x4xf32>, tensor<?x64xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %a = gnn.aggregate %g src(%x : tensor<?x64xf32>) reduce [sum] acc f32
      : !gnn.graph<?x?x?, i32, csr> -> tensor<?x64xf32> message {
  ^bb0(%r: vector<64xf32>):
    gnn.yield %r : vector<64xf32>
  }
  %n = tensor.dim %a, %c0 : tensor<?x64xf32>
  %init = tensor.empty(%n) : tensor<?x4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<?x4xf32>) -> tensor<?x4xf32>
  %h = linalg.matmul ins(%a, %w : tensor<?x64xf32>, tensor<64x4xf32>) outs(%zeros : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %h, %a : tensor<?x4xf32>, tensor<?x64xf32>
}

// -----

// Nothing of the source in the message, only edge features: no row to transform.
// CHECK-LABEL: func.func @reads_no_source
// CHECK:         gnn.aggregate
// CHECK:         linalg.matmul
func.func @reads_no_source(%g: !gnn.graph<4x4x9, i32, csr>, %e: tensor<9x64xf32>, %w: tensor<64x4xf32>) -> tensor<4x4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4x4xf32>
  %a = gnn.aggregate %g edge(%e : tensor<9x64xf32>) reduce [sum] acc f32
      : !gnn.graph<4x4x9, i32, csr> -> tensor<4x64xf32> message {
  ^bb0(%r: vector<64xf32>):
    gnn.yield %r : vector<64xf32>
  }
  %h = linalg.matmul ins(%a, %w : tensor<4x64xf32>, tensor<64x4xf32>) outs(%zeros : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %h : tensor<4x4xf32>
}

// -----

// The nodes are the columns of the product's first operand.
// CHECK-LABEL: func.func @transposed_rows
// CHECK:         linalg.matmul
// CHECK:         gnn.aggregate
// FORCED-LABEL: func.func @transposed_rows
// FORCED:         linalg.matmul
// FORCED:         gnn.aggregate
#kn = affine_map<(d0, d1, d2) -> (d2, d0)>
#kc = affine_map<(d0, d1, d2) -> (d2, d1)>
#nc = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @transposed_rows(%g: !gnn.graph<4x4x9, i32, csr>, %xt: tensor<2x4xf32>, %w: tensor<2x64xf32>) -> tensor<4x64xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4x64xf32>
  %h = linalg.matmul indexing_maps = [#kn, #kc, #nc] ins(%xt, %w : tensor<2x4xf32>, tensor<2x64xf32>) outs(%zeros : tensor<4x64xf32>) -> tensor<4x64xf32>
  %o = gnn.aggregate %g src(%h : tensor<4x64xf32>) reduce [sum] acc f32
      : !gnn.graph<4x4x9, i32, csr> -> tensor<4x64xf32> message {
  ^bb0(%r: vector<64xf32>):
    gnn.yield %r : vector<64xf32>
  }
  return %o : tensor<4x64xf32>
}

// -----

// The second operand is no weight: its shape is that of the nodes.
// CHECK-LABEL: func.func @weight_not_static
// CHECK:         linalg.matmul
// CHECK:         gnn.aggregate
// FORCED-LABEL: func.func @weight_not_static
// FORCED:         linalg.matmul
// FORCED:         gnn.aggregate
func.func @weight_not_static(%g: !gnn.graph<4x4x9, i32, csr>, %x: tensor<4x?xf32>, %w: tensor<?x64xf32>) -> tensor<4x64xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4x64xf32>
  %h = linalg.matmul ins(%x, %w : tensor<4x?xf32>, tensor<?x64xf32>) outs(%zeros : tensor<4x64xf32>) -> tensor<4x64xf32>
  %o = gnn.aggregate %g src(%h : tensor<4x64xf32>) reduce [sum] acc f32
      : !gnn.graph<4x4x9, i32, csr> -> tensor<4x64xf32> message {
  ^bb0(%r: vector<64xf32>):
    gnn.yield %r : vector<64xf32>
  }
  return %o : tensor<4x64xf32>
}

// -----

// A product that widens its elements is where the precision is decided.
// CHECK-LABEL: func.func @changes_element_type
// CHECK:         linalg.matmul
// CHECK:         gnn.aggregate
// FORCED-LABEL: func.func @changes_element_type
// FORCED:         linalg.matmul
// FORCED:         gnn.aggregate
func.func @changes_element_type(%g: !gnn.graph<4x4x9, i32, csr>, %x: tensor<4x2xf16>, %w: tensor<2x64xf16>) -> tensor<4x64xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4x64xf32>
  %h = linalg.matmul ins(%x, %w : tensor<4x2xf16>, tensor<2x64xf16>) outs(%zeros : tensor<4x64xf32>) -> tensor<4x64xf32>
  %o = gnn.aggregate %g src(%h : tensor<4x64xf32>) reduce [sum] acc f32
      : !gnn.graph<4x4x9, i32, csr> -> tensor<4x64xf32> message {
  ^bb0(%r: vector<64xf32>):
    gnn.yield %r : vector<64xf32>
  }
  return %o : tensor<4x64xf32>
}

// -----

// Two results of one traversal would need a product each.
// CHECK-LABEL: func.func @several_results
// CHECK:         gnn.aggregate
// CHECK:         linalg.matmul
func.func @several_results(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x64xf32>, %w: tensor<64x4xf32>) -> (tensor<?x4xf32>, tensor<?x64xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x64xf32>
  %init = tensor.empty(%n) : tensor<?x4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<?x4xf32>) -> tensor<?x4xf32>
  %o:2 = gnn.aggregate %g src(%x : tensor<?x64xf32>) reduce [sum, max] acc f32
      : !gnn.graph<?x?x?, i32, csr> -> tensor<?x64xf32>, tensor<?x64xf32> message {
  ^bb0(%r: vector<64xf32>):
    gnn.yield %r, %r : vector<64xf32>, vector<64xf32>
  }
  %h = linalg.matmul ins(%o#0, %w : tensor<?x64xf32>, tensor<64x4xf32>) outs(%zeros : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %h, %o#1 : tensor<?x4xf32>, tensor<?x64xf32>
}

// -----

// The product is read, but it is the other rows that are sent.
// CHECK-LABEL: func.func @other_rows
// CHECK:         linalg.matmul
// CHECK:         gnn.aggregate
// FORCED-LABEL: func.func @other_rows
// FORCED:         linalg.matmul
// FORCED:         gnn.aggregate
func.func @other_rows(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x4xf32>, %y: tensor<?x64xf32>, %w: tensor<4x64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %init = tensor.empty(%n) : tensor<?x64xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<?x64xf32>) -> tensor<?x64xf32>
  %h = linalg.matmul ins(%x, %w : tensor<?x4xf32>, tensor<4x64xf32>) outs(%zeros : tensor<?x64xf32>) -> tensor<?x64xf32>
  %o = gnn.aggregate %g src(%h, %y : tensor<?x64xf32>, tensor<?x64xf32>) reduce [sum] acc f32
      : !gnn.graph<?x?x?, i32, csr> -> tensor<?x64xf32> message {
  ^bb0(%r: vector<64xf32>, %s: vector<64xf32>):
    gnn.yield %s : vector<64xf32>
  }
  return %o : tensor<?x64xf32>
}

// -----

// What is added is another tensor, which would need a product of its own.
// CHECK-LABEL: func.func @other_own_rows
// CHECK:         gnn.aggregate
// CHECK:         linalg.matmul
func.func @other_own_rows(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x64xf32>, %y: tensor<?x64xf32>, %w: tensor<64x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %a = gnn.aggregate %g src(%x : tensor<?x64xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?x64xf32> message {
  ^bb0(%r: vector<64xf32>):
    gnn.yield %r : vector<64xf32>
  }
  %s = arith.addf %a, %y : tensor<?x64xf32>
  %n = tensor.dim %y, %c0 : tensor<?x64xf32>
  %init = tensor.empty(%n) : tensor<?x4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<?x4xf32>) -> tensor<?x4xf32>
  %h = linalg.matmul ins(%s, %w : tensor<?x64xf32>, tensor<64x4xf32>) outs(%zeros : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %h : tensor<?x4xf32>
}
