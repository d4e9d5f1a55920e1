// The arithmetic of f32 products on cuda is the option's; every other product has its own.
// RUN: gnn-opt %s --gnn-build-plan | FileCheck %s --check-prefixes=CHECK,FP32
// RUN: gnn-opt %s --gnn-build-plan=products=fp32x3 | FileCheck %s --check-prefixes=CHECK,SPLIT
// RUN: gnn-opt %s --gnn-build-plan=products=tf32 | FileCheck %s --check-prefixes=CHECK,TF32
// RUN: sed 's/<cuda, "sm_90">/<cpu, "generic">/' %s | gnn-opt --gnn-build-plan=products=fp32x3 | FileCheck %s --check-prefixes=CHECK,FP32
// RUN: not gnn-opt %s --gnn-build-plan=products=bf16 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: error: gnn-build-plan: products is fp32, fp32x3 or tf32, found 'bf16'

// FP32:       gnn_plan.gemm %single = %x, %w{{$}}
// SPLIT:      gnn_plan.gemm %single = %x, %w precision fp32x3{{$}}
// TF32:       gnn_plan.gemm %single = %x, %w precision tf32{{$}}
// CHECK-NEXT: gnn_plan.gemm %double = %x64, %w64{{$}}
// CHECK-NEXT: gnn_plan.gemm %half = %x16, %w16 precision bf16{{$}}
module attributes {gnn.target = #gnn.target<cuda, "sm_90">} {
  func.func private @single(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) -> tensor<4x4xf32> attributes {gnn.kernel = "gemm"} {
    %zeros = arith.constant dense<0.0> : tensor<4x4xf32>
    %ab = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%zeros : tensor<4x4xf32>) -> tensor<4x4xf32>
    return %ab : tensor<4x4xf32>
  }
  func.func private @double(%a: tensor<4x8xf64>, %b: tensor<8x4xf64>) -> tensor<4x4xf64> attributes {gnn.kernel = "gemm"} {
    %zeros = arith.constant dense<0.0> : tensor<4x4xf64>
    %ab = linalg.matmul ins(%a, %b : tensor<4x8xf64>, tensor<8x4xf64>) outs(%zeros : tensor<4x4xf64>) -> tensor<4x4xf64>
    return %ab : tensor<4x4xf64>
  }
  func.func private @half(%a: tensor<4x8xbf16>, %b: tensor<8x4xbf16>) -> tensor<4x4xf32> attributes {gnn.kernel = "gemm"} {
    %zeros = arith.constant dense<0.0> : tensor<4x4xf32>
    %ab = linalg.matmul ins(%a, %b : tensor<4x8xbf16>, tensor<8x4xbf16>) outs(%zeros : tensor<4x4xf32>) -> tensor<4x4xf32>
    return %ab : tensor<4x4xf32>
  }
  func.func @forward(%x: tensor<4x8xf32> {gnn.input = "x"}, %w: tensor<8x4xf32> {gnn.weight = "w"},
                     %x64: tensor<4x8xf64> {gnn.input = "x64"}, %w64: tensor<8x4xf64> {gnn.weight = "w64"},
                     %x16: tensor<4x8xbf16> {gnn.input = "x16"}, %w16: tensor<8x4xbf16> {gnn.weight = "w16"})
      -> (tensor<4x4xf32> {gnn.output = "single"}, tensor<4x4xf64> {gnn.output = "double"}, tensor<4x4xf32> {gnn.output = "half"}) {
    %0 = call @single(%x, %w) : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    %1 = call @double(%x64, %w64) : (tensor<4x8xf64>, tensor<8x4xf64>) -> tensor<4x4xf64>
    %2 = call @half(%x16, %w16) : (tensor<4x8xbf16>, tensor<8x4xbf16>) -> tensor<4x4xf32>
    return %0, %1, %2 : tensor<4x4xf32>, tensor<4x4xf64>, tensor<4x4xf32>
  }
}
