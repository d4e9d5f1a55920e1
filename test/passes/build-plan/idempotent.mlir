// RUN: gnn-opt %S/host.mlir --gnn-build-plan > %t.once.mlir
// RUN: gnn-opt %t.once.mlir --gnn-build-plan > %t.twice.mlir
// RUN: diff %t.once.mlir %t.twice.mlir
