//===- GnnAttrs.cpp - Verifiers of the schedule attributes ----------------===//
#include "dialects/Gnn/Gnn.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gnnc::gnn;

LogicalResult CpuScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t tile,
                                      int64_t prefetch) {
  if (tile < 1 || tile > 1024)
    return emitError() << "cpu schedule: tile is 1 to 1024 features, found " << tile;
  if (prefetch < 0 || prefetch > 64)
    return emitError() << "cpu schedule: prefetch is 0 to 64 edges, found " << prefetch;
  return success();
}

LogicalResult GpuScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t chunk,
                                      int64_t group, int64_t vector, int64_t regs, int64_t unroll,
                                      int64_t block, RowOrder order) {
  if (chunk < 1)
    return emitError() << "gpu schedule: chunk is at least 1 edge, found " << chunk;
  if (!llvm::isPowerOf2_64(group) || group > 32)
    return emitError() << "gpu schedule: group is 1, 2, 4, 8, 16 or 32 lanes of a warp, found "
                       << group;
  if (vector != 1 && vector != 2 && vector != 4 && vector != 8)
    return emitError() << "gpu schedule: vector is 1, 2, 4 or 8 elements a load, found " << vector;
  if (regs < 1 || regs * vector > 64)
    return emitError() << "gpu schedule: a lane holds 1 to 64 features, found " << regs * vector;
  if (unroll < 1 || unroll > 16)
    return emitError() << "gpu schedule: unroll is 1 to 16 edges, found " << unroll;
  if (block < 32 || block > 1024 || block % 32)
    return emitError() << "gpu schedule: block is a multiple of 32 threads up to 1024, found "
                       << block;
  return success();
}
