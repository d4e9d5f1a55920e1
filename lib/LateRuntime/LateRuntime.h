//===- LateRuntime.h - The runtime's C API, opened when first called ------===//
//
// What links this library calls the functions of gnnc.h as if it linked the runtime.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_LATERUNTIME_LATERUNTIME_H
#define GNNC_LIB_LATERUNTIME_LATERUNTIME_H

#include <string>

namespace gnnc {

/// Opens the runtime now: the library `path`, or the one beside the program if that is
/// empty. What was opened before stays, whatever `path` is then. False: `error` says why.
bool openRuntime(const std::string &path, std::string &error);

} // namespace gnnc

#endif // GNNC_LIB_LATERUNTIME_LATERUNTIME_H
