//===- TextFile.cpp - Numbers out of text files, line by line -------------===//
#include "benchmarks/data/TextFile.h"

#include <filesystem>

namespace gnnc::bench {

static constexpr std::string_view separators = " \t\r,";

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
  return current.find_first_not_of(separators) == std::string_view::npos;
}

std::string_view TextFile::field() {
  std::size_t begin = current.find_first_not_of(separators);
  current.remove_prefix(std::min(begin, current.size()));
  std::string_view found = current.substr(0, current.find_first_of(separators));
  current.remove_prefix(found.size());
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

} // namespace gnnc::bench
