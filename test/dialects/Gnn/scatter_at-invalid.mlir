// RUN: gnn-opt %s --verify-diagnostics --split-input-file

func.func @c1_rows(%m: tensor<5xf32>, %i: tensor<7xi64>) {
  // expected-error @below {{'gnn.scatter_at' op operand 'edges' (tensor<5xf32>) has 5 rows, operand 'index' (tensor<7xi64>) has 7 (C1)}}
  %a = gnn.scatter_at sum %m, %i acc f32 : tensor<5xf32>, tensor<7xi64> -> tensor<3xf32>
  return
}

// -----

func.func @c2_no_extent(%m: tensor<7xf32>, %i: tensor<7xi64>) {
  // expected-error @below {{'gnn.scatter_at' op result (tensor<?xf32>) has a number of rows that is ?: give it as 'extent' (C2)}}
  %a = gnn.scatter_at sum %m, %i acc f32 : tensor<7xf32>, tensor<7xi64> -> tensor<?xf32>
  return
}

// -----

func.func @c2_extent_of_known(%m: tensor<7xf32>, %i: tensor<7xi64>, %n: index) {
  // expected-error @below {{'gnn.scatter_at' op result (tensor<3xf32>) has a known number of rows: leave out 'extent' (C2)}}
  %a = gnn.scatter_at sum %m, %i extent %n acc f32 : tensor<7xf32>, tensor<7xi64> -> tensor<3xf32>
  return
}

// -----

func.func @c3_features(%m: tensor<7x4xf32>, %i: tensor<7xi64>) {
  // expected-error @below {{'gnn.scatter_at' op result (tensor<3x8xf32>) has rows vector<8xf32>, operand 'edges' (tensor<7x4xf32>) has rows vector<4xf32> (C3)}}
  %a = gnn.scatter_at sum %m, %i acc f32 : tensor<7x4xf32>, tensor<7xi64> -> tensor<3x8xf32>
  return
}

// -----

func.func @c4_accumulator(%m: tensor<7xbf16>, %i: tensor<7xi64>) {
  // expected-error @below {{'gnn.scatter_at' op 'acc' is f32 or f64, found bf16 (C4)}}
  %a = gnn.scatter_at sum %m, %i acc bf16 : tensor<7xbf16>, tensor<7xi64> -> tensor<3xbf16>
  return
}

// -----

func.func @c5_softmax(%m: tensor<7xf32>, %i: tensor<7xi64>) {
  // expected-error @below {{'gnn.scatter_at' op 'kind' is softmax, which weighs rows by scores: a reduction of gnn.aggregate, not of gnn.scatter_at (C5)}}
  %a = gnn.scatter_at softmax %m, %i acc f32 : tensor<7xf32>, tensor<7xi64> -> tensor<3xf32>
  return
}
