// RUN: gnn-opt %s | gnn-opt | FileCheck %s

// CHECK-LABEL: func @scatter_at
// CHECK:         gnn.scatter_at sum %{{.*}}, %{{.*}} extent %{{.*}} acc f32 : tensor<?x64xf32>, tensor<?xi64> -> tensor<?x64xf32>
// CHECK:         gnn.scatter_at max %{{.*}}, %{{.*}} acc f64 : tensor<7xf64>, tensor<7xi32> -> tensor<3xf64>
func.func @scatter_at(%m: tensor<?x64xf32>, %i: tensor<?xi64>, %n: index, %s: tensor<7xf64>, %j: tensor<7xi32>) {
  %a = gnn.scatter_at sum %m, %i extent %n acc f32 : tensor<?x64xf32>, tensor<?xi64> -> tensor<?x64xf32>
  %b = gnn.scatter_at max %s, %j acc f64 : tensor<7xf64>, tensor<7xi32> -> tensor<3xf64>
  return
}
