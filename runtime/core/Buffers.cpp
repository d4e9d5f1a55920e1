//===- Buffers.cpp - A session's memory -----------------------------------===//
#include "runtime/core/Buffers.h"

#include <cstring>

namespace gnnc::runtime {

using format::Buffer;
using format::Formula;
using format::Symbol;

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

/// The count of an index tensor that `symbol` is, or -1 and why there is none.
static std::int64_t countOf(const Symbol &symbol, const Graph &graph, Status &failure) {
  const format::Tensor *tensor = graph.index(symbol.tensor);
  if (!tensor) {
    failure = {Code::InvalidGraph, "bind: the program needs the index tensor '" + symbol.tensor +
                                       "', I32 or I64 of rank 1; the graph has none of that name"};
    return -1;
  }
  std::int64_t rows = tensor->shape.front();
  if (symbol.source == Symbol::Source::IndexRows)
    return rows;
  if (rows == 0) {
    failure = {Code::InvalidGraph, "bind: row pointer '" + symbol.tensor +
                                       "' is empty; it has one entry more than segments"};
    return -1;
  }
  if (symbol.source == Symbol::Source::IndexSegments)
    return rows - 1;
  std::int64_t end = tensor->dtype == format::DType::I32 ? tensor->as<std::int32_t>()[rows - 1]
                                                         : tensor->as<std::int64_t>()[rows - 1];
  if (end < 0)
    failure = {Code::InvalidGraph, "bind: row pointer '" + symbol.tensor + "' ends with " +
                                       std::to_string(end) + ", expected a number of rows"};
  return end;
}

Symbols::Symbols(const format::Plan &plan, std::int64_t dstNodes, std::int64_t srcNodes,
                 std::int64_t edges)
    : plan(&plan), values(plan.symbols.size(), 0), known(plan.symbols.size(), false) {
  for (std::size_t i = 0; i < plan.symbols.size(); ++i)
    for (auto [source, value] : {std::pair(Symbol::Source::GraphDst, dstNodes),
                                 {Symbol::Source::GraphSrc, srcNodes},
                                 {Symbol::Source::GraphEdges, edges}})
      if (plan.symbols[i].source == source) {
        values[i] = value;
        known[i] = true;
      }
}

Symbols::Symbols(const format::Plan &plan, const Graph &graph)
    : Symbols(plan, graph.dstNodes(), graph.srcNodes(), graph.edges()) {
  for (std::size_t i = 0; i < plan.symbols.size() && failure; ++i)
    if (plan.symbols[i].ofIndex()) {
      values[i] = countOf(plan.symbols[i], graph, failure);
      known[i] = true;
    }
}

bool Symbols::knows(const Formula &formula) const {
  for (const Formula::Term &term : formula.terms)
    if (!known[static_cast<std::size_t>(term.symbol)])
      return false;
  return true;
}

Expected<std::int64_t> Symbols::evaluate(const Formula &formula) const {
  if (!knows(formula))
    return Status{Code::InvalidFile, "plan.json: " + formula.text(*plan) +
                                         " is needed before prepare has set its symbols"};
  return formula.evaluate(values);
}

Expected<std::int64_t> Symbols::count(const Formula &formula, const std::string &what) const {
  auto value = evaluate(formula);
  if (value && *value < 0)
    return Status{Code::InvalidFile, "plan.json: " + what + " is " + formula.text(*plan) + " = " +
                                         std::to_string(*value) + ", expected at least 0"};
  return value;
}

Status Symbols::set(int symbol, std::int64_t value) {
  const Symbol &info = plan->symbols[static_cast<std::size_t>(symbol)];
  auto bound = evaluate(info.bound);
  if (!bound)
    return bound.status();
  if (value < 0 || value > *bound)
    return {Code::InvalidFile, "plan.json: symbol '" + info.name + "' became " +
                                   std::to_string(value) + ", its bound " + info.bound.text(*plan) +
                                   " is " + std::to_string(*bound)};
  values[static_cast<std::size_t>(symbol)] = value;
  known[static_cast<std::size_t>(symbol)] = true;
  return {};
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

Buffers::Buffers(const Executable &executable, const Graph &graph, Stream &stream)
    : symbols(executable.plan(), graph), executable(executable), graph(&graph),
      plan(executable.plan()), backend(executable.device().backend()), stream(stream),
      unified(backend.info().unifiedWithHost), states(plan.buffers.size()),
      blocks(plan.buffers.size()) {}

Buffers::~Buffers() = default;

void Buffers::rebind(const Graph &other) {
  symbols = Symbols(plan, other);
  graph = &other;
  states.assign(states.size(), {});
  arenaBytes = 0;
  keeps = true;
}

/// `total`, if there is one, counts what blocks hold.
Expected<void *> Buffers::reserve(Block &block, std::int64_t bytes, const std::string &what,
                                  std::int64_t *total) {
  if (bytes <= block.bytes)
    return block.memory.get();
  if (total)
    *total -= block.bytes;
  block = {}; // first, so that both never are there at once
  auto address = backend.allocate(bytes);
  if (!address)
    return Status(address.status())
        .in("bind: " + what + " (beside " + std::to_string(executable.weightBytes()) +
            " bytes of weights, " + std::to_string(graphTotal) + " of graph, " +
            std::to_string(arenaBytes) + " of scratch)");
  ++allocationCount;
  block = {std::shared_ptr<void>(*address, [this](void *memory) { backend.release(memory); }),
           bytes};
  if (total)
    *total += bytes;
  return block.memory.get();
}

Expected<HostTensor> Buffers::shapeOf(int buffer) const {
  const Buffer &info = description(buffer);
  HostTensor tensor{nullptr, info.dtype, {}};
  auto bytes = static_cast<std::int64_t>(format::sizeOf(info.dtype));
  for (const Formula &formula : info.shape) {
    auto extent = symbols.count(formula, "an extent of '" + info.name + "'");
    if (!extent)
      return extent.status();
    if (__builtin_mul_overflow(bytes, *extent, &bytes))
      return Status{Code::OutOfMemory, "bind: buffer '" + info.name + "' would have " +
                                           formula.text(plan) + " = " + std::to_string(*extent) +
                                           " rows, more than memory can hold"};
    tensor.shape.push_back(*extent);
  }
  return tensor;
}

/// Fixes shape and bytes, and the address of weights.
Status Buffers::size(int buffer) {
  State &it = state(buffer);
  if (it.sized)
    return {};
  auto shape = shapeOf(buffer);
  if (!shape)
    return shape.status();
  it.shape = shape->shape;
  it.bytes = shape->bytes();
  it.sized = true;
  if (description(buffer).kind == Buffer::Kind::Weight) {
    it.device = executable.weight(buffer);
    it.deviceValid = true;
    if (unified)
      it.host = it.device;
  }
  return {};
}

/// Index tensors come in either type, and are read in the program's.
Status Buffers::bindIndexTensor(const format::Tensor &tensor, int buffer) {
  const Buffer &info = description(buffer);
  State &it = state(buffer);
  if (tensor.shape != it.shape ||
      (info.dtype != format::DType::I32 && info.dtype != format::DType::I64)) {
    executable.guards().failed(format::GuardLine::Kind::Width, info.name);
    return {Code::InvalidGraph, "bind: index tensor '" + info.name + "' is " +
                                    format::describe(tensor.dtype, tensor.shape) +
                                    ", the program needs " +
                                    format::describe(info.dtype, it.shape)};
  }
  if (tensor.dtype == info.dtype) {
    it.host = const_cast<std::byte *>(tensor.bytes.data);
    return {};
  }
  std::shared_ptr<std::byte> memory = format::allocateBytes(static_cast<std::size_t>(it.bytes));
  if (!memory)
    return {Code::OutOfMemory, "bind: " + std::to_string(it.bytes) +
                                   " bytes were needed to convert index tensor '" + info.name +
                                   "'"};
  it.hostMemory = memory;
  it.host = memory.get();
  return convertIndexTensor(tensor, {it.host, info.dtype, it.shape});
}

/// Takes the graph's own memory where type and shape agree.
Status Buffers::bindGraphTensor(int buffer) {
  const Buffer &info = description(buffer);
  State &it = state(buffer);
  if (const format::Tensor *index =
          info.kind == Buffer::Kind::GraphData ? graph->index(info.name) : nullptr) {
    GNNC_TRY(bindIndexTensor(*index, buffer));
  } else if (info.kind == Buffer::Kind::GraphData) {
    const format::Tensor *tensor = graph->edgeData(info.name);
    const std::string expected = format::describe(info.dtype, it.shape);
    if (!tensor)
      return {Code::InvalidGraph, "bind: the program needs the edge or index tensor '" + info.name +
                                      "', " + expected + "; the graph has none of that name"};
    if (tensor->dtype != info.dtype || tensor->shape != it.shape) {
      executable.guards().failed(tensor->dtype != info.dtype ? format::GuardLine::Kind::Type
                                                             : format::GuardLine::Kind::Width,
                                 info.name);
      return {Code::InvalidGraph, "bind: edge tensor '" + info.name + "' is " +
                                      format::describe(tensor->dtype, tensor->shape) +
                                      ", the program needs " + expected};
    }
    it.host = const_cast<std::byte *>(tensor->bytes.data);
  } else {
    bool isSrc = info.name == "src";
    const HostTensor &ids = isSrc ? graph->src() : graph->dst();
    std::int64_t extent = isSrc ? graph->srcNodes() : graph->dstNodes();
    if (it.shape.front() != graph->edges())
      return {Code::InvalidFile, "plan.json: '" + info.name + "' has " +
                                     std::to_string(it.shape.front()) + " entries, the graph " +
                                     std::to_string(graph->edges()) + " edges"};
    if (ids.dtype == info.dtype) {
      it.host = ids.data;
    } else {
      std::shared_ptr<std::byte> memory = format::allocateBytes(static_cast<std::size_t>(it.bytes));
      if (!memory)
        return {Code::OutOfMemory, "bind: " + std::to_string(it.bytes) +
                                       " bytes were needed to convert the edge list"};
      it.hostMemory = memory;
      it.host = memory.get();
      Status fits = convertIndices(ids, extent, {it.host, info.dtype, it.shape});
      if (!fits) {
        executable.guards().failed(format::GuardLine::Kind::Index, info.name);
        return fits;
      }
    }
  }
  it.hostValid = true;
  if (unified) {
    it.device = it.host;
    it.deviceValid = true;
  }
  return {};
}

Status Buffers::placeOnDevice(int buffer) {
  GNNC_TRY(size(buffer));
  const Buffer &info = description(buffer);
  State &it = state(buffer);
  if (it.device || it.bytes == 0)
    return {};
  switch (info.kind) {
  case Buffer::Kind::Transient: {
    auto offset = symbols.count(info.arenaOffset, "the offset of '" + info.name + "'");
    if (!offset)
      return offset.status();
    if (it.bytes > arenaBytes || *offset > arenaBytes - it.bytes)
      return {Code::InvalidFile, "plan.json: transient '" + info.name + "' takes " +
                                     std::to_string(it.bytes) + " bytes from " +
                                     std::to_string(*offset) + " on, its arena has " +
                                     std::to_string(arenaBytes)};
    if (*offset % 256 != 0)
      return {Code::InvalidFile, "plan.json: the offset of '" + info.name + "' is " +
                                     std::to_string(*offset) + ", not a multiple of 256"};
    it.device = static_cast<std::byte *>(arena.memory.get()) + *offset;
    break;
  }
  case Buffer::Kind::GraphIndex:
  case Buffer::Kind::GraphData:
    if (!it.hostValid)
      GNNC_TRY(bindGraphTensor(buffer));
    if (it.device)
      return {};
    [[fallthrough]];
  default: {
    bool perRun = info.kind == Buffer::Kind::Input || info.kind == Buffer::Kind::Output;
    auto memory = reserve(blocks[static_cast<std::size_t>(buffer)], it.bytes,
                          "buffer '" + info.name + "'", perRun ? &stagingTotal : &graphTotal);
    if (!memory)
      return memory.status();
    it.device = *memory;
  }
  }
  if (unified)
    it.host = it.device;
  // Transient buffers of forward are zeroed anew in each run.
  bool inPrepare = executable.uses()[static_cast<std::size_t>(buffer)].inPrepare;
  if (info.zeroed && (info.kind == Buffer::Kind::Persistent || inPrepare)) {
    GNNC_TRY(backend.zero(it.device, it.bytes, stream));
    it.deviceValid = unified || !it.hostValid; // what the host wrote is newer
  }
  return {};
}

Status Buffers::placeOnHost(int buffer) {
  GNNC_TRY(size(buffer));
  State &it = state(buffer);
  if (unified)
    return placeOnDevice(buffer);
  if (it.host || it.bytes == 0)
    return {};
  std::shared_ptr<std::byte> memory = format::allocateBytes(static_cast<std::size_t>(it.bytes));
  if (!memory)
    return {Code::OutOfMemory, "bind: " + std::to_string(it.bytes) +
                                   " bytes of host memory were needed for '" +
                                   description(buffer).name + "'"};
  if (description(buffer).zeroed)
    std::memset(memory.get(), 0, static_cast<std::size_t>(it.bytes));
  it.hostMemory = memory;
  it.host = memory.get();
  return {};
}

Status Buffers::openArena(std::int64_t bytes, bool forward) {
  auto memory = reserve(arena, bytes, forward ? "scratch" : "scratch of prepare", nullptr);
  if (!memory)
    return memory.status();
  arenaBytes = bytes;
  return {};
}

void Buffers::closePrepare() {
  for (std::size_t i = 0; i < states.size(); ++i) {
    State &it = states[i];
    Buffer::Kind kind = plan.buffers[i].kind;
    if (kind == Buffer::Kind::Transient)
      it = {};
    bool unused = !executable.uses()[i].inForward;
    if ((kind == Buffer::Kind::GraphIndex || kind == Buffer::Kind::GraphData) && unused) {
      it = {};
      if (!keeps) {
        graphTotal -= blocks[i].bytes;
        blocks[i] = {};
      }
    }
  }
  if (!keeps)
    arena = {};
  arenaBytes = 0;
}

void Buffers::dropHostCopies() {
  for (State &it : states) {
    if (unified || !it.deviceValid)
      continue;
    it.hostMemory.reset();
    it.host = nullptr;
    it.hostValid = false;
  }
}

/// Fails when nothing has written the buffer that prepare is about to read.
Status Buffers::checkWritten(int buffer) {
  GNNC_TRY(size(buffer));
  State &it = state(buffer);
  const Buffer &info = description(buffer);
  bool ofGraph = info.kind == Buffer::Kind::GraphIndex || info.kind == Buffer::Kind::GraphData;
  if (ofGraph && !it.hostValid && !it.deviceValid)
    GNNC_TRY(bindGraphTensor(buffer));
  // Placing a zeroed one makes the zeros.
  if (it.hostValid || it.deviceValid || it.bytes == 0 || info.zeroed)
    return {};
  return {Code::InvalidFile,
          "plan.json: prepare reads '" + info.name + "' before anything has written it"};
}

/// Fails when the buffer is not one that prepare's calls may write.
Status Buffers::checkWritable(int buffer) const {
  const Buffer &info = description(buffer);
  if (info.kind == Buffer::Kind::Persistent || info.kind == Buffer::Kind::Transient)
    return {};
  return {Code::InvalidFile,
          "plan.json: a graph call writes '" + info.name + "', which is not prepare's"};
}

Expected<HostTensor> Buffers::hostRead(int buffer) {
  GNNC_TRY(checkWritten(buffer));
  GNNC_TRY(placeOnHost(buffer));
  State &it = state(buffer);
  if (!unified && !it.hostValid && it.deviceValid && it.bytes > 0)
    GNNC_TRY(backend.copyToHost(it.host, it.device, it.bytes, stream));
  it.hostValid = true;
  return HostTensor{it.host, description(buffer).dtype, it.shape};
}

Expected<HostTensor> Buffers::hostWrite(int buffer) {
  GNNC_TRY(checkWritable(buffer));
  GNNC_TRY(placeOnHost(buffer));
  State &it = state(buffer);
  it.hostValid = true;
  it.deviceValid = unified;
  return HostTensor{it.host, description(buffer).dtype, it.shape};
}

Expected<HostTensor> Buffers::deviceRead(int buffer) {
  GNNC_TRY(checkWritten(buffer));
  auto address = deviceUse(buffer);
  if (!address)
    return address.status();
  return HostTensor{*address, description(buffer).dtype, state(buffer).shape};
}

Expected<HostTensor> Buffers::deviceWrite(int buffer) {
  GNNC_TRY(checkWritable(buffer));
  GNNC_TRY(placeOnDevice(buffer));
  return HostTensor{state(buffer).device, description(buffer).dtype, state(buffer).shape};
}

Expected<void *> Buffers::deviceUse(int buffer) {
  GNNC_TRY(placeOnDevice(buffer));
  State &it = state(buffer);
  if (!unified && it.hostValid && !it.deviceValid && it.bytes > 0) {
    GNNC_TRY(backend.copyToDevice(it.device, it.host, it.bytes, stream));
    it.deviceValid = true;
  }
  return it.device;
}

void Buffers::deviceWrote(int buffer) {
  Buffer::Kind kind = description(buffer).kind;
  if (kind != Buffer::Kind::Persistent && kind != Buffer::Kind::Transient)
    return;
  state(buffer).deviceValid = true;
  state(buffer).hostValid = unified;
}

Expected<void *> Buffers::staging(int buffer) {
  GNNC_TRY(placeOnDevice(buffer));
  return state(buffer).device;
}

} // namespace gnnc::runtime
