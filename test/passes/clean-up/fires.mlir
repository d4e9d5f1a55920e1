// RUN: gnn-opt %s --gnn-clean-up --mlir-print-debuginfo | FileCheck %s
// RUN: gnn-opt %s --gnn-clean-up --gnn-clean-up | FileCheck %s --check-prefix=AGAIN

// Equal ops become one, which has the location of both; what nobody reads goes.
// CHECK-LABEL: func.func @merges
// CHECK:         %[[SUM:.*]] = arith.addf {{.*}} loc(#[[BOTH:loc[0-9]*]])
// CHECK-NOT:     arith.addf
// CHECK:         arith.mulf %[[SUM]], %[[SUM]]
// CHECK-NOT:     math.exp
// AGAIN-LABEL: func.func @merges
// AGAIN-COUNT-1: arith.addf
// AGAIN-NEXT:    arith.mulf
func.func @merges(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %x = arith.addf %a, %b : tensor<4xf32> loc("first")
  %y = arith.addf %a, %b : tensor<4xf32> loc("second")
  %unread = math.exp %x : tensor<4xf32>
  %z = arith.mulf %x, %y : tensor<4xf32>
  return %z : tensor<4xf32>
}

// What folds to a value that is there leaves its location with that value's op.
// CHECK-LABEL: func.func @folds
// CHECK:         math.exp {{.*}} loc(#[[CAST:loc[0-9]*]])
// CHECK-NOT:     tensor.cast
func.func @folds(%a: tensor<4xf32>) -> tensor<4xf32> {
  %x = math.exp %a : tensor<4xf32> loc("exp")
  %y = tensor.cast %x : tensor<4xf32> to tensor<4xf32> loc("cast")
  return %y : tensor<4xf32>
}

// Rows are counted by the argument they come from.
// CHECK-LABEL: func.func @dynamic_extents
// CHECK-SAME:    %[[X:.*]]: tensor<?x4xf32>
// CHECK:         tensor.dim %[[X]]
// AGAIN-LABEL: func.func @dynamic_extents
func.func @dynamic_extents(%x: tensor<?x4xf32>) -> (index, tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %same = tensor.cast %x : tensor<?x4xf32> to tensor<?x4xf32>
  %n = tensor.dim %same, %c0 : tensor<?x4xf32>
  return %n, %same : index, tensor<?x4xf32>
}

// CHECK-DAG: #[[FIRST:loc[0-9]*]] = loc("first")
// CHECK-DAG: #[[SECOND:loc[0-9]*]] = loc("second")
// CHECK-DAG: #[[BOTH]] = loc(fused[#[[FIRST]], #[[SECOND]]])
// CHECK-DAG: #[[EXP:loc[0-9]*]] = loc("exp")
// CHECK-DAG: #[[OF:loc[0-9]*]] = loc("cast")
// CHECK-DAG: #[[CAST]] = loc(fused[#[[EXP]], #[[OF]]])
