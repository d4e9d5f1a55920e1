//===- Activations.h - PyTorch's activations as elementwise ops -----------===//
//
// Input: a name as PyG's activation_resolver takes it, and the one parameter
// that some have. Output: arith and math ops on a tensor.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_MODELS_ACTIVATIONS_H
#define GNNC_LIB_MODELS_ACTIVATIONS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace gnnc {

class ModelBuilder;

/// A name as PyG's resolver compares it: in small letters, without '_', '-' and blanks.
std::string resolverName(llvm::StringRef name);

/// "LeakyReLU", "leaky-relu" -> "leaky_relu"; empty for what is not known.
std::string activationName(llvm::StringRef name);

/// "relu, elu, ..., none"
std::string activationNames();

/// The keyword of the parameter that `name` has in act_kwargs; empty: none.
llvm::StringRef activationParameter(llvm::StringRef name);

/// `name` is one of activationNames(). Without `parameter`, PyTorch's default.
mlir::Value buildActivation(ModelBuilder &b, mlir::Value x, llvm::StringRef name,
                            std::optional<double> parameter);

} // namespace gnnc

#endif // GNNC_LIB_MODELS_ACTIVATIONS_H
