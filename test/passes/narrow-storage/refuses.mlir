// RUN: gnn-opt %s --gnn-narrow-storage --split-input-file --verify-diagnostics

module attributes {gnn.storage = f16} {
  func.func private @f(%x: tensor<?xf32>) -> tensor<?xf32>
  func.func @forward(%x: tensor<?xf32> {gnn.input = "x"}) -> (tensor<?xf32> {gnn.output = "y"}) {
    // expected-error @+1 {{'func.call' op calls @f, which is no kernel of its own; run gnn-form-kernels first}}
    %y = call @f(%x) : (tensor<?xf32>) -> tensor<?xf32>
    return %y : tensor<?xf32>
  }
}

// -----

// expected-error @+1 {{'gnn.storage' is the type f16 or bf16, found f32 (A10)}}
module attributes {gnn.storage = f32} {
}

// -----

module attributes {gnn.storage = f16} {
  func.func @prepare() {
    return
  }
  // expected-error @+1 {{argument #0 is result 0 of @prepare, which has 0 results}}
  func.func @forward(%x: tensor<?xf32> {gnn.prepared = 0}) -> (tensor<?xf32> {gnn.output = "y"}) {
    return %x : tensor<?xf32>
  }
}

// -----

module attributes {gnn.storage = f16} {
  func.func private @square(%a: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {gnn.kernel = "gemm"} {
    %zeros = arith.constant dense<0.0> : tensor<8x8xf32>
    %c = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%zeros : tensor<8x8xf32>) -> tensor<8x8xf32>
    return %c : tensor<8x8xf32>
  }
  func.func @forward(%x: tensor<8x8xf32> {gnn.input = "x"}) -> (tensor<8x8xf32> {gnn.output = "y"}) {
    // expected-error @+1 {{'func.call' op calls @square, a product of 1 operands with 1 results; it takes rows and a matrix and gives one tensor}}
    %y = call @square(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %y : tensor<8x8xf32>
  }
}
