//===- Models.h - Models of PyG as unfused programs -----------------------===//
//
// Input: options. Output: a module with @forward that computes what the PyG
// model of the same arguments computes in eval mode, written the way a front
// end writes it: graph ops and upstream dialects, nothing fused or hoisted.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_MODELS_MODELS_H
#define GNNC_LIB_MODELS_MODELS_H

#include "lib/Models/ModelOptions.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <vector>

namespace gnnc {

/// A tensor of the model's state_dict.
struct WeightSpec {
  /// What its values are like before training: those of a product, vectors of
  /// one, offsets, the
  /// four vectors of a batch norm, its I64 counter (no part of the program), a
  /// number that nobody trains.
  enum class Kind { Matrix, Vector, Bias, Scale, Mean, Variance, Counter, Fixed };
  std::string name;
  std::vector<std::int64_t> shape;
  Kind kind;
  std::string same; ///< the tensor whose values it has, if not its own
  double fixed = 0; ///< of kind Fixed
};

struct Model {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<WeightSpec> weights; ///< in the order of the state_dict
};

/// `options` has passed checkOptions. The dialects that registerDialects lists
/// must be loadable in `context`.
Model buildModel(mlir::MLIRContext *context, const ModelOptions &options);

} // namespace gnnc

#endif // GNNC_LIB_MODELS_MODELS_H
