// RUN: gnn-opt %s --gnn-expand-math | FileCheck %s
// RUN: gnn-opt %s --gnn-expand-math --gnn-expand-math | FileCheck %s

// CHECK-LABEL: func @rsqrt
// CHECK-SAME:  (%[[X:.*]]: f32)
// CHECK:         %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK:         %[[S:.*]] = llvm.call_intrinsic "llvm.sqrt"(%[[X]])
// CHECK:         arith.divf %[[ONE]], %[[S]]
func.func @rsqrt(%x: f32) -> f32 {
  %r = math.rsqrt %x : f32
  return %r : f32
}

// Neither target has a library: nothing but arithmetic may stay.
// CHECK-LABEL: func @library_functions
// CHECK-NOT:     math.
// CHECK:         return
func.func @library_functions(%x: vector<16xf32>) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
  %a = math.exp %x : vector<16xf32>
  %b = math.expm1 %x : vector<16xf32>
  %c = math.tanh %x : vector<16xf32>
  %d = math.erf %x : vector<16xf32>
  %e = math.log %x : vector<16xf32>
  return %a, %b, %c, %d, %e : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
}

// CHECK-LABEL: func @written_with_others
// CHECK-NOT:     math.
// CHECK:         return
func.func @written_with_others(%x: vector<4xf32>, %h: f16) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, f16) {
  %a = math.exp2 %x : vector<4xf32>
  %b = math.log10 %x : vector<4xf32>
  %c = math.cosh %x : vector<4xf32>
  %d = math.round %x : vector<4xf32>
  %e = math.tanh %h : f16
  return %a, %b, %c, %d, %e : vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, f16
}

// CHECK-LABEL: func @of_f64
// CHECK-NOT:     math.
// CHECK:         return
func.func @of_f64(%x: vector<4xf64>, %s: f64) -> (vector<4xf64>, vector<4xf64>, vector<4xf64>, vector<4xf64>, f64) {
  %a = math.exp %x : vector<4xf64>
  %b = math.log1p %x : vector<4xf64>
  %c = math.cosh %x : vector<4xf64>
  %d = math.round %x : vector<4xf64>
  %e = math.erf %s : f64
  return %a, %b, %c, %d, %e : vector<4xf64>, vector<4xf64>, vector<4xf64>, vector<4xf64>, f64
}

// e^x is scaled by a power of two that is made of bits, a half of the exponent at a time:
// 2^1024 and 2^-1074 have no exponent of their own.
// CHECK-LABEL: func @exp_of_f64
// CHECK-SAME:  (%[[X:.*]]: f64)
// CHECK-DAG:     %[[BIAS:.*]] = arith.constant 1023 : i64
// CHECK:         llvm.call_intrinsic "llvm.fmuladd"
// CHECK:         %[[HALF:.*]] = arith.shrsi %[[K:.*]], %{{.*}} : i64
// CHECK:         %[[E:.*]] = arith.addi %[[HALF]], %[[BIAS]]
// CHECK:         %[[S:.*]] = arith.shli %[[E]]
// CHECK:         arith.bitcast %[[S]] : i64 to f64
// CHECK:         arith.mulf
// CHECK:         arith.subi %[[K]], %[[HALF]]
// CHECK:         %[[R:.*]] = arith.mulf
// CHECK:         return %[[R]]
func.func @exp_of_f64(%x: f64) -> f64 {
  %r = math.exp %x : f64
  return %r : f64
}

// An instruction of both targets is named as the intrinsic, whatever the type.
// CHECK-LABEL: func @instructions
// CHECK:         llvm.call_intrinsic "llvm.sqrt"(%{{.*}}) : (f64) -> f64
// CHECK:         llvm.call_intrinsic "llvm.fabs"(%{{.*}}) : (vector<4xf32>) -> vector<4xf32>
// CHECK:         llvm.call_intrinsic "llvm.trunc"
// CHECK:         llvm.call_intrinsic "llvm.maxnum"
func.func @instructions(%x: f64, %v: vector<4xf32>) -> (f64, vector<4xf32>, vector<4xf32>, vector<4xf32>) {
  %r = math.sqrt %x : f64
  %a = math.absf %v : vector<4xf32>
  %t = math.trunc %v : vector<4xf32>
  %m = arith.maxnumf %v, %t : vector<4xf32>
  return %r, %a, %t, %m : f64, vector<4xf32>, vector<4xf32>, vector<4xf32>
}

// x - tanh(x) near 0 is a polynomial; tanh(x) - x, and other differences, are left.
// CHECK-LABEL: func @tanh_shrink
// CHECK-SAME:  (%[[X:.*]]: vector<4xf32>, %[[Y:.*]]: vector<4xf32>)
// CHECK:         %[[FAR:.*]] = arith.subf %[[X]], %{{.*}} : vector<4xf32>
// CHECK:         %[[U:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK:         %[[CUBE:.*]] = arith.mulf %[[X]], %[[U]]
// CHECK:         %[[NEAR:.*]] = arith.mulf %[[CUBE]], %{{.*}}
// CHECK:         arith.select %{{.*}}, %[[NEAR]], %[[FAR]]
// CHECK:         %[[OTHER:.*]] = arith.subf %[[Y]], %[[T:.*]] : vector<4xf32>
// CHECK:         %[[TURNED:.*]] = arith.subf %[[T]], %[[X]] : vector<4xf32>
// CHECK-NEXT:    return %{{.*}}, %[[OTHER]], %[[TURNED]]
func.func @tanh_shrink(%x: vector<4xf32>, %y: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>) {
  %t = math.tanh %x : vector<4xf32>
  %s = arith.subf %x, %t : vector<4xf32>
  %o = arith.subf %y, %t : vector<4xf32>
  %r = arith.subf %t, %x : vector<4xf32>
  return %s, %o, %r : vector<4xf32>, vector<4xf32>, vector<4xf32>
}
