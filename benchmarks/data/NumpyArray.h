//===- NumpyArray.h - Arrays and CSR matrices of numpy and scipy ----------===//
//
// Input: the type, shape and bytes that a pickle or an .npy member states. Output: checked
// views of those bytes, read element by element.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_DATA_NUMPYARRAY_H
#define GNNC_BENCHMARKS_DATA_NUMPYARRAY_H

#include "benchmarks/data/GraphData.h"

#include <string_view>

namespace gnnc::bench {

struct NumpyArray {
  char type = 0; ///< 'b' bool, 'i', 'u', 'f'
  std::size_t width = 0;
  std::vector<std::int64_t> shape;
  bool columnMajor = false;
  std::string_view bytes; ///< of what the array was read from

  std::int64_t elements() const { return static_cast<std::int64_t>(bytes.size() / width); }
  /// In the order of the bytes.
  double number(std::int64_t at) const;
  std::int64_t integer(std::int64_t at) const;
  /// Place of an element of a matrix.
  std::int64_t place(std::int64_t row, std::int64_t column) const {
    return columnMajor ? column * shape[0] + row : row * shape[1] + column;
  }

  /// Sets type and width; `order` is '<' or '|'. Throws Failure, as the next does.
  void setType(std::string_view order, std::string_view name, const std::string &where);
  /// That there are as many bytes as the shape needs, and so many dimensions.
  void check(std::size_t dimensions, const std::string &where) const;
};

struct NumpyCsr {
  std::int64_t rows = 0, columns = 0;
  NumpyArray indptr, indices, values; ///< of one dimension each

  /// Row pointers and columns. Throws Failure.
  void check(const std::string &where) const;

  /// Adds row r to row place(r) of x, which has `columns` columns.
  template <class Place>
  void addTo(std::vector<float> &x, Place place) const {
    for (std::int64_t row = 0; row < rows; ++row) {
      float *to = x.data() + place(row) * columns;
      for (std::int64_t at = indptr.integer(row); at < indptr.integer(row + 1); ++at)
        to[indices.integer(at)] += static_cast<float>(values.number(at));
    }
  }
};

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_DATA_NUMPYARRAY_H
