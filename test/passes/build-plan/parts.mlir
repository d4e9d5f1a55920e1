// RUN: gnn-opt %s --gnn-set-target --gnn-program-pipeline --gnn-form-kernels --gnn-assign-schedules --gnn-build-plan --split-input-file | FileCheck %s
// RUN: gnn-opt %s --gnn-set-target --gnn-program-pipeline --gnn-form-kernels --gnn-assign-schedules --gnn-build-plan --split-input-file --mlir-print-op-generic | gnn-opt --split-input-file -o /dev/null

// Halves of a weight are cut out once per graph, and multiplied in each run.
// CHECK:      gnn_plan.prepare
// CHECK-NEXT:   gnn_plan.graph_call slice in(%lin) out(%[[A:.*]]) nodes(0, 0) edges(0) offsets [0, 0] sizes [4, 3]
// CHECK-NEXT:   gnn_plan.graph_call slice in(%lin) out(%[[B:.*]]) nodes(0, 0) edges(0) offsets [0, 3] sizes [4, 3]
// CHECK:      gnn_plan.forward
// CHECK-DAG:    gnn_plan.gemm %{{.*}} = %x, %[[A]] transpose_b
// CHECK-DAG:    gnn_plan.gemm %{{.*}} = %x, %[[B]] transpose_b
#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d1, d2)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<9x3xf32> {gnn.input = "x"}, %w: tensor<4x6xf32> {gnn.weight = "lin"}) -> (tensor<9x4xf32> {gnn.output = "a"}, tensor<9x4xf32> {gnn.output = "b"}) {
  %zero = arith.constant dense<0.0> : tensor<9x4xf32>
  %l = tensor.extract_slice %w[0, 0] [4, 3] [1, 1] : tensor<4x6xf32> to tensor<4x3xf32>
  %r = tensor.extract_slice %w[0, 3] [4, 3] [1, 1] : tensor<4x6xf32> to tensor<4x3xf32>
  %p = linalg.matmul indexing_maps = [#a, #b, #c] ins(%x, %l : tensor<9x3xf32>, tensor<4x3xf32>) outs(%zero : tensor<9x4xf32>) -> tensor<9x4xf32>
  %q = linalg.matmul indexing_maps = [#a, #b, #c] ins(%x, %r : tensor<9x3xf32>, tensor<4x3xf32>) outs(%zero : tensor<9x4xf32>) -> tensor<9x4xf32>
  return %p, %q : tensor<9x4xf32>, tensor<9x4xf32>
}

// -----

// A weight in another shape, rows and columns joined.
// CHECK:      gnn_plan.graph_call slice in(%att) out(%[[A:.*]]) nodes(0, 0) edges(0) offsets [0, 0, 0] sizes [2, 4, 3]
// CHECK:      gnn_plan.gemm %a = %x, %[[A]] transpose_b
#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d1, d2)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<9x3xf32> {gnn.input = "x"}, %w: tensor<2x4x3xf32> {gnn.weight = "att"}) -> (tensor<9x8xf32> {gnn.output = "a"}) {
  %zero = arith.constant dense<0.0> : tensor<9x8xf32>
  %l = tensor.collapse_shape %w [[0, 1], [2]] : tensor<2x4x3xf32> into tensor<8x3xf32>
  %p = linalg.matmul indexing_maps = [#a, #b, #c] ins(%x, %l : tensor<9x3xf32>, tensor<8x3xf32>) outs(%zero : tensor<9x8xf32>) -> tensor<9x8xf32>
  return %p : tensor<9x8xf32>
}

// -----

// Rows of heads x features are multiplied as they lie in memory; nothing copies them.
// CHECK:      gnn_plan.forward
// CHECK-NEXT:   gnn_plan.gemm %out = %x, %lin transpose_b
// CHECK-NEXT: }
#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d1, d2)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<9x2x3xf32> {gnn.input = "x"}, %w: tensor<4x6xf32> {gnn.weight = "lin"}) -> (tensor<9x4xf32> {gnn.output = "out"}) {
  %zero = arith.constant dense<0.0> : tensor<9x4xf32>
  %r = tensor.collapse_shape %x [[0], [1, 2]] : tensor<9x2x3xf32> into tensor<9x6xf32>
  %p = linalg.matmul indexing_maps = [#a, #b, #c] ins(%r, %w : tensor<9x6xf32>, tensor<4x6xf32>) outs(%zero : tensor<9x4xf32>) -> tensor<9x4xf32>
  return %p : tensor<9x4xf32>
}
