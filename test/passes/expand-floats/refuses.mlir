// RUN: gnn-opt %s --gnn-expand-floats --split-input-file --verify-diagnostics

module attributes {gnn.target = #gnn.target<cpu, "x86-64-v4">} {
  func.func @bf16(%x: bf16) -> bf16 {
    // expected-error @+1 {{'arith.addf' op computes in 'bf16', for which the processor has no instructions; gnn-set-precision makes it f32}}
    %y = arith.addf %x, %x : bf16
    return %y : bf16
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "x86-64-v2">} {
  func.func @f16(%x: vector<4xf16>) -> vector<4xf16> {
    // expected-error @+1 {{'arith.mulf' op computes in 'f16', for which the processor has no instructions; gnn-set-precision makes it f32}}
    %y = arith.mulf %x, %x : vector<4xf16>
    return %y : vector<4xf16>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "x86-64-v2">} {
  func.func @to_f64(%x: vector<4xf16>) -> vector<4xf64> {
    // expected-error @+1 {{'arith.extf' op converts 'f16' to 'f64', for which there is no code; go by way of f32}}
    %y = arith.extf %x : vector<4xf16> to vector<4xf64>
    return %y : vector<4xf64>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "x86-64-v3">} {
  func.func @from_f64(%x: f64) -> bf16 {
    // expected-error @+1 {{'arith.truncf' op converts 'f64' to 'bf16', for which there is no code; go by way of f32}}
    %y = arith.truncf %x : f64 to bf16
    return %y : bf16
  }
}
