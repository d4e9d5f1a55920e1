// RUN: gnn-opt %s --gnn-expand-math | FileCheck %s
// RUN: gnn-opt %s --gnn-expand-math --gnn-expand-math | FileCheck %s

// CHECK-LABEL: func @rsqrt
// CHECK-SAME:  (%[[X:.*]]: f32)
// CHECK:         %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK:         %[[S:.*]] = math.sqrt %[[X]]
// CHECK:         arith.divf %[[ONE]], %[[S]]
func.func @rsqrt(%x: f32) -> f32 {
  %r = math.rsqrt %x : f32
  return %r : f32
}

// Neither target has a library: nothing but arithmetic may stay.
// CHECK-LABEL: func @library_functions
// CHECK-NOT:     math.{{exp|tanh|erf|log}}
// CHECK:         return
func.func @library_functions(%x: vector<16xf32>) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
  %a = math.exp %x : vector<16xf32>
  %b = math.expm1 %x : vector<16xf32>
  %c = math.tanh %x : vector<16xf32>
  %d = math.erf %x : vector<16xf32>
  %e = math.log %x : vector<16xf32>
  return %a, %b, %c, %d, %e : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
}

// sqrt is an instruction of both targets.
// CHECK-LABEL: func @sqrt_stays
// CHECK:         math.sqrt
func.func @sqrt_stays(%x: f32) -> f32 {
  %r = math.sqrt %x : f32
  return %r : f32
}
