//===- PickleArrays.cpp - Arrays and matrices of a pickle, checked --------===//
#include "benchmarks/data/Pickle.h"

namespace gnnc::bench {

using Kind = PickleValue::Kind;

static bool isObject(const PickleValue *value, PickleClass type) {
  return value && value->kind == Kind::Object && value->type == type;
}

static bool isTuple(const PickleValue *value, std::size_t least) {
  return value && value->kind == Kind::Tuple && value->items.size() >= least;
}

/// numpy's (version, byte order, ...) of an element type.
static void readType(const Pickle &pickle, const PickleValue &dtype, NumpyArray &array) {
  std::string_view name = dtype.items[0]->text;
  std::string_view order = "?";
  if (isTuple(dtype.state, 2) && dtype.state->items[1]->kind == Kind::Text)
    order = dtype.state->items[1]->text;
  array.setType(order, name, pickle.path());
}

NumpyArray Pickle::array(const PickleValue &value, std::size_t dimensions) const {
  if (!isObject(&value, PickleClass::Array))
    fail("holds " + describe(value) + ", expected a numpy array");
  // (version, shape, type, column-major, bytes)
  if (!isTuple(value.state, 5) || !isTuple(value.state->items[1], 0) ||
      !isObject(value.state->items[2], PickleClass::DType) ||
      value.state->items[4]->kind != Kind::Text)
    fail("holds a numpy array without shape, type and bytes");
  const auto &state = value.state->items;
  NumpyArray array;
  readType(*this, *state[2], array);
  array.columnMajor = state[3]->integer != 0;
  array.bytes = state[4]->text;
  for (const PickleValue *extent : state[1]->items) {
    if (extent->kind != Kind::Int || extent->integer < 0)
      fail("holds a numpy array whose shape is not of counts");
    array.shape.push_back(extent->integer);
  }
  array.check(dimensions, file);
  return array;
}

NumpyCsr Pickle::csr(const PickleValue &value) const {
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
  NumpyCsr matrix;
  matrix.rows = shape.items[0]->integer;
  matrix.columns = shape.items[1]->integer;
  matrix.indptr = array(member("indptr"), 1);
  matrix.indices = array(member("indices"), 1);
  matrix.values = array(member("data"), 1);
  matrix.check(file + ": CSR matrix");
  return matrix;
}

} // namespace gnnc::bench
