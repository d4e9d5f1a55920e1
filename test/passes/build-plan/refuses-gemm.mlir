// RUN: gnn-opt %s --gnn-build-plan --split-input-file --verify-diagnostics

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  // expected-error @+1 {{a gemm kernel is a function with a body and one result}}
  func.func private @product(tensor<8x8xf32>) -> tensor<8x8xf32> attributes {gnn.kernel = "gemm"}
  func.func @forward(%x: tensor<8x8xf32> {gnn.input = "x"}) -> (tensor<8x8xf32> {gnn.output = "y"}) {
    %y = call @product(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %y : tensor<8x8xf32>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func private @product(%a: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {gnn.kernel = "gemm"} {
    %ones = arith.constant dense<1.0> : tensor<8x8xf32>
    %zeros = arith.constant dense<0.0> : tensor<8x8xf32>
    %c = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%zeros : tensor<8x8xf32>) -> tensor<8x8xf32>
    // expected-error @+1 {{a gemm kernel takes a maximum with zeros only}}
    %m = arith.maximumf %c, %ones : tensor<8x8xf32>
    return %m : tensor<8x8xf32>
  }
  func.func @forward(%x: tensor<8x8xf32> {gnn.input = "x"}) -> (tensor<8x8xf32> {gnn.output = "y"}) {
    %y = call @product(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %y : tensor<8x8xf32>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func private @product(%a: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {gnn.kernel = "gemm"} {
    %zeros = arith.constant dense<0.0> : tensor<8x8xf32>
    %c = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%zeros : tensor<8x8xf32>) -> tensor<8x8xf32>
    // expected-error @+1 {{a gemm kernel adds an argument and, before it, a bias that is broadcast over the rows}}
    %m = arith.addf %c, %c : tensor<8x8xf32>
    return %m : tensor<8x8xf32>
  }
  func.func @forward(%x: tensor<8x8xf32> {gnn.input = "x"}) -> (tensor<8x8xf32> {gnn.output = "y"}) {
    %y = call @product(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %y : tensor<8x8xf32>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func private @product(%a: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {gnn.kernel = "gemm"} {
    %zeros = arith.constant dense<0.0> : tensor<8x8xf32>
    %b = arith.constant dense<2.0> : tensor<8xf32>
    %c = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%zeros : tensor<8x8xf32>) -> tensor<8x8xf32>
    %rows = linalg.broadcast ins(%b : tensor<8xf32>) outs(%zeros : tensor<8x8xf32>) dimensions = [0]
    // expected-error @+1 {{the bias of a gemm kernel is an argument of @product, found the result of arith.constant}}
    %m = arith.addf %c, %rows : tensor<8x8xf32>
    return %m : tensor<8x8xf32>
  }
  func.func @forward(%x: tensor<8x8xf32> {gnn.input = "x"}) -> (tensor<8x8xf32> {gnn.output = "y"}) {
    %y = call @product(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %y : tensor<8x8xf32>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func private @product(%a: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {gnn.kernel = "gemm"} {
    // expected-error @+1 {{expected linalg.matmul in a gemm kernel, optionally with a bias, a residual, then a ReLU}}
    %m = math.exp %a : tensor<8x8xf32>
    return %m : tensor<8x8xf32>
  }
  func.func @forward(%x: tensor<8x8xf32> {gnn.input = "x"}) -> (tensor<8x8xf32> {gnn.output = "y"}) {
    %y = call @product(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %y : tensor<8x8xf32>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func private @product(%a: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {gnn.kernel = "gemm"} {
    %zeros = arith.constant dense<0.0> : tensor<8x8xf32>
    // expected-error @+1 {{a gemm kernel multiplies [m, k] by [k, n] or [n, k]; these indexing maps do something else}}
    %c = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
        ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%zeros : tensor<8x8xf32>) -> tensor<8x8xf32>
    return %c : tensor<8x8xf32>
  }
  func.func @forward(%x: tensor<8x8xf32> {gnn.input = "x"}) -> (tensor<8x8xf32> {gnn.output = "y"}) {
    %y = call @product(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %y : tensor<8x8xf32>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func private @product(%a: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {gnn.kernel = "gemm"} {
    // expected-error @+1 {{a gemm kernel starts from zeros; it cannot add to a tensor}}
    %c = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
    return %c : tensor<8x8xf32>
  }
  func.func @forward(%x: tensor<8x8xf32> {gnn.input = "x"}) -> (tensor<8x8xf32> {gnn.output = "y"}) {
    %y = call @product(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %y : tensor<8x8xf32>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func private @product(%a: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {gnn.kernel = "gemm"} {
    %zeros = arith.constant dense<0.0> : tensor<8x8xf32>
    // expected-error @+1 {{has no place in a gemm kernel: linalg.matmul, a bias, a residual, a ReLU}}
    %unused = math.exp %a : tensor<8x8xf32>
    %c = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%zeros : tensor<8x8xf32>) -> tensor<8x8xf32>
    return %c : tensor<8x8xf32>
  }
  func.func @forward(%x: tensor<8x8xf32> {gnn.input = "x"}) -> (tensor<8x8xf32> {gnn.output = "y"}) {
    %y = call @product(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %y : tensor<8x8xf32>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func private @product(%a: tensor<8x8xf80>) -> tensor<8x8xf80> attributes {gnn.kernel = "gemm"} {
    %zeros = arith.constant dense<0.0> : tensor<8x8xf80>
    %c = linalg.matmul ins(%a, %a : tensor<8x8xf80>, tensor<8x8xf80>) outs(%zeros : tensor<8x8xf80>) -> tensor<8x8xf80>
    return %c : tensor<8x8xf80>
  }
  func.func @forward(%x: tensor<8x8xf80> {gnn.input = "x"}) -> (tensor<8x8xf80> {gnn.output = "y"}) {
    // expected-error @+1 {{a dense product takes or gives 'tensor<8x8xf80>', but products are of f32, f64, f16 or bf16 elements}}
    %y = call @product(%x) : (tensor<8x8xf80>) -> tensor<8x8xf80>
    return %y : tensor<8x8xf80>
  }
}
