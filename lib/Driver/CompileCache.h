//===- CompileCache.h - Compiled programs in a folder ---------------------===//
//
// In:  a key. Out: plan and code of an earlier compilation, or nothing. Weights are no
// part of it: they are read and checked each time.
//
// Processes share a folder without waiting for each other: an entry is a file that is
// renamed into place and never changed. A cache never makes a compilation fail.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_DRIVER_COMPILECACHE_H
#define GNNC_LIB_DRIVER_COMPILECACHE_H

#include "runtime/format/Artifact.h"

#include <cstdint>
#include <set>

namespace gnnc {

/// What a compilation makes of a program without its weights.
struct CacheEntry {
  format::Plan plan;
  std::vector<format::Code> code;
  std::set<std::string> weightArguments; ///< names in the program as written
};

/// Of a folder, by all processes since it was made.
struct CacheCounters {
  std::int64_t hits = 0, misses = 0, evicted = 0, damaged = 0;
};

class CompileCache {
public:
  /// Makes the folder if need be. Entries of more than `maxBytes` in all are dropped, the
  /// one used longest ago first.
  CompileCache(std::string folder, std::uint64_t maxBytes);

  /// Counts a hit or a miss. A damaged entry is removed, and is a miss.
  bool find(const std::string &key, CacheEntry &entry);
  /// As find(), but leaves a miss and what it means to a find() that follows.
  bool peek(const std::string &key, CacheEntry &entry);
  void store(const std::string &key, const CacheEntry &entry);

  CacheCounters counters() const;
  std::uint64_t entries() const;
  std::uint64_t bytes() const;
  /// One line about what went wrong; empty when nothing did.
  const std::string &problem() const { return trouble; }

private:
  enum class Found { Nothing, Damaged, Entry };
  Found read(const std::string &key, CacheEntry &entry);
  std::string pathOf(const std::string &key) const;
  void count(const CacheCounters &more);
  void evict();
  void note(const std::string &what);

  std::string folder, trouble;
  std::uint64_t maxBytes;
};

} // namespace gnnc

#endif // GNNC_LIB_DRIVER_COMPILECACHE_H
