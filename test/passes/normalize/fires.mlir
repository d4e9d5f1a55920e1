// RUN: gnn-opt %s --gnn-normalize --split-input-file | FileCheck %s
// RUN: gnn-opt %s --gnn-normalize=kind=row --split-input-file | FileCheck %s --check-prefix=ROW
// RUN: gnn-opt %s --gnn-normalize=kind=none --split-input-file | FileCheck %s --check-prefix=NONE
// RUN: gnn-opt %s --gnn-normalize=scope=layer --split-input-file | FileCheck %s --check-prefix=LAYER
// Twice is once.
// RUN: gnn-opt %s --gnn-normalize --split-input-file > %t.once
// RUN: gnn-opt %s --gnn-normalize --gnn-normalize --split-input-file | diff %t.once -
// RUN: gnn-opt %s --gnn-normalize=kind=symmetric --split-input-file > %t.once
// RUN: gnn-opt %s --gnn-normalize=kind=symmetric --gnn-normalize=kind=symmetric --split-input-file 2> %t.remarks | diff %t.once -
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// REMARK: gnn-normalize: left as it is: the program computes degrees of this graph itself

// Both layers share the coefficients, unless each is to compute its own.
// CHECK-LABEL: func @unweighted(
// CHECK-SAME:    %[[G:[^:]*]]: !gnn.graph<?x?x?>, %[[X:[^:]*]]: tensor<?x4xf32>
// CHECK:         %[[D:.*]] = gnn.degree %[[G]] at dst
// CHECK:         %[[R:.*]] = math.rsqrt %[[D]]
// CHECK:         %[[INF:.*]] = arith.cmpf oeq, %[[R]]
// CHECK:         %[[P:.*]] = arith.select %[[INF]], %{{.*}}, %[[R]]
// CHECK-DAG:     %[[PD:.*]] = gnn.gather %[[P]], %[[G]] at dst
// CHECK-DAG:     %[[PS:.*]] = gnn.gather %[[P]], %[[G]] at src
// CHECK:         %[[N:.*]] = arith.mulf %[[PS]], %[[PD]]
// CHECK:         %[[M:.*]] = gnn.gather %[[X]], %[[G]] at src
// CHECK:         %[[B:.*]] = linalg.broadcast ins(%[[N]]
// CHECK:         %[[MN:.*]] = arith.mulf %[[M]], %[[B]]
// CHECK:         gnn.scatter sum %[[MN]], %[[G]] at dst
// CHECK-NOT:     gnn.degree
// CHECK:         linalg.broadcast ins(%[[N]]
// ROW-LABEL: func @unweighted(
// ROW:         %[[D:.*]] = gnn.degree
// ROW:         arith.divf %{{.*}}, %[[D]]
// ROW:         gnn.gather %{{.*}} at dst : tensor<?xf32>
// ROW-NOT:     at src : tensor<?xf32>
// NONE-LABEL: func @unweighted(
// NONE-SAME:    !gnn.graph<?x?x?>,
// NONE-NOT:     gnn.degree
// LAYER-LABEL: func @unweighted(
// LAYER-COUNT-2: gnn.degree
// LAYER-NOT:     gnn.degree
func.func @unweighted(%g: !gnn.graph<?x?x?> {gnn.normalize = "symmetric"}, %x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %m = gnn.gather %x, %g at src : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %y = gnn.scatter sum %m, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %n = gnn.gather %y, %g at src : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %z = gnn.scatter sum %n, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  return %z : tensor<?x4xf32>
}

// -----

// Degrees add up the weights, those of loops included; messages have them already.
// Coefficients are rounded to what messages are made of.
// LAYER-LABEL: func @weighted_loops(
// CHECK-LABEL: func @weighted_loops(
// CHECK:         %[[L:.*]], %[[LW:.*]] = gnn.add_self_loops
// CHECK:         gnn.degree %[[L]] weights(%[[LW]] : tensor<?xf32>) at dst
// CHECK:         arith.divf
// CHECK:         %[[N:.*]] = gnn.gather %{{.*}}, %[[L]] at dst : tensor<7xf32>
// CHECK:         arith.truncf %[[N]] : tensor<?xf32> to tensor<?xf16>
// CHECK:         arith.mulf {{.*}} : tensor<?x2x3xf16>
// CHECK:         gnn.scatter mean
func.func @weighted_loops(%g: !gnn.graph<7x7x?> {gnn.normalize = "row"}, %x: tensor<7x2x3xf16>, %w: tensor<?xf32>) -> tensor<7x2x3xf16> {
  %l, %lw = gnn.add_self_loops %g weights(%w) fill 1.0 : !gnn.graph<7x7x?>, tensor<?xf32> -> !gnn.graph<7x7x?>, tensor<?xf32>
  %c0 = arith.constant 0 : index
  %e = tensor.dim %lw, %c0 : tensor<?xf32>
  %init = tensor.empty(%e) : tensor<?x2x3xf16>
  %h = arith.truncf %lw : tensor<?xf32> to tensor<?xf16>
  %rows = linalg.broadcast ins(%h : tensor<?xf16>) outs(%init : tensor<?x2x3xf16>) dimensions = [1, 2]
  %m = gnn.gather %x, %l at src : tensor<7x2x3xf16>, !gnn.graph<7x7x?> -> tensor<?x2x3xf16>
  %p = arith.mulf %m, %rows : tensor<?x2x3xf16>
  %y = gnn.scatter mean %p, %l at dst acc f32 : tensor<?x2x3xf16>, !gnn.graph<7x7x?> -> tensor<7x2x3xf16>
  return %y : tensor<7x2x3xf16>
}

// -----

// Nobody asks: GIN and GraphSAGE add up what arrives.
// CHECK-LABEL: func @gin(
// CHECK-NOT:     gnn.degree
func.func @gin(%g: !gnn.graph<?x?x?>, %x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %m = gnn.gather %x, %g at src : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %y = gnn.scatter sum %m, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

// A count has the digits of f32, its powers need those of the messages.
// CHECK-LABEL: func @of_f64(
// CHECK:         %[[D:.*]] = gnn.degree {{.*}} -> tensor<?xf32>
// CHECK:         %[[W:.*]] = arith.extf %[[D]] : tensor<?xf32> to tensor<?xf64>
// CHECK:         math.rsqrt %[[W]]
func.func @of_f64(%g: !gnn.graph<?x?x?> {gnn.normalize = "symmetric"}, %x: tensor<?x4xf64>) -> tensor<?x4xf64> {
  %m = gnn.gather %x, %g at src : tensor<?x4xf64>, !gnn.graph<?x?x?> -> tensor<?x4xf64>
  %s = gnn.scatter sum %m, %g at dst acc f64 : tensor<?x4xf64>, !gnn.graph<?x?x?> -> tensor<?x4xf64>
  return %s : tensor<?x4xf64>
}
