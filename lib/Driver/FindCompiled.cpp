//===- FindCompiled.cpp - Artefacts out of the cache, without MLIR --------===//
#include "lib/Driver/FindCompiled.h"

#include "lib/Codegen/FindTools.h"
#include "lib/Codegen/SelectWeights.h"
#include "lib/Driver/CacheKey.h"
#include "runtime/format/Artifact.h"

using namespace gnnc;

std::string gnnc::chipOf(const CompileOptions &options) {
  if (!options.chip.empty())
    return options.chip;
  return options.target == "cuda" ? "sm_90" : hostChip();
}

bool gnnc::usesCache(const CompileOptions &options) {
  return !options.cache.folder.empty() && options.emit == "gnnx" && !options.output.empty() &&
         options.explain.format.empty() && options.printIr.empty() && !options.tunes();
}

std::string gnnc::cacheKeyOf(const CompileOptions &options, const std::string &chip,
                             const std::string &compiler, const std::string &program) {
  // Every member by name: one more, and this does not compile until it is known whether
  // the code depends on it. What does not: where files are and what they hold (weights, a
  // graph beyond its shape), the chip as it was asked for, and what usesCache refuses.
  const auto &[input, weights, output, target, askedChip, mode, dynamic, graph, shape, precision,
               index, order, maxResults, selfLoops, normalize, fixes, loopEdges, schedules, emit,
               cubin, printIr, explain, tuning, cache] = options;
  bool assembles = target == "cuda" && cubin;
  CacheParts parts = {{"program", program},
                      {"target", target},
                      {"chip", chip},
                      {"mode", mode},
                      {"dynamic", dynamic},
                      {"destinations", std::to_string(shape.dst)},
                      {"sources", std::to_string(shape.src)},
                      {"edges", std::to_string(shape.edges)},
                      {"precision", precision},
                      {"index", index},
                      {"order", order},
                      {"results", std::to_string(maxResults)},
                      {"loops", selfLoops},
                      {"normalize", normalize},
                      {"fixes", fixes},
                      {"loop edges", std::to_string(loopEdges)},
                      {"compiler", compiler},
                      {"ptxas", assembles ? programIdentity(findPtxas()) : "not asked"}};
  for (const std::string &schedule : schedules)
    parts.push_back({"schedule", schedule});
  return cacheKey(parts);
}

bool gnnc::writeFound(const CompileOptions &options, CacheEntry &&entry, CompileReport &report,
                      std::string &error) {
  report.cache = "hit";
  format::Artifact artifact{std::move(entry.plan), std::move(entry.code), {}};
  if (!artifact.code.empty())
    report.code = artifact.code.front().name;
  return selectWeights(options.weights, options.input, entry.weightArguments, artifact.plan,
                       artifact.weights, report.warning, error) &&
         format::writeArtifact(options.output, artifact, error);
}
