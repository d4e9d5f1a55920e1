//===- CommandLine.h - Command lines that all tools read alike ------------===//
//
// Input: a CLI11 application and its arguments. Output: parsed, or the exit code
// to leave with: 0 after --help and --version, 2 with one line on stderr after
// wrong usage. An unknown flag is named even when something required is missing.
// Files that a tool writes must be neither each other nor what it reads.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_TOOLS_COMMANDLINE_H
#define GNNC_TOOLS_COMMANDLINE_H

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

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

/// Whether two paths name one file, which need not exist. Devices may be named twice.
inline bool isSameFile(const std::string &a, const std::string &b) {
  namespace fs = std::filesystem;
  if (a.empty() || b.empty() || a == "-" || b == "-")
    return false;
  std::error_code error;
  if (fs::exists(a, error) && fs::exists(b, error))
    return fs::is_regular_file(a, error) && fs::equivalent(a, b, error);
  return fs::absolute(a, error).lexically_normal() == fs::absolute(b, error).lexically_normal();
}

/// The exit code to leave with when a file of `written` would replace one of
/// `read` or another of `written`. Empty paths are none.
inline std::optional<int> refuseOverwriting(const char *tool, const std::vector<std::string> &read,
                                            const std::vector<std::string> &written) {
  auto refuse = [&](const std::string &path, const char *what) {
    std::fprintf(stderr, "%s: %s: %s; name another file to write\n", tool, path.c_str(), what);
    return 2;
  };
  for (std::size_t i = 0; i < written.size(); ++i) {
    for (const std::string &path : read)
      if (isSameFile(written[i], path))
        return refuse(written[i], "is read too and would be lost");
    for (std::size_t j = 0; j < i; ++j)
      if (isSameFile(written[i], written[j]))
        return refuse(written[i], "would be written twice");
  }
  return std::nullopt;
}

} // namespace gnnc::tools

#endif // GNNC_TOOLS_COMMANDLINE_H
