// RUN: gnn-opt %s | gnn-opt | FileCheck %s

// CHECK-LABEL: func @gather_at
// CHECK:         gnn.gather_at %{{.*}}, %{{.*}} : tensor<?x64xf32>, tensor<?xi64> -> tensor<?x64xf32>
// CHECK:         gnn.gather_at %{{.*}}, %{{.*}} : tensor<5xi32>, tensor<7xi32> -> tensor<7xi32>
func.func @gather_at(%h: tensor<?x64xf32>, %i: tensor<?xi64>, %s: tensor<5xi32>, %j: tensor<7xi32>) {
  %a = gnn.gather_at %h, %i : tensor<?x64xf32>, tensor<?xi64> -> tensor<?x64xf32>
  %b = gnn.gather_at %s, %j : tensor<5xi32>, tensor<7xi32> -> tensor<7xi32>
  return
}
