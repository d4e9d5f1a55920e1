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
