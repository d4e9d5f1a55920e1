//===- Pickle.cpp - The machine that puts a pickle's data together --------===//
#include "benchmarks/data/Pickle.h"

#include <charconv>
#include <cstdio>
#include <cstring>
#include <unordered_map>

namespace gnnc::bench {

namespace {

using Kind = PickleValue::Kind;

struct KnownClass {
  std::string_view module, name;
  PickleClass type;
};

/// All that is let in, under the names of Python 2 and 3 and of old and new packages.
constexpr KnownClass knownClasses[] = {
    {"__builtin__", "list", PickleClass::List},
    {"builtins", "list", PickleClass::List},
    {"__builtin__", "dict", PickleClass::Dict},
    {"builtins", "dict", PickleClass::Dict},
    {"__builtin__", "object", PickleClass::Object},
    {"builtins", "object", PickleClass::Object},
    {"collections", "defaultdict", PickleClass::DefaultDict},
    {"copy_reg", "_reconstructor", PickleClass::Reconstructor},
    {"copyreg", "_reconstructor", PickleClass::Reconstructor},
    {"_codecs", "encode", PickleClass::Encode},
    {"numpy.core.multiarray", "_reconstruct", PickleClass::ArrayMaker},
    {"numpy._core.multiarray", "_reconstruct", PickleClass::ArrayMaker},
    {"numpy", "ndarray", PickleClass::Array},
    {"numpy", "dtype", PickleClass::DType},
    {"scipy.sparse.csr", "csr_matrix", PickleClass::CsrMatrix},
    {"scipy.sparse._csr", "csr_matrix", PickleClass::CsrMatrix},
};

std::string number(std::size_t value) { return std::to_string(value); }

} // namespace

/// A stack of values, marks on it, a memo; one instruction after the other.
class Unpickler {
public:
  explicit Unpickler(Pickle &pickle)
      : pickle(pickle), code(reinterpret_cast<const char *>(pickle.bytes.data), pickle.bytes.size) {
  }

  const PickleValue *run() {
    while (true) {
      start = at;
      if (at == code.size())
        pickle.fail("the pickle ends early, after " + number(at) +
                    " bytes, without the instruction '.'");
      char op = code[at++];
      if (op == '.')
        return finish();
      if (!makesScalar(op) && !makesContainer(op) && !usesMemo(op) && !usesClass(op))
        refuseInstruction(op);
    }
  }

private:
  [[noreturn]] void fail(const std::string &what) const {
    pickle.fail("byte " + number(start) + ": " + what);
  }

  [[noreturn]] void refuseInstruction(char op) const {
    char text[16];
    std::snprintf(text, sizeof text, "0x%02x", static_cast<unsigned char>(op));
    fail(std::string("instruction ") + text +
         " is not one that arrays, matrices, lists and dicts of protocol 0 to 2 are made of");
  }

  const PickleValue *finish() {
    if (stack.size() != 1 || !marks.empty())
      fail("the pickle ends with " + number(stack.size()) + " values and " + number(marks.size()) +
           " open marks, expected 1 and 0");
    if (at != code.size())
      fail("the pickle ends here, the file has " + number(code.size() - at) + " more bytes");
    return stack.back();
  }

  // Input.
  std::string_view take(std::size_t count) {
    if (count > code.size() - at)
      fail("the instruction needs " + number(count) + " bytes, the file has " +
           number(code.size() - at) + " more");
    at += count;
    return code.substr(at - count, count);
  }
  std::uint64_t little(std::size_t count) {
    std::uint64_t value = 0;
    std::string_view part = take(count);
    for (std::size_t i = 0; i < count; ++i)
      value |= static_cast<std::uint64_t>(static_cast<unsigned char>(part[i])) << (8 * i);
    return value;
  }
  std::string_view line() {
    std::size_t end = code.find('\n', at);
    if (end == std::string_view::npos)
      fail("the instruction needs a line, the file ends within it");
    std::string_view found = code.substr(at, end - at);
    at = end + 1;
    return found;
  }
  template <class T>
  T decimal(std::string_view text) {
    T value{};
    auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || status != std::errc() || end != text.data() + text.size())
      fail("'" + std::string(text.substr(0, 40)) + "' is not a number of 64 bits");
    return value;
  }

  // Stack.
  PickleValue *push(PickleValue value) {
    stack.push_back(&pickle.pool.emplace_back(std::move(value)));
    return stack.back();
  }
  void pushInteger(std::int64_t value, Kind kind = Kind::Int) {
    PickleValue made;
    made.kind = kind;
    made.integer = value;
    push(std::move(made));
  }
  void pushNumber(double value) {
    PickleValue made;
    made.kind = Kind::Float;
    made.number = value;
    push(std::move(made));
  }
  void pushText(std::string_view text) {
    PickleValue made;
    made.kind = Kind::Text;
    made.text = text;
    push(std::move(made));
  }
  void pushOwnText(std::string text) { pushText(pickle.texts.emplace_back(std::move(text))); }
  PickleValue *push(Kind kind, std::vector<const PickleValue *> items = {}) {
    PickleValue made;
    made.kind = kind;
    made.items = std::move(items);
    return push(std::move(made));
  }
  void pushObject(PickleClass type, std::vector<const PickleValue *> arguments = {}) {
    push(Kind::Object, std::move(arguments))->type = type;
  }
  /// Values above the last mark are not given away by accident.
  PickleValue *pop() {
    if (stack.size() <= (marks.empty() ? 0 : marks.back()))
      fail("the instruction takes a value, there is none");
    PickleValue *value = stack.back();
    stack.pop_back();
    return value;
  }
  PickleValue *pop(Kind kind, const char *expected) {
    PickleValue *value = pop();
    if (value->kind != kind)
      fail("found " + describe(*value) + ", expected " + expected);
    return value;
  }
  PickleValue *peek(Kind kind, const char *expected) {
    stack.push_back(pop(kind, expected));
    return stack.back();
  }
  std::vector<const PickleValue *> popToMark() {
    if (marks.empty())
      fail("the instruction takes the values since a mark, there is none");
    std::vector<const PickleValue *> values(
        stack.begin() + static_cast<std::ptrdiff_t>(marks.back()), stack.end());
    stack.resize(marks.back());
    marks.pop_back();
    return values;
  }
  std::vector<const PickleValue *> popLast(std::size_t count) {
    std::vector<const PickleValue *> values(count);
    for (std::size_t i = count; i-- > 0;)
      values[i] = pop();
    return values;
  }

  bool makesScalar(char op) {
    switch (static_cast<unsigned char>(op)) {
    case 0x80: // PROTO
      if (std::uint64_t version = little(1); version > 2)
        fail("the pickle is of protocol " + number(version) + ", expected 0, 1 or 2");
      return true;
    case 'N':
      push(Kind::None);
      return true;
    case 0x88:
    case 0x89: // NEWTRUE, NEWFALSE
      pushInteger(static_cast<unsigned char>(op) == 0x88, Kind::Bool);
      return true;
    case 'I': {
      std::string_view text = line();
      bool isBool = text == "00" || text == "01";
      pushInteger(decimal<std::int64_t>(text), isBool ? Kind::Bool : Kind::Int);
      return true;
    }
    case 'L': {
      std::string_view text = line();
      if (!text.empty() && text.back() == 'L')
        text.remove_suffix(1);
      pushInteger(decimal<std::int64_t>(text));
      return true;
    }
    case 'J':
      pushInteger(static_cast<std::int32_t>(little(4)));
      return true;
    case 'K':
      pushInteger(static_cast<std::int64_t>(little(1)));
      return true;
    case 'M':
      pushInteger(static_cast<std::int64_t>(little(2)));
      return true;
    case 0x8a: // LONG1
      pushLong(little(1));
      return true;
    case 'F':
      pushNumber(decimal<double>(line()));
      return true;
    case 'G': { // big-endian
      std::uint64_t bits = __builtin_bswap64(little(8));
      double value = 0;
      std::memcpy(&value, &bits, sizeof value);
      pushNumber(value);
      return true;
    }
    case 'S':
      pushOwnText(unquoted(line()));
      return true;
    case 'T':
      pushText(take(little(4)));
      return true;
    case 'U':
      pushText(take(little(1)));
      return true;
    case 'V':
      pushOwnText(rawUnicode(line()));
      return true;
    case 'X':
      pushOwnText(latin1(take(little(4))));
      return true;
    default:
      return false;
    }
  }

  void pushLong(std::size_t count) {
    if (count > 8)
      fail("a number of " + number(count) + " bytes, expected at most 8");
    std::uint64_t value = little(count);
    if (count > 0 && count < 8 && (value >> (8 * count - 1)) != 0)
      value |= ~std::uint64_t(0) << (8 * count); // its sign
    pushInteger(static_cast<std::int64_t>(value));
  }

  int hexDigits(std::string_view text, std::size_t from, std::size_t count) {
    int value = 0;
    if (from + count > text.size())
      fail("an escape sequence ends early");
    auto [end, status] = std::from_chars(text.data() + from, text.data() + from + count, value, 16);
    if (status != std::errc() || end != text.data() + from + count || value < 0 || value > 255)
      fail("escape sequence '" + std::string(text.substr(from, count)) + "' is not of one byte");
    return value;
  }

  /// 'text' as Python prints it.
  std::string unquoted(std::string_view text) {
    if (text.size() < 2 || (text.front() != '\'' && text.front() != '"') ||
        text.back() != text.front())
      fail("a text without quotes");
    text = text.substr(1, text.size() - 2);
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '\\') {
        out += text[i];
        continue;
      }
      if (++i == text.size())
        fail("an escape sequence ends early");
      constexpr std::string_view escapes = "abfnrtv\\'\"", meaning = "\a\b\f\n\r\t\v\\'\"";
      if (std::size_t known = escapes.find(text[i]); known != std::string_view::npos) {
        out += meaning[known];
      } else if (text[i] == 'x') {
        out += static_cast<char>(hexDigits(text, i + 1, 2));
        i += 2;
      } else {
        fail(std::string("escape sequence '\\") + text[i] + "' is not known");
      }
    }
    return out;
  }

  std::string rawUnicode(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == 'u') {
        out += static_cast<char>(hexDigits(text, i + 2, 4));
        i += 5;
      } else {
        out += text[i];
      }
    }
    return out;
  }

  std::string latin1(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
      auto first = static_cast<unsigned char>(text[i]);
      if (first < 0x80) {
        out += text[i];
        continue;
      }
      if ((first != 0xc2 && first != 0xc3) || i + 1 == text.size() ||
          (static_cast<unsigned char>(text[i + 1]) & 0xc0) != 0x80)
        fail("a text has a letter outside of Latin-1");
      ++i;
      out += static_cast<char>((first << 6 & 0xc0) | (static_cast<unsigned char>(text[i]) & 0x3f));
    }
    return out;
  }

  bool makesContainer(char op) {
    switch (static_cast<unsigned char>(op)) {
    case '(':
      marks.push_back(stack.size());
      return true;
    case ')':
      push(Kind::Tuple);
      return true;
    case 't':
      push(Kind::Tuple, popToMark());
      return true;
    case 0x85:
    case 0x86:
    case 0x87: // TUPLE1 to TUPLE3
      push(Kind::Tuple, popLast(static_cast<unsigned char>(op) - 0x84u));
      return true;
    case ']':
      push(Kind::List);
      return true;
    case 'l':
      push(Kind::List, popToMark());
      return true;
    case '}':
      push(Kind::Dict);
      return true;
    case 'd':
      push(Kind::Dict, pairs(popToMark()));
      return true;
    case 'a':
      extend(Kind::List, "a list", popLast(1));
      return true;
    case 'e':
      extend(Kind::List, "a list", popToMark());
      return true;
    case 's':
      extend(Kind::Dict, "a dict", popLast(2));
      return true;
    case 'u':
      extend(Kind::Dict, "a dict", pairs(popToMark()));
      return true;
    default:
      return false;
    }
  }

  std::vector<const PickleValue *> pairs(std::vector<const PickleValue *> values) const {
    if (values.size() % 2)
      fail("a dict gets " + number(values.size()) + " values, expected pairs of key and value");
    return values;
  }
  void extend(Kind kind, const char *expected, const std::vector<const PickleValue *> &values) {
    PickleValue *to = peek(kind, expected);
    to->items.insert(to->items.end(), values.begin(), values.end());
  }

  bool usesMemo(char op) {
    switch (op) {
    case 'p':
      memo[decimal<std::uint64_t>(line())] = last();
      return true;
    case 'q':
      memo[little(1)] = last();
      return true;
    case 'r':
      memo[little(4)] = last();
      return true;
    case 'g':
      recall(decimal<std::uint64_t>(line()));
      return true;
    case 'h':
      recall(little(1));
      return true;
    case 'j':
      recall(little(4));
      return true;
    default:
      return false;
    }
  }
  PickleValue *last() {
    stack.push_back(pop());
    return stack.back();
  }
  void recall(std::uint64_t key) {
    auto found = memo.find(key);
    if (found == memo.end())
      fail("value " + number(key) + " is used before it is kept");
    stack.push_back(found->second);
  }

  bool usesClass(char op) {
    switch (static_cast<unsigned char>(op)) {
    case 'c':
      pushClass();
      return true;
    case 'R': {
      auto arguments = pop(Kind::Tuple, "a tuple of arguments")->items;
      reduce(pop(Kind::Class, "a class")->type, std::move(arguments));
      return true;
    }
    case 0x81: { // NEWOBJ
      bool plain = pop(Kind::Tuple, "a tuple of arguments")->items.empty();
      if (pop(Kind::Class, "a class")->type != PickleClass::CsrMatrix || !plain)
        fail("only a CSR matrix without arguments is made so");
      pushObject(PickleClass::CsrMatrix);
      return true;
    }
    case 'b': {
      PickleValue *state = pop();
      peek(Kind::Object, "an array or a matrix")->state = state;
      return true;
    }
    default:
      return false;
    }
  }

  void pushClass() {
    std::string_view module = line(), name = line();
    for (const KnownClass &known : knownClasses)
      if (known.module == module && known.name == name) {
        push(Kind::Class)->type = known.type;
        return;
      }
    fail("class " + std::string(module.substr(0, 60)) + "." + std::string(name.substr(0, 60)) +
         " is refused; expected numpy arrays, scipy CSR matrices, lists and dicts");
  }

  static bool isClass(const PickleValue &value, PickleClass type) {
    return value.kind == Kind::Class && value.type == type;
  }

  void reduce(PickleClass type, std::vector<const PickleValue *> arguments) {
    std::size_t count = arguments.size();
    switch (type) {
    case PickleClass::DefaultDict:
      if (count <= 1) {
        push(Kind::Dict);
        return;
      }
      break;
    case PickleClass::List:
    case PickleClass::Dict:
      if (count == 0) {
        push(type == PickleClass::List ? Kind::List : Kind::Dict);
        return;
      }
      break;
    case PickleClass::Encode:
      if (count == 2 && arguments[0]->kind == Kind::Text) {
        pushText(arguments[0]->text);
        return;
      }
      break;
    case PickleClass::ArrayMaker:
      if (count == 3 && isClass(*arguments[0], PickleClass::Array)) {
        pushObject(PickleClass::Array);
        return;
      }
      break;
    case PickleClass::DType:
      if (count >= 1 && arguments[0]->kind == Kind::Text) {
        pushObject(PickleClass::DType, std::move(arguments));
        return;
      }
      break;
    case PickleClass::Reconstructor:
      if (count == 3 && isClass(*arguments[0], PickleClass::CsrMatrix)) {
        pushObject(PickleClass::CsrMatrix);
        return;
      }
      break;
    default:
      break;
    }
    fail("a call with " + number(count) + " arguments that makes no array, matrix, list or dict");
  }

  Pickle &pickle;
  std::string_view code;
  std::size_t at = 0, start = 0;
  std::vector<PickleValue *> stack;
  std::vector<std::size_t> marks;
  std::unordered_map<std::uint64_t, PickleValue *> memo;
};

Pickle::Pickle(const std::string &path) : file(path) {
  std::string error;
  if (!format::readFile(path, bytes, error))
    throw Failure(error);
  top = Unpickler(*this).run();
}

std::string describe(const PickleValue &value) {
  switch (value.kind) {
  case Kind::None:
    return "None";
  case Kind::Bool:
  case Kind::Int:
  case Kind::Float:
    return "a number";
  case Kind::Text:
    return "a text";
  case Kind::Tuple:
    return "a tuple of " + number(value.items.size());
  case Kind::List:
    return "a list of " + number(value.items.size());
  case Kind::Dict:
    return "a dict of " + number(value.items.size() / 2);
  case Kind::Class:
    return "a class";
  case Kind::Object:
    break;
  }
  return value.type == PickleClass::Array   ? "a numpy array"
         : value.type == PickleClass::DType ? "a numpy dtype"
                                            : "a CSR matrix";
}

} // namespace gnnc::bench
