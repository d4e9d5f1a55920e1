//===- Explanation.h - Where each op of a program went, and what it costs -===//
//
// In: the ops of the source (SourceOps), the remarks of passes (ReasonCollector)
// and the plan. Out: a table of ops and one of kernels, printed as text or JSON.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_EXPLAIN_EXPLANATION_H
#define GNNC_LIB_EXPLAIN_EXPLANATION_H

#include "dialects/Plan/Plan.h"
#include "lib/Explain/Limits.h"
#include "lib/Explain/SourceOps.h"

#include "mlir/IR/Remarks.h"

namespace gnnc::explain {

/// Why a pass left something as it is: the text of its legality function.
struct Reason {
  std::string pass, text;
  std::vector<unsigned> ops;
};

/// How a tensor between kernels is stored, where that is not the type it is computed in
/// everywhere (gnn-narrow-storage).
struct StoredTensor {
  std::string tensor, element, why;
};

/// What passes say of their work.
struct Remarks {
  std::vector<Reason> reasons;
  std::vector<StoredTensor> stored;
};

/// Listens to remarks of gnn passes. `remarks` outlives the context; the context is
/// used by one thread.
class ReasonCollector final : public mlir::remark::detail::MLIRRemarkStreamerBase {
public:
  explicit ReasonCollector(Remarks &remarks) : remarks(remarks) {}
  void streamOptimizationRemark(const mlir::remark::detail::Remark &remark) override;
  /// Makes `context` tell `remarks` from now on.
  static mlir::LogicalResult listen(mlir::MLIRContext &context, Remarks &remarks);

private:
  Remarks &remarks;
};

/// Extents of a graph; empty where not known.
struct Counts {
  std::optional<std::int64_t> dst, src, edges;
  std::optional<std::int64_t> loopEdges; ///< edges from a node to itself
};

/// A formula over the counts and, if they are known, its value.
struct Quantity {
  plan::Formula formula;
  std::optional<std::int64_t> value;
};

struct Kernel {
  std::string name, kind; ///< kind: aggregate, map, gemm, merge, graph
  std::string phase;      ///< prepare or forward
  std::string schedule;
  std::vector<unsigned> ops;
  Quantity read, written; ///< every row read along an edge counts
  Quantity least;         ///< every buffer counts once
  Quantity flops;
  std::string precision; ///< of a gemm
  std::optional<Bound> bound;
  std::vector<Reason> ends; ///< why it holds no more
};

/// What became of a source op.
enum class Fate {
  Fused,   ///< in a kernel with others
  Alone,   ///< in a kernel of its own
  Runtime, ///< an algorithm of the runtime on the graph
  Free,    ///< a size, a constant, a fill or a copy of rows: no work of its own
  Folded,  ///< its value is there without computing it
  Unread   ///< no result depends on it
};
const char *nameOf(Fate fate);

struct OpFate {
  SourceOp source;
  Fate fate = Fate::Free;
  std::vector<unsigned> kernels;
  std::vector<Reason> reasons; ///< of Alone, Runtime, Folded, Free and Unread: never empty
};

/// What a session holds of some kind of memory.
struct Memory {
  std::string name; ///< weights, graph, prepare, forward, in and out
  Quantity bytes;
};

struct Explanation {
  std::string program, target, chip, mode;
  std::vector<std::pair<std::string, std::string>> symbols; ///< name and meaning
  std::vector<std::pair<std::string, std::int64_t>> values; ///< of symbols that are known
  std::optional<Limits> limits;
  std::vector<OpFate> ops;
  std::vector<Kernel> kernels; ///< in the order in which they run
  std::vector<Memory> memory;
  std::vector<StoredTensor> stored; ///< empty where all tensors are as computed
};

Explanation explainPlan(plan::ProgramOp program, const std::vector<SourceOp> &sources,
                        const Remarks &remarks, const Counts &counts, std::optional<Limits> limits);

std::string toText(const Explanation &explanation);
/// The schema is in docs/formats.md.
std::string toJson(const Explanation &explanation);

} // namespace gnnc::explain

#endif // GNNC_LIB_EXPLAIN_EXPLANATION_H
