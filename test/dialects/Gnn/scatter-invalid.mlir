// RUN: gnn-opt %s --verify-diagnostics --split-input-file

func.func @c1_rows_of_edges(%m: tensor<399x64xf32>, %g: !gnn.graph<100x100x400>) -> tensor<100x64xf32> {
  // expected-error @below {{'gnn.scatter' op operand 'edges' (tensor<399x64xf32>) has 399 rows, graph (!gnn.graph<100x100x400>) has 400 edges (C1)}}
  %h = gnn.scatter sum %m, %g at dst acc f32 : tensor<399x64xf32>, !gnn.graph<100x100x400> -> tensor<100x64xf32>
  return %h : tensor<100x64xf32>
}

// -----

func.func @c2_rows_of_result(%m: tensor<400x64xf32>, %g: !gnn.graph<100x90x400>) -> tensor<100x64xf32> {
  // expected-error @below {{'gnn.scatter' op result (tensor<100x64xf32>) has 100 rows, graph (!gnn.graph<100x90x400>) has 90 sources (C2)}}
  %h = gnn.scatter sum %m, %g at src acc f32 : tensor<400x64xf32>, !gnn.graph<100x90x400> -> tensor<100x64xf32>
  return %h : tensor<100x64xf32>
}

// -----

func.func @c3_features(%m: tensor<?x64xf32>, %g: !gnn.graph<?x?x?>) -> tensor<?x32xf32> {
  // expected-error @below {{'gnn.scatter' op result (tensor<?x32xf32>) has rows vector<32xf32>, operand 'edges' (tensor<?x64xf32>) has rows vector<64xf32> (C3)}}
  %h = gnn.scatter max %m, %g at dst acc f32 : tensor<?x64xf32>, !gnn.graph<?x?x?> -> tensor<?x32xf32>
  return %h : tensor<?x32xf32>
}

// -----

func.func @c4_accumulator(%m: tensor<?xf16>, %g: !gnn.graph<?x?x?>) {
  // expected-error @below {{'gnn.scatter' op 'acc' is f32 or f64, found f16 (C4)}}
  %h = gnn.scatter sum %m, %g at dst acc f16 : tensor<?xf16>, !gnn.graph<?x?x?> -> tensor<?xf16>
  return
}

// -----

func.func @c4_narrow_accumulator(%m: tensor<?xf64>, %g: !gnn.graph<?x?x?>) {
  // expected-error @below {{'gnn.scatter' op operand 'edges' (tensor<?xf64>) has elements f64, wider than 'acc', f32 (C4)}}
  %h = gnn.scatter sum %m, %g at dst acc f32 : tensor<?xf64>, !gnn.graph<?x?x?> -> tensor<?xf64>
  return
}

// -----

func.func @c4_integers(%m: tensor<?xi32>, %g: !gnn.graph<?x?x?>) {
  // expected-error @below {{'gnn.scatter' op operand 'edges' (tensor<?xi32>) has elements i32, a reduction needs floating-point ones (C4)}}
  %h = gnn.scatter sum %m, %g at dst acc f32 : tensor<?xi32>, !gnn.graph<?x?x?> -> tensor<?xi32>
  return
}

// -----

func.func @c5_softmax(%m: tensor<?x4xf32>, %g: !gnn.graph<?x?x?>) {
  // expected-error @below {{'gnn.scatter' op 'kind' is softmax, which weighs rows by scores: a reduction of gnn.aggregate, not of gnn.scatter (C5)}}
  %h = gnn.scatter softmax %m, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  return
}
