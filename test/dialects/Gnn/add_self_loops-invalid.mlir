// RUN: gnn-opt %s --verify-diagnostics --split-input-file

func.func @c1_bipartite(%g: !gnn.graph<4x5x9>) {
  // expected-error @below {{'gnn.add_self_loops' op operand 'graph' (!gnn.graph<4x5x9>) has 4 destinations and 5 sources; a self loop needs both ends in one set of nodes (C1)}}
  %l = gnn.add_self_loops %g fill 1.0 : !gnn.graph<4x5x9> -> !gnn.graph<4x5x?>
  return
}

// -----

func.func @c2_rows_of_weights(%g: !gnn.graph<4x4x9>, %w: tensor<8xf32>) {
  // expected-error @below {{'gnn.add_self_loops' op operand 'weights' (tensor<8xf32>) has 8 rows, graph (!gnn.graph<4x4x9>) has 9 edges (C2)}}
  %l, %lw = gnn.add_self_loops %g weights(%w) fill 1.0 : !gnn.graph<4x4x9>, tensor<8xf32> -> !gnn.graph<4x4x?>, tensor<?xf32>
  return
}

// -----

func.func @c3_edge_count(%g: !gnn.graph<4x4x9>) {
  // expected-error @below {{'gnn.add_self_loops' op result 'looped' has type !gnn.graph<4x4x13>, self loops on operand 'graph' (!gnn.graph<4x4x9>) give !gnn.graph<4x4x?> (C3)}}
  %l = gnn.add_self_loops %g fill 1.0 : !gnn.graph<4x4x9> -> !gnn.graph<4x4x13>
  return
}

// -----

// The loops come last: the edges are not grouped by destination any more.
func.func @c3_layout(%g: !gnn.graph<?x?x?, csr>) {
  // expected-error @below {{'gnn.add_self_loops' op result 'looped' has type !gnn.graph<?x?x?, csr>, self loops on operand 'graph' (!gnn.graph<?x?x?, csr>) give !gnn.graph<?x?x?> (C3)}}
  %l = gnn.add_self_loops %g fill 1.0 : !gnn.graph<?x?x?, csr> -> !gnn.graph<?x?x?, csr>
  return
}

// -----

func.func @c4_weights_alone(%g: !gnn.graph<?x?x?>, %w: tensor<?xf32>) {
  // expected-error @below {{'gnn.add_self_loops' op operand 'weights' is present, result 'loop_weights' is absent (C4)}}
  %l = gnn.add_self_loops %g weights(%w) fill 1.0 : !gnn.graph<?x?x?>, tensor<?xf32> -> !gnn.graph<?x?x?>
  return
}

// -----

func.func @c4_loop_weights_alone(%g: !gnn.graph<?x?x?>) {
  // expected-error @below {{'gnn.add_self_loops' op operand 'weights' is absent, result 'loop_weights' is present (C4)}}
  %l, %lw = gnn.add_self_loops %g fill 1.0 : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>, tensor<?xf32>
  return
}

// -----

func.func @c4_element_type(%g: !gnn.graph<?x?x?>, %w: tensor<?xf32>) {
  // expected-error @below {{'gnn.add_self_loops' op result 'loop_weights' (tensor<?xf64>) has rows f64, operand 'weights' (tensor<?xf32>) has rows f32 (C4)}}
  %l, %lw = gnn.add_self_loops %g weights(%w) fill 1.0 : !gnn.graph<?x?x?>, tensor<?xf32> -> !gnn.graph<?x?x?>, tensor<?xf64>
  return
}
