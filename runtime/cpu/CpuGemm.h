//===- CpuGemm.h - Dense products on the host -----------------------------===//
//
// Input: extents, types and the tail of a product; a weight to pack. Output: a
// plan that runs it over a oneTBB arena, oneDNN single-threaded per block of rows
// (docs/decisions/host-gemm.md).
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_CPU_CPUGEMM_H
#define GNNC_RUNTIME_CPU_CPUGEMM_H

#include "runtime/core/Backend.h"

#include <tbb/task_arena.h>

namespace gnnc::runtime {

class CpuGemm : public GemmPlan {
public:
  virtual Status run(const GemmPointers &pointers) = 0;
};

/// `arena` must outlive the plan.
Expected<std::unique_ptr<GemmPlan>> prepareCpuGemm(const GemmDesc &desc, tbb::task_arena &arena);

} // namespace gnnc::runtime

#endif // GNNC_RUNTIME_CPU_CPUGEMM_H
