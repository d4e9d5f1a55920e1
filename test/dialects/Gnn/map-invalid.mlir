// RUN: gnn-opt %s --verify-diagnostics --split-input-file

func.func @c1_src_without_graph(%x: tensor<?xf32>) {
  // expected-error @below {{'gnn.map' op operand 'src' needs a graph; without one all rows are operand 'rows' (C1)}}
  %y = gnn.map src(%x : tensor<?xf32>) -> tensor<?xf32> {
  ^bb0(%a: f32):
    gnn.yield %a : f32
  }
  return
}

// -----

func.func @c1_rows_of_dst(%g: !gnn.graph<3x4x5>, %x: tensor<4xf32>) {
  // expected-error @below {{'gnn.map' op operand 'dst' #0 (tensor<4xf32>) has 4 rows, graph (!gnn.graph<3x4x5>) has 3 destinations (C1)}}
  %y = gnn.map over %g : !gnn.graph<3x4x5> dst(%x : tensor<4xf32>) -> tensor<5xf32> {
  ^bb0(%a: f32):
    gnn.yield %a : f32
  }
  return
}

// -----

func.func @c2_rows_of_edges(%g: !gnn.graph<3x4x5>, %x: tensor<4xf32>) {
  // expected-error @below {{'gnn.map' op operand 'rows' #0 (tensor<4xf32>) has 4 rows, graph (!gnn.graph<3x4x5>) has 5 edges (C2)}}
  %y = gnn.map over %g : !gnn.graph<3x4x5> rows(%x : tensor<4xf32>) -> tensor<5xf32> {
  ^bb0(%a: f32):
    gnn.yield %a : f32
  }
  return
}

// -----

func.func @c2_counts_differ(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error @below {{'gnn.map' op operand 'rows' #1 (tensor<5xf32>) has 5 rows, another (tensor<4xf32>) has 4 (C2)}}
  %z = gnn.map rows(%x, %y : tensor<4xf32>, tensor<5xf32>) -> tensor<?xf32> {
  ^bb0(%a: f32, %b: f32):
    gnn.yield %a : f32
  }
  return
}

// -----

func.func @c2_result_differs(%x: tensor<4xf32>) {
  // expected-error @below {{'gnn.map' op result #0 (tensor<5xf32>) has 5 rows, another (tensor<4xf32>) has 4 (C2)}}
  %z = gnn.map rows(%x : tensor<4xf32>) -> tensor<5xf32> {
  ^bb0(%a: f32):
    gnn.yield %a : f32
  }
  return
}

// -----

func.func @c2_no_rows(%p: tensor<4xf32>) {
  // expected-error @below {{'gnn.map' op without a graph there is at least one operand 'rows', found 0 (C2)}}
  %z = gnn.map param(%p : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: vector<4xf32>):
    %c = arith.constant 1.0 : f32
    gnn.yield %c : f32
  }
  return
}

// -----

func.func @c3_arguments(%x: tensor<?x4xf32>) {
  // expected-error @below {{'gnn.map' op body argument #0 has type vector<8xf32>, a row of operand 'rows' #0 (tensor<?x4xf32>) has type vector<4xf32> (C3)}}
  %z = gnn.map rows(%x : tensor<?x4xf32>) -> tensor<?x8xf32> {
  ^bb0(%a: vector<8xf32>):
    gnn.yield %a : vector<8xf32>
  }
  return
}

// -----

func.func @c3_unknown_features(%x: tensor<?x?xf32>) {
  // expected-error @below {{'gnn.map' op operand 'rows' #0 (tensor<?x?xf32>) has a feature extent that is ? (C3)}}
  %z = gnn.map rows(%x : tensor<?x?xf32>) -> tensor<?xf32> {
  ^bb0(%a: f32):
    gnn.yield %a : f32
  }
  return
}

// -----

func.func @c4_values(%x: tensor<?x4xf32>) {
  // expected-error @below {{'gnn.map' op body value #0 has type vector<4xf32>, a row of result #0 (tensor<?xf32>) has type f32 (C4)}}
  %z = gnn.map rows(%x : tensor<?x4xf32>) -> tensor<?xf32> {
  ^bb0(%a: vector<4xf32>):
    gnn.yield %a : vector<4xf32>
  }
  return
}

// -----

module attributes {gnn.target = #gnn.target<cuda, "sm_90">} {
  func.func @c5_schedule(%x: tensor<?xf32>) {
    // expected-error @below {{'gnn.map' op 'schedule' (#gnn.cpu_schedule<tile = 64, prefetch = 0>) is for cpu, the module's target (#gnn.target<cuda, "sm_90">) is cuda (C5)}}
    %z = gnn.map rows(%x : tensor<?xf32>) schedule(#gnn.cpu_schedule<tile = 64, prefetch = 0>) -> tensor<?xf32> {
    ^bb0(%a: f32):
      gnn.yield %a : f32
    }
    return
  }
}

// -----

func.func @yield_outside() {
  // expected-error @below {{'gnn.yield' op expects parent op to be one of 'gnn.aggregate, gnn.map'}}
  gnn.yield
}
