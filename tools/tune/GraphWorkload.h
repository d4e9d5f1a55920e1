//===- GraphWorkload.h - A graph file to tune on --------------------------===//
#ifndef GNNC_TOOLS_TUNE_GRAPHWORKLOAD_H
#define GNNC_TOOLS_TUNE_GRAPHWORKLOAD_H

#include "lib/Tune/Workload.h"

namespace gnnc::tools {

/// Reads a graph file for lib/Tune. Inputs that it does not have are random numbers.
/// Null with one line that names the file.
std::unique_ptr<tune::Workload> openWorkload(const std::string &path, std::string &error);

} // namespace gnnc::tools

#endif // GNNC_TOOLS_TUNE_GRAPHWORKLOAD_H
