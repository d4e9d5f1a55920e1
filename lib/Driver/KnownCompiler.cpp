//===- KnownCompiler.cpp - Which compiler it is, without starting it ------===//
//
// A line with the identity, then one for each file of the process (programIdentity).
//
//===----------------------------------------------------------------------===//
#include "lib/Driver/KnownCompiler.h"

#include "lib/Driver/CacheKey.h"
#include "runtime/format/FileIO.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace gnnc;

/// One file for each program and for what its loader is told.
static std::string placeOf(const std::string &folder, const std::string &program) {
  CacheParts parts = {{"program", program}};
  for (const char *variable : {"LD_LIBRARY_PATH", "LD_PRELOAD", "LD_AUDIT"}) {
    const char *value = std::getenv(variable);
    parts.push_back({variable, value ? value : ""});
  }
  return (std::filesystem::path(folder) / (cacheKey(parts) + ".compiler")).string();
}

static std::string readAll(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return file ? text.str() : std::string();
}

void gnnc::rememberCompiler(const std::string &folder, const std::string &identity) {
  std::string text = identity + "\n";
  std::vector<LoadedFile> files = loadedFiles();
  for (const LoadedFile &file : files)
    text += programIdentity(file.path) + "\n";
  text += "end\n";
  std::string place = placeOf(folder, files.front().path), error;
  if (text == readAll(place))
    return;
  format::Piece piece{text.data(), text.size()};
  (void)format::writeFile(place, &piece, 1, error); // it is asked again, which takes longer
}

std::string gnnc::recallCompiler(const std::string &folder, const std::string &program) {
  std::istringstream lines(readAll(placeOf(folder, program)));
  std::string identity, line;
  if (!std::getline(lines, identity))
    return {};
  while (std::getline(lines, line)) {
    if (line == "end")
      return identity;
    // The path is what stands before size and time.
    size_t end = line.rfind(' ');
    end = end == std::string::npos || end == 0 ? std::string::npos : line.rfind(' ', end - 1);
    if (end == std::string::npos || programIdentity(line.substr(0, end)) != line)
      return {};
  }
  return {};
}
