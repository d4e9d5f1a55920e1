//===- TextGraph.cpp - Edge lists and Matrix Market -----------------------===//
#include "tools/graph/TextGraph.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <string_view>

namespace gnnc::tools {

using format::DType;
using format::Tensor;

namespace {

/// Words of a text, line by line.
class Scanner {
public:
  explicit Scanner(std::string_view text) : rest(text) {}

  /// Goes to the next line; false at the end.
  bool nextLine() {
    if (rest.empty())
      return false;
    std::size_t end = rest.find('\n');
    line = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    ++number;
    return true;
  }
  std::string_view word() {
    std::size_t begin = line.find_first_not_of(" \t\r,");
    if (begin == std::string_view::npos) {
      line = {};
      return {};
    }
    line.remove_prefix(begin);
    std::string_view found = line.substr(0, line.find_first_of(" \t\r,"));
    line.remove_prefix(found.size());
    return found;
  }
  std::string_view wholeLine() const { return line; }
  std::int64_t lineNumber() const { return number; }

private:
  std::string_view rest, line;
  std::int64_t number = 0;
};

template <class T>
bool parse(std::string_view word, T &value) {
  auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  return code == std::errc() && end == word.data() + word.size() && !word.empty();
}

struct Edges {
  std::vector<std::int64_t> src, dst;
  std::vector<float> weights;
  std::int64_t sources = -1, destinations = -1; ///< -1: not said
};

struct Failure {
  const std::string &path;
  Scanner &scanner;
  std::string &error;
  bool operator()(const std::string &what) const {
    error = path + ":" + std::to_string(scanner.lineNumber()) + ": " + what;
    return false;
  }
};

std::string quoted(std::string_view word) { return "'" + std::string(word.substr(0, 40)) + "'"; }

bool readEdgeList(const std::string &path, std::string_view text, Edges &edges,
                  std::string &error) {
  Scanner scanner(text);
  Failure fail{path, scanner, error};
  while (scanner.nextLine()) {
    std::string_view first = scanner.word();
    if (first.empty())
      continue;
    if (first.front() == '#' || first.front() == '%') {
      std::int64_t count = 0;
      std::string_view key = scanner.word();
      if (key != "nodes" && key != "nodes:" && key != "Nodes:")
        continue;
      std::string_view number = scanner.word();
      if (parse(number, count) && count >= 0)
        edges.sources = edges.destinations = count;
      else if (number.find_first_of("0123456789") <= 1) // else it is prose
        return fail("nodes is " + quoted(number) + ", expected a count");
      continue;
    }
    std::int64_t src = 0, dst = 0;
    std::string_view second = scanner.word(), third = scanner.word();
    if (!parse(first, src) || !parse(second, dst))
      return fail("expected \"source destination [weight]\", found " + quoted(first) + " " +
                  quoted(second));
    if (std::string_view fourth = scanner.word(); !fourth.empty())
      return fail("expected \"source destination [weight]\", found " + quoted(fourth) +
                  " after them");
    edges.src.push_back(src);
    edges.dst.push_back(dst);
    if (!third.empty()) {
      float weight = 0;
      if (!parse(third, weight))
        return fail("weight " + quoted(third) + " is no number");
      edges.weights.push_back(weight);
    }
    if (!edges.weights.empty() && edges.weights.size() != edges.src.size())
      return fail("some edges have a weight and some have none");
  }
  return true;
}

bool readMatrixMarket(const std::string &path, std::string_view text, Edges &edges,
                      std::string &error) {
  Scanner scanner(text);
  Failure fail{path, scanner, error};
  auto lower = [](std::string_view word) {
    std::string out(word);
    for (char &letter : out)
      letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return out;
  };
  if (!scanner.nextLine() || scanner.word() != "%%MatrixMarket")
    return fail("a Matrix Market file begins with %%MatrixMarket");
  std::string object = lower(scanner.word()), kind = lower(scanner.word()),
              field = lower(scanner.word()), symmetry = lower(scanner.word());
  bool symmetric = symmetry == "symmetric", pattern = field == "pattern";
  if (object != "matrix" || kind != "coordinate" ||
      (!pattern && field != "real" && field != "integer") || (!symmetric && symmetry != "general"))
    return fail("'" + object + " " + kind + " " + field + " " + symmetry +
                "' is not supported; expected matrix coordinate, pattern, real or integer, general "
                "or symmetric");
  std::int64_t rows = -1, columns = 0, entries = 0, seen = 0;
  while (scanner.nextLine()) {
    std::string_view first = scanner.word();
    if (first.empty() || first.front() == '%')
      continue;
    std::string_view second = scanner.word(), third = scanner.word();
    if (rows < 0) {
      if (!parse(first, rows) || !parse(second, columns) || !parse(third, entries) || rows < 0 ||
          columns < 0 || entries < 0)
        return fail("expected \"rows columns entries\"");
      if (symmetric && rows != columns)
        return fail("the matrix is " + std::to_string(rows) + "x" + std::to_string(columns) +
                    ", a symmetric one is square");
      edges.sources = rows;
      edges.destinations = columns;
      continue;
    }
    std::int64_t src = 0, dst = 0;
    float weight = 1;
    if (!parse(first, src) || !parse(second, dst) || (!pattern && !parse(third, weight)))
      return fail(std::string("expected \"row column") + (pattern ? "\"" : " value\"") +
                  ", found " + quoted(first) + " " + quoted(second) + " " + quoted(third));
    if (src < 1 || src > rows || dst < 1 || dst > columns)
      return fail("entry (" + std::to_string(src) + ", " + std::to_string(dst) +
                  ") is not in a matrix of " + std::to_string(rows) + " rows and " +
                  std::to_string(columns) + " columns counted from 1");
    ++seen;
    for (bool mirrored : {false, true}) {
      if (mirrored && (!symmetric || src == dst))
        break;
      edges.src.push_back((mirrored ? dst : src) - 1);
      edges.dst.push_back((mirrored ? src : dst) - 1);
      if (!pattern)
        edges.weights.push_back(weight);
    }
  }
  if (rows < 0 || seen != entries)
    return fail("the file has " + std::to_string(seen) + " entries, its header says " +
                std::to_string(entries));
  return true;
}

void append(std::string &out, std::int64_t value) {
  char text[24];
  out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

void append(std::string &out, float value) {
  char text[32]; // the shortest text that reads back as the same number
  out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

} // namespace

TextFormat textFormatOf(const std::string &path) {
  std::string name = path;
  auto endsWith = [&](std::string_view ending) {
    return name.size() > ending.size() &&
           std::string_view(name).substr(name.size() - ending.size()) == ending;
  };
  if (endsWith(".gz"))
    name.resize(name.size() - 3);
  if (endsWith(".txt") || endsWith(".el") || endsWith(".edges"))
    return TextFormat::EdgeList;
  return endsWith(".mtx") ? TextFormat::MatrixMarket : TextFormat::None;
}

bool readTextGraph(const std::string &path, TextFormat format, format::TensorFile &file,
                   std::string &error) {
  format::Bytes bytes;
  if (!format::readFile(path, bytes, error))
    return false;
  std::string_view text(reinterpret_cast<const char *>(bytes.data), bytes.size);
  Edges edges;
  bool good = format == TextFormat::MatrixMarket ? readMatrixMarket(path, text, edges, error)
                                                 : readEdgeList(path, text, edges, error);
  if (!good)
    return false;
  auto count = static_cast<std::int64_t>(edges.src.size());
  Tensor index, weights;
  std::string what;
  if (!allocateTensor("edge_index", DType::I64, {2, count}, index, what) ||
      !allocateTensor("edge_weight", DType::F32, {count}, weights, what)) {
    error = path + ": " + what;
    return false;
  }
  auto *ids = const_cast<std::byte *>(index.bytes.data);
  if (count > 0) {
    std::memcpy(ids, edges.src.data(), edges.src.size() * 8);
    std::memcpy(ids + edges.src.size() * 8, edges.dst.data(), edges.dst.size() * 8);
  }
  file.tensors.push_back(std::move(index));
  if (!edges.weights.empty()) {
    std::memcpy(const_cast<std::byte *>(weights.bytes.data), edges.weights.data(),
                weights.bytes.size);
    file.tensors.push_back(std::move(weights));
  }
  if (edges.sources != edges.destinations) {
    file.metadata[kNumSources] = std::to_string(edges.sources);
    file.metadata[kNumDestinations] = std::to_string(edges.destinations);
  } else if (edges.sources >= 0) {
    file.metadata[kNumNodes] = std::to_string(edges.sources);
  }
  return true;
}

bool writeTextGraph(const std::string &path, TextFormat format, const GraphFile &graph,
                    std::string &error) {
  const Tensor *weights = graph.file.find("edge_weight");
  if (weights && (weights->dtype != DType::F32 || weights->shape.size() != 1)) {
    error = graph.path + ": edge_weight is " + format::describe(weights->dtype, weights->shape) +
            ", text keeps F32 [edges] only";
    return false;
  }
  bool market = format == TextFormat::MatrixMarket;
  // Read back, a square matrix has one set of nodes.
  if (graph.isBipartite && (!market || graph.sources == graph.destinations)) {
    error = graph.path + ": " + graph.counts() + ": " + path +
            " would have one set of nodes; write .safetensors" +
            (market ? "" : ", or .mtx where the counts differ");
    return false;
  }
  std::string text;
  if (market) {
    text = std::string("%%MatrixMarket matrix coordinate ") + (weights ? "real" : "pattern") +
           " general\n";
    append(text, graph.sources);
    text += ' ';
    append(text, graph.destinations);
    text += ' ';
    append(text, graph.edges);
    text += '\n';
  } else {
    text = "# nodes ";
    append(text, graph.sources);
    text += '\n';
  }
  for (std::int64_t e = 0; e < graph.edges; ++e) {
    append(text, graph.id(0, e) + market);
    text += ' ';
    append(text, graph.id(1, e) + market);
    if (weights) {
      text += ' ';
      append(text, weights->as<float>()[e]);
    }
    text += '\n';
  }
  format::Piece piece{text.data(), text.size()};
  return format::writeFile(path, &piece, 1, error);
}

} // namespace gnnc::tools
