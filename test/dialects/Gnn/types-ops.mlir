// RUN: gnn-opt %s | gnn-opt | FileCheck %s

// Index type and layout are written only when they differ from i64 and coo.
// CHECK-LABEL: func private @graphs(
// CHECK-SAME:    !gnn.graph<?x?x?>, !gnn.graph<3x4x5, i32>, !gnn.graph<?x4x?, csr>, !gnn.graph<3x?x5, i32, csr>
func.func private @graphs(!gnn.graph<?x?x?, i64, coo>, !gnn.graph<3x4x5, i32, coo>, !gnn.graph<?x4x?, csr>, !gnn.graph<3x?x5, csr, i32>)

// CHECK-LABEL: module @target attributes {gnn.target = #gnn.target<cuda, "sm_90">}
module @target attributes {gnn.target = #gnn.target<cuda, "sm_90">} {
}

// CHECK-LABEL: func private @forward(
// CHECK-SAME:    !gnn.graph<?x?x?>, tensor<?x4xf32> {gnn.input = "x"}, tensor<4xf32> {gnn.weight = "b"}, tensor<?xf32> {gnn.graph_data = "edge_weight"}, tensor<?xf32> {gnn.prepared = 0 : i64})
// CHECK-SAME:    -> (tensor<?x4xf32> {gnn.output = "out"})
func.func private @forward(!gnn.graph<?x?x?>, tensor<?x4xf32> {gnn.input = "x"}, tensor<4xf32> {gnn.weight = "b"},
                           tensor<?xf32> {gnn.graph_data = "edge_weight"}, tensor<?xf32> {gnn.prepared = 0})
    -> (tensor<?x4xf32> {gnn.output = "out"})
