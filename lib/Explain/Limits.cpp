//===- Limits.cpp - What a chip can do at most ----------------------------===//
#include "lib/Explain/Limits.h"

#include <algorithm>

using namespace gnnc::explain;

std::optional<Limits> gnnc::explain::limitsOf(const std::string &target, const std::string &chip) {
  // Copy, products in fp32 and bf16 (169,343 x 2048 x 2048) and the fastest gather of
  // rows (256 features, close neighbours) measured on an H200; other chips of sm_90 have less
  // memory bandwidth.
  if (target == "cuda" && chip.rfind("sm_90", 0) == 0)
    return Limits{
        "NVIDIA H200", "measured, but for launch, which is assumed", 4287, 13170, 43000, 602000, 2};
  if (target == "cpu")
    return Limits{"a host of two cores",
                  "default: two AVX-512 cores at 3 GHz, not measured; see --explain-limits",
                  60,
                  200,
                  400,
                  400,
                  5};
  return std::nullopt;
}

Limits Limits::withProducts(const std::string &precision) const {
  Limits limits = *this;
  if (precision == "bf16" || precision == "f16")
    limits.gflopS = tensorGflopS;
  else if (precision == "fp32x3")
    limits.gflopS = std::max(gflopS, tensorGflopS / 3);
  else if (precision == "tf32")
    limits.gflopS = std::max(gflopS, tensorGflopS / 2);
  return limits;
}

double Bound::us() const { return std::max({memoryUs, cacheUs, flopUs, launchUs}); }

const char *Bound::name() const {
  if (us() == launchUs)
    return "launch";
  if (us() == flopUs)
    return "flop";
  return us() == memoryUs ? "memory" : "cache";
}

Bound gnnc::explain::boundOf(const Limits &limits, std::int64_t asked, std::int64_t least,
                             std::int64_t flops) {
  // GB/s and GFLOP/s are thousands in a microsecond.
  return {static_cast<double>(least) / (limits.memoryGbS * 1e3),
          static_cast<double>(asked) / (limits.cacheGbS * 1e3),
          static_cast<double>(flops) / (limits.gflopS * 1e3), limits.launchUs};
}
