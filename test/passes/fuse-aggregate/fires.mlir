// RUN: gnn-opt %s --gnn-fuse-aggregate --canonicalize --cse --split-input-file | FileCheck %s

// Gather, edge weight, bias row and constant, all in one message.
// CHECK-LABEL: func.func @weighted
// CHECK-SAME:    %[[G:.*]]: !gnn.graph<?x?x?, i32, csr>, %[[X:.*]]: tensor<?x8xf32>, %[[W:.*]]: tensor<?xf32>, %[[B:.*]]: tensor<8xf32>) -> tensor<?x8xf32> {
// CHECK-NOT:     = tensor.
// CHECK:         %[[A:.*]] = gnn.aggregate %[[G]] src(%[[X]] : tensor<?x8xf32>) edge(%[[W]] : tensor<?xf32>) param(%[[B]] : tensor<8xf32>) reduce [sum] acc f32
// CHECK-NEXT:    ^bb0(%[[R:.*]]: vector<8xf32>, %[[S:.*]]: f32, %[[P:.*]]: vector<8xf32>):
// CHECK-DAG:       %[[TWO:.*]] = arith.constant dense<2.000000e+00> : vector<8xf32>
// CHECK-DAG:       %[[V:.*]] = vector.broadcast %[[S]] : f32 to vector<8xf32>
// CHECK-DAG:       %[[M:.*]] = arith.mulf %[[R]], %[[V]] : vector<8xf32>
// CHECK:           %[[MB:.*]] = arith.addf %[[M]], %[[P]] : vector<8xf32>
// CHECK:           %[[Y:.*]] = arith.mulf %[[MB]], %[[TWO]] : vector<8xf32>
// CHECK:           gnn.yield %[[Y]] : vector<8xf32>
// CHECK:         return %[[A]]
func.func @weighted(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x8xf32>, %w: tensor<?xf32>, %b: tensor<8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %two = arith.constant 2.0 : f32
  %m = gnn.gather %x, %g at src : tensor<?x8xf32>, !gnn.graph<?x?x?, i32, csr> -> tensor<?x8xf32>
  %e = tensor.dim %m, %c0 : tensor<?x8xf32>
  %init = tensor.empty(%e) : tensor<?x8xf32>
  %wr = linalg.broadcast ins(%w : tensor<?xf32>) outs(%init : tensor<?x8xf32>) dimensions = [1]
  %br = linalg.broadcast ins(%b : tensor<8xf32>) outs(%init : tensor<?x8xf32>) dimensions = [0]
  %twos = linalg.fill ins(%two : f32) outs(%init : tensor<?x8xf32>) -> tensor<?x8xf32>
  %wm = arith.mulf %m, %wr : tensor<?x8xf32>
  %mb = arith.addf %wm, %br : tensor<?x8xf32>
  %y = arith.mulf %mb, %twos : tensor<?x8xf32>
  %s = gnn.scatter sum %y, %g at dst acc f32 : tensor<?x8xf32>, !gnn.graph<?x?x?, i32, csr> -> tensor<?x8xf32>
  return %s : tensor<?x8xf32>
}

// -----

// Both ends of an edge, a node scalar broadcast before its gather, a select.
// CHECK-LABEL: func.func @both_ends
// CHECK-SAME:    %[[G:[^:]*]]: !gnn.graph<5x6x9, i32, csr>, %[[X:.*]]: tensor<6x4xf32>, %[[Y:.*]]: tensor<5x4xf32>, %[[D:.*]]: tensor<6xf32>)
// CHECK:         gnn.aggregate %[[G]] src(%[[X]], %[[D]] : tensor<6x4xf32>, tensor<6xf32>) dst(%[[Y]] : tensor<5x4xf32>) reduce [max] acc f32
// CHECK-NEXT:    ^bb0(%[[XR:.*]]: vector<4xf32>, %[[DR:.*]]: f32, %[[YR:.*]]: vector<4xf32>):
// CHECK:           %[[DV:.*]] = vector.broadcast %[[DR]]
// CHECK:           %[[XD:.*]] = arith.mulf %[[XR]], %[[DV]]
// CHECK:           %[[C:.*]] = arith.cmpf ogt, %[[XD]], %[[YR]] : vector<4xf32>
// CHECK:           arith.select %[[C]], %[[XD]], %[[YR]] : vector<4xi1>, vector<4xf32>
func.func @both_ends(%g: !gnn.graph<5x6x9, i32, csr>, %x: tensor<6x4xf32>, %y: tensor<5x4xf32>, %d: tensor<6xf32>) -> tensor<5x4xf32> {
  %init = tensor.empty() : tensor<6x4xf32>
  %dr = linalg.broadcast ins(%d : tensor<6xf32>) outs(%init : tensor<6x4xf32>) dimensions = [1]
  %xs = gnn.gather %x, %g at src : tensor<6x4xf32>, !gnn.graph<5x6x9, i32, csr> -> tensor<9x4xf32>
  %ds = gnn.gather %dr, %g at src : tensor<6x4xf32>, !gnn.graph<5x6x9, i32, csr> -> tensor<9x4xf32>
  %yd = gnn.gather %y, %g at dst : tensor<5x4xf32>, !gnn.graph<5x6x9, i32, csr> -> tensor<9x4xf32>
  %xd = arith.mulf %xs, %ds : tensor<9x4xf32>
  %c = arith.cmpf ogt, %xd, %yd : tensor<9x4xf32>
  %m = arith.select %c, %xd, %yd : tensor<9x4xi1>, tensor<9x4xf32>
  %s = gnn.scatter max %m, %g at dst acc f32 : tensor<9x4xf32>, !gnn.graph<5x6x9, i32, csr> -> tensor<5x4xf32>
  return %s : tensor<5x4xf32>
}

// -----

// A 16-bit message is summed in f32 and narrowed once, in the epilogue.
// CHECK-LABEL: func.func @narrow
// CHECK:         gnn.aggregate %{{.*}} src(%{{.*}} : tensor<?x4xf16>) reduce [mean] acc f32 : !gnn.graph<?x?x?> -> tensor<?x4xf16> message {
// CHECK:           arith.extf %{{.*}} : vector<4xf16> to vector<4xf32>
// CHECK:         } epilogue {
// CHECK:           arith.truncf %{{.*}} : vector<4xf32> to vector<4xf16>
func.func @narrow(%g: !gnn.graph<?x?x?>, %x: tensor<?x4xf16>) -> tensor<?x4xf16> {
  %m = gnn.gather %x, %g at src : tensor<?x4xf16>, !gnn.graph<?x?x?> -> tensor<?x4xf16>
  %s = gnn.scatter mean %m, %g at dst acc f32 : tensor<?x4xf16>, !gnn.graph<?x?x?> -> tensor<?x4xf16>
  return %s : tensor<?x4xf16>
}

// -----

// Heads: one score per head times a row of features per head.
// CHECK-LABEL: func.func @heads
// CHECK:         ^bb0(%[[X:.*]]: vector<2x4xf32>, %[[A:.*]]: vector<2xf32>):
// CHECK:           %[[A1:.*]] = vector.shape_cast %[[A]] : vector<2xf32> to vector<2x1xf32>
// CHECK:           vector.broadcast %[[A1]] : vector<2x1xf32> to vector<2x4xf32>
func.func @heads(%g: !gnn.graph<?x?x?>, %x: tensor<?x2x4xf32>, %a: tensor<?x2xf32>) -> tensor<?x2x4xf32> {
  %c0 = arith.constant 0 : index
  %m = gnn.gather %x, %g at src : tensor<?x2x4xf32>, !gnn.graph<?x?x?> -> tensor<?x2x4xf32>
  %e = tensor.dim %a, %c0 : tensor<?x2xf32>
  %init = tensor.empty(%e) : tensor<?x2x4xf32>
  %ar = linalg.broadcast ins(%a : tensor<?x2xf32>) outs(%init : tensor<?x2x4xf32>) dimensions = [2]
  %w = arith.mulf %m, %ar : tensor<?x2x4xf32>
  %s = gnn.scatter sum %w, %g at dst acc f32 : tensor<?x2x4xf32>, !gnn.graph<?x?x?> -> tensor<?x2x4xf32>
  return %s : tensor<?x2x4xf32>
}

// -----

// Two reductions of one message: one traversal computes both, nothing is stored.
// CHECK-LABEL: func.func @shared_message
// CHECK:         gnn.aggregate {{.*}} reduce [sum, max]
// CHECK-NOT:     gnn.gather
func.func @shared_message(%g: !gnn.graph<?x?x?>, %x: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %m = gnn.gather %x, %g at src : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %n = arith.negf %m : tensor<?x4xf32>
  %s = gnn.scatter sum %n, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %t = gnn.scatter max %n, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  return %s, %t : tensor<?x4xf32>, tensor<?x4xf32>
}

// -----

// A size taken from a value of the chain keeps nothing alive.
// CHECK-LABEL: func.func @size_of_chain_value
// CHECK-NOT:     = gnn.gather
// CHECK-NOT:     = tensor.
// CHECK:         gnn.aggregate %{{.*}} src(%{{.*}} : tensor<?x4xf32>) param(%{{.*}} : tensor<4xf32>)
func.func @size_of_chain_value(%g: !gnn.graph<?x?x?>, %x: tensor<?x4xf32>, %b: tensor<4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %m = gnn.gather %x, %g at src : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %n = arith.negf %m : tensor<?x4xf32>
  %e = tensor.dim %n, %c0 : tensor<?x4xf32>
  %init = tensor.empty(%e) : tensor<?x4xf32>
  %br = linalg.broadcast ins(%b : tensor<4xf32>) outs(%init : tensor<?x4xf32>) dimensions = [0]
  %y = arith.addf %n, %br : tensor<?x4xf32>
  %s = gnn.scatter sum %y, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  return %s : tensor<?x4xf32>
}
