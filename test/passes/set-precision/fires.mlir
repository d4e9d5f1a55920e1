// RUN: gnn-opt %s --gnn-set-precision --split-input-file | FileCheck %s
// RUN: gnn-opt %s --gnn-set-precision --gnn-set-precision --split-input-file | FileCheck %s

// Everything is f32; constants and both ends keep what they were.
// CHECK: module attributes {gnn.storage = bf16}
// CHECK-LABEL: func @bf16(
// CHECK-SAME:    tensor<?x4xf32> {gnn.input = "x", gnn.stored = bf16}
// CHECK-SAME:    tensor<?xf32> {gnn.graph_data = "edge_weight"}
// CHECK-SAME:    -> (tensor<?x4xf32> {gnn.output = "y", gnn.stored = bf16})
// CHECK-NOT:     bf16
// CHECK-NOT:     arith.extf
// CHECK-NOT:     arith.truncf
// CHECK:         arith.constant 5.000000e-01 : f32
// CHECK:         gnn.scatter sum {{.*}} tensor<?x4xf32>
func.func @bf16(%g: !gnn.graph<?x?x?>, %x: tensor<?x4xbf16> {gnn.input = "x"},
                %w: tensor<?xf32> {gnn.graph_data = "edge_weight"}) -> (tensor<?x4xbf16> {gnn.output = "y"}) {
  %c0 = arith.constant 0 : index
  %half = arith.constant 0.5 : bf16
  %m = gnn.gather %x, %g at src : tensor<?x4xbf16>, !gnn.graph<?x?x?> -> tensor<?x4xbf16>
  %n = tensor.dim %m, %c0 : tensor<?x4xbf16>
  %e = tensor.empty(%n) : tensor<?x4xbf16>
  %narrow = arith.truncf %w : tensor<?xf32> to tensor<?xbf16>
  %rows = linalg.broadcast ins(%narrow : tensor<?xbf16>) outs(%e : tensor<?x4xbf16>) dimensions = [1]
  %halves = linalg.fill ins(%half : bf16) outs(%e : tensor<?x4xbf16>) -> tensor<?x4xbf16>
  %a = arith.mulf %m, %rows : tensor<?x4xbf16>
  %b = arith.mulf %a, %halves : tensor<?x4xbf16>
  %y = gnn.scatter sum %b, %g at dst acc f32 : tensor<?x4xbf16>, !gnn.graph<?x?x?> -> tensor<?x4xbf16>
  return %y : tensor<?x4xbf16>
}

// -----

// A program of f32 is left alone.
// CHECK-NOT: gnn.storage
// CHECK-LABEL: func @f32(
func.func @f32(%x: tensor<4xf32> {gnn.input = "x"}) -> (tensor<4xf32> {gnn.output = "y"}) {
  %y = arith.addf %x, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
