// RUN: gnn-opt %s | gnn-opt | FileCheck %s

// CHECK-LABEL: func @segment_reduce
// CHECK:         gnn.segment_reduce mean %{{.*}}, %{{.*}} acc f32 : tensor<?x64xf32>, tensor<?xi64> -> tensor<?x64xf32>
// CHECK:         gnn.segment_reduce max %{{.*}}, %{{.*}} acc f64 : tensor<7xf64>, tensor<4xi32> -> tensor<3xf64>
// CHECK:         gnn.segment_reduce sum %{{.*}}, %{{.*}} acc f32 : tensor<?x2x4xbf16>, tensor<4xi32> -> tensor<?x2x4xbf16>
func.func @segment_reduce(%h: tensor<?x64xf32>, %o: tensor<?xi64>, %s: tensor<7xf64>, %o4: tensor<4xi32>, %b: tensor<?x2x4xbf16>) {
  %a = gnn.segment_reduce mean %h, %o acc f32 : tensor<?x64xf32>, tensor<?xi64> -> tensor<?x64xf32>
  %c = gnn.segment_reduce max %s, %o4 acc f64 : tensor<7xf64>, tensor<4xi32> -> tensor<3xf64>
  %d = gnn.segment_reduce sum %b, %o4 acc f32 : tensor<?x2x4xbf16>, tensor<4xi32> -> tensor<?x2x4xbf16>
  return
}
