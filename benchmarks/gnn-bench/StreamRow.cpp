//===- StreamRow.cpp - One line of results about a stream of graphs -------===//
#include "benchmarks/gnn-bench/StreamRow.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <numeric>

namespace gnnc::bench {

using Json = nlohmann::ordered_json;

static double total(const std::vector<StreamStep> &steps) {
  return std::accumulate(steps.begin(), steps.end(), 0.0, [](double sum, const StreamStep &step) {
    return sum + step.milliseconds;
  });
}

/// Of all but the first; null if there is none.
static const StreamStep *slowest(const std::vector<StreamStep> &steps) {
  if (steps.size() < 2)
    return nullptr;
  return &*std::max_element(steps.begin() + 1, steps.end(), [](const auto &a, const auto &b) {
    return a.milliseconds < b.milliseconds;
  });
}

static Json textOrNull(const std::string &text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

/// Microseconds; null if nothing was measured.
static Json quantileUs(std::vector<double> milliseconds, double quantile) {
  if (milliseconds.empty())
    return nullptr;
  std::ranges::sort(milliseconds);
  double last = static_cast<double>(milliseconds.size() - 1);
  return 1000 * milliseconds[static_cast<std::size_t>(quantile * last)];
}

std::string toJson(const StreamRow &row) {
  const StreamStep *worst = slowest(row.first), *worstAgain = slowest(row.again);
  bool done = !row.error;
  auto known = [&](bool is, auto value) { return is ? Json(value) : Json(nullptr); };
  Json failedGuards = Json::object();
  for (const jit::GuardFailure &guard : row.failedGuards) { // several values may be expected of one
    std::string name = guard.kind + " " + guard.of;
    failedGuards[name] = failedGuards.value(name, std::int64_t(0)) + guard.failures;
  }
  Json json = {
      {"system", "gnnc"},
      {"model", row.model},
      {"data", "stream"},
      {"dtype", row.dtype},
      {"mode", row.mode},
      {"dynamic", row.dynamic},
      {"device", row.device},
      {"real_data", false},
      {"ok", done && row.inBound()},
      {"error", row.error ? Json(*row.error) : Json(nullptr)},
      {"graphs", row.first.size()},
      {"total_ms", known(done, total(row.first))},
      {"first_ms", row.first.empty() ? Json(nullptr) : Json(row.first.front().milliseconds)},
      {"slowest_after_first_ms", worst ? Json(worst->milliseconds) : Json(nullptr)},
      {"slowest_after_first",
       worst ? Json{{"nodes", worst->nodes}, {"edges", worst->edges}} : Json(nullptr)},
      {"second_pass_ms", known(done, total(row.again))},
      {"second_pass_slowest_ms", worstAgain ? Json(worstAgain->milliseconds) : Json(nullptr)},
      {"compilations", row.compilations},
      {"recompilations", std::max<std::int64_t>(row.compilations - 1, 0)},
      {"compile_ms", row.compileMs},
      {"disk_hits", row.diskHits},
      {"stand_ins", row.standIns},
      {"background_failure", textOrNull(row.backgroundFailure)},
      {"cache_hits", row.hits},
      {"cache_misses", row.misses},
      {"evictions", row.evictions},
      {"guard_failures", row.guardFailures},
      {"guard_failures_by", std::move(failedGuards)},
      {"compile_failures", row.failures},
      {"tuning_runs", row.tuningRuns},
      {"rebinds", row.rebinds},
      {"captures", row.captures},
      {"updates", row.updates},
      {"failed_updates", row.failedUpdates},
      {"update_failure", textOrNull(row.updateFailure)},
      {"update_us", quantileUs(row.updateMs, 0.5)},
      {"slowest_update_us", quantileUs(row.updateMs, 1)},
      {"allocations", row.allocations},
      {"allocations_after_largest", known(done, row.allocationsAfterLargest)},
      {"max_rel_err", std::isfinite(row.maxRelErr) ? Json(row.maxRelErr) : Json(nullptr)},
      {"in_bound", row.inBound()},
      {"commit", row.commit ? Json(*row.commit) : Json(nullptr)},
      {"env", row.env.empty() ? Json(nullptr) : Json::parse(row.env)},
  };
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string table(const std::vector<StreamRow> &rows) {
  std::string text = "dynamic  graphs  compilations  guard failures  first ms  slowest after ms  "
                     "total ms  second pass ms  allocations after largest  max error\n";
  for (const StreamRow &row : rows) {
    char line[256];
    const StreamStep *worst = slowest(row.first);
    std::snprintf(line, sizeof line,
                  "%-7s  %6zu  %12lld  %14lld  %8.1f  %16.2f  %8.1f  %14.1f  %25lld  %9.1e\n",
                  row.dynamic.c_str(), row.first.size(), static_cast<long long>(row.compilations),
                  static_cast<long long>(row.guardFailures),
                  row.first.empty() ? 0 : row.first.front().milliseconds,
                  worst ? worst->milliseconds : 0, total(row.first), total(row.again),
                  static_cast<long long>(row.allocationsAfterLargest), row.maxRelErr);
    text += line;
    if (row.error)
      text += "  failed: " + *row.error + "\n";
  }
  return text;
}

} // namespace gnnc::bench
