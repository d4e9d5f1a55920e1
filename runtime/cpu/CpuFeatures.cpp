//===- CpuFeatures.cpp - Can this processor run that code? ----------------===//
#include "runtime/cpu/CpuFeatures.h"

#include <cstring>
#include <vector>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace gnnc::runtime {
namespace {

/// Levels in rising order; each includes those before.
int hostLevel() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v4"))
    return 4;
  if (__builtin_cpu_supports("x86-64-v3"))
    return 3;
  if (__builtin_cpu_supports("x86-64-v2"))
    return 2;
  return 1;
#else
  return 0;
#endif
}

constexpr const char *kLevels[] = {"generic", "x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"};

} // namespace

std::string hostChip() { return kLevels[hostLevel()]; }

Status checkChip(const std::string &chip) {
  for (int level = 0; level < 5; ++level) {
    if (chip != kLevels[level])
      continue;
    if (level <= hostLevel())
      return {};
    return {Code::Unsupported, "the program was compiled for " + chip + ", this processor is " +
                                   hostChip() + " (" + processorName() +
                                   "); compile it with --chip " + hostChip()};
  }
  return {Code::Unsupported, "the program was compiled for '" + chip +
                                 "', which is not known; this processor is " + hostChip()};
}

std::string processorName() {
#if defined(__x86_64__)
  unsigned words[12];
  unsigned most = __get_cpuid_max(0x80000000u, nullptr);
  if (most >= 0x80000004u) {
    for (unsigned i = 0; i < 3; ++i)
      __get_cpuid(0x80000002u + i, &words[4 * i], &words[4 * i + 1], &words[4 * i + 2],
                  &words[4 * i + 3]);
    char text[sizeof words + 1] = {};
    std::memcpy(text, words, sizeof words);
    std::string name = text;
    name.erase(0, name.find_first_not_of(' '));
    return name.substr(0, name.find_last_not_of(' ') + 1);
  }
#endif
  return "unnamed processor";
}

} // namespace gnnc::runtime
