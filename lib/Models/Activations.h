//===- Activations.h - PyTorch's activations as elementwise ops -----------===//
//
// Input: a name as PyG's activation_resolver takes it, and the parameters that
// some have. Output: arith and math ops on a tensor.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_MODELS_ACTIVATIONS_H
#define GNNC_LIB_MODELS_ACTIVATIONS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/StringRef.h"

#include <map>
#include <string>

namespace gnnc {

class ModelBuilder;

/// A name as PyG's resolver compares it: in small letters, without '_', '-' and blanks.
std::string resolverName(llvm::StringRef name);

/// "LeakyReLU", "leaky-relu" -> "leaky_relu"; empty for what is not known.
std::string activationName(llvm::StringRef name);

/// "relu, elu, ..., none"
std::string activationNames();

/// act_kwargs; gelu's "approximate" is 1 for "tanh" and 0 for "none".
using ActivationParameters = std::map<std::string, double>;

/// The first keyword of `given` that `name` does not have; empty: it has all of them.
std::string unknownActivationParameter(llvm::StringRef name, const ActivationParameters &given);

/// `name` is one of activationNames(). What is not in `given` has PyTorch's default.
mlir::Value buildActivation(ModelBuilder &b, mlir::Value x, llvm::StringRef name,
                            const ActivationParameters &given);

} // namespace gnnc

#endif // GNNC_LIB_MODELS_ACTIVATIONS_H
