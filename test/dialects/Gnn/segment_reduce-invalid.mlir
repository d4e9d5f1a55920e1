// RUN: gnn-opt %s --verify-diagnostics --split-input-file

func.func @c1_offsets(%h: tensor<?x4xf32>, %o: tensor<4xi64>) {
  // expected-error @below {{'gnn.segment_reduce' op operand 'offsets' (tensor<4xi64>) has 4 rows, result (tensor<4x4xf32>) needs one more than its own (C1)}}
  %a = gnn.segment_reduce sum %h, %o acc f32 : tensor<?x4xf32>, tensor<4xi64> -> tensor<4x4xf32>
  return
}

// -----

func.func @c1_no_offsets(%h: tensor<?x4xf32>, %o: tensor<0xi64>) {
  // expected-error @below {{'gnn.segment_reduce' op operand 'offsets' (tensor<0xi64>) has 0 rows, result (tensor<?x4xf32>) needs one more than its own (C1)}}
  %a = gnn.segment_reduce sum %h, %o acc f32 : tensor<?x4xf32>, tensor<0xi64> -> tensor<?x4xf32>
  return
}

// -----

func.func @c2_features(%h: tensor<?x4xf32>, %o: tensor<?xi64>) {
  // expected-error @below {{'gnn.segment_reduce' op result (tensor<?x8xf32>) has rows vector<8xf32>, operand 'rows' (tensor<?x4xf32>) has rows vector<4xf32> (C2)}}
  %a = gnn.segment_reduce sum %h, %o acc f32 : tensor<?x4xf32>, tensor<?xi64> -> tensor<?x8xf32>
  return
}

// -----

func.func @c3_wider_than_acc(%h: tensor<?x4xf64>, %o: tensor<?xi64>) {
  // expected-error @below {{'gnn.segment_reduce' op operand 'rows' (tensor<?x4xf64>) has elements f64, wider than 'acc', f32 (C3)}}
  %a = gnn.segment_reduce sum %h, %o acc f32 : tensor<?x4xf64>, tensor<?xi64> -> tensor<?x4xf64>
  return
}

// -----

func.func @c4_softmax(%h: tensor<?x4xf32>, %o: tensor<?xi64>) {
  // expected-error @below {{'gnn.segment_reduce' op 'kind' is softmax, which weighs rows by scores: a reduction of gnn.aggregate, or gnn.segment_softmax (C4)}}
  %a = gnn.segment_reduce softmax %h, %o acc f32 : tensor<?x4xf32>, tensor<?xi64> -> tensor<?x4xf32>
  return
}
