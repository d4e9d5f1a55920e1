//===- StudyRun.cpp - Run the cells of a study ----------------------------===//
//
// 1. The graph, the weights and the float64 output of a model on a data set go to files.
// 2. gnnc and LibTorch are measured from them by one gnn-bench, which interleaves them; a
//    cell whose process died, hung or had too little memory runs once more, alone.
// 3. Each peer is a process of its own on the same files.
//
//===----------------------------------------------------------------------===//
#include "benchmarks/gnn-bench/StudyRun.h"

#include "benchmarks/gnn-bench/Environment.h"
#include "benchmarks/gnn-bench/Process.h"
#include "benchmarks/gnn-bench/StudyRow.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

namespace gnnc::bench {
namespace {

namespace fs = std::filesystem;

/// On a large graph so many systems of this process fit into a device at a time.
constexpr std::size_t mostLarge = 4;

using Cells = std::vector<const StudyCell *>;

class Study {
public:
  Study(const StudyOptions &options, const std::vector<StudyCell> &cells)
      : options(options), journal(options.output, options.resume) {
    for (const StudyCell &cell : cells)
      if (!journal.has(cell.id))
        pending.push_back(&cell);
    total = cells.size();
    folder = options.scratch;
    if (folder.empty()) {
      // Beside the rows, so that the next run finds what a killed one left.
      if (fs::is_regular_file(options.output))
        temporary.emplace(options.output + ".scratch");
      else
        temporary.emplace();
      folder = temporary->file("");
    }
    // What killed children leave behind is in there too.
    std::string ofChildren = fs::absolute(folder + "/tmp").lexically_normal().string();
    fs::create_directories(ofChildren);
    setenv("TMPDIR", ofChildren.c_str(), 1);
  }

  int run() {
    std::fprintf(stderr, "gnn-bench study: %zu cells, %zu have rows\n", total,
                 total - pending.size());
    catchSignals();
    try {
      runPending();
    } catch (const Interrupted &) {
      std::fprintf(stderr, "gnn-bench study: stopped by a signal\n");
    }
    return verdict();
  }

private:
  void runPending() {
    for (std::size_t begin = 0; begin < pending.size() && !isLate();) {
      std::size_t end = begin + 1;
      while (end < pending.size() && groupOf(*pending[end]) == groupOf(*pending[begin]))
        ++end;
      runGroup({pending.begin() + static_cast<std::ptrdiff_t>(begin),
                pending.begin() + static_cast<std::ptrdiff_t>(end)});
      begin = end;
    }
  }

  int verdict() const {
    std::map<std::string, int> counts;
    for (const Json &row : journal.rows())
      ++counts[row.value("status", "none")];
    std::string text;
    for (const auto &[status, count] : counts)
      text += ", " + std::to_string(count) + " " + status;
    std::size_t left = pending.size() - done;
    std::fprintf(stderr, "gnn-bench study: %zu rows%s; %s\n", journal.rows().size(), text.c_str(),
                 options.output.c_str());
    if (left > 0) {
      std::fprintf(stderr, "gnn-bench study: %zu cells are left; run again with --resume\n", left);
      return 3;
    }
    return anyOfOursFailed ? 1 : 0;
  }

  static std::string groupOf(const StudyCell &cell) {
    return std::to_string(cell.turn) + "/" + cell.model + "/" + cell.data.label;
  }

  double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  bool isLate() const { return options.timeLimit > 0 && elapsed() > options.timeLimit; }

  void runGroup(const Cells &group) {
    Cells ours, peers;
    for (const StudyCell *cell : group) {
      if (auto why = unavailable(options, *cell))
        keepEnding(*cell, {"unavailable", *why}, nowUtc());
      else
        (cell->isPeer() ? peers : ours).push_back(cell);
    }
    // A peer that this machine lacks costs nothing, not even its inputs.
    std::erase_if(peers, [&](const StudyCell *cell) {
      if (missingPeer)
        keepEnding(*cell, *missingPeer, nowUtc());
      return missingPeer.has_value();
    });
    if (ours.empty() && peers.empty())
      return;
    std::string inputs = folder + "/" + inputsName(*group.front());
    if (auto ending = makeInputs(*group.front(), inputs)) {
      for (const Cells &part : {ours, peers})
        for (const StudyCell *cell : part)
          keepEnding(*cell, *ending, nowUtc());
      return;
    }
    std::size_t most = group.front()->data.large ? mostLarge : ours.size();
    for (std::size_t begin = 0; begin < ours.size() && !isLate(); begin += most)
      runOurs({ours.begin() + static_cast<std::ptrdiff_t>(begin),
               ours.begin() + static_cast<std::ptrdiff_t>(std::min(begin + most, ours.size()))},
              inputs);
    for (const StudyCell *cell : peers)
      if (!isLate())
        runPeer(*cell, inputs);
  }

  std::string inputsName(const StudyCell &cell) const {
    return cell.model + "-" + cell.data.label + "-" + shapeName(options, cell.model) + "-" +
           std::to_string(options.seed);
  }

  std::vector<std::string> benchCommand(const StudyCell &cell) const {
    std::vector<std::string> command = {programFolder() + "/gnn-bench"};
    for (const std::string &argument : shapeArguments(options, cell.model))
      command.push_back(argument);
    command.insert(command.end(),
                   {"--device", options.target, "--threads", std::to_string(options.threads),
                    "--seed", std::to_string(options.seed)});
    return command;
  }

  /// Nothing, or why there are none. What an earlier group or run wrote is taken as it is.
  std::optional<Ending> makeInputs(const StudyCell &cell, const std::string &inputs) {
    if (fs::exists(inputs + "/complete"))
      return std::nullopt;
    std::vector<std::string> command = benchCommand(cell);
    command.insert(command.end(), {"--dataset", cell.data.source, "--write-inputs", inputs});
    if (cell.data.fromRoot)
      command.insert(command.end(), {"--data-root", options.dataRoot});
    ChildResult result = runChild(command, options.timeout);
    bool written = result.started && !result.timedOut && !result.signal && !result.exitCode;
    if (!written) {
      Ending ending = endingOf(result, "gnn-bench --write-inputs", options.timeout);
      if (ending.status != "oom" || !fs::exists(inputs + "/weights.safetensors"))
        return ending;
    }
    std::ofstream(inputs + "/complete") << "\n";
    return std::nullopt;
  }

  void runOurs(const Cells &cells, const std::string &inputs) {
    const std::string started = nowUtc(), rowsFile = inputs + "/rows.jsonl";
    std::error_code ignored;
    fs::remove(rowsFile, ignored);
    std::vector<std::string> command = benchCommand(*cells.front());
    command.insert(command.end(),
                   {"--dataset", inputs + "/graph.safetensors", "--weights",
                    inputs + "/weights.safetensors", "--reference", referenceOf(inputs), "--data",
                    cells.front()->data.label, "--repeats", std::to_string(options.repeats),
                    "--warmup", std::to_string(options.warmup), "--budget", options.budget,
                    "--tuning-db", folder + "/tuning-" + options.target + ".json", "-o", rowsFile});
    auto optional = [&](const char *name, const std::string &value) {
      if (!value.empty())
        command.insert(command.end(), {name, value});
    };
    optional("--chip", options.chip);
    optional("--tools", options.tools);
    optional("--runtime", options.runtime);
    for (const StudyCell *cell : cells)
      command.insert(command.end(), {"--cell", cell->system + ":" + cell->mode + ":" +
                                                   cell->dynamic + (cell->fixes ? ":on" : ":off")});
    double limit = options.timeout * static_cast<double>(cells.size());
    ChildResult result = runChild(command, limit);
    std::vector<Json> rows = readRows(rowsFile);
    bool complete = rows.size() == cells.size();
    for (std::size_t index = 0; index < cells.size(); ++index) {
      bool alone = cells.size() == 1;
      if (complete && (alone || rows[index]["status"] != "oom"))
        keep(*cells[index], std::move(rows[index]), started);
      else if (alone)
        keepEnding(*cells[index], endingOf(result, "gnn-bench", limit), started);
      else if (!isLate())
        runOurs({cells[index]}, inputs);
    }
  }

  static std::string referenceOf(const std::string &inputs) {
    std::string path = inputs + "/reference.safetensors";
    return fs::exists(path) ? path : "none";
  }

  void runPeer(const StudyCell &cell, const std::string &inputs) {
    if (missingPeer)
      return keepEnding(cell, *missingPeer, nowUtc());
    const std::string started = nowUtc(), rowsFile = inputs + "/rows.jsonl";
    std::error_code ignored;
    fs::remove(rowsFile, ignored);
    std::string peer =
        options.peer.empty()
            ? findBeside("pyg-bench.py", {"../share/gnnc/peers", GNNC_BENCH_PEERS_DIR})
            : options.peer;
    std::vector<std::string> command = {options.python, "-B", peer};
    for (const std::string &argument : shapeArguments(options, cell.model))
      command.push_back(argument);
    command.insert(command.end(), {"--graph",     inputs + "/graph.safetensors",
                                   "--weights",   inputs + "/weights.safetensors",
                                   "--reference", referenceOf(inputs),
                                   "--device",    options.target,
                                   "--threads",   std::to_string(options.threads),
                                   "--mode",      cell.mode,
                                   "--fixes",     cell.fixes ? "on" : "off",
                                   "--label",     cell.data.label,
                                   "--repeats",   std::to_string(options.repeats),
                                   "--warmup",    std::to_string(options.warmup),
                                   "-o",          rowsFile});
    if (cell.dynamic != "-")
      command.insert(command.end(), {"--dynamic", cell.dynamic});
    ChildResult result = runChild(command, options.timeout);
    std::vector<Json> rows = readRows(rowsFile);
    if (!result.timedOut && rows.size() == 1)
      return keep(cell, std::move(rows.front()), started);
    Ending ending =
        endingOf(result, result.started ? "pyg-bench" : options.python, options.timeout);
    if (ending.status == "unavailable")
      missingPeer = ending;
    keepEnding(cell, ending, started);
  }

  /// None if the file is absent or a line is no row.
  static std::vector<Json> readRows(const std::string &path) {
    std::vector<Json> rows;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
      Json row = Json::parse(line, nullptr, /*allow_exceptions=*/false);
      if (!row.is_object() || !row.contains("status") || !row.contains("system") ||
          !row.contains("ok"))
        return {};
      rows.push_back(std::move(row));
    }
    return rows;
  }

  /// The peer says what it was fed with; it must be what gnnc had.
  void checkInputs(Json &row) const {
    for (const char *name : {"edge_list_hash", "weights_hash"}) {
      if (!row.contains(name) || !row[name].is_string())
        continue;
      for (const Json &other : journal.rows())
        if (other["model"] == row["model"] && other["data"] == row["data"] &&
            other["hidden"] == row["hidden"] && other["seed"] == row["seed"] &&
            other["num_layers"] == row["num_layers"] && other["heads"] == row["heads"] &&
            other[name].is_string() && other[name] != row[name]) {
          row["status"] = "error";
          row["error"] = std::string(name) + " is " + row[name].get<std::string>() + ", but " +
                         other[name].get<std::string>() + " in " +
                         other["cell"].get<std::string>() + ": they had not the same inputs";
          row["ok"] = false;
          row["latency_ms"] = nullptr;
          return;
        }
    }
  }

  void keep(const StudyCell &cell, Json row, const std::string &started) {
    row = studyRow(options, cell, std::move(row), started);
    checkInputs(row);
    if (cell.isPeer())
      fillFromSameInputs(row, journal.rows());
    fillBreakEven(row, journal.rows());
    std::string status = row["status"];
    anyOfOursFailed |= cell.system == "gnnc" && status != "ok" && status != "unavailable";
    std::string figure = status;
    if (row["latency_ms"].is_object()) {
      char text[48];
      std::snprintf(text, sizeof text, "%.4g ms", row["latency_ms"]["median"].get<double>());
      figure = status == "ok" ? text : text + (", " + status);
    } else if (row["error"].is_string()) {
      figure += ": " + row["error"].get<std::string>();
    }
    journal.add(std::move(row));
    ++done;
    double left =
        elapsed() / static_cast<double>(done) * static_cast<double>(pending.size() - done);
    std::fprintf(stderr, "[%zu of %zu, about %.0f s left] %s: %s\n", total - pending.size() + done,
                 total, left, cell.id.c_str(), figure.c_str());
  }

  void keepEnding(const StudyCell &cell, const Ending &ending, const std::string &started) {
    keep(cell, rowWithoutResult(options, cell, ending), started);
  }

  const StudyOptions &options;
  StudyJournal journal;
  Cells pending;
  std::size_t total = 0, done = 0;
  std::optional<ScratchFolder> temporary;
  std::string folder;
  std::optional<Ending> missingPeer; ///< why no peer can run here
  bool anyOfOursFailed = false;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

} // namespace

int runStudy(const StudyOptions &options) {
  std::vector<StudyCell> cells = studyCells(options);
  if (!options.dryRun)
    return Study(options, cells).run();
  for (const StudyCell &cell : cells)
    std::printf("%s%s\n", cell.id.c_str(), unavailable(options, cell) ? "  (unavailable)" : "");
  std::printf("%zu cells\n", cells.size());
  return 0;
}

} // namespace gnnc::bench
