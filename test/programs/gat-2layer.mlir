// A two-layer GAT as a straightforward front end writes it: PyG's
// GAT(in 5, hidden 12, out 3, heads 3), the case gat-hard of test/data/pyg. Heads
// are concatenated in the first layer and averaged in the last one. Weight names
// are those of the state_dict.
#nk = affine_map<(d0, d1, d2) -> (d0, d2)>
#ck = affine_map<(d0, d1, d2) -> (d1, d2)>
#nc = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @forward(%g: !gnn.graph<?x?x?>,
                   %x: tensor<?x5xf32> {gnn.input = "x"},
                   %w0: tensor<12x5xf32> {gnn.weight = "convs.0.lin.weight"},
                   %as0: tensor<1x3x4xf32> {gnn.weight = "convs.0.att_src"},
                   %ad0: tensor<1x3x4xf32> {gnn.weight = "convs.0.att_dst"},
                   %b0: tensor<12xf32> {gnn.weight = "convs.0.bias"},
                   %w1: tensor<9x12xf32> {gnn.weight = "convs.1.lin.weight"},
                   %as1: tensor<1x3x3xf32> {gnn.weight = "convs.1.att_src"},
                   %ad1: tensor<1x3x3xf32> {gnn.weight = "convs.1.att_dst"},
                   %b1: tensor<3xf32> {gnn.weight = "convs.1.bias"})
    -> (tensor<?x3xf32> {gnn.output = "out"}) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %slope = arith.constant 0.2 : f32
  %n = tensor.dim %x, %c0 : tensor<?x5xf32>
  %loops = gnn.add_self_loops %g fill 1.0 : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  // layer 0: 5 -> 3 heads x 4
  %h0_init = tensor.empty(%n) : tensor<?x12xf32>
  %h0_zero = linalg.fill ins(%zero : f32) outs(%h0_init : tensor<?x12xf32>) -> tensor<?x12xf32>
  %h0 = linalg.matmul indexing_maps = [#nk, #ck, #nc]
      ins(%x, %w0 : tensor<?x5xf32>, tensor<12x5xf32>) outs(%h0_zero : tensor<?x12xf32>) -> tensor<?x12xf32>
  %v0 = tensor.expand_shape %h0 [[0], [1, 2]] output_shape [%n, 3, 4] : tensor<?x12xf32> into tensor<?x3x4xf32>
  // each node's part of the score, as source and as destination
  %src0_flat = tensor.collapse_shape %as0 [[0, 1], [2]] : tensor<1x3x4xf32> into tensor<3x4xf32>
  %src0_init = tensor.empty(%n) : tensor<?x3x4xf32>
  %src0_att = linalg.broadcast ins(%src0_flat : tensor<3x4xf32>) outs(%src0_init : tensor<?x3x4xf32>) dimensions = [0]
  %src0_prod = arith.mulf %v0, %src0_att : tensor<?x3x4xf32>
  %src0_out = tensor.empty(%n) : tensor<?x3xf32>
  %src0_zero = linalg.fill ins(%zero : f32) outs(%src0_out : tensor<?x3xf32>) -> tensor<?x3xf32>
  %src0 = linalg.reduce ins(%src0_prod : tensor<?x3x4xf32>) outs(%src0_zero : tensor<?x3xf32>) dimensions = [2]
    (%a: f32, %acc: f32) {
      %t = arith.addf %a, %acc : f32
      linalg.yield %t : f32
    }
  %dst0_flat = tensor.collapse_shape %ad0 [[0, 1], [2]] : tensor<1x3x4xf32> into tensor<3x4xf32>
  %dst0_init = tensor.empty(%n) : tensor<?x3x4xf32>
  %dst0_att = linalg.broadcast ins(%dst0_flat : tensor<3x4xf32>) outs(%dst0_init : tensor<?x3x4xf32>) dimensions = [0]
  %dst0_prod = arith.mulf %v0, %dst0_att : tensor<?x3x4xf32>
  %dst0_out = tensor.empty(%n) : tensor<?x3xf32>
  %dst0_zero = linalg.fill ins(%zero : f32) outs(%dst0_out : tensor<?x3xf32>) -> tensor<?x3xf32>
  %dst0 = linalg.reduce ins(%dst0_prod : tensor<?x3x4xf32>) outs(%dst0_zero : tensor<?x3xf32>) dimensions = [2]
    (%a: f32, %acc: f32) {
      %t = arith.addf %a, %acc : f32
      linalg.yield %t : f32
    }
  %se0 = gnn.gather %src0, %loops at src : tensor<?x3xf32>, !gnn.graph<?x?x?> -> tensor<?x3xf32>
  %de0 = gnn.gather %dst0, %loops at dst : tensor<?x3xf32>, !gnn.graph<?x?x?> -> tensor<?x3xf32>
  %sum_e0 = arith.addf %se0, %de0 : tensor<?x3xf32>
  %e0 = tensor.dim %se0, %c0 : tensor<?x3xf32>
  %score0_init = tensor.empty(%e0) : tensor<?x3xf32>
  %score0_zero = linalg.fill ins(%zero : f32) outs(%score0_init : tensor<?x3xf32>) -> tensor<?x3xf32>
  %score0_slope = linalg.fill ins(%slope : f32) outs(%score0_init : tensor<?x3xf32>) -> tensor<?x3xf32>
  %score0_pos = arith.cmpf ogt, %sum_e0, %score0_zero : tensor<?x3xf32>
  %score0_small = arith.mulf %sum_e0, %score0_slope : tensor<?x3xf32>
  %score0 = arith.select %score0_pos, %sum_e0, %score0_small : tensor<?x3xi1>, tensor<?x3xf32>
  %row0 = gnn.gather %v0, %loops at src : tensor<?x3x4xf32>, !gnn.graph<?x?x?> -> tensor<?x3x4xf32>
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
  %h1_init = tensor.empty(%n) : tensor<?x9xf32>
  %h1_zero = linalg.fill ins(%zero : f32) outs(%h1_init : tensor<?x9xf32>) -> tensor<?x9xf32>
  %h1 = linalg.matmul indexing_maps = [#nk, #ck, #nc]
      ins(%x1, %w1 : tensor<?x12xf32>, tensor<9x12xf32>) outs(%h1_zero : tensor<?x9xf32>) -> tensor<?x9xf32>
  %v1 = tensor.expand_shape %h1 [[0], [1, 2]] output_shape [%n, 3, 3] : tensor<?x9xf32> into tensor<?x3x3xf32>
  // each node's part of the score, as source and as destination
  %src1_flat = tensor.collapse_shape %as1 [[0, 1], [2]] : tensor<1x3x3xf32> into tensor<3x3xf32>
  %src1_init = tensor.empty(%n) : tensor<?x3x3xf32>
  %src1_att = linalg.broadcast ins(%src1_flat : tensor<3x3xf32>) outs(%src1_init : tensor<?x3x3xf32>) dimensions = [0]
  %src1_prod = arith.mulf %v1, %src1_att : tensor<?x3x3xf32>
  %src1_out = tensor.empty(%n) : tensor<?x3xf32>
  %src1_zero = linalg.fill ins(%zero : f32) outs(%src1_out : tensor<?x3xf32>) -> tensor<?x3xf32>
  %src1 = linalg.reduce ins(%src1_prod : tensor<?x3x3xf32>) outs(%src1_zero : tensor<?x3xf32>) dimensions = [2]
    (%a: f32, %acc: f32) {
      %t = arith.addf %a, %acc : f32
      linalg.yield %t : f32
    }
  %dst1_flat = tensor.collapse_shape %ad1 [[0, 1], [2]] : tensor<1x3x3xf32> into tensor<3x3xf32>
  %dst1_init = tensor.empty(%n) : tensor<?x3x3xf32>
  %dst1_att = linalg.broadcast ins(%dst1_flat : tensor<3x3xf32>) outs(%dst1_init : tensor<?x3x3xf32>) dimensions = [0]
  %dst1_prod = arith.mulf %v1, %dst1_att : tensor<?x3x3xf32>
  %dst1_out = tensor.empty(%n) : tensor<?x3xf32>
  %dst1_zero = linalg.fill ins(%zero : f32) outs(%dst1_out : tensor<?x3xf32>) -> tensor<?x3xf32>
  %dst1 = linalg.reduce ins(%dst1_prod : tensor<?x3x3xf32>) outs(%dst1_zero : tensor<?x3xf32>) dimensions = [2]
    (%a: f32, %acc: f32) {
      %t = arith.addf %a, %acc : f32
      linalg.yield %t : f32
    }
  %se1 = gnn.gather %src1, %loops at src : tensor<?x3xf32>, !gnn.graph<?x?x?> -> tensor<?x3xf32>
  %de1 = gnn.gather %dst1, %loops at dst : tensor<?x3xf32>, !gnn.graph<?x?x?> -> tensor<?x3xf32>
  %sum_e1 = arith.addf %se1, %de1 : tensor<?x3xf32>
  %e1 = tensor.dim %se1, %c0 : tensor<?x3xf32>
  %score1_init = tensor.empty(%e1) : tensor<?x3xf32>
  %score1_zero = linalg.fill ins(%zero : f32) outs(%score1_init : tensor<?x3xf32>) -> tensor<?x3xf32>
  %score1_slope = linalg.fill ins(%slope : f32) outs(%score1_init : tensor<?x3xf32>) -> tensor<?x3xf32>
  %score1_pos = arith.cmpf ogt, %sum_e1, %score1_zero : tensor<?x3xf32>
  %score1_small = arith.mulf %sum_e1, %score1_slope : tensor<?x3xf32>
  %score1 = arith.select %score1_pos, %sum_e1, %score1_small : tensor<?x3xi1>, tensor<?x3xf32>
  %row1 = gnn.gather %v1, %loops at src : tensor<?x3x3xf32>, !gnn.graph<?x?x?> -> tensor<?x3x3xf32>
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
