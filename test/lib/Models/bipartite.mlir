// Two sets of nodes: a row of inputs for each end, results for destinations.
// RUN: gnn-model --model sage --bipartite --in 4 --in-dst 5 --out 3 --layers 1 | gnn-opt | FileCheck %s --check-prefix=SAGE
// RUN: gnn-model --model gin --bipartite --in 4 --out 3 --layers 1 | gnn-opt | FileCheck %s --check-prefix=GIN
// RUN: gnn-model --model gat --no-self-loops --bipartite --in 4 --out 3 --layers 1 | gnn-opt | FileCheck %s --check-prefix=GAT
// RUN: gnn-model --model gat --no-self-loops --in 4 --in-dst 5 --out 3 --layers 1 | gnn-opt | FileCheck %s --check-prefix=TUPLE
// RUN: gnn-model --model gatv2 --no-self-loops --bipartite --share-weights true --in 4 --out 3 --layers 1 | gnn-opt | FileCheck %s --check-prefix=SHARED

// SAGE:      %[[S:[^:]*]]: tensor<?x4xf32> {gnn.input = "x_src"}, %[[D:[^:]*]]: tensor<?x5xf32> {gnn.input = "x_dst"}
// SAGE-SAME: tensor<3x4xf32> {gnn.weight = "convs.0.lin_l.weight"}
// SAGE-SAME: %[[R:[^:]*]]: tensor<3x5xf32> {gnn.weight = "convs.0.lin_r.weight"}
// SAGE:      gnn.gather %[[S]], %{{.*}} at src
// SAGE:      linalg.matmul {{.*}} ins(%[[D]], %[[R]]

// GIN: %[[S:[^:]*]]: tensor<?x4xf32> {gnn.input = "x_src"}, %[[D:[^:]*]]: tensor<?x4xf32> {gnn.input = "x_dst"}
// GIN: gnn.gather %[[S]], %{{.*}} at src
// GIN: arith.mulf %[[D]]

// One matrix for both ends, as PyG does where in_channels is one number.
// GAT:      %[[S:[^:]*]]: tensor<?x4xf32> {gnn.input = "x_src"}, %[[D:[^:]*]]: tensor<?x4xf32> {gnn.input = "x_dst"}
// GAT-SAME: %[[W:[^:]*]]: tensor<3x4xf32> {gnn.weight = "convs.0.lin.weight"}
// GAT:      linalg.matmul {{.*}} ins(%[[S]], %[[W]]
// GAT:      linalg.matmul {{.*}} ins(%[[D]], %[[W]]

// TUPLE:      tensor<3x4xf32> {gnn.weight = "convs.0.lin_src.weight"}
// TUPLE-SAME: tensor<3x5xf32> {gnn.weight = "convs.0.lin_dst.weight"}

// SHARED:      %[[W:[^:]*]]: tensor<3x4xf32> {gnn.weight = "convs.0.lin_l.weight"}
// SHARED-NOT:  lin_r
// SHARED-COUNT-2: linalg.matmul {{.*}}, %[[W]]
