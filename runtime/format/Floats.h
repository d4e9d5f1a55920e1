//===- Floats.h - Numbers in the float types of tensors -------------------===//
//
// f32, f64, f16 and bf16 in host memory: the one place that rounds to them and
// reads them. Rounding is to nearest, ties to even; what is too large for a type
// becomes infinite there, NaN stays NaN.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_FORMAT_FLOATS_H
#define GNNC_RUNTIME_FORMAT_FLOATS_H

#include "runtime/format/SafeTensors.h"

namespace gnnc::format {

bool isFloat(DType type);

/// The bits of `value` in a float type; false for other types.
bool floatBits(double value, DType type, std::uint64_t &bits);

/// Converts `count` numbers between any two float types; false for other types.
/// `to` may be `from` where both types are the same.
bool convertFloats(const void *from, DType fromType, void *to, DType toType, std::int64_t count);

/// The tensor in another float type (itself where it has it already). On failure
/// returns false and sets `error`: not a float tensor, out of memory, or a finite
/// number that is infinite in `type`.
bool convertTensor(const Tensor &tensor, DType type, Tensor &converted, std::string &error);

} // namespace gnnc::format

#endif // GNNC_RUNTIME_FORMAT_FLOATS_H
