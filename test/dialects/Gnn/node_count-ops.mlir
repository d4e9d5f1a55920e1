// RUN: gnn-opt %s | gnn-opt | FileCheck %s
// RUN: gnn-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: func @known_and_unknown
// CHECK:         gnn.node_count %{{.*}} at dst : !gnn.graph<5x?x?>
// CHECK:         gnn.node_count %{{.*}} at src : !gnn.graph<5x?x?>
// FOLD-LABEL: func @known_and_unknown
// FOLD-DAG:     %[[M:.*]] = gnn.node_count %{{.*}} at src : !gnn.graph<5x?x?>
// FOLD-DAG:     %[[N:.*]] = arith.constant 5 : index
// FOLD:         return %[[N]], %[[M]]
func.func @known_and_unknown(%g: !gnn.graph<5x?x?>) -> (index, index) {
  %n = gnn.node_count %g at dst : !gnn.graph<5x?x?>
  %m = gnn.node_count %g at src : !gnn.graph<5x?x?>
  return %n, %m : index, index
}
