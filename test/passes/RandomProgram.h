//===- RandomProgram.h - Message-passing programs nobody would write ------===//
//
// In: a seed. Out: the text of a program over one graph, and tensors for its
// arguments. Equal seeds give equal programs on every machine. What is drawn:
// layers, messages (both ends, edge data, parameters, heads, reductions over
// features), reductions (softmax included), rows by index tensors, tails, graph ops
// and graphs.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_TEST_PASSES_RANDOMPROGRAM_H
#define GNNC_TEST_PASSES_RANDOMPROGRAM_H

#include "lib/Reference/Reference.h"

#include <cstdint>
#include <random>

namespace gnnc::test {

/// Numbers of one seed; no distribution of the library, those differ.
class Draw {
public:
  explicit Draw(uint64_t seed) : engine(seed) {}
  /// In [0, count).
  int64_t below(int64_t count) { return static_cast<int64_t>(engine() % uint64_t(count)); }
  bool oneIn(int64_t count) { return below(count) == 0; }
  /// In [-1, 1], a multiple of 1/64.
  double number() { return static_cast<double>(below(129) - 64) / 64; }
  template <typename T>
  const T &from(const std::vector<T> &list) {
    return list[below(static_cast<int64_t>(list.size()))];
  }

private:
  std::mt19937_64 engine;
};

struct RandomProgram {
  std::string text;
  reference::ProgramInputs inputs;
};

RandomProgram drawProgram(uint64_t seed);

} // namespace gnnc::test

#endif // GNNC_TEST_PASSES_RANDOMPROGRAM_H
