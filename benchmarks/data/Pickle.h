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

#include "benchmarks/data/NumpyArray.h"
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

class Pickle {
public:
  /// Throws Failure with the file and the byte.
  explicit Pickle(const std::string &path);
  Pickle(const Pickle &) = delete;

  const std::string &path() const { return file; }
  const PickleValue &root() const { return *top; }

  /// Throw Failure where the pickle holds something else.
  NumpyArray array(const PickleValue &value, std::size_t dimensions) const;
  NumpyCsr csr(const PickleValue &value) const;

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
