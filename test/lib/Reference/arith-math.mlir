// RUN: gnn-eval --entry @floats %s | FileCheck %s --check-prefix=FLOATS
// RUN: gnn-eval --entry @nans %s | FileCheck %s --check-prefix=NANS
// RUN: gnn-eval --entry @integers %s | FileCheck %s --check-prefix=INTEGERS
// RUN: gnn-eval --entry @functions %s | FileCheck %s --check-prefix=FUNCTIONS

// Constants are the f32 values, computed with in float64.
// FLOATS: #0: 2xf64 [0.300000004, 3]
// FLOATS: #1: 2xf64 [-0.100000001, 1]
// FLOATS: #2: 2xf64 [0.0200000006, 2]
// FLOATS: #3: 2xf64 [0.5, 0.5]
// FLOATS: #4: f64 -1
func.func @floats() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, f32) {
  %a = arith.constant dense<[0.1, 1.0]> : tensor<2xf32>
  %b = arith.constant dense<[0.2, 2.0]> : tensor<2xf32>
  %add = arith.addf %a, %b : tensor<2xf32>
  %neg = arith.negf %a : tensor<2xf32>
  %t = arith.constant dense<[true, false]> : tensor<2xi1>
  %sel = arith.select %t, %neg, %a : tensor<2xi1>, tensor<2xf32>
  %mul = arith.mulf %a, %b : tensor<2xf32>
  %div = arith.divf %a, %b : tensor<2xf32>
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %sub = arith.subf %one, %two : f32
  return %add, %sel, %mul, %div, %sub : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, f32
}

// maximumf hands a NaN on, maxnumf passes it by; no NaN is ordered.
// NANS: #0: 3xf64 [nan, nan, 2]
// NANS: #1: 3xf64 [1, 2, 2]
// NANS: #2: 3xf64 [nan, nan, -1]
// NANS: #3: 3xi64 [0, 0, 1]
// NANS: #4: 3xi64 [1, 1, 1]
func.func @nans() -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xi1>, tensor<3xi1>) {
  %a = arith.constant dense<[0x7FC00000, 2.0, -1.0]> : tensor<3xf32>
  %b = arith.constant dense<[1.0, 0x7FC00000, 2.0]> : tensor<3xf32>
  %max = arith.maximumf %a, %b : tensor<3xf32>
  %num = arith.maxnumf %a, %b : tensor<3xf32>
  %min = arith.minimumf %a, %b : tensor<3xf32>
  %less = arith.cmpf olt, %a, %b : tensor<3xf32>
  %ult = arith.cmpf ult, %a, %b : tensor<3xf32>
  return %max, %num, %min, %less, %ult : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xi1>, tensor<3xi1>
}

// INTEGERS: #0: i64 -128
// INTEGERS: #1: i64 -4
// INTEGERS: #2: i64 -3
// INTEGERS: #3: i64 0
// INTEGERS: #4: i64 1
// INTEGERS: #5: f64 -7
func.func @integers() -> (i8, index, index, i1, i1, f32) {
  %a = arith.constant 127 : i8
  %one = arith.constant 1 : i8
  %wrap = arith.addi %a, %one : i8
  %n = arith.constant -7 : index
  %d = arith.constant 2 : index
  %floor = arith.floordivsi %n, %d : index
  %trunc = arith.divsi %n, %d : index
  %ult = arith.cmpi ult, %n, %d : index
  %slt = arith.cmpi slt, %n, %d : index
  %i = arith.index_cast %n : index to i64
  %f = arith.sitofp %i : i64 to f32
  return %wrap, %floor, %trunc, %ult, %slt, %f : i8, index, index, i1, i1, f32
}

// FUNCTIONS: #0: 3xf64 [inf, 0.5, nan]
// FUNCTIONS: #1: 3xf64 [1, 54.59815, 0.367879441]
// FUNCTIONS: #2: 3xf64 [0, 0.9993293, -0.761594156]
// FUNCTIONS: #3: 3xf64 [0, 4, 1]
// FUNCTIONS: #4: 3xf64 [0, 16, 1]
// FUNCTIONS: #5: 3xf64 [-inf, 1.38629436, nan]
// FUNCTIONS: #6: 3xf64 [0, 0.999999985, -0.842700793]
// FUNCTIONS: #7: 3xf64 [0, 53.59815, -0.632120559]
func.func @functions() -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %x = arith.constant dense<[0.0, 4.0, -1.0]> : tensor<3xf32>
  %two = arith.constant dense<2.0> : tensor<3xf32>
  %a = math.rsqrt %x : tensor<3xf32>
  %b = math.exp %x : tensor<3xf32>
  %c = math.tanh %x : tensor<3xf32>
  %d = math.absf %x : tensor<3xf32>
  %e = math.powf %x, %two : tensor<3xf32>
  %f = math.log %x : tensor<3xf32>
  %g = math.erf %x : tensor<3xf32>
  %h = math.expm1 %x : tensor<3xf32>
  return %a, %b, %c, %d, %e, %f, %g, %h : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}
