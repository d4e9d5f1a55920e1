// RUN: gnn-model --model sage --in 4 --hidden 8 --out 3 --layers 2 | gnn-opt | FileCheck %s --check-prefix=SAGE
// RUN: gnn-model --model GraphSAGE --in 4 --hidden 8 --layers 1 --aggr add --no-root-weight --normalize true --no-bias --edge-weight --add-self-loops true | gnn-opt | FileCheck %s --check-prefix=SAGEALL
// RUN: gnn-model --model gin --in 4 --hidden 8 --layers 1 | gnn-opt | FileCheck %s --check-prefix=GIN
// RUN: gnn-model --model gat --in 4 --hidden 8 --heads 2 --out 3 --layers 2 --negative_slope 0.5 | gnn-opt | FileCheck %s --check-prefix=GAT
// RUN: gnn-model --model gatv2 --in 4 --hidden 8 --heads 2 --layers 1 --no-self-loops --edge-dim 5 --residual true | gnn-opt | FileCheck %s --check-prefix=GATV2
// RUN: gnn-model --model gat --preset study --in 4 --out 3 | gnn-opt | FileCheck %s --check-prefix=STUDY
// RUN: gnn-model --model gat --preset arxiv | gnn-opt | FileCheck %s --check-prefix=ARXIV
// RUN: gnn-model --model gcn --in 4 --hidden 8 --out 3 --layers 2 --jk cat | gnn-opt | FileCheck %s --check-prefix=CAT
// RUN: gnn-model --model gcn --in 4 --hidden 8 --out 3 --layers 2 --jk max --norm layer_norm --norm-mode node | gnn-opt | FileCheck %s --check-prefix=MAX
// RUN: gnn-model --model gcn --in 4 --hidden 8 --out 3 --layers 2 --act none --residual true | gnn-opt | FileCheck %s --check-prefix=GCNRES
// RUN: gnn-model --model sage --bipartite --in 4 --in-dst 5 --out 3 --layers 1 --normalize true --residual true | gnn-opt | FileCheck %s --check-prefix=SAGERES
// RUN: gnn-model --model gin --in 8 --hidden 8 --layers 1 --residual true | gnn-opt | FileCheck %s --check-prefix=GINRES
// RUN: gnn-model --model gcn --in 4 --hidden 8 --layers 1 --residual false | FileCheck %s --check-prefix=NORES

// SAGE:     gnn.weight = "convs.0.lin_l.weight"{{.*}}gnn.weight = "convs.0.lin_l.bias"{{.*}}gnn.weight = "convs.0.lin_r.weight"
// SAGE-NOT: gnn.add_self_loops
// SAGE:     %[[M:.*]] = gnn.gather %arg1, %arg0 at src
// SAGE:     %[[A:.*]] = gnn.scatter mean %[[M]]
// SAGE:     linalg.matmul {{.*}} ins(%[[A]],
// SAGE:     linalg.matmul {{.*}} ins(%arg1,

// SAGEALL-NOT: lin_l.bias
// SAGEALL-NOT: lin_r
// SAGEALL:     gnn.add_self_loops %arg0 weights(%{{.*}}) fill 1.0
// SAGEALL:     gnn.scatter sum
// SAGEALL:     math.sqrt
// SAGEALL:     arith.divf

// GIN:     gnn.weight = "convs.0.eps"{{.*}}gnn.weight = "convs.0.nn.lins.0.weight"{{.*}}gnn.weight = "convs.0.nn.lins.1.bias"
// GIN:     gnn.scatter sum
// GIN:     tensor.collapse_shape %{{.*}} [] : tensor<1xf32> into tensor<f32>
// GIN:     linalg.matmul
// GIN:     arith.maximumf
// GIN:     linalg.matmul
// GIN-NOT: arith.maximumf

// Heads side by side in the first layer, their mean in the last one.
// GAT:     gnn.weight = "convs.0.att_src"{{.*}}gnn.weight = "convs.0.att_dst"{{.*}}gnn.weight = "convs.0.bias"{{.*}}gnn.weight = "convs.0.lin.weight"
// GAT-SAME: tensor<1x2x3xf32> {gnn.weight = "convs.1.att_src"}
// GAT:     %[[L:.*]] = gnn.add_self_loops
// GAT:     tensor.expand_shape
// GAT:     linalg.reduce
// GAT:     5.000000e-01
// GAT:     %[[P:.*]] = gnn.segment_softmax %{{.*}}, %[[L]] at dst acc f32 : tensor<?x2xf32>
// GAT:     linalg.broadcast ins(%[[P]]
// GAT:     gnn.scatter sum
// GAT:     tensor.collapse_shape
// GAT:     arith.maximumf
// GAT:     gnn.segment_softmax
// GAT:     linalg.reduce
// GAT:     arith.divf

// GATV2:     tensor<?x5xf32> {gnn.graph_data = "edge_attr"}
// GATV2-SAME: gnn.weight = "convs.0.att"{{.*}}"convs.0.lin_l.weight"{{.*}}"convs.0.lin_r.bias"{{.*}}tensor<8x5xf32> {gnn.weight = "convs.0.lin_edge.weight"}{{.*}}"convs.0.res.weight"
// GATV2-NOT: gnn.add_self_loops
// GATV2:     gnn.segment_softmax

// STUDY: tensor<1x8x256xf32> {gnn.weight = "convs.0.att_src"}
// STUDY-SAME: tensor<2048xf32> {gnn.weight = "norms.0.module.weight"}
// STUDY-SAME: tensor<1x1x3xf32> {gnn.weight = "convs.2.att_src"}
// STUDY: math.expm1

// ARXIV: tensor<1x4x64xf32> {gnn.weight = "convs.1.att_src"}
// ARXIV-SAME: tensor<1x4x40xf32> {gnn.weight = "convs.2.att_src"}

// CAT: tensor<8xf32> {gnn.weight = "convs.1.bias"}
// CAT-SAME: tensor<3x16xf32> {gnn.weight = "lin.weight"}{{.*}}tensor<3xf32> {gnn.weight = "lin.bias"}
// CAT: tensor.extract_slice %{{.*}}[0, 8] [3, 8] [1, 1]

// MAX: gnn.weight = "norms.1.weight"{{.*}}tensor<3x8xf32> {gnn.weight = "lin.weight"}
// MAX: linalg.reduce
// MAX: math.rsqrt

// A residual is a product of a layer's own input: before the bias of a GCN, as in PyG's GATConv.
// GCNRES:      tensor<8x4xf32> {gnn.weight = "convs.0.lin.weight"}, %[[R0:[^:]*]]: tensor<8x4xf32> {gnn.weight = "convs.0.res.weight"}
// GCNRES-SAME: %[[R1:[^:]*]]: tensor<3x8xf32> {gnn.weight = "convs.1.res.weight"}
// GCNRES:      %[[A:.*]] = gnn.scatter sum
// GCNRES:      %[[X:.*]] = linalg.matmul {{.*}} ins(%arg1, %[[R0]] :
// GCNRES:      %[[Y:.*]] = arith.addf %[[A]], %[[X]]
// GCNRES:      %[[B:.*]] = linalg.broadcast ins(%{{.*}} : tensor<8xf32>)
// GCNRES:      %[[H:.*]] = arith.addf %[[Y]], %[[B]]
// GCNRES:      linalg.matmul {{.*}} ins(%[[H]], %[[R1]] :

// After the division by the length, of the destinations.
// SAGERES:      %[[D:[^:]*]]: tensor<?x5xf32> {gnn.input = "x_dst"}
// SAGERES-SAME: %[[R:[^:]*]]: tensor<3x5xf32> {gnn.weight = "convs.0.res.weight"}
// SAGERES:      %[[Y:.*]] = arith.divf
// SAGERES:      %[[X:.*]] = linalg.matmul {{.*}} ins(%[[D]], %[[R]] :
// SAGERES:      arith.addf %[[Y]], %[[X]]

// Of equal widths it is a product, too.
// GINRES:      %[[R:[^:]*]]: tensor<8x8xf32> {gnn.weight = "convs.0.res.weight"}
// GINRES:      %[[X:.*]] = linalg.matmul {{.*}} ins(%arg1, %[[R]] :
// GINRES-NEXT: %[[Y:.*]] = arith.addf %{{.*}}, %[[X]]
// GINRES-NEXT: return %[[Y]]

// NORES-NOT: convs.0.res
