//===- SessionRun.cpp - Running, timing and profiling a session -----------===//
#include "runtime/core/Session.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>

namespace gnnc::runtime {

using format::Buffer;
using format::DType;
using Json = nlohmann::ordered_json;

namespace {

Status wrong(std::string message) { return {Code::InvalidArgument, "run: " + std::move(message)}; }

/// The caller's tensor as text, or what is wrong with its description.
Status describeTensor(const gnnc_tensor &tensor, HostTensor &out) {
  const std::string what = std::string("tensor '") + (tensor.name ? tensor.name : "") + "': ";
  if (tensor.dtype < GNNC_F32 || tensor.dtype > GNNC_U8)
    return wrong(what + "element type " + std::to_string(tensor.dtype) + " is not known");
  if (tensor.rank < 0 || tensor.rank > 8)
    return wrong(what + "rank " + std::to_string(tensor.rank) + " is not in [0, 8]");
  if (tensor.rank > 0 && !tensor.shape)
    return wrong(what + "shape is null");
  out = {tensor.data, static_cast<DType>(tensor.dtype), {}};
  if (tensor.rank > 0)
    out.shape.assign(tensor.shape, tensor.shape + tensor.rank);
  return {};
}

const gnnc_tensor *findTensor(const gnnc_tensor *tensors, std::int32_t count,
                              const std::string &name) {
  for (std::int32_t i = 0; i < count; ++i)
    if (tensors[i].name && name == tensors[i].name)
      return &tensors[i];
  return nullptr;
}

} // namespace

/// Compares a tensor with what the program needs and decides where it lives.
Status Session::bindPort(Port &port, const gnnc_tensor *tensor, bool &changed) {
  const Buffer &info = executable->plan().buffers[static_cast<std::size_t>(port.buffer)];
  void *address = nullptr;
  port.tensor = tensor;
  port.staged = true;
  if (tensor) {
    auto expected = buffers.shapeOf(port.buffer);
    if (!expected)
      return expected.status();
    HostTensor found;
    GNNC_TRY(describeTensor(*tensor, found));
    const char *kind = port.isOutput ? "output" : "input";
    if (found.dtype != expected->dtype || found.shape != expected->shape) {
      executable->guards().failed(found.dtype != expected->dtype ? format::GuardLine::Kind::Type
                                                                 : format::GuardLine::Kind::Width,
                                  info.name);
      std::string hint;
      if (found.shape.size() == expected->shape.size() && !found.shape.empty()) {
        if (found.shape.back() != expected->shape.back() && found.shape.size() > 1)
          hint = "; its features do not fit the weights";
        else if (found.shape.front() != expected->shape.front())
          hint = "; the graph decides the rows";
      }
      return wrong(std::string(kind) + " '" + info.name + "' is " + found.text() +
                   ", the program needs " + expected->text() + hint);
    }
    if (port.bytes > 0 && !tensor->data)
      return wrong(std::string(kind) + " '" + info.name + "': data is null");
    bool here = tensor->on_device || backend.info().unifiedWithHost;
    std::uintptr_t given = reinterpret_cast<std::uintptr_t>(tensor->data);
    if (tensor->on_device) {
      GNNC_TRY(backend.checkAddress(tensor->data, port.bytes)
                   .in(std::string("run: ") + kind + " '" + info.name + "'"));
      if (given % format::sizeOf(found.dtype) != 0)
        return wrong(std::string(kind) + " '" + info.name + "' is not aligned to its elements");
    }
    // Kernels may read and write rows in vectors; a tensor that starts elsewhere (a
    // slice, say) goes through memory of our own.
    auto needed = std::max(static_cast<std::uintptr_t>(executable->plan().ioAlignment),
                           static_cast<std::uintptr_t>(format::sizeOf(found.dtype)));
    if (here && given % needed == 0) {
      port.staged = false;
      address = tensor->data;
    }
  }
  if (port.staged) {
    auto memory = buffers.staging(port.buffer);
    if (!memory)
      return memory.status();
    address = *memory;
  }
  if (address != port.address) {
    changed = true;
    port.address = address;
    for (ReadyCommand &command : commands)
      command.setAddress(port.buffer, address);
  }
  return {};
}

/// An output that is used in place is written before all inputs are read.
Status Session::checkOverlaps() const {
  auto name = [&](const Port &port) {
    return (port.isOutput ? "output '" : "input '") +
           executable->plan().buffers[static_cast<std::size_t>(port.buffer)].name + "'";
  };
  for (const Port &port : ports)
    for (const Port &other : ports) {
      if (&port == &other || !port.isOutput || port.staged || other.staged)
        continue;
      auto begin = reinterpret_cast<std::uintptr_t>(port.address);
      auto otherBegin = reinterpret_cast<std::uintptr_t>(other.address);
      if (begin < otherBegin + static_cast<std::uintptr_t>(other.bytes) &&
          otherBegin < begin + static_cast<std::uintptr_t>(port.bytes))
        return wrong(name(port) + " overlaps " + name(other) + " in memory; give it its own");
    }
  return {};
}

Status Session::bindTensors(const RunTensors &tensors, std::int64_t runs) {
  GNNC_TRY(checkBound());
  const format::Plan &plan = executable->plan();
  for (bool isOutput : {false, true}) {
    const gnnc_tensor *list = isOutput ? tensors.outputs : tensors.inputs;
    std::int32_t count = isOutput ? tensors.numOutputs : tensors.numInputs;
    const char *kind = isOutput ? "output" : "input";
    if (count < 0 || (count > 0 && !list))
      return wrong(std::string(kind) + "s are null or their number negative");
    for (std::int32_t i = 0; i < count; ++i) {
      std::string name = list[i].name ? list[i].name : "", names;
      bool known = false;
      for (const Port &port : ports) {
        const std::string &portName = plan.buffers[static_cast<std::size_t>(port.buffer)].name;
        if (port.isOutput != isOutput)
          continue;
        known |= portName == name;
        names += (names.empty() ? "" : ", ") + portName;
      }
      if (!known)
        return wrong(std::string("no ") + kind + " is called '" + name +
                     "'; the program has: " + names);
      if (findTensor(list, i, name))
        return wrong(std::string(kind) + " '" + name + "' is given twice");
    }
  }
  bool changed = false;
  for (Port &port : ports) {
    const std::string &name = plan.buffers[static_cast<std::size_t>(port.buffer)].name;
    const gnnc_tensor *tensor = port.isOutput
                                    ? findTensor(tensors.outputs, tensors.numOutputs, name)
                                    : findTensor(tensors.inputs, tensors.numInputs, name);
    if (!tensor && !port.isOutput) {
      auto shape = buffers.shapeOf(port.buffer);
      return wrong("input '" + name + "' is missing; the program needs " +
                   (shape ? shape->text() : std::string("it")));
    }
    GNNC_TRY(bindPort(port, tensor, changed));
  }
  GNNC_TRY(checkOverlaps());
  if (changed)
    isRecorded = false;
  // What runs once on this graph is queued as it is: that costs less than a recording,
  // and libraries load code when first called, which a recording forbids.
  bool once = rebinds > 0 && !isWarm && runs == 1;
  return !records || isRecorded || once ? Status() : record();
}

Status Session::record() {
  if (!recording || !isWarm) {
    GNNC_TRY(issueAll());
    GNNC_TRY(backend.synchronize(*stream));
  }
  const Recording *before = recording.get();
  const auto begin = std::chrono::steady_clock::now();
  GNNC_TRY(backend.beginCapture(*stream));
  Status issued = issueAll();
  Status ended = backend.endCapture(*stream, recording);
  GNNC_TRY(std::move(issued));
  GNNC_TRY(std::move(ended));
  isRecorded = isWarm = true;
  if (before && recording.get() == before) {
    ++updates;
    updateTime +=
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    return {};
  }
  ++captures;
  if (before) {
    ++failedUpdates;
    whyNotUpdated = recording->whyMadeAnew;
  }
  return {};
}

Status Session::copyInputs() {
  for (const Port &port : ports) {
    if (port.isOutput || !port.staged || port.bytes == 0)
      continue;
    if (port.tensor->on_device)
      GNNC_TRY(backend.copyOnDevice(port.address, port.tensor->data, port.bytes, *stream));
    else
      GNNC_TRY(backend.copyToDevice(port.address, port.tensor->data, port.bytes, *stream));
  }
  return {};
}

Status Session::copyOutputs() {
  for (const Port &port : ports)
    if (port.isOutput && port.staged && port.tensor && port.bytes > 0) {
      if (port.tensor->on_device)
        GNNC_TRY(backend.copyOnDevice(port.tensor->data, port.address, port.bytes, *stream));
      else
        GNNC_TRY(backend.copyToHost(port.tensor->data, port.address, port.bytes, *stream));
    }
  return backend.synchronize(*stream);
}

Status Session::issueAll() {
  for (ReadyCommand &command : commands)
    GNNC_TRY(command.issue(backend, *stream));
  return {};
}

Status Session::enqueue() {
  isWarm = true;
  if (!records || !isRecorded)
    return issueAll();
  ++replays;
  return backend.replay(*recording, *stream);
}

Status Session::run(const RunTensors &tensors) {
  GNNC_TRY(bindTensors(tensors, 1));
  GNNC_TRY(copyInputs());
  GNNC_TRY(enqueue());
  return copyOutputs();
}

Status Session::time(const RunTensors &tensors, std::int32_t warmup, std::int32_t repeats,
                     std::int32_t inner, double *milliseconds) {
  if (repeats > 0 && !milliseconds)
    return wrong("milliseconds is null");
  if (warmup < 0 || repeats < 0 || inner < 1)
    return wrong("warmup and repeats must be at least 0, inner at least 1; found " +
                 std::to_string(warmup) + ", " + std::to_string(repeats) + ", " +
                 std::to_string(inner));
  GNNC_TRY(bindTensors(tensors, warmup + std::int64_t{repeats} * inner));
  GNNC_TRY(copyInputs());
  for (std::int32_t i = 0; i < warmup; ++i)
    GNNC_TRY(enqueue());
  GNNC_TRY(backend.synchronize(*stream));
  for (std::int32_t i = 0; i < repeats; ++i) {
    GNNC_TRY(backend.record(*events[0], *stream));
    for (std::int32_t j = 0; j < inner; ++j)
      GNNC_TRY(enqueue());
    GNNC_TRY(backend.record(*events[1], *stream));
    auto elapsed = backend.milliseconds(*events[0], *events[1]);
    if (!elapsed)
      return elapsed.status();
    milliseconds[i] = *elapsed / inner;
  }
  return copyOutputs();
}

Status Session::timeMarked(std::int32_t repeats, double *milliseconds) {
  std::vector<std::unique_ptr<Event>> marks;
  std::size_t row = commands.size() + 1;
  for (std::size_t i = 0; i < row * static_cast<std::size_t>(repeats); ++i) {
    auto event = backend.createEvent();
    if (!event)
      return event.status();
    marks.push_back(std::move(*event));
  }
  GNNC_TRY(backend.synchronize(*stream));
  for (std::size_t at = 0; at < marks.size(); at += row) {
    for (std::size_t i = 0; i < commands.size(); ++i) {
      GNNC_TRY(backend.record(*marks[at + i], *stream));
      GNNC_TRY(commands[i].issue(backend, *stream));
    }
    GNNC_TRY(backend.record(*marks[at + commands.size()], *stream));
  }
  for (std::size_t at = 0; at < marks.size(); at += row)
    for (std::size_t i = 0; i < commands.size(); ++i) {
      auto length = backend.milliseconds(*marks[at + i], *marks[at + i + 1]);
      if (!length)
        return length.status();
      *milliseconds++ = *length;
    }
  return {};
}

Status Session::timeCommands(const RunTensors &tensors, std::int32_t warmup, std::int32_t repeats,
                             double *milliseconds) {
  if (repeats > 0 && !milliseconds)
    return wrong("milliseconds is null");
  if (warmup < 0 || repeats < 0)
    return wrong("warmup and repeats must be at least 0; found " + std::to_string(warmup) + ", " +
                 std::to_string(repeats));
  GNNC_TRY(bindTensors(tensors, std::int64_t{warmup} + repeats));
  GNNC_TRY(copyInputs());
  for (std::int32_t i = 0; i < warmup; ++i)
    GNNC_TRY(issueAll());
  GNNC_TRY(timeMarked(repeats, milliseconds));
  return copyOutputs();
}

Status Session::profile(const RunTensors &tensors, const std::string &path) {
  GNNC_TRY(bindTensors(tensors, 1));
  GNNC_TRY(copyInputs());
  GNNC_TRY(issueAll()); // warm
  std::vector<double> begin, duration(commands.size());
  GNNC_TRY(timeMarked(1, duration.data()));
  GNNC_TRY(copyOutputs());
  double at = 0; // a command begins where the one before ends
  for (double length : duration) {
    begin.push_back(at);
    at += length;
  }
  std::string text = traceText(begin, duration), error;
  format::Piece piece{text.data(), text.size()};
  if (!format::writeFile(path, &piece, 1, error))
    return {Code::InvalidArgument, error};
  return {};
}

/// Chrome trace (chrome://tracing, Perfetto): `prepare` on one line, as it was
/// when the graph was bound, and the profiled forward on another. Microseconds.
std::string Session::traceText(const std::vector<double> &begin,
                               const std::vector<double> &duration) const {
  const format::Plan &plan = executable->plan();
  Json events = Json::array();
  auto line = [&](int id, const char *name) {
    events.push_back({{"name", "thread_name"},
                      {"ph", "M"},
                      {"pid", 1},
                      {"tid", id},
                      {"args", {{"name", name}}}});
  };
  line(1, "prepare (once per graph)");
  line(2, "forward");
  double at = 0;
  for (const Timing &timing : prepareTimes) {
    events.push_back({{"name", timing.label},
                      {"cat", "prepare"},
                      {"ph", "X"},
                      {"pid", 1},
                      {"tid", 1},
                      {"ts", at},
                      {"dur", timing.milliseconds * 1000}});
    at += timing.milliseconds * 1000;
  }
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const ReadyCommand &command = commands[i];
    Json arguments = Json::object();
    if (command.bytes > 0)
      arguments["bytes"] = command.bytes;
    if (command.flops > 0)
      arguments["flops"] = command.flops;
    if (!command.gemms.empty())
      arguments["kind"] = "product";
    else if (command.launch.items > 0)
      arguments["items"] = command.launch.items;
    else
      arguments["grid"] = command.launch.grid;
    events.push_back({{"name", command.label},
                      {"cat", "forward"},
                      {"ph", "X"},
                      {"pid", 1},
                      {"tid", 2},
                      {"ts", at + begin[i] * 1000},
                      {"dur", duration[i] * 1000},
                      {"args", arguments}});
  }
  Json trace = {{"traceEvents", events},
                {"displayTimeUnit", "ms"},
                {"otherData",
                 {{"program", plan.program},
                  {"producer", plan.producer},
                  {"device", executable->device().info().name},
                  {"chip", executable->device().info().chip},
                  {"nodes", graph->dstNodes()},
                  {"edges", graph->edges()}}}};
  return trace.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace gnnc::runtime
