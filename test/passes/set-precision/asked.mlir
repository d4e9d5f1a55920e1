// RUN: gnn-opt %s --gnn-set-precision=storage=f16 | FileCheck %s
// RUN: not gnn-opt %s --gnn-set-precision=storage=f8 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: gnn-set-precision: storage is program, bf16 or f16, found 'f8'

// Storage that is asked for: both ends stay as the program states them.
// CHECK: module attributes {gnn.storage = f16}
// CHECK-LABEL: func @f32(
// CHECK-SAME:    tensor<4xf32> {gnn.input = "x"}) -> (tensor<4xf32> {gnn.output = "y"})
func.func @f32(%x: tensor<4xf32> {gnn.input = "x"}) -> (tensor<4xf32> {gnn.output = "y"}) {
  %y = arith.addf %x, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
