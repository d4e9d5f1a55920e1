// RUN: gnn-opt %s --verify-diagnostics --split-input-file

func.func @c1_element_type(%src: tensor<4xi32>, %dst: tensor<4xi64>) {
  // expected-error @below {{'gnn.graph' op operand 'first' (tensor<4xi32>) holds i32, graph (!gnn.graph<3x3x4>) has index type i64 (C1)}}
  %g = gnn.graph %src, %dst : tensor<4xi32>, tensor<4xi64> -> !gnn.graph<3x3x4>
  return
}

// -----

func.func @c2_rows_of_coo(%src: tensor<4xi64>, %dst: tensor<5xi64>) {
  // expected-error @below {{'gnn.graph' op operand 'second' (tensor<5xi64>) has 5 rows, graph (!gnn.graph<3x3x4>) has 4 edges (C2)}}
  %g = gnn.graph %src, %dst : tensor<4xi64>, tensor<5xi64> -> !gnn.graph<3x3x4>
  return
}

// -----

func.func @c3_row_pointer(%rows: tensor<3xi64>, %src: tensor<4xi64>) {
  // expected-error @below {{'gnn.graph' op operand 'first' (tensor<3xi64>) has 3 rows, a row pointer over the 3 destinations of graph (!gnn.graph<3x3x4, csr>) has 4 (C3)}}
  %g = gnn.graph %rows, %src : tensor<3xi64>, tensor<4xi64> -> !gnn.graph<3x3x4, csr>
  return
}

// -----

func.func @c3_sources(%rows: tensor<4xi64>, %src: tensor<5xi64>) {
  // expected-error @below {{'gnn.graph' op operand 'second' (tensor<5xi64>) has 5 rows, graph (!gnn.graph<3x3x4, csr>) has 4 edges (C3)}}
  %g = gnn.graph %rows, %src : tensor<4xi64>, tensor<5xi64> -> !gnn.graph<3x3x4, csr>
  return
}

// -----

func.func @c4_counts(%src: tensor<?xi64>, %dst: tensor<?xi64>, %n: index) {
  // expected-error @below {{'gnn.graph' op operand 'nodes' gives 1 counts, graph (!gnn.graph<?x?x?>) has 2 node extents that are ? (C4)}}
  %g = gnn.graph %src, %dst nodes(%n) : tensor<?xi64>, tensor<?xi64> -> !gnn.graph<?x?x?>
  return
}
