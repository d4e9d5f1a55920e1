//===- GraphSource.cpp - A graph in whatever form it is on disk -----------===//
#include "benchmarks/data/GraphSource.h"

#include "benchmarks/data/Npz.h"
#include "benchmarks/data/OgbSet.h"
#include "benchmarks/data/Planetoid.h"
#include "benchmarks/data/TuSet.h"
#include "runtime/format/FileIO.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <zlib.h>

namespace fs = std::filesystem;

namespace gnnc::bench {
namespace {

constexpr const char *forms =
    "expected a graph file (.safetensors), Planetoid's ind.NAME.graph, a TU set's NAME_A.txt or "
    "its one file NAME.txt, OGB's edge.csv.gz or gnn-benchmark's NAME.npz";

/// What lies between `before` and `after` in `name`.
std::optional<std::string> between(const std::string &name, std::string_view before,
                                   std::string_view after) {
  if (name.size() <= before.size() + after.size() || !name.starts_with(before) ||
      !name.ends_with(after))
    return std::nullopt;
  return name.substr(before.size(), name.size() - before.size() - after.size());
}

/// A file's name without .gz.
std::string plainName(const fs::path &path) {
  std::string name = path.filename().string();
  return name.ends_with(".gz") ? name.substr(0, name.size() - 3) : name;
}

/// Reads the set that the file belongs to; nullopt where it is of no known form.
std::optional<GraphData> readByFile(const fs::path &path) {
  std::string name = plainName(path), folder = path.parent_path().string();
  if (folder.empty())
    folder = ".";
  if (name.ends_with(".safetensors"))
    return readGraph(path.string());
  if (auto set = between(name, "ind.", ".graph"))
    return readPlanetoid(folder, *set);
  if (auto set = between(name, "", ".npz"))
    return readNpz(path.string(), *set);
  if (name == "edge.csv")
    return readOgbSet(folder);
  if (name == "num-node-dict.csv")
    throw Failure(path.string() +
                  ": a set of several types of nodes; sets of one type are read here");
  if (auto set = between(name, "", "_A.txt"))
    return readTuSet(folder, *set);
  if (auto set = between(name, "", ".txt"))
    return readGraphText(path.string(), *set);
  return std::nullopt;
}

/// Endings by which a folder's set is found, the first of them that is there.
constexpr std::string_view endings[] = {".safetensors",      ".graph", ".npz", "edge.csv",
                                        "num-node-dict.csv", "_A.txt", ".txt"};

std::vector<fs::path> sortedEntries(const fs::path &folder) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    entries.push_back(at->path());
  if (error)
    throw Failure(folder.string() + ": cannot be listed: " + error.message());
  std::sort(entries.begin(), entries.end());
  return entries;
}

/// Lower case, '_' for '-': names of sets differ in these between packages.
std::string normalised(std::string name) {
  for (char &letter : name)
    letter =
        letter == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return name;
}

/// nullopt where the folder has no file of a known form. Of several sets the one with
/// the folder's name is meant; where there is none, all are refused.
std::optional<GraphData> readByFolder(const fs::path &folder) {
  std::vector<fs::path> entries = sortedEntries(folder);
  for (std::string_view ending : endings) {
    std::vector<fs::path> found;
    for (const fs::path &entry : entries)
      if (plainName(entry).ends_with(ending))
        found.push_back(entry);
    for (const fs::path &file : found)
      if (normalised(plainName(file)) ==
          normalised(folder.filename().string()) + std::string(ending))
        if (auto graph = readByFile(file))
          return graph;
    if (found.size() > 1)
      throw Failure(folder.string() + ": has " + found[0].filename().string() + " and " +
                    found[1].filename().string() + "; name one of them");
    if (found.size() == 1)
      if (auto graph = readByFile(found[0]))
        return graph;
  }
  return std::nullopt;
}

} // namespace

GraphData readAnyGraph(const std::string &path) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    fs::path root = path;
    if (!root.has_filename()) // it ends in '/'
      root = root.parent_path();
    for (const fs::path &folder : {root, root / "raw"})
      if (fs::is_directory(folder, error))
        if (auto graph = readByFolder(folder))
          return *std::move(graph);
    throw Failure(path + ": no graph in this folder or its folder raw; " + forms);
  }
  if (!fs::exists(path, error))
    throw Failure(path + ": no such file or folder");
  if (auto graph = readByFile(path))
    return *std::move(graph);
  throw Failure(path + ": not a form that is read here; " + forms +
                ", or convert it (gnn-graph convert)");
}

std::string findSet(const std::string &root, const std::string &name) {
  std::error_code error;
  if (!fs::is_directory(root, error))
    throw Failure("--data-root " + root + ": no such folder");
  const std::string wanted = normalised(name);
  const bool isOgb = wanted == "arxiv" || wanted == "products";
  for (const fs::path &entry : sortedEntries(root)) {
    std::string found = normalised(plainName(entry));
    if (!fs::is_directory(entry, error))
      for (std::string_view ending : endings)
        if (found.ends_with(ending))
          found.resize(found.size() - ending.size());
    if (found == wanted || (isOgb && found == "ogbn_" + wanted))
      return entry.string();
  }
  throw Failure("--data-root " + root + ": has no file or folder of set '" + name +
                "'; a name ending in -sized is a generated graph");
}

static std::string crcText(uLong sum) {
  char text[24];
  std::snprintf(text, sizeof text, "crc32:%08lx", sum & 0xffffffffUL);
  return text;
}

static uLong crcOf(uLong sum, const void *data, std::size_t bytes) {
  return bytes ? crc32_z(sum, static_cast<const Bytef *>(data), bytes) : sum;
}

std::string edgeListHash(const GraphData &graph) {
  return crcText(crcOf(crc32_z(0, nullptr, 0), graph.edgeIndex.data(),
                       graph.edgeIndex.size() * sizeof graph.edgeIndex[0]));
}

std::string fileHash(const std::string &path) {
  format::Bytes bytes;
  std::string error;
  if (!format::readFile(path, bytes, error))
    throw Failure(error);
  return crcText(crcOf(crc32_z(0, nullptr, 0), bytes.data, bytes.size));
}

std::string checksum(const GraphData &graph) {
  uLong sum = crc32_z(0, nullptr, 0);
  auto add = [&](const auto &values) {
    std::uint64_t count = values.size(); // so that no member's end is another's beginning
    sum = crcOf(crcOf(sum, &count, sizeof count), values.data(), count * sizeof values[0]);
  };
  add(std::vector<std::int64_t>{graph.numNodes, graph.numEdges, graph.numFeatures});
  add(graph.edgeIndex);
  add(graph.edgeWeight);
  add(graph.x);
  add(graph.y);
  add(graph.batch);
  add(graph.graphLabels);
  add(graph.trainMask);
  add(graph.valMask);
  add(graph.testMask);
  return crcText(sum);
}

} // namespace gnnc::bench
