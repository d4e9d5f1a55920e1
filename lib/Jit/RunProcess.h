//===- RunProcess.h - Another program, to its end -------------------------===//
#ifndef GNNC_LIB_JIT_RUNPROCESS_H
#define GNNC_LIB_JIT_RUNPROCESS_H

#include <string>
#include <vector>

namespace gnnc {

struct ProcessResult {
  int status = 0; ///< exit status; 128 + signal if it was killed
  double milliseconds = 0;
  std::string output; ///< standard output and error
};

/// Runs a program, which is looked for in PATH unless its name has a slash, to its end;
/// from any thread. False with one line if it cannot be started.
bool runProcess(const std::vector<std::string> &arguments, ProcessResult &result,
                std::string &error);

/// Empty after success, else one line: which program, its status and its last line.
std::string failureOf(const std::string &program, const ProcessResult &result);

} // namespace gnnc

#endif // GNNC_LIB_JIT_RUNPROCESS_H
