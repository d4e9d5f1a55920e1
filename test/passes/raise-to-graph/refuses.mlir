// RUN: gnn-opt %s --gnn-raise-to-graph --split-input-file --verify-diagnostics -o %t
// RUN: FileCheck %s < %t
// RUN: gnn-opt %s --gnn-raise-to-graph --split-input-file --remarks-filter="gnn-.*" --remark-policy=all 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARKS

// CHECK-LABEL: func.func @look_up
// CHECK:         gnn.gather_at
func.func @look_up(%x: tensor<5x4xf32>, %i: tensor<7xi64>) -> tensor<7x4xf32> {
  // REMARKS: Reason="nothing is reduced by these indices: a look-up, not messages"
  %a = gnn.gather_at %x, %i : tensor<5x4xf32>, tensor<7xi64> -> tensor<7x4xf32>
  return %a : tensor<7x4xf32>
}

// -----

// CHECK-LABEL: func.func @pooling
// CHECK:         gnn.scatter_at
func.func @pooling(%x: tensor<7x4xf32>, %batch: tensor<7xi64>) -> tensor<2x4xf32> {
  // REMARKS: Reason="an edge list has two index tensors, found 1"
  %a = gnn.scatter_at mean %x, %batch acc f32 : tensor<7x4xf32>, tensor<7xi64> -> tensor<2x4xf32>
  return %a : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func.func @three
// CHECK:         gnn.scatter_at
func.func @three(%x: tensor<5xf32>, %i: tensor<7xi64>, %j: tensor<7xi64>, %k: tensor<7xi64>) -> tensor<5xf32> {
  // expected-remark @below {{gnn-raise-to-graph: an edge list has two index tensors, found 3}}
  %a = gnn.gather_at %x, %i : tensor<5xf32>, tensor<7xi64> -> tensor<7xf32>
  %b = gnn.gather_at %x, %j : tensor<5xf32>, tensor<7xi64> -> tensor<7xf32>
  %m = arith.mulf %a, %b : tensor<7xf32>
  %c = gnn.scatter_at sum %m, %k acc f32 : tensor<7xf32>, tensor<7xi64> -> tensor<5xf32>
  return %c : tensor<5xf32>
}

// -----

// CHECK-LABEL: func.func @index_types
// CHECK:         gnn.scatter_at
func.func @index_types(%x: tensor<5xf32>, %i: tensor<7xi64>, %j: tensor<7xi32>) -> tensor<5xf32> {
  // expected-remark @below {{gnn-raise-to-graph: the two ends have different index types}}
  %a = gnn.gather_at %x, %i : tensor<5xf32>, tensor<7xi64> -> tensor<7xf32>
  %c = gnn.scatter_at sum %a, %j acc f32 : tensor<7xf32>, tensor<7xi32> -> tensor<5xf32>
  return %c : tensor<5xf32>
}

// -----

// CHECK-LABEL: func.func @counts
// CHECK:         gnn.scatter_at
func.func @counts(%x: tensor<?xf32>, %y: tensor<?xf32>, %i: tensor<7xi64>, %j: tensor<7xi64>) -> tensor<5xf32> {
  %a = gnn.gather_at %x, %i : tensor<?xf32>, tensor<7xi64> -> tensor<7xf32>
  // expected-remark @below {{gnn-raise-to-graph: the node counts of one end of the edges are not known to be equal}}
  %b = gnn.gather_at %y, %i : tensor<?xf32>, tensor<7xi64> -> tensor<7xf32>
  %m = arith.mulf %a, %b : tensor<7xf32>
  %c = gnn.scatter_at sum %m, %j acc f32 : tensor<7xf32>, tensor<7xi64> -> tensor<5xf32>
  return %c : tensor<5xf32>
}

// -----

// CHECK-LABEL: func.func @count_comes_late
// CHECK:         gnn.scatter_at
func.func @count_comes_late(%x: tensor<5xf32>, %i: tensor<7xi64>, %j: tensor<7xi64>, %n: index, %m: index) -> tensor<?xf32> {
  // expected-remark @below {{gnn-raise-to-graph: the number of nodes is computed after the first gather}}
  %a = gnn.gather_at %x, %i : tensor<5xf32>, tensor<7xi64> -> tensor<7xf32>
  %k = arith.addi %n, %m : index
  %c = gnn.scatter_at sum %a, %j extent %k acc f32 : tensor<7xf32>, tensor<7xi64> -> tensor<?xf32>
  return %c : tensor<?xf32>
}

// -----

// What the nodes sum up is pooled in two ways: nodes are no edges of the two index tensors.
// CHECK-LABEL: func.func @nodes_are_no_edges
// CHECK-COUNT-2: gnn.scatter_at
func.func @nodes_are_no_edges(%g: !gnn.graph<5x5x9>, %e: tensor<9x4xf32>, %i: tensor<5xi64>, %j: tensor<5xi64>) -> (tensor<2x4xf32>, tensor<3x4xf32>) {
  %h = gnn.scatter sum %e, %g at dst acc f32 : tensor<9x4xf32>, !gnn.graph<5x5x9> -> tensor<5x4xf32>
  %t = math.tanh %h : tensor<5x4xf32>
  // REMARKS: Reason="the rows that go by these indices are made by 'gnn.scatter' in its order: no edges"
  %a = gnn.scatter_at sum %t, %i acc f32 : tensor<5x4xf32>, tensor<5xi64> -> tensor<2x4xf32>
  %b = gnn.scatter_at sum %t, %j acc f32 : tensor<5x4xf32>, tensor<5xi64> -> tensor<3x4xf32>
  return %a, %b : tensor<2x4xf32>, tensor<3x4xf32>
}

// -----

// CHECK-LABEL: func.func @inputs_are_no_edges
// CHECK-COUNT-2: gnn.scatter_at
func.func @inputs_are_no_edges(%x: tensor<5x4xf32> {gnn.input = "x"}, %i: tensor<5xi64>, %j: tensor<5xi64>) -> (tensor<2x4xf32>, tensor<3x4xf32>) {
  // REMARKS: Reason="the rows that go by these indices are an input's: no edges"
  %a = gnn.scatter_at sum %x, %i acc f32 : tensor<5x4xf32>, tensor<5xi64> -> tensor<2x4xf32>
  %b = gnn.scatter_at sum %x, %j acc f32 : tensor<5x4xf32>, tensor<5xi64> -> tensor<3x4xf32>
  return %a, %b : tensor<2x4xf32>, tensor<3x4xf32>
}
