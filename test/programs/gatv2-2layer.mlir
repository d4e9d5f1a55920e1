// A two-layer GATv2 as a straightforward front end writes it: PyG's
// GAT(in 5, hidden 12, out 3, heads 3, v2=True), the case gatv2-hard of
// test/data/pyg. The score of an edge is computed from both of its ends at once,
// a dot product per head and edge. Weight names are those of the state_dict.
#nk = affine_map<(d0, d1, d2) -> (d0, d2)>
#ck = affine_map<(d0, d1, d2) -> (d1, d2)>
#nc = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @forward(%g: !gnn.graph<?x?x?>,
                   %x: tensor<?x5xf32> {gnn.input = "x"},
                   %wl0: tensor<12x5xf32> {gnn.weight = "convs.0.lin_l.weight"},
                   %bl0: tensor<12xf32> {gnn.weight = "convs.0.lin_l.bias"},
                   %wr0: tensor<12x5xf32> {gnn.weight = "convs.0.lin_r.weight"},
                   %br0: tensor<12xf32> {gnn.weight = "convs.0.lin_r.bias"},
                   %att0: tensor<1x3x4xf32> {gnn.weight = "convs.0.att"},
                   %b0: tensor<12xf32> {gnn.weight = "convs.0.bias"},
                   %wl1: tensor<9x12xf32> {gnn.weight = "convs.1.lin_l.weight"},
                   %bl1: tensor<9xf32> {gnn.weight = "convs.1.lin_l.bias"},
                   %wr1: tensor<9x12xf32> {gnn.weight = "convs.1.lin_r.weight"},
                   %br1: tensor<9xf32> {gnn.weight = "convs.1.lin_r.bias"},
                   %att1: tensor<1x3x3xf32> {gnn.weight = "convs.1.att"},
                   %b1: tensor<3xf32> {gnn.weight = "convs.1.bias"})
    -> (tensor<?x3xf32> {gnn.output = "out"}) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %slope = arith.constant 0.2 : f32
  %n = tensor.dim %x, %c0 : tensor<?x5xf32>
  %loops = gnn.add_self_loops %g fill 1.0 : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  // layer 0: 5 -> 3 heads x 4
  %l0_init = tensor.empty(%n) : tensor<?x12xf32>
  %l0_zero = linalg.fill ins(%zero : f32) outs(%l0_init : tensor<?x12xf32>) -> tensor<?x12xf32>
  %l0_p = linalg.matmul indexing_maps = [#nk, #ck, #nc]
      ins(%x, %wl0 : tensor<?x5xf32>, tensor<12x5xf32>) outs(%l0_zero : tensor<?x12xf32>) -> tensor<?x12xf32>
  %l0_b = linalg.broadcast ins(%bl0 : tensor<12xf32>) outs(%l0_init : tensor<?x12xf32>) dimensions = [0]
  %l0 = arith.addf %l0_p, %l0_b : tensor<?x12xf32>
  %r0_init = tensor.empty(%n) : tensor<?x12xf32>
  %r0_zero = linalg.fill ins(%zero : f32) outs(%r0_init : tensor<?x12xf32>) -> tensor<?x12xf32>
  %r0_p = linalg.matmul indexing_maps = [#nk, #ck, #nc]
      ins(%x, %wr0 : tensor<?x5xf32>, tensor<12x5xf32>) outs(%r0_zero : tensor<?x12xf32>) -> tensor<?x12xf32>
  %r0_b = linalg.broadcast ins(%br0 : tensor<12xf32>) outs(%r0_init : tensor<?x12xf32>) dimensions = [0]
  %r0 = arith.addf %r0_p, %r0_b : tensor<?x12xf32>
  %vl0 = tensor.expand_shape %l0 [[0], [1, 2]] output_shape [%n, 3, 4] : tensor<?x12xf32> into tensor<?x3x4xf32>
  %vr0 = tensor.expand_shape %r0 [[0], [1, 2]] output_shape [%n, 3, 4] : tensor<?x12xf32> into tensor<?x3x4xf32>
  %row0 = gnn.gather %vl0, %loops at src : tensor<?x3x4xf32>, !gnn.graph<?x?x?> -> tensor<?x3x4xf32>
  %own0 = gnn.gather %vr0, %loops at dst : tensor<?x3x4xf32>, !gnn.graph<?x?x?> -> tensor<?x3x4xf32>
  %both0 = arith.addf %row0, %own0 : tensor<?x3x4xf32>
  %e0 = tensor.dim %row0, %c0 : tensor<?x3x4xf32>
  %act0_init = tensor.empty(%e0) : tensor<?x3x4xf32>
  %act0_zero = linalg.fill ins(%zero : f32) outs(%act0_init : tensor<?x3x4xf32>) -> tensor<?x3x4xf32>
  %act0_slope = linalg.fill ins(%slope : f32) outs(%act0_init : tensor<?x3x4xf32>) -> tensor<?x3x4xf32>
  %act0_pos = arith.cmpf ogt, %both0, %act0_zero : tensor<?x3x4xf32>
  %act0_small = arith.mulf %both0, %act0_slope : tensor<?x3x4xf32>
  %act0 = arith.select %act0_pos, %both0, %act0_small : tensor<?x3x4xi1>, tensor<?x3x4xf32>
  %score0_flat = tensor.collapse_shape %att0 [[0, 1], [2]] : tensor<1x3x4xf32> into tensor<3x4xf32>
  %score0_init = tensor.empty(%e0) : tensor<?x3x4xf32>
  %score0_att = linalg.broadcast ins(%score0_flat : tensor<3x4xf32>) outs(%score0_init : tensor<?x3x4xf32>) dimensions = [0]
  %score0_prod = arith.mulf %act0, %score0_att : tensor<?x3x4xf32>
  %score0_out = tensor.empty(%e0) : tensor<?x3xf32>
  %score0_zero = linalg.fill ins(%zero : f32) outs(%score0_out : tensor<?x3xf32>) -> tensor<?x3xf32>
  %score0 = linalg.reduce ins(%score0_prod : tensor<?x3x4xf32>) outs(%score0_zero : tensor<?x3xf32>) dimensions = [2]
    (%a: f32, %acc: f32) {
      %t = arith.addf %a, %acc : f32
      linalg.yield %t : f32
    }
  %alpha0 = gnn.segment_softmax %score0, %loops at dst acc f32 : tensor<?x3xf32>, !gnn.graph<?x?x?>
  %alpha0_init = tensor.empty(%e0) : tensor<?x3x4xf32>
  %alpha0_rows = linalg.broadcast ins(%alpha0 : tensor<?x3xf32>) outs(%alpha0_init : tensor<?x3x4xf32>) dimensions = [2]
  %m0 = arith.mulf %row0, %alpha0_rows : tensor<?x3x4xf32>
  %s0 = gnn.scatter sum %m0, %loops at dst acc f32 : tensor<?x3x4xf32>, !gnn.graph<?x?x?> -> tensor<?x3x4xf32>
  // heads side by side, bias, ReLU
  %cat0 = tensor.collapse_shape %s0 [[0], [1, 2]] : tensor<?x3x4xf32> into tensor<?x12xf32>
  %bias0_init = tensor.empty(%n) : tensor<?x12xf32>
  %bias0_zero = linalg.fill ins(%zero : f32) outs(%bias0_init : tensor<?x12xf32>) -> tensor<?x12xf32>
  %bias0 = linalg.broadcast ins(%b0 : tensor<12xf32>) outs(%bias0_init : tensor<?x12xf32>) dimensions = [0]
  %sum0 = arith.addf %cat0, %bias0 : tensor<?x12xf32>
  %x1 = arith.maximumf %sum0, %bias0_zero : tensor<?x12xf32>
  // layer 1: 12 -> 3 heads x 3
  %l1_init = tensor.empty(%n) : tensor<?x9xf32>
  %l1_zero = linalg.fill ins(%zero : f32) outs(%l1_init : tensor<?x9xf32>) -> tensor<?x9xf32>
  %l1_p = linalg.matmul indexing_maps = [#nk, #ck, #nc]
      ins(%x1, %wl1 : tensor<?x12xf32>, tensor<9x12xf32>) outs(%l1_zero : tensor<?x9xf32>) -> tensor<?x9xf32>
  %l1_b = linalg.broadcast ins(%bl1 : tensor<9xf32>) outs(%l1_init : tensor<?x9xf32>) dimensions = [0]
  %l1 = arith.addf %l1_p, %l1_b : tensor<?x9xf32>
  %r1_init = tensor.empty(%n) : tensor<?x9xf32>
  %r1_zero = linalg.fill ins(%zero : f32) outs(%r1_init : tensor<?x9xf32>) -> tensor<?x9xf32>
  %r1_p = linalg.matmul indexing_maps = [#nk, #ck, #nc]
      ins(%x1, %wr1 : tensor<?x12xf32>, tensor<9x12xf32>) outs(%r1_zero : tensor<?x9xf32>) -> tensor<?x9xf32>
  %r1_b = linalg.broadcast ins(%br1 : tensor<9xf32>) outs(%r1_init : tensor<?x9xf32>) dimensions = [0]
  %r1 = arith.addf %r1_p, %r1_b : tensor<?x9xf32>
  %vl1 = tensor.expand_shape %l1 [[0], [1, 2]] output_shape [%n, 3, 3] : tensor<?x9xf32> into tensor<?x3x3xf32>
  %vr1 = tensor.expand_shape %r1 [[0], [1, 2]] output_shape [%n, 3, 3] : tensor<?x9xf32> into tensor<?x3x3xf32>
  %row1 = gnn.gather %vl1, %loops at src : tensor<?x3x3xf32>, !gnn.graph<?x?x?> -> tensor<?x3x3xf32>
  %own1 = gnn.gather %vr1, %loops at dst : tensor<?x3x3xf32>, !gnn.graph<?x?x?> -> tensor<?x3x3xf32>
  %both1 = arith.addf %row1, %own1 : tensor<?x3x3xf32>
  %e1 = tensor.dim %row1, %c0 : tensor<?x3x3xf32>
  %act1_init = tensor.empty(%e1) : tensor<?x3x3xf32>
  %act1_zero = linalg.fill ins(%zero : f32) outs(%act1_init : tensor<?x3x3xf32>) -> tensor<?x3x3xf32>
  %act1_slope = linalg.fill ins(%slope : f32) outs(%act1_init : tensor<?x3x3xf32>) -> tensor<?x3x3xf32>
  %act1_pos = arith.cmpf ogt, %both1, %act1_zero : tensor<?x3x3xf32>
  %act1_small = arith.mulf %both1, %act1_slope : tensor<?x3x3xf32>
  %act1 = arith.select %act1_pos, %both1, %act1_small : tensor<?x3x3xi1>, tensor<?x3x3xf32>
  %score1_flat = tensor.collapse_shape %att1 [[0, 1], [2]] : tensor<1x3x3xf32> into tensor<3x3xf32>
  %score1_init = tensor.empty(%e1) : tensor<?x3x3xf32>
  %score1_att = linalg.broadcast ins(%score1_flat : tensor<3x3xf32>) outs(%score1_init : tensor<?x3x3xf32>) dimensions = [0]
  %score1_prod = arith.mulf %act1, %score1_att : tensor<?x3x3xf32>
  %score1_out = tensor.empty(%e1) : tensor<?x3xf32>
  %score1_zero = linalg.fill ins(%zero : f32) outs(%score1_out : tensor<?x3xf32>) -> tensor<?x3xf32>
  %score1 = linalg.reduce ins(%score1_prod : tensor<?x3x3xf32>) outs(%score1_zero : tensor<?x3xf32>) dimensions = [2]
    (%a: f32, %acc: f32) {
      %t = arith.addf %a, %acc : f32
      linalg.yield %t : f32
    }
  %alpha1 = gnn.segment_softmax %score1, %loops at dst acc f32 : tensor<?x3xf32>, !gnn.graph<?x?x?>
  %alpha1_init = tensor.empty(%e1) : tensor<?x3x3xf32>
  %alpha1_rows = linalg.broadcast ins(%alpha1 : tensor<?x3xf32>) outs(%alpha1_init : tensor<?x3x3xf32>) dimensions = [2]
  %m1 = arith.mulf %row1, %alpha1_rows : tensor<?x3x3xf32>
  %s1 = gnn.scatter sum %m1, %loops at dst acc f32 : tensor<?x3x3xf32>, !gnn.graph<?x?x?> -> tensor<?x3x3xf32>
  // mean of heads, bias
  %heads = arith.constant 3.0 : f32
  %mean1_init = tensor.empty(%n) : tensor<?x3xf32>
  %mean1_zero = linalg.fill ins(%zero : f32) outs(%mean1_init : tensor<?x3xf32>) -> tensor<?x3xf32>
  %total1 = linalg.reduce ins(%s1 : tensor<?x3x3xf32>) outs(%mean1_zero : tensor<?x3xf32>) dimensions = [1]
    (%a: f32, %acc: f32) {
      %t = arith.addf %a, %acc : f32
      linalg.yield %t : f32
    }
  %heads1 = linalg.fill ins(%heads : f32) outs(%mean1_init : tensor<?x3xf32>) -> tensor<?x3xf32>
  %mean1 = arith.divf %total1, %heads1 : tensor<?x3xf32>
  %bias1 = linalg.broadcast ins(%b1 : tensor<3xf32>) outs(%mean1_init : tensor<?x3xf32>) dimensions = [0]
  %out = arith.addf %mean1, %bias1 : tensor<?x3xf32>
  return %out : tensor<?x3xf32>
}
