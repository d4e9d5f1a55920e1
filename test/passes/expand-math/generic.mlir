// RUN: gnn-opt %s --gnn-expand-math | FileCheck %s

// Before SSE 4.1 no instruction rounds, before FMA none multiplies and adds: neither
// may become a call.
module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  // CHECK-LABEL: func @rounding
  // CHECK-NOT:     llvm.{{floor|ceil|trunc|roundeven}}
  // CHECK-NOT:     "llvm.fma"
  // CHECK:         llvm.call_intrinsic "llvm.fmuladd"
  func.func @rounding(%x: vector<4xf32>, %d: f64) -> (vector<4xf32>, vector<4xf32>, f64, f64, vector<4xf32>) {
    %a = math.floor %x : vector<4xf32>
    %b = math.ceil %x : vector<4xf32>
    %c = math.trunc %d : f64
    %e = math.roundeven %d : f64
    %f = math.fma %x, %a, %b : vector<4xf32>
    return %a, %b, %c, %e, %f : vector<4xf32>, vector<4xf32>, f64, f64, vector<4xf32>
  }
}
