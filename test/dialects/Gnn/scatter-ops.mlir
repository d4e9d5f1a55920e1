// RUN: gnn-opt %s | gnn-opt | FileCheck %s

// CHECK-LABEL: func @every_reduction
func.func @every_reduction(%m: tensor<?x64xf32>, %g: !gnn.graph<?x?x?>) {
  // CHECK: gnn.scatter sum %{{.*}}, %{{.*}} at dst acc f32 : tensor<?x64xf32>, !gnn.graph<?x?x?> -> tensor<?x64xf32>
  %a = gnn.scatter sum %m, %g at dst acc f32 : tensor<?x64xf32>, !gnn.graph<?x?x?> -> tensor<?x64xf32>
  // CHECK: gnn.scatter mean %{{.*}}, %{{.*}} at dst acc f64 :
  %b = gnn.scatter mean %m, %g at dst acc f64 : tensor<?x64xf32>, !gnn.graph<?x?x?> -> tensor<?x64xf32>
  // CHECK: gnn.scatter max %{{.*}}, %{{.*}} at src acc f32 :
  %c = gnn.scatter max %m, %g at src acc f32 : tensor<?x64xf32>, !gnn.graph<?x?x?> -> tensor<?x64xf32>
  // CHECK: gnn.scatter min %{{.*}}, %{{.*}} at dst acc f32 :
  %d = gnn.scatter min %m, %g at dst acc f32 : tensor<?x64xf32>, !gnn.graph<?x?x?> -> tensor<?x64xf32>
  // CHECK: gnn.scatter mul %{{.*}}, %{{.*}} at dst acc f32 :
  %e = gnn.scatter mul %m, %g at dst acc f32 : tensor<?x64xf32>, !gnn.graph<?x?x?> -> tensor<?x64xf32>
  return
}

// CHECK-LABEL: func @half_rows_of_heads
// CHECK:         gnn.scatter sum %{{.*}}, %{{.*}} at dst acc f32 : tensor<5x2x8xf16>, !gnn.graph<3x4x5> -> tensor<3x2x8xf16>
func.func @half_rows_of_heads(%m: tensor<5x2x8xf16>, %g: !gnn.graph<3x4x5>) {
  %a = gnn.scatter sum %m, %g at dst acc f32 : tensor<5x2x8xf16>, !gnn.graph<3x4x5> -> tensor<3x2x8xf16>
  return
}
