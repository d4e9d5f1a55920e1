// RUN: gnn-opt %s | gnn-opt | FileCheck %s

// CHECK-LABEL: func @features_at_src
// CHECK:         gnn.gather %{{.*}}, %{{.*}} at src : tensor<?x64xf32>, !gnn.graph<?x?x?> -> tensor<?x64xf32>
func.func @features_at_src(%x: tensor<?x64xf32>, %g: !gnn.graph<?x?x?>) {
  %m = gnn.gather %x, %g at src : tensor<?x64xf32>, !gnn.graph<?x?x?> -> tensor<?x64xf32>
  return
}

// CHECK-LABEL: func @heads_at_dst
// CHECK:         gnn.gather %{{.*}}, %{{.*}} at dst : tensor<3x2x8xbf16>, !gnn.graph<3x4x5, i32, csr> -> tensor<5x2x8xbf16>
func.func @heads_at_dst(%x: tensor<3x2x8xbf16>, %g: !gnn.graph<3x4x5, i32, csr>) {
  %m = gnn.gather %x, %g at dst : tensor<3x2x8xbf16>, !gnn.graph<3x4x5, i32, csr> -> tensor<5x2x8xbf16>
  return
}
