// RUN: gnn-opt %s --gnn-verify-fused --split-input-file --verify-diagnostics

func.func @gathered_rows(%g: !gnn.graph<?x?x?>, %x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expected-error @below {{'gnn.gather' makes result #0 ('tensor<?x8xf32>') with one row per edge of '!gnn.graph<?x?x?>' and 8 elements a row, allowed are 1; gnn-fuse-aggregate leaves such a tensor when it is read by more than scatters at dst}}
  %m = gnn.gather %x, %g at src : tensor<?x8xf32>, !gnn.graph<?x?x?> -> tensor<?x8xf32>
  return %m : tensor<?x8xf32>
}

// -----

// Found through elementwise ops, with static extents, behind a parameter of the function.
func.func @computed_rows(%g: !gnn.graph<3x3x5, i32, csr>, %f: tensor<5x2x4xf32>) -> tensor<3x2x4xf32> {
  // expected-error @below {{'math.exp' makes result #0 ('tensor<5x2x4xf32>') with one row per edge of '!gnn.graph<3x3x5, i32, csr>' and 8 elements a row, allowed are 1}}
  %m = math.exp %f : tensor<5x2x4xf32>
  %o = gnn.scatter sum %m, %g at dst acc f32 : tensor<5x2x4xf32>, !gnn.graph<3x3x5, i32, csr> -> tensor<3x2x4xf32>
  return %o : tensor<3x2x4xf32>
}

// -----

// Edges and features in one extent.
func.func @flattened(%g: !gnn.graph<3x3x5>, %f: tensor<5x4xf32>) -> (tensor<20xf32>, tensor<3x4xf32>) {
  // expected-error @below {{'tensor.collapse_shape' makes result #0 ('tensor<20xf32>') with one row per edge of '!gnn.graph<3x3x5>' and 4 elements a row, allowed are 1}}
  %m = tensor.collapse_shape %f [[0, 1]] : tensor<5x4xf32> into tensor<20xf32>
  %o = gnn.scatter sum %f, %g at dst acc f32 : tensor<5x4xf32>, !gnn.graph<3x3x5> -> tensor<3x4xf32>
  return %m, %o : tensor<20xf32>, tensor<3x4xf32>
}

// -----

func.func @unknown_features(%g: !gnn.graph<?x?x?>, %x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @below {{'gnn.gather' makes result #0 ('tensor<?x?xf32>') with one row per edge of '!gnn.graph<?x?x?>' and ? elements a row, allowed are 1}}
  %m = gnn.gather %x, %g at src : tensor<?x?xf32>, !gnn.graph<?x?x?> -> tensor<?x?xf32>
  return %m : tensor<?x?xf32>
}
