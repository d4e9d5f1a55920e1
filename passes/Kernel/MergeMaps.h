//===- MergeMaps.h - One map for what reads the same rows -----------------===//
#ifndef GNNC_PASSES_KERNEL_MERGEMAPS_H
#define GNNC_PASSES_KERNEL_MERGEMAPS_H

#include "mlir/IR/Block.h"

namespace gnnc {

/// Makes one gnn.map of those in `block` that read the same rows, up to
/// `maxResults` results each. Returns how many went into another.
unsigned mergeMaps(mlir::Block &block, unsigned maxResults);

} // namespace gnnc

#endif // GNNC_PASSES_KERNEL_MERGEMAPS_H
