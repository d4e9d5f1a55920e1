//===- Floats.cpp - Numbers in the float types of tensors -----------------===//
#include "runtime/format/Floats.h"

#include <cmath>
#include <cstring>
#include <type_traits>

namespace gnnc::format {
namespace {

/// bf16: the upper half of an f32.
struct BFloat {
  std::uint16_t bits;
  explicit BFloat(float value) {
    std::uint32_t word;
    std::memcpy(&word, &value, sizeof word);
    // A NaN whose payload is in the lower half must not become infinite.
    bits = std::isnan(value) ? static_cast<std::uint16_t>(word >> 16 | 0x40)
                             : static_cast<std::uint16_t>((word + 0x7fff + (word >> 16 & 1)) >> 16);
  }
  explicit operator float() const {
    std::uint32_t word = std::uint32_t(bits) << 16;
    float value;
    std::memcpy(&value, &word, sizeof value);
    return value;
  }
};

/// The f32 nearest to a double, odd where it is not exact: rounding that once more
/// to 16 bits gives what rounding the double would.
float toOdd(double value) {
  auto single = static_cast<float>(value);
  if (static_cast<double>(single) == value || !std::isfinite(single))
    return single;
  std::uint32_t word;
  std::memcpy(&word, &single, sizeof word);
  if ((word & 1) == 0) // towards `value`: one up or down in magnitude
    word += std::abs(static_cast<double>(single)) < std::abs(value) ? 1 : -1;
  std::memcpy(&single, &word, sizeof single);
  return single;
}

template <class Out, class In>
Out convert(In value) {
  if constexpr (std::is_same_v<In, double> && sizeof(Out) == 2)
    return static_cast<Out>(toOdd(value));
  else if constexpr (std::is_same_v<In, double>)
    return static_cast<Out>(value);
  else
    return static_cast<Out>(static_cast<float>(value));
}

#if defined(__x86_64__)
/// With the instructions for it, eight at a time; without, each is a library call.
__attribute__((target("avx2,f16c"))) void widenF16(const _Float16 *from, float *to,
                                                   std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i)
    to[i] = static_cast<float>(from[i]);
}
__attribute__((target("avx2,f16c"))) void narrowF16(const float *from, _Float16 *to,
                                                    std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i)
    to[i] = static_cast<_Float16>(from[i]);
}
#endif

/// Calls `body` with a value of the C++ type of `type`.
template <class Body>
bool withFloat(DType type, Body body) {
  switch (type) {
  case DType::F32:
    body(float{});
    return true;
  case DType::F64:
    body(double{});
    return true;
  case DType::F16:
    body(_Float16{});
    return true;
  case DType::BF16:
    body(BFloat(0.0f));
    return true;
  default:
    return false;
  }
}

} // namespace

bool isFloat(DType type) {
  return withFloat(type, [](auto) {});
}

bool floatBits(double value, DType type, std::uint64_t &bits) {
  bits = 0;
  return withFloat(type, [&](auto zero) {
    auto rounded = convert<decltype(zero)>(value);
    std::memcpy(&bits, &rounded, sizeof rounded);
  });
}

bool convertFloats(const void *from, DType fromType, void *to, DType toType, std::int64_t count) {
  if (count == 0) // Of an empty tensor either address may be null.
    return isFloat(fromType) && isFloat(toType);
  if (fromType == toType && isFloat(toType)) {
    std::memmove(to, from, static_cast<std::size_t>(count) * sizeOf(toType));
    return true;
  }
#if defined(__x86_64__)
  static const bool hasF16c = __builtin_cpu_supports("f16c") && __builtin_cpu_supports("avx2");
  if (hasF16c && fromType == DType::F16 && toType == DType::F32) {
    widenF16(static_cast<const _Float16 *>(from), static_cast<float *>(to), count);
    return true;
  }
  if (hasF16c && fromType == DType::F32 && toType == DType::F16) {
    narrowF16(static_cast<const float *>(from), static_cast<_Float16 *>(to), count);
    return true;
  }
#endif
  bool known = false;
  withFloat(fromType, [&](auto in) {
    known = withFloat(toType, [&](auto out) {
      using In = decltype(in);
      using Out = decltype(out);
      const auto *source = static_cast<const In *>(from);
      auto *target = static_cast<Out *>(to);
      for (std::int64_t i = 0; i < count; ++i)
        target[i] = convert<Out>(source[i]);
    });
  });
  return known;
}

/// The first element that is finite in `from` and infinite in `to`, or -1.
static std::int64_t firstOverflow(const Tensor &tensor, const void *converted, DType type) {
  std::int64_t found = -1, count = tensor.elements();
  withFloat(tensor.dtype, [&](auto in) {
    withFloat(type, [&](auto out) {
      const auto *before = tensor.as<decltype(in)>();
      const auto *after = static_cast<const decltype(out) *>(converted);
      for (std::int64_t i = 0; i < count && found < 0; ++i)
        if (std::isinf(convert<double>(after[i])) && !std::isinf(convert<double>(before[i])))
          found = i;
    });
  });
  return found;
}

bool convertTensor(const Tensor &tensor, DType type, Tensor &converted, std::string &error) {
  if (tensor.dtype == type) {
    converted = tensor;
    return true;
  }
  std::string what = "tensor '" + tensor.name + "' (" + describe(tensor.dtype, tensor.shape) + ")";
  if (!isFloat(tensor.dtype) || !isFloat(type)) {
    error = what + " cannot become " + name(type) + ": both types must be of F32, F64, F16, BF16";
    return false;
  }
  std::int64_t count = tensor.elements();
  std::size_t bytes = static_cast<std::size_t>(count) * sizeOf(type);
  std::shared_ptr<std::byte> memory = allocateBytes(bytes);
  if (!memory) {
    error = "out of memory for " + what + " as " + name(type);
    return false;
  }
  convertFloats(tensor.bytes.data, tensor.dtype, memory.get(), type, count);
  if (std::int64_t i = firstOverflow(tensor, memory.get(), type); i >= 0) {
    double value = 0;
    convertFloats(tensor.bytes.data + i * static_cast<std::int64_t>(sizeOf(tensor.dtype)),
                  tensor.dtype, &value, DType::F64, 1);
    error = what + ": element " + std::to_string(i) + " is " + std::to_string(value) +
            ", too large for " + name(type);
    return false;
  }
  converted = {tensor.name, type, tensor.shape, {memory, memory.get(), bytes}};
  return true;
}

} // namespace gnnc::format
