//===- Report.cpp - What gnn-run says about a run -------------------------===//
#include "tools/gnn-run/Report.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace gnnc::tools {
namespace {

constexpr double kMiB = 1024.0 * 1024.0;

template <class... Args>
void line(std::string &out, const char *format, Args... args) {
  char text[512];
  std::snprintf(text, sizeof text, format, args...);
  out += text;
  out += '\n';
}

std::int64_t peakBytes(const gnnc_stats &stats) {
  return stats.weight_bytes + stats.graph_bytes + stats.arena_bytes + stats.io_bytes;
}

} // namespace

Quartiles quartiles(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  auto at = [&](double share) {
    double position = share * static_cast<double>(samples.size() - 1);
    auto below = static_cast<std::size_t>(position);
    std::size_t above = std::min(below + 1, samples.size() - 1);
    double part = position - static_cast<double>(below);
    return samples[below] * (1 - part) + samples[above] * part;
  };
  return {samples.front(), at(0.25), at(0.5), at(0.75)};
}

std::string textOf(const RunReport &report) {
  std::string out;
  line(out, "graph    %s", report.counts.c_str());
  line(out,
       "start    %.2f ms load, %.2f ms bind (%.2f prepare), %.2f ms first run; graph file read in "
       "%.2f ms",
       report.stats.load_ms, report.stats.bind_ms, report.stats.prepare_ms, report.firstMs,
       report.readMs);
  line(out, "memory   %.2f MiB: weights %.2f, graph %.2f, scratch %.2f, inputs and outputs %.2f",
       static_cast<double>(peakBytes(report.stats)) / kMiB,
       static_cast<double>(report.stats.weight_bytes) / kMiB,
       static_cast<double>(report.stats.graph_bytes) / kMiB,
       static_cast<double>(report.stats.arena_bytes) / kMiB,
       static_cast<double>(report.stats.io_bytes) / kMiB);
  line(out, "forward  %lld kernels", static_cast<long long>(report.stats.kernels_per_forward));
  line(out,
       "counted  %lld captures, %lld updates in place in %.3f ms, %lld failed; %lld allocations, "
       "%lld guard failures",
       static_cast<long long>(report.stats.captures), static_cast<long long>(report.stats.updates),
       report.stats.update_ms, static_cast<long long>(report.stats.failed_updates),
       static_cast<long long>(report.stats.allocations),
       static_cast<long long>(report.stats.guard_failures));
  if (report.compiled) {
    const jit::Counters &all = *report.compiled;
    auto number = [](std::int64_t count) { return static_cast<long long>(count); };
    line(out,
         "compiled %lld times in %.1f ms, %lld more from disk; shapes: %lld hits, %lld misses, "
         "%lld evicted, %lld stand-ins; %lld failed, %lld tuning runs",
         number(all.compilations), all.compileMs, number(all.diskHits), number(all.hits),
         number(all.misses), number(all.evictions), number(all.standIns), number(all.failures),
         number(all.tuningRuns));
  }
  for (const jit::GuardFailure &guard : report.guards)
    line(out, "guard    %s %s %s failed %lld times", guard.kind.c_str(), guard.of.c_str(),
         guard.expects.c_str(), static_cast<long long>(guard.failures));
  if (!report.backgroundFailure.empty())
    line(out, "failed   in the background: %s", report.backgroundFailure.c_str());
  if (!report.samples.empty()) {
    Quartiles q = quartiles(report.samples);
    line(out, "latency  median %.4f ms, quartiles %.4f to %.4f, least %.4f, %zu samples", q.median,
         q.lower, q.upper, q.least, report.samples.size());
  }
  if (report.accuracy)
    line(out, "accuracy %.4f on test_mask", *report.accuracy);
  return out;
}

std::string jsonOf(const RunReport &report) {
  nlohmann::ordered_json json = {{"program", report.program},
                                 {"graph", report.graph},
                                 {"device", report.device},
                                 {"nodes", report.nodes},
                                 {"edges", report.edges},
                                 {"read_ms", report.readMs},
                                 {"load_ms", report.stats.load_ms},
                                 {"bind_ms", report.stats.bind_ms},
                                 {"prepare_ms", report.stats.prepare_ms},
                                 {"first_ms", report.firstMs},
                                 {"weight_bytes", report.stats.weight_bytes},
                                 {"graph_bytes", report.stats.graph_bytes},
                                 {"arena_bytes", report.stats.arena_bytes},
                                 {"io_bytes", report.stats.io_bytes},
                                 {"peak_mib", static_cast<double>(peakBytes(report.stats)) / kMiB},
                                 {"kernels", report.stats.kernels_per_forward},
                                 {"captures", report.stats.captures},
                                 {"graph_launches", report.stats.graph_launches},
                                 {"rebinds", report.stats.rebinds},
                                 {"updates", report.stats.updates},
                                 {"failed_updates", report.stats.failed_updates},
                                 {"update_ms", report.stats.update_ms},
                                 {"allocations", report.stats.allocations},
                                 {"guard_failures", report.stats.guard_failures}};
  // Of executables that have refused other graphs before this one.
  auto &failed = json["guard_failures_by"] = nlohmann::ordered_json::object();
  for (const jit::GuardFailure &guard : report.guards) { // several values may be expected of one
    std::string name = guard.kind + " " + guard.of;
    failed[name] = failed.value(name, std::int64_t(0)) + guard.failures;
  }
  auto counted = [&](const char *name, auto jit::Counters::*count) {
    json[name] = report.compiled ? nlohmann::ordered_json((*report.compiled).*count) : nullptr;
  };
  json["dynamic"] = report.compiled ? nlohmann::ordered_json(report.dynamic) : nullptr;
  counted("compilations", &jit::Counters::compilations);
  counted("compile_ms", &jit::Counters::compileMs);
  counted("disk_hits", &jit::Counters::diskHits);
  counted("cache_hits", &jit::Counters::hits);
  counted("cache_misses", &jit::Counters::misses);
  counted("evictions", &jit::Counters::evictions);
  counted("stand_ins", &jit::Counters::standIns);
  counted("compile_failures", &jit::Counters::failures);
  counted("tuning_runs", &jit::Counters::tuningRuns);
  json["background_failure"] = report.backgroundFailure.empty()
                                   ? nlohmann::ordered_json(nullptr)
                                   : nlohmann::ordered_json(report.backgroundFailure);
  if (report.samples.empty()) {
    json["latency_ms"] = nullptr;
  } else {
    Quartiles q = quartiles(report.samples);
    json["latency_ms"] = {{"q1", q.lower},
                          {"median", q.median},
                          {"q3", q.upper},
                          {"min", q.least},
                          {"n", report.samples.size()}};
  }
  json["accuracy"] = report.accuracy ? nlohmann::ordered_json(*report.accuracy) : nullptr;
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

} // namespace gnnc::tools
