// RUN: gnn-opt %s --gnn-form-kernels --split-input-file --verify-diagnostics

func.func @scatter_at_src(%g: !gnn.graph<?x?x?, i32, csr>, %m: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // expected-error @+1 {{'gnn.scatter' op scatters at src, which a csr graph does not group by; transpose the graph and scatter at dst}}
  %s = gnn.scatter sum %m, %g at src acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?, i32, csr> -> tensor<?x4xf32>
  return %s : tensor<?x4xf32>
}

// -----

func.func @degree_at_src(%g: !gnn.graph<?x?x?, i32, csr>) -> tensor<?xf32> {
  // expected-error @+1 {{'gnn.degree' op counts at src, which a csr graph does not group by; transpose the graph and count at dst}}
  %d = gnn.degree %g at src : !gnn.graph<?x?x?, i32, csr> -> tensor<?xf32>
  return %d : tensor<?xf32>
}

// -----

func.func @product_onto_values(%x: tensor<?x8xf32>, %w: tensor<8x16xf32>, %y: tensor<?x16xf32>) -> tensor<?x16xf32> {
  // expected-error @+1 {{'linalg.matmul' op a matrix product accumulates into zeros (linalg.fill of 0.0)}}
  %p = linalg.matmul ins(%x, %w : tensor<?x8xf32>, tensor<8x16xf32>) outs(%y : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %p : tensor<?x16xf32>
}

// -----

func.func @fill_of_unknown_count(%n: index) -> tensor<?x4xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty(%n) : tensor<?x4xf32>
  // expected-error @+1 {{'linalg.fill' op fills a tensor whose row count no operand gives; it has no kernel}}
  %f = linalg.fill ins(%one : f32) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %f : tensor<?x4xf32>
}

// -----

func.func @no_kernel_form(%x: tensor<?x4xf32>) -> tensor<?x2xf32> {
  // expected-error @+1 {{'tensor.extract_slice' op has no kernel form}}
  %s = tensor.extract_slice %x[0, 0] [1, 2] [1, 1] : tensor<?x4xf32> to tensor<1x2xf32>
  %c = tensor.cast %s : tensor<1x2xf32> to tensor<?x2xf32>
  return %c : tensor<?x2xf32>
}

// -----

// expected-error @+1 {{'func.func' op a program is one block, found 2}}
func.func @two_blocks(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  cf.br ^next
^next:
  return %x : tensor<?x4xf32>
}

// -----

// Rows of two widths fit no frame of heads x features.
func.func @two_widths(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x4xf32>, %y: tensor<?x6xf32>) -> (tensor<?x4xf32>, tensor<?x6xf32>) {
  // expected-error @+1 {{'gnn.aggregate' op computes rows of 4 values in a kernel whose other rows have 6 features}}
  %o:2 = gnn.aggregate %g src(%x, %y : tensor<?x4xf32>, tensor<?x6xf32>) reduce [sum, sum] acc f32
      : !gnn.graph<?x?x?, i32, csr> -> tensor<?x4xf32>, tensor<?x6xf32> message {
  ^bb0(%u: vector<4xf32>, %v: vector<6xf32>):
    gnn.yield %u, %v : vector<4xf32>, vector<6xf32>
  }
  return %o#0, %o#1 : tensor<?x4xf32>, tensor<?x6xf32>
}

// -----

// 2 x 6 and 3 x 4 are two ways to see a row.
func.func @two_frames(%x: tensor<?x2x6xf32>) -> tensor<?x3x4xf32> {
  %y = gnn.map rows(%x : tensor<?x2x6xf32>) -> tensor<?x3x4xf32> {
  ^bb0(%r: vector<2x6xf32>):
    %n = arith.negf %r : vector<2x6xf32>
    // expected-error @+1 {{'vector.shape_cast' op computes rows of 3 x 4 in a kernel whose other rows are 2 x 6 (heads x features)}}
    %c = vector.shape_cast %n : vector<2x6xf32> to vector<3x4xf32>
    gnn.yield %c : vector<3x4xf32>
  }
  return %y : tensor<?x3x4xf32>
}

// -----

// As many heads as features, and a row read as both.
func.func @heads_or_features(%x: tensor<?x3x3xf32>, %s: tensor<?x3xf32>) -> tensor<?x3x3xf32> {
  // expected-error @+1 {{'gnn.map' op computes 3 values that stand once for the heads and once for the features of a row; reshape one of them to 3 x 1}}
  %y = gnn.map rows(%x, %s : tensor<?x3x3xf32>, tensor<?x3xf32>) -> tensor<?x3x3xf32> {
  ^bb0(%r: vector<3x3xf32>, %v: vector<3xf32>):
    %column = vector.shape_cast %v : vector<3xf32> to vector<3x1xf32>
    %heads = vector.broadcast %column : vector<3x1xf32> to vector<3x3xf32>
    %features = vector.broadcast %v : vector<3xf32> to vector<3x3xf32>
    %a = arith.mulf %r, %heads : vector<3x3xf32>
    %b = arith.addf %a, %features : vector<3x3xf32>
    gnn.yield %b : vector<3x3xf32>
  }
  return %y : tensor<?x3x3xf32>
}

// -----

func.func @dynamic_features(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'gnn.gather' op gives 'tensor<?x?xf32>', whose rows are not static; write how many features they have, 1 or more}}
  %m = gnn.gather %x, %g at src : tensor<?x?xf32>, !gnn.graph<?x?x?, i32, csr> -> tensor<?x?xf32>
  %s = gnn.scatter sum %m, %g at dst acc f32 : tensor<?x?xf32>, !gnn.graph<?x?x?, i32, csr> -> tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}

// -----

func.func @no_features(%x: tensor<?x0xf32>) -> tensor<?x0xf32> {
  // expected-error @+1 {{'arith.negf' op gives 'tensor<?x0xf32>', whose rows are empty; write how many features they have, 1 or more}}
  %y = arith.negf %x : tensor<?x0xf32>
  return %y : tensor<?x0xf32>
}

// -----

func.func @look_up(%x: tensor<?x4xf32>, %i: tensor<7xi64>) -> tensor<7x4xf32> {
  // expected-error @+1 {{'gnn.gather_at' op follows no graph, and kernels follow graphs only; run gnn-index-to-graph and gnn-hoist-graph-invariants first}}
  %y = gnn.gather_at %x, %i : tensor<?x4xf32>, tensor<7xi64> -> tensor<7x4xf32>
  return %y : tensor<7x4xf32>
}

// -----

func.func @pooled_by_index(%x: tensor<?x4xf32>, %i: tensor<?xi64>) -> tensor<3x4xf32> {
  // expected-error @+1 {{'gnn.scatter_at' op follows no graph, and kernels follow graphs only; run gnn-index-to-graph and gnn-hoist-graph-invariants first}}
  %y = gnn.scatter_at sum %x, %i acc f32 : tensor<?x4xf32>, tensor<?xi64> -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// -----

func.func @pooled_by_segment(%x: tensor<?x4xf32>, %o: tensor<4xi64>) -> tensor<3x4xf32> {
  // expected-error @+1 {{'gnn.segment_reduce' op follows no graph, and kernels follow graphs only; run gnn-index-to-graph and gnn-hoist-graph-invariants first}}
  %y = gnn.segment_reduce mean %x, %o acc f32 : tensor<?x4xf32>, tensor<4xi64> -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// -----

func.func @softmax_by_segment(%x: tensor<?x4xf32>, %o: tensor<4xi64>) -> tensor<?x4xf32> {
  // expected-error @+1 {{'gnn.segment_softmax' op follows no graph, and kernels follow graphs only; run gnn-index-to-graph and gnn-hoist-graph-invariants first}}
  %y = gnn.segment_softmax %x, %o acc f32 : tensor<?x4xf32>, tensor<4xi64>
  return %y : tensor<?x4xf32>
}

// -----

// Graphs are bound once; an input comes with each run.
func.func @forward(%x: tensor<?x4xf32> {gnn.input = "x"}, %i: tensor<?xi64> {gnn.input = "i"}) -> (tensor<3x4xf32> {gnn.output = "out"}) {
  // expected-error @+1 {{'gnn.index_graph' op builds a graph of an index tensor that each run brings or computes, and graphs are bound before the first run; make the index tensor an argument marked gnn.index}}
  %g = gnn.index_graph scatter %i : tensor<?xi64> -> !gnn.graph<3x?x?>
  %c = gnn.to_csr %g : !gnn.graph<3x?x?> -> !gnn.graph<3x?x?, i64, csr>
  %m = gnn.gather %x, %c at src : tensor<?x4xf32>, !gnn.graph<3x?x?, i64, csr> -> tensor<?x4xf32>
  %y = gnn.scatter sum %m, %c at dst acc f32 : tensor<?x4xf32>, !gnn.graph<3x?x?, i64, csr> -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// -----

// Nothing that is bound has as many rows as the input.
func.func @forward(%x: tensor<?x4xf32> {gnn.input = "x"}, %i: tensor<?xi64> {gnn.index = "i"}) -> (tensor<?x4xf32> {gnn.output = "out"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  // expected-error @+1 {{'gnn.index_graph' op builds a graph whose number of nodes is known in each run only, and graphs are bound before the first run; make the count a number, or the rows of a node tensor of a graph argument or of an argument marked gnn.index or gnn.graph_data}}
  %g = gnn.index_graph gather %i nodes(%n) : tensor<?xi64> -> !gnn.graph<?x?x?, i64, csr>
  %y = gnn.gather %x, %g at src : tensor<?x4xf32>, !gnn.graph<?x?x?, i64, csr> -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

// A constant that is one number everywhere is computed with; a table is data.
func.func @table(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  // expected-error @+1 {{'arith.constant' op is a tensor of numbers in the program, and kernels read those of the weights file; make it an argument marked gnn.weight}}
  %b = arith.constant dense<[0.5, 1.0, 2.0]> : tensor<3xf32>
  %i = tensor.empty(%n) : tensor<?x3xf32>
  %r = linalg.broadcast ins(%b : tensor<3xf32>) outs(%i : tensor<?x3xf32>) dimensions = [0]
  %y = arith.addf %x, %r : tensor<?x3xf32>
  return %y : tensor<?x3xf32>
}

// -----

func.func @memory(%x: memref<?x4xf32>, %w: memref<4x3xf32>, %y: memref<?x3xf32>) {
  // expected-error @+1 {{'linalg.matmul' op works on 'memref<?x4xf32>', and programs are written over tensors; write what it computes as a result}}
  linalg.matmul ins(%x, %w : memref<?x4xf32>, memref<4x3xf32>) outs(%y : memref<?x3xf32>)
  return
}
