// RUN: gnn-opt %s --gnn-form-kernels --split-input-file | FileCheck %s
// Idempotent: a second run finds calls only.
// RUN: gnn-opt %s --gnn-form-kernels --split-input-file | gnn-opt --gnn-form-kernels --split-input-file | FileCheck %s

#nk = affine_map<(d0, d1, d2) -> (d0, d2)>
#ck = affine_map<(d0, d1, d2) -> (d1, d2)>
#nc = affine_map<(d0, d1, d2) -> (d0, d1)>

// A product takes its bias and ReLU along.
// CHECK-LABEL: func @product_with_tail
// CHECK:         %[[R:.*]] = call @gemm_0(%{{.*}}, %{{.*}}, %{{.*}}) : (tensor<?x8xf32>, tensor<16x8xf32>, tensor<16xf32>) -> tensor<?x16xf32>
// CHECK-NEXT:    return %[[R]]
func.func @product_with_tail(%x: tensor<?x8xf32> {gnn.input = "x"}, %w: tensor<16x8xf32> {gnn.weight = "w"},
                             %b: tensor<16xf32> {gnn.weight = "b"}) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  %p = linalg.matmul indexing_maps = [#nk, #ck, #nc] ins(%x, %w : tensor<?x8xf32>, tensor<16x8xf32>) outs(%z : tensor<?x16xf32>) -> tensor<?x16xf32>
  %rows = linalg.broadcast ins(%b : tensor<16xf32>) outs(%e : tensor<?x16xf32>) dimensions = [0]
  %s = arith.addf %p, %rows : tensor<?x16xf32>
  %r = arith.maximumf %s, %z : tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}
// CHECK:       func.func private @gemm_0(%{{.*}}: tensor<?x8xf32>, %{{.*}}: tensor<16x8xf32>, %{{.*}}: tensor<16xf32>) -> tensor<?x16xf32> attributes {gnn.kernel = "gemm"}
// CHECK:         linalg.matmul
// CHECK:         linalg.broadcast
// CHECK:         arith.addf
// CHECK:         arith.maximumf

// -----

// A product takes a tensor along that is stored anyway: of two products that are
// added the first does, with its bias and the ReLU, behind the second.
// CHECK-LABEL: func @product_with_residual
// CHECK-SAME:    %[[X:.*]]: tensor<?x8xf32> {{.*}}, %[[L:.*]]: tensor<8x16xf32> {{.*}}, %[[R:.*]]: tensor<8x16xf32> {{.*}}, %[[B:.*]]: tensor<16xf32>
// CHECK-NEXT:    %[[OTHER:.*]] = call @gemm_1(%[[X]], %[[R]])
// CHECK-NEXT:    %[[Y:.*]] = call @gemm_0(%[[X]], %[[L]], %[[B]], %[[OTHER]]) : (tensor<?x8xf32>, tensor<8x16xf32>, tensor<16xf32>, tensor<?x16xf32>) -> tensor<?x16xf32>
// CHECK-NEXT:    return %[[Y]]
func.func @product_with_residual(%x: tensor<?x8xf32> {gnn.input = "x"}, %l: tensor<8x16xf32> {gnn.weight = "l"},
                                 %r: tensor<8x16xf32> {gnn.weight = "r"}, %b: tensor<16xf32> {gnn.weight = "b"}) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  %p = linalg.matmul ins(%x, %l : tensor<?x8xf32>, tensor<8x16xf32>) outs(%z : tensor<?x16xf32>) -> tensor<?x16xf32>
  %rows = linalg.broadcast ins(%b : tensor<16xf32>) outs(%e : tensor<?x16xf32>) dimensions = [0]
  %s = arith.addf %p, %rows : tensor<?x16xf32>
  %q = linalg.matmul ins(%x, %r : tensor<?x8xf32>, tensor<8x16xf32>) outs(%z : tensor<?x16xf32>) -> tensor<?x16xf32>
  %t = arith.addf %q, %s : tensor<?x16xf32>
  %y = arith.maximumf %t, %z : tensor<?x16xf32>
  return %y : tensor<?x16xf32>
}
// CHECK:       func.func private @gemm_0(
// CHECK-SAME:    %[[A:[^:]*]]: tensor<?x8xf32>, %{{.*}}: tensor<8x16xf32>, %{{.*}}: tensor<16xf32>, %[[RESIDUAL:.*]]: tensor<?x16xf32>)
// CHECK:         %[[P:.*]] = linalg.matmul
// CHECK:         %[[S:.*]] = arith.addf %[[P]], %{{.*}}
// CHECK:         %[[T:.*]] = arith.addf %[[S]], %[[RESIDUAL]]
// CHECK:         arith.maximumf %[[T]]

// -----

// A sum with what would be computed for it alone is a kernel of its own, and so is
// the sum of a product with itself.
// CHECK-LABEL: func @product_plus_chain
// CHECK-NEXT:    %[[P:.*]] = call @gemm_0(%{{[^,]*}}, %{{[^,]*}}) :
// CHECK-NEXT:    %[[S:.*]] = call @map_2(
// CHECK-NEXT:    %[[Q:.*]] = call @gemm_1(%{{[^,]*}}, %{{[^,]*}}) :
// CHECK-NEXT:    call @map_3(%[[Q]])
func.func @product_plus_chain(%x: tensor<?x8xf32> {gnn.input = "x"}, %w: tensor<8x8xf32> {gnn.weight = "w"}) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  %p = linalg.matmul ins(%x, %w : tensor<?x8xf32>, tensor<8x8xf32>) outs(%z : tensor<?x8xf32>) -> tensor<?x8xf32>
  %t = math.tanh %x : tensor<?x8xf32>
  %s = arith.addf %p, %t : tensor<?x8xf32>
  %q = linalg.matmul ins(%s, %w : tensor<?x8xf32>, tensor<8x8xf32>) outs(%z : tensor<?x8xf32>) -> tensor<?x8xf32>
  %y = arith.addf %q, %q : tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// -----

// A product that two ops read keeps its tail outside: its result must exist.
// CHECK-LABEL: func @product_read_twice
// CHECK:         %[[P:.*]] = call @gemm_0(%{{.*}}, %{{.*}}) : (tensor<?x8xf32>, tensor<8x16xf32>) -> tensor<?x16xf32>
// CHECK:         %[[M:.*]] = call @map_1(%[[P]])
// CHECK:         return %[[P]], %[[M]]
func.func @product_read_twice(%x: tensor<?x8xf32> {gnn.input = "x"}, %w: tensor<8x16xf32> {gnn.weight = "w"})
    -> (tensor<?x16xf32>, tensor<?x16xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  %p = linalg.matmul ins(%x, %w : tensor<?x8xf32>, tensor<8x16xf32>) outs(%z : tensor<?x16xf32>) -> tensor<?x16xf32>
  %r = arith.maximumf %p, %z : tensor<?x16xf32>
  return %p, %r : tensor<?x16xf32>, tensor<?x16xf32>
}

// -----

// A chain of elementwise ops is one map; a value read twice is computed once.
// CHECK-LABEL: func @chain_with_shared_value
// CHECK:         %[[S:.*]] = call @map_[[SUM:[0-9]+]](%{{.*}}, %{{.*}})
// CHECK:         %[[T:.*]] = call @map_[[TANH:[0-9]+]](%[[S]])
// CHECK:         return %[[S]], %[[T]]
func.func @chain_with_shared_value(%a: tensor<?x4xf32> {gnn.input = "a"}, %b: tensor<?x4xf32> {gnn.input = "b"})
    -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %p = arith.mulf %a, %b : tensor<?x4xf32>
  %s = arith.addf %p, %a : tensor<?x4xf32>
  %t = math.tanh %s : tensor<?x4xf32>
  return %s, %t : tensor<?x4xf32>, tensor<?x4xf32>
}
// CHECK:       func.func private @map_[[SUM]]
// CHECK:         arith.mulf %{{.*}} : vector<4xf32>
// CHECK:         arith.addf %{{.*}} : vector<4xf32>
// CHECK:       func.func private @map_[[TANH]]
// CHECK:         math.tanh %{{.*}} : vector<4xf32>

// -----

// What fusion left: a gather that must exist is a map over edges; scatters and
// degrees are aggregates.
// CHECK-LABEL: func @unfused
// CHECK:         %[[M:.*]] = call @map_0(%{{.*}}, %{{.*}}) : (!gnn.graph<?x?x?, i32, csr>, tensor<?x4xf32>) -> tensor<?x4xf32>
// CHECK:         %[[S:.*]] = call @agg_1
// CHECK:         %[[D:.*]] = call @agg_2(%{{.*}}) : (!gnn.graph<?x?x?, i32, csr>) -> tensor<?xf32>
// CHECK:         return %[[S]], %[[M]], %[[D]]
func.func @unfused(%g: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64}, %x: tensor<?x4xf32> {gnn.input = "x"})
    -> (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?xf32>) {
  %m = gnn.gather %x, %g at src : tensor<?x4xf32>, !gnn.graph<?x?x?, i32, csr> -> tensor<?x4xf32>
  %s = gnn.scatter mean %m, %g at dst acc f32 : tensor<?x4xf32>, !gnn.graph<?x?x?, i32, csr> -> tensor<?x4xf32>
  %d = gnn.degree %g at dst : !gnn.graph<?x?x?, i32, csr> -> tensor<?xf32>
  return %s, %m, %d : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?xf32>
}
// CHECK:         gnn.map over %{{.*}} : !gnn.graph<?x?x?, i32, csr> src(%{{.*}} : tensor<?x4xf32>) -> tensor<?x4xf32>
// CHECK:         gnn.aggregate %{{.*}} reduce [mean] acc f32
// CHECK:         gnn.aggregate %{{.*}} reduce [sum] acc f32

// -----

// Graph construction stays: the runtime executes it. Static extents work alike.
// CHECK-LABEL: func @prepare
// CHECK:         gnn.add_self_loops
// CHECK:         %[[C:.*]] = gnn.to_csr
// CHECK:         call @agg_0(%[[C]])
func.func @prepare(%g: !gnn.graph<10x10x40>) -> (!gnn.graph<10x10x?, i32, csr>, tensor<10xf32>) {
  %l = gnn.add_self_loops %g fill 1.0 : !gnn.graph<10x10x40> -> !gnn.graph<10x10x?>
  %c = gnn.to_csr %l : !gnn.graph<10x10x?> -> !gnn.graph<10x10x?, i32, csr>
  %d = gnn.degree %c at dst : !gnn.graph<10x10x?, i32, csr> -> tensor<10xf32>
  return %c, %d : !gnn.graph<10x10x?, i32, csr>, tensor<10xf32>
}

// -----

// A bias behind the stored tensor comes along, too: the kernel adds it first.
// CHECK-LABEL: func @bias_behind_residual
// CHECK-SAME:    %[[X:.*]]: tensor<6x8xf32> {{.*}}, %[[W:.*]]: tensor<8x16xf32> {{.*}}, %[[R:.*]]: tensor<6x16xf32> {{.*}}, %[[B:.*]]: tensor<16xf32>
// CHECK-NEXT:    %[[Y:.*]] = call @gemm_0(%[[X]], %[[W]], %[[B]], %[[R]])
// CHECK-NEXT:    return %[[Y]]
func.func @bias_behind_residual(%x: tensor<6x8xf32> {gnn.input = "x"}, %w: tensor<8x16xf32> {gnn.weight = "w"},
                                %r: tensor<6x16xf32> {gnn.input = "r"}, %b: tensor<16xf32> {gnn.weight = "b"}) -> tensor<6x16xf32> {
  %z = arith.constant dense<0.0> : tensor<6x16xf32>
  %e = tensor.empty() : tensor<6x16xf32>
  %p = linalg.matmul ins(%x, %w : tensor<6x8xf32>, tensor<8x16xf32>) outs(%z : tensor<6x16xf32>) -> tensor<6x16xf32>
  %s = arith.addf %p, %r : tensor<6x16xf32>
  %rows = linalg.broadcast ins(%b : tensor<16xf32>) outs(%e : tensor<6x16xf32>) dimensions = [0]
  %t = arith.addf %s, %rows : tensor<6x16xf32>
  %y = arith.maximumf %t, %z : tensor<6x16xf32>
  return %y : tensor<6x16xf32>
}
// CHECK:       func.func private @gemm_0(
// CHECK-SAME:    %{{.*}}: tensor<6x8xf32>, %{{.*}}: tensor<8x16xf32>, %{{.*}}: tensor<16xf32>, %[[RESIDUAL:.*]]: tensor<6x16xf32>)
// CHECK:         %[[P:.*]] = linalg.matmul
// CHECK:         %[[S:.*]] = arith.addf %[[P]], %{{.*}}
// CHECK:         %[[T:.*]] = arith.addf %[[S]], %[[RESIDUAL]]
// CHECK:         arith.maximumf %[[T]]
