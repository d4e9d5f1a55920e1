// RUN: gnn-opt %s --gnn-fuse-epilogue --split-input-file | FileCheck %s

// The sum itself is returned beside what is computed from it.
// CHECK-LABEL: func.func @result_leaves_too
// CHECK-NOT:     epilogue
// CHECK:         math.exp %{{.*}} : tensor<4x8xf32>
func.func @result_leaves_too(%g: !gnn.graph<4x4x9, i32, csr>, %x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %a = gnn.aggregate %g src(%x : tensor<4x8xf32>) reduce [sum] acc f32 : !gnn.graph<4x4x9, i32, csr> -> tensor<4x8xf32> message {
  ^bb0(%r: vector<8xf32>):
    gnn.yield %r : vector<8xf32>
  }
  %e = math.exp %a : tensor<4x8xf32>
  return %a, %e : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func.func @no_elementwise_user
// CHECK-NOT:     epilogue
// CHECK:         gnn.gather
func.func @no_elementwise_user(%g: !gnn.graph<4x4x9, i32, csr>, %x: tensor<4x8xf32>) -> tensor<9x8xf32> {
  %a = gnn.aggregate %g src(%x : tensor<4x8xf32>) reduce [sum] acc f32 : !gnn.graph<4x4x9, i32, csr> -> tensor<4x8xf32> message {
  ^bb0(%r: vector<8xf32>):
    gnn.yield %r : vector<8xf32>
  }
  %e = gnn.gather %a, %g at src : tensor<4x8xf32>, !gnn.graph<4x4x9, i32, csr> -> tensor<9x8xf32>
  return %e : tensor<9x8xf32>
}

// -----

// CHECK-LABEL: func.func @scheduled
// CHECK-NOT:     epilogue
// CHECK:         math.exp %{{.*}} : tensor<4x8xf32>
func.func @scheduled(%g: !gnn.graph<4x4x9, i32, csr>, %x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %a = gnn.aggregate %g src(%x : tensor<4x8xf32>) reduce [sum] acc f32 schedule("by hand") : !gnn.graph<4x4x9, i32, csr> -> tensor<4x8xf32> message {
  ^bb0(%r: vector<8xf32>):
    gnn.yield %r : vector<8xf32>
  }
  %e = math.exp %a : tensor<4x8xf32>
  return %e : tensor<4x8xf32>
}

// -----

// Two branches that do not join: only the part before the fork goes in.
// CHECK-LABEL: func.func @fork
// CHECK:         } epilogue {
// CHECK:           math.exp
// CHECK-NOT:       math.sqrt %{{.*}} : vector
// CHECK:         math.sqrt %{{.*}} : tensor<4x8xf32>
// CHECK:         math.absf %{{.*}} : tensor<4x8xf32>
func.func @fork(%g: !gnn.graph<4x4x9, i32, csr>, %x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %a = gnn.aggregate %g src(%x : tensor<4x8xf32>) reduce [sum] acc f32 : !gnn.graph<4x4x9, i32, csr> -> tensor<4x8xf32> message {
  ^bb0(%r: vector<8xf32>):
    gnn.yield %r : vector<8xf32>
  }
  %e = math.exp %a : tensor<4x8xf32>
  %s = math.sqrt %e : tensor<4x8xf32>
  %t = math.absf %e : tensor<4x8xf32>
  return %s, %t : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// Something else has its size from the result.
// CHECK-LABEL: func.func @size_used_elsewhere
// CHECK-NOT:     epilogue
// CHECK:         arith.negf %{{.*}} : tensor<?x4xf32>
func.func @size_used_elsewhere(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x4xf32>) -> (tensor<?x4xf32>, index) {
  %c0 = arith.constant 0 : index
  %a = gnn.aggregate %g src(%x : tensor<?x4xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?x4xf32> message {
  ^bb0(%r: vector<4xf32>):
    gnn.yield %r : vector<4xf32>
  }
  %n = tensor.dim %a, %c0 : tensor<?x4xf32>
  %y = arith.negf %a : tensor<?x4xf32>
  return %y, %n : tensor<?x4xf32>, index
}

// -----

// Two sums of one traversal: a tail could belong to either.
// CHECK-LABEL: func.func @several_results
// CHECK-NOT:     epilogue
// CHECK:         arith.negf %{{.*}} : tensor<4x8xf32>
func.func @several_results(%g: !gnn.graph<4x4x9, i32, csr>, %x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %a, %b = gnn.aggregate %g src(%x : tensor<4x8xf32>) reduce [sum, max] acc f32 : !gnn.graph<4x4x9, i32, csr> -> tensor<4x8xf32>, tensor<4x8xf32> message {
  ^bb0(%r: vector<8xf32>):
    gnn.yield %r, %r : vector<8xf32>, vector<8xf32>
  }
  %y = arith.negf %a : tensor<4x8xf32>
  return %y, %b : tensor<4x8xf32>, tensor<4x8xf32>
}
