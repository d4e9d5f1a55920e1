// RUN: gnn-opt %s --gnn-set-precision --split-input-file --verify-diagnostics

func.func @two_types(%x: tensor<4xbf16> {gnn.input = "x"}) -> (tensor<4xf16> {gnn.output = "y"}) {
  %wide = arith.extf %x : tensor<4xbf16> to tensor<4xf32>
  // expected-error @+1 {{has elements of 'f16', other ops of the program of 'bf16'; a program stores one 16-bit type}}
  %y = arith.truncf %wide : tensor<4xf32> to tensor<4xf16>
  return %y : tensor<4xf16>
}

// -----

func.func @f64_too(%x: tensor<4xbf16> {gnn.input = "x"}) -> (tensor<4xf64> {gnn.output = "y"}) {
  // expected-error @+1 {{has elements of f64 in a program that stores 'bf16'; f64 is not stored in 16 bits, make it f32 or all of it f64}}
  %y = arith.extf %x : tensor<4xbf16> to tensor<4xf64>
  return %y : tensor<4xf64>
}

// -----

func.func @bits(%x: tensor<4xbf16> {gnn.input = "x"}) -> (tensor<4xi16> {gnn.output = "y"}) {
  // expected-error @+1 {{looks at the bits of 'bf16', which a program computes in f32; there is no code for it}}
  %y = arith.bitcast %x : tensor<4xbf16> to tensor<4xi16>
  return %y : tensor<4xi16>
}
