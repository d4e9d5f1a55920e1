//===- RunProcess.cpp - Another program, to its end -----------------------===//
#include "lib/Jit/RunProcess.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

bool gnnc::runProcess(const std::vector<std::string> &arguments, ProcessResult &result,
                      std::string &error) {
  int ends[2];
  // A process that another thread starts meanwhile must not keep the end that is written to.
  if (pipe2(ends, O_CLOEXEC)) {
    error = std::string("cannot make a pipe: ") + std::strerror(errno);
    return false;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
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
    error = "cannot start " + arguments[0] + ": " + std::strerror(code);
    return false;
  }
  result = {};
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
  return true;
}

std::string gnnc::failureOf(const std::string &program, const ProcessResult &result) {
  if (result.status == 0)
    return "";
  std::string text = result.output;
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  std::string line = text.substr(text.rfind('\n') + 1); // npos + 1 is 0
  return program.substr(program.rfind('/') + 1) + " failed (exit " + std::to_string(result.status) +
         "): " + (line.empty() ? "no message" : line);
}
