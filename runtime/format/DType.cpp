//===- DType.cpp - Element types: size and safetensors spelling -----------===//
#include "runtime/format/Plan.h"

#include <array>

namespace gnnc::format {
namespace {

struct Entry {
  DType type;
  const char *name;
  std::size_t size;
};

// In the order of the enumeration.
constexpr std::array<Entry, 13> kTypes = {{{DType::F32, "F32", 4},
                                           {DType::F64, "F64", 8},
                                           {DType::F16, "F16", 2},
                                           {DType::BF16, "BF16", 2},
                                           {DType::I32, "I32", 4},
                                           {DType::I64, "I64", 8},
                                           {DType::U8, "U8", 1},
                                           {DType::Bool, "BOOL", 1},
                                           {DType::I8, "I8", 1},
                                           {DType::I16, "I16", 2},
                                           {DType::U16, "U16", 2},
                                           {DType::U32, "U32", 4},
                                           {DType::U64, "U64", 8}}};

} // namespace

std::size_t sizeOf(DType type) { return kTypes[static_cast<std::size_t>(type)].size; }

const char *name(DType type) { return kTypes[static_cast<std::size_t>(type)].name; }

bool parseDType(const std::string &text, DType &out) {
  for (const Entry &entry : kTypes) {
    if (text == entry.name) {
      out = entry.type;
      return true;
    }
  }
  return false;
}

} // namespace gnnc::format
