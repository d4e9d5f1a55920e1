// RUN: gnn-opt %s --verify-diagnostics --split-input-file

func.func @c1_layout(%g: !gnn.graph<3x4x5>) {
  // expected-error @below {{'gnn.to_csr' op result 'csr' (!gnn.graph<3x4x5>) has layout coo, not csr (C1)}}
  %c = gnn.to_csr %g : !gnn.graph<3x4x5> -> !gnn.graph<3x4x5>
  return
}

// -----

func.func @c1_extents(%g: !gnn.graph<3x4x5>) {
  // expected-error @below {{'gnn.to_csr' op result 'csr' (!gnn.graph<4x3x5, csr>) and operand 'graph' (!gnn.graph<3x4x5>) have different extents (C1)}}
  %c = gnn.to_csr %g : !gnn.graph<3x4x5> -> !gnn.graph<4x3x5, csr>
  return
}

// -----

func.func @c2_rows_of_edges(%g: !gnn.graph<3x4x5>, %a: tensor<5xf32>, %b: tensor<4xf32>) {
  // expected-error @below {{'gnn.to_csr' op operand 'edges' #1 (tensor<4xf32>) has 4 rows, graph (!gnn.graph<3x4x5>) has 5 edges (C2)}}
  %c, %pa, %pb = gnn.to_csr %g edges(%a, %b : tensor<5xf32>, tensor<4xf32>) : !gnn.graph<3x4x5> -> !gnn.graph<3x4x5, csr>, tensor<5xf32>, tensor<4xf32>
  return
}

// -----

func.func @c3_number_of_results(%g: !gnn.graph<3x4x5>, %a: tensor<5xf32>) {
  // expected-error @below {{'gnn.to_csr' op 1 edge tensors go in, 0 come out (C3)}}
  %c = gnn.to_csr %g edges(%a : tensor<5xf32>) : !gnn.graph<3x4x5> -> !gnn.graph<3x4x5, csr>
  return
}

// -----

func.func @c3_types(%g: !gnn.graph<3x4x5>, %a: tensor<5xf32>) {
  // expected-error @below {{'gnn.to_csr' op result 'permuted' #0 has type tensor<?xf32>, operand 'edges' #0 has type tensor<5xf32> (C3)}}
  %c, %p = gnn.to_csr %g edges(%a : tensor<5xf32>) : !gnn.graph<3x4x5> -> !gnn.graph<3x4x5, csr>, tensor<?xf32>
  return
}

// -----

func.func @c4_widening(%g: !gnn.graph<3x4x5, i32>) {
  // expected-error @below {{'gnn.to_csr' op result 'csr' (!gnn.graph<3x4x5, csr>) has index type i64, wider than that of operand 'graph' (!gnn.graph<3x4x5, i32>), i32 (C4)}}
  %c = gnn.to_csr %g : !gnn.graph<3x4x5, i32> -> !gnn.graph<3x4x5, csr>
  return
}
