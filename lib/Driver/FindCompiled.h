//===- FindCompiled.h - Artefacts out of the cache, without MLIR ----------===//
//
// In:  options and a program's text. Out: the artefact that compiling would give, where
// the cache has its parts.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_DRIVER_FINDCOMPILED_H
#define GNNC_LIB_DRIVER_FINDCOMPILED_H

#include "lib/Driver/Compile.h"
#include "lib/Driver/CompileCache.h"

namespace gnnc {

/// The chip that is compiled for.
std::string chipOf(const CompileOptions &options);

/// Whether the cache is asked. Not where the IR is needed, as texts of stages and
/// explanations need it, and not for what is measured, which has a database.
bool usesCache(const CompileOptions &options);

/// The name of what `compiler` (compilerIdentity) makes of `program`.
std::string cacheKeyOf(const CompileOptions &options, const std::string &chip,
                       const std::string &compiler, const std::string &program);

/// Writes the artefact of an entry, with the weights of now; says so in `report`.
bool writeFound(const CompileOptions &options, CacheEntry &&entry, CompileReport &report,
                std::string &error);

} // namespace gnnc

#endif // GNNC_LIB_DRIVER_FINDCOMPILED_H
