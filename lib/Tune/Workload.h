//===- Workload.h - What a program is measured on -------------------------===//
//
// A graph with its tensors. Reading files is the tools' part; the tuner is given this.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_TUNE_WORKLOAD_H
#define GNNC_LIB_TUNE_WORKLOAD_H

#include "gnnc/gnnc.hpp"
#include "lib/Reference/Reference.h"
#include "lib/Tune/GraphShape.h"
#include "lib/Tune/OpenWorkload.h"
#include "runtime/format/Plan.h"
#include "runtime/format/SafeTensors.h"

#include <optional>

namespace gnnc::tune {

/// A graph as the runtime takes it, and the inputs of one plan.
struct BoundWorkload {
  std::optional<gnnc::Graph> graph;
  std::vector<format::Tensor> tensors; ///< inputs; none is all zeros
};

class Workload {
public:
  virtual ~Workload() = default;

  virtual const GraphShape &shape() const = 0;
  /// What `plan` asks for. False with one line.
  virtual bool bind(const format::Plan &plan, BoundWorkload &out, std::string &error) = 0;
  /// The same for the float64 evaluator, without weights; `bound` has the inputs.
  virtual bool forReference(const BoundWorkload &bound, reference::ProgramInputs &out,
                            std::string &error) = 0;
  /// The tensors of a weights file for the float64 evaluator.
  virtual bool weightsForReference(const std::string &path, reference::ProgramInputs &out,
                                   std::string &error) = 0;
};

} // namespace gnnc::tune

#endif // GNNC_LIB_TUNE_WORKLOAD_H
