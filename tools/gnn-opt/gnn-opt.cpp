//===- gnn-opt.cpp - Run gnnc passes on IR files --------------------------===//
#include "passes/RegisterAll.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  gnnc::registerAll(registry);
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "gnnc optimizer\n", registry));
}
