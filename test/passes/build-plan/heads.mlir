// One product for each head: every place that heads have in a weight, and both forms of
// the result, becomes one command.
// RUN: gnn-opt %s --gnn-form-kernels --gnn-assign-schedules --gnn-build-plan | FileCheck %s

// The first is one row, heads apart.
// CHECK-DAG: %[[A:.*]] = gnn_plan.buffer transient "{{.*}}" f32[1, 2, 3]
// CHECK:     gnn_plan.prepare
// CHECK:       gnn_plan.gemm %[[A]] = %a, %w heads 2
// CHECK:     gnn_plan.forward
// CHECK:       gnn_plan.gemm %{{.*}} = %x, %w heads 2 transpose_b bias(%bias) residual(%r) activation relu
// CHECK:       gnn_plan.gemm %{{.*}} = %x, %v heads 2 beside
// CHECK:       gnn_plan.gemm %{{.*}} = %x, %u heads 2 beside transpose_b
#rows = affine_map<(n, h, c, k) -> (n, h, k)>
#out = affine_map<(n, h, c, k) -> (n, h, c)>
#hck = affine_map<(n, h, c, k) -> (h, c, k)>
#hkc = affine_map<(n, h, c, k) -> (h, k, c)>
#khc = affine_map<(n, h, c, k) -> (k, h, c)>
#chk = affine_map<(n, h, c, k) -> (c, h, k)>
module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func @prepare(%a: tensor<1x2x4xf32> {gnn.weight = "a"}, %w: tensor<8x3xf32> {gnn.weight = "w"}) -> tensor<2x3xf32> {
    %zeros = arith.constant dense<0.0> : tensor<1x2x3xf32>
    %w3 = tensor.expand_shape %w [[0, 1], [2]] output_shape [2, 4, 3] : tensor<8x3xf32> into tensor<2x4x3xf32>
    %y = linalg.contract indexing_maps = [#rows, #hkc, #out] ins(%a, %w3 : tensor<1x2x4xf32>, tensor<2x4x3xf32>) outs(%zeros : tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
    %flat = tensor.collapse_shape %y [[0, 1], [2]] : tensor<1x2x3xf32> into tensor<2x3xf32>
    return %flat : tensor<2x3xf32>
  }
  func.func @forward(%x: tensor<5x2x3xf32> {gnn.input = "x"}, %r: tensor<5x8xf32> {gnn.input = "r"}, %w: tensor<8x3xf32> {gnn.weight = "w"},
                     %v: tensor<3x8xf32> {gnn.weight = "v"}, %u: tensor<4x6xf32> {gnn.weight = "u"}, %bias: tensor<8xf32> {gnn.weight = "bias"},
                     %p: tensor<2x3xf32> {gnn.prepared = 0})
      -> (tensor<5x8xf32> {gnn.output = "one"}, tensor<5x8xf32> {gnn.output = "two"}, tensor<5x8xf32> {gnn.output = "three"}, tensor<2x3xf32> {gnn.output = "four"}) {
    %zero = arith.constant 0.0 : f32
    %e3 = tensor.empty() : tensor<5x2x4xf32>
    %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<5x2x4xf32>) -> tensor<5x2x4xf32>
    %e = tensor.empty() : tensor<5x8xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x8xf32>) -> tensor<5x8xf32>
    %w3 = tensor.expand_shape %w [[0, 1], [2]] output_shape [2, 4, 3] : tensor<8x3xf32> into tensor<2x4x3xf32>
    %one3 = linalg.contract indexing_maps = [#rows, #hck, #out] ins(%x, %w3 : tensor<5x2x3xf32>, tensor<2x4x3xf32>) outs(%z3 : tensor<5x2x4xf32>) -> tensor<5x2x4xf32>
    %one2 = tensor.collapse_shape %one3 [[0], [1, 2]] : tensor<5x2x4xf32> into tensor<5x8xf32>
    %biases = linalg.broadcast ins(%bias : tensor<8xf32>) outs(%e : tensor<5x8xf32>) dimensions = [0]
    %shifted = arith.addf %one2, %biases : tensor<5x8xf32>
    %sum = arith.addf %shifted, %r : tensor<5x8xf32>
    %one = arith.maximumf %sum, %z : tensor<5x8xf32>
    %v3 = tensor.expand_shape %v [[0], [1, 2]] output_shape [3, 2, 4] : tensor<3x8xf32> into tensor<3x2x4xf32>
    %two3 = linalg.contract indexing_maps = [#rows, #khc, #out] ins(%x, %v3 : tensor<5x2x3xf32>, tensor<3x2x4xf32>) outs(%z3 : tensor<5x2x4xf32>) -> tensor<5x2x4xf32>
    %two = tensor.collapse_shape %two3 [[0], [1, 2]] : tensor<5x2x4xf32> into tensor<5x8xf32>
    %u3 = tensor.expand_shape %u [[0], [1, 2]] output_shape [4, 2, 3] : tensor<4x6xf32> into tensor<4x2x3xf32>
    %three3 = linalg.contract indexing_maps = [#rows, #chk, #out] ins(%x, %u3 : tensor<5x2x3xf32>, tensor<4x2x3xf32>) outs(%z3 : tensor<5x2x4xf32>) -> tensor<5x2x4xf32>
    %three = tensor.collapse_shape %three3 [[0], [1, 2]] : tensor<5x2x4xf32> into tensor<5x8xf32>
    %four = arith.addf %p, %p : tensor<2x3xf32>
    return %one, %two, %three, %four : tensor<5x8xf32>, tensor<5x8xf32>, tensor<5x8xf32>, tensor<2x3xf32>
  }
}
