// Every stage of the default pipeline is readable IR, on both targets.
// RUN: gnn-opt %programs/gcn-2layer.mlir --gnn-default-pipeline="stage=program" | FileCheck %s --check-prefix=PROGRAM
// RUN: gnn-opt %programs/gcn-2layer.mlir --gnn-default-pipeline="stage=kernels" | FileCheck %s --check-prefix=KERNELS
// RUN: gnn-opt %programs/gcn-2layer.mlir --gnn-default-pipeline="stage=plan" | FileCheck %s --check-prefix=PLAN
// RUN: gnn-opt %programs/gcn-2layer.mlir --gnn-default-pipeline="target=cpu" | FileCheck %s --check-prefix=CPU
// RUN: gnn-opt %programs/gcn-2layer.mlir --gnn-default-pipeline="target=cuda chip=sm_90" | FileCheck %s --check-prefix=CUDA
// RUN: not gnn-opt %programs/gcn-2layer.mlir --gnn-default-pipeline="stage=end" 2>&1 | FileCheck %s --check-prefix=NO-STAGE
// RUN: not gnn-opt %programs/gcn-2layer.mlir --gnn-default-pipeline="mode=fast" 2>&1 | FileCheck %s --check-prefix=NO-MODE
// NO-STAGE: Cannot find option named 'end'
// NO-MODE: 'gnn_plan.program' op mode is default, {{.*}}, found 'fast'

// No edge-sized feature tensor after fusion.
// PROGRAM-LABEL: func.func @prepare
// PROGRAM-LABEL: func.func @forward
// PROGRAM:         linalg.matmul
// PROGRAM:         gnn.aggregate
// PROGRAM:         linalg.matmul
// PROGRAM:         gnn.aggregate
// PROGRAM-NOT:     gnn.gather

// A forward is two products and two aggregates.
// KERNELS-LABEL: func.func @forward
// KERNELS-NEXT:    call @gemm
// KERNELS-NEXT:    call @agg
// KERNELS-NEXT:    call @gemm
// KERNELS-NEXT:    call @agg
// KERNELS-NEXT:    return

// PLAN:            gnn_plan.forward
// PLAN-NEXT:         gnn_plan.gemm
// PLAN-NEXT:         gnn_plan.launch
// PLAN-NEXT:         gnn_plan.gemm
// PLAN-NEXT:         gnn_plan.launch
// PLAN-NEXT:       }

// CPU:             llvm.func @agg_
// CPU-NOT:         scf.for
// CUDA:            gpu.module @kernels
// CUDA:            llvm.func @agg_{{.*}} attributes {gpu.kernel,
// CUDA-NOT:        scf.for
