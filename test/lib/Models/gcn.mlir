// RUN: gnn-model --preset cora | gnn-opt | FileCheck %s --check-prefix=CORA
// RUN: gnn-model --preset arxiv | gnn-opt | FileCheck %s --check-prefix=ARXIV
// RUN: gnn-model --preset study --in 1433 --out 7 | gnn-opt --canonicalize --cse | FileCheck %s --check-prefix=STUDY
// RUN: gnn-model --in 4 --hidden 8 --out 3 --layers 2 --edge-weight | gnn-opt | FileCheck %s --check-prefix=WEIGHT
// RUN: gnn-model --in 4 --hidden 8 --out 3 --layers 2 --edge-weight --no-normalize --no-bias | gnn-opt | FileCheck %s --check-prefix=PLAIN
// RUN: gnn-model --in 4 --hidden 8 --out 3 --layers 1 --nodes 10 --edges 20 | gnn-opt | FileCheck %s --check-prefix=STATIC
// RUN: gnn-model --in 4 --hidden 8 --layers 1 | gnn-opt | FileCheck %s --check-prefix=NOOUT
// RUN: gnn-model --in 4 --hidden 8 --layers 2 --no-self-loops | gnn-opt | FileCheck %s --check-prefix=NOLOOPS

// One norm for all layers, as PyG computes it: deg^-1/2 with infinite -> 0.
// CORA-LABEL: func.func @forward(
// CORA-SAME:    !gnn.graph<?x?x?>, %[[X:.*]]: tensor<?x1433xf32> {gnn.input = "x"}, %[[W0:.*]]: tensor<16x1433xf32> {gnn.weight = "convs.0.lin.weight"}, %[[B0:.*]]: tensor<16xf32> {gnn.weight = "convs.0.bias"}, %[[W1:.*]]: tensor<7x16xf32> {gnn.weight = "convs.1.lin.weight"}, %[[B1:.*]]: tensor<7xf32> {gnn.weight = "convs.1.bias"}) -> (tensor<?x7xf32> {gnn.output = "out"})
// CORA:         %[[L:.*]] = gnn.add_self_loops %{{.*}} fill 1.0
// CORA:         %[[D:.*]] = gnn.degree %[[L]] at dst
// CORA:         %[[P:.*]] = math.rsqrt %[[D]]
// CORA:         %[[I:.*]] = arith.cmpf oeq, %[[P]]
// CORA:         %[[S:.*]] = arith.select %[[I]], %{{.*}}, %[[P]]
// CORA:         %[[GS:.*]] = gnn.gather %[[S]], %[[L]] at src
// CORA:         %[[GD:.*]] = gnn.gather %[[S]], %[[L]] at dst
// CORA:         %[[N:.*]] = arith.mulf %[[GS]], %[[GD]]
// CORA:         %[[H:.*]] = linalg.matmul {{.*}} ins(%[[X]], %[[W0]]
// CORA:         gnn.gather %[[H]], %[[L]] at src
// CORA:         linalg.broadcast ins(%[[N]] : tensor<?xf32>)
// CORA:         gnn.scatter sum
// CORA:         linalg.broadcast ins(%[[B0]] : tensor<16xf32>)
// CORA:         arith.maximumf
// CORA:         linalg.matmul
// CORA:         linalg.broadcast ins(%[[B1]] : tensor<7xf32>)
// CORA-NOT:     arith.maximumf
// CORA:         return

// ARXIV: tensor<?x128xf32> {gnn.input = "x"}, %{{.*}}: tensor<256x128xf32> {gnn.weight = "convs.0.lin.weight"}, %{{.*}}: tensor<256xf32> {gnn.weight = "convs.0.bias"}, %{{.*}}: tensor<256x256xf32> {gnn.weight = "convs.1.lin.weight"}
// ARXIV-SAME: tensor<40x256xf32> {gnn.weight = "convs.2.lin.weight"}

// Batch norm between layers, before the activation; none after the last layer.
// STUDY: gnn.weight = "norms.0.module.weight"
// STUDY-SAME: gnn.weight = "norms.0.module.bias"
// STUDY-SAME: gnn.weight = "norms.0.module.running_mean"
// STUDY-SAME: gnn.weight = "norms.0.module.running_var"
// STUDY-SAME: gnn.weight = "norms.1.module.running_var"
// STUDY-NOT:  norms.2
// STUDY:      gnn.scatter
// STUDY:      math.rsqrt %{{.*}} : tensor<256xf32>
// STUDY:      arith.maximumf

// Weights go through the added loops, into degrees and coefficients.
// WEIGHT: %[[W:[^:]*]]: tensor<?xf32> {gnn.graph_data = "edge_weight"}
// WEIGHT: %[[L:.*]], %[[LW:.*]] = gnn.add_self_loops %{{.*}} weights(%[[W]])
// WEIGHT: gnn.degree %[[L]] weights(%[[LW]] : tensor<?xf32>) at dst
// WEIGHT: arith.mulf %{{.*}}, %[[LW]]

// PLAIN: %[[W:[^:]*]]: tensor<?xf32> {gnn.graph_data = "edge_weight"}
// PLAIN-NOT: bias
// PLAIN-NOT: gnn.add_self_loops
// PLAIN-NOT: gnn.degree
// PLAIN: linalg.broadcast ins(%[[W]]

// STATIC: !gnn.graph<10x10x20>, %{{.*}}: tensor<10x4xf32> {gnn.input = "x"}
// STATIC: -> (tensor<10x3xf32> {gnn.output = "out"})
// STATIC-NOT: tensor.dim %{{.*}} : tensor<10x

// NOOUT: tensor<?x8xf32> {gnn.output = "out"}
// NOLOOPS-NOT: gnn.add_self_loops
// NOLOOPS: gnn.degree
