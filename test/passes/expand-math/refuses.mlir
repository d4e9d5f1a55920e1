// RUN: gnn-opt %s --gnn-expand-math --split-input-file --verify-diagnostics

// What no target has as an instruction and what has no approximation that is right
// everywhere would end as a call of a library that is not there.

func.func @sin(%x: vector<4xf32>) -> vector<4xf32> {
  // expected-error @below {{'math.sin' op has no kernel code for 'f32'; docs/passes/kernel.md lists the functions of each type (gnn-expand-math)}}
  %r = math.sin %x : vector<4xf32>
  return %r : vector<4xf32>
}

// -----

func.func @sinh(%x: f32) -> f32 {
  // expected-error @below {{'math.sinh' op has no kernel code for 'f32'}}
  %r = math.sinh %x : f32
  return %r : f32
}

// -----

func.func @atan2(%x: f32) -> f32 {
  // expected-error @below {{'math.atan2' op has no kernel code for 'f32'}}
  %r = math.atan2 %x, %x : f32
  return %r : f32
}

// -----

func.func @remainder(%x: f32) -> f32 {
  // expected-error @below {{'arith.remf' op has no kernel code for 'f32'}}
  %r = arith.remf %x, %x : f32
  return %r : f32
}

// -----

func.func @power_of_f64(%x: f64) -> f64 {
  // expected-error @below {{'math.powf' op has no kernel code for 'f64'}}
  %r = math.powf %x, %x : f64
  return %r : f64
}

// -----

func.func @log10_of_f128(%x: f128) -> f128 {
  // expected-error @below {{'math.log10' op has no kernel code for 'f128'}}
  %r = math.log10 %x : f128
  return %r : f128
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func @floor_of_f16(%x: f16) -> f16 {
    // expected-error @below {{'math.floor' op has no kernel code for 'f16'}}
    %r = math.floor %x : f16
    return %r : f16
  }
}

// -----

// Not lowered yet.
func.func @tensor(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'math.exp' op gives 'tensor<4xf32>', and gnn-expand-math takes scalars and vectors; run gnn-form-kernels and gnn-lower-to-cpu or gnn-lower-to-gpu first}}
  %r = math.exp %x : tensor<4xf32>
  return %r : tensor<4xf32>
}
