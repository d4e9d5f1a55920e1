// RUN: gnn-opt %s --gnn-set-target="target=cuda chip=sm_90" | FileCheck %s --check-prefix=CUDA
// RUN: gnn-opt %s --gnn-set-target="target=cuda" | FileCheck %s --check-prefix=CUDA
// RUN: gnn-opt %s --gnn-set-target="target=cpu chip=x86-64-v3" | FileCheck %s --check-prefix=CPU
// RUN: gnn-opt %s --gnn-set-target="target=cuda" --gnn-set-target="target=cpu chip=x86-64-v3" | FileCheck %s --check-prefix=CPU
// RUN: not gnn-opt %s --gnn-set-target="target=tpu" 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not gnn-opt %s --gnn-set-target="target=cuda chip=sm_60" 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not gnn-opt %s --gnn-set-target="target=cpu chip=sm_90" 2>&1 | FileCheck %s --check-prefix=HOST

// CUDA: module attributes {gnn.target = #gnn.target<cuda, "sm_90">}
// CPU: module attributes {gnn.target = #gnn.target<cpu, "x86-64-v3">}
// TARGET: error: gnn-set-target: target is cpu or cuda, found 'tpu'
// CHIP: error: gnn-set-target: chip of cuda is sm_70 or later (sm_90), found 'sm_60'
// HOST: error: gnn-set-target: chip of cpu is x86-64-v2, x86-64-v3, x86-64-v4 or generic, found 'sm_90'
module {}
