//===- CheckOutputs.h - Is what is about to be tuned right at all? --------===//
#ifndef GNNC_LIB_TUNE_CHECKOUTPUTS_H
#define GNNC_LIB_TUNE_CHECKOUTPUTS_H

#include "lib/Tune/Measure.h"

namespace gnnc::tune {

/// How far two outputs of the module may be apart, as a share of the largest value: what
/// its element types and the precision of its products allow.
double toleranceOf(mlir::ModuleOp module, const std::string &products);

/// Compares `outputs` with the float64 evaluator's where that takes no more than about a
/// second. Returns one line that says what was done; `error` where they differ.
std::string checkAgainstReference(mlir::ModuleOp module, Workload &workload,
                                  const BoundWorkload &bound, const CompiledProgram &program,
                                  const std::string &weights, const Outputs &outputs,
                                  double tolerance, std::string &error);

} // namespace gnnc::tune

#endif // GNNC_LIB_TUNE_CHECKOUTPUTS_H
