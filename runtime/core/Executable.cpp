//===- Executable.cpp - A loaded artefact ---------------------------------===//
#include "runtime/core/Executable.h"
#include "runtime/core/GraphCalls.h"

#include <chrono>

namespace gnnc::runtime {

using format::Buffer;
using format::Command;
using format::DType;

namespace {

Status inPlan(const std::string &message) { return {Code::InvalidFile, "plan.json: " + message}; }

/// Calls body(buffer, byDevice) for every buffer a command names.
template <class F>
void forBuffers(const Command &command, F &&body) {
  switch (command.kind) {
  case Command::Kind::Launch:
    for (const format::Argument &argument : command.launch.arguments)
      if (argument.buffer >= 0)
        body(argument.buffer, true);
    if (command.launch.rowPointer >= 0)
      body(command.launch.rowPointer, true);
    break;
  case Command::Kind::Gemm:
    for (int buffer :
         {command.gemm.a, command.gemm.b, command.gemm.c, command.gemm.bias, command.gemm.residual})
      if (buffer >= 0)
        body(buffer, true);
    break;
  case Command::Kind::GraphCall:
    for (const std::vector<int> *list : {&command.call.inputs, &command.call.outputs})
      for (int buffer : *list)
        body(buffer, false);
    break;
  }
}

} // namespace

Expected<std::shared_ptr<const Executable>> Executable::load(std::shared_ptr<Device> device,
                                                             const std::string &path) {
  auto start = std::chrono::steady_clock::now();
  std::shared_ptr<Executable> executable(new Executable);
  executable->owner = std::move(device);
  std::string error;
  if (!format::readArtifact(path, executable->artifact, error))
    return Status{Code::InvalidFile, error};
  executable->guardList.emplace(executable->artifact.plan);
  Status status = executable->checkPlan();
  if (status)
    status = executable->loadKernels();
  if (status)
    status = executable->loadWeights();
  if (!status)
    return std::move(status).in(path);
  executable->artifact.code.clear();
  executable->artifact.weights = {};
  executable->loadTime =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return std::shared_ptr<const Executable>(std::move(executable));
}

Executable::~Executable() {
  if (owner)
    owner->backend().release(weightMemory);
}

/// What plan.json's own checks cannot see: the target, and how commands and
/// buffers fit together.
Status Executable::checkPlan() {
  const format::Plan &plan = artifact.plan;
  if (plan.target != owner->info().kind)
    return {Code::Unsupported, "the program was compiled for target " + plan.target +
                                   ", the device is " + owner->info().kind +
                                   "; compile it with --target " + owner->info().kind};
  bufferUses.resize(plan.buffers.size());
  for (const Command &command : plan.prepare)
    forBuffers(command, [&](int buffer, bool byDevice) {
      bufferUses[static_cast<std::size_t>(buffer)].inPrepare = true;
      bufferUses[static_cast<std::size_t>(buffer)].byDevice |= byDevice;
    });
  for (const Command &command : plan.forward) {
    if (command.kind == Command::Kind::GraphCall)
      return inPlan("forward holds the graph call " + command.call.callee +
                    "; graph calls belong to prepare");
    forBuffers(command, [&](int buffer, bool byDevice) {
      bufferUses[static_cast<std::size_t>(buffer)].inForward = true;
      bufferUses[static_cast<std::size_t>(buffer)].byDevice |= byDevice;
    });
  }
  for (const Command &command : plan.prepare)
    if (command.kind == Command::Kind::GraphCall && !findGraphCall(command.call.callee))
      return inPlan("graph call '" + command.call.callee +
                    "' is not known; the artefact may need a newer runtime");
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    const Buffer &buffer = plan.buffers[i];
    bool perRun = buffer.kind == Buffer::Kind::Input || buffer.kind == Buffer::Kind::Output;
    if (bufferUses[i].inPrepare && perRun)
      return inPlan("prepare uses '" + buffer.name + "', which exists only during a run");
    if (bufferUses[i].inPrepare && bufferUses[i].inForward &&
        buffer.kind == Buffer::Kind::Transient)
      return inPlan("transient buffer '" + buffer.name + "' is used by prepare and by forward");
    if (buffer.kind == Buffer::Kind::GraphIndex &&
        (buffer.shape.size() != 1 || (buffer.dtype != DType::I32 && buffer.dtype != DType::I64)))
      return inPlan("buffer '" + buffer.name + "' must be I32 or I64 of rank 1");
  }
  return {};
}

Status Executable::loadKernels() {
  const format::Plan &plan = artifact.plan;
  bool any = false;
  for (const std::vector<Command> *list : {&plan.prepare, &plan.forward})
    for (const Command &command : *list)
      any |= command.kind == Command::Kind::Launch;
  if (any) {
    auto loaded = owner->backend().loadCode(artifact.code, plan.chip);
    if (!loaded)
      return loaded.status();
    module = std::move(*loaded);
  }
  int which = 0;
  for (const std::vector<Command> *list : {&plan.prepare, &plan.forward}) {
    for (const Command &command : *list) {
      Kernel *&kernel = kernels[which].emplace_back(nullptr);
      if (command.kind != Command::Kind::Launch)
        continue;
      auto found =
          module->kernel(command.launch.kernel, command.launch.block, command.launch.sharedBytes);
      if (!found)
        return found.status();
      kernel = *found;
    }
    ++which;
  }
  return {};
}

/// One allocation for all weights: sizes are static, readArtifact compared them.
Status Executable::loadWeights() {
  const format::Plan &plan = artifact.plan;
  const std::int64_t alignment = owner->info().alignment;
  weights.assign(plan.buffers.size(), nullptr);
  std::vector<std::pair<std::size_t, std::int64_t>> offsets;
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    if (plan.buffers[i].kind != Buffer::Kind::Weight)
      continue;
    auto bytes = static_cast<std::int64_t>(artifact.weights.find(plan.buffers[i].name)->bytes.size);
    offsets.emplace_back(i, weightTotal);
    weightTotal += (bytes + alignment - 1) / alignment * alignment;
  }
  Backend &backend = owner->backend();
  auto memory = backend.allocate(weightTotal);
  if (!memory)
    return Status(memory.status()).in("weights");
  weightMemory = *memory;
  auto stream = backend.createStream();
  if (!stream)
    return stream.status();
  for (auto [index, offset] : offsets) {
    const format::Bytes &bytes = artifact.weights.find(plan.buffers[index].name)->bytes;
    weights[index] = static_cast<std::byte *>(weightMemory) + offset;
    GNNC_TRY(backend.copyToDevice(weights[index], bytes.data, static_cast<std::int64_t>(bytes.size),
                                  **stream));
  }
  return backend.synchronize(**stream);
}

} // namespace gnnc::runtime
