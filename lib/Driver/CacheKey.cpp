//===- CacheKey.cpp - What a compilation depends on, as one name ----------===//
#include "lib/Driver/CacheKey.h"

#include "lib/Driver/Sha256.h"

#include <cstring>
#include <elf.h>
#include <filesystem>
#include <link.h>
#include <sys/stat.h>

using namespace gnnc;

std::string gnnc::cacheKey(const CacheParts &parts) {
  std::string text;
  // With its length, no part can pass for the end of another.
  for (const auto &[name, value] : parts)
    text += name + " " + std::to_string(value.size()) + "\n" + value + "\n";
  return sha256(text);
}

static std::string toHex(const char *bytes, size_t count) {
  std::string digits;
  for (size_t i = 0; i < count; ++i)
    for (int shift : {4, 0})
      digits += "0123456789abcdef"[static_cast<unsigned char>(bytes[i]) >> shift & 15];
  return digits;
}

/// The build id among the notes of a loaded object; empty when it has none.
static std::string buildIdOf(const dl_phdr_info &object) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr) &segment = object.dlpi_phdr[i];
    if (segment.p_type != PT_NOTE)
      continue;
    const auto *at = reinterpret_cast<const char *>(object.dlpi_addr + segment.p_vaddr);
    const char *end = at + segment.p_memsz;
    size_t align = segment.p_align == 8 ? 8 : 4;
    auto padded = [align](size_t size) { return (size + align - 1) / align * align; };
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      ElfW(Nhdr) note;
      std::memcpy(&note, at, sizeof note);
      const char *name = at + sizeof note;
      const char *value = name + padded(note.n_namesz);
      if (value + note.n_descsz > end)
        break;
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0)
        return toHex(value, note.n_descsz);
      at = value + padded(note.n_descsz);
    }
  }
  return {};
}

std::vector<LoadedFile> gnnc::loadedFiles() {
  std::vector<LoadedFile> files;
  dl_iterate_phdr(
      [](dl_phdr_info *object, size_t, void *data) {
        auto &found = *static_cast<std::vector<LoadedFile> *>(data);
        std::string path = object->dlpi_name;
        std::error_code unknown;
        if (found.empty()) // this program comes before its libraries and has no name
          path = std::filesystem::read_symlink("/proc/self/exe", unknown).string();
        else if (path.find('/') == std::string::npos)
          return 0; // the kernel's own, which is no file
        found.push_back({path, buildIdOf(*object)});
        return 0;
      },
      &files);
  return files;
}

std::string gnnc::compilerIdentity() {
  std::vector<LoadedFile> files = loadedFiles();
  if (files.empty() || files.front().buildId.empty())
    return {};
  std::string text = "gnnc " GNNC_VERSION ", LLVM " GNNC_LLVM_VERSION;
  for (const LoadedFile &file : files)
    if (!file.buildId.empty())
      text += " " + file.buildId;
  return text;
}

std::string gnnc::programIdentity(const std::string &path) {
  struct stat info;
  if (path.empty() || stat(path.c_str(), &info) != 0)
    return "none";
  return path + " " + std::to_string(info.st_size) + " " + std::to_string(info.st_mtim.tv_sec) +
         "." + std::to_string(info.st_mtim.tv_nsec);
}
