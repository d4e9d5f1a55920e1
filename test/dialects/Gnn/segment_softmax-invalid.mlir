// RUN: gnn-opt %s --verify-diagnostics --split-input-file

func.func @c1_rows(%s: tensor<4x8xf32>, %g: !gnn.graph<3x3x5>) {
  // expected-error @below {{'gnn.segment_softmax' op operand 'scores' (tensor<4x8xf32>) has 4 rows, graph (!gnn.graph<3x3x5>) has 5 edges (C1)}}
  %a = gnn.segment_softmax %s, %g at dst acc f32 : tensor<4x8xf32>, !gnn.graph<3x3x5>
  return
}

// -----

func.func @c2_no_end(%s: tensor<?x8xf32>, %g: !gnn.graph<?x?x?>) {
  // expected-error @below {{'gnn.segment_softmax' op operand 'segments' (!gnn.graph<?x?x?>) is a graph: say 'at src' or 'at dst' (C2)}}
  %a = gnn.segment_softmax %s, %g acc f32 : tensor<?x8xf32>, !gnn.graph<?x?x?>
  return
}

// -----

func.func @c2_end_of_row_pointer(%s: tensor<?x8xf32>, %o: tensor<?xi64>) {
  // expected-error @below {{'gnn.segment_softmax' op operand 'segments' (tensor<?xi64>) is a row pointer, which has no end: leave out 'at' (C2)}}
  %a = gnn.segment_softmax %s, %o at dst acc f32 : tensor<?x8xf32>, tensor<?xi64>
  return
}

// -----

func.func @c3_integers(%s: tensor<?x8xi32>, %g: !gnn.graph<?x?x?>) {
  // expected-error @below {{'gnn.segment_softmax' op operand 'scores' (tensor<?x8xi32>) has elements i32, a reduction needs floating-point ones (C3)}}
  %a = gnn.segment_softmax %s, %g at dst acc f32 : tensor<?x8xi32>, !gnn.graph<?x?x?>
  return
}

// -----

func.func @c3_accumulator(%s: tensor<?x8xf16>, %g: !gnn.graph<?x?x?>) {
  // expected-error @below {{'gnn.segment_softmax' op 'acc' is f32 or f64, found f16 (C3)}}
  %a = gnn.segment_softmax %s, %g at dst acc f16 : tensor<?x8xf16>, !gnn.graph<?x?x?>
  return
}
