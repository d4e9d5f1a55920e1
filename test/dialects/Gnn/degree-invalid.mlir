// RUN: gnn-opt %s --verify-diagnostics --split-input-file

func.func @c1_rows_of_weights(%g: !gnn.graph<3x4x5>, %w: tensor<4xf32>) {
  // expected-error @below {{'gnn.degree' op operand 'weights' (tensor<4xf32>) has 4 rows, graph (!gnn.graph<3x4x5>) has 5 edges (C1)}}
  %d = gnn.degree %g weights(%w : tensor<4xf32>) at dst : !gnn.graph<3x4x5> -> tensor<3xf32>
  return
}

// -----

func.func @c2_rows_of_result(%g: !gnn.graph<3x4x5>) {
  // expected-error @below {{'gnn.degree' op result (tensor<4xf32>) has 4 rows, graph (!gnn.graph<3x4x5>) has 3 destinations (C2)}}
  %d = gnn.degree %g at dst : !gnn.graph<3x4x5> -> tensor<4xf32>
  return
}

// -----

func.func @c3_weight_type(%g: !gnn.graph<3x4x5>, %w: tensor<5xf64>) {
  // expected-error @below {{'gnn.degree' op result (tensor<3xf32>) has rows f32, operand 'weights' (tensor<5xf64>) has rows f64 (C3)}}
  %d = gnn.degree %g weights(%w : tensor<5xf64>) at dst : !gnn.graph<3x4x5> -> tensor<3xf32>
  return
}

// -----

func.func @c3_count_type(%g: !gnn.graph<3x4x5>) {
  // expected-error @below {{'gnn.degree' op result (tensor<3xf64>) has elements f64, a count without weights is f32 (C3)}}
  %d = gnn.degree %g at dst : !gnn.graph<3x4x5> -> tensor<3xf64>
  return
}
