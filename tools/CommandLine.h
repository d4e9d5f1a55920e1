//===- CommandLine.h - Command lines that all tools read alike ------------===//
//
// Input: a CLI11 application and its arguments. Output: parsed, or the exit code
// to leave with: 0 after --help and --version, 2 with one line on stderr after
// wrong usage. An unknown flag is named even when something required is missing.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_TOOLS_COMMANDLINE_H
#define GNNC_TOOLS_COMMANDLINE_H

#include <CLI/CLI.hpp>
#include <cstdio>
#include <optional>
#include <string>

namespace gnnc::tools {

inline std::optional<int> parseCommandLine(CLI::App &app, int argc, char **argv) {
  const std::string name = app.get_name();
  app.set_version_flag("--version", name + " (gnnc) " GNNC_VERSION);
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::ParseError &error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success))
      return app.exit(error);
    std::string what = error.what();
    for (const std::string &word : app.remaining(/*recurse=*/true))
      if (word.size() > 1 && word.front() == '-') {
        what = "unknown flag '" + word + "'";
        break;
      }
    std::fprintf(stderr, "%s: %s; see %s --help\n", name.c_str(), what.c_str(), name.c_str());
    return 2;
  }
}

} // namespace gnnc::tools

#endif // GNNC_TOOLS_COMMANDLINE_H
