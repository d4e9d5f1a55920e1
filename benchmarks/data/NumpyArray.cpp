//===- NumpyArray.cpp - Arrays and CSR matrices of numpy and scipy --------===//
#include "benchmarks/data/NumpyArray.h"

#include <cstring>

namespace gnnc::bench {

template <class T>
static T load(std::string_view bytes, std::int64_t at) {
  T value;
  std::memcpy(&value, bytes.data() + static_cast<std::size_t>(at) * sizeof value, sizeof value);
  return value;
}

std::int64_t NumpyArray::integer(std::int64_t at) const {
  if (type == 'f') { // -1, no id and no label, for what is no integer of 64 bits
    double value = number(at);
    return value > -9e18 && value < 9e18 ? static_cast<std::int64_t>(value) : -1;
  }
  bool isSigned = type == 'i';
  switch (width) {
  case 1:
    return isSigned ? load<std::int8_t>(bytes, at) : load<std::uint8_t>(bytes, at);
  case 2:
    return isSigned ? load<std::int16_t>(bytes, at) : load<std::uint16_t>(bytes, at);
  case 4:
    return isSigned ? load<std::int32_t>(bytes, at)
                    : static_cast<std::int64_t>(load<std::uint32_t>(bytes, at));
  default:
    return load<std::int64_t>(bytes, at);
  }
}

double NumpyArray::number(std::int64_t at) const {
  if (type != 'f')
    return static_cast<double>(integer(at));
  return width == 4 ? load<float>(bytes, at) : load<double>(bytes, at);
}

void NumpyArray::setType(std::string_view order, std::string_view name, const std::string &where) {
  bool known = name == "b1" || name == "i1" || name == "i2" || name == "i4" || name == "i8" ||
               name == "u1" || name == "u2" || name == "u4" || name == "f4" || name == "f8";
  if (!known || (order != "<" && order != "|"))
    throw Failure(where + ": an array of type '" + std::string(order.substr(0, 8)) +
                  std::string(name.substr(0, 16)) +
                  "', expected little-endian bool, integers or floats of 32 or 64 bits");
  type = name[0];
  width = static_cast<std::size_t>(name[1] - '0');
}

void NumpyArray::check(std::size_t dimensions, const std::string &where) const {
  std::string text;
  std::uint64_t needed = width;
  bool fits = true;
  for (std::int64_t extent : shape) {
    text += (text.empty() ? "" : ", ") + std::to_string(extent);
    fits &= !__builtin_mul_overflow(needed, static_cast<std::uint64_t>(extent), &needed);
  }
  const std::string array = where + ": holds a numpy array of shape [" + text + "]";
  if (!fits)
    throw Failure(array + ", which no memory holds");
  if (needed != bytes.size())
    throw Failure(array + " and type " + type + std::to_string(width) + " with " +
                  std::to_string(bytes.size()) + " bytes, expected " + std::to_string(needed));
  if (shape.size() != dimensions)
    throw Failure(array + ", expected " + std::to_string(dimensions) +
                  (dimensions == 1 ? " dimension" : " dimensions"));
}

void NumpyCsr::check(const std::string &where) const {
  std::int64_t stored = values.elements();
  if (indices.elements() != stored)
    throw Failure(where + ": " + std::to_string(indices.elements()) + " indices and " +
                  std::to_string(stored) + " values");
  if (indptr.elements() - 1 != rows)
    throw Failure(where + ": indptr has " + std::to_string(indptr.elements()) + " entries, " +
                  std::to_string(rows) + " rows need one more than rows");
  std::int64_t before = 0;
  for (std::int64_t row = 0; row <= rows; ++row) {
    std::int64_t end = indptr.integer(row);
    if ((row == 0 && end != 0) || end < before || (row == rows && end != stored))
      throw Failure(where + ": indptr[" + std::to_string(row) + "] is " + std::to_string(end) +
                    ", after " + std::to_string(before) + ", with " + std::to_string(stored) +
                    " values");
    before = end;
  }
  for (std::int64_t i = 0; i < stored; ++i)
    if (std::int64_t column = indices.integer(i); column < 0 || column >= columns)
      throw Failure(where + ": indices[" + std::to_string(i) + "] is " + std::to_string(column) +
                    ", not in [0, " + std::to_string(columns) + ")");
}

} // namespace gnnc::bench
