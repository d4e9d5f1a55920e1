//===- FileLock.h - A lock on a file that processes share -----------------===//
#ifndef GNNC_LIB_TUNE_FILELOCK_H
#define GNNC_LIB_TUNE_FILELOCK_H

#include <string>

namespace gnnc::tune {

/// Held while a file is read, changed and replaced. The kernel gives it back when the
/// process ends, however it ends.
class FileLock {
public:
  FileLock() = default;
  FileLock(const FileLock &) = delete;
  FileLock &operator=(const FileLock &) = delete;
  ~FileLock();

  /// Takes the lock `path`.lock, which is made if need be and stays. False with one
  /// line when another process has it for longer than `waitMs`.
  bool take(const std::string &path, int waitMs, std::string &error);

private:
  int descriptor = -1;
};

} // namespace gnnc::tune

#endif // GNNC_LIB_TUNE_FILELOCK_H
