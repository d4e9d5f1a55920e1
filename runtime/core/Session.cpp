//===- Session.cpp - Binding a graph --------------------------------------===//
//
// Creation: guards on the graph's counts, `prepare`, the other guards, then the
// commands of `forward` with everything evaluated. Runs are in SessionRun.cpp.
//
//===----------------------------------------------------------------------===//
#include "runtime/core/Session.h"
#include "runtime/core/GraphCalls.h"

#include <chrono>
#include <set>

namespace gnnc::runtime {

using format::Buffer;
using format::Command;
using Clock = std::chrono::steady_clock;

namespace {

double since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

} // namespace

Session::Session(std::shared_ptr<const Executable> executableIn,
                 std::shared_ptr<const Graph> graphIn, std::unique_ptr<Stream> streamIn)
    : executable(std::move(executableIn)), graph(std::move(graphIn)),
      backend(executable->device().backend()), stream(std::move(streamIn)),
      buffers(*executable, *graph, *stream) {}

Session::~Session() {
  // Nothing may still run on memory that is about to be freed.
  (void)backend.synchronize(*stream);
}

Expected<std::unique_ptr<Session>> Session::create(std::shared_ptr<const Executable> executable,
                                                   std::shared_ptr<const Graph> graph) {
  auto start = Clock::now();
  auto stream = executable->device().backend().createStream();
  if (!stream)
    return stream.status();
  std::unique_ptr<Session> session(
      new Session(std::move(executable), std::move(graph), std::move(*stream)));
  GNNC_TRY(session->buffers.symbols.problem());
  GNNC_TRY(session->executable->guards().check(session->buffers.symbols, /*afterPrepare=*/false));
  GNNC_TRY(session->bindGraph());
  session->bindTime = since(start);
  return session;
}

/// Behind the guards that need no prepare.
Status Session::bindGraph() {
  GNNC_TRY(prepare());
  GNNC_TRY(executable->guards().check(buffers.symbols, /*afterPrepare=*/true));
  return makeForward();
}

Status Session::rebind(std::shared_ptr<const Graph> other) {
  auto start = Clock::now();
  Symbols symbols(executable->plan(), *other);
  GNNC_TRY(symbols.problem());
  GNNC_TRY(executable->guards().check(symbols, /*afterPrepare=*/false));
  GNNC_TRY(backend.synchronize(*stream)); // what still runs reads the graph that goes
  commands.clear();
  ports.clear();
  prepareTimes.clear();
  prepareTime = 0;
  preparePeak = 0;
  arenaBytes = 0;
  isRecorded = isWarm = false;
  buffers.rebind(*other);
  graph = std::move(other);
  ++rebinds;
  Status status = bindGraph();
  unbound = status ? "" : status.message();
  bindTime = since(start);
  return status;
}

Status Session::checkBound() const {
  if (unbound.empty())
    return {};
  return {Code::InvalidArgument,
          "run: the session has no graph, its last one could not be bound (" + unbound +
              "); bind another"};
}

/// Counts and attributes of a call; its tensors depend on where it runs.
Status Session::describeCall(const format::GraphCall &call, GraphCallContext &context) {
  for (int buffer : call.inputs)
    context.names.push_back(executable->plan().buffers[static_cast<std::size_t>(buffer)].name);
  context.numOutputs = call.outputs.size();
  context.numSymbols = call.symbols.size();
  for (auto [formula, count] : {std::pair(&call.dstNodes, &context.dstNodes),
                                {&call.srcNodes, &context.srcNodes},
                                {&call.edges, &context.edges}}) {
    auto value = buffers.symbols.count(*formula, "a count of " + call.callee);
    if (!value)
      return value.status();
    *count = *value;
  }
  context.fill = call.fill;
  context.chunk = call.chunk;
  context.order = call.order;
  context.form = call.form;
  context.offsets = call.offsets;
  context.sizes = call.sizes;
  context.setSymbol = [this, &call](std::size_t i, std::int64_t value) {
    return buffers.symbols.set(call.symbols[i], value);
  };
  return {};
}

/// False: the device leaves it to the host.
Expected<bool> Session::callOnDevice(const format::GraphCall &call, double &milliseconds) {
  GraphCallContext context;
  // A call with a count that is wrong goes to the host too, which reads first: what is
  // wrong with the graph is told before what is wrong with its counts.
  if (backend.info().unifiedWithHost || !describeCall(call, context) ||
      !backend.takesGraphCall(call.callee, context.edges + context.dstNodes))
    return false;
  for (int buffer : call.inputs) {
    auto tensor = buffers.deviceRead(buffer);
    if (!tensor && tensor.status().code() == Code::OutOfMemory)
      return false; // the host's way needs less
    if (!tensor)
      return tensor.status();
    context.inputs.push_back(*tensor);
  }
  context.output = [&](std::size_t i) { return buffers.deviceWrite(call.outputs[i]); };
  Expected<bool> done = false;
  GNNC_TRY(timed(milliseconds, [&] {
    done = backend.graphCall(call.callee, context, *stream);
    return done ? Status() : Status(done.status()).in("bind: " + call.callee);
  }));
  preparePeak = std::max(preparePeak, buffers.graphBytes() + arenaBytes + context.scratchBytes);
  for (int buffer : call.outputs)
    if (*done)
      buffers.deviceWrote(buffer);
  return done;
}

Status Session::callOnHost(const format::GraphCall &call, double &milliseconds) {
  GraphCallContext context;
  for (int buffer : call.inputs) {
    auto tensor = buffers.hostRead(buffer);
    if (!tensor)
      return tensor.status();
    context.inputs.push_back(*tensor);
  }
  GNNC_TRY(describeCall(call, context));
  context.output = [&](std::size_t i) { return buffers.hostWrite(call.outputs[i]); };
  auto start = Clock::now();
  Status made = findGraphCall(call.callee)(context);
  if (!made) {
    for (const std::string &name : context.names)
      if (made.message().find("'" + name + "'") != std::string::npos)
        for (auto kind : {format::GuardLine::Kind::Sorted, format::GuardLine::Kind::Index})
          executable->guards().failed(kind, name);
    return std::move(made).in("bind: " + call.callee);
  }
  milliseconds = since(start);
  return {};
}

/// Time of `work` on the device.
template <class Work>
Status Session::timed(double &milliseconds, Work work) {
  GNNC_TRY(backend.record(*events[0], *stream));
  GNNC_TRY(work());
  GNNC_TRY(backend.record(*events[1], *stream));
  auto elapsed = backend.milliseconds(*events[0], *events[1]);
  if (!elapsed)
    return elapsed.status();
  milliseconds = *elapsed;
  return {};
}

Status Session::prepare() {
  const format::Plan &plan = executable->plan();
  for (std::unique_ptr<Event> &event : events) {
    if (event)
      continue;
    auto made = backend.createEvent();
    if (!made)
      return made.status();
    event = std::move(*made);
  }
  auto arena = buffers.symbols.count(plan.prepareArenaBytes, "the arena of prepare");
  if (!arena)
    return arena.status();
  arenaBytes = *arena;
  GNNC_TRY(buffers.openArena(*arena, /*forward=*/false));
  for (std::size_t i = 0; i < plan.prepare.size(); ++i) {
    const Command &command = plan.prepare[i];
    auto start = Clock::now();
    std::string label;
    double work = 0;
    if (command.kind == Command::Kind::GraphCall) {
      label = command.call.callee;
      auto done = callOnDevice(command.call, work);
      if (!done)
        return done.status();
      if (!*done)
        GNNC_TRY(callOnHost(command.call, work));
    } else {
      auto ready =
          makeReady(command, executable->prepareKernels()[i], *executable, buffers, *stream);
      if (!ready)
        return ready.status();
      label = ready->label;
      GNNC_TRY(timed(work, [&] { return ready->issue(backend, *stream); }));
      GNNC_TRY(backend.synchronize(*stream)); // a product's scratch goes away here
    }
    prepareTime += work;
    prepareTimes.push_back({label, since(start)});
  }
  buffers.closePrepare();
  return {};
}

Status Session::makeForward() {
  const format::Plan &plan = executable->plan();
  auto arena = buffers.symbols.count(plan.arenaBytes, "the arena");
  if (!arena)
    return arena.status();
  GNNC_TRY(buffers.openArena(*arena, /*forward=*/true));
  std::int64_t scratch = *arena;
  std::set<int> zeroedAlready;
  for (std::size_t i = 0; i < plan.forward.size(); ++i) {
    auto ready =
        makeReady(plan.forward[i], executable->forwardKernels()[i], *executable, buffers, *stream);
    if (!ready)
      return ready.status();
    for (const std::unique_ptr<GemmPlan> &gemm : ready->gemms)
      scratch += gemm->deviceBytes();
    std::vector<int> used;
    for (const format::Argument &argument : plan.forward[i].launch.arguments)
      used.push_back(argument.buffer);
    const format::Gemm &gemm = plan.forward[i].gemm;
    for (int buffer : {gemm.a, gemm.residual, gemm.c})
      used.push_back(buffer);
    for (int buffer : used) {
      if (buffer < 0)
        continue;
      const Buffer &info = plan.buffers[static_cast<std::size_t>(buffer)];
      if (info.zeroed && info.kind == Buffer::Kind::Transient &&
          zeroedAlready.insert(buffer).second) {
        auto address = buffers.deviceUse(buffer);
        if (!address)
          return address.status();
        if (*address)
          ready->zero.emplace_back(*address, buffers.bytes(buffer));
      }
    }
    commands.push_back(std::move(*ready));
  }
  arenaBytes = std::max(arenaBytes, scratch + stream->scratchBytes());
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    Buffer::Kind kind = plan.buffers[i].kind;
    if (kind != Buffer::Kind::Input && kind != Buffer::Kind::Output)
      continue;
    auto shape = buffers.shapeOf(static_cast<int>(i));
    if (!shape)
      return shape.status();
    Port &port = ports.emplace_back();
    port.buffer = static_cast<int>(i);
    port.isOutput = kind == Buffer::Kind::Output;
    port.bytes = shape->bytes();
  }
  arenaBytes = std::max(arenaBytes, preparePeak - buffers.graphBytes());
  records =
      backend.info().canCapture && (plan.mode == "reduce-overhead" || plan.mode == "max-autotune");
  GNNC_TRY(backend.synchronize(*stream));
  buffers.dropHostCopies();
  return {};
}

gnnc_stats Session::stats() const {
  gnnc_stats stats = {};
  stats.weight_bytes = executable->weightBytes();
  stats.graph_bytes = buffers.graphBytes();
  stats.arena_bytes = arenaBytes;
  stats.io_bytes = buffers.stagingBytes();
  for (const ReadyCommand &command : commands)
    stats.kernels_per_forward += !command.empty;
  stats.captures = captures;
  stats.graph_launches = replays;
  stats.allocations = buffers.allocations();
  stats.guard_failures = executable->guards().failures();
  stats.load_ms = executable->loadMilliseconds();
  stats.bind_ms = bindTime;
  stats.prepare_ms = prepareTime;
  stats.rebinds = rebinds;
  stats.updates = updates;
  stats.failed_updates = failedUpdates;
  stats.update_ms = updateTime;
  return stats;
}

Expected<HostTensor> Session::outputShape(const std::string &name) const {
  const format::Plan &plan = executable->plan();
  std::string names;
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    if (plan.buffers[i].kind != Buffer::Kind::Output)
      continue;
    if (plan.buffers[i].name == name)
      return buffers.shapeOf(static_cast<int>(i));
    names += (names.empty() ? "" : ", ") + plan.buffers[i].name;
  }
  return Status{Code::InvalidArgument,
                "no output is called '" + name + "'; the program has: " + names};
}

} // namespace gnnc::runtime
