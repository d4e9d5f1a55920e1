//===- CpuFeatures.h - Can this processor run that code? ------------------===//
//
// Code says what it needs by a psABI level: x86-64, x86-64-v2, -v3, -v4, or
// "generic" for the architecture's baseline.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_CPU_CPUFEATURES_H
#define GNNC_RUNTIME_CPU_CPUFEATURES_H

#include "runtime/core/Status.h"

namespace gnnc::runtime {

/// The highest level this processor (and its system) supports.
std::string hostChip();

/// Unsupported, naming both, when this processor lacks what `chip` needs.
Status checkChip(const std::string &chip);

/// The processor's brand, as it names itself.
std::string processorName();

} // namespace gnnc::runtime

#endif // GNNC_RUNTIME_CPU_CPUFEATURES_H
