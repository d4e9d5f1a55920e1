//===- CudaGraphCalls.cpp - Sort edges, divide rows -----------------------===//
//
// to_csr: a stable sort of (destination, edge) by 8 bits at a time from the lowest,
// then a search for each row's first edge and one move of every edge tensor.
// remove_self_loops: that sort by one bit, which says whether an edge is a loop.
// partition_rows: blocks of rows are counted, the host adds up the blocks, each row
// finds its first item and slot, each item its row; orders of items are the same sort.
//
//===----------------------------------------------------------------------===//
#include "runtime/cuda/CudaGraphCalls.h"

#include "runtime/cuda/CsrKernels.h"
#include "runtime/cuda/OwnKernels.h"

#include <algorithm>
#include <bit>

using namespace gnnc;
using namespace gnnc::cuda;
using format::DType;
using runtime::GraphCallContext;
using runtime::HostTensor;

namespace {

/// What clang made of CsrKernels.cu.
constexpr char kPtx[] =
#include "runtime/cuda/CsrKernels.ptx.inc"
    ;
alignas(16) constexpr unsigned char kCubin[] = {
#include "runtime/cuda/CsrKernels.cubin.inc"
    0};
constexpr OwnCode kCode{"sm_80", kPtx, "sm_90", {kCubin, sizeof kCubin - 1}};

constexpr std::pair<const char *, unsigned> kKernels[] = {
    {"gnnc_radix_count", kCsrBlock},   {"gnnc_radix_scan", kScanBlock},
    {"gnnc_radix_scatter", kCsrBlock}, {"gnnc_loop_keys", kCsrBlock},
    {"gnnc_row_pointer", kCsrBlock},   {"gnnc_permute_ids", kCsrBlock},
    {"gnnc_permute_rows", kCsrBlock},  {"gnnc_count_rows", kCsrBlock},
    {"gnnc_place_rows", kCsrBlock},    {"gnnc_item_keys", kCsrBlock},
    {"gnnc_write_items", kCsrBlock}};

unsigned narrow(std::int64_t value) { return static_cast<unsigned>(value); }

Ids idsOf(const HostTensor &tensor) { return {tensor.data, tensor.dtype == DType::I64}; }

bool isIndex(const HostTensor &tensor, std::int64_t rows) {
  return (tensor.dtype == DType::I32 || tensor.dtype == DType::I64) && tensor.shape.size() == 1 &&
         tensor.rows() == rows;
}

/// One call: its scratch, and launches on its stream. The context is current.
class Call {
public:
  Call(const Context &context, const std::map<std::string, CUfunction> &kernels,
       std::int64_t mostBlocks, GraphCallContext &call, StreamHandle &stream)
      : context(context), driver(context.driver()), kernels(kernels), mostBlocks(mostBlocks),
        call(call), stream(stream) {}
  ~Call() {
    for (CUdeviceptr address : scratch) // waits for work that uses it
      driver.memFree(address);
  }

  Expected<bool> toCsr();
  Expected<bool> removeSelfLoops();
  Expected<bool> partitionRows();

private:
  /// Null, and `isShort` set, where there is no memory.
  template <class T>
  T *allocate(std::int64_t count) {
    auto bytes = std::max<std::int64_t>(count, 1) * static_cast<std::int64_t>(sizeof(T));
    CUdeviceptr address = 0;
    if (isShort || driver.memAlloc(&address, static_cast<std::size_t>(bytes)) != kCudaSuccess) {
      isShort = true;
      return nullptr;
    }
    scratch.push_back(address);
    call.scratchBytes += bytes;
    return reinterpret_cast<T *>(address);
  }

  template <class Argument>
  Status launch(const char *name, std::int64_t blocks, const Argument &argument,
                unsigned threads = kCsrBlock) {
    if (blocks == 0)
      return Status();
    return launchOwnKernel(stream, kernels.at(name), {blocks, threads}, argument, name);
  }
  template <class Argument>
  Status launchThreads(const char *name, std::int64_t threads, const Argument &argument) {
    return launch(name, ceilDiv(threads, kCsrBlock), argument);
  }

  /// Elements of a block, a multiple of `step`.
  std::int64_t perBlock(std::int64_t count, std::int64_t step) const {
    return std::max<std::int64_t>(1, ceilDiv(ceilDiv(count, step), mostBlocks)) * step;
  }

  /// Keys in rising order and, equal ones in that of their elements, which these were.
  struct Sorted {
    const unsigned *keys = nullptr, *ids = nullptr;
  };
  /// Keys are `first`, or `keys` where there are any; they have `bits`.
  Expected<Sorted> sort(Ids first, const unsigned *keys, std::int64_t count, unsigned bits);
  /// Whether `to` can be the first `rows` rows of `from` in an order of `edges` edges.
  bool canMove(const HostTensor &from, const HostTensor &to, std::int64_t rows) const;
  /// Row i of `to` is row order[i] of `from`.
  Status moveRows(const HostTensor &from, const HostTensor &to, const unsigned *order);

  const Context &context;
  const DriverApi &driver;
  const std::map<std::string, CUfunction> &kernels;
  const std::int64_t mostBlocks;
  GraphCallContext &call;
  StreamHandle &stream;
  std::vector<CUdeviceptr> scratch;
  bool isShort = false;
};

Expected<Call::Sorted> Call::sort(Ids first, const unsigned *keys, std::int64_t count,
                                  unsigned bits) {
  Sorted sorted{keys, nullptr};
  if (count == 0)
    return sorted;
  const unsigned passes = (bits + kDigitBits - 1) / kDigitBits;
  RadixPass pass{};
  pass.first = first;
  pass.keys = keys;
  pass.count = narrow(count);
  pass.perBlock = narrow(perBlock(count, kSortTile));
  pass.blocks = narrow(ceilDiv(count, pass.perBlock));
  unsigned *memory[2][2] = {};
  for (unsigned i = 0; i < std::min(passes, 2u); ++i)
    for (unsigned *&half : memory[i])
      half = allocate<unsigned>(count);
  pass.counts = allocate<unsigned>(std::int64_t(pass.blocks) << kDigitBits);
  if (isShort)
    return sorted;
  for (unsigned i = 0; i < passes; ++i) {
    // Digits of about equal width: the wider one is, the less neighbours it leaves together.
    pass.shift = bits * i / passes;
    pass.bits = bits * (i + 1) / passes - pass.shift;
    pass.toKeys = memory[i % 2][0];
    pass.toIds = memory[i % 2][1];
    GNNC_TRY(launch("gnnc_radix_count", pass.blocks, pass));
    GNNC_TRY(launch("gnnc_radix_scan", 1, pass, kScanBlock));
    GNNC_TRY(launch("gnnc_radix_scatter", pass.blocks, pass));
    pass.keys = sorted.keys = pass.toKeys;
    pass.ids = sorted.ids = pass.toIds;
  }
  return sorted;
}

bool Call::canMove(const HostTensor &from, const HostTensor &to, std::int64_t rows) const {
  if (from.shape.empty() || to.shape.empty() || from.dtype != to.dtype ||
      from.rows() != call.edges || to.rows() != rows ||
      !std::equal(from.shape.begin() + 1, from.shape.end(), to.shape.begin() + 1, to.shape.end()))
    return false;
  const std::int64_t bytes = from.rowBytes();
  return bytes <= INT32_MAX && ceilDiv(rows * bytes, kCsrBlock) <= INT32_MAX;
}

Status Call::moveRows(const HostTensor &from, const HostTensor &to, const unsigned *order) {
  if (to.bytes() == 0)
    return Status();
  const std::int64_t bytes = from.rowBytes();
  PermuteRows move{};
  move.from = from.data;
  move.to = to.data;
  move.order = order;
  move.unitBytes = 16;
  while (bytes % move.unitBytes != 0)
    move.unitBytes /= 2;
  move.units = narrow(bytes / move.unitBytes);
  move.count = static_cast<unsigned long long>(to.rows()) * move.units;
  return launchThreads("gnnc_permute_rows", static_cast<std::int64_t>(move.count), move);
}

Expected<bool> Call::toCsr() {
  const std::int64_t nodes = call.dstNodes, edges = call.edges;
  bool canRun = call.inputs.size() >= 2 && call.numOutputs == call.inputs.size() &&
                call.numSymbols == 0 && nodes < INT32_MAX && edges <= INT32_MAX &&
                isIndex(call.inputs[0], edges) && isIndex(call.inputs[1], edges);
  std::vector<HostTensor> out;
  for (std::size_t i = 0; canRun && i < call.numOutputs; ++i) {
    auto tensor = call.output(i);
    if (!tensor)
      return tensor.status();
    canRun = i == 0   ? isIndex(*tensor, nodes + 1)
             : i == 1 ? isIndex(*tensor, edges) &&
                            (tensor->dtype == DType::I64 || call.srcNodes - 1 <= INT32_MAX)
                      : canMove(call.inputs[i], *tensor, edges);
    out.push_back(*tensor);
  }
  if (!canRun)
    return false;
  auto largest = static_cast<std::uint64_t>(std::max<std::int64_t>(nodes, 2) - 1);
  auto sorted =
      sort(idsOf(call.inputs[1]), nullptr, edges, static_cast<unsigned>(std::bit_width(largest)));
  if (!sorted)
    return sorted.status();
  if (isShort)
    return false;
  RowPointer rows{sorted->keys, idsOf(out[0]), narrow(edges), narrow(nodes)};
  GNNC_TRY(launchThreads("gnnc_row_pointer", nodes + 1, rows));
  PermuteIds ids{idsOf(call.inputs[0]), idsOf(out[1]), sorted->ids, narrow(edges)};
  GNNC_TRY(launchThreads("gnnc_permute_ids", edges, ids));
  for (std::size_t i = 2; i < out.size(); ++i)
    GNNC_TRY(moveRows(call.inputs[i], out[i], sorted->ids));
  return true;
}

Expected<bool> Call::removeSelfLoops() {
  const std::int64_t nodes = call.dstNodes, edges = call.edges;
  if (call.inputs.size() < 2 || call.numOutputs != call.inputs.size() || call.numSymbols != 1 ||
      call.srcNodes != nodes || edges > INT32_MAX || !isIndex(call.inputs[0], edges) ||
      !isIndex(call.inputs[1], edges))
    return false;
  LoopKeys loops{idsOf(call.inputs[0]), idsOf(call.inputs[1]), allocate<unsigned>(edges),
                 narrow(edges)};
  auto *pointer = allocate<int>(2);
  if (isShort)
    return false;
  GNNC_TRY(launchThreads("gnnc_loop_keys", edges, loops));
  auto sorted = sort({}, loops.keys, edges, /*bits=*/1);
  if (!sorted)
    return sorted.status();
  if (isShort)
    return false;
  // With keys of 0 and 1 as rows, row 1 begins behind the last edge that is kept.
  GNNC_TRY(launchThreads("gnnc_row_pointer", 2,
                         RowPointer{sorted->keys, {pointer, false}, narrow(edges), 1}));
  int begins[2] = {};
  GNNC_TRY(context.check(driver.memcpyDtoHAsync(begins, reinterpret_cast<CUdeviceptr>(pointer),
                                                sizeof(begins), stream.stream),
                         "cuMemcpyDtoHAsync"));
  GNNC_TRY(context.check(driver.streamSynchronize(stream.stream), "counting of self loops"));
  const std::int64_t kept = begins[1];
  GNNC_TRY(call.setSymbol(0, kept));
  std::vector<HostTensor> out;
  for (std::size_t i = 0; i < call.numOutputs; ++i) {
    auto tensor = call.output(i);
    if (!tensor)
      return tensor.status();
    if (i >= 2 ? !canMove(call.inputs[i], *tensor, kept)
               : !isIndex(*tensor, kept) || (tensor->dtype == DType::I32 && nodes - 1 > INT32_MAX))
      return false;
    out.push_back(*tensor);
  }
  for (std::size_t i : {0, 1})
    GNNC_TRY(
        launchThreads("gnnc_permute_ids", kept,
                      PermuteIds{idsOf(call.inputs[i]), idsOf(out[i]), sorted->ids, narrow(kept)}));
  for (std::size_t i = 2; i < out.size(); ++i)
    GNNC_TRY(moveRows(call.inputs[i], out[i], sorted->ids));
  return true;
}

Expected<bool> Call::partitionRows() {
  const std::int64_t rows = call.dstNodes;
  const std::int64_t window = runtime::itemWindow(call.order);
  const bool sorted = window > 0;
  if (call.inputs.size() != 1 || call.numOutputs != 2 || call.numSymbols != 3 ||
      rows >= INT32_MAX || !isIndex(call.inputs[0], rows + 1) || window < 0)
    return false;
  RowBlocks blocks{};
  blocks.rowPointer = idsOf(call.inputs[0]);
  blocks.chunk = static_cast<unsigned long long>(call.chunk > 0 ? call.chunk : INT64_MAX);
  blocks.rows = narrow(rows);
  blocks.perBlock = narrow(perBlock(rows, kCsrBlock));
  std::vector<RowTotals> totals(static_cast<std::size_t>(ceilDiv(rows, blocks.perBlock)));
  const auto count = static_cast<std::int64_t>(totals.size());
  const std::size_t bytes = totals.size() * sizeof(RowTotals);
  blocks.totals = allocate<RowTotals>(count);
  if (isShort)
    return false;
  GNNC_TRY(launch("gnnc_count_rows", count, blocks));
  auto onDevice = reinterpret_cast<CUdeviceptr>(blocks.totals);
  if (bytes > 0)
    GNNC_TRY(context.check(driver.memcpyDtoHAsync(totals.data(), onDevice, bytes, stream.stream),
                           "cuMemcpyDtoHAsync"));
  GNNC_TRY(context.check(driver.streamSynchronize(stream.stream), "counting of rows"));

  RowTotals sum{};
  for (RowTotals &block : totals) {
    RowTotals before = sum;
    sum.items += block.items;
    sum.splits += block.splits;
    sum.slots += block.slots;
    sum.longest = std::max(sum.longest, block.longest);
    sum.last = std::max(sum.last, block.last);
    sum.falls += block.falls;
    block = before;
  }
  if (sum.falls > 0 || sum.items > INT32_MAX || sum.last > INT32_MAX)
    return false;
  const auto items = static_cast<std::int64_t>(sum.items);
  const auto lengthBits = static_cast<unsigned>(std::bit_width(sum.longest));
  const auto windows = sorted ? static_cast<std::uint64_t>(ceilDiv(items, window)) : 0;
  const auto windowBits = static_cast<unsigned>(windows > 1 ? std::bit_width(windows - 1) : 0);
  const auto light = runtime::lightItem(call.order, static_cast<std::int64_t>(sum.longest));
  const unsigned keyBits = lengthBits + windowBits + (light > 0);
  if (keyBits > 32) // rows that are not cut
    return false;
  const auto splits = static_cast<std::int64_t>(sum.splits);
  GNNC_TRY(call.setSymbol(0, items));
  GNNC_TRY(call.setSymbol(1, splits));
  GNNC_TRY(call.setSymbol(2, static_cast<std::int64_t>(sum.slots)));
  std::vector<HostTensor> out;
  for (std::size_t i : {0, 1}) {
    auto tensor = call.output(i);
    if (!tensor)
      return tensor.status();
    if (tensor->dtype != DType::I32 ||
        tensor->shape != std::vector<std::int64_t>{i == 0 ? items : splits, 4})
      return false;
    out.push_back(*tensor);
  }
  blocks.firstItem = allocate<unsigned>(rows);
  blocks.firstSlot = allocate<unsigned>(rows);
  blocks.split = out[1].as<unsigned>();
  auto *keys = sorted ? allocate<unsigned>(items) : nullptr;
  if (isShort)
    return false;
  if (bytes > 0)
    GNNC_TRY(context.check(driver.memcpyHtoDAsync(onDevice, totals.data(), bytes, stream.stream),
                           "cuMemcpyHtoDAsync"));
  GNNC_TRY(launch("gnnc_place_rows", count, blocks));
  RowItems write{};
  write.rowPointer = blocks.rowPointer;
  write.firstItem = blocks.firstItem;
  write.firstSlot = blocks.firstSlot;
  write.chunk = blocks.chunk;
  write.keys = keys;
  write.to = out[0].as<unsigned>();
  write.rows = blocks.rows;
  write.items = narrow(items);
  write.longest = static_cast<unsigned>(sum.longest);
  write.lengthBits = lengthBits;
  if (sorted) {
    write.window = static_cast<unsigned>(window);
    write.windowBits = windowBits;
    write.light = static_cast<unsigned>(light);
    GNNC_TRY(launchThreads("gnnc_item_keys", items, write));
    auto order = sort({}, keys, items, keyBits);
    if (!order)
      return order.status();
    if (isShort)
      return false;
    write.order = order->ids; // null: one key
  }
  GNNC_TRY(launchThreads("gnnc_write_items", items, write));
  // `totals` may still be on its way to the device.
  GNNC_TRY(context.check(driver.streamSynchronize(stream.stream), "placing of rows"));
  return true;
}

} // namespace

bool CudaGraphCalls::knows(const std::string &callee) {
  return callee == "to_csr" || callee == "remove_self_loops" || callee == "partition_rows";
}

Expected<std::unique_ptr<CudaGraphCalls>> CudaGraphCalls::open(std::shared_ptr<Context> context,
                                                               std::int64_t mostBlocks) {
  constexpr std::int64_t kTwoWaves = 6; // of the sort, three blocks on a multiprocessor
  if (mostBlocks == 0)
    mostBlocks = kTwoWaves * std::max(1, context->attribute(kAttributeMultiprocessorCount));
  std::unique_ptr<CudaGraphCalls> calls(new CudaGraphCalls(std::move(context), mostBlocks));
  auto module = loadOwnKernels(calls->context, kCode);
  if (!module)
    return module.status();
  calls->module = std::move(*module);
  for (auto [name, threads] : kKernels) {
    Expected<CUfunction> kernel = findOwnKernel(*calls->module, name, threads, 0);
    if (!kernel)
      return kernel.status();
    calls->kernels[name] = *kernel;
  }
  return calls;
}

CudaGraphCalls::~CudaGraphCalls() = default;

Expected<bool> CudaGraphCalls::run(const std::string &callee, GraphCallContext &call,
                                   StreamHandle &stream) const {
  Context::Current current(*context);
  Call running(*context, kernels, mostBlocks, call, stream);
  Expected<bool> done = callee == "to_csr"              ? running.toCsr()
                        : callee == "remove_self_loops" ? running.removeSelfLoops()
                                                        : running.partitionRows();
  if (done && *done)
    GNNC_TRY(context->check(context->driver().streamSynchronize(stream.stream), "a graph call"));
  return done;
}
