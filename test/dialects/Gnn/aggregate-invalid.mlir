// RUN: gnn-opt %s --verify-diagnostics --split-input-file

func.func @c1_rows_of_src(%g: !gnn.graph<3x4x5>, %x: tensor<3xf32>) {
  // expected-error @below {{'gnn.aggregate' op operand 'src' #0 (tensor<3xf32>) has 3 rows, graph (!gnn.graph<3x4x5>) has 4 sources (C1)}}
  %o = gnn.aggregate %g src(%x : tensor<3xf32>) reduce [sum] acc f32 : !gnn.graph<3x4x5> -> tensor<3xf32> message {
  ^bb0(%a: f32):
    gnn.yield %a : f32
  }
  return
}

// -----

func.func @c2_rows_of_dst(%g: !gnn.graph<3x4x5>, %x: tensor<4xf32>) {
  // expected-error @below {{'gnn.aggregate' op operand 'dst' #0 (tensor<4xf32>) has 4 rows, graph (!gnn.graph<3x4x5>) has 3 destinations (C2)}}
  %o = gnn.aggregate %g dst(%x : tensor<4xf32>) reduce [sum] acc f32 : !gnn.graph<3x4x5> -> tensor<3xf32> message {
  ^bb0(%a: f32):
    gnn.yield %a : f32
  }
  return
}

// -----

func.func @c3_rows_of_edge(%g: !gnn.graph<3x4x5>, %x: tensor<4xf32>) {
  // expected-error @below {{'gnn.aggregate' op operand 'edge' #0 (tensor<4xf32>) has 4 rows, graph (!gnn.graph<3x4x5>) has 5 edges (C3)}}
  %o = gnn.aggregate %g edge(%x : tensor<4xf32>) reduce [sum] acc f32 : !gnn.graph<3x4x5> -> tensor<3xf32> message {
  ^bb0(%a: f32):
    gnn.yield %a : f32
  }
  return
}

// -----

func.func @c4_rows_of_result(%g: !gnn.graph<3x4x5>, %x: tensor<4xf32>) {
  // expected-error @below {{'gnn.aggregate' op result #0 (tensor<4xf32>) has 4 rows, graph (!gnn.graph<3x4x5>) has 3 destinations (C4)}}
  %o = gnn.aggregate %g src(%x : tensor<4xf32>) reduce [sum] acc f32 : !gnn.graph<3x4x5> -> tensor<4xf32> message {
  ^bb0(%a: f32):
    gnn.yield %a : f32
  }
  return
}

// -----

func.func @c5_number_of_arguments(%g: !gnn.graph<?x?x?>, %x: tensor<?xf32>) {
  // expected-error @below {{'gnn.aggregate' op message arguments: 2 found, 1 needed (C5)}}
  %o = gnn.aggregate %g src(%x : tensor<?xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?> -> tensor<?xf32> message {
  ^bb0(%a: f32, %b: f32):
    gnn.yield %a : f32
  }
  return
}

// -----

func.func @c5_argument_of_param(%g: !gnn.graph<?x?x?>, %x: tensor<?xf32>, %p: tensor<2x3xf32>) {
  // expected-error @below {{'gnn.aggregate' op message argument #1 has type vector<3xf32>, the whole of operand 'param' #0 (tensor<2x3xf32>) has type vector<2x3xf32> (C5)}}
  %o = gnn.aggregate %g src(%x : tensor<?xf32>) param(%p : tensor<2x3xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?> -> tensor<?xf32> message {
  ^bb0(%a: f32, %b: vector<3xf32>):
    gnn.yield %a : f32
  }
  return
}

// -----

func.func @c5_unknown_param(%g: !gnn.graph<?x?x?>, %p: tensor<?xf32>) {
  // expected-error @below {{'gnn.aggregate' op operand 'param' #0 (tensor<?xf32>) has an extent that is ?; it appears whole in the region (C5)}}
  %o = gnn.aggregate %g param(%p : tensor<?xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?> -> tensor<?xf32> message {
  ^bb0(%b: vector<3xf32>):
    %c = arith.constant 1.0 : f32
    gnn.yield %c : f32
  }
  return
}

// -----

func.func @c6_number_of_messages(%g: !gnn.graph<?x?x?>, %x: tensor<?xf32>) {
  // expected-error @below {{'gnn.aggregate' op message yields 1 values, 'reduce' takes 2 (C6)}}
  %o:2 = gnn.aggregate %g src(%x : tensor<?xf32>) reduce [sum, max] acc f32 : !gnn.graph<?x?x?> -> tensor<?xf32>, tensor<?xf32> message {
  ^bb0(%a: f32):
    gnn.yield %a : f32
  }
  return
}

// -----

func.func @c6_element_type(%g: !gnn.graph<?x?x?>, %x: tensor<?x4xf16>) {
  // expected-error @below {{'gnn.aggregate' op message value #0 has type vector<4xf16>, 'acc' needs a scalar or vector of f32 (C6)}}
  %o = gnn.aggregate %g src(%x : tensor<?x4xf16>) reduce [sum] acc f32 : !gnn.graph<?x?x?> -> tensor<?x4xf16> message {
  ^bb0(%a: vector<4xf16>):
    gnn.yield %a : vector<4xf16>
  }
  return
}

// -----

func.func @c6_no_reduction(%g: !gnn.graph<?x?x?>, %x: tensor<?xf32>) {
  // expected-error @below {{'gnn.aggregate' op 'reduce' lists no reduction; without one this is a gnn.map (C6)}}
  %o = gnn.aggregate %g src(%x : tensor<?xf32>) reduce [] acc f32 : !gnn.graph<?x?x?> -> tensor<?xf32> message {
  ^bb0(%a: f32):
    gnn.yield %a : f32
  }
  return
}

// -----

func.func @c7_accumulator(%g: !gnn.graph<?x?x?>, %x: tensor<?x4xf32>) {
  // expected-error @below {{'gnn.aggregate' op epilogue argument #0 has type f32, accumulator #0 has type vector<4xf32> (C7)}}
  %o = gnn.aggregate %g src(%x : tensor<?x4xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?> -> tensor<?xf32> message {
  ^bb0(%a: vector<4xf32>):
    gnn.yield %a : vector<4xf32>
  } epilogue {
  ^bb0(%s: f32):
    gnn.yield %s : f32
  }
  return
}

// -----

// Sources and edges end with the traversal: the epilogue sees neither.
func.func @c7_no_source_rows(%g: !gnn.graph<?x?x?>, %x: tensor<?xf32>) {
  // expected-error @below {{'gnn.aggregate' op epilogue arguments: 2 found, 1 needed (C7)}}
  %o = gnn.aggregate %g src(%x : tensor<?xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?> -> tensor<?xf32> message {
  ^bb0(%a: f32):
    gnn.yield %a : f32
  } epilogue {
  ^bb0(%s: f32, %a: f32):
    gnn.yield %s : f32
  }
  return
}

// -----

func.func @c8_epilogue_value(%g: !gnn.graph<?x?x?>, %x: tensor<?x4xf32>) {
  // expected-error @below {{'gnn.aggregate' op epilogue value #0 has type vector<4xf32>, a row of result #0 (tensor<?x8xf32>) has type vector<8xf32> (C8)}}
  %o = gnn.aggregate %g src(%x : tensor<?x4xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?> -> tensor<?x8xf32> message {
  ^bb0(%a: vector<4xf32>):
    gnn.yield %a : vector<4xf32>
  } epilogue {
  ^bb0(%s: vector<4xf32>):
    gnn.yield %s : vector<4xf32>
  }
  return
}

// -----

func.func @c8_message_is_result(%g: !gnn.graph<?x?x?>, %x: tensor<?x4xf32>) {
  // expected-error @below {{'gnn.aggregate' op message value #0 has type vector<4xf32>, a row of result #0 (tensor<?xf32>) has type f32 (C8)}}
  %o = gnn.aggregate %g src(%x : tensor<?x4xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?> -> tensor<?xf32> message {
  ^bb0(%a: vector<4xf32>):
    gnn.yield %a : vector<4xf32>
  }
  return
}

// -----

func.func @c9_accumulator_type(%g: !gnn.graph<?x?x?>, %x: tensor<?xbf16>) {
  // expected-error @below {{'gnn.aggregate' op 'acc' is f32 or f64, found bf16 (C9)}}
  %o = gnn.aggregate %g src(%x : tensor<?xbf16>) reduce [sum] acc bf16 : !gnn.graph<?x?x?> -> tensor<?xbf16> message {
  ^bb0(%a: bf16):
    gnn.yield %a : bf16
  }
  return
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "x86-64-v3">} {
  func.func @c10_schedule(%g: !gnn.graph<?x?x?>, %x: tensor<?xf32>) {
    // expected-error @below {{'gnn.aggregate' op 'schedule' (#gnn.gpu_schedule<chunk = 128, group = 8, vector = 4, regs = 1, unroll = 4, block = 128, order = row>) is for cuda, the module's target (#gnn.target<cpu, "x86-64-v3">) is cpu (C10)}}
    %o = gnn.aggregate %g src(%x : tensor<?xf32>) reduce [sum] acc f32
        schedule(#gnn.gpu_schedule<chunk = 128, group = 8, vector = 4, regs = 1, unroll = 4, block = 128, order = row>)
        : !gnn.graph<?x?x?> -> tensor<?xf32> message {
    ^bb0(%a: f32):
      gnn.yield %a : f32
    }
    return
  }
}

// -----

func.func @unknown_reduction(%g: !gnn.graph<?x?x?>, %x: tensor<?xf32>) {
  // expected-error @below {{expected sum, mean, max, min, mul or softmax, found 'median'}}
  %o = gnn.aggregate %g src(%x : tensor<?xf32>) reduce [median] acc f32 : !gnn.graph<?x?x?> -> tensor<?xf32> message {
  ^bb0(%a: f32):
    gnn.yield %a : f32
  }
  return
}

// -----

func.func @c6_softmax_takes_a_score(%g: !gnn.graph<?x?x?>, %s: tensor<?xf32>, %x: tensor<?x4xf32>) {
  // expected-error @below {{'gnn.aggregate' op message yields 1 values, 'reduce' takes 2 (C6)}}
  %o:3 = gnn.aggregate %g src(%s, %x : tensor<?xf32>, tensor<?x4xf32>) reduce [softmax] acc f32 : !gnn.graph<?x?x?> -> tensor<?x4xf32>, tensor<?xf32>, tensor<?xf32> message {
  ^bb0(%a: f32, %b: vector<4xf32>):
    gnn.yield %b : vector<4xf32>
  }
  return
}

// -----

func.func @c8_accumulators_are_results(%g: !gnn.graph<?x?x?>, %s: tensor<?xf32>, %x: tensor<?x4xf32>) {
  // expected-error @below {{'gnn.aggregate' op accumulators: 3 found, 1 needed (C8)}}
  %o = gnn.aggregate %g src(%s, %x : tensor<?xf32>, tensor<?x4xf32>) reduce [softmax] acc f32 : !gnn.graph<?x?x?> -> tensor<?x4xf32> message {
  ^bb0(%a: f32, %b: vector<4xf32>):
    gnn.yield %a, %b : f32, vector<4xf32>
  }
  return
}

// -----

func.func @c7_three_accumulators(%g: !gnn.graph<?x?x?>, %s: tensor<?xf32>, %x: tensor<?x4xf32>) {
  // expected-error @below {{'gnn.aggregate' op epilogue arguments: 1 found, 3 needed (C7)}}
  %o = gnn.aggregate %g src(%s, %x : tensor<?xf32>, tensor<?x4xf32>) reduce [softmax] acc f32 : !gnn.graph<?x?x?> -> tensor<?x4xf32> message {
  ^bb0(%a: f32, %b: vector<4xf32>):
    gnn.yield %a, %b : f32, vector<4xf32>
  } epilogue {
  ^bb0(%sum: vector<4xf32>):
    gnn.yield %sum : vector<4xf32>
  }
  return
}

// -----

func.func @c11_score_of_rank_2(%g: !gnn.graph<?x?x?>, %s: tensor<?x2x4xf32>, %x: tensor<?x2x4xf32>) {
  // expected-error @below {{'gnn.aggregate' op score of softmax #0 has type vector<2x4xf32>, it is a scalar or a vector of rank 1 (C11)}}
  %o = gnn.aggregate %g src(%s, %x : tensor<?x2x4xf32>, tensor<?x2x4xf32>) reduce [softmax] acc f32 : !gnn.graph<?x?x?> -> tensor<?x2x4xf32> message {
  ^bb0(%a: vector<2x4xf32>, %b: vector<2x4xf32>):
    gnn.yield %a, %b : vector<2x4xf32>, vector<2x4xf32>
  }
  return
}

// -----

func.func @c11_heads_differ(%g: !gnn.graph<?x?x?>, %s: tensor<?x2xf32>, %x: tensor<?x4x8xf32>) {
  // expected-error @below {{'gnn.aggregate' op message of softmax #0 has type vector<4x8xf32>, its shape begins with that of the score, vector<2xf32> (C11)}}
  %o = gnn.aggregate %g src(%s, %x : tensor<?x2xf32>, tensor<?x4x8xf32>) reduce [softmax] acc f32 : !gnn.graph<?x?x?> -> tensor<?x4x8xf32> message {
  ^bb0(%a: vector<2xf32>, %b: vector<4x8xf32>):
    gnn.yield %a, %b : vector<2xf32>, vector<4x8xf32>
  }
  return
}
