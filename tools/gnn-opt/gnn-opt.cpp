//===- gnn-opt.cpp - Run gnnc passes on IR files --------------------------===//
#include "dialects/Gnn/Gnn.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<gnnc::gnn::GnnDialect, mlir::func::FuncDialect, mlir::arith::ArithDialect, mlir::vector::VectorDialect, mlir::tensor::TensorDialect, mlir::linalg::LinalgDialect, mlir::math::MathDialect>();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "gnnc optimizer\n", registry));
}
