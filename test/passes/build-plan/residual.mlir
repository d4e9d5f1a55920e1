// A gemm kernel's residual is an argument that is added to the product.
// RUN: gnn-opt %s --gnn-build-plan --split-input-file | FileCheck %s

// CHECK: gnn_plan.gemm %h = %x, %w residual(%x)
// CHECK: gnn_plan.gemm %y = %h, %w bias(%b) residual(%x) activation relu
module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func private @h(%r: tensor<4x4xf32>, %a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> attributes {gnn.kernel = "gemm"} {
    %zeros = arith.constant dense<0.0> : tensor<4x4xf32>
    %ab = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<4x4xf32>) -> tensor<4x4xf32>
    %c = arith.addf %r, %ab : tensor<4x4xf32>
    return %c : tensor<4x4xf32>
  }
  func.func private @y(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %bias: tensor<4xf32>, %r: tensor<4x4xf32>) -> tensor<4x4xf32> attributes {gnn.kernel = "gemm"} {
    %zeros = arith.constant dense<0.0> : tensor<4x4xf32>
    %e = tensor.empty() : tensor<4x4xf32>
    %ab = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<4x4xf32>) -> tensor<4x4xf32>
    %rows = linalg.broadcast ins(%bias : tensor<4xf32>) outs(%e : tensor<4x4xf32>) dimensions = [0]
    %s = arith.addf %ab, %rows : tensor<4x4xf32>
    %t = arith.addf %s, %r : tensor<4x4xf32>
    %c = arith.maximumf %t, %zeros : tensor<4x4xf32>
    return %c : tensor<4x4xf32>
  }
  func.func @forward(%x: tensor<4x4xf32> {gnn.input = "x"}, %w: tensor<4x4xf32> {gnn.weight = "w"}, %b: tensor<4xf32> {gnn.weight = "b"})
      -> (tensor<4x4xf32> {gnn.output = "y"}) {
    %h = call @h(%x, %x, %w) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %y = call @y(%h, %w, %b, %x) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    return %y : tensor<4x4xf32>
  }
}

// -----

// The rows of a residual are those of the result: here nodes as destinations and as
// sources, so the graph is square.
// CHECK:       gnn_plan.guard equal(m - n) limit 0
// CHECK:       gnn_plan.gemm %y = %x, %w residual(%agg)
module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func private @agg(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x4xf32>) -> tensor<?x4xf32> attributes {gnn.kernel = "aggregate"} {
    %s = gnn.aggregate %g src(%x : tensor<?x4xf32>) reduce [sum] acc f32 schedule(#gnn.cpu_schedule<tile = 16, prefetch = 8>) : !gnn.graph<?x?x?, i32, csr> -> tensor<?x4xf32> message {
    ^bb0(%a: vector<4xf32>):
      gnn.yield %a : vector<4xf32>
    }
    return %s : tensor<?x4xf32>
  }
  func.func private @product(%a: tensor<?x4xf32>, %b: tensor<4x4xf32>, %r: tensor<?x4xf32>) -> tensor<?x4xf32> attributes {gnn.kernel = "gemm"} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %n = tensor.dim %a, %c0 : tensor<?x4xf32>
    %e = tensor.empty(%n) : tensor<?x4xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
    %p = linalg.matmul ins(%a, %b : tensor<?x4xf32>, tensor<4x4xf32>) outs(%z : tensor<?x4xf32>) -> tensor<?x4xf32>
    %s = arith.addf %p, %r : tensor<?x4xf32>
    return %s : tensor<?x4xf32>
  }
  func.func @prepare(%g: !gnn.graph<?x?x?>) -> !gnn.graph<?x?x?, i32, csr> {
    %csr = gnn.to_csr %g : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>
    return %csr : !gnn.graph<?x?x?, i32, csr>
  }
  func.func @forward(%g: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0}, %x: tensor<?x4xf32> {gnn.input = "x"}, %w: tensor<4x4xf32> {gnn.weight = "w"})
      -> (tensor<?x4xf32> {gnn.output = "y"}) {
    %s = call @agg(%g, %x) : (!gnn.graph<?x?x?, i32, csr>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %y = call @product(%x, %w, %s) : (tensor<?x4xf32>, tensor<4x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    return %y : tensor<?x4xf32>
  }
}
