//===- Report.cpp - What gnn-compile says in the end ----------------------===//
#include "lib/Driver/CompileCache.h"
#include "tools/gnn-compile/Flags.h"

#include <cstdio>

static void printCache(const gnnc::CacheOptions &options, const std::string &what) {
  gnnc::CompileCache cache(options.folder, options.maxBytes);
  gnnc::CacheCounters all = cache.counters();
  auto number = [](std::int64_t count) { return static_cast<long long>(count); };
  std::printf("cache %s; %s: %lld entries, %.1f MiB, %lld hits, %lld misses, %lld evicted, %lld "
              "damaged\n",
              what.c_str(), options.folder.c_str(), number(std::int64_t(cache.entries())),
              static_cast<double>(cache.bytes()) / (1 << 20), number(all.hits), number(all.misses),
              number(all.evicted), number(all.damaged));
}

int gnnc::tools::reportCompilation(const CompileOptions &options, const CompileReport &report,
                                   bool isDone, const std::string &error, bool timing) {
  if (!isDone) {
    std::fprintf(stderr, "gnn-compile: %s\n", error.c_str());
    return 1;
  }
  if (!report.warning.empty())
    std::fprintf(stderr, "gnn-compile: warning: %s\n", report.warning.c_str());
  if (!report.cacheProblem.empty())
    std::fprintf(stderr, "gnn-compile: warning: %s\n", report.cacheProblem.c_str());
  if (timing)
    std::printf("parse %.1f ms, passes %.1f ms, code %.1f ms, write %.1f ms, total %.1f ms "
                "(%s, %s)\n",
                report.parseMs, report.passesMs, report.codegenMs, report.writeMs, report.totalMs,
                report.chip.c_str(), report.code.c_str());
  if (timing && options.tunes())
    std::printf("tuning runs %lld\n", static_cast<long long>(report.tuningRuns));
  if (timing && !report.cache.empty())
    printCache(options.cache, report.cache);
  return 0;
}
