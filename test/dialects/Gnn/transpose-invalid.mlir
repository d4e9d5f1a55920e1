// RUN: gnn-opt %s --verify-diagnostics --split-input-file

func.func @c1_extents(%g: !gnn.graph<3x4x5>) {
  // expected-error @below {{'gnn.transpose' op result 'transposed' has type !gnn.graph<3x4x5>, the transpose of operand 'graph' (!gnn.graph<3x4x5>) is !gnn.graph<4x3x5> (C1)}}
  %a = gnn.transpose %g : !gnn.graph<3x4x5> -> !gnn.graph<3x4x5>
  return
}

// -----

func.func @c1_layout(%g: !gnn.graph<3x4x5, csr>) {
  // expected-error @below {{'gnn.transpose' op result 'transposed' has type !gnn.graph<4x3x5, csr>, the transpose of operand 'graph' (!gnn.graph<3x4x5, csr>) is !gnn.graph<4x3x5> (C1)}}
  %a = gnn.transpose %g : !gnn.graph<3x4x5, csr> -> !gnn.graph<4x3x5, csr>
  return
}

// -----

func.func @c1_index(%g: !gnn.graph<3x4x5>) {
  // expected-error @below {{'gnn.transpose' op result 'transposed' has type !gnn.graph<4x3x5, i32>, the transpose of operand 'graph' (!gnn.graph<3x4x5>) is !gnn.graph<4x3x5> (C1)}}
  %a = gnn.transpose %g : !gnn.graph<3x4x5> -> !gnn.graph<4x3x5, i32>
  return
}
