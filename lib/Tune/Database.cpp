//===- Database.cpp - What tuning found, in a file that processes share ---===//
#include "lib/Tune/Database.h"

#include "lib/Tune/FileLock.h"
#include "runtime/format/FileIO.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

using namespace gnnc;
using namespace gnnc::tune;
using Json = nlohmann::ordered_json;

namespace {

constexpr const char *kFormat = "gnnc tuning database";
constexpr int kVersion = 1;
constexpr int kWaitMs = 10000; ///< for another process to give the lock back

/// Renames a file that is no database; `place` is its new name.
bool moveAside(const std::string &path, std::string &place, std::string &error) {
  for (int i = 1;; ++i) {
    place = path + ".bad-" + std::to_string(i);
    std::error_code problem;
    if (std::filesystem::exists(place, problem))
      continue;
    std::filesystem::rename(path, place, problem);
    if (problem)
      error = path + ": cannot be moved to " + place + ": " + problem.message();
    return !problem;
  }
}

/// Moving a file aside takes the lock: `isLocked` says that the caller has it.
bool load(const std::string &path, Database &database, std::string &warning, std::string &error,
          bool isLocked) {
  database = {};
  std::error_code problem;
  auto status = std::filesystem::status(path, problem);
  if (status.type() == std::filesystem::file_type::not_found)
    return true;
  if (status.type() != std::filesystem::file_type::regular) {
    error = path + ": is no file; --tuning-db names the file to keep results in";
    return false;
  }
  format::Bytes bytes;
  if (!format::readFile(path, bytes, error))
    return false;
  std::string reason, place;
  if (Database::fromJson({reinterpret_cast<const char *>(bytes.data), bytes.size}, database,
                         reason))
    return true;
  database = {};
  if (!isLocked) { // what was read may be replaced by now
    FileLock lock;
    return lock.take(path, kWaitMs, error) && load(path, database, warning, error, true);
  }
  if (!moveAside(path, place, error))
    return false;
  warning =
      path + ": is no tuning database (" + reason + "); kept as " + place + ", a new one is begun";
  return true;
}

/// A member of `object` as T, or a message that names it.
template <class T>
bool read(const Json &object, const char *name, T &out, std::string &error) {
  auto found = object.find(name);
  bool fits = found != object.end();
  if constexpr (std::is_same_v<T, std::string>)
    fits = fits && found->is_string();
  else if constexpr (std::is_same_v<T, double>)
    fits = fits && found->is_number();
  else
    fits = fits && found->is_number_integer();
  if (!fits) {
    error = std::string("'") + name + "' is missing or of another type";
    return false;
  }
  out = found->get<T>();
  return true;
}

bool readEntry(const Json &json, Entry &entry, std::string &error) {
  if (!json.is_object()) {
    error = "it is no object";
    return false;
  }
  GraphShape &shape = entry.shape;
  if (!read(json, "key", entry.key, error) || !read(json, "about", entry.about, error) ||
      !read(json, "device", entry.device, error) || !read(json, "choice", entry.choice, error) ||
      !read(json, "us", entry.us, error) || !read(json, "default_us", entry.defaultUs, error) ||
      !read(json, "best_us", entry.bestUs, error) ||
      !read(json, "candidates", entry.candidates, error) ||
      !read(json, "compiler", entry.compiler, error) ||
      !read(json, "dst_nodes", shape.dst, error) || !read(json, "src_nodes", shape.src, error) ||
      !read(json, "edges", shape.edges, error) || !read(json, "longest", shape.longest, error))
    return false;
  auto histogram = json.find("histogram");
  bool isList = histogram != json.end() && histogram->is_array() && histogram->size() <= 64 &&
                std::ranges::all_of(*histogram, [](const Json &count) {
                  return count.is_number_integer() && count.get<std::int64_t>() >= 0;
                });
  if (!isList || shape.dst < 0 || shape.src < 0 || shape.edges < 0 || shape.longest < 0) {
    error = "'histogram' is a list of at most 64 counts, counts are not negative";
    return false;
  }
  shape.histogram = histogram->get<std::vector<std::int64_t>>();
  return true;
}

} // namespace

bool Database::open(const std::string &path, Database &database, std::string &warning,
                    std::string &error) {
  return load(path, database, warning, error, /*isLocked=*/false);
}

const Entry *Database::find(const std::string &key, const GraphShape &shape) const {
  for (const Entry &entry : entries)
    if (entry.key == key && entry.shape == shape)
      return &entry;
  return nullptr;
}

const Entry *Database::findNear(const std::string &key, const GraphShape &shape) const {
  const Entry *nearest = nullptr;
  double least = kNear;
  for (const Entry &entry : entries) {
    if (entry.key != key)
      continue;
    if (double far = distance(entry.shape, shape); far < least) {
      least = far;
      nearest = &entry;
    }
  }
  return nearest;
}

void Database::add(Entry entry) {
  for (Entry &known : entries)
    if (known.key == entry.key && known.shape == entry.shape) {
      known = std::move(entry);
      return;
    }
  entries.push_back(std::move(entry));
}

bool Database::save(const std::string &path, const std::vector<Entry> &entries,
                    std::string &warning, std::string &error, int waitMs) {
  FileLock lock;
  Database database;
  if (!lock.take(path, waitMs, error) || !load(path, database, warning, error, /*isLocked=*/true))
    return false;
  for (const Entry &entry : entries)
    database.add(entry);
  std::string text = database.toJson();
  format::Piece piece{text.data(), text.size()};
  return format::writeFile(path, &piece, 1, error);
}

std::string Database::toJson() const {
  Json list = Json::array();
  auto rounded = [](double us) { return std::round(us * 1000) / 1000; };
  for (const Entry &entry : entries)
    list.push_back({{"key", entry.key},
                    {"about", entry.about},
                    {"device", entry.device},
                    {"choice", entry.choice},
                    {"us", rounded(entry.us)},
                    {"default_us", rounded(entry.defaultUs)},
                    {"best_us", rounded(entry.bestUs)},
                    {"candidates", entry.candidates},
                    {"compiler", entry.compiler},
                    {"dst_nodes", entry.shape.dst},
                    {"src_nodes", entry.shape.src},
                    {"edges", entry.shape.edges},
                    {"longest", entry.shape.longest},
                    {"histogram", entry.shape.histogram}});
  Json json = {{"format", kFormat}, {"version", kVersion}, {"entries", list}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool Database::fromJson(const std::string &text, Database &database, std::string &error) {
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded() || !json.is_object()) {
    error = "it is no JSON object";
    return false;
  }
  std::string format;
  int version = 0;
  if (!read(json, "format", format, error) || !read(json, "version", version, error))
    return false;
  if (format != kFormat || version != kVersion) {
    error = "format '" + format + "' version " + std::to_string(version) + ", expected '" +
            kFormat + "' version " + std::to_string(kVersion);
    return false;
  }
  auto list = json.find("entries");
  if (list == json.end() || !list->is_array()) {
    error = "'entries' is missing or no list";
    return false;
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    Entry entry;
    if (!readEntry((*list)[i], entry, error)) {
      error = "entries[" + std::to_string(i) + "]: " + error;
      return false;
    }
    database.add(std::move(entry));
  }
  return true;
}
