//===- CacheKey.h - What a compilation depends on, as one name ------------===//
#ifndef GNNC_LIB_DRIVER_CACHEKEY_H
#define GNNC_LIB_DRIVER_CACHEKEY_H

#include <string>
#include <utility>
#include <vector>

namespace gnnc {

/// Everything that decides what comes out, by name: the program's text, the options of
/// the pipeline, the chip, the compiler.
using CacheParts = std::vector<std::pair<std::string, std::string>>;

/// 64 letters that are the same for the same parts, and no others.
std::string cacheKey(const CacheParts &parts);

/// A file that is part of this process: the program or a library.
struct LoadedFile {
  std::string path, buildId;
};

/// The program first, then its libraries. One without a build id has an empty one.
std::vector<LoadedFile> loadedFiles();

/// Version, and build ids of this program and of the libraries in this process (LLVM's
/// among them): two compilers that could give different code have different ones.
/// Empty where this program was linked without a build id.
std::string compilerIdentity();

/// Path, size and time of change of a program that the compiler calls; "none" for an
/// empty path.
std::string programIdentity(const std::string &path);

} // namespace gnnc

#endif // GNNC_LIB_DRIVER_CACHEKEY_H
