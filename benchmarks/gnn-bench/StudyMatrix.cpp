//===- StudyMatrix.cpp - The cells of a study, in the order they run ------===//
#include "benchmarks/gnn-bench/StudyMatrix.h"

#include "benchmarks/data/Generator.h"
#include "benchmarks/data/GraphSource.h"

#include <algorithm>
#include <filesystem>

namespace gnnc::bench {

static bool attends(const std::string &model) { return model.starts_with("gat"); }

static bool contains(const std::vector<std::string> &list, const std::string &word) {
  return std::ranges::find(list, word) != list.end();
}

std::vector<std::string> shapeArguments(const StudyOptions &options, const std::string &model) {
  std::int64_t width = options.hidden * (attends(model) ? options.gatHeads : 1);
  std::vector<std::string> arguments = {"--model",      model,
                                        "--hidden",     std::to_string(width),
                                        "--num-layers", std::to_string(options.numLayers),
                                        "--norm",       "batch_norm"};
  if (attends(model))
    arguments.insert(arguments.end(), {"--heads", std::to_string(options.gatHeads), "--last-heads",
                                       "1", "--act", "elu"});
  return arguments;
}

std::string shapeName(const StudyOptions &options, const std::string &model) {
  return std::to_string(options.hidden) + "x" + std::to_string(options.numLayers) +
         (attends(model) ? "h" + std::to_string(options.gatHeads) : "");
}

/// The real set where it is, else a generated graph of its size, which rows tell apart.
static StudyData findData(const StudyOptions &options, const std::string &name) {
  namespace fs = std::filesystem;
  std::string plain = name.starts_with("ogbn-") ? name.substr(5) : name;
  const GeneratorSpec *sizes = findPreset(plain);
  bool large = sizes && sizes->edges > 20'000'000;
  if (!options.dataRoot.empty() && !name.ends_with("-sized") && name.find('/') == std::string::npos)
    try {
      findSet(options.dataRoot, plain);
      return {plain, plain, true, large};
    } catch (const Failure &) {
      if (!fs::is_directory(options.dataRoot))
        throw;
    }
  std::error_code error;
  if (name.find('/') != std::string::npos || (!sizes && fs::exists(name, error))) {
    std::string file = fs::path(name).filename().string();
    return {file.substr(0, file.find('.')), name, false, false};
  }
  if (!sizes)
    throw Failure("--datasets " + name +
                  ": no such file or folder, and not one of cora, pubmed, ogbn-arxiv, "
                  "ogbn-products; --data-root says where others are");
  if (plain == "cora")
    return {plain, plain, false, false};
  std::string generated = plain.ends_with("-sized") ? plain : plain + "-sized";
  return {generated, generated, false, large};
}

std::optional<std::string> unavailable(const StudyOptions &options, const StudyCell &cell) {
  bool replays = cell.mode == "reduce-overhead" || cell.mode == "max-autotune";
  if (options.target == "cpu" && replays)
    return "mode " + cell.mode + " replays cudaGraphs, which --target cuda has; on the host " +
           (cell.mode == "max-autotune" ? "max-autotune-no-cudagraphs" : "default") +
           " is the same";
  return std::nullopt;
}

namespace {

/// Puts together the cells of one model on one data set.
class CellMaker {
public:
  CellMaker(const StudyOptions &options, std::vector<StudyCell> &cells)
      : options(options), cells(cells) {}

  void addAll(const std::string &model, const StudyData &data) {
    shared.model = model;
    shared.data = data;
    for (const std::string &system : options.systems) {
      bool eager = system.ends_with("-eager") || system == "libtorch-csr";
      if (eager && !contains(options.modes, "eager"))
        continue;
      for (const std::string &fixes : options.fixes)
        if (fixes == "on" || (system != "gnnc" && system != "libtorch-csr"))
          addModes(system, eager, fixes == "on");
    }
  }

private:
  void addModes(const std::string &system, bool eager, bool fixes) {
    if (eager)
      return add(system, "eager", "-", fixes);
    for (const std::string &mode : options.modes)
      for (const std::string &dynamic : options.dynamic)
        if (mode != "eager")
          add(system, mode, dynamic, fixes);
  }

  void add(const std::string &system, const std::string &mode, const std::string &dynamic,
           bool fixes) {
    StudyCell cell = shared;
    cell.system = system;
    cell.mode = mode;
    cell.dynamic = dynamic;
    cell.fixes = fixes;
    cell.id = cell.model + "/" + cell.data.label + "/" + system + "/" + mode + "/" + dynamic +
              (fixes ? "/fixes/" : "/no-fixes/") + options.target + "/" +
              shapeName(options, cell.model);
    if (system == "pyg-compile")
      cell.turn =
          dynamic == options.dynamic.front() && (mode == "default" || mode == "reduce-overhead")
              ? 1
              : 2;
    cells.push_back(std::move(cell));
  }

  const StudyOptions &options;
  std::vector<StudyCell> &cells;
  StudyCell shared;
};

} // namespace

std::vector<StudyCell> studyCells(const StudyOptions &options) {
  std::vector<StudyCell> cells;
  CellMaker maker(options, cells);
  for (const std::string &name : options.datasets) {
    StudyData data = findData(options, name);
    for (const std::string &model : options.models)
      maker.addAll(model, data);
  }
  std::ranges::stable_sort(cells,
                           [](const StudyCell &a, const StudyCell &b) { return a.turn < b.turn; });
  return cells;
}

} // namespace gnnc::bench
