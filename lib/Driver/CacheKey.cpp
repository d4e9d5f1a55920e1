//===- CacheKey.cpp - What a compilation depends on, as one name ----------===//
#include "lib/Driver/CacheKey.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/SHA256.h"

#include <cstring>
#include <elf.h>
#include <link.h>
#include <sys/stat.h>

using namespace gnnc;

std::string gnnc::sha256(const std::string &text) {
  llvm::SHA256 hash;
  hash.update(text);
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}

std::string gnnc::cacheKey(const CacheParts &parts) {
  std::string text;
  // With its length, no part can pass for the end of another.
  for (const auto &[name, value] : parts)
    text += name + " " + std::to_string(value.size()) + "\n" + value + "\n";
  return sha256(text);
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
        return llvm::toHex(llvm::StringRef(value, note.n_descsz), /*LowerCase=*/true);
      at = value + padded(note.n_descsz);
    }
  }
  return {};
}

std::string gnnc::compilerIdentity() {
  struct Found {
    std::string text = "gnnc " GNNC_VERSION ", LLVM " LLVM_VERSION_STRING;
    bool isFirst = true, hasOwn = false;
  } found;
  dl_iterate_phdr(
      [](dl_phdr_info *object, size_t, void *data) {
        auto &result = *static_cast<Found *>(data);
        std::string id = buildIdOf(*object);
        if (result.isFirst) // this program comes before its libraries
          result.hasOwn = !id.empty();
        result.isFirst = false;
        if (!id.empty())
          result.text += " " + id;
        return 0;
      },
      &found);
  return found.hasOwn ? found.text : std::string();
}

std::string gnnc::programIdentity(const std::string &path) {
  struct stat info;
  if (path.empty() || stat(path.c_str(), &info) != 0)
    return "none";
  return path + " " + std::to_string(info.st_size) + " " + std::to_string(info.st_mtim.tv_sec) +
         "." + std::to_string(info.st_mtim.tv_nsec);
}
