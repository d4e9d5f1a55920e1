// RUN: gnn-model --in 4 --hidden 8 --layers 2 --act elu | gnn-opt | FileCheck %s --check-prefix=ELU
// RUN: gnn-model --in 4 --hidden 8 --layers 2 --act leaky_relu | gnn-opt | FileCheck %s --check-prefix=LEAKY
// RUN: gnn-model --in 4 --hidden 8 --layers 2 --act tanh | gnn-opt | FileCheck %s --check-prefix=TANH
// RUN: gnn-model --in 4 --hidden 8 --layers 2 --act sigmoid | gnn-opt | FileCheck %s --check-prefix=SIGMOID
// RUN: gnn-model --in 4 --hidden 8 --layers 2 --act silu | gnn-opt | FileCheck %s --check-prefix=SILU
// RUN: gnn-model --in 4 --hidden 8 --layers 2 --act none --no-normalize | gnn-opt | FileCheck %s --check-prefix=NONE
// RUN: gnn-model --in 4 --hidden 8 --layers 2 --act tanh --act-first --norm batch_norm | gnn-opt | FileCheck %s --check-prefix=FIRST

// ELU:   %[[C:.*]] = arith.cmpf ogt, %[[X:[^,]*]],
// ELU:   %[[E:.*]] = math.expm1 %[[X]]
// ELU:   arith.select %[[C]], %[[X]], %[[E]]
// LEAKY: arith.cmpf ogt
// LEAKY: 0.00999999977
// LEAKY: arith.select
// TANH:  math.tanh
// SIGMOID: arith.negf
// SIGMOID: math.exp
// SIGMOID: arith.divf
// SILU:  arith.divf
// SILU:  arith.mulf
// NONE-NOT: arith.maximumf
// FIRST: math.tanh
// FIRST: math.rsqrt %{{.*}} : tensor<8xf32>
