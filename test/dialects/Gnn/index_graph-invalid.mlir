// RUN: gnn-opt %s --verify-diagnostics --split-input-file

func.func @c1_gather(%i: tensor<7xi64>) {
  // expected-error @below {{'gnn.index_graph' op graph (!gnn.graph<7x5x7>) has layout coo, that of form gather is csr (C1)}}
  %g = gnn.index_graph gather %i : tensor<7xi64> -> !gnn.graph<7x5x7>
  return
}

// -----

func.func @c1_scatter(%i: tensor<7xi64>) {
  // expected-error @below {{'gnn.index_graph' op graph (!gnn.graph<5x7x7, csr>) has layout csr, that of form scatter is coo (C1)}}
  %g = gnn.index_graph scatter %i : tensor<7xi64> -> !gnn.graph<5x7x7, i64, csr>
  return
}

// -----

func.func @c2_rows(%i: tensor<7xi64>) {
  // expected-error @below {{'gnn.index_graph' op graph (!gnn.graph<6x5x?, csr>) has 6 edges, form gather of operand 'index' (tensor<7xi64>) gives 7 (C2)}}
  %g = gnn.index_graph gather %i : tensor<7xi64> -> !gnn.graph<6x5x?, i64, csr>
  return
}

// -----

func.func @c2_edges(%i: tensor<?xi64>) {
  // expected-error @below {{'gnn.index_graph' op graph (!gnn.graph<5x7x6>) has 6 edges, form scatter of operand 'index' (tensor<?xi64>) gives 7 (C2)}}
  %g = gnn.index_graph scatter %i : tensor<?xi64> -> !gnn.graph<5x7x6>
  return
}

// -----

func.func @c2_segments(%i: tensor<4xi64>) {
  // expected-error @below {{'gnn.index_graph' op graph (!gnn.graph<4x?x?, csr>) has 4 destinations, form segments of operand 'index' (tensor<4xi64>) gives 3 (C2)}}
  %g = gnn.index_graph segments %i : tensor<4xi64> -> !gnn.graph<4x?x?, i64, csr>
  return
}

// -----

func.func @c3_needed(%i: tensor<7xi64>) {
  // expected-error @below {{'gnn.index_graph' op graph (!gnn.graph<7x?x7, csr>) has a number of nodes that is ?: give it as 'nodes' (C3)}}
  %g = gnn.index_graph gather %i : tensor<7xi64> -> !gnn.graph<7x?x7, i64, csr>
  return
}

// -----

func.func @c3_known(%i: tensor<?xi64>, %n: index) {
  // expected-error @below {{'gnn.index_graph' op graph (!gnn.graph<?x?x?, csr>) has all of its nodes by type and row pointer: leave out 'nodes' (C3)}}
  %g = gnn.index_graph segments %i nodes(%n) : tensor<?xi64> -> !gnn.graph<?x?x?, i64, csr>
  return
}

// -----

func.func @c4_wider(%i: tensor<?xi32>) {
  // expected-error @below {{'gnn.index_graph' op graph (!gnn.graph<5x?x?>) has index type i64, wider than that of operand 'index' (tensor<?xi32>) (C4)}}
  %g = gnn.index_graph scatter %i : tensor<?xi32> -> !gnn.graph<5x?x?>
  return
}
