// RUN: gnn-opt %s --gnn-narrow-storage --remarks-filter=gnn-narrow-storage --remark-policy=all 2>&1 | FileCheck %s
// RUN: gnn-opt %s --gnn-narrow-storage | FileCheck %s --check-prefix=IR

// Each tensor between kernels says how it is stored and why. Two products of one
// input share its copy.
// CHECK-DAG: [Missed] {{.*}} Reason="the program states its type", Stored=f32, Tensor="input 'x'"
// CHECK-DAG: [Passed] {{.*}} Reason="the product @gemm_0 reads it", Stored=bf16, Tensor="weight 'w'"
// CHECK-DAG: [Passed] {{.*}} Reason="the product @gemm_1 adds it to a result that is narrow", Stored=bf16, Tensor="weight 'b'"
// CHECK-DAG: [Passed] {{.*}} Reason="a copy for the product @gemm_0, which takes this type", Stored=bf16, Tensor="result 0 of @convert_0"
// CHECK-DAG: [Passed] {{.*}} Reason="the product @gemm_0 makes it", Stored=bf16, Tensor="result 0 of @gemm_0"
// CHECK-DAG: [Passed] {{.*}} Reason="it has 16 features a row, 16 or more", Stored=bf16, Tensor="result 0 of @map_0"
// CHECK-DAG: [Missed] {{.*}} Reason="no product reads or makes it, and it has one number or few features a row", Stored=f32, Tensor="result 1 of @map_0"
// CHECK-DAG: [Missed] {{.*}} Reason="the program states its type", Stored=f32, Tensor="result 0 of @map_1"
// IR-LABEL: func @forward(
// IR:         %[[COPY:.*]] = call @convert_0(
// IR-NEXT:    call @gemm_0(%[[COPY]],
// IR-NEXT:    call @gemm_1(%[[COPY]],
// IR-NOT:     @convert_1
module attributes {gnn.storage = bf16} {
  func.func private @gemm_0(%a: tensor<?x8xf32>, %w: tensor<8x8xf32>) -> tensor<?x8xf32> attributes {gnn.kernel = "gemm"} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %n = tensor.dim %a, %c0 : tensor<?x8xf32>
    %e = tensor.empty(%n) : tensor<?x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
    %p = linalg.matmul ins(%a, %w : tensor<?x8xf32>, tensor<8x8xf32>) outs(%f : tensor<?x8xf32>) -> tensor<?x8xf32>
    return %p : tensor<?x8xf32>
  }
  func.func private @gemm_1(%a: tensor<?x8xf32>, %w: tensor<8x8xf32>, %bias: tensor<8xf32>) -> tensor<?x8xf32> attributes {gnn.kernel = "gemm"} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %n = tensor.dim %a, %c0 : tensor<?x8xf32>
    %e = tensor.empty(%n) : tensor<?x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
    %p = linalg.matmul ins(%a, %w : tensor<?x8xf32>, tensor<8x8xf32>) outs(%f : tensor<?x8xf32>) -> tensor<?x8xf32>
    %rows = linalg.broadcast ins(%bias : tensor<8xf32>) outs(%e : tensor<?x8xf32>) dimensions = [0]
    %sum = arith.addf %p, %rows : tensor<?x8xf32>
    return %sum : tensor<?x8xf32>
  }
  func.func private @map_0(%x: tensor<?x8xf32>) -> (tensor<?x16xf32>, tensor<?x8xf32>) attributes {gnn.kernel = "map"} {
    %y:2 = gnn.map rows(%x : tensor<?x8xf32>) -> tensor<?x16xf32>, tensor<?x8xf32> {
    ^bb0(%a: vector<8xf32>):
      %twice = vector.broadcast %a : vector<8xf32> to vector<2x8xf32>
      %z = vector.shape_cast %twice : vector<2x8xf32> to vector<16xf32>
      gnn.yield %z, %a : vector<16xf32>, vector<8xf32>
    }
    return %y#0, %y#1 : tensor<?x16xf32>, tensor<?x8xf32>
  }
  func.func private @map_1(%x: tensor<?x16xf32>, %y: tensor<?x8xf32>, %z: tensor<?x8xf32>) -> tensor<?x16xf32> attributes {gnn.kernel = "map"} {
    %r = gnn.map rows(%x, %y, %z : tensor<?x16xf32>, tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x16xf32> {
    ^bb0(%a: vector<16xf32>, %b: vector<8xf32>, %c: vector<8xf32>):
      gnn.yield %a : vector<16xf32>
    }
    return %r : tensor<?x16xf32>
  }
  func.func @forward(%x: tensor<?x8xf32> {gnn.input = "x"}, %w: tensor<8x8xf32> {gnn.weight = "w"}, %b: tensor<8xf32> {gnn.weight = "b"}) -> (tensor<?x16xf32> {gnn.output = "y"}) {
    %p = call @gemm_0(%x, %w) : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
    %q = call @gemm_1(%x, %w, %b) : (tensor<?x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<?x8xf32>
    %r:2 = call @map_0(%p) : (tensor<?x8xf32>) -> (tensor<?x16xf32>, tensor<?x8xf32>)
    %s = call @map_1(%r#0, %r#1, %q) : (tensor<?x16xf32>, tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x16xf32>
    return %s : tensor<?x16xf32>
  }
}
