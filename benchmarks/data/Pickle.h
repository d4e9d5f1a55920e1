//===- Pickle.h - Data out of Python pickles, and nothing else ------------===//
//
// Input: a pickle of protocol 0 to 2. Output: numbers, texts, tuples, lists, dicts,
// numpy arrays and scipy CSR matrices in it. A pickle is a program: this machine knows
// only the instructions that put such data together, calls nothing, and refuses
// every other instruction and every class that is not on its list.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_DATA_PICKLE_H
#define GNNC_BENCHMARKS_DATA_PICKLE_H

#include "benchmarks/data/GraphData.h"
#include "runtime/format/FileIO.h"

#include <deque>
#include <string_view>

namespace gnnc::bench {

enum class PickleClass {
  None,
  List,
  Dict,
  DefaultDict,
  Object,
  Reconstructor,
  Encode,
  ArrayMaker,
  Array,
  DType,
  CsrMatrix
};

struct PickleValue {
  enum class Kind { None, Bool, Int, Float, Text, Tuple, List, Dict, Class, Object };
  Kind kind = Kind::None;
  std::int64_t integer = 0;             ///< Bool, Int
  double number = 0;                    ///< Float
  std::string_view text;                ///< Text, as Latin-1 bytes
  PickleClass type = PickleClass::None; ///< Class, Object
  std::vector<const PickleValue *>
      items; ///< Tuple, List; Dict: key, value, key, ...; Object: arguments
  const PickleValue *state = nullptr; ///< Object
};

/// A numpy array: views of the file's bytes, read element by element.
struct PickleArray {
  char type = 0; ///< 'b' bool, 'i', 'u', 'f'
  std::size_t width = 0;
  std::vector<std::int64_t> shape;
  bool columnMajor = false;
  std::string_view bytes;

  std::int64_t elements() const { return static_cast<std::int64_t>(bytes.size() / width); }
  /// In the order of the bytes.
  double number(std::int64_t at) const;
  std::int64_t integer(std::int64_t at) const;
  /// Place of an element of a matrix.
  std::int64_t place(std::int64_t row, std::int64_t column) const {
    return columnMajor ? column * shape[0] + row : row * shape[1] + column;
  }
};

/// Row pointers and columns are checked.
struct PickleCsr {
  std::int64_t rows = 0, columns = 0;
  PickleArray indptr, indices, values;
};

class Pickle {
public:
  /// Throws Failure with the file and the byte.
  explicit Pickle(const std::string &path);
  Pickle(const Pickle &) = delete;

  const std::string &path() const { return file; }
  const PickleValue &root() const { return *top; }

  /// Throw Failure where the pickle holds something else.
  PickleArray array(const PickleValue &value, std::size_t dimensions) const;
  PickleCsr csr(const PickleValue &value) const;

  [[noreturn]] void fail(const std::string &what) const { throw Failure(file + ": " + what); }

private:
  friend class Unpickler;
  std::string file;
  format::Bytes bytes;
  std::deque<PickleValue> pool; ///< owns all values: lists may hold themselves
  std::deque<std::string> texts;
  const PickleValue *top = nullptr;
};

/// "a list", "a numpy array", ...
std::string describe(const PickleValue &value);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_DATA_PICKLE_H
