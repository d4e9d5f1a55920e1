//===- FileLock.cpp - A lock on a file that processes share ---------------===//
#include "lib/Tune/FileLock.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

using namespace gnnc::tune;

FileLock::~FileLock() {
  if (descriptor >= 0)
    close(descriptor);
}

bool FileLock::take(const std::string &path, int waitMs, std::string &error) {
  std::string name = path + ".lock";
  descriptor = ::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    error = name + ": cannot be opened: " + std::strerror(errno);
    return false;
  }
  auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(waitMs);
  while (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) {
      error = name + ": cannot be locked: " + std::strerror(errno);
      return false;
    }
    if (std::chrono::steady_clock::now() > until) {
      error = path + ": another process has held " + name + " for " + std::to_string(waitMs) +
              " ms; try again when it is done";
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}
