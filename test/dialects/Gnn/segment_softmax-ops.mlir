// RUN: gnn-opt %s | gnn-opt | FileCheck %s

// CHECK-LABEL: func @segment_softmax
// CHECK:         gnn.segment_softmax %{{.*}}, %{{.*}} at dst acc f32 : tensor<?x8xf32>, !gnn.graph<?x?x?>
// CHECK:         gnn.segment_softmax %{{.*}}, %{{.*}} at src acc f64 : tensor<?x8xf32>, !gnn.graph<?x?x?>
// CHECK:         gnn.segment_softmax %{{.*}}, %{{.*}} acc f32 : tensor<7xf16>, tensor<4xi32>
func.func @segment_softmax(%s: tensor<?x8xf32>, %g: !gnn.graph<?x?x?>, %t: tensor<7xf16>, %o: tensor<4xi32>) {
  %a = gnn.segment_softmax %s, %g at dst acc f32 : tensor<?x8xf32>, !gnn.graph<?x?x?>
  %b = gnn.segment_softmax %s, %g at src acc f64 : tensor<?x8xf32>, !gnn.graph<?x?x?>
  %c = gnn.segment_softmax %t, %o acc f32 : tensor<7xf16>, tensor<4xi32>
  return
}
