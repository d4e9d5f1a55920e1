// RUN: gnn-opt %s --gnn-add-self-loops --split-input-file | FileCheck %s
// RUN: gnn-opt %s --gnn-add-self-loops=loops=all --split-input-file | FileCheck %s --check-prefix=ALL
// RUN: gnn-opt %s --gnn-add-self-loops=loops=none --split-input-file | FileCheck %s --check-prefix=NONE
// RUN: gnn-opt %s --gnn-add-self-loops="scope=layer" --split-input-file | FileCheck %s --check-prefix=LAYER
// Twice is once, also when all graphs get loops.
// RUN: gnn-opt %s --gnn-add-self-loops=loops=all --split-input-file > %t.once
// RUN: gnn-opt %s --gnn-add-self-loops=loops=all --gnn-add-self-loops=loops=all --split-input-file | diff %t.once -

// Edge weights get rows for the loops; the graph says what those weigh.
// CHECK-LABEL: func @marked(
// CHECK-SAME:    %[[G:[^:]*]]: !gnn.graph<?x?x?>, %[[X:[^:]*]]: tensor<?x4xf32>, %[[W:[^:]*]]: tensor<?xf32>
// CHECK:         %[[L:.*]], %[[LW:.*]] = gnn.add_self_loops %[[G]] weights(%[[W]]) fill 2.0
// CHECK:         tensor.dim %[[LW]]
// CHECK:         linalg.broadcast ins(%[[LW]]
// CHECK:         gnn.gather %[[X]], %[[L]] at src
// CHECK:         gnn.scatter sum %{{.*}}, %[[L]] at dst
// CHECK:         gnn.degree %[[L]] weights(%[[LW]]
// ALL-LABEL: func @marked(
// ALL:         gnn.add_self_loops {{.*}} fill 2.0
// NONE-LABEL: func @marked(
// NONE-SAME:    %[[G:[^:]*]]: !gnn.graph<?x?x?>,
// NONE-NOT:     add_self_loops
// NONE:         gnn.scatter sum %{{.*}}, %[[G]] at dst
// A degree is a reduction of its own.
// LAYER-LABEL: func @marked(
// LAYER-COUNT-2: gnn.add_self_loops
// LAYER-NOT:     gnn.add_self_loops
func.func @marked(%g: !gnn.graph<?x?x?> {gnn.self_loops = 2.0 : f64}, %x: tensor<?x4xf32>, %w: tensor<?xf32>) -> (tensor<?x4xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %e = tensor.dim %w, %c0 : tensor<?xf32>
  %init = tensor.empty(%e) : tensor<?x4xf32>
  %rows = linalg.broadcast ins(%w : tensor<?xf32>) outs(%init : tensor<?x4xf32>) dimensions = [1]
  %m = gnn.gather %x, %g at src : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %p = arith.mulf %m, %rows : tensor<?x4xf32>
  %y = gnn.scatter sum %p, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %d = gnn.degree %g weights(%w : tensor<?xf32>) at dst : !gnn.graph<?x?x?> -> tensor<?xf32>
  return %y, %d : tensor<?x4xf32>, tensor<?xf32>
}

// -----

// GIN and GraphSAGE do not ask: loops would change what they compute.
// LAYER-LABEL: func @gin(
// CHECK-LABEL: func @gin(
// CHECK-NOT:     add_self_loops
// ALL-LABEL: func @gin(
// ALL:         %[[L:.*]] = gnn.add_self_loops {{.*}} fill 1.0
// ALL:         gnn.gather {{.*}}, %[[L]] at src
// ALL:         gnn.scatter sum {{.*}}, %[[L]] at dst
func.func @gin(%g: !gnn.graph<5x5x?>, %x: tensor<5x4xf32>) -> tensor<5x4xf32> {
  %m = gnn.gather %x, %g at src : tensor<5x4xf32>, !gnn.graph<5x5x?> -> tensor<?x4xf32>
  %y = gnn.scatter sum %m, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<5x5x?> -> tensor<5x4xf32>
  %z = arith.addf %x, %y : tensor<5x4xf32>
  return %z : tensor<5x4xf32>
}

// -----

// Two layers: what one reduction needs goes together.
// CHECK-LABEL: func @two_layers(
// CHECK-COUNT-1: gnn.add_self_loops
// CHECK-NOT:     gnn.add_self_loops
// LAYER-LABEL: func @two_layers(
// LAYER:         %[[A:.*]] = gnn.add_self_loops
// LAYER:         %[[B:.*]] = gnn.add_self_loops
// LAYER:         gnn.gather {{.*}}, %[[A]] at src
// LAYER:         gnn.gather {{.*}}, %[[A]] at dst
// LAYER:         gnn.scatter max {{.*}}, %[[A]] at dst
// LAYER:         gnn.gather {{.*}}, %[[B]] at src
// LAYER:         gnn.scatter max {{.*}}, %[[B]] at dst
func.func @two_layers(%g: !gnn.graph<?x?x?, i32> {gnn.self_loops = 1.0 : f64}, %x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %m = gnn.gather %x, %g at src : tensor<?x4xf32>, !gnn.graph<?x?x?, i32> -> tensor<?x4xf32>
  %n = gnn.gather %x, %g at dst : tensor<?x4xf32>, !gnn.graph<?x?x?, i32> -> tensor<?x4xf32>
  %d = arith.subf %m, %n : tensor<?x4xf32>
  %y = gnn.scatter max %d, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?, i32> -> tensor<?x4xf32>
  %o = gnn.gather %y, %g at src : tensor<?x4xf32>, !gnn.graph<?x?x?, i32> -> tensor<?x4xf32>
  %z = gnn.scatter max %o, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?, i32> -> tensor<?x4xf32>
  return %z : tensor<?x4xf32>
}

// -----

// What the program does itself stays, and is done once.
// LAYER-LABEL: func @has_loops(
// CHECK-LABEL: func @has_loops(
// ALL-LABEL: func @has_loops(
// ALL-COUNT-1: gnn.add_self_loops
// ALL-NOT:     gnn.add_self_loops
func.func @has_loops(%g: !gnn.graph<?x?x?>, %x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %l = gnn.add_self_loops %g fill 1.0 : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  %m = gnn.gather %x, %l at src : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  %y = gnn.scatter sum %m, %l at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?> -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}
