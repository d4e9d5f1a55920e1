//===- Database.h - What tuning found, in a file that processes share -----===//
//
// JSON; docs/tuning.md describes it. A reader sees a whole file or none: writing makes
// a new file and renames it. Writers hold a lock (FILE.lock) from reading to renaming,
// so none loses what another added. A file that is no database is moved aside, never
// overwritten.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_TUNE_DATABASE_H
#define GNNC_LIB_TUNE_DATABASE_H

#include "lib/Tune/GraphShape.h"

#include <optional>
#include <string>
#include <vector>

namespace gnnc::tune {

/// What was measured best for one thing to be tuned on one graph.
struct Entry {
  std::string key;    ///< of a kernel's or program's signature, target and chip
  std::string about;  ///< for people: "aggregate sum, rows of 256 x f32"
  std::string device; ///< that measured it: "NVIDIA H200"
  GraphShape shape;
  std::string choice;          ///< the schedule as IR prints it, or an alternative's name
  double us = 0;               ///< with the choice
  double defaultUs = 0;        ///< with what is chosen when nothing is measured
  double bestUs = 0;           ///< the least of all measured again, even within noise
  std::int64_t candidates = 0; ///< measured
  std::string compiler;        ///< version of gnnc
};

class Database {
public:
  /// Reads `path`; a file that is not there is an empty database. A file that is none (cut
  /// off, not JSON, of another format or version) is renamed to PATH.bad-N and the
  /// database is empty; `warning` then says so in one line. False with `error` when the
  /// file cannot be read or moved.
  static bool open(const std::string &path, Database &database, std::string &warning,
                   std::string &error);

  /// The entry of just this key and shape; null if there is none.
  const Entry *find(const std::string &key, const GraphShape &shape) const;
  /// The entry of this key with the nearest shape that is nearer than kNear.
  const Entry *findNear(const std::string &key, const GraphShape &shape) const;

  /// Puts entries in place of those of the same key and shape, in memory.
  void add(Entry entry);
  /// Adds `entries` to what the file holds now, under its lock, and replaces the file.
  /// Waits up to `waitMs` for another process that holds it.
  static bool save(const std::string &path, const std::vector<Entry> &entries, std::string &warning,
                   std::string &error, int waitMs = 10000);

  const std::vector<Entry> &all() const { return entries; }

  std::string toJson() const;
  /// False with one line in `error` that says what was found where.
  static bool fromJson(const std::string &text, Database &database, std::string &error);

private:
  std::vector<Entry> entries;
};

} // namespace gnnc::tune

#endif // GNNC_LIB_TUNE_DATABASE_H
