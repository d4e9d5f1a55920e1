//===- FileIO.cpp - Whole-file reads and atomic writes --------------------===//
#include "runtime/format/FileIO.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

namespace gnnc::format {

Bytes Bytes::fromString(std::string text) {
  auto owner = std::make_shared<std::string>(std::move(text));
  Bytes bytes;
  bytes.data = reinterpret_cast<const std::byte *>(owner->data());
  bytes.size = owner->size();
  bytes.owner = std::move(owner);
  return bytes;
}

std::shared_ptr<std::byte> allocateBytes(std::size_t size) {
  constexpr std::size_t alignment = 64;
  if (size > SIZE_MAX - alignment)
    return nullptr;
  std::size_t rounded = (size + alignment) / alignment * alignment;
  void *memory = std::aligned_alloc(alignment, rounded);
  return std::shared_ptr<std::byte>(static_cast<std::byte *>(memory), std::free);
}

namespace {

struct Descriptor {
  int fd = -1;
  ~Descriptor() {
    if (fd >= 0)
      ::close(fd);
  }
};

bool fail(std::string &error, const std::string &path, const std::string &what) {
  error = path + ": " + what;
  return false;
}

bool failErrno(std::string &error, const std::string &path, const char *action) {
  return fail(error, path, std::string(action) + ": " + std::strerror(errno));
}

/// Unpacks a gzip stream (one or more members) of unknown size.
bool inflateGzip(const std::string &path, const Bytes &packed, Bytes &bytes, std::string &error) {
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK)
    return fail(error, path, "gzip: out of memory");
  std::size_t capacity = std::max<std::size_t>(packed.size * 8, 1 << 16), used = 0, consumed = 0;
  std::byte *memory = static_cast<std::byte *>(std::malloc(capacity));
  int code = Z_OK;
  while (memory) {
    if (used == capacity) {
      capacity *= 2;
      auto *grown = static_cast<std::byte *>(std::realloc(memory, capacity));
      if (!grown)
        break;
      memory = grown;
    }
    constexpr std::size_t limit = 1u << 30; // zlib counts in 32 bits
    std::size_t in = std::min(packed.size - consumed, limit);
    std::size_t out = std::min(capacity - used, limit);
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<std::byte *>(packed.data)) + consumed;
    stream.avail_in = static_cast<uInt>(in);
    stream.next_out = reinterpret_cast<Bytef *>(memory) + used;
    stream.avail_out = static_cast<uInt>(out);
    code = inflate(&stream, Z_NO_FLUSH);
    consumed += in - stream.avail_in;
    used += out - stream.avail_out;
    if (code == Z_STREAM_END) {
      if (consumed == packed.size)
        break;
      inflateReset(&stream); // a further member
      code = Z_OK;
      continue;
    }
    if (code != Z_OK)
      break;
  }
  inflateEnd(&stream);
  std::shared_ptr<std::byte> owner(memory, std::free);
  if (code == Z_STREAM_END) {
    bytes = {owner, owner.get(), used};
    return true;
  }
  if (code == Z_BUF_ERROR)
    return fail(error, path,
                "gzip data end early, after " + std::to_string(packed.size) + " bytes");
  if (code == Z_OK || code == Z_MEM_ERROR)
    return fail(error, path,
                "out of memory while unpacking, " + std::to_string(capacity) +
                    " bytes were needed");
  return fail(error, path, "gzip data are corrupt near byte " + std::to_string(consumed));
}

/// A descriptor that takes bytes plain or through gzip.
class Sink {
public:
  Sink(int fd, bool packed) : fd(fd) {
    if (packed) // "T": plain; level 6 is gzip's own default
      gz = gzdopen(::dup(fd), "wb6");
    isPacked = packed;
  }
  ~Sink() {
    if (gz)
      gzclose(gz);
  }
  bool write(const void *data, std::size_t size) {
    const char *next = static_cast<const char *>(data);
    while (size) {
      std::size_t part = std::min<std::size_t>(size, 1u << 30);
      ssize_t written = 0;
      if (isPacked)
        written = gz ? gzwrite(gz, next, static_cast<unsigned>(part)) : 0;
      else
        written = ::write(fd, next, part);
      if (written <= 0) {
        if (!isPacked && errno == EINTR)
          continue;
        return false;
      }
      next += written;
      size -= static_cast<std::size_t>(written);
    }
    return true;
  }
  bool finish() {
    if (!isPacked)
      return true;
    int code = gz ? gzclose(gz) : Z_ERRNO;
    gz = nullptr;
    return code == Z_OK;
  }

private:
  int fd;
  bool isPacked;
  gzFile gz = nullptr;
};

} // namespace

bool readFile(const std::string &path, Bytes &bytes, std::string &error) {
  Descriptor file;
  file.fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file.fd < 0)
    return failErrno(error, path, "cannot open");
  struct stat info;
  if (::fstat(file.fd, &info) != 0)
    return failErrno(error, path, "cannot read");
  if (S_ISDIR(info.st_mode))
    return fail(error, path, "is a folder, a file was expected");
  // A pipe or the like has no size: read until it ends.
  std::size_t capacity = S_ISREG(info.st_mode) ? static_cast<std::size_t>(info.st_size) : 1 << 16;
  bool growing = !S_ISREG(info.st_mode);
  std::shared_ptr<std::byte> owner = allocateBytes(capacity);
  std::size_t used = 0;
  while (owner) {
    if (used == capacity) {
      if (!growing)
        break;
      std::shared_ptr<std::byte> larger = allocateBytes(capacity * 2);
      if (larger)
        std::memcpy(larger.get(), owner.get(), used);
      owner = larger;
      capacity *= 2;
      continue;
    }
    ssize_t got =
        ::read(file.fd, owner.get() + used, std::min<std::size_t>(capacity - used, 1u << 30));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return failErrno(error, path, "cannot read");
    if (got == 0)
      break;
    used += static_cast<std::size_t>(got);
  }
  if (!owner)
    return fail(error, path, "out of memory, the file has " + std::to_string(capacity) + " bytes");
  bytes = {owner, owner.get(), used};
  if (used >= 2 && bytes.data[0] == std::byte{0x1f} && bytes.data[1] == std::byte{0x8b}) {
    Bytes packed = bytes;
    return inflateGzip(path, packed, bytes, error);
  }
  return true;
}

bool writeFile(const std::string &path, const Piece *pieces, std::size_t count,
               std::string &error) {
  // Not a regular file (/dev/stdout, a pipe): renaming onto it would replace it.
  struct stat info;
  bool exists = ::stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode))
    return fail(error, path, "cannot write: is a folder");
  bool direct = exists && !S_ISREG(info.st_mode);
  std::string temporary = direct ? path : path + ".tmpXXXXXX";
  Descriptor file;
  if (direct)
    file.fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  else
    file.fd = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (file.fd < 0)
    return failErrno(error, path, "cannot write");
  bool packed = path.size() > 3 && path.compare(path.size() - 3, 3, ".gz") == 0;
  bool written = true;
  {
    Sink sink(file.fd, packed);
    for (std::size_t i = 0; i < count && written; ++i)
      written = sink.write(pieces[i].data, pieces[i].size);
    written = written && sink.finish();
  }
  if (!direct && written) {
    // mkostemp makes the file private; give it the mode a plain open would.
    mode_t mask = ::umask(0);
    ::umask(mask);
    mode_t mode = exists ? (info.st_mode & 0777) : (0666 & ~mask);
    written = ::fchmod(file.fd, mode) == 0 && ::rename(temporary.c_str(), path.c_str()) == 0;
  }
  if (written)
    return true;
  failErrno(error, path, "cannot write");
  if (!direct)
    ::unlink(temporary.c_str());
  return false;
}

} // namespace gnnc::format
