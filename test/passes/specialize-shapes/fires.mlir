// RUN: gnn-opt %s --split-input-file --gnn-specialize-shapes="dst=3 src=3 edges=7" | FileCheck %s
// RUN: gnn-opt %s --split-input-file --gnn-specialize-shapes="edges=7" | FileCheck %s --check-prefix=EDGES
// RUN: gnn-opt %s --split-input-file --gnn-specialize-shapes | FileCheck %s --check-prefix=NONE

// What is made of the graph follows; edges that prepare counts stay unknown.
// CHECK-LABEL: func @prepare(%{{.*}}: !gnn.graph<3x3x7>) -> !gnn.graph<3x3x?, i32, csr>
// CHECK:         gnn.remove_self_loops {{.*}} : !gnn.graph<3x3x7> -> !gnn.graph<3x3x?>
// CHECK:         gnn.to_csr {{.*}} : !gnn.graph<3x3x?> -> !gnn.graph<3x3x?, i32, csr>
// CHECK-LABEL: func @forward(%{{.*}}: !gnn.graph<3x3x?, i32, csr> {gnn.prepared = 0 : i64}, %{{.*}}: tensor<?x4xf32>
// EDGES-LABEL: func @prepare(%{{.*}}: !gnn.graph<?x?x7>) -> !gnn.graph<?x?x?, i32, csr>
// NONE-LABEL:  func @prepare(%{{.*}}: !gnn.graph<?x?x?>) -> !gnn.graph<?x?x?, i32, csr>
func.func @prepare(%g: !gnn.graph<?x?x?>) -> !gnn.graph<?x?x?, i32, csr> {
  %kept = gnn.remove_self_loops %g : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  %csr = gnn.to_csr %kept : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>
  return %csr : !gnn.graph<?x?x?, i32, csr>
}
func.func @forward(%csr: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64},
                   %x: tensor<?x4xf32> {gnn.input = "x"}) -> (tensor<?x4xf32> {gnn.output = "out"}) {
  %m = gnn.gather %x, %csr at src : tensor<?x4xf32>, !gnn.graph<?x?x?, i32, csr> -> tensor<?x4xf32>
  %s = gnn.scatter sum %m, %csr at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?, i32, csr> -> tensor<?x4xf32>
  return %s : tensor<?x4xf32>
}

// -----

// A program without @prepare; ends change places where edges turn round.
// CHECK-LABEL: func @forward(%{{.*}}: !gnn.graph<3x3x7>
// CHECK:         gnn.transpose {{.*}} : !gnn.graph<3x3x7> -> !gnn.graph<3x3x7>
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?x4xf32> {gnn.input = "x"}) -> (tensor<?x4xf32> {gnn.output = "out"}) {
  %t = gnn.transpose %g : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  %m = gnn.gather %x, %t at src : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %s = gnn.scatter sum %m, %t at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  return %s : tensor<?x4xf32>
}
