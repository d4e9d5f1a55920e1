//===- Compare.cpp - Largest error of a result ----------------------------===//
#include "tools/gnn-eval/Compare.h"

#include <cmath>
#include <limits>

using namespace gnnc::eval;
using namespace gnnc::reference;

static double at(const Tensor &tensor, int64_t i) {
  return tensor.isInteger ? static_cast<double>(tensor.integers[i]) : tensor.floats[i];
}

bool gnnc::eval::compare(const Value &found, const Value &expected, Difference &result,
                         std::string &error) {
  if (found.isGraph || found.tensor.unwritten || found.tensor.shape != expected.tensor.shape) {
    error = "found " + describe(found) + ", expected " + describe(expected);
    return false;
  }
  for (int64_t i = 0, e = expected.tensor.elements(); i < e; ++i) {
    double have = at(found.tensor, i), want = at(expected.tensor, i);
    if (std::isfinite(want))
      result.largestOutput = std::max(result.largestOutput, std::fabs(want));
    if (have == want || (std::isnan(have) && std::isnan(want)))
      continue;
    double difference = std::fabs(have - want);
    if (std::isnan(difference))
      difference = std::numeric_limits<double>::infinity();
    if (difference > result.largestError) {
      result.largestError = difference;
      result.at = i;
    }
  }
  return true;
}
