// RUN: gnn-opt %s --gnn-narrow-storage --split-input-file | FileCheck %s
// RUN: gnn-opt %s --gnn-narrow-storage --gnn-narrow-storage --split-input-file | FileCheck %s

// A residual has the type of its product's result.
module attributes {gnn.storage = bf16} {
  // CHECK-LABEL: func private @gemm_0(
  // CHECK-SAME:    %[[R:[^:]*]]: tensor<?x8xbf16>) -> tensor<?x8xbf16>
  // CHECK:         %[[P:.*]] = linalg.matmul {{.*}} -> tensor<?x8xbf16>
  // CHECK:         arith.addf %[[P]], %[[R]] : tensor<?x8xbf16>
  func.func private @gemm_0(%a: tensor<?x8xf32>, %w: tensor<8x8xf32>, %r: tensor<?x8xf32>) -> tensor<?x8xf32> attributes {gnn.kernel = "gemm"} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %n = tensor.dim %a, %c0 : tensor<?x8xf32>
    %e = tensor.empty(%n) : tensor<?x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
    %p = linalg.matmul ins(%a, %w : tensor<?x8xf32>, tensor<8x8xf32>) outs(%f : tensor<?x8xf32>) -> tensor<?x8xf32>
    %sum = arith.addf %p, %r : tensor<?x8xf32>
    return %sum : tensor<?x8xf32>
  }
  func.func private @gemm_1(%a: tensor<?x8xf32>, %w: tensor<8x8xf32>, %r: tensor<?x8xf32>) -> tensor<?x8xf32> attributes {gnn.kernel = "gemm"} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %n = tensor.dim %a, %c0 : tensor<?x8xf32>
    %e = tensor.empty(%n) : tensor<?x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
    %p = linalg.matmul ins(%a, %w : tensor<?x8xf32>, tensor<8x8xf32>) outs(%f : tensor<?x8xf32>) -> tensor<?x8xf32>
    %sum = arith.addf %p, %r : tensor<?x8xf32>
    return %sum : tensor<?x8xf32>
  }
  // CHECK-LABEL: func private @map_0(%{{.*}}: tensor<?x8xbf16>) -> tensor<?x8xbf16>
  func.func private @map_0(%x: tensor<?x8xf32>) -> tensor<?x8xf32> attributes {gnn.kernel = "map"} {
    %y = gnn.map rows(%x : tensor<?x8xf32>) -> tensor<?x8xf32> {
    ^bb0(%a: vector<8xf32>):
      %z = arith.negf %a : vector<8xf32>
      gnn.yield %z : vector<8xf32>
    }
    return %y : tensor<?x8xf32>
  }
  // CHECK-LABEL: func @forward(
  // CHECK:         %[[H:.*]] = call @gemm_0(%{{.*}}, %{{.*}}, %{{.*}}) : (tensor<?x8xbf16>, tensor<8x8xbf16>, tensor<?x8xbf16>)
  // CHECK:         %[[N:.*]] = call @map_0(%[[H]])
  // CHECK:         %[[WIDE:.*]] = call @convert_1(%[[H]]) : (tensor<?x8xbf16>) -> tensor<?x8xf32>
  // CHECK:         %[[Y:.*]] = call @gemm_1(%[[N]], %{{.*}}, %[[WIDE]]) : (tensor<?x8xbf16>, tensor<8x8xbf16>, tensor<?x8xf32>) -> tensor<?x8xf32>
  func.func @forward(%x: tensor<?x8xf32> {gnn.input = "x"}, %w: tensor<8x8xf32> {gnn.weight = "w"}) -> (tensor<?x8xf32> {gnn.output = "y"}) {
    %h = call @gemm_0(%x, %w, %x) : (tensor<?x8xf32>, tensor<8x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
    %n = call @map_0(%h) : (tensor<?x8xf32>) -> tensor<?x8xf32>
    %y = call @gemm_1(%n, %w, %h) : (tensor<?x8xf32>, tensor<8x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
    return %y : tensor<?x8xf32>
  }
}

// -----

// Products and wide rows are bf16 in memory, computation is f32, ends are as stated:
// x is converted for the product, y is f32, the norm with one value a row stays.
// CHECK-NOT: gnn.storage
module attributes {gnn.storage = bf16} {
  // CHECK-LABEL: func private @gemm_0(
  // CHECK-SAME:    %[[A:.*]]: tensor<?x8xbf16>, %[[W:.*]]: tensor<16x8xbf16>, %[[BIAS:.*]]: tensor<16xbf16>) -> tensor<?x16xbf16>
  // CHECK:         linalg.matmul {{.*}} ins(%[[A]], %[[W]] : tensor<?x8xbf16>, tensor<16x8xbf16>)
  // CHECK:         linalg.broadcast ins(%[[BIAS]] : tensor<16xbf16>)
  // CHECK:         arith.addf {{.*}} : tensor<?x16xbf16>
  func.func private @gemm_0(%a: tensor<?x8xf32>, %w: tensor<16x8xf32>, %bias: tensor<16xf32>) -> tensor<?x16xf32> attributes {gnn.kernel = "gemm"} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %n = tensor.dim %a, %c0 : tensor<?x8xf32>
    %e = tensor.empty(%n) : tensor<?x16xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
    %p = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %w : tensor<?x8xf32>, tensor<16x8xf32>) outs(%f : tensor<?x16xf32>) -> tensor<?x16xf32>
    %rows = linalg.broadcast ins(%bias : tensor<16xf32>) outs(%e : tensor<?x16xf32>) dimensions = [0]
    %sum = arith.addf %p, %rows : tensor<?x16xf32>
    return %sum : tensor<?x16xf32>
  }
  // CHECK-LABEL: func private @agg_0(
  // CHECK-SAME:    tensor<?x16xbf16>, %{{.*}}: tensor<?xf32>) -> tensor<?x16xbf16>
  // CHECK:         ^bb0(%[[X:.*]]: vector<16xbf16>, %[[NORM:.*]]: f32):
  // CHECK:           arith.extf %[[X]] : vector<16xbf16> to vector<16xf32>
  // CHECK:           gnn.yield %{{.*}} : vector<16xf32>
  // CHECK:         epilogue
  // CHECK:           %[[SUM:.*]] = arith.truncf %{{.*}} : vector<16xf32> to vector<16xbf16>
  // CHECK:           gnn.yield %[[SUM]] : vector<16xbf16>
  func.func private @agg_0(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x16xf32>, %norm: tensor<?xf32>) -> tensor<?x16xf32> attributes {gnn.kernel = "aggregate"} {
    %s = gnn.aggregate %g src(%x : tensor<?x16xf32>) edge(%norm : tensor<?xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?x16xf32> message {
    ^bb0(%a: vector<16xf32>, %b: f32):
      %rows = vector.broadcast %b : f32 to vector<16xf32>
      %m = arith.mulf %a, %rows : vector<16xf32>
      gnn.yield %m : vector<16xf32>
    }
    return %s : tensor<?x16xf32>
  }
  // CHECK-LABEL: func private @map_0(%{{.*}}: tensor<?x16xbf16>) -> tensor<?x16xf32>
  func.func private @map_0(%x: tensor<?x16xf32>) -> tensor<?x16xf32> attributes {gnn.kernel = "map"} {
    %y = gnn.map rows(%x : tensor<?x16xf32>) -> tensor<?x16xf32> {
    ^bb0(%a: vector<16xf32>):
      %z = arith.negf %a : vector<16xf32>
      gnn.yield %z : vector<16xf32>
    }
    return %y : tensor<?x16xf32>
  }
  // CHECK-LABEL: func @forward(
  // CHECK-SAME:    tensor<?x8xf32> {gnn.input = "x"}, %{{.*}}: tensor<16x8xbf16> {gnn.weight = "w"}, %{{.*}}: tensor<16xbf16> {gnn.weight = "b"}
  // CHECK:         %[[C:.*]] = call @convert_0(%{{.*}}) : (tensor<?x8xf32>) -> tensor<?x8xbf16>
  // CHECK:         call @gemm_0(%[[C]],
  func.func @forward(%g: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0}, %x: tensor<?x8xf32> {gnn.input = "x"}, %w: tensor<16x8xf32> {gnn.weight = "w"}, %b: tensor<16xf32> {gnn.weight = "b"}, %norm: tensor<?xf32> {gnn.graph_data = "norm"}) -> (tensor<?x16xf32> {gnn.output = "y"}) {
    %h = call @gemm_0(%x, %w, %b) : (tensor<?x8xf32>, tensor<16x8xf32>, tensor<16xf32>) -> tensor<?x16xf32>
    %s = call @agg_0(%g, %h, %norm) : (!gnn.graph<?x?x?, i32, csr>, tensor<?x16xf32>, tensor<?xf32>) -> tensor<?x16xf32>
    %y = call @map_0(%s) : (tensor<?x16xf32>) -> tensor<?x16xf32>
    return %y : tensor<?x16xf32>
  }
  // CHECK:         func private @convert_0(%{{.*}}: tensor<?x8xf32>) -> tensor<?x8xbf16>
  // CHECK:           arith.truncf %{{.*}} : vector<8xf32> to vector<8xbf16>
}

// -----

// Both ends stored in f16.
// CHECK-LABEL: func private @map_0(%{{.*}}: tensor<?xf16>) -> tensor<?xf16>
// CHECK-LABEL: func @forward(%{{.*}}: tensor<?xf16> {gnn.input = "x"}) -> (tensor<?xf16> {gnn.output = "y"})
module attributes {gnn.storage = f16} {
  func.func private @map_0(%x: tensor<?xf32>) -> tensor<?xf32> attributes {gnn.kernel = "map"} {
    %y = gnn.map rows(%x : tensor<?xf32>) -> tensor<?xf32> {
    ^bb0(%a: f32):
      %z = arith.negf %a : f32
      gnn.yield %z : f32
    }
    return %y : tensor<?xf32>
  }
  func.func @forward(%x: tensor<?xf32> {gnn.input = "x", gnn.stored = f16}) -> (tensor<?xf32> {gnn.output = "y", gnn.stored = f16}) {
    %y = call @map_0(%x) : (tensor<?xf32>) -> tensor<?xf32>
    return %y : tensor<?xf32>
  }
}

// -----

// Half of a program: what the other half would say of its values is not known.
// CHECK-LABEL: func.func @prepare
// CHECK-SAME:    tensor<10xf32> {gnn.graph_data = "w"}) -> tensor<10xf32>
module attributes {gnn.storage = bf16} {
  func.func @prepare(%w: tensor<10xf32> {gnn.graph_data = "w"}) -> tensor<10xf32> {
    return %w : tensor<10xf32>
  }
}
