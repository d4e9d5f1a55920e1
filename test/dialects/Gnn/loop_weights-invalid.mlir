// RUN: gnn-opt %s --verify-diagnostics --split-input-file

func.func @c1_bipartite(%g: !gnn.graph<3x4x5>, %w: tensor<5xf32>) {
  // expected-error @below {{'gnn.loop_weights' op operand 'graph' (!gnn.graph<3x4x5>) has 3 destinations and 4 sources; a self loop needs both ends in one set of nodes (C1)}}
  %a = gnn.loop_weights %g weights(%w : tensor<5xf32>) fill 1.0 : !gnn.graph<3x4x5> -> tensor<3xf32>
  return
}

// -----

func.func @c2_rows(%g: !gnn.graph<3x3x5>, %w: tensor<4xf32>) {
  // expected-error @below {{'gnn.loop_weights' op operand 'weights' (tensor<4xf32>) has 4 rows, graph (!gnn.graph<3x3x5>) has 5 edges (C2)}}
  %a = gnn.loop_weights %g weights(%w : tensor<4xf32>) fill 1.0 : !gnn.graph<3x3x5> -> tensor<3xf32>
  return
}

// -----

func.func @c3_nodes(%g: !gnn.graph<3x3x5>, %w: tensor<5xf32>) {
  // expected-error @below {{'gnn.loop_weights' op result (tensor<5xf32>) has 5 rows, graph (!gnn.graph<3x3x5>) has 3 destinations (C3)}}
  %a = gnn.loop_weights %g weights(%w : tensor<5xf32>) fill 1.0 : !gnn.graph<3x3x5> -> tensor<5xf32>
  return
}

// -----

func.func @c4_elements(%g: !gnn.graph<3x3x5>, %w: tensor<5xf32>) {
  // expected-error @below {{'gnn.loop_weights' op result (tensor<3xf64>) has rows f64, operand 'weights' (tensor<5xf32>) has rows f32 (C4)}}
  %a = gnn.loop_weights %g weights(%w : tensor<5xf32>) fill 1.0 : !gnn.graph<3x3x5> -> tensor<3xf64>
  return
}
