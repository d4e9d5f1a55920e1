//===- Compare.h - Largest error of a result ------------------------------===//
#ifndef GNNC_TOOLS_GNN_EVAL_COMPARE_H
#define GNNC_TOOLS_GNN_EVAL_COMPARE_H

#include "lib/Reference/Value.h"

namespace gnnc::eval {

struct Difference {
  double largestError = 0;  ///< of one element; infinite where one is NaN and the other is not
  double largestOutput = 0; ///< largest finite expected element
  int64_t at = 0;           ///< row-major number of the worst element

  /// Error relative to the largest output.
  double relative() const {
    return largestOutput > 0 ? largestError / largestOutput : largestError;
  }
};

/// Compares element by element; NaN equals NaN, an infinity itself. False and an
/// error when the shapes differ.
bool compare(const reference::Value &found, const reference::Value &expected, Difference &result,
             std::string &error);

} // namespace gnnc::eval

#endif // GNNC_TOOLS_GNN_EVAL_COMPARE_H
