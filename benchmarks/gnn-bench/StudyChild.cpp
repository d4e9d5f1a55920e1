//===- StudyChild.cpp - A program that may hang, crash or fill memory -----===//
#include "benchmarks/gnn-bench/StudyChild.h"

#include "benchmarks/data/GraphData.h"

#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gnnc::bench {
namespace {

constexpr std::size_t keptOutput = 1 << 16;
constexpr int notStarted = 127;

volatile std::sig_atomic_t signalled = 0;

/// A process that outlives this one for a moment, to kill the group that it was told of
/// last: a parent's death reaches children by prctl, but not their children.
class Watcher {
public:
  static Watcher &get() {
    static Watcher watcher;
    return watcher;
  }

  /// 0: none.
  void watch(pid_t group) const {
    ssize_t written = write(toWatcher, &group, sizeof group);
    static_cast<void>(written); // without a watcher only children of children are left
  }

private:
  Watcher() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
      throw Failure(std::string("cannot make a pipe: ") + std::strerror(errno));
    pid_t process = fork();
    if (process == 0) {
      setsid(); // what ends this program from a terminal is not for the watcher
      close(ends[1]);
      // Whoever waits for the end of this program's output is not to wait for the watcher.
      close(0);
      close(1);
      close(2);
      pid_t group = 0;
      for (pid_t told; read(ends[0], &told, sizeof told) == sizeof told;)
        group = told;
      if (group > 0)
        kill(-group, SIGKILL);
      _exit(0);
    }
    close(ends[0]);
    toWatcher = ends[1];
    signal(SIGPIPE, SIG_IGN);
  }

  int toWatcher = -1;
};

/// Between fork and exec: only what is safe there.
[[noreturn]] void become(char **command, int output) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (int number : {SIGPIPE, SIGINT, SIGTERM, SIGHUP})
    signal(number, SIG_DFL);
  if (int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC); file >= 0) {
    ssize_t written = write(file, "1000", 4);
    static_cast<void>(written);
  }
  int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, 0);
  dup2(output, 1);
  dup2(output, 2);
  execvp(command[0], command);
  _exit(notStarted);
}

void keep(std::string &output, const char *block, ssize_t size) {
  output.append(block, static_cast<std::size_t>(size));
  if (output.size() > 2 * keptOutput)
    output.erase(0, output.size() - keptOutput);
}

} // namespace

std::string ChildResult::lastWord() const {
  std::size_t end = output.find_last_not_of(" \t\r\n");
  if (end == std::string::npos)
    return "";
  std::size_t begin = output.rfind('\n', end);
  begin = begin == std::string::npos ? 0 : begin + 1;
  std::string line = output.substr(begin, end + 1 - begin);
  return line.substr(0, 500);
}

void catchSignals() {
  for (int number : {SIGINT, SIGTERM, SIGHUP})
    signal(number, [](int) { signalled = 1; });
}

ChildResult runChild(const std::vector<std::string> &command, double seconds) {
  Watcher &watcher = Watcher::get();
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK))
    throw Failure(std::string("cannot make a pipe: ") + std::strerror(errno));
  std::vector<char *> argv;
  argv.reserve(command.size() + 1);
  for (const std::string &argument : command)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);

  auto start = std::chrono::steady_clock::now();
  auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  pid_t child = fork();
  if (child == 0)
    become(argv.data(), ends[1]);
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    throw Failure(std::string("cannot start a process: ") + std::strerror(errno));
  }
  setpgid(child, child); // whoever of the two is first
  watcher.watch(child);

  ChildResult result;
  auto readAll = [&] {
    char block[4096];
    for (ssize_t got; (got = read(ends[0], block, sizeof block)) > 0;)
      keep(result.output, block, got);
  };
  int status = 0;
  for (bool running = true; running;) {
    pollfd ready = {ends[0], POLLIN, 0};
    poll(&ready, 1, /*milliseconds=*/20);
    readAll();
    if (ready.revents & POLLHUP)
      usleep(1000); // its output is closed, and poll no longer waits
    if (waitpid(child, &status, WNOHANG) == child) {
      running = false;
    } else if (signalled || elapsed() > seconds) {
      result.timedOut = true;
      kill(-child, SIGKILL);
      waitpid(child, &status, 0);
      running = false;
    }
  }
  kill(-child, SIGKILL); // what it left behind
  watcher.watch(0);
  readAll();
  close(ends[0]);
  if (signalled)
    throw Interrupted();
  result.seconds = elapsed();
  result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  result.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  result.started = result.exitCode != notStarted || !result.output.empty();
  return result;
}

} // namespace gnnc::bench
