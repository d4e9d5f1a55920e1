// RUN: gnn-opt %s --gnn-form-kernels --remarks-filter-missed=gnn-form-kernels --remark-policy=all -o /dev/null 2>&1 | FileCheck %s

// Why kernels end where they do. Each op is followed by what is said of it.
func.func @prepare(%g: !gnn.graph<?x?x?>, %w: tensor<?xf32> {gnn.graph_data = "edge_weight"}) -> (!gnn.graph<?x?x?, i32, csr>, tensor<?xf32>) {
  %twice = arith.addf %w, %w : tensor<?xf32>
  // CHECK-DAG: [[@LINE-1]]:{{.*}}Reason="'gnn.to_csr' reads its value as a tensor"
  %csr, %sorted = gnn.to_csr %g edges(%twice : tensor<?xf32>) : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>, tensor<?xf32>
  %kept = arith.mulf %sorted, %sorted : tensor<?xf32>
  // CHECK-DAG: [[@LINE-1]]:{{.*}}Reason="it is computed once per graph and kept for every forward"
  return %csr, %kept : !gnn.graph<?x?x?, i32, csr>, tensor<?xf32>
}

func.func @forward(%g: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64}, %e: tensor<?xf32> {gnn.prepared = 1 : i64}, %x: tensor<?x4xf32> {gnn.input = "x"}, %w: tensor<4x8xf32> {gnn.weight = "w"})
    -> (tensor<?x8xf32> {gnn.output = "out"}) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %empty = tensor.empty(%n) : tensor<?x8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x8xf32>) -> tensor<?x8xf32>
  %in = arith.addf %x, %x : tensor<?x4xf32>
  // CHECK-DAG: [[@LINE-1]]:{{.*}}Reason="its value is an operand of the matrix product @{{.*}}, which the library computes"
  %p = linalg.matmul ins(%in, %w : tensor<?x4xf32>, tensor<4x8xf32>) outs(%zeros : tensor<?x8xf32>) -> tensor<?x8xf32>
  // CHECK-DAG: [[@LINE-1]]:{{.*}}Reason="products of the library take a bias, a stored tensor and a ReLU along, not 'math.tanh'"
  %act = math.tanh %p : tensor<?x8xf32>
  // CHECK-DAG: [[@LINE-1]]:{{.*}}Reason="its rows are read along the edges; computing them there would repeat the work for each edge"
  %sum = gnn.aggregate %g src(%act : tensor<?x8xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?x8xf32> message {
  ^bb0(%r: vector<8xf32>):
    gnn.yield %r : vector<8xf32>
  }
  return %sum : tensor<?x8xf32>
}
