//===- GnncTools.cpp - Programs and artefacts by the project's own tools --===//
#include "benchmarks/gnn-bench/GnncTools.h"

#include "benchmarks/gnn-bench/Process.h"
#include "lib/LateRuntime/LateRuntime.h"

#include <array>
#include <cstdio>

namespace gnnc::bench {

/// gnn-model's arguments for this specification.
static std::vector<std::string> modelArguments(const ModelSpec &spec, bool edgeWeight) {
  std::vector<std::string> arguments = {"--model",  spec.model,
                                        "--in",     std::to_string(spec.inChannels),
                                        "--hidden", std::to_string(spec.hiddenChannels),
                                        "--out",    std::to_string(spec.outChannels),
                                        "--layers", std::to_string(spec.numLayers),
                                        "--act",    spec.act,
                                        "--norm",   spec.norm,
                                        "--dtype",  spec.dtype};
  auto flag = [&](bool wanted, const char *name) {
    if (wanted)
      arguments.push_back(name);
  };
  auto value = [&](const char *name, const std::string &text) {
    arguments.insert(arguments.end(), {name, text});
  };
  flag(!spec.bias, "--no-bias");
  flag(spec.actFirst, "--act-first");
  if (spec.model == "gcn") {
    flag(!spec.normalize, "--no-normalize");
    flag(spec.normalize && !spec.addSelfLoops, "--no-self-loops");
    flag(edgeWeight, "--edge-weight");
  } else if (spec.model == "sage") {
    value("--aggr", spec.aggr);
    flag(!spec.rootWeight, "--no-root-weight");
  } else if (spec.model != "gin") {
    flag(!spec.addSelfLoops, "--no-self-loops");
    value("--heads", std::to_string(spec.heads));
    value("--last-heads", std::to_string(spec.headsOf(spec.numLayers - 1)));
    std::array<char, 32> slope = {};
    std::snprintf(slope.data(), slope.size(), "%.17g", spec.negativeSlope);
    value("--negative-slope", slope.data());
  }
  value("--residual", spec.residual ? "true" : "false");
  return arguments;
}

static std::string tool(const GnncOptions &options, const char *name) {
  return options.toolsFolder.empty() ? findBeside(name, {".", GNNC_BENCH_BIN_DIR})
                                     : options.toolsFolder + "/" + name;
}

void openRuntimeOf(const GnncOptions &options) {
  if (std::string error; !openRuntime(options.runtime, error))
    throw Failure(error + "; name it with --runtime");
}

void writeProgram(const ModelSpec &spec, bool edgeWeight, const GnncOptions &options,
                  const std::string &path) {
  std::vector<std::string> model = {tool(options, "gnn-model")};
  for (std::string &argument : modelArguments(spec, edgeWeight))
    model.push_back(std::move(argument));
  model.insert(model.end(), {"-o", path});
  mustRun(model);
}

std::vector<std::string> compilerCommand(const GnncOptions &options, const std::string &program,
                                         const std::string &target) {
  std::vector<std::string> command = {tool(options, "gnn-compile"),
                                      program,
                                      "--target",
                                      target,
                                      "--mode",
                                      options.mode,
                                      "--precision",
                                      options.precision};
  if (!options.weightsPath.empty())
    command.insert(command.end(), {"--weights", options.weightsPath});
  if (!options.chip.empty())
    command.insert(command.end(), {"--chip", options.chip});
  return command;
}

} // namespace gnnc::bench
