//===- PickleArrays.cpp - Arrays and matrices of a pickle, checked --------===//
#include "benchmarks/data/Pickle.h"

#include <cstring>

namespace gnnc::bench {

using Kind = PickleValue::Kind;

template <class T>
static T load(std::string_view bytes, std::int64_t at) {
  T value;
  std::memcpy(&value, bytes.data() + static_cast<std::size_t>(at) * sizeof value, sizeof value);
  return value;
}

std::int64_t PickleArray::integer(std::int64_t at) const {
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

double PickleArray::number(std::int64_t at) const {
  if (type != 'f')
    return static_cast<double>(integer(at));
  return width == 4 ? load<float>(bytes, at) : load<double>(bytes, at);
}

static bool isObject(const PickleValue *value, PickleClass type) {
  return value && value->kind == Kind::Object && value->type == type;
}

static bool isTuple(const PickleValue *value, std::size_t least) {
  return value && value->kind == Kind::Tuple && value->items.size() >= least;
}

/// numpy's (version, byte order, ...) of an element type.
static void readType(const Pickle &pickle, const PickleValue &dtype, PickleArray &array) {
  std::string_view name = dtype.items[0]->text;
  std::string_view order = "?";
  if (isTuple(dtype.state, 2) && dtype.state->items[1]->kind == Kind::Text)
    order = dtype.state->items[1]->text;
  bool known = name == "b1" || name == "i1" || name == "i2" || name == "i4" || name == "i8" ||
               name == "u1" || name == "u2" || name == "u4" || name == "f4" || name == "f8";
  if (!known || (order != "<" && order != "|"))
    pickle.fail("an array of type '" + std::string(order.substr(0, 8)) +
                std::string(name.substr(0, 16)) +
                "', expected little-endian bool, integers or floats of 32 or 64 bits");
  array.type = name[0];
  array.width = static_cast<std::size_t>(name[1] - '0');
}

PickleArray Pickle::array(const PickleValue &value, std::size_t dimensions) const {
  if (!isObject(&value, PickleClass::Array))
    fail("holds " + describe(value) + ", expected a numpy array");
  // (version, shape, type, column-major, bytes)
  if (!isTuple(value.state, 5) || !isTuple(value.state->items[1], 0) ||
      !isObject(value.state->items[2], PickleClass::DType) ||
      value.state->items[4]->kind != Kind::Text)
    fail("holds a numpy array without shape, type and bytes");
  const auto &state = value.state->items;
  PickleArray array;
  readType(*this, *state[2], array);
  array.columnMajor = state[3]->integer != 0;
  array.bytes = state[4]->text;
  std::string text;
  std::uint64_t bytes = array.width;
  for (const PickleValue *extent : state[1]->items) {
    if (extent->kind != Kind::Int || extent->integer < 0)
      fail("holds a numpy array whose shape is not of counts");
    array.shape.push_back(extent->integer);
    text += (text.empty() ? "" : ", ") + std::to_string(extent->integer);
    if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(extent->integer), &bytes))
      fail("holds a numpy array of shape [" + text + "], which no memory holds");
  }
  if (bytes != array.bytes.size())
    fail("holds a numpy array of shape [" + text + "] and type " + array.type +
         std::to_string(array.width) + " with " + std::to_string(array.bytes.size()) +
         " bytes, expected " + std::to_string(bytes));
  if (array.shape.size() != dimensions)
    fail("holds a numpy array of shape [" + text + "], expected " + std::to_string(dimensions) +
         (dimensions == 1 ? " dimension" : " dimensions"));
  return array;
}

PickleCsr Pickle::csr(const PickleValue &value) const {
  if (!isObject(&value, PickleClass::CsrMatrix))
    fail("holds " + describe(value) + ", expected a CSR matrix");
  if (!value.state || value.state->kind != Kind::Dict)
    fail("holds a CSR matrix without its arrays");
  auto member = [&](std::string_view name) -> const PickleValue & {
    const auto &items = value.state->items;
    for (std::size_t i = 0; i < items.size(); i += 2)
      if (items[i]->kind == Kind::Text && items[i]->text == name)
        return *items[i + 1];
    fail("holds a CSR matrix without '" + std::string(name) + "'");
  };
  const PickleValue &shape = member("_shape");
  if (shape.kind != Kind::Tuple || shape.items.size() != 2 || shape.items[0]->kind != Kind::Int ||
      shape.items[1]->kind != Kind::Int || shape.items[0]->integer < 0 ||
      shape.items[1]->integer < 0)
    fail("holds a CSR matrix whose _shape is " + describe(shape) + ", expected two counts");
  PickleCsr matrix;
  matrix.rows = shape.items[0]->integer;
  matrix.columns = shape.items[1]->integer;
  matrix.indptr = array(member("indptr"), 1);
  matrix.indices = array(member("indices"), 1);
  matrix.values = array(member("data"), 1);
  std::int64_t stored = matrix.values.elements();
  if (matrix.indices.elements() != stored)
    fail("CSR matrix: " + std::to_string(matrix.indices.elements()) + " indices and " +
         std::to_string(stored) + " values");
  if (matrix.indptr.elements() - 1 != matrix.rows)
    fail("CSR matrix: indptr has " + std::to_string(matrix.indptr.elements()) + " entries, " +
         std::to_string(matrix.rows) + " rows need one more than rows");
  std::int64_t before = 0;
  for (std::int64_t row = 0; row <= matrix.rows; ++row) {
    std::int64_t end = matrix.indptr.integer(row);
    if ((row == 0 && end != 0) || end < before || (row == matrix.rows && end != stored))
      fail("CSR matrix: indptr[" + std::to_string(row) + "] is " + std::to_string(end) +
           ", after " + std::to_string(before) + ", with " + std::to_string(stored) + " values");
    before = end;
  }
  for (std::int64_t i = 0; i < stored; ++i)
    if (std::int64_t column = matrix.indices.integer(i); column < 0 || column >= matrix.columns)
      fail("CSR matrix: indices[" + std::to_string(i) + "] is " + std::to_string(column) +
           ", not in [0, " + std::to_string(matrix.columns) + ")");
  return matrix;
}

} // namespace gnnc::bench
