// RUN: gnn-opt %s --gnn-fuse-epilogue --canonicalize --cse --split-input-file | FileCheck %s

// Bias and ReLU.
// CHECK-LABEL: func.func @bias_relu
// CHECK-SAME:    %[[G:[^:]*]]: !gnn.graph<?x?x?, i32, csr>, %[[X:.*]]: tensor<?x4xf32>, %[[B:.*]]: tensor<4xf32>)
// CHECK:         %[[A:.*]] = gnn.aggregate %[[G]] src(%[[X]] : tensor<?x4xf32>) param(%[[B]] : tensor<4xf32>)
// CHECK-NEXT:    ^bb0(%[[R:.*]]: vector<4xf32>, %{{.*}}: vector<4xf32>):
// CHECK-NEXT:      gnn.yield %[[R]]
// CHECK-NEXT:    } epilogue {
// CHECK-NEXT:    ^bb0(%[[S:.*]]: vector<4xf32>, %[[P:.*]]: vector<4xf32>):
// CHECK-DAG:       %[[Z:.*]] = arith.constant dense<0.000000e+00> : vector<4xf32>
// CHECK-DAG:       %[[SB:.*]] = arith.addf %[[S]], %[[P]] : vector<4xf32>
// CHECK:           %[[Y:.*]] = arith.maximumf %[[SB]], %[[Z]] : vector<4xf32>
// CHECK:           gnn.yield %[[Y]]
// CHECK:         return %[[A]]
func.func @bias_relu(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x4xf32>, %b: tensor<4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %a = gnn.aggregate %g src(%x : tensor<?x4xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?x4xf32> message {
  ^bb0(%r: vector<4xf32>):
    gnn.yield %r : vector<4xf32>
  }
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %init = tensor.empty(%n) : tensor<?x4xf32>
  %br = linalg.broadcast ins(%b : tensor<4xf32>) outs(%init : tensor<?x4xf32>) dimensions = [0]
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<?x4xf32>) -> tensor<?x4xf32>
  %ab = arith.addf %a, %br : tensor<?x4xf32>
  %y = arith.maximumf %ab, %zeros : tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

// ELU reads the result three times; the branches join again.
// CHECK-LABEL: func.func @elu
// CHECK-NOT:     = arith.{{.*}} tensor<4x8xf32>
// CHECK:         epilogue {
// CHECK-NEXT:    ^bb0(%[[S:.*]]: vector<8xf32>):
// CHECK:           %[[C:.*]] = arith.cmpf ogt, %[[S]]
// CHECK:           %[[E:.*]] = math.expm1 %[[S]]
// CHECK:           %[[Y:.*]] = arith.select %[[C]], %[[S]], %[[E]] : vector<8xi1>, vector<8xf32>
// CHECK:           gnn.yield %[[Y]]
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @elu(%g: !gnn.graph<4x4x9, i32, csr>, %x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4x8xf32>
  %a = gnn.aggregate %g src(%x : tensor<4x8xf32>) reduce [sum] acc f32 : !gnn.graph<4x4x9, i32, csr> -> tensor<4x8xf32> message {
  ^bb0(%r: vector<8xf32>):
    gnn.yield %r : vector<8xf32>
  }
  %c = arith.cmpf ogt, %a, %zeros : tensor<4x8xf32>
  %e = math.expm1 %a : tensor<4x8xf32>
  %y = arith.select %c, %a, %e : tensor<4x8xi1>, tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// Residual, scaling by a node scalar, and a group that stops where a second
// value would leave: the product reads the sum, so only what is before goes in.
// The computation of (1 + eps) x, which only feeds the group, comes along.
// CHECK-LABEL: func.func @residual
// CHECK-SAME:    %[[G:[^:]*]]: !gnn.graph<?x?x?, i32, csr>, %[[X:[^:]*]]: tensor<?x4xf32>, %[[D:[^:]*]]: tensor<?xf32>
// CHECK:         %[[A:.*]] = gnn.aggregate %[[G]] src(%[[X]] : tensor<?x4xf32>) dst(%[[D]], %[[X]] : tensor<?xf32>, tensor<?x4xf32>)
// CHECK:         } epilogue {
// CHECK-NEXT:    ^bb0(%[[S:.*]]: vector<4xf32>, %[[DR:.*]]: f32, %[[XR:.*]]: vector<4xf32>):
// CHECK:           %[[DV:.*]] = vector.broadcast %[[DR]]
// CHECK:           %[[SD:.*]] = arith.mulf %[[S]], %[[DV]]
// CHECK:           %[[XE:.*]] = arith.mulf %[[XR]], %{{.*}} : vector<4xf32>
// CHECK:           arith.addf %[[SD]], %[[XE]] : vector<4xf32>
// CHECK:         %[[M:.*]] = linalg.matmul ins(%[[A]]
// CHECK:         arith.addf %[[A]], %[[M]] : tensor<?x4xf32>
func.func @residual(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x4xf32>, %d: tensor<?xf32>, %w: tensor<4x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %eps = arith.constant 1.5 : f32
  %a = gnn.aggregate %g src(%x : tensor<?x4xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?x4xf32> message {
  ^bb0(%r: vector<4xf32>):
    gnn.yield %r : vector<4xf32>
  }
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %init = tensor.empty(%n) : tensor<?x4xf32>
  %dr = linalg.broadcast ins(%d : tensor<?xf32>) outs(%init : tensor<?x4xf32>) dimensions = [1]
  %er = linalg.fill ins(%eps : f32) outs(%init : tensor<?x4xf32>) -> tensor<?x4xf32>
  %xe = arith.mulf %x, %er : tensor<?x4xf32>
  %ad = arith.mulf %a, %dr : tensor<?x4xf32>
  %s = arith.addf %ad, %xe : tensor<?x4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<?x4xf32>) -> tensor<?x4xf32>
  %m = linalg.matmul ins(%s, %w : tensor<?x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<?x4xf32>) -> tensor<?x4xf32>
  %y = arith.addf %s, %m : tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

// An aggregate with an epilogue gets a longer one; its arguments keep meaning.
// The row count is taken from an argument, not from the result.
// CHECK-LABEL: func.func @second_tail
// CHECK:         param(%{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32>)
// CHECK:         } epilogue {
// CHECK-NEXT:    ^bb0(%[[S:.*]]: vector<4xf32>, %[[B:.*]]: vector<4xf32>, %[[C:.*]]: vector<4xf32>):
// CHECK-NEXT:      %[[T:.*]] = arith.addf %[[S]], %[[B]]
// CHECK-NEXT:      %[[U:.*]] = arith.mulf %[[T]], %[[C]]
// CHECK-NEXT:      gnn.yield %[[U]]
func.func @second_tail(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x4xf32>, %y: tensor<?x4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %a = gnn.aggregate %g src(%x : tensor<?x4xf32>) dst(%y : tensor<?x4xf32>) param(%b : tensor<4xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?x4xf32> message {
  ^bb0(%r: vector<4xf32>, %yr: vector<4xf32>, %p: vector<4xf32>):
    gnn.yield %r : vector<4xf32>
  } epilogue {
  ^bb0(%s: vector<4xf32>, %yr: vector<4xf32>, %p: vector<4xf32>):
    %t = arith.addf %s, %p : vector<4xf32>
    gnn.yield %t : vector<4xf32>
  }
  %n = tensor.dim %a, %c0 : tensor<?x4xf32>
  %init = tensor.empty(%n) : tensor<?x4xf32>
  %cr = linalg.broadcast ins(%c : tensor<4xf32>) outs(%init : tensor<?x4xf32>) dimensions = [0]
  %o = arith.mulf %a, %cr : tensor<?x4xf32>
  return %o : tensor<?x4xf32>
}

// -----

// No argument has as many rows as there are destinations: the size is that of
// the result itself, and nothing but the epilogue needs it.
// CHECK-LABEL: func.func @size_from_result
// CHECK:         %[[A:.*]] = gnn.aggregate
// CHECK:         } epilogue {
// CHECK:           arith.addf %{{.*}} : vector<4xf32>
// CHECK:         }
// CHECK-NEXT:    return %[[A]]
func.func @size_from_result(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x4xf32>, %b: tensor<4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %a = gnn.aggregate %g src(%x : tensor<?x4xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?x4xf32> message {
  ^bb0(%r: vector<4xf32>):
    gnn.yield %r : vector<4xf32>
  }
  %n = tensor.dim %a, %c0 : tensor<?x4xf32>
  %init = tensor.empty(%n) : tensor<?x4xf32>
  %br = linalg.broadcast ins(%b : tensor<4xf32>) outs(%init : tensor<?x4xf32>) dimensions = [0]
  %ab = arith.addf %a, %br : tensor<?x4xf32>
  %m = tensor.dim %ab, %c0 : tensor<?x4xf32>
  %init2 = tensor.empty(%m) : tensor<?x4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init2 : tensor<?x4xf32>) -> tensor<?x4xf32>
  %y = arith.maximumf %ab, %zeros : tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

// Behind the three accumulators of a softmax the rows of the destination and the bias follow.
// CHECK-LABEL: func.func @behind_softmax
// CHECK:         reduce [softmax]
// CHECK:         } epilogue {
// CHECK-NEXT:    ^bb0(%[[S:.*]]: vector<4xf32>, %[[D:.*]]: f32, %{{.*}}: f32, %[[V:.*]]: vector<4xf32>):
// CHECK:           %[[Q:.*]] = arith.divf %[[S]]
// CHECK:           %[[Y:.*]] = arith.addf %[[Q]], %[[V]]
// CHECK:           gnn.yield %[[Y]]
func.func @behind_softmax(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x4xf32>, %s: tensor<?xf32>, %r: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %a = gnn.aggregate %g src(%x, %s : tensor<?x4xf32>, tensor<?xf32>) reduce [softmax] acc f32
      : !gnn.graph<?x?x?, i32, csr> -> tensor<?x4xf32> message {
  ^bb0(%u: vector<4xf32>, %score: f32):
    gnn.yield %score, %u : f32, vector<4xf32>
  } epilogue {
  ^bb0(%sum: vector<4xf32>, %den: f32, %m: f32):
    %w = vector.broadcast %den : f32 to vector<4xf32>
    %y = arith.divf %sum, %w : vector<4xf32>
    gnn.yield %y : vector<4xf32>
  }
  %y = arith.addf %a, %r : tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

// Heads side by side, then a bias of the wide row.
// CHECK-LABEL: func.func @concatenated_heads
// CHECK:         gnn.aggregate {{.*}} -> tensor<?x6xf32>
// CHECK:         epilogue {
// CHECK-NEXT:    ^bb0(%[[S:.*]]: vector<2x3xf32>, %[[B:.*]]: vector<6xf32>):
// CHECK-NEXT:      %[[C:.*]] = vector.shape_cast %[[S]] : vector<2x3xf32> to vector<6xf32>
// CHECK-NEXT:      %[[Y:.*]] = arith.addf %[[C]], %[[B]] : vector<6xf32>
// CHECK-NEXT:      gnn.yield %[[Y]]
func.func @concatenated_heads(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x2x3xf32>, %b: tensor<6xf32>) -> tensor<?x6xf32> {
  %c0 = arith.constant 0 : index
  %a = gnn.aggregate %g src(%x : tensor<?x2x3xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?x2x3xf32> message {
  ^bb0(%r: vector<2x3xf32>):
    gnn.yield %r : vector<2x3xf32>
  }
  %n = tensor.dim %a, %c0 : tensor<?x2x3xf32>
  %flat = tensor.collapse_shape %a [[0], [1, 2]] : tensor<?x2x3xf32> into tensor<?x6xf32>
  %init = tensor.empty(%n) : tensor<?x6xf32>
  %rows = linalg.broadcast ins(%b : tensor<6xf32>) outs(%init : tensor<?x6xf32>) dimensions = [0]
  %y = arith.addf %flat, %rows : tensor<?x6xf32>
  return %y : tensor<?x6xf32>
}

// -----

// Mean of heads; the row count is static.
// CHECK-LABEL: func.func @mean_of_heads
// CHECK:         epilogue {
// CHECK-NEXT:    ^bb0(%[[S:.*]]: vector<2x3xf32>):
// CHECK-DAG:       %[[Z:.*]] = arith.constant dense<0.000000e+00> : vector<3xf32>
// CHECK-DAG:       %[[H:.*]] = arith.constant dense<2.000000e+00> : vector<3xf32>
// CHECK:           %[[T:.*]] = vector.multi_reduction <add>, %[[S]], %[[Z]] [0] : vector<2x3xf32> to vector<3xf32>
// CHECK-NEXT:      %[[Y:.*]] = arith.divf %[[T]], %[[H]] : vector<3xf32>
// CHECK-NEXT:      gnn.yield %[[Y]]
func.func @mean_of_heads(%g: !gnn.graph<4x4x9, i32, csr>, %x: tensor<4x2x3xf32>) -> tensor<4x3xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4x3xf32>
  %heads = arith.constant dense<2.0> : tensor<4x3xf32>
  %a = gnn.aggregate %g src(%x : tensor<4x2x3xf32>) reduce [sum] acc f32 : !gnn.graph<4x4x9, i32, csr> -> tensor<4x2x3xf32> message {
  ^bb0(%r: vector<2x3xf32>):
    gnn.yield %r : vector<2x3xf32>
  }
  %t = linalg.reduce ins(%a : tensor<4x2x3xf32>) outs(%zeros : tensor<4x3xf32>) dimensions = [1]
    (%e: f32, %acc: f32) {
      %s = arith.addf %e, %acc : f32
      linalg.yield %s : f32
    }
  %y = arith.divf %t, %heads : tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// -----

// A node scalar repeated along features before it meets them.
// CHECK-LABEL: func.func @scalar_result
// CHECK:         gnn.aggregate {{.*}} -> tensor<4x3xf32>
// CHECK:         epilogue {
// CHECK-NEXT:    ^bb0(%[[S:.*]]: f32, %[[V:.*]]: vector<3xf32>):
// CHECK-NEXT:      %[[R:.*]] = vector.broadcast %[[S]] : f32 to vector<3xf32>
// CHECK-NEXT:      arith.mulf %[[R]], %[[V]] : vector<3xf32>
func.func @scalar_result(%g: !gnn.graph<4x4x9, i32, csr>, %x: tensor<4xf32>, %y: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %a = gnn.aggregate %g src(%x : tensor<4xf32>) reduce [sum] acc f32 : !gnn.graph<4x4x9, i32, csr> -> tensor<4xf32> message {
  ^bb0(%r: f32):
    gnn.yield %r : f32
  }
  %init = tensor.empty() : tensor<4x3xf32>
  %rows = linalg.broadcast ins(%a : tensor<4xf32>) outs(%init : tensor<4x3xf32>) dimensions = [1]
  %o = arith.mulf %rows, %y : tensor<4x3xf32>
  return %o : tensor<4x3xf32>
}
