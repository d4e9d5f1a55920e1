//===- Blocker.h - Why a rewrite was not done -----------------------------===//
//
// Legality functions return std::optional<Blocker>: nothing when the rewrite is
// legal, otherwise the operation that stands in the way and one sentence for
// the user. Patterns hand the text to notifyMatchFailure; a pass that has done its
// work asks the same functions about what is left and reports it as a remark, so
// that an explanation always agrees with what was done.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_PASSES_COMMON_BLOCKER_H
#define GNNC_PASSES_COMMON_BLOCKER_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/Twine.h"

#include <optional>
#include <string>

namespace gnnc {

struct Blocker {
  mlir::Operation *at; ///< what stands in the way; never null
  std::string text;    ///< one sentence without a full stop

  Blocker(mlir::Operation *at, const llvm::Twine &text) : at(at), text(text.str()) {}
};

/// Tells whoever listens (gnn-compile --explain, gnn-opt --remarks-filter) why `op`
/// stayed as it is; `pass` is the one that left it.
inline void reportMissed(mlir::Operation *op, llvm::StringRef pass, const Blocker &blocker) {
  mlir::remark::missed(op->getLoc(), mlir::remark::RemarkOpts::name(pass).category(pass))
      << mlir::remark::detail::Remark::Arg("Reason", blocker.text);
}

/// Tells whoever listens how `tensor` is stored and why; `location` is of what makes it.
inline void reportStored(mlir::Location location, llvm::StringRef pass, llvm::StringRef tensor,
                         mlir::Type element, bool isNarrow, llvm::StringRef why) {
  using mlir::remark::detail::Remark;
  auto options = mlir::remark::RemarkOpts::name(pass).category(pass);
  auto remark =
      isNarrow ? mlir::remark::passed(location, options) : mlir::remark::missed(location, options);
  remark << Remark::Arg("Tensor", tensor) << Remark::Arg("Stored", element)
         << Remark::Arg("Reason", why);
}

/// Tells who asks for all of it (gnn-opt --remarks-filter-analyse) why something that
/// was looked at on the way did not fit; nothing that a user wants explained.
inline void reportAnalysed(mlir::Location location, llvm::StringRef pass, llvm::StringRef text) {
  mlir::remark::analysis(location, mlir::remark::RemarkOpts::name(pass).category(pass))
      << mlir::remark::detail::Remark::Arg("Reason", text);
}

} // namespace gnnc

#endif // GNNC_PASSES_COMMON_BLOCKER_H
