//===- Commands.cpp - Commands with everything evaluated ------------------===//
#include "runtime/core/Commands.h"

namespace gnnc::runtime {

using format::Buffer;
using format::Command;

namespace {

/// Its contents are there before the first run, and stay.
bool isConstant(const format::Plan &plan, int buffer) {
  Buffer::Kind kind = plan.buffers[static_cast<std::size_t>(buffer)].kind;
  return kind == Buffer::Kind::Weight || kind == Buffer::Kind::GraphData ||
         kind == Buffer::Kind::Persistent;
}

bool isPerRun(const format::Plan &plan, int buffer) {
  Buffer::Kind kind = plan.buffers[static_cast<std::size_t>(buffer)].kind;
  return kind == Buffer::Kind::Input || kind == Buffer::Kind::Output;
}

struct Maker {
  const format::Plan &plan;
  const DeviceInfo &device;
  Backend &backend;
  Buffers &buffers;
  Stream &stream;
  ReadyCommand out;

  Status number(const format::Formula &formula, const char *what, std::int64_t &value) {
    auto result = buffers.symbols.count(formula, what);
    if (!result)
      return result.status();
    value = *result;
    return {};
  }

  Status launch(const format::Launch &launch, Kernel *kernel) {
    out.label = launch.kernel;
    out.launch.kernel = kernel;
    for (const format::Argument &argument : launch.arguments) {
      if (argument.buffer < 0) {
        auto value = buffers.symbols.evaluate(argument.value);
        if (!value)
          return value.status();
        out.slots.push_back(static_cast<std::uint64_t>(*value));
        continue;
      }
      void *address = nullptr;
      if (isPerRun(plan, argument.buffer)) {
        out.slotBuffers.emplace_back(out.slots.size(), argument.buffer);
      } else {
        auto used = buffers.deviceUse(argument.buffer);
        if (!used)
          return used.status();
        address = *used;
      }
      out.slots.push_back(reinterpret_cast<std::uint64_t>(address));
    }
    out.launch.block = launch.block;
    out.launch.sharedBytes = launch.sharedBytes;
    if (device.kind == "cpu") {
      GNNC_TRY(number(launch.items, "the item count of a launch", out.launch.items));
      out.empty = out.launch.items == 0;
    } else {
      for (std::size_t i = 0; i < 3; ++i) {
        GNNC_TRY(number(launch.grid[i], "a grid extent", out.launch.grid[i]));
        out.empty |= out.launch.grid[i] == 0;
      }
    }
    if (device.kind == "cpu" && launch.rowPointer >= 0 && !out.empty) {
      auto used = buffers.deviceUse(launch.rowPointer);
      if (!used)
        return used.status();
      if (buffers.bytes(launch.rowPointer) / 4 <= out.launch.items)
        return {Code::InvalidFile,
                "plan.json: row pointer '" +
                    plan.buffers[static_cast<std::size_t>(launch.rowPointer)].name +
                    "' is too short for " + std::to_string(out.launch.items) + " rows of kernel " +
                    launch.kernel};
      out.launch.rowPointer = static_cast<const std::int32_t *>(*used);
    }
    GNNC_TRY(number(launch.bytes, "the byte count of a launch", out.bytes));
    GNNC_TRY(number(launch.flops, "the operation count of a launch", out.flops));
    for (const format::Argument &argument : launch.arguments)
      if (argument.buffer >= 0)
        buffers.deviceWrote(argument.buffer);
    return {};
  }

  /// The operand's shape must have at least rows * columns elements.
  Status operand(int buffer, const char *what, std::int64_t rows, std::int64_t columns,
                 format::DType &dtype) {
    const Buffer &info = plan.buffers[static_cast<std::size_t>(buffer)];
    auto shape = buffers.shapeOf(buffer);
    if (!shape)
      return shape.status();
    std::int64_t needed = 0;
    if (__builtin_mul_overflow(rows, columns, &needed) ||
        shape->bytes() / static_cast<std::int64_t>(format::sizeOf(info.dtype)) < needed)
      return {Code::InvalidFile, "plan.json: product operand " + std::string(what) + " '" +
                                     info.name + "' is " + shape->text() + ", expected " +
                                     std::to_string(rows) + "x" + std::to_string(columns)};
    dtype = info.dtype;
    return {};
  }

  Status gemm(const format::Gemm &gemm) {
    GemmDesc desc;
    GNNC_TRY(number(gemm.m, "the row count of a product", desc.m));
    desc.n = gemm.n;
    desc.k = gemm.k;
    desc.transposeB = gemm.transposeB;
    std::int64_t heads = gemm.heads;
    desc.hasBias = gemm.bias >= 0;
    desc.hasResidual = gemm.residual >= 0;
    desc.activation = gemm.activation == "relu" ? Activation::Relu : Activation::None;
    for (auto [name, value] : {std::pair("fp32", Precision::Fp32),
                               {"tf32", Precision::Tf32},
                               {"bf16", Precision::Bf16},
                               {"f16", Precision::F16},
                               {"fp32x3", Precision::Fp32x3}})
      if (gemm.precision == name)
        desc.precision = value;
    out.label = "gemm " + std::to_string(desc.m) + "x" + std::to_string(desc.k) + "x" +
                std::to_string(desc.n);
    std::int64_t columnsOfA = 0;
    if (__builtin_mul_overflow(desc.k, heads, &columnsOfA))
      return {Code::InvalidFile, "plan.json: " + out.label + " has too many columns"};
    GNNC_TRY(operand(gemm.a, "a", desc.m, columnsOfA, desc.a));
    GNNC_TRY(operand(gemm.b, "b", desc.k, desc.n, desc.b));
    GNNC_TRY(operand(gemm.c, "c", desc.m, desc.n, desc.c));
    for (auto [buffer, what, rows] :
         {std::tuple(gemm.bias, "bias", std::int64_t(1)), {gemm.residual, "residual", desc.m}}) {
      if (buffer < 0)
        continue;
      format::DType type;
      GNNC_TRY(operand(buffer, what, rows, desc.n, type));
      if (type != desc.c)
        return {Code::InvalidFile, out.label + ": the " + what + " is " + format::name(type) +
                                       ", the result " + format::name(desc.c) + "; a " + what +
                                       " has the type of the result"};
    }
    out.empty = desc.m == 0 || desc.n == 0;

    const int order[5] = {gemm.a, gemm.b, gemm.bias, gemm.residual, gemm.c};
    const void **fields[4] = {&out.pointers.a, &out.pointers.b, &out.pointers.bias,
                              &out.pointers.residual};
    for (std::size_t i = 0; i < 5; ++i) {
      if (order[i] < 0)
        continue;
      if (isPerRun(plan, order[i])) {
        out.pointerBuffers[i] = order[i];
        continue;
      }
      auto used = buffers.deviceUse(order[i]);
      if (!used)
        return used.status();
      if (i < 4)
        *fields[i] = *used;
      else
        out.pointers.c = *used;
    }
    buffers.deviceWrote(gemm.c);
    auto elements = static_cast<double>(desc.m) * static_cast<double>(desc.n);
    out.flops = static_cast<std::int64_t>(2.0 * elements * static_cast<double>(desc.k));
    out.bytes = buffers.bytes(gemm.b) +
                static_cast<std::int64_t>(format::sizeOf(desc.a)) * desc.m * columnsOfA +
                static_cast<std::int64_t>(format::sizeOf(desc.c)) * desc.m * desc.n *
                    (desc.hasResidual ? 2 : 1);
    takeHead(gemm, desc);
    for (std::int64_t head = 0; head < heads; ++head) {
      if (isConstant(plan, gemm.b))
        desc.constantB = out.windows.of(out.pointers, head).b;
      auto ready = backend.prepareGemm(desc, stream);
      if (!ready)
        return ready.status();
      out.gemms.push_back(std::move(*ready));
    }
    return {};
  }

  /// Narrows `desc` to the product of one head, a window of each matrix.
  void takeHead(const format::Gemm &gemm, GemmDesc &desc) {
    if (gemm.heads == 1)
      return;
    std::int64_t columns = desc.n / gemm.heads;
    desc.stepA = desc.k * gemm.heads;
    desc.stepC = desc.n;
    desc.n = columns;
    std::int64_t rowsOfB = desc.transposeB ? columns : desc.k;
    std::int64_t columnsOfB = desc.transposeB ? desc.k : columns;
    desc.stepB = gemm.headsBeside ? columnsOfB * gemm.heads : columnsOfB;
    out.windows = {desc.k * static_cast<std::int64_t>(format::sizeOf(desc.a)),
                   (gemm.headsBeside ? columnsOfB : rowsOfB * columnsOfB) *
                       static_cast<std::int64_t>(format::sizeOf(desc.b)),
                   columns * static_cast<std::int64_t>(format::sizeOf(desc.c))};
  }
};

} // namespace

GemmPointers GemmWindows::of(const GemmPointers &first, std::int64_t head) const {
  auto at = [&](const void *address, std::int64_t step) {
    return address ? static_cast<const std::byte *>(address) + head * step : nullptr;
  };
  return {at(first.a, a), at(first.b, b), at(first.bias, c), at(first.residual, c),
          first.c ? static_cast<std::byte *>(first.c) + head * c : nullptr};
}

void ReadyCommand::setAddress(int buffer, void *address) {
  for (auto [slot, slotBuffer] : slotBuffers)
    if (slotBuffer == buffer)
      slots[slot] = reinterpret_cast<std::uint64_t>(address);
  if (pointerBuffers[0] == buffer)
    pointers.a = address;
  if (pointerBuffers[1] == buffer)
    pointers.b = address;
  if (pointerBuffers[2] == buffer)
    pointers.bias = address;
  if (pointerBuffers[3] == buffer)
    pointers.residual = address;
  if (pointerBuffers[4] == buffer)
    pointers.c = address;
}

Status ReadyCommand::issue(Backend &backend, Stream &stream) {
  for (auto [address, size] : zero)
    GNNC_TRY(backend.zero(address, size, stream));
  if (empty)
    return {};
  backend.pushRange(label.c_str());
  Status status;
  if (!gemms.empty()) {
    for (std::size_t head = 0; head < gemms.size() && status; ++head)
      status =
          backend.gemm(*gemms[head], windows.of(pointers, static_cast<std::int64_t>(head)), stream);
  } else {
    launch.arguments = slots.data();
    launch.numArguments = slots.size();
    status = backend.launch(launch, stream);
  }
  backend.popRange();
  return status ? status : std::move(status).in(label);
}

Expected<ReadyCommand> makeReady(const Command &command, Kernel *kernel,
                                 const Executable &executable, Buffers &buffers, Stream &stream) {
  Backend &backend = executable.device().backend();
  Maker maker{executable.plan(), backend.info(), backend, buffers, stream, {}};
  Status status = command.kind == Command::Kind::Launch ? maker.launch(command.launch, kernel)
                                                        : maker.gemm(command.gemm);
  if (!status)
    return status;
  return std::move(maker.out);
}

} // namespace gnnc::runtime
