// RUN: gnn-opt %programs/gcn-2layer.mlir --gnn-program-pipeline --gnn-verify-fused -o %t
// RUN: gnn-opt %programs/gat-2layer.mlir --gnn-program-pipeline --gnn-verify-fused -o %t
// RUN: gnn-opt %programs/gatv2-2layer.mlir --gnn-program-pipeline --gnn-verify-fused -o %t
// RUN: gnn-opt %s --gnn-verify-fused=features=2 | FileCheck %s

// Node tensors, a number per edge, one per head where that is allowed, edge features that were bound: all are fine.
// CHECK-LABEL: func.func @allowed
func.func @allowed(%g: !gnn.graph<?x?x?>, %x: tensor<?x8xf32>, %s: tensor<?x2xf32>, %f: tensor<?x16xf32>) -> (tensor<?x8xf32>, tensor<?xf32>) {
  %y = math.exp %x : tensor<?x8xf32>
  %c, %p = gnn.to_csr %g edges(%f : tensor<?x16xf32>) : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>, tensor<?x16xf32>
  %a = gnn.segment_softmax %s, %g at dst acc f32 : tensor<?x2xf32>, !gnn.graph<?x?x?>
  %b = math.exp %a : tensor<?x2xf32>
  %d = gnn.degree %g at dst : !gnn.graph<?x?x?> -> tensor<?xf32>
  %e = gnn.gather %d, %g at dst : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  // Read by nobody.
  %m = gnn.gather %y, %g at src : tensor<?x8xf32>, !gnn.graph<?x?x?> -> tensor<?x8xf32>
  %o = gnn.aggregate %c src(%y : tensor<?x8xf32>) edge(%p : tensor<?x16xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?x8xf32> message {
  ^bb0(%u: vector<8xf32>, %w: vector<16xf32>):
    gnn.yield %u : vector<8xf32>
  }
  return %o, %e : tensor<?x8xf32>, tensor<?xf32>
}
