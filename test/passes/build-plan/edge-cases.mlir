// RUN: gnn-opt %s --gnn-build-plan --split-input-file | FileCheck %s

// Static extents of the graph become constants and guards; x gives its rows to
// the graph it is used with.
// CHECK-LABEL: gnn_plan.program @static_extents
// CHECK:      %src = gnn_plan.buffer graph_index "src" i32[400]
// CHECK:      %x = gnn_plan.buffer input "x" f32[50, 4]
// CHECK:      %y = gnn_plan.buffer output "y" f32[n, 4]
// CHECK:      gnn_plan.guard equal(m) limit 50 "the program was compiled for 50 source nodes"
// CHECK-NEXT: gnn_plan.guard equal(e) limit 400 "the program was compiled for 400 edges"
// CHECK-NEXT: gnn_plan.guard max(n) limit 2147483647 "destination nodes fit 32-bit indices"
// CHECK-NEXT: gnn_plan.prepare
module @static_extents attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func private @sum(%g: !gnn.graph<?x?x400, i32, csr>, %h: tensor<50x4xf32>) -> tensor<?x4xf32> attributes {gnn.kernel = "aggregate"} {
    %o = gnn.aggregate %g src(%h : tensor<50x4xf32>) reduce [sum] acc f32 schedule(#gnn.cpu_schedule<tile = 16, prefetch = 8>) : !gnn.graph<?x?x400, i32, csr> -> tensor<?x4xf32> message {
    ^bb0(%x: vector<4xf32>):
      gnn.yield %x : vector<4xf32>
    }
    return %o : tensor<?x4xf32>
  }
  func.func @prepare(%g: !gnn.graph<?x?x400, i32>) -> !gnn.graph<?x?x400, i32, csr> {
    %csr = gnn.to_csr %g : !gnn.graph<?x?x400, i32> -> !gnn.graph<?x?x400, i32, csr>
    return %csr : !gnn.graph<?x?x400, i32, csr>
  }
  func.func @forward(%x: tensor<50x4xf32> {gnn.input = "x"}, %csr: !gnn.graph<?x?x400, i32, csr> {gnn.prepared = 0 : i64}) -> (tensor<?x4xf32> {gnn.output = "y"}) {
    %y = call @sum(%csr, %x) : (!gnn.graph<?x?x400, i32, csr>, tensor<50x4xf32>) -> tensor<?x4xf32>
    return %y : tensor<?x4xf32>
  }
}

// -----

// 64-bit row pointers need no guard and cannot balance the host's ranges.
// CHECK-LABEL: gnn_plan.program @wide_indices
// CHECK-NOT:  gnn_plan.guard
// CHECK:      gnn_plan.launch @sum(%csr.rowptr, %csr.col, %x, out %y) items(n) bytes
module @wide_indices attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func private @sum(%g: !gnn.graph<?x?x?, csr>, %h: tensor<?x4xf32>) -> tensor<?x4xf32> attributes {gnn.kernel = "aggregate"} {
    %o = gnn.aggregate %g src(%h : tensor<?x4xf32>) reduce [sum] acc f32 schedule(#gnn.cpu_schedule<tile = 16, prefetch = 8>) : !gnn.graph<?x?x?, csr> -> tensor<?x4xf32> message {
    ^bb0(%x: vector<4xf32>):
      gnn.yield %x : vector<4xf32>
    }
    return %o : tensor<?x4xf32>
  }
  func.func @prepare(%g: !gnn.graph<?x?x?>) -> !gnn.graph<?x?x?, csr> {
    %csr = gnn.to_csr %g : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, csr>
    return %csr : !gnn.graph<?x?x?, csr>
  }
  func.func @forward(%x: tensor<?x4xf32> {gnn.input = "x"}, %csr: !gnn.graph<?x?x?, csr> {gnn.prepared = 0 : i64}) -> (tensor<?x4xf32> {gnn.output = "y"}) {
    %y = call @sum(%csr, %x) : (!gnn.graph<?x?x?, csr>, tensor<?x4xf32>) -> tensor<?x4xf32>
    return %y : tensor<?x4xf32>
  }
}

// -----

// Prepare may compute on weights alone, return a weight or graph data as they
// are, and return what nobody reads; an output may feed a later kernel. No graph:
// no prepare needed for products.
// CHECK-LABEL: gnn_plan.program @prepared_weights
// CHECK:      %w0 = gnn_plan.buffer weight "w0" f32[8, 4]
// CHECK:      %w1 = gnn_plan.buffer weight "w1" f32[8, 8]
// CHECK-NEXT: %product = gnn_plan.buffer persistent "product" f32[8, 4]
// CHECK-NEXT: %product.1 = gnn_plan.buffer transient "product.1" f32[8, 4]
// CHECK-NEXT: %x = gnn_plan.buffer input "x" f32[100, 8]
// CHECK-NEXT: %b = gnn_plan.buffer weight "b" f32[4]
// CHECK-NEXT: %h = gnn_plan.buffer output "h" f32[100, 4]
// CHECK-NEXT: %y = gnn_plan.buffer output "y" f32[100, 8]
// CHECK-NEXT: gnn_plan.prepare {
// CHECK-NEXT:   gnn_plan.gemm %product = %w1, %w0{{$}}
// CHECK-NEXT:   gnn_plan.gemm %product.1 = %w1, %w0{{$}}
// CHECK-NEXT: }
// CHECK-NEXT: gnn_plan.forward {
// CHECK-NEXT:   gnn_plan.gemm %h = %x, %product bias(%b) activation relu
// CHECK-NEXT:   gnn_plan.gemm %y = %h, %w0 transpose_b
module @prepared_weights attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func private @product(%a: tensor<8x8xf32>, %b: tensor<8x4xf32>) -> tensor<8x4xf32> attributes {gnn.kernel = "gemm"} {
    %zeros = arith.constant dense<0.0> : tensor<8x4xf32>
    %c = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x4xf32>) outs(%zeros : tensor<8x4xf32>) -> tensor<8x4xf32>
    return %c : tensor<8x4xf32>
  }
  func.func private @first(%bias: tensor<4xf32>, %b: tensor<8x4xf32>, %a: tensor<100x8xf32>) -> tensor<100x4xf32> attributes {gnn.kernel = "gemm"} {
    %zero = arith.constant 0.0 : f32
    %init = tensor.empty() : tensor<100x4xf32>
    %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<100x4xf32>) -> tensor<100x4xf32>
    %c = linalg.matmul ins(%a, %b : tensor<100x8xf32>, tensor<8x4xf32>) outs(%zeros : tensor<100x4xf32>) -> tensor<100x4xf32>
    %rows = linalg.broadcast ins(%bias : tensor<4xf32>) outs(%init : tensor<100x4xf32>) dimensions = [0]
    %s = arith.addf %rows, %c : tensor<100x4xf32>
    %r = arith.maximumf %zeros, %s : tensor<100x4xf32>
    return %r : tensor<100x4xf32>
  }
  func.func private @second(%a: tensor<100x4xf32>, %b: tensor<8x4xf32>) -> tensor<100x8xf32> attributes {gnn.kernel = "gemm"} {
    %zero = arith.constant 0.0 : f32
    %zeros = tensor.splat %zero : tensor<100x8xf32>
    %c = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>]
        ins(%a, %b : tensor<100x4xf32>, tensor<8x4xf32>) outs(%zeros : tensor<100x8xf32>) -> tensor<100x8xf32>
    return %c : tensor<100x8xf32>
  }
  func.func @prepare(%w0: tensor<8x4xf32> {gnn.weight = "w0"}, %w1: tensor<8x8xf32> {gnn.weight = "w1"}) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
    %p = call @product(%w1, %w0) : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %q = call @product(%w1, %w0) : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    return %p, %w0, %q : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
  }
  func.func @forward(%x: tensor<100x8xf32> {gnn.input = "x"}, %b: tensor<4xf32> {gnn.weight = "b"},
                     %p: tensor<8x4xf32> {gnn.prepared = 0 : i64}, %w: tensor<8x4xf32> {gnn.prepared = 1 : i64}) -> (tensor<100x4xf32> {gnn.output = "h"}, tensor<100x8xf32> {gnn.output = "y"}) {
    %h = call @first(%b, %p, %x) : (tensor<4xf32>, tensor<8x4xf32>, tensor<100x8xf32>) -> tensor<100x4xf32>
    %y = call @second(%h, %w) : (tensor<100x4xf32>, tensor<8x4xf32>) -> tensor<100x8xf32>
    return %h, %y : tensor<100x4xf32>, tensor<100x8xf32>
  }
}

// -----

// An intermediate result never takes a public name.
// CHECK-LABEL: gnn_plan.program @names
// CHECK:      %product = gnn_plan.buffer weight "product" f32[8, 8]
// CHECK:      %product.1 = gnn_plan.buffer transient "product.1" f32[8, 8]
// CHECK:      gnn_plan.gemm %product.1 = %x, %product
module @names attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func private @product(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {gnn.kernel = "gemm"} {
    %zeros = arith.constant dense<0.0> : tensor<8x8xf32>
    %c = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%zeros : tensor<8x8xf32>) -> tensor<8x8xf32>
    return %c : tensor<8x8xf32>
  }
  func.func @forward(%x: tensor<8x8xf32> {gnn.input = "x"}, %w: tensor<8x8xf32> {gnn.weight = "product"}) -> (tensor<8x8xf32> {gnn.output = "y"}) {
    %h = call @product(%x, %w) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %y = call @product(%h, %w) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    return %y : tensor<8x8xf32>
  }
}
