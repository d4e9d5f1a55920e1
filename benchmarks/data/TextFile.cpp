//===- TextFile.cpp - Numbers out of text files, line by line -------------===//
#include "benchmarks/data/TextFile.h"

#include <filesystem>

namespace gnnc::bench {

/// Inline, for features of large sets are gigabytes of text.
static bool separates(char letter) {
  return letter == ' ' || letter == '\t' || letter == '\r' || letter == ',';
}

std::string plainOrPacked(const std::string &path) {
  std::error_code error;
  for (const std::string &candidate : {path, path + ".gz"})
    if (std::filesystem::is_regular_file(candidate, error))
      return candidate;
  return "";
}

TextFile::TextFile(const std::string &path) : file(plainOrPacked(path)) {
  if (file.empty())
    throw Failure(path + ": no such file, and no " + path + ".gz");
  std::string error;
  if (!format::readFile(file, bytes, error))
    throw Failure(error);
  rest = {reinterpret_cast<const char *>(bytes.data), bytes.size};
}

bool TextFile::nextLine() {
  while (!rest.empty()) {
    std::size_t end = rest.find('\n');
    current = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    ++lineNumber;
    if (!atLineEnd())
      return true;
  }
  return false;
}

void TextFile::needLine(const std::string &expected) {
  if (!nextLine())
    throw Failure(file + ": ends after line " + std::to_string(lineNumber) + ", expected " +
                  expected);
}

bool TextFile::atLineEnd() {
  std::size_t begin = 0;
  while (begin < current.size() && separates(current[begin]))
    ++begin;
  current.remove_prefix(begin);
  return current.empty();
}

std::string_view TextFile::field() {
  if (atLineEnd())
    return {};
  std::size_t size = 0;
  while (size < current.size() && !separates(current[size]))
    ++size;
  std::string_view found = current.substr(0, size);
  current.remove_prefix(size);
  return found;
}

std::int64_t TextFile::idIn(const char *what, std::int64_t first, std::int64_t end) {
  auto id = number<std::int64_t>(what);
  if (id < first || id >= end)
    fail(std::string(what) + " is " + std::to_string(id) + ", not in [" + std::to_string(first) +
         ", " + std::to_string(end) + ")");
  return id;
}

void TextFile::needEnd() {
  if (std::string_view more = field(); !more.empty())
    fail("found '" + std::string(more.substr(0, 40)) + "', expected the end of the line");
}

void TextFile::fail(const std::string &what) const {
  throw Failure(file + ":" + std::to_string(lineNumber) + ": " + what);
}

std::vector<float> readRows(const std::string &path, std::int64_t nodes) {
  TextFile text(path);
  std::vector<float> rows;
  std::size_t width = 0;
  for (std::int64_t node = 0; node < nodes; ++node) {
    text.needLine("numbers of " + std::to_string(nodes) + " nodes");
    std::size_t before = rows.size();
    while (!text.atLineEnd())
      rows.push_back(text.number<float>("a number of the node"));
    std::size_t found = rows.size() - before;
    width = node == 0 ? found : width;
    if (found != width)
      text.fail("has " + std::to_string(found) + " numbers, the first line has " +
                std::to_string(width));
  }
  if (text.nextLine())
    text.fail("numbers of more than " + std::to_string(nodes) + " nodes");
  return rows;
}

} // namespace gnnc::bench
