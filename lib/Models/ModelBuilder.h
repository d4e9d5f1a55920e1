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

#include <functional>

namespace gnnc {

/// The graph that messages follow, and their factors (null: all one).
struct Edges {
  mlir::Value graph, weights;
};

/// The rows of the nodes at each end; the same value where the graph has one set of nodes.
struct Nodes {
  mlir::Value src, dst;
};

class ModelBuilder {
public:
  ModelBuilder(mlir::MLIRContext *context, const ModelOptions &options);

  // Arguments of @forward.
  mlir::Value graph() const { return graphArgument; }
  Nodes input() const { return inputArguments; } ///< x, [nodes, in]; or x_src and x_dst
  /// A tensor bound with the graph: one value, or one row, per edge.
  mlir::Value edgeScalar(llvm::StringRef name);
  mlir::Value edgeRows(llvm::StringRef name, int64_t features);
  /// The type of features and weights, and the one that sums and graph data have.
  mlir::FloatType element() const { return elementType; }
  mlir::FloatType wide() const { return wideType; }
  /// `value` with other elements; itself where it has them.
  mlir::Value converted(mlir::Value value, mlir::FloatType element);
  /// A row of this number for each node of `graph`.
  mlir::Value nodeRows(double value, int64_t features, mlir::Value graph);
  mlir::Value weight(llvm::StringRef name, llvm::ArrayRef<int64_t> shape, WeightSpec::Kind kind);
  /// GIN's eps [1]: trained, or the number of the options.
  mlir::Value epsilon(llvm::StringRef name);
  /// A tensor of the state_dict that the program does not read; `same` names one
  /// that has the same values.
  void unreadWeight(llvm::StringRef name, llvm::ArrayRef<int64_t> shape, WeightSpec::Kind kind,
                    llvm::StringRef same = "");

  // Graph ops.
  mlir::Value gather(mlir::Value nodes, mlir::Value graph, gnn::End end);
  mlir::Value scatter(gnn::ReduceKind kind, mlir::Value edges, mlir::Value graph);
  /// An attribute of the graph argument, for a pass to read.
  void markGraph(llvm::StringRef name, mlir::Attribute value) {
    forward.setArgAttr(0, name, value);
  }
  /// Self loops where they are missing, with weight `fill`.
  Edges withSelfLoops(Edges edges, double fill);
  /// What arrives at each node: the sources' rows, times the edge weights.
  mlir::Value aggregate(gnn::ReduceKind kind, mlir::Value x, Edges edges);

  // Dense layers. `prefix` is that of the weights' names.
  /// x W^T + b, with `prefix.weight` [out, in] and `prefix.bias` [out].
  mlir::Value linear(mlir::Value x, llvm::StringRef prefix, int64_t out, bool bias);
  /// The same weights for both ends; one product where they are the same nodes.
  Nodes linear(Nodes x, llvm::StringRef prefix, int64_t out, bool bias);
  /// x W^T, with W [out, in].
  mlir::Value product(mlir::Value x, mlir::Value w);
  mlir::Value addBias(mlir::Value x, llvm::StringRef name);
  /// With the option `residual`, y + x W^T with `prefix.res.weight`, equal widths or not, as
  /// PyG's GATConv does it; y without.
  mlir::Value addResidual(mlir::Value y, mlir::Value x, llvm::StringRef prefix);
  mlir::Value activation(mlir::Value x);
  /// The norm of the options, or nothing.
  mlir::Value norm(mlir::Value x, llvm::StringRef prefix);

  // Tensors of the shape of another.
  mlir::Value splat(double value, mlir::Value like);
  /// One row for all: [F] -> shape of `like` [?, F].
  mlir::Value rowsOf(mlir::Value row, mlir::Value like);
  /// One number for all: [1] -> shape of `like`.
  mlir::Value numberOf(mlir::Value number, mlir::Value like);
  /// One value for all features: `values`, repeated to the shape of `like`.
  mlir::Value repeat(mlir::Value values, mlir::Value like);

  // Heads.
  /// [?, H * C] -> [?, H, C].
  mlir::Value splitHeads(mlir::Value x, int64_t heads);
  /// [?, H, C] -> [?, H * C].
  mlir::Value joinHeads(mlir::Value x);
  /// [1, H, C] -> [H, C].
  mlir::Value dropFirst(mlir::Value x);
  /// The sum over one dimension of features, which goes away.
  mlir::Value sumOver(int64_t dimension, mlir::Value x);
  /// Their mean.
  mlir::Value meanOver(int64_t dimension, mlir::Value x);

  mlir::ImplicitLocOpBuilder &ops() { return builder; }
  /// Returns `out` from @forward and hands the program over.
  Model finish(mlir::Value out);

private:
  mlir::Value addArgument(mlir::Type type, llvm::StringRef attribute, llvm::StringRef name);
  /// tensor.empty with the row count of `like` and these features.
  mlir::Value emptyLike(mlir::Value like, llvm::ArrayRef<int64_t> features);

  mlir::Value batchNorm(mlir::Value x, llvm::StringRef prefix);
  mlir::Value layerNorm(mlir::Value x, llvm::StringRef prefix);

  mlir::ImplicitLocOpBuilder builder;
  const ModelOptions &options;
  Model model;
  mlir::func::FuncOp forward;
  mlir::Value graphArgument;
  Nodes inputArguments;
  mlir::FloatType elementType, wideType;
};

/// One convolution of a model: x and the prefix of its weights -> x' of the destinations.
using Conv = std::function<mlir::Value(Nodes x, llvm::StringRef prefix, int64_t layer)>;

/// The models. Each does what all its layers share and returns their convolution.
Conv gcnConv(ModelBuilder &b, const ModelOptions &options);
Conv sageConv(ModelBuilder &b, const ModelOptions &options);
Conv ginConv(ModelBuilder &b, const ModelOptions &options);
Conv gatConv(ModelBuilder &b, const ModelOptions &options);
Conv gatv2Conv(ModelBuilder &b, const ModelOptions &options);

/// What the option `aggr` says; `otherwise` where it says nothing.
gnn::ReduceKind reduceKind(const ModelOptions &options, gnn::ReduceKind otherwise);

} // namespace gnnc

#endif // GNNC_LIB_MODELS_MODELBUILDER_H
