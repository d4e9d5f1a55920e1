//===- Plan.cpp - plan.json: write, read, check ---------------------------===//
//
// Symbols and buffers are called by their names in the file and by their index
// in memory. The reader works down the JSON tree with the path at hand, so that
// each complaint says where it is: "plan.json: forward[2].gemm.a: ...".
//
//===----------------------------------------------------------------------===//
#include "runtime/format/Plan.h"

#include <map>
#include <nlohmann/json.hpp>

namespace gnnc::format {
namespace {

using Json = nlohmann::ordered_json;

template <class E>
struct Names {
  std::vector<std::pair<E, const char *>> list;
  const char *of(E value) const {
    for (const auto &[key, text] : list)
      if (key == value)
        return text;
    return "?";
  }
};

const Names<Symbol::Source> kSources = {{{Symbol::Source::GraphDst, "graph_dst"},
                                         {Symbol::Source::GraphSrc, "graph_src"},
                                         {Symbol::Source::GraphEdges, "graph_edges"},
                                         {Symbol::Source::Prepare, "prepare"},
                                         {Symbol::Source::IndexRows, "index_rows"},
                                         {Symbol::Source::IndexSegments, "index_segments"},
                                         {Symbol::Source::IndexEnd, "index_end"}}};
const Names<Buffer::Kind> kKinds = {{{Buffer::Kind::Input, "input"},
                                     {Buffer::Kind::Output, "output"},
                                     {Buffer::Kind::Weight, "weight"},
                                     {Buffer::Kind::GraphIndex, "graph_index"},
                                     {Buffer::Kind::GraphData, "graph_data"},
                                     {Buffer::Kind::Persistent, "persistent"},
                                     {Buffer::Kind::Transient, "transient"}}};

//===----------------------------------------------------------------------===//
// Writer
//===----------------------------------------------------------------------===//

struct Writer {
  const Plan &plan;

  /// A plain number when there is no term. A term leaves out fields at their default.
  Json formula(const Formula &formula) const {
    if (formula.terms.empty())
      return formula.constant;
    Json terms = Json::array();
    for (const Formula::Term &term : formula.terms) {
      Json &out = terms.emplace_back();
      out["symbol"] = plan.symbols[static_cast<std::size_t>(term.symbol)].name;
      out["factor"] = term.factor;
      if (term.divisor != 1)
        out["divisor"] = term.divisor;
      if (term.scale != 1)
        out["scale"] = term.scale;
      if (term.offset != 0)
        out["offset"] = term.offset;
    }
    return {{"constant", formula.constant}, {"terms", terms}};
  }
  Json formulas(const std::vector<Formula> &list) const {
    Json out = Json::array();
    for (const Formula &item : list)
      out.push_back(formula(item));
    return out;
  }
  Json buffer(int index) const {
    return index < 0 ? Json(nullptr) : Json(plan.buffers[static_cast<std::size_t>(index)].name);
  }
  Json buffers(const std::vector<int> &list) const {
    Json out = Json::array();
    for (int index : list)
      out.push_back(buffer(index));
    return out;
  }

  Json launch(const Launch &launch) const {
    Json arguments = Json::array();
    for (const Argument &argument : launch.arguments)
      arguments.push_back(argument.buffer >= 0 ? Json{{"buffer", buffer(argument.buffer)}}
                                               : Json{{"value", formula(argument.value)}});
    return {{"kernel", launch.kernel},
            {"arguments", arguments},
            {"grid", formulas(launch.grid)},
            {"block", launch.block},
            {"shared_bytes", launch.sharedBytes},
            {"items", formula(launch.items)},
            {"row_pointer", buffer(launch.rowPointer)},
            {"bytes", formula(launch.bytes)},
            {"flops", formula(launch.flops)}};
  }
  Json gemm(const Gemm &gemm) const {
    return {{"a", buffer(gemm.a)},
            {"b", buffer(gemm.b)},
            {"c", buffer(gemm.c)},
            {"bias", buffer(gemm.bias)},
            {"residual", buffer(gemm.residual)},
            {"m", formula(gemm.m)},
            {"n", gemm.n},
            {"k", gemm.k},
            {"heads", gemm.heads},
            {"heads_beside", gemm.headsBeside},
            {"transpose_b", gemm.transposeB},
            {"activation", gemm.activation},
            {"precision", gemm.precision}};
  }
  Json call(const GraphCall &call) const {
    Json symbols = Json::array();
    for (int index : call.symbols)
      symbols.push_back(plan.symbols[static_cast<std::size_t>(index)].name);
    Json out = {{"callee", call.callee},
                {"inputs", buffers(call.inputs)},
                {"outputs", buffers(call.outputs)},
                {"symbols", symbols},
                {"dst_nodes", formula(call.dstNodes)},
                {"src_nodes", formula(call.srcNodes)},
                {"edges", formula(call.edges)},
                {"fill", call.fill},
                {"chunk", call.chunk},
                {"order", call.order}};
    if (call.callee == "make_graph")
      out["form"] = call.form;
    if (call.callee == "slice") {
      out["offsets"] = call.offsets;
      out["sizes"] = call.sizes;
    }
    return out;
  }
  Json commands(const std::vector<Command> &list) const {
    Json out = Json::array();
    for (const Command &command : list) {
      switch (command.kind) {
      case Command::Kind::Launch:
        out.push_back({{"launch", launch(command.launch)}});
        break;
      case Command::Kind::Gemm:
        out.push_back({{"gemm", gemm(command.gemm)}});
        break;
      case Command::Kind::GraphCall:
        out.push_back({{"graph_call", call(command.call)}});
        break;
      }
    }
    return out;
  }

  Json write() const {
    Json json;
    json["version"] = plan.version;
    json["producer"] = plan.producer;
    json["program"] = plan.program;
    json["target"] = plan.target;
    json["chip"] = plan.chip;
    json["mode"] = plan.mode;
    json["dynamic"] = plan.dynamic;
    json["io_alignment"] = plan.ioAlignment;
    json["symbols"] = Json::array();
    for (const Symbol &symbol : plan.symbols) {
      json["symbols"].push_back({{"name", symbol.name},
                                 {"source", kSources.of(symbol.source)},
                                 {"bound", formula(symbol.bound)}});
      if (symbol.ofIndex())
        json["symbols"].back()["tensor"] = symbol.tensor;
    }
    json["buffers"] = Json::array();
    for (const Buffer &buffer : plan.buffers)
      json["buffers"].push_back({{"name", buffer.name},
                                 {"kind", kKinds.of(buffer.kind)},
                                 {"dtype", name(buffer.dtype)},
                                 {"shape", formulas(buffer.shape)},
                                 {"arena_offset", formula(buffer.arenaOffset)},
                                 {"zeroed", buffer.zeroed}});
    json["prepare"] = commands(plan.prepare);
    json["forward"] = commands(plan.forward);
    json["arena_bytes"] = formula(plan.arenaBytes);
    json["prepare_arena_bytes"] = formula(plan.prepareArenaBytes);
    json["guards"] = Json::array();
    for (const Guard &guard : plan.guards)
      json["guards"].push_back({{"kind", guard.kind},
                                {"value", formula(guard.value)},
                                {"limit", guard.limit},
                                {"what", guard.what}});
    return json;
  }
};

//===----------------------------------------------------------------------===//
// Reader
//===----------------------------------------------------------------------===//

struct ReadError {
  std::string text;
};

/// One place in the JSON tree.
struct Cursor {
  const Json &json;
  std::string path;

  [[noreturn]] void fail(const std::string &what) const {
    throw ReadError{"plan.json: " + (path.empty() ? std::string("top level") : path) + ": " + what};
  }
  std::string shown() const {
    std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
    return text.size() > 60 ? text.substr(0, 57) + "..." : text;
  }
  Cursor operator[](const char *key) const {
    if (!json.is_object())
      fail("expected an object, found " + shown());
    auto found = json.find(key);
    if (found == json.end())
      fail(std::string("'") + key + "' is missing");
    return {*found, path.empty() ? key : path + "." + key};
  }
  std::vector<Cursor> elements() const {
    if (!json.is_array())
      fail("expected a list, found " + shown());
    std::vector<Cursor> out;
    out.reserve(json.size());
    for (std::size_t i = 0; i < json.size(); ++i)
      out.push_back({json[i], path + "[" + std::to_string(i) + "]"});
    return out;
  }
  std::int64_t integer() const {
    if (!json.is_number_integer() ||
        (json.is_number_unsigned() && json.get<std::uint64_t>() > INT64_MAX))
      fail("expected an integer, found " + shown());
    return json.get<std::int64_t>();
  }
  std::int64_t count() const {
    std::int64_t value = integer();
    if (value < 0)
      fail("expected an integer of at least 0, found " + shown());
    return value;
  }
  double number() const {
    if (!json.is_number())
      fail("expected a number, found " + shown());
    return json.get<double>();
  }
  bool boolean() const {
    if (!json.is_boolean())
      fail("expected true or false, found " + shown());
    return json.get<bool>();
  }
  std::string text() const {
    if (!json.is_string())
      fail("expected a string, found " + shown());
    return json.get<std::string>();
  }
  std::string oneOf(std::initializer_list<const char *> words) const {
    std::string found = text(), list;
    for (const char *word : words) {
      if (found == word)
        return found;
      list += (list.empty() ? "" : ", ") + std::string(word);
    }
    fail("expected one of " + list + "; found " + shown());
  }
  template <class E>
  E oneOf(const Names<E> &names) const {
    std::string found = text(), list;
    for (const auto &[value, word] : names.list) {
      if (found == word)
        return value;
      list += (list.empty() ? "" : ", ") + std::string(word);
    }
    fail("expected one of " + list + "; found " + shown());
  }
};

struct Reader {
  Plan &plan;
  std::map<std::string, int> symbolIds, bufferIds;

  int lookUp(const Cursor &at, const std::map<std::string, int> &ids, const char *what) const {
    auto found = ids.find(at.text());
    if (found == ids.end())
      at.fail(std::string("no ") + what + " is called " + at.shown());
    return found->second;
  }
  int buffer(const Cursor &at) const { return lookUp(at, bufferIds, "buffer"); }
  int optionalBuffer(const Cursor &at) const { return at.json.is_null() ? -1 : buffer(at); }
  std::vector<int> buffers(const Cursor &at) const {
    std::vector<int> out;
    for (const Cursor &item : at.elements())
      out.push_back(buffer(item));
    return out;
  }
  Formula formula(const Cursor &at) const {
    Formula out;
    if (at.json.is_number()) {
      out.constant = at.integer();
      return out;
    }
    out.constant = at["constant"].integer();
    for (const Cursor &item : at["terms"].elements()) {
      Formula::Term term;
      term.symbol = lookUp(item["symbol"], symbolIds, "symbol");
      term.factor = item["factor"].integer();
      for (auto [key, field, least] : {std::tuple("divisor", &term.divisor, 1),
                                       {"scale", &term.scale, 1},
                                       {"offset", &term.offset, 0}}) {
        if (!item.json.contains(key))
          continue;
        *field = item[key].integer();
        if (*field < least)
          item[key].fail("expected at least " + std::to_string(least) + ", found " +
                         item[key].shown());
      }
      out.terms.push_back(term);
    }
    return out;
  }
  std::vector<Formula> formulas(const Cursor &at) const {
    std::vector<Formula> out;
    for (const Cursor &item : at.elements())
      out.push_back(formula(item));
    return out;
  }

  Launch launch(const Cursor &at) const {
    Launch out;
    out.kernel = at["kernel"].text();
    for (const Cursor &item : at["arguments"].elements()) {
      Argument argument;
      if (item.json.is_object() && item.json.contains("buffer"))
        argument.buffer = buffer(item["buffer"]);
      else
        argument.value = formula(item["value"]);
      out.arguments.push_back(argument);
    }
    out.grid = formulas(at["grid"]);
    if (plan.target == "cuda" && out.grid.size() != 3)
      at["grid"].fail("expected 3 extents, found " + std::to_string(out.grid.size()));
    out.block = at["block"].count();
    if (plan.target == "cuda" && (out.block < 1 || out.block > 1024))
      at["block"].fail("expected 1 to 1024 threads, found " + std::to_string(out.block));
    out.sharedBytes = at["shared_bytes"].count();
    out.items = formula(at["items"]);
    out.rowPointer = optionalBuffer(at["row_pointer"]);
    if (out.rowPointer >= 0) {
      const Buffer &rows = plan.buffers[static_cast<std::size_t>(out.rowPointer)];
      if (rows.dtype != DType::I32 || rows.shape.size() != 1)
        at["row_pointer"].fail("expected an I32 buffer of rank 1, '" + rows.name + "' is " +
                               name(rows.dtype) + " of rank " + std::to_string(rows.shape.size()));
    }
    out.bytes = formula(at["bytes"]);
    out.flops = formula(at["flops"]);
    return out;
  }
  Gemm gemm(const Cursor &at) const {
    Gemm out;
    out.a = buffer(at["a"]);
    out.b = buffer(at["b"]);
    out.c = buffer(at["c"]);
    out.bias = optionalBuffer(at["bias"]);
    out.residual = optionalBuffer(at["residual"]);
    out.m = formula(at["m"]);
    out.n = at["n"].count();
    out.k = at["k"].count();
    out.heads = at["heads"].count();
    if (out.heads < 1 || out.n % out.heads != 0)
      at["heads"].fail(std::to_string(out.heads) + " heads do not divide the " +
                       std::to_string(out.n) + " columns of the result");
    out.headsBeside = at["heads_beside"].boolean();
    out.transposeB = at["transpose_b"].boolean();
    out.activation = at["activation"].oneOf({"none", "relu"});
    out.precision = at["precision"].oneOf({"fp32", "tf32", "bf16", "f16", "fp32x3"});
    return out;
  }
  GraphCall call(const Cursor &at) const {
    GraphCall out;
    out.callee = at["callee"].text();
    out.inputs = buffers(at["inputs"]);
    out.outputs = buffers(at["outputs"]);
    for (const Cursor &item : at["symbols"].elements()) {
      int id = lookUp(item, symbolIds, "symbol");
      if (plan.symbols[static_cast<std::size_t>(id)].source != Symbol::Source::Prepare)
        item.fail("symbol " + item.shown() + " is not one that prepare sets");
      out.symbols.push_back(id);
    }
    out.dstNodes = formula(at["dst_nodes"]);
    out.srcNodes = formula(at["src_nodes"]);
    out.edges = formula(at["edges"]);
    out.fill = at["fill"].number();
    out.chunk = at["chunk"].count();
    out.order = at["order"].oneOf({"", "row", "longest", "windows"});
    if (out.callee == "make_graph")
      out.form = at["form"].oneOf({"coo", "csr", "gather", "scatter", "segments"});
    if (out.callee == "slice") {
      for (const Cursor &item : at["offsets"].elements())
        out.offsets.push_back(item.count());
      for (const Cursor &item : at["sizes"].elements())
        out.sizes.push_back(item.count());
    }
    return out;
  }
  /// A constant of forward that forward writes would be read as it was packed.
  void checkResult(const Cursor &at, const Gemm &gemm) const {
    const Buffer &buffer = plan.buffers[static_cast<std::size_t>(gemm.c)];
    if (buffer.kind == Buffer::Kind::Persistent)
      at["c"].fail("forward writes '" + buffer.name + "', which is prepare's");
  }
  std::vector<Command> commands(const Cursor &at, bool inForward) const {
    std::vector<Command> out;
    for (const Cursor &item : at.elements()) {
      Command &command = out.emplace_back();
      if (item.json.is_object() && item.json.contains("launch")) {
        command.kind = Command::Kind::Launch;
        command.launch = launch(item["launch"]);
      } else if (item.json.is_object() && item.json.contains("gemm")) {
        command.kind = Command::Kind::Gemm;
        command.gemm = gemm(item["gemm"]);
        if (inForward)
          checkResult(item["gemm"], command.gemm);
      } else if (item.json.is_object() && item.json.contains("graph_call")) {
        command.kind = Command::Kind::GraphCall;
        command.call = call(item["graph_call"]);
      } else {
        item.fail("expected launch, gemm or graph_call, found " + item.shown());
      }
    }
    return out;
  }

  void define(std::map<std::string, int> &ids, const Cursor &name, std::size_t index) const {
    if (name.text().empty() || !ids.emplace(name.text(), static_cast<int>(index)).second)
      name.fail(name.shown() + " is empty or used twice");
  }

  void read(const Cursor &at) {
    std::int64_t version = at["version"].integer();
    if (version != kFormatVersion)
      at["version"].fail("version " + std::to_string(version) + ", this runtime reads version " +
                         std::to_string(kFormatVersion) + "; compile the program again");
    plan.producer = at["producer"].text();
    plan.program = at["program"].text();
    plan.target = at["target"].oneOf({"cpu", "cuda"});
    plan.chip = at["chip"].text();
    plan.mode = at["mode"].oneOf(
        {"default", "reduce-overhead", "max-autotune-no-cudagraphs", "max-autotune"});
    plan.dynamic = at["dynamic"].oneOf({"true", "false", "auto"});
    // Without the key: the widest access that any kernel has ever made.
    if (at.json.contains("io_alignment"))
      plan.ioAlignment = at["io_alignment"].integer();
    if (plan.ioAlignment < 1 || plan.ioAlignment > 256 ||
        (plan.ioAlignment & (plan.ioAlignment - 1)) != 0)
      at["io_alignment"].fail("expected a power of two up to 256, found " +
                              std::to_string(plan.ioAlignment));
    // Names first: a bound may speak of any symbol.
    for (const Cursor &item : at["symbols"].elements()) {
      define(symbolIds, item["name"], plan.symbols.size());
      plan.symbols.push_back({item["name"].text(), item["source"].oneOf(kSources), {}, {}});
      if (Symbol &symbol = plan.symbols.back(); symbol.ofIndex())
        symbol.tensor = item["tensor"].text();
    }
    for (const Cursor &item : at["symbols"].elements())
      plan.symbols[static_cast<std::size_t>(symbolIds[item["name"].text()])].bound =
          formula(item["bound"]);
    for (const Cursor &item : at["buffers"].elements()) {
      define(bufferIds, item["name"], plan.buffers.size());
      Buffer &buffer = plan.buffers.emplace_back();
      buffer.name = item["name"].text();
      buffer.kind = item["kind"].oneOf(kKinds);
      if (!parseDType(item["dtype"].text(), buffer.dtype) || buffer.dtype > DType::U8)
        item["dtype"].fail("expected one of F32, F64, F16, BF16, I32, I64, U8; found " +
                           item["dtype"].shown());
      buffer.shape = formulas(item["shape"]);
      if (buffer.shape.size() > 8)
        item["shape"].fail("expected at most 8 extents, found " +
                           std::to_string(buffer.shape.size()));
      buffer.arenaOffset = formula(item["arena_offset"]);
      buffer.zeroed = item["zeroed"].boolean();
      if (buffer.kind == Buffer::Kind::GraphIndex && buffer.name != "src" && buffer.name != "dst")
        item["name"].fail("a graph_index buffer is called src or dst, found " +
                          item["name"].shown());
    }
    plan.prepare = commands(at["prepare"], /*inForward=*/false);
    plan.forward = commands(at["forward"], /*inForward=*/true);
    plan.arenaBytes = formula(at["arena_bytes"]);
    plan.prepareArenaBytes = formula(at["prepare_arena_bytes"]);
    for (const Cursor &item : at["guards"].elements())
      plan.guards.push_back({item["kind"].oneOf({"max", "equal"}), formula(item["value"]),
                             item["limit"].integer(), item["what"].text()});
  }
};

} // namespace

std::string toJson(const Plan &plan) {
  return Writer{plan}.write().dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool fromJson(const std::string &text, Plan &plan, std::string &error) {
  plan = {};
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) {
    error = "plan.json: not valid JSON (" + std::to_string(text.size()) + " bytes)";
    return false;
  }
  try {
    Reader{plan, {}, {}}.read({json, ""});
  } catch (const ReadError &failure) {
    error = failure.text;
    return false;
  }
  return true;
}

} // namespace gnnc::format
