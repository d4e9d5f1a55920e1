//===- OpenWorkload.h - How the tuner comes to its graph ------------------===//
//
// Without MLIR, so that the driver's interface can name it.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_TUNE_OPENWORKLOAD_H
#define GNNC_LIB_TUNE_OPENWORKLOAD_H

#include <functional>
#include <memory>
#include <string>

namespace gnnc::tune {

class Workload; // lib/Tune/Workload.h

/// Opens the graph in a file; null with one line.
using OpenWorkload =
    std::function<std::unique_ptr<Workload>(const std::string &path, std::string &error)>;

} // namespace gnnc::tune

#endif // GNNC_LIB_TUNE_OPENWORKLOAD_H
