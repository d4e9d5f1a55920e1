// RUN: gnn-opt %s --verify-diagnostics --split-input-file

func.func @c1_bipartite(%g: !gnn.graph<3x4x5>) {
  // expected-error @below {{'gnn.append_self_loops' op operand 'graph' (!gnn.graph<3x4x5>) has 3 destinations and 4 sources; a self loop needs both ends in one set of nodes (C1)}}
  %a = gnn.append_self_loops %g : !gnn.graph<3x4x5> -> !gnn.graph<3x4x?>
  return
}

// -----

func.func @c2_rows(%g: !gnn.graph<3x3x5>, %w: tensor<4xf32>, %l: tensor<3xf32>) {
  // expected-error @below {{'gnn.append_self_loops' op operand 'edges' #0 (tensor<4xf32>) has 4 rows, graph (!gnn.graph<3x3x5>) has 5 edges (C2)}}
  %a:2 = gnn.append_self_loops %g edges(%w : tensor<4xf32>) loops(%l : tensor<3xf32>) : !gnn.graph<3x3x5> -> !gnn.graph<3x3x?>, tensor<?xf32>
  return
}

// -----

func.func @c3_number(%g: !gnn.graph<3x3x5>, %w: tensor<5xf32>, %l: tensor<3xf32>) {
  // expected-error @below {{'gnn.append_self_loops' op 1 edge tensors go in, 2 have rows for loops (C3)}}
  %a:2 = gnn.append_self_loops %g edges(%w : tensor<5xf32>) loops(%l, %l : tensor<3xf32>, tensor<3xf32>) : !gnn.graph<3x3x5> -> !gnn.graph<3x3x?>, tensor<?xf32>
  return
}

// -----

func.func @c3_nodes(%g: !gnn.graph<3x3x5>, %w: tensor<5xf32>) {
  // expected-error @below {{'gnn.append_self_loops' op operand 'loops' #0 (tensor<5xf32>) has 5 rows, graph (!gnn.graph<3x3x5>) has 3 destinations (C3)}}
  %a:2 = gnn.append_self_loops %g edges(%w : tensor<5xf32>) loops(%w : tensor<5xf32>) : !gnn.graph<3x3x5> -> !gnn.graph<3x3x?>, tensor<?xf32>
  return
}

// -----

func.func @c3_features(%g: !gnn.graph<3x3x5>, %w: tensor<5x2xf32>, %l: tensor<3xf32>) {
  // expected-error @below {{'gnn.append_self_loops' op operand 'loops' #0 (tensor<3xf32>) has rows f32, operand 'edges' #0 (tensor<5x2xf32>) has rows vector<2xf32> (C3)}}
  %a:2 = gnn.append_self_loops %g edges(%w : tensor<5x2xf32>) loops(%l : tensor<3xf32>) : !gnn.graph<3x3x5> -> !gnn.graph<3x3x?>, tensor<?x2xf32>
  return
}

// -----

func.func @c4_result(%g: !gnn.graph<3x3x5>) {
  // expected-error @below {{'gnn.append_self_loops' op result 'looped' has type !gnn.graph<3x3x5>, self loops on operand 'graph' (!gnn.graph<3x3x5>) give !gnn.graph<3x3x?> (C4)}}
  %a = gnn.append_self_loops %g : !gnn.graph<3x3x5> -> !gnn.graph<3x3x5>
  return
}

// -----

func.func @c5_number(%g: !gnn.graph<?x?x?>, %w: tensor<?xf32>, %l: tensor<?xf32>) {
  // expected-error @below {{'gnn.append_self_loops' op 1 edge tensors go in, 0 come out (C5)}}
  %a = gnn.append_self_loops %g edges(%w : tensor<?xf32>) loops(%l : tensor<?xf32>) : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  return
}

// -----

func.func @c5_features(%g: !gnn.graph<?x?x?>, %w: tensor<?x4xf32>) {
  // expected-error @below {{'gnn.append_self_loops' op result 'appended' #0 (tensor<?xf32>) has rows f32, operand 'edges' #0 (tensor<?x4xf32>) has rows vector<4xf32> (C5)}}
  %a:2 = gnn.append_self_loops %g edges(%w : tensor<?x4xf32>) loops(%w : tensor<?x4xf32>) : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>, tensor<?xf32>
  return
}
