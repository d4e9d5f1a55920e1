// RUN: gnn-opt %s --verify-diagnostics --split-input-file

func.func @c1_bipartite(%g: !gnn.graph<3x4x5>) {
  // expected-error @below {{'gnn.remove_self_loops' op operand 'graph' (!gnn.graph<3x4x5>) has 3 destinations and 4 sources; a self loop needs both ends in one set of nodes (C1)}}
  %a = gnn.remove_self_loops %g : !gnn.graph<3x4x5> -> !gnn.graph<3x4x?>
  return
}

// -----

func.func @c2_rows(%g: !gnn.graph<3x3x5>, %w: tensor<4xf32>) {
  // expected-error @below {{'gnn.remove_self_loops' op operand 'edges' #0 (tensor<4xf32>) has 4 rows, graph (!gnn.graph<3x3x5>) has 5 edges (C2)}}
  %a:2 = gnn.remove_self_loops %g edges(%w : tensor<4xf32>) : !gnn.graph<3x3x5> -> !gnn.graph<3x3x?>, tensor<?xf32>
  return
}

// -----

func.func @c3_result(%g: !gnn.graph<3x3x5>) {
  // expected-error @below {{'gnn.remove_self_loops' op result 'loopless' has type !gnn.graph<3x3x5>, operand 'graph' (!gnn.graph<3x3x5>) without self loops is !gnn.graph<3x3x?> (C3)}}
  %a = gnn.remove_self_loops %g : !gnn.graph<3x3x5> -> !gnn.graph<3x3x5>
  return
}

// -----

func.func @c4_number(%g: !gnn.graph<?x?x?>, %w: tensor<?xf32>) {
  // expected-error @below {{'gnn.remove_self_loops' op 1 edge tensors go in, 0 come out (C4)}}
  %a = gnn.remove_self_loops %g edges(%w : tensor<?xf32>) : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  return
}

// -----

func.func @c4_features(%g: !gnn.graph<?x?x?>, %w: tensor<?x4xf32>) {
  // expected-error @below {{'gnn.remove_self_loops' op result 'kept' #0 (tensor<?xf32>) has rows f32, operand 'edges' #0 (tensor<?x4xf32>) has rows vector<4xf32> (C4)}}
  %a:2 = gnn.remove_self_loops %g edges(%w : tensor<?x4xf32>) : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>, tensor<?xf32>
  return
}
