//===- TextFile.h - Numbers out of text files, line by line ---------------===//
//
// Input: a text file, plain or gzip-compressed (NAME.gz stands in for NAME). Output:
// its fields, separated by blanks or commas. Every error names file and line.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_DATA_TEXTFILE_H
#define GNNC_BENCHMARKS_DATA_TEXTFILE_H

#include "benchmarks/data/GraphData.h"
#include "runtime/format/FileIO.h"

#include <charconv>
#include <string_view>

namespace gnnc::bench {

/// `path`, or `path`.gz where only that exists; empty where neither does.
std::string plainOrPacked(const std::string &path);

class TextFile {
public:
  /// Throws Failure where neither `path` nor `path`.gz can be read.
  explicit TextFile(const std::string &path);

  /// Goes to the next line that is not blank; false at the end.
  bool nextLine();
  /// As nextLine; throws where the file ends, with what was expected there.
  void needLine(const std::string &expected);
  /// The next field; empty at the end of the line.
  std::string_view field();
  /// The next field as a number; throws where there is none.
  template <class T>
  T number(const char *what) {
    std::string_view text = field();
    T value{};
    auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || code != std::errc() || end != text.data() + text.size())
      fail(std::string(what) + " is '" + std::string(text.substr(0, 40)) + "', expected a number");
    return value;
  }
  /// A number in [first, end).
  std::int64_t idIn(const char *what, std::int64_t first, std::int64_t end);
  /// Throws where the line has more fields.
  void needEnd();
  bool atLineEnd();

  const std::string &path() const { return file; }
  std::int64_t line() const { return lineNumber; }
  [[noreturn]] void fail(const std::string &what) const;

private:
  std::string file;
  format::Bytes bytes;
  std::string_view rest, current;
  std::int64_t lineNumber = 0;
};

/// A file of one line a node, each of as many numbers as the first: row after row.
std::vector<float> readRows(const std::string &path, std::int64_t nodes);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_DATA_TEXTFILE_H
