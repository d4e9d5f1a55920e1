// RUN: gnn-opt %s --verify-diagnostics --split-input-file

func.func @c1_rows_of_nodes(%x: tensor<3x8xf32>, %g: !gnn.graph<3x4x5>) {
  // expected-error @below {{'gnn.gather' op operand 'nodes' (tensor<3x8xf32>) has 3 rows, graph (!gnn.graph<3x4x5>) has 4 sources (C1)}}
  %m = gnn.gather %x, %g at src : tensor<3x8xf32>, !gnn.graph<3x4x5> -> tensor<5x8xf32>
  return
}

// -----

func.func @c2_rows_of_result(%x: tensor<3x8xf32>, %g: !gnn.graph<3x4x5>) {
  // expected-error @below {{'gnn.gather' op result (tensor<3x8xf32>) has 3 rows, graph (!gnn.graph<3x4x5>) has 5 edges (C2)}}
  %m = gnn.gather %x, %g at dst : tensor<3x8xf32>, !gnn.graph<3x4x5> -> tensor<3x8xf32>
  return
}

// -----

func.func @c3_element_type(%x: tensor<?x8xf32>, %g: !gnn.graph<?x?x?>) {
  // expected-error @below {{'gnn.gather' op result (tensor<?x8xf16>) has rows vector<8xf16>, operand 'nodes' (tensor<?x8xf32>) has rows vector<8xf32> (C3)}}
  %m = gnn.gather %x, %g at dst : tensor<?x8xf32>, !gnn.graph<?x?x?> -> tensor<?x8xf16>
  return
}

// -----

func.func @rank(%x: tensor<?x2x3x4xf32>, %g: !gnn.graph<?x?x?>) {
  // expected-error @below {{'gnn.gather' op operand #0 must be tensor of rows (rank 1 to 3), but got 'tensor<?x2x3x4xf32>'}}
  %m = gnn.gather %x, %g at dst : tensor<?x2x3x4xf32>, !gnn.graph<?x?x?> -> tensor<?x2x3x4xf32>
  return
}
