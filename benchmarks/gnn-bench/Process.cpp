//===- Process.cpp - Other programs: find them, run them, time them -------===//
#include "benchmarks/gnn-bench/Process.h"

#include "benchmarks/data/GraphData.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gnnc::bench {

namespace fs = std::filesystem;

std::string programFolder() {
  std::error_code error;
  fs::path self = fs::read_symlink("/proc/self/exe", error);
  return error ? std::string(".") : self.parent_path().string();
}

std::string findBeside(const std::string &name, const std::vector<std::string> &folders) {
  for (const std::string &folder : folders) {
    if (folder.empty())
      continue;
    fs::path candidate = fs::path(programFolder()) / folder / name;
    std::error_code error;
    if (fs::exists(candidate, error))
      return candidate.lexically_normal().string();
  }
  return name;
}

ProcessResult runProcess(const std::vector<std::string> &arguments) {
  int ends[2];
  if (pipe(ends))
    throw Failure(std::string("cannot make a pipe: ") + std::strerror(errno));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  std::vector<char *> argv;
  argv.reserve(arguments.size() + 1);
  for (const std::string &argument : arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);

  auto start = std::chrono::steady_clock::now();
  pid_t child = 0;
  int code = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (code) {
    close(ends[0]);
    throw Failure("cannot start " + arguments[0] + ": " + std::strerror(code));
  }
  ProcessResult result;
  char block[4096];
  for (ssize_t got; (got = read(ends[0], block, sizeof block)) > 0;)
    result.output.append(block, static_cast<std::size_t>(got));
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

ProcessResult mustRun(const std::vector<std::string> &arguments) {
  ProcessResult result = runProcess(arguments);
  if (result.status == 0)
    return result;
  std::string text = result.output;
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  std::string line = text.substr(text.rfind('\n') + 1); // npos + 1 is 0
  throw Failure(fs::path(arguments[0]).filename().string() + " failed (exit " +
                std::to_string(result.status) + "): " + (line.empty() ? "no message" : line));
}

ScratchFolder::ScratchFolder() {
  path = (fs::temp_directory_path() / "gnn-bench-XXXXXX").string();
  if (!mkdtemp(path.data()))
    throw Failure(path + ": cannot make a temporary folder: " + std::strerror(errno));
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

} // namespace gnnc::bench
