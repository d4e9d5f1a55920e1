// A two-layer GCN as a straightforward front end writes it (no fixes applied):
// PyG's GCN(16, 2 layers) on Cora. Weight names are those of the state_dict.
#nk = affine_map<(d0, d1, d2) -> (d0, d2)>
#ck = affine_map<(d0, d1, d2) -> (d1, d2)>
#nc = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @forward(%g: !gnn.graph<?x?x?>,
                   %x: tensor<?x1433xf32> {gnn.input = "x"},
                   %w0: tensor<16x1433xf32> {gnn.weight = "convs.0.lin.weight"},
                   %b0: tensor<16xf32> {gnn.weight = "convs.0.bias"},
                   %w1: tensor<7x16xf32> {gnn.weight = "convs.1.lin.weight"},
                   %b1: tensor<7xf32> {gnn.weight = "convs.1.bias"})
    -> (tensor<?x7xf32> {gnn.output = "out"}) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x1433xf32>
  // norm[e] = deg[src]^-1/2 * deg[dst]^-1/2, infinite -> 0
  %loops = gnn.add_self_loops %g fill 1.0 : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  %deg = gnn.degree %loops at dst : !gnn.graph<?x?x?> -> tensor<?xf32>
  %rs = math.rsqrt %deg : tensor<?xf32>
  %zeros_init = tensor.empty(%n) : tensor<?xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%zeros_init : tensor<?xf32>) -> tensor<?xf32>
  %some = arith.cmpf ogt, %deg, %zeros : tensor<?xf32>
  %dis = arith.select %some, %rs, %zeros : tensor<?xi1>, tensor<?xf32>
  %dis_src = gnn.gather %dis, %loops at src : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %dis_dst = gnn.gather %dis, %loops at dst : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %norm = arith.mulf %dis_src, %dis_dst : tensor<?xf32>
  %e = tensor.dim %norm, %c0 : tensor<?xf32>
  // layer 0
  %h0_init = tensor.empty(%n) : tensor<?x16xf32>
  %h0_zero = linalg.fill ins(%zero : f32) outs(%h0_init : tensor<?x16xf32>) -> tensor<?x16xf32>
  %h0 = linalg.matmul indexing_maps = [#nk, #ck, #nc]
      ins(%x, %w0 : tensor<?x1433xf32>, tensor<16x1433xf32>) outs(%h0_zero : tensor<?x16xf32>) -> tensor<?x16xf32>
  %m0 = gnn.gather %h0, %loops at src : tensor<?x16xf32>, !gnn.graph<?x?x?> -> tensor<?x16xf32>
  %n0_init = tensor.empty(%e) : tensor<?x16xf32>
  %n0 = linalg.broadcast ins(%norm : tensor<?xf32>) outs(%n0_init : tensor<?x16xf32>) dimensions = [1]
  %wm0 = arith.mulf %m0, %n0 : tensor<?x16xf32>
  %s0 = gnn.scatter sum %wm0, %loops at dst acc f32 : tensor<?x16xf32>, !gnn.graph<?x?x?> -> tensor<?x16xf32>
  %b0_init = tensor.empty(%n) : tensor<?x16xf32>
  %b0_rows = linalg.broadcast ins(%b0 : tensor<16xf32>) outs(%b0_init : tensor<?x16xf32>) dimensions = [0]
  %a0 = arith.addf %s0, %b0_rows : tensor<?x16xf32>
  %r0 = arith.maximumf %a0, %h0_zero : tensor<?x16xf32>
  // layer 1
  %h1_init = tensor.empty(%n) : tensor<?x7xf32>
  %h1_zero = linalg.fill ins(%zero : f32) outs(%h1_init : tensor<?x7xf32>) -> tensor<?x7xf32>
  %h1 = linalg.matmul indexing_maps = [#nk, #ck, #nc]
      ins(%r0, %w1 : tensor<?x16xf32>, tensor<7x16xf32>) outs(%h1_zero : tensor<?x7xf32>) -> tensor<?x7xf32>
  %m1 = gnn.gather %h1, %loops at src : tensor<?x7xf32>, !gnn.graph<?x?x?> -> tensor<?x7xf32>
  %n1_init = tensor.empty(%e) : tensor<?x7xf32>
  %n1 = linalg.broadcast ins(%norm : tensor<?xf32>) outs(%n1_init : tensor<?x7xf32>) dimensions = [1]
  %wm1 = arith.mulf %m1, %n1 : tensor<?x7xf32>
  %s1 = gnn.scatter sum %wm1, %loops at dst acc f32 : tensor<?x7xf32>, !gnn.graph<?x?x?> -> tensor<?x7xf32>
  %b1_init = tensor.empty(%n) : tensor<?x7xf32>
  %b1_rows = linalg.broadcast ins(%b1 : tensor<7xf32>) outs(%b1_init : tensor<?x7xf32>) dimensions = [0]
  %a1 = arith.addf %s1, %b1_rows : tensor<?x7xf32>
  return %a1 : tensor<?x7xf32>
}
