// RUN: gnn-opt %s --gnn-raise-softmax --split-input-file | FileCheck %s

// A power of two.
// CHECK-LABEL: func.func @no_power
// CHECK-NOT:     gnn.segment_softmax
// CHECK:         return
func.func @no_power(%g: !gnn.graph<5x5x7>, %h: !gnn.graph<5x5x7>, %s: tensor<7xf32>, %t: tensor<7xf32>) -> tensor<7xf32> {
  %tiny = arith.constant dense<1.0e-16> : tensor<7xf32>
  %max = gnn.scatter max %s, %g at dst acc f32 : tensor<7xf32>, !gnn.graph<5x5x7> -> tensor<5xf32>
  %m = gnn.gather %max, %g at dst : tensor<5xf32>, !gnn.graph<5x5x7> -> tensor<7xf32>
  %d = arith.subf %s, %m : tensor<7xf32>
  %p = math.exp2 %d : tensor<7xf32>
  %sum = gnn.scatter sum %p, %g at dst acc f32 : tensor<7xf32>, !gnn.graph<5x5x7> -> tensor<5xf32>
  %q = gnn.gather %sum, %g at dst : tensor<5xf32>, !gnn.graph<5x5x7> -> tensor<7xf32>
  %safe = arith.addf %q, %tiny : tensor<7xf32>
  %a = arith.divf %p, %safe : tensor<7xf32>
  return %a : tensor<7xf32>
}

// -----

// Divided by a mean.
// CHECK-LABEL: func.func @mean_of_powers
// CHECK-NOT:     gnn.segment_softmax
// CHECK:         return
func.func @mean_of_powers(%g: !gnn.graph<5x5x7>, %h: !gnn.graph<5x5x7>, %s: tensor<7xf32>, %t: tensor<7xf32>) -> tensor<7xf32> {
  %tiny = arith.constant dense<1.0e-16> : tensor<7xf32>
  %max = gnn.scatter max %s, %g at dst acc f32 : tensor<7xf32>, !gnn.graph<5x5x7> -> tensor<5xf32>
  %m = gnn.gather %max, %g at dst : tensor<5xf32>, !gnn.graph<5x5x7> -> tensor<7xf32>
  %d = arith.subf %s, %m : tensor<7xf32>
  %p = math.exp %d : tensor<7xf32>
  %sum = gnn.scatter mean %p, %g at dst acc f32 : tensor<7xf32>, !gnn.graph<5x5x7> -> tensor<5xf32>
  %q = gnn.gather %sum, %g at dst : tensor<5xf32>, !gnn.graph<5x5x7> -> tensor<7xf32>
  %safe = arith.addf %q, %tiny : tensor<7xf32>
  %a = arith.divf %p, %safe : tensor<7xf32>
  return %a : tensor<7xf32>
}

// -----

// Divided by the sum of something else.
// CHECK-LABEL: func.func @sum_of_others
// CHECK-NOT:     gnn.segment_softmax
// CHECK:         return
func.func @sum_of_others(%g: !gnn.graph<5x5x7>, %h: !gnn.graph<5x5x7>, %s: tensor<7xf32>, %t: tensor<7xf32>) -> tensor<7xf32> {
  %tiny = arith.constant dense<1.0e-16> : tensor<7xf32>
  %max = gnn.scatter max %s, %g at dst acc f32 : tensor<7xf32>, !gnn.graph<5x5x7> -> tensor<5xf32>
  %m = gnn.gather %max, %g at dst : tensor<5xf32>, !gnn.graph<5x5x7> -> tensor<7xf32>
  %d = arith.subf %s, %m : tensor<7xf32>
  %p = math.exp %d : tensor<7xf32>
  %sum = gnn.scatter sum %t, %g at dst acc f32 : tensor<7xf32>, !gnn.graph<5x5x7> -> tensor<5xf32>
  %q = gnn.gather %sum, %g at dst : tensor<5xf32>, !gnn.graph<5x5x7> -> tensor<7xf32>
  %safe = arith.addf %q, %tiny : tensor<7xf32>
  %a = arith.divf %p, %safe : tensor<7xf32>
  return %a : tensor<7xf32>
}

// -----

// The minimum is subtracted: powers may overflow.
// CHECK-LABEL: func.func @minimum
// CHECK-NOT:     gnn.segment_softmax
// CHECK:         return
func.func @minimum(%g: !gnn.graph<5x5x7>, %h: !gnn.graph<5x5x7>, %s: tensor<7xf32>, %t: tensor<7xf32>) -> tensor<7xf32> {
  %tiny = arith.constant dense<1.0e-16> : tensor<7xf32>
  %max = gnn.scatter min %s, %g at dst acc f32 : tensor<7xf32>, !gnn.graph<5x5x7> -> tensor<5xf32>
  %m = gnn.gather %max, %g at dst : tensor<5xf32>, !gnn.graph<5x5x7> -> tensor<7xf32>
  %d = arith.subf %s, %m : tensor<7xf32>
  %p = math.exp %d : tensor<7xf32>
  %sum = gnn.scatter sum %p, %g at dst acc f32 : tensor<7xf32>, !gnn.graph<5x5x7> -> tensor<5xf32>
  %q = gnn.gather %sum, %g at dst : tensor<5xf32>, !gnn.graph<5x5x7> -> tensor<7xf32>
  %safe = arith.addf %q, %tiny : tensor<7xf32>
  %a = arith.divf %p, %safe : tensor<7xf32>
  return %a : tensor<7xf32>
}

// -----

// The maximum of something else is subtracted.
// CHECK-LABEL: func.func @maximum_of_others
// CHECK-NOT:     gnn.segment_softmax
// CHECK:         return
func.func @maximum_of_others(%g: !gnn.graph<5x5x7>, %h: !gnn.graph<5x5x7>, %s: tensor<7xf32>, %t: tensor<7xf32>) -> tensor<7xf32> {
  %tiny = arith.constant dense<1.0e-16> : tensor<7xf32>
  %max = gnn.scatter max %t, %g at dst acc f32 : tensor<7xf32>, !gnn.graph<5x5x7> -> tensor<5xf32>
  %m = gnn.gather %max, %g at dst : tensor<5xf32>, !gnn.graph<5x5x7> -> tensor<7xf32>
  %d = arith.subf %s, %m : tensor<7xf32>
  %p = math.exp %d : tensor<7xf32>
  %sum = gnn.scatter sum %p, %g at dst acc f32 : tensor<7xf32>, !gnn.graph<5x5x7> -> tensor<5xf32>
  %q = gnn.gather %sum, %g at dst : tensor<5xf32>, !gnn.graph<5x5x7> -> tensor<7xf32>
  %safe = arith.addf %q, %tiny : tensor<7xf32>
  %a = arith.divf %p, %safe : tensor<7xf32>
  return %a : tensor<7xf32>
}

// -----

// Maximum and sum over different graphs.
// CHECK-LABEL: func.func @two_graphs
// CHECK-NOT:     gnn.segment_softmax
// CHECK:         return
func.func @two_graphs(%g: !gnn.graph<5x5x7>, %h: !gnn.graph<5x5x7>, %s: tensor<7xf32>, %t: tensor<7xf32>) -> tensor<7xf32> {
  %tiny = arith.constant dense<1.0e-16> : tensor<7xf32>
  %max = gnn.scatter max %s, %g at dst acc f32 : tensor<7xf32>, !gnn.graph<5x5x7> -> tensor<5xf32>
  %m = gnn.gather %max, %g at dst : tensor<5xf32>, !gnn.graph<5x5x7> -> tensor<7xf32>
  %d = arith.subf %s, %m : tensor<7xf32>
  %p = math.exp %d : tensor<7xf32>
  %sum = gnn.scatter sum %p, %h at dst acc f32 : tensor<7xf32>, !gnn.graph<5x5x7> -> tensor<5xf32>
  %q = gnn.gather %sum, %h at dst : tensor<5xf32>, !gnn.graph<5x5x7> -> tensor<7xf32>
  %safe = arith.addf %q, %tiny : tensor<7xf32>
  %a = arith.divf %p, %safe : tensor<7xf32>
  return %a : tensor<7xf32>
}

// -----

// Maximum and sum at different ends.
// CHECK-LABEL: func.func @two_ends
// CHECK-NOT:     gnn.segment_softmax
// CHECK:         return
func.func @two_ends(%g: !gnn.graph<5x5x7>, %h: !gnn.graph<5x5x7>, %s: tensor<7xf32>, %t: tensor<7xf32>) -> tensor<7xf32> {
  %tiny = arith.constant dense<1.0e-16> : tensor<7xf32>
  %max = gnn.scatter max %s, %g at dst acc f32 : tensor<7xf32>, !gnn.graph<5x5x7> -> tensor<5xf32>
  %m = gnn.gather %max, %g at dst : tensor<5xf32>, !gnn.graph<5x5x7> -> tensor<7xf32>
  %d = arith.subf %s, %m : tensor<7xf32>
  %p = math.exp %d : tensor<7xf32>
  %sum = gnn.scatter sum %p, %g at src acc f32 : tensor<7xf32>, !gnn.graph<5x5x7> -> tensor<5xf32>
  %q = gnn.gather %sum, %g at src : tensor<5xf32>, !gnn.graph<5x5x7> -> tensor<7xf32>
  %safe = arith.addf %q, %tiny : tensor<7xf32>
  %a = arith.divf %p, %safe : tensor<7xf32>
  return %a : tensor<7xf32>
}

// -----

// The number added is not negligible.
// CHECK-LABEL: func.func @large_number
// CHECK-NOT:     gnn.segment_softmax
// CHECK:         return
func.func @large_number(%g: !gnn.graph<5x5x7>, %h: !gnn.graph<5x5x7>, %s: tensor<7xf32>, %t: tensor<7xf32>) -> tensor<7xf32> {
  %tiny = arith.constant dense<1.0e-6> : tensor<7xf32>
  %max = gnn.scatter max %s, %g at dst acc f32 : tensor<7xf32>, !gnn.graph<5x5x7> -> tensor<5xf32>
  %m = gnn.gather %max, %g at dst : tensor<5xf32>, !gnn.graph<5x5x7> -> tensor<7xf32>
  %d = arith.subf %s, %m : tensor<7xf32>
  %p = math.exp %d : tensor<7xf32>
  %sum = gnn.scatter sum %p, %g at dst acc f32 : tensor<7xf32>, !gnn.graph<5x5x7> -> tensor<5xf32>
  %q = gnn.gather %sum, %g at dst : tensor<5xf32>, !gnn.graph<5x5x7> -> tensor<7xf32>
  %safe = arith.addf %q, %tiny : tensor<7xf32>
  %a = arith.divf %p, %safe : tensor<7xf32>
  return %a : tensor<7xf32>
}

// -----

// The scores are subtracted, not the maximum.
// CHECK-LABEL: func.func @subtracted_from
// CHECK-NOT:     gnn.segment_softmax
// CHECK:         return
func.func @subtracted_from(%g: !gnn.graph<5x5x7>, %h: !gnn.graph<5x5x7>, %s: tensor<7xf32>, %t: tensor<7xf32>) -> tensor<7xf32> {
  %tiny = arith.constant dense<1.0e-16> : tensor<7xf32>
  %max = gnn.scatter max %s, %g at dst acc f32 : tensor<7xf32>, !gnn.graph<5x5x7> -> tensor<5xf32>
  %m = gnn.gather %max, %g at dst : tensor<5xf32>, !gnn.graph<5x5x7> -> tensor<7xf32>
  %d = arith.subf %m, %s : tensor<7xf32>
  %p = math.exp %d : tensor<7xf32>
  %sum = gnn.scatter sum %p, %g at dst acc f32 : tensor<7xf32>, !gnn.graph<5x5x7> -> tensor<5xf32>
  %q = gnn.gather %sum, %g at dst : tensor<5xf32>, !gnn.graph<5x5x7> -> tensor<7xf32>
  %safe = arith.addf %q, %tiny : tensor<7xf32>
  %a = arith.divf %p, %safe : tensor<7xf32>
  return %a : tensor<7xf32>
}
