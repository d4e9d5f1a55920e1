//===- CompileCache.cpp - Compiled programs in a folder -------------------===//
//
// An entry is a line with a digest of the rest, and the rest: plan, code and names as
// CBOR. The time of change of its file is when it was used last.
//
//===----------------------------------------------------------------------===//
#include "lib/Driver/CompileCache.h"

#include "lib/Driver/Sha256.h"
#include "lib/Tune/FileLock.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>

using namespace gnnc;
using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr const char *kSuffix = ".gnncc";
constexpr size_t kDigest = 65; ///< 64 letters and the end of the line
constexpr int kWaitMs = 50;    ///< for the counters; a count is not worth more

std::string toText(const std::string &key, const CacheEntry &entry) {
  Json code = Json::array();
  for (const format::Code &one : entry.code) {
    const auto *begin = reinterpret_cast<const std::uint8_t *>(one.bytes.data);
    code.push_back({{"name", one.name}, {"bytes", Json::binary({begin, begin + one.bytes.size})}});
  }
  Json json = {{"key", key},
               {"plan", format::toJson(entry.plan)},
               {"code", code},
               {"arguments", entry.weightArguments}};
  std::string body;
  Json::to_cbor(json, body);
  return sha256(body) + "\n" + body;
}

bool fromText(const std::string &key, std::string_view text, CacheEntry &entry) {
  if (text.size() < kDigest)
    return false;
  std::string_view body = text.substr(kDigest);
  if (text.substr(0, kDigest) != sha256(body) + "\n")
    return false;
  // The digest says that this is what toText wrote; all the same nothing here may throw.
  Json json = Json::from_cbor(body, /*strict=*/true, /*allow_exceptions=*/false);
  if (!json.is_object() || json.value("key", "") != key || !json.contains("plan") ||
      !json["plan"].is_string() || !json.contains("code") || !json["code"].is_array() ||
      !json.contains("arguments") || !json["arguments"].is_array())
    return false;
  std::string error;
  if (!format::fromJson(json["plan"].get<std::string>(), entry.plan, error))
    return false;
  for (const Json &one : json["code"]) {
    if (!one.is_object() || !one.contains("name") || !one["name"].is_string() ||
        !one.contains("bytes") || !one["bytes"].is_binary())
      return false;
    const Json::binary_t &bytes = one["bytes"].get_binary();
    entry.code.push_back({one["name"].get<std::string>(),
                          format::Bytes::fromString(std::string(bytes.begin(), bytes.end()))});
  }
  for (const Json &name : json["arguments"])
    if (name.is_string())
      entry.weightArguments.insert(name.get<std::string>());
  return true;
}

struct StoredFile {
  fs::file_time_type used;
  std::string path;
  std::uint64_t bytes;
  bool isEntry; ///< else: what a process that ended early left
};

/// The cache's own files; others in the folder are nobody's business.
std::vector<StoredFile> filesIn(const std::string &folder) {
  std::vector<StoredFile> files;
  std::error_code problem;
  for (fs::directory_iterator at(folder, problem), end; !problem && at != end;
       at.increment(problem)) {
    std::string name = at->path().filename().string();
    size_t suffix = name.find(kSuffix);
    std::error_code gone; // another process may have dropped it
    auto bytes = at->file_size(gone);
    auto used = gone ? fs::file_time_type{} : at->last_write_time(gone);
    if (!gone && suffix == 64)
      files.push_back({used, at->path().string(), bytes, name.size() == 64 + std::strlen(kSuffix)});
  }
  return files;
}

CacheCounters readCounters(const std::string &path) {
  CacheCounters counters;
  format::Bytes bytes;
  std::string error;
  if (!format::readFile(path, bytes, error))
    return counters;
  std::string text(reinterpret_cast<const char *>(bytes.data), bytes.size);
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  auto read = [&](const char *name, std::int64_t &value) {
    if (json.is_object() && json.contains(name) && json[name].is_number_integer())
      value = json[name].get<std::int64_t>();
  };
  read("hits", counters.hits);
  read("misses", counters.misses);
  read("evicted", counters.evicted);
  read("damaged", counters.damaged);
  return counters;
}

} // namespace

CompileCache::CompileCache(std::string folder, std::uint64_t maxBytes)
    : folder(std::move(folder)), maxBytes(maxBytes) {
  std::error_code problem;
  fs::create_directories(this->folder, problem);
  if (!fs::is_directory(this->folder))
    note(this->folder + ": cannot be made a folder for the cache" +
         (problem ? ": " + problem.message() : ""));
}

void CompileCache::note(const std::string &what) {
  if (trouble.empty())
    trouble = what;
}

std::string CompileCache::pathOf(const std::string &key) const {
  return (fs::path(folder) / (key + kSuffix)).string();
}

CompileCache::Found CompileCache::read(const std::string &key, CacheEntry &entry) {
  std::string path = pathOf(key), error;
  format::Bytes bytes;
  if (access(path.c_str(), F_OK) != 0 || !format::readFile(path, bytes, error))
    return Found::Nothing;
  CacheEntry found;
  if (!fromText(key, {reinterpret_cast<const char *>(bytes.data), bytes.size}, found))
    return Found::Damaged;
  entry = std::move(found);
  // A folder that cannot be written to is of use all the same.
  if (utimensat(AT_FDCWD, path.c_str(), nullptr, 0) == 0)
    count({1, 0, 0, 0});
  return Found::Entry;
}

bool CompileCache::peek(const std::string &key, CacheEntry &entry) {
  return read(key, entry) == Found::Entry;
}

bool CompileCache::find(const std::string &key, CacheEntry &entry) {
  Found found = read(key, entry);
  if (found == Found::Damaged) {
    note(pathOf(key) + ": was damaged and is made anew");
    unlink(pathOf(key).c_str());
  }
  if (found != Found::Entry)
    count({0, 1, 0, found == Found::Damaged});
  return found == Found::Entry;
}

void CompileCache::store(const std::string &key, const CacheEntry &entry) {
  std::string text = toText(key, entry), error;
  if (text.size() > maxBytes)
    return;
  format::Piece piece{text.data(), text.size()};
  if (!format::writeFile(pathOf(key), &piece, 1, error))
    return note(error);
  evict();
}

void CompileCache::evict() {
  std::vector<StoredFile> files = filesIn(folder);
  std::uint64_t total = 0;
  for (const StoredFile &file : files)
    total += file.bytes;
  std::sort(files.begin(), files.end(), [](const StoredFile &a, const StoredFile &b) {
    return std::tie(a.used, a.path) < std::tie(b.used, b.path);
  });
  auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
  std::int64_t dropped = 0;
  for (const StoredFile &file : files) {
    bool isLeft = !file.isEntry && file.used < old;
    if (!isLeft && (total <= maxBytes || !file.isEntry))
      continue;
    total -= file.bytes;
    if (unlink(file.path.c_str()) == 0 && file.isEntry)
      ++dropped;
  }
  if (dropped)
    count({0, 0, dropped, 0});
}

void CompileCache::count(const CacheCounters &more) {
  std::string path = (fs::path(folder) / "counters").string(), error;
  tune::FileLock lock;
  if (!lock.take(path, kWaitMs, error))
    return;
  CacheCounters all = readCounters(path);
  Json json = {{"hits", all.hits + more.hits},
               {"misses", all.misses + more.misses},
               {"evicted", all.evicted + more.evicted},
               {"damaged", all.damaged + more.damaged}};
  std::string text = json.dump() + "\n";
  format::Piece piece{text.data(), text.size()};
  (void)format::writeFile(path, &piece, 1, error); // store() says when nothing can be written
}

CacheCounters CompileCache::counters() const {
  return readCounters((fs::path(folder) / "counters").string());
}

std::uint64_t CompileCache::entries() const {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(filesIn(folder), [](const StoredFile &file) { return file.isEntry; }));
}

std::uint64_t CompileCache::bytes() const {
  std::uint64_t total = 0;
  for (const StoredFile &file : filesIn(folder))
    total += file.bytes;
  return total;
}
