// RUN: gnn-opt %s --gnn-expand-softmax --split-input-file | FileCheck %s
// RUN: gnn-opt %s --gnn-expand-softmax --gnn-expand-softmax --split-input-file | FileCheck %s
// RUN: gnn-opt %s --gnn-expand-softmax --gnn-raise-softmax --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=BACK

// CHECK-LABEL: func.func @heads
// CHECK-SAME:    %[[G:[^:]*]]: !gnn.graph<?x?x?>, %[[S:.*]]: tensor<?x2xf32>)
// CHECK:         %[[MAX:.*]] = gnn.scatter max %[[S]], %[[G]] at dst acc f32 : tensor<?x2xf32>
// CHECK:         %[[M:.*]] = gnn.gather %[[MAX]], %[[G]] at dst
// CHECK:         %[[D:.*]] = arith.subf %[[S]], %[[M]] : tensor<?x2xf32>
// CHECK:         %[[P:.*]] = math.exp %[[D]] : tensor<?x2xf32>
// CHECK:         %[[SUM:.*]] = gnn.scatter sum %[[P]], %[[G]] at dst acc f32
// CHECK:         %[[Q:.*]] = gnn.gather %[[SUM]], %[[G]] at dst
// CHECK:         %[[TINY:.*]] = linalg.fill ins(%{{.*}} : f32)
// CHECK:         %[[SAFE:.*]] = arith.addf %[[Q]], %[[TINY]] : tensor<?x2xf32>
// CHECK:         %[[A:.*]] = arith.divf %[[P]], %[[SAFE]] : tensor<?x2xf32>
// CHECK:         return %[[A]]
// BACK-LABEL:  func.func @heads
// BACK-NEXT:     gnn.segment_softmax
// BACK-NEXT:     return
func.func @heads(%g: !gnn.graph<?x?x?>, %s: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %a = gnn.segment_softmax %s, %g at dst acc f32 : tensor<?x2xf32>, !gnn.graph<?x?x?>
  return %a : tensor<?x2xf32>
}

// -----

// 16 bit scores are widened first and rounded once.
// CHECK-LABEL: func.func @narrow
// CHECK:         %[[W:.*]] = arith.extf %{{.*}} : tensor<7xf16> to tensor<7xf32>
// CHECK:         gnn.scatter max %[[W]], %{{.*}} at src acc f32 : tensor<7xf32>
// CHECK:         %[[Q:.*]] = arith.divf %{{.*}} : tensor<7xf32>
// CHECK:         arith.truncf %[[Q]] : tensor<7xf32> to tensor<7xf16>
func.func @narrow(%g: !gnn.graph<5x5x7>, %s: tensor<7xf16>) -> tensor<7xf16> {
  %a = gnn.segment_softmax %s, %g at src acc f32 : tensor<7xf16>, !gnn.graph<5x5x7>
  return %a : tensor<7xf16>
}

// -----

// A row pointer has no edges.
// CHECK-LABEL: func.func @row_pointer
// CHECK-NEXT:    gnn.segment_softmax
// CHECK-NEXT:    return
func.func @row_pointer(%o: tensor<?xi64>, %s: tensor<?xf32>) -> tensor<?xf32> {
  %a = gnn.segment_softmax %s, %o acc f32 : tensor<?xf32>, tensor<?xi64>
  return %a : tensor<?xf32>
}
