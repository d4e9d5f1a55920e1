//===- GnnAttrs.cpp - Verifiers of target and schedules ----------------===//
#include "dialects/Gnn/Gnn.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gnnc::gnn;

LogicalResult TargetAttr::verify(function_ref<InFlightDiagnostic()> emitError, TargetKind kind,
                                 StringRef chip) {
  if (kind == TargetKind::Cuda) {
    StringRef number = chip;
    if (!number.consume_front("sm_") || number.empty() || !llvm::isDigit(number.front()))
      return emitError() << "target: a cuda chip is sm_90 and the like, found '" << chip << "'";
    return success();
  }
  for (StringRef level : {"generic", "x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"})
    if (chip == level)
      return success();
  return emitError() << "target: a cpu chip is generic, x86-64, x86-64-v2, x86-64-v3 or "
                        "x86-64-v4, found '"
                     << chip << "'";
}

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
                                      int64_t block, int64_t minBlocks, RowOrder /*order*/,
                                      TileAxis /*tiles*/) {
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
  constexpr int64_t mostThreads = 2048, mostBlocks = 32; // of a multiprocessor
  if (minBlocks < 0)
    return emitError() << "gpu schedule: min_blocks is at least 0, found " << minBlocks;
  if (minBlocks > mostBlocks || minBlocks * block > mostThreads)
    return emitError() << "gpu schedule: a multiprocessor has room for " << mostBlocks
                       << " blocks and " << mostThreads << " threads; min_blocks = " << minBlocks
                       << " of " << block << " threads is more";
  return success();
}
