//===- Row.cpp - One line of a benchmark's results ------------------------===//
#include "benchmarks/gnn-bench/Row.h"

#include "lib/Explain/Limits.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

namespace gnnc::bench {

using Json = nlohmann::ordered_json;

Quartiles quartiles(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  auto at = [&](double share) {
    double place = share * static_cast<double>(values.size() - 1);
    std::size_t below = static_cast<std::size_t>(place);
    std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
  };
  double sum = std::accumulate(values.begin(), values.end(), 0.0);
  double mean = sum / static_cast<double>(values.size());
  return {at(0.25), at(0.5), at(0.75), values.front(), mean, values.size()};
}

/// Numbers as they are; null for what is not known or not a number in JSON.
static Json value(const std::optional<double> &number) {
  return number && std::isfinite(*number) ? Json(*number) : Json(nullptr);
}

template <class T>
static Json value(const std::optional<T> &known) {
  return known ? Json(*known) : Json(nullptr);
}

void fillShareOfLimit(Row &row) {
  auto limits = explain::limitsOf("cuda", "sm_90");
  Json env = Json::parse(row.env, nullptr, /*allow_exceptions=*/false);
  bool isMeasured = env.is_object() && env.contains("gpu") && env["gpu"] == limits->of;
  if (!isMeasured || row.dtype != "f32" || row.device != "cuda" || row.latency.empty() ||
      !row.bytes || !row.flops)
    return;
  // Rows read along edges come from a cache, so its rate bounds them.
  explain::Bound bound = explain::boundOf(limits->withProducts(row.precision.value_or("fp32")),
                                          *row.bytes, /*least=*/0, *row.flops);
  double milliseconds = std::max(bound.cacheUs, bound.flopUs) / 1e3;
  row.shareOfLimit = milliseconds / quartiles(row.latency).median;
}

void fillPaysAfter(std::vector<Row> &rows) {
  std::optional<double> slow;
  for (const Row &row : rows)
    if (row.system == "libtorch-eager" && row.fixes == false && !row.latency.empty())
      slow = quartiles(row.latency).median;
  if (!slow)
    return;
  for (Row &row : rows) {
    if (!row.prepareMs || row.latency.empty())
      continue;
    double won = *slow - quartiles(row.latency).median;
    if (won > 0)
      row.paysAfter = std::ceil(*row.prepareMs / won);
  }
}

std::string statusOf(const Row &row) {
  if (!row.status.empty())
    return row.status;
  if (row.ok)
    return row.inBound.value_or(true) ? "ok" : "out-of-bound";
  return row.error && row.error->find("out of memory") != std::string::npos ? "oom" : "error";
}

std::string toJson(const Row &row) {
  Json latency = nullptr, nodesPerSecond = nullptr, edgesPerSecond = nullptr;
  if (!row.latency.empty()) {
    Quartiles q = quartiles(row.latency);
    latency = {{"q1", q.q1},   {"median", q.median}, {"q3", q.q3},
               {"min", q.min}, {"mean", q.mean},     {"n", q.n}};
    auto perSecond = [&](std::int64_t count) {
      return value(std::optional(static_cast<double>(count) / q.median * 1e3));
    };
    nodesPerSecond = perSecond(row.nodes);
    edgesPerSecond = perSecond(row.edges);
  }
  Json json = {
      {"system", row.system},
      {"model", row.model},
      {"data", row.data},
      {"nodes", row.nodes},
      {"edges", row.edges},
      {"dtype", row.dtype},
      {"mode", value(row.mode)},
      {"dynamic", value(row.dynamic)},
      {"fixes", value(row.fixes)},
      {"device", row.device},
      {"real_data", row.realData},
      {"ok", row.ok},
      {"error", value(row.error)},
      {"latency_ms", latency},
      {"wall_ms", value(row.wallMs)},
      {"first_ms", value(row.firstMs)},
      {"compile_ms", value(row.compileMs)},
      {"peak_mib", value(row.peakMib)},
      {"kernels", value(row.kernels)},
      {"recompilations", value(row.recompilations)},
      {"captures", value(row.captures)},
      {"bytes", value(row.bytes)},
      {"flops", value(row.flops)},
      {"share_of_limit", value(row.shareOfLimit)},
      {"max_rel_err", value(row.maxRelErr)},
      {"in_bound", value(row.inBound)},
      {"commit", value(row.commit)},
      {"env", row.env.empty() ? Json(nullptr) : Json::parse(row.env)},
      {"test_accuracy", value(row.testAccuracy)},
      {"bit_identical", value(row.bitIdentical)},
      {"inner", value(row.inner)},
      {"order", row.order},
      {"precision", value(row.precision)},
      {"prepare_ms", value(row.prepareMs)},
      {"pays_after", value(row.paysAfter)},
      {"data_checksum", value(row.dataChecksum)},
      {"second_ms", value(row.secondMs)},
      {"nodes_per_s", nodesPerSecond},
      {"edges_per_s", edgesPerSecond},
      {"status", statusOf(row)},
      {"peak_device_mib", value(row.peakDeviceMib)},
      {"edge_list_hash", value(row.edgeListHash)},
      {"weights_hash", value(row.weightsHash)},
      {"noise_floor", value(row.noiseFloor)},
  };
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace gnnc::bench
