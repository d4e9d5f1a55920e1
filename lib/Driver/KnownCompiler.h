//===- KnownCompiler.h - Which compiler it is, without starting it --------===//
//
// Which libraries a program loads is only known once the loader has found them. The
// compiler writes down in the cache's folder what it loaded; as long as those files are
// as they were then, and the loader is told the same, it would load them again.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_DRIVER_KNOWNCOMPILER_H
#define GNNC_LIB_DRIVER_KNOWNCOMPILER_H

#include <string>

namespace gnnc {

/// Writes down that this process has the files it has, and this `identity`
/// (compilerIdentity). Writes nothing that is there already, and does not fail.
void rememberCompiler(const std::string &folder, const std::string &identity);

/// The identity that `program`, a path without links, had when it last wrote to `folder`;
/// empty when it never did, or a file that it had then has changed.
std::string recallCompiler(const std::string &folder, const std::string &program);

} // namespace gnnc

#endif // GNNC_LIB_DRIVER_KNOWNCOMPILER_H
