// RUN: gnn-opt %s --gnn-fuse-aggregate --split-input-file | FileCheck %s

// The message is also returned: it must exist, so nothing is fused.
// CHECK-LABEL: func.func @message_has_second_use
// CHECK:         %[[M:.*]] = gnn.gather
// CHECK-NOT:     gnn.aggregate
// CHECK:         gnn.scatter sum %[[M]]
func.func @message_has_second_use(%g: !gnn.graph<?x?x?>, %x: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %m = gnn.gather %x, %g at src : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %s = gnn.scatter sum %m, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  return %s, %m : tensor<?x4xf32>, tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func.func @at_src
// CHECK-NOT:     gnn.aggregate
// CHECK:         gnn.scatter sum %{{.*}} at src
func.func @at_src(%g: !gnn.graph<?x?x?>, %x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %m = gnn.gather %x, %g at dst : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %s = gnn.scatter sum %m, %g at src acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  return %s : tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func.func @dynamic_features
// CHECK-NOT:     gnn.aggregate
// CHECK:         gnn.scatter
func.func @dynamic_features(%g: !gnn.graph<?x?x?>, %x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %m = gnn.gather %x, %g at src : tensor<?x?xf32>, !gnn.graph<?x?x?> -> tensor<?x?xf32>
  %s = gnn.scatter sum %m, %g at dst acc f32 : tensor<?x?xf32>, !gnn.graph<?x?x?> -> tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}

// -----

// A value of the chain that is read elsewhere stays a tensor and is an operand.
// CHECK-LABEL: func.func @chain_value_escapes
// CHECK:         %[[N:.*]] = arith.negf %{{.*}} : tensor<?x4xf32>
// CHECK:         gnn.aggregate %{{.*}} edge(%[[N]] : tensor<?x4xf32>)
// CHECK:           math.exp %{{.*}} : vector<4xf32>
// CHECK:         return %{{.*}}, %[[N]]
func.func @chain_value_escapes(%g: !gnn.graph<?x?x?>, %x: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %m = gnn.gather %x, %g at src : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %n = arith.negf %m : tensor<?x4xf32>
  %y = math.exp %n : tensor<?x4xf32>
  %s = gnn.scatter sum %y, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  return %s, %n : tensor<?x4xf32>, tensor<?x4xf32>
}

// -----

// A gather over another graph is not along this one's edges.
// CHECK-LABEL: func.func @other_graph
// CHECK:         %[[M:.*]] = gnn.gather
// CHECK:         gnn.aggregate %{{.*}} edge(%[[M]] : tensor<?x4xf32>)
func.func @other_graph(%g: !gnn.graph<?x?x?>, %h: !gnn.graph<?x?x?>, %x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %m = gnn.gather %x, %g at src : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %s = gnn.scatter sum %m, %h at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  return %s : tensor<?x4xf32>
}
