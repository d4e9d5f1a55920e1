//===- FileIO.h - Whole-file reads and atomic writes ----------------------===//
//
// Input: a path. Output: the file's bytes, or a file that is either complete or
// not there at all. Every file gnnc reads or writes goes through here, so that
// all of them report errors alike and none leaves a half-written file behind.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_FORMAT_FILEIO_H
#define GNNC_RUNTIME_FORMAT_FILEIO_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace gnnc::format {

/// Bytes and what keeps them alive. Copies share the bytes.
struct Bytes {
  std::shared_ptr<const void> owner;
  const std::byte *data = nullptr;
  std::size_t size = 0;

  /// Takes the text over.
  static Bytes fromString(std::string text);
};

/// Allocates `size` uninitialised bytes (64-byte aligned); null if there is not
/// that much memory.
std::shared_ptr<std::byte> allocateBytes(std::size_t size);

/// Reads a whole file; unpacks it when it is gzip-compressed (whatever its
/// name). On failure returns false and sets `error` to one line with the path.
bool readFile(const std::string &path, Bytes &bytes, std::string &error);

/// One piece of a file to be written.
struct Piece {
  const void *data;
  std::size_t size;
};

/// Writes the pieces one after the other to a temporary file in the same folder
/// and renames it to `path`; gzip-compressed if `path` ends in .gz. On failure
/// returns false, sets `error`, and leaves what was at `path` untouched.
bool writeFile(const std::string &path, const Piece *pieces, std::size_t count, std::string &error);

} // namespace gnnc::format

#endif // GNNC_RUNTIME_FORMAT_FILEIO_H
