//===- ModelBuilder.h - What all models are written with ------------------===//
//
// A function under construction whose arguments are added as the model asks for
// them, and the layers that PyG's models share. One file a model beside it.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_MODELS_MODELBUILDER_H
#define GNNC_LIB_MODELS_MODELBUILDER_H

#include "dialects/Gnn/Gnn.h"
#include "lib/Models/Models.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace gnnc {

class ModelBuilder {
public:
  ModelBuilder(mlir::MLIRContext *context, const ModelOptions &options);

  // Arguments of @forward.
  mlir::Value graph() const { return graphArgument; }
  mlir::Value input() const { return inputArgument; } ///< x, [nodes, in]
  /// A tensor bound with the graph, one value per edge.
  mlir::Value edgeScalar(llvm::StringRef name);
  mlir::Value weight(llvm::StringRef name, llvm::ArrayRef<int64_t> shape, WeightSpec::Kind kind);
  /// A tensor of the state_dict that the program does not read.
  void unreadWeight(llvm::StringRef name, llvm::ArrayRef<int64_t> shape, WeightSpec::Kind kind);

  // Graph ops.
  mlir::Value gather(mlir::Value nodes, mlir::Value graph, gnn::End end);
  mlir::Value scatter(gnn::ReduceKind kind, mlir::Value edges, mlir::Value graph);

  // Dense layers. `prefix` is that of the weights' names.
  /// x W^T, with weight `prefix.weight` [out, in].
  mlir::Value linear(mlir::Value x, llvm::StringRef prefix, int64_t out);
  mlir::Value addBias(mlir::Value x, llvm::StringRef name);
  mlir::Value activation(mlir::Value x, llvm::StringRef name);
  /// Eval mode, with the running statistics and eps 1e-5.
  mlir::Value batchNorm(mlir::Value x, llvm::StringRef prefix);

  // Tensors of the shape of another.
  mlir::Value splat(double value, mlir::Value like);
  /// One row for all: [F] -> shape of `like` [?, F].
  mlir::Value rowsOf(mlir::Value row, mlir::Value like);
  /// One factor per row: x[i, :] * factors[i].
  mlir::Value scaleRows(mlir::Value x, mlir::Value factors);

  mlir::ImplicitLocOpBuilder &ops() { return builder; }
  /// Returns `out` from @forward and hands the program over.
  Model finish(mlir::Value out);

private:
  mlir::Value addArgument(mlir::Type type, llvm::StringRef attribute, llvm::StringRef name);
  /// tensor.empty with the row count of `like` and these features.
  mlir::Value emptyLike(mlir::Value like, llvm::ArrayRef<int64_t> features);

  mlir::ImplicitLocOpBuilder builder;
  Model model;
  mlir::func::FuncOp forward;
  mlir::Value graphArgument, inputArgument;
};

/// The models. Each returns the output node tensor.
mlir::Value buildGcn(ModelBuilder &b, const ModelOptions &options);

} // namespace gnnc

#endif // GNNC_LIB_MODELS_MODELBUILDER_H
