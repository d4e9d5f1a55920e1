// RUN: gnn-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func @unread_and_repeated
// CHECK-SAME:    %{{.*}}: !gnn.graph<?x?x?>, %[[D:[^:]*]]: tensor<?xf32>
// CHECK:         gnn.map over %{{.*}} : !gnn.graph<?x?x?> src(%[[D]] : tensor<?xf32>) dst(%[[D]] : tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT:    ^bb0(%[[U:.*]]: f32, %[[V:.*]]: f32):
func.func @unread_and_repeated(%g: !gnn.graph<?x?x?>, %d: tensor<?xf32>, %w: tensor<?xf32>) -> tensor<?xf32> {
  %o = gnn.map over %g : !gnn.graph<?x?x?> src(%d : tensor<?xf32>) dst(%d, %d : tensor<?xf32>, tensor<?xf32>) rows(%w : tensor<?xf32>) -> tensor<?xf32> {
  ^bb0(%u: f32, %v: f32, %v2: f32, %c: f32):
    %a = arith.mulf %u, %v2 : f32
    gnn.yield %a : f32
  }
  return %o : tensor<?xf32>
}

// The one operand says how many rows there are.
// CHECK-LABEL: func @last_rows_operand_stays
// CHECK:         gnn.map rows(%{{.*}} : tensor<?xf32>) -> tensor<?xf32>
func.func @last_rows_operand_stays(%x: tensor<?xf32>) -> tensor<?xf32> {
  %o = gnn.map rows(%x : tensor<?xf32>) -> tensor<?xf32> {
  ^bb0(%a: f32):
    %one = arith.constant 1.0 : f32
    gnn.yield %one : f32
  }
  return %o : tensor<?xf32>
}
