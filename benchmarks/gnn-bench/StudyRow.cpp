//===- StudyRow.cpp - What a study adds to the rows of its cells ----------===//
#include "benchmarks/gnn-bench/StudyRow.h"

#include "benchmarks/gnn-bench/Environment.h"
#include "benchmarks/gnn-bench/Row.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>

namespace gnnc::bench {

static bool says(const std::string &text, std::initializer_list<const char *> words) {
  for (const char *word : words)
    if (text.find(word) != std::string::npos)
      return true;
  return false;
}

Ending endingOf(const ChildResult &result, const std::string &program, double timeout) {
  char limit[32];
  std::snprintf(limit, sizeof limit, "%g", timeout);
  const std::string last = result.lastWord();
  if (result.timedOut)
    return {"timeout", program + " ran longer than --timeout " + limit + " s"};
  if (!result.started)
    return {"unavailable", program + " cannot be started; install it, or name it"};
  if (result.signal == SIGKILL)
    return {"oom", program + " was killed (signal 9), as the system does where memory runs out"};
  if (says(result.output, {"out of memory", "MemoryError", "bad_alloc", "OutOfMemory"}))
    return {"oom", last};
  if (result.signal)
    return {"crash", program + " ended by signal " + std::to_string(result.signal) + " (" +
                         strsignal(result.signal) + ")" + (last.empty() ? "" : ": " + last)};
  if (says(last, {"No module named"}))
    return {"unavailable", last + "; install torch, torch-geometric and safetensors with pip, or "
                                  "name another --python"};
  if (says(last, {"sees no CUDA device"}))
    return {"unavailable", last};
  if (result.exitCode)
    return {"error", last.empty() ? program + " ended with exit code " +
                                        std::to_string(result.exitCode) + " and said nothing"
                                  : last};
  return {"crash", program + " wrote no row" + (last.empty() ? "" : ", its last words: " + last)};
}

Json rowWithoutResult(const StudyOptions &options, const StudyCell &cell, const Ending &ending) {
  Row row;
  row.system = cell.system;
  row.model = cell.model;
  row.data = cell.data.label;
  row.mode = cell.mode;
  if (cell.dynamic != "-")
    row.dynamic = cell.dynamic;
  row.fixes = cell.fixes;
  row.device = options.target;
  row.status = ending.status;
  row.error = ending.error;
  Json json = Json::parse(toJson(row));
  json["nodes"] = json["edges"] = nullptr; // nobody read the graph
  return json;
}

Json studyRow(const StudyOptions &options, const StudyCell &cell, Json row,
              const std::string &started) {
  row["cell"] = cell.id;
  row["preset"] = options.preset.empty() ? Json(nullptr) : Json(options.preset);
  row["seed"] = options.seed;
  row["started"] = started;
  row["task"] = "node";
  row["hidden"] = options.hidden;
  row["num_layers"] = options.numLayers;
  row["heads"] = cell.model.starts_with("gat") ? Json(options.gatHeads) : Json(nullptr);
  if (!row.contains("graph_breaks"))
    row["graph_breaks"] = nullptr;
  row["break_even_runs"] = nullptr;
  // `auto` has a program for the first graph, and says so.
  row["dynamic"] = cell.dynamic == "-" ? Json(nullptr) : Json(cell.dynamic);
  row["data"] = cell.data.label;
  return row;
}

void fillFromSameInputs(Json &row, const std::vector<Json> &rows) {
  auto same = std::ranges::find_if(rows, [&](const Json &other) {
    return other.contains("env") && other["env"].is_object() && other["env"].contains("cpu") &&
           other.value("edge_list_hash", Json()) == row.value("edge_list_hash", Json(0)) &&
           other["data"] == row["data"] && other["seed"] == row["seed"];
  });
  if (same == rows.end())
    return;
  for (const char *name : {"commit", "data_checksum"})
    if (!row.contains(name) && same->contains(name))
      row[name] = (*same)[name];
  Json env = (*same)["env"];
  if (row["device"] != "cpu")
    env = Json::parse(withGpuState(env.dump()));
  env["date"] = nowUtc();
  if (row.contains("env") && row["env"].is_object())
    env.update(row["env"]); // its own versions
  row["env"] = std::move(env);
}

static double numberOf(const Json &row, const char *name) {
  auto found = row.find(name);
  return found != row.end() && found->is_number() ? found->get<double>() : 0;
}

static double medianOf(const Json &row) {
  auto latency = row.find("latency_ms");
  return latency != row.end() && latency->is_object() ? numberOf(*latency, "median") : 0;
}

void fillBreakEven(Json &row, const std::vector<Json> &rows) {
  const bool ours = row["system"] == "gnnc";
  if (!ours && row["system"] != "pyg-compile")
    return;
  double median = medianOf(row);
  for (const Json &other : rows) {
    bool beside = other["system"] == (ours ? "libtorch-eager" : "pyg-eager");
    for (const char *name : {"model", "data", "fixes", "device", "hidden", "num_layers", "heads"})
      beside &= other.contains(name) && other[name] == row[name];
    double saved = beside ? medianOf(other) - median : 0;
    if (median <= 0 || saved <= 0)
      continue;
    double spent = numberOf(row, "first_ms") - numberOf(row, "second_ms");
    if (ours)
      spent += numberOf(row, "compile_ms");
    row["break_even_runs"] = std::ceil(std::max(spent, 0.0) / saved);
  }
}

} // namespace gnnc::bench
