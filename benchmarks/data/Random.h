//===- Random.h - A small generator with the same bits everywhere ---------===//
//
// SplitMix64. The standard library's distributions differ between libraries;
// data made here must not.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_DATA_RANDOM_H
#define GNNC_BENCHMARKS_DATA_RANDOM_H

#include <cstdint>

namespace gnnc::bench {

class Random {
public:
  explicit Random(std::uint64_t seed) : state(seed) {}

  std::uint64_t next() {
    std::uint64_t z = state += gamma;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// In [0, bound); the bias of the reduction is below 2^-32 for our bounds.
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(
        (static_cast<unsigned __int128>(next()) * static_cast<std::uint64_t>(bound)) >> 64);
  }
  /// In [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  /// In (-1, 1), never 0: the centres of 2^23 equal intervals.
  float symmetric() { return (static_cast<float>(next() >> 41) + 0.5f) * 0x1.0p-22f - 1.0f; }

  /// As `count` calls of next(): threads draw parts of one sequence.
  void skip(std::int64_t count) { state += gamma * static_cast<std::uint64_t>(count); }

private:
  static constexpr std::uint64_t gamma = 0x9e3779b97f4a7c15u;
  std::uint64_t state;
};

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_DATA_RANDOM_H
