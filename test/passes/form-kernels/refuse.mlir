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

func.func @softmax(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x4xf32>, %s: tensor<?xf32>) -> tensor<?x4xf32> {
  // expected-error @+1 {{'gnn.aggregate' op has no kernel form: its reduction 'softmax' cannot be lowered yet}}
  %o:3 = gnn.aggregate %g src(%x, %s : tensor<?x4xf32>, tensor<?xf32>) reduce [softmax] acc f32
      : !gnn.graph<?x?x?, i32, csr> -> tensor<?x4xf32>, tensor<?xf32>, tensor<?xf32> message {
  ^bb0(%u: vector<4xf32>, %score: f32):
    gnn.yield %score, %u : f32, vector<4xf32>
  }
  return %o#0 : tensor<?x4xf32>
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
