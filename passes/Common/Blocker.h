//===- Blocker.h - Why a rewrite was not done -----------------------------===//
//
// Legality functions return std::optional<Blocker>: nothing when the rewrite is
// legal, otherwise the operation that stands in the way and one sentence for
// the user. Patterns hand the text to notifyMatchFailure; reports of what was
// not optimised call the same functions, so both always agree.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_COMMON_BLOCKER_H
#define GNNC_PASSES_COMMON_BLOCKER_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/Twine.h"

#include <optional>
#include <string>

namespace gnnc {

struct Blocker {
  mlir::Operation *at; ///< what stands in the way; never null
  std::string text;    ///< one sentence without a full stop

  Blocker(mlir::Operation *at, const llvm::Twine &text) : at(at), text(text.str()) {}
};

} // namespace gnnc

#endif // GNNC_PASSES_COMMON_BLOCKER_H
