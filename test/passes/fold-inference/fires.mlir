// RUN: gnn-opt %s --gnn-fold-inference --canonicalize --cse --split-input-file | FileCheck %s
// RUN: gnn-opt %s --gnn-fold-inference --canonicalize --cse --gnn-fold-inference --canonicalize --cse --split-input-file | FileCheck %s

// A linear map with bias and a batch norm behind it: one product, one shift.
// CHECK-LABEL: func.func @batch_norm
// CHECK-SAME:    %[[X:[^:]*]]: tensor<?x8xf32>{{.*}}, %[[W:.*]]: tensor<4x8xf32> {{.*}}, %[[B:.*]]: tensor<4xf32> {{.*}}, %[[S:.*]]: tensor<4xf32> {{.*}}, %[[T:.*]]: tensor<4xf32> {{.*}})
// CHECK-DAG:     %[[SW:.*]] = linalg.broadcast ins(%[[S]] : tensor<4xf32>) outs(%{{.*}} : tensor<4x8xf32>) dimensions = [1]
// CHECK-DAG:     %[[WS:.*]] = arith.mulf %[[W]], %[[SW]] : tensor<4x8xf32>
// CHECK-DAG:     %[[BS:.*]] = arith.mulf %[[B]], %[[S]] : tensor<4xf32>
// CHECK-DAG:     %[[SHIFT:.*]] = arith.addf %[[BS]], %[[T]] : tensor<4xf32>
// CHECK-DAG:     %[[P:.*]] = linalg.matmul {{.*}} ins(%[[X]], %[[WS]] : tensor<?x8xf32>, tensor<4x8xf32>)
// CHECK-DAG:     %[[ROWS:.*]] = linalg.broadcast ins(%[[SHIFT]] : tensor<4xf32>) outs(%{{.*}} : tensor<?x4xf32>) dimensions = [0]
// CHECK:         %[[Y:.*]] = arith.addf %[[P]], %[[ROWS]] : tensor<?x4xf32>
// CHECK-NEXT:    return %[[Y]]
#nk = affine_map<(d0, d1, d2) -> (d0, d2)>
#ck = affine_map<(d0, d1, d2) -> (d1, d2)>
#nc = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @batch_norm(%x: tensor<?x8xf32> {gnn.input = "x"}, %w: tensor<4x8xf32> {gnn.weight = "w"}, %b: tensor<4xf32> {gnn.weight = "b"},
                      %s: tensor<4xf32> {gnn.weight = "s"}, %t: tensor<4xf32> {gnn.weight = "t"}) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %init = tensor.empty(%n) : tensor<?x4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<?x4xf32>) -> tensor<?x4xf32>
  %p = linalg.matmul indexing_maps = [#nk, #ck, #nc] ins(%x, %w : tensor<?x8xf32>, tensor<4x8xf32>) outs(%zeros : tensor<?x4xf32>) -> tensor<?x4xf32>
  %n1 = tensor.dim %p, %c0 : tensor<?x4xf32>
  %init1 = tensor.empty(%n1) : tensor<?x4xf32>
  %br = linalg.broadcast ins(%b : tensor<4xf32>) outs(%init1 : tensor<?x4xf32>) dimensions = [0]
  %pb = arith.addf %p, %br : tensor<?x4xf32>
  %sr = linalg.broadcast ins(%s : tensor<4xf32>) outs(%init1 : tensor<?x4xf32>) dimensions = [0]
  %scaled = arith.mulf %sr, %pb : tensor<?x4xf32>
  %tr = linalg.broadcast ins(%t : tensor<4xf32>) outs(%init1 : tensor<?x4xf32>) dimensions = [0]
  %y = arith.addf %scaled, %tr : tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

// The root term of GraphSAGE: both products take the scale in. One weight is [in, out].
// CHECK-LABEL: func.func @sum_of_products
// CHECK-DAG:     %[[WS:.*]] = arith.mulf %{{.*}}, %{{.*}} : tensor<4x8xf32>
// CHECK-DAG:     %[[VS:.*]] = arith.mulf %{{.*}}, %{{.*}} : tensor<8x4xf32>
// CHECK-DAG:     %[[P:.*]] = linalg.matmul {{.*}} ins(%{{.*}}, %[[WS]] :
// CHECK-DAG:     %[[Q:.*]] = linalg.matmul ins(%{{.*}}, %[[VS]] :
// CHECK-DAG:     %[[BS:.*]] = arith.mulf %{{.*}}, %{{.*}} : tensor<4xf32>
// CHECK-NOT:     arith.mulf {{.*}} : tensor<6x4xf32>
// CHECK:         return
#nk = affine_map<(d0, d1, d2) -> (d0, d2)>
#ck = affine_map<(d0, d1, d2) -> (d1, d2)>
#nc = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @sum_of_products(%x: tensor<6x8xf32> {gnn.input = "x"}, %a: tensor<6x8xf32> {gnn.input = "a"}, %w: tensor<4x8xf32> {gnn.weight = "w"}, %v: tensor<8x4xf32> {gnn.weight = "v"},
                           %b: tensor<4xf32> {gnn.weight = "b"}, %s: tensor<4xf32> {gnn.weight = "s"}) -> tensor<6x4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<6x4xf32>
  %init = tensor.empty() : tensor<6x4xf32>
  %p = linalg.matmul indexing_maps = [#nk, #ck, #nc] ins(%a, %w : tensor<6x8xf32>, tensor<4x8xf32>) outs(%zeros : tensor<6x4xf32>) -> tensor<6x4xf32>
  %q = linalg.matmul ins(%x, %v : tensor<6x8xf32>, tensor<8x4xf32>) outs(%zeros : tensor<6x4xf32>) -> tensor<6x4xf32>
  %br = linalg.broadcast ins(%b : tensor<4xf32>) outs(%init : tensor<6x4xf32>) dimensions = [0]
  %pb = arith.addf %p, %br : tensor<6x4xf32>
  %sum = arith.addf %pb, %q : tensor<6x4xf32>
  %sr = linalg.broadcast ins(%s : tensor<4xf32>) outs(%init : tensor<6x4xf32>) dimensions = [0]
  %y = arith.mulf %sum, %sr : tensor<6x4xf32>
  return %y : tensor<6x4xf32>
}

// -----

// Scales in front of a product, a subtraction, a division, constants, and a factor of 1.
// CHECK-LABEL: func.func @in_front
// CHECK-SAME:    %[[X:[^:]*]]: tensor<6x4xf32> {{.*}}, %[[W:.*]]: tensor<4x4xf32> {{.*}}, %[[S:.*]]: tensor<4xf32> {{.*}})
// CHECK-DAG:     %[[ONES:.*]] = arith.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-DAG:     %[[TWOS:.*]] = arith.constant dense<2.000000e+00> : tensor<4xf32>
// CHECK-DAG:     %[[D:.*]] = arith.divf %[[ONES]], %[[S]]
// CHECK-DAG:     %[[F:.*]] = arith.mulf %[[D]], %[[TWOS]]
// CHECK-DAG:     %[[FW:.*]] = linalg.broadcast ins(%[[F]] : tensor<4xf32>) outs(%{{.*}} : tensor<4x4xf32>) dimensions = [0]
// CHECK-DAG:     %[[WF:.*]] = arith.mulf %[[W]], %[[FW]]
// CHECK-DAG:     %[[P:.*]] = linalg.matmul {{.*}} ins(%[[X]], %[[WF]] :
// CHECK-DAG:     %[[N:.*]] = arith.negf %[[S]]
// CHECK-DAG:     %[[NR:.*]] = linalg.broadcast ins(%[[N]] : tensor<4xf32>)
// CHECK:         %[[Y:.*]] = arith.addf %[[P]], %[[NR]]
// CHECK:         return %[[Y]]
#nk = affine_map<(d0, d1, d2) -> (d0, d2)>
#ck = affine_map<(d0, d1, d2) -> (d1, d2)>
#nc = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @in_front(%x: tensor<6x4xf32> {gnn.input = "x"}, %w: tensor<4x4xf32> {gnn.weight = "w"}, %s: tensor<4xf32> {gnn.weight = "s"}) -> tensor<6x4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<6x4xf32>
  %ones = arith.constant dense<1.0> : tensor<6x4xf32>
  %twos = arith.constant dense<2.0> : tensor<6x4xf32>
  %init = tensor.empty() : tensor<6x4xf32>
  %sr = linalg.broadcast ins(%s : tensor<4xf32>) outs(%init : tensor<6x4xf32>) dimensions = [0]
  %x1 = arith.mulf %x, %ones : tensor<6x4xf32>
  %x2 = arith.mulf %x1, %twos : tensor<6x4xf32>
  %x3 = arith.divf %x2, %sr : tensor<6x4xf32>
  %p = linalg.matmul indexing_maps = [#nk, #ck, #nc] ins(%x3, %w : tensor<6x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<6x4xf32>) -> tensor<6x4xf32>
  %y = arith.subf %p, %sr : tensor<6x4xf32>
  return %y : tensor<6x4xf32>
}

// -----

// A bias inside of a sum and a shift behind it: one shift, behind the sum.
// CHECK-LABEL: func.func @shift_of_sum
// CHECK-SAME:    %[[X:[^:]*]]: tensor<6x4xf32> {{.*}}, %[[Y:[^:]*]]: tensor<6x4xf32> {{.*}}, %[[Z:[^:]*]]: tensor<6x4xf32> {{.*}}, %[[A:[^:]*]]: tensor<4xf32> {{.*}}, %[[B:[^:]*]]: tensor<4xf32> {{.*}})
// CHECK-DAG:     %[[AB:.*]] = arith.addf %[[A]], %[[B]] : tensor<4xf32>
// CHECK-DAG:     %[[R:.*]] = linalg.broadcast ins(%[[AB]] : tensor<4xf32>)
// CHECK-DAG:     %[[XY:.*]] = arith.addf %[[Y]], %[[X]] : tensor<6x4xf32>
// CHECK-DAG:     %[[XYZ:.*]] = arith.addf %[[XY]], %[[Z]] : tensor<6x4xf32>
// CHECK:         %[[OUT:.*]] = arith.addf %[[XYZ]], %[[R]] : tensor<6x4xf32>
// CHECK-NEXT:    return %[[OUT]]
func.func @shift_of_sum(%x: tensor<6x4xf32> {gnn.input = "x"}, %y: tensor<6x4xf32> {gnn.input = "y"}, %z: tensor<6x4xf32> {gnn.input = "z"},
                        %a: tensor<4xf32> {gnn.weight = "a"}, %b: tensor<4xf32> {gnn.weight = "b"}) -> tensor<6x4xf32> {
  %init = tensor.empty() : tensor<6x4xf32>
  %ar = linalg.broadcast ins(%a : tensor<4xf32>) outs(%init : tensor<6x4xf32>) dimensions = [0]
  %br = linalg.broadcast ins(%b : tensor<4xf32>) outs(%init : tensor<6x4xf32>) dimensions = [0]
  %xa = arith.addf %x, %ar : tensor<6x4xf32>
  %xy = arith.addf %y, %xa : tensor<6x4xf32>
  %xyz = arith.addf %xy, %z : tensor<6x4xf32>
  %out = arith.addf %xyz, %br : tensor<6x4xf32>
  return %out : tensor<6x4xf32>
}

// -----

// What the sum's shift makes has another reader, so it stays.
// CHECK-LABEL: func.func @shift_read_twice
// CHECK:         %[[XA:.*]] = arith.addf
// CHECK:         %[[XY:.*]] = arith.addf %[[XA]], %{{.*}}
// CHECK:         %[[OUT:.*]] = arith.addf %[[XY]], %{{.*}}
// CHECK:         return %[[OUT]], %[[XA]]
func.func @shift_read_twice(%x: tensor<6x4xf32> {gnn.input = "x"}, %y: tensor<6x4xf32> {gnn.input = "y"},
                            %a: tensor<4xf32> {gnn.weight = "a"}, %b: tensor<4xf32> {gnn.weight = "b"}) -> (tensor<6x4xf32>, tensor<6x4xf32>) {
  %init = tensor.empty() : tensor<6x4xf32>
  %ar = linalg.broadcast ins(%a : tensor<4xf32>) outs(%init : tensor<6x4xf32>) dimensions = [0]
  %br = linalg.broadcast ins(%b : tensor<4xf32>) outs(%init : tensor<6x4xf32>) dimensions = [0]
  %xa = arith.addf %x, %ar : tensor<6x4xf32>
  %xy = arith.addf %xa, %y : tensor<6x4xf32>
  %out = arith.addf %xy, %br : tensor<6x4xf32>
  return %out, %xa : tensor<6x4xf32>, tensor<6x4xf32>
}
