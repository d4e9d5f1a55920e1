// RUN: gnn-opt %s --verify-diagnostics --split-input-file

func.func @c1_rows(%h: tensor<5x4xf32>, %i: tensor<7xi64>) {
  // expected-error @below {{'gnn.gather_at' op result (tensor<5x4xf32>) has 5 rows, operand 'index' (tensor<7xi64>) has 7 (C1)}}
  %a = "gnn.gather_at"(%h, %i) : (tensor<5x4xf32>, tensor<7xi64>) -> tensor<5x4xf32>
  return
}

// -----

func.func @c2_features(%h: tensor<?x4xf32>, %i: tensor<?xi64>) {
  // expected-error @below {{'gnn.gather_at' op result (tensor<?x8xf32>) has rows vector<8xf32>, operand 'nodes' (tensor<?x4xf32>) has rows vector<4xf32> (C2)}}
  %a = "gnn.gather_at"(%h, %i) : (tensor<?x4xf32>, tensor<?xi64>) -> tensor<?x8xf32>
  return
}
