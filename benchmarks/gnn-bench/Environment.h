//===- Environment.h - What a row says about the machine ------------------===//
//
// Output: processor, device, driver, versions, as JSON, so that a number can be judged
// later. What cannot be found out is null.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_GNN_BENCH_ENVIRONMENT_H
#define GNNC_BENCHMARKS_GNN_BENCH_ENVIRONMENT_H

#include <optional>
#include <string>

namespace gnnc::bench {

/// UTC, as 2026-01-31T12:00:00Z.
std::string nowUtc();

/// JSON object.
std::string describeEnvironment(bool cuda, int threads);

/// GNNC_COMMIT if set, else what git says about the sources of this program
/// ("-dirty" when they differ from it), else nothing.
std::optional<std::string> findCommit();

/// `environment` with the GPU's clocks and temperature as they are now, null where it does not say.
std::string withGpuState(const std::string &environment);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_GNN_BENCH_ENVIRONMENT_H
