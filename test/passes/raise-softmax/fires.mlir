// RUN: gnn-opt %s --gnn-raise-softmax --canonicalize --cse --split-input-file | FileCheck %s
// RUN: gnn-opt %s --gnn-raise-softmax --gnn-raise-softmax --canonicalize --cse --split-input-file | FileCheck %s

// As PyG's softmax: the small number is added to the nodes' sums. Dynamic extents.
// CHECK-LABEL: func.func @pyg
// CHECK-SAME:    %[[G:[^:]*]]: !gnn.graph<?x?x?>, %[[S:.*]]: tensor<?x2xf32>)
// CHECK-NEXT:    %[[A:.*]] = gnn.segment_softmax %[[S]], %[[G]] at dst acc f32 : tensor<?x2xf32>, !gnn.graph<?x?x?>
// CHECK-NEXT:    return %[[A]]
func.func @pyg(%g: !gnn.graph<?x?x?>, %s: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %small = arith.constant 1.0e-16 : f32
  %max = gnn.scatter max %s, %g at dst acc f32 : tensor<?x2xf32>, !gnn.graph<?x?x?> -> tensor<?x2xf32>
  %m = gnn.gather %max, %g at dst : tensor<?x2xf32>, !gnn.graph<?x?x?> -> tensor<?x2xf32>
  %d = arith.subf %s, %m : tensor<?x2xf32>
  %p = math.exp %d : tensor<?x2xf32>
  %sum = gnn.scatter sum %p, %g at dst acc f32 : tensor<?x2xf32>, !gnn.graph<?x?x?> -> tensor<?x2xf32>
  %n = tensor.dim %sum, %c0 : tensor<?x2xf32>
  %init = tensor.empty(%n) : tensor<?x2xf32>
  %tiny = linalg.fill ins(%small : f32) outs(%init : tensor<?x2xf32>) -> tensor<?x2xf32>
  %safe = arith.addf %sum, %tiny : tensor<?x2xf32>
  %q = gnn.gather %safe, %g at dst : tensor<?x2xf32>, !gnn.graph<?x?x?> -> tensor<?x2xf32>
  %a = arith.divf %p, %q : tensor<?x2xf32>
  return %a : tensor<?x2xf32>
}

// -----

// Added on the edges; at src; f64, in the wider of two accumulation types. The maximum is read elsewhere too: it stays.
// CHECK-LABEL: func.func @on_edges
// CHECK:         %[[MAX:.*]] = gnn.scatter max
// CHECK:         %[[A:.*]] = gnn.segment_softmax %{{.*}}, %{{.*}} at src acc f64 : tensor<7xf32>, !gnn.graph<4x5x7>
// CHECK:         return %[[A]], %[[MAX]]
func.func @on_edges(%g: !gnn.graph<4x5x7>, %s: tensor<7xf32>) -> (tensor<7xf32>, tensor<5xf32>) {
  %tiny = arith.constant dense<1.0e-16> : tensor<7xf32>
  %max = gnn.scatter max %s, %g at src acc f32 : tensor<7xf32>, !gnn.graph<4x5x7> -> tensor<5xf32>
  %m = gnn.gather %max, %g at src : tensor<5xf32>, !gnn.graph<4x5x7> -> tensor<7xf32>
  %d = arith.subf %s, %m : tensor<7xf32>
  %p = math.exp %d : tensor<7xf32>
  %sum = gnn.scatter sum %p, %g at src acc f64 : tensor<7xf32>, !gnn.graph<4x5x7> -> tensor<5xf32>
  %q = gnn.gather %sum, %g at src : tensor<5xf32>, !gnn.graph<4x5x7> -> tensor<7xf32>
  %safe = arith.addf %tiny, %q : tensor<7xf32>
  %a = arith.divf %p, %safe : tensor<7xf32>
  return %a, %max : tensor<7xf32>, tensor<5xf32>
}
