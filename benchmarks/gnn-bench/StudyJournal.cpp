//===- StudyJournal.cpp - Rows that survive what happens to the program ---===//
#include "benchmarks/gnn-bench/StudyJournal.h"

#include "benchmarks/data/GraphData.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gnnc::bench {

StudyJournal::StudyJournal(const std::string &path, bool resume) : path(path) {
  file = open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0)
    throw Failure(path + ": cannot be written: " + std::strerror(errno));
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  if (fcntl(file, F_SETLK, &lock) && (errno == EACCES || errno == EAGAIN))
    throw Failure(path + ": another gnn-bench study writes it");
  struct stat about = {};
  if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0) {
    if (!resume)
      throw Failure(path + ": has rows; --resume goes on behind them, or name another file");
    readRows();
  }
}

StudyJournal::~StudyJournal() {
  if (file >= 0)
    close(file);
}

void StudyJournal::readRows() {
  std::string text;
  char block[1 << 16];
  for (ssize_t got; (got = read(file, block, sizeof block)) > 0;)
    text.append(block, static_cast<std::size_t>(got));
  std::size_t line = 1;
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    std::size_t end = text.find('\n', begin);
    bool cut = end == std::string::npos;
    Json row = Json::parse(text.substr(begin, cut ? end : end - begin), nullptr, false);
    bool isRow = row.is_object() && row.contains("cell") && row["cell"].is_string();
    if (cut) { // the row in flight when the run was killed
      if (ftruncate(file, static_cast<off_t>(begin)))
        throw Failure(path + ": cannot be written: " + std::strerror(errno));
      break;
    }
    if (!isRow)
      throw Failure(path + ":" + std::to_string(line) +
                    ": is no row of a study (JSON with 'cell'); remove the line, or name another "
                    "file");
    known.push_back(std::move(row));
    begin = end + 1;
  }
}

bool StudyJournal::has(const std::string &cell) const {
  return std::ranges::any_of(known, [&](const Json &row) { return row["cell"] == cell; });
}

void StudyJournal::add(Json row) {
  std::string line = row.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  struct stat before = {};
  fstat(file, &before);
  std::size_t written = 0;
  while (written < line.size()) {
    ssize_t now = write(file, line.data() + written, line.size() - written);
    if (now < 0 && errno == EINTR)
      continue;
    if (now <= 0)
      break;
    written += static_cast<std::size_t>(now);
  }
  bool isDone = written == line.size() && (fsync(file) == 0 || errno == EINVAL);
  if (!isDone) {
    std::string why = std::strerror(errno);
    if (S_ISREG(before.st_mode) && ftruncate(file, before.st_size))
      why += ", and half a row is left at its end";
    throw Failure(path + ": cannot be written: " + why +
                  "; make room and run again with --resume: " + std::to_string(known.size()) +
                  " rows are kept");
  }
  known.push_back(std::move(row));
}

} // namespace gnnc::bench
