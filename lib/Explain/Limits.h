//===- Limits.h - What a chip can do at most ------------------------------===//
//
// A kernel takes at least as long as memory needs for its bytes, arithmetic for
// its operations, and starting it takes. The largest of these binds it.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_LIB_EXPLAIN_LIMITS_H
#define GNNC_LIB_EXPLAIN_LIMITS_H

#include <cstdint>
#include <optional>
#include <string>

namespace gnnc::explain {

struct Limits {
  std::string of;      ///< "NVIDIA H200"
  std::string source;  ///< where the numbers come from
  double memoryGbS;    ///< a copy, bytes read and written
  double cacheGbS;     ///< rows read along edges
  double gflopS;       ///< fp32
  double tensorGflopS; ///< products of 16-bit elements, fp32 sums
  double launchUs;     ///< between the starts of two kernels
  /// With products of that precision in place of fp32 arithmetic: fp32x3 multiplies
  /// three pairs of parts for one of fp32.
  Limits withProducts(const std::string &precision) const;
};

/// The limits of a target's chip; none for a chip that nobody measured.
std::optional<Limits> limitsOf(const std::string &target, const std::string &chip);

/// Least microseconds, and which limit that is.
struct Bound {
  double memoryUs, cacheUs, flopUs, launchUs;
  double us() const;
  const char *name() const; ///< "memory", "cache", "flop" or "launch"
};

/// `asked`: all bytes that a kernel reads and writes; `least`: those that memory
/// moves if caches are perfect.
Bound boundOf(const Limits &limits, std::int64_t asked, std::int64_t least, std::int64_t flops);

} // namespace gnnc::explain

#endif // GNNC_LIB_EXPLAIN_LIMITS_H
