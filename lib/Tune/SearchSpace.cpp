//===- SearchSpace.cpp - The schedules that a kernel can have -------------===//
//
// A schedule is a row of numbers, one a field; the space is the product of the values
// of each field, less what is not legal.
//
//===----------------------------------------------------------------------===//
#include "lib/Tune/SearchSpace.h"

#include "passes/Kernel/GpuLayout.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::tune;

namespace {

using Numbers = SmallVector<int64_t, 9>;

/// Work items of whole rows: longer than any row.
constexpr int64_t kWholeRows = int64_t(1) << 30;

Numbers numbersOf(Attribute schedule) {
  if (auto cpu = dyn_cast<gnn::CpuScheduleAttr>(schedule))
    return {cpu.getTile(), cpu.getPrefetch()};
  auto gpu = cast<gnn::GpuScheduleAttr>(schedule);
  return {gpu.getChunk(),
          gpu.getGroup(),
          gpu.getVector(),
          gpu.getRegs(),
          gpu.getUnroll(),
          gpu.getBlock(),
          gpu.getMinBlocks(),
          static_cast<int64_t>(gpu.getOrder()),
          static_cast<int64_t>(gpu.getTiles())};
}

/// Null where the attribute's verifier refuses the numbers.
Attribute attributeOf(const TunedKernel &kernel, ArrayRef<int64_t> numbers) {
  MLIRContext *context = kernel.op->getContext();
  // A refusal is an answer here, not an error.
  ScopedDiagnosticHandler quiet(context, [](Diagnostic &) { return success(); });
  auto emit = [&] { return emitError(kernel.op->getLoc()); };
  if (kernel.target.getKind() == gnn::TargetKind::Cpu)
    return gnn::CpuScheduleAttr::getChecked(emit, context, numbers[0], numbers[1]);
  return gnn::GpuScheduleAttr::getChecked(
      emit, context, numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5],
      numbers[6], static_cast<gnn::RowOrder>(numbers[7]), static_cast<gnn::TileAxis>(numbers[8]));
}

/// The values that are tried of each field, in the order of numbersOf.
SmallVector<Numbers> fieldValues(const TunedKernel &kernel) {
  bool reads = kernel.followsEdges;
  if (kernel.target.getKind() == gnn::TargetKind::Cpu)
    return {{16, 32, 64, 128, 256, 512, 1024}, reads ? Numbers{0, 2, 4, 8, 16, 32} : Numbers{0}};
  auto row = static_cast<int64_t>(gnn::RowOrder::Row);
  auto longest = static_cast<int64_t>(gnn::RowOrder::Longest);
  auto windows = static_cast<int64_t>(gnn::RowOrder::Windows);
  auto bySize = static_cast<int64_t>(gnn::TileAxis::BySize);
  auto outer = static_cast<int64_t>(gnn::TileAxis::Outer);
  auto inner = static_cast<int64_t>(gnn::TileAxis::Inner);
  return {reads ? Numbers{16, 32, 64, 128, 256, 512, kWholeRows} : Numbers{128},
          {1, 2, 4, 8, 16, 32},
          {1, 2, 4, 8},
          {1, 2, 4, 8},
          {1, 2, 4, 8, 16},
          {64, 128, 256, 512},
          kernel.frame.reduces.features ? Numbers{0, 1} : Numbers{1},
          reads ? Numbers{row, longest, windows} : Numbers{longest},
          reads ? Numbers{bySize, outer, inner} : Numbers{bySize}};
}

/// Schedules that are legal but do the work of another one with more of the machine
/// left idle: lanes without a feature, loads wider than 16 bytes.
bool isWasteful(const TunedKernel &kernel, gnn::GpuScheduleAttr schedule) {
  const RowFrame &frame = kernel.frame;
  if (schedule.getVector() * kernel.elementBits > 128)
    return true;
  // Lanes over the edges of a row of one number are a use of their own.
  int64_t elements = frame.heads * frame.features;
  if (elements == 1)
    return schedule.getVector() > 1 || schedule.getRegs() > 1;
  int64_t perLane = schedule.getVector() * schedule.getRegs();
  int64_t lanes = llvm::PowerOf2Ceil(llvm::divideCeil(elements, perLane));
  return schedule.getGroup() > lanes ||
         (schedule.getRegs() > 1 && schedule.getRegs() / 2 * schedule.getVector() >= elements);
}

/// Whether it matters where the tiles of a row lie.
bool hasTiles(const TunedKernel &kernel, gnn::GpuScheduleAttr schedule) {
  return kernel.followsEdges && GpuLayout(schedule, kernel.frame).numTiles() > 1;
}

} // namespace

FailureOr<TunedKernel> TunedKernel::get(Operation *op, gnn::TargetAttr target) {
  FailureOr<RowFrame> frame = RowFrame::get(op);
  if (failed(frame))
    return failure();
  auto map = dyn_cast<gnn::MapOp>(op);
  auto type = cast<ShapedType>(op->getResult(0).getType());
  return TunedKernel{op, target, std::move(*frame), type.getElementTypeBitWidth(),
                     !map || static_cast<bool>(map.getGraph())};
}

std::string TunedKernel::whyNot(Attribute schedule) const {
  if (target.getKind() == gnn::TargetKind::Cpu)
    return isa<gnn::CpuScheduleAttr>(schedule) ? "" : "a cpu kernel has a #gnn.cpu_schedule";
  auto gpu = dyn_cast<gnn::GpuScheduleAttr>(schedule);
  return gpu ? GpuLayout::whyNot(gpu, frame) : "a cuda kernel has a #gnn.gpu_schedule";
}

SmallVector<Attribute> tune::allSchedules(const TunedKernel &kernel) {
  SmallVector<Numbers> values = fieldValues(kernel);
  SmallVector<Attribute> found;
  SmallVector<size_t> at(values.size(), 0);
  int64_t elements = kernel.frame.heads * kernel.frame.features;
  while (true) {
    Numbers numbers;
    for (auto [field, choice] : llvm::enumerate(at))
      numbers.push_back(values[field][choice]);
    Attribute schedule = attributeOf(kernel, numbers);
    bool keeps = schedule && kernel.whyNot(schedule).empty();
    if (auto gpu = dyn_cast_or_null<gnn::GpuScheduleAttr>(schedule))
      // On one graph `by_size` is one of the other two.
      keeps = keeps && !isWasteful(kernel, gpu) &&
              (gpu.getTiles() != gnn::TileAxis::BySize) == hasTiles(kernel, gpu);
    else if (keeps) // a tile that holds the whole row is like every wider one
      keeps = numbers[0] / 2 < elements || numbers[0] == values[0].front();
    if (keeps)
      found.push_back(schedule);
    // The next combination: an odometer over the fields.
    size_t field = 0;
    while (field < at.size() && ++at[field] == values[field].size())
      at[field++] = 0;
    if (field == at.size())
      return found;
  }
}

SmallVector<Attribute> tune::neighbours(const TunedKernel &kernel, Attribute schedule) {
  SmallVector<Numbers> values = fieldValues(kernel);
  Numbers centre = numbersOf(schedule);
  SmallVector<Attribute> found;
  for (auto [field, choices] : llvm::enumerate(values)) {
    // Where a value of the field that is none of those tried would stand.
    auto *up = llvm::upper_bound(choices, centre[field]);
    auto *down = llvm::lower_bound(choices, centre[field]);
    SmallVector<int64_t, 2> steps;
    if (up != choices.end())
      steps.push_back(*up);
    if (down != choices.begin())
      steps.push_back(*std::prev(down));
    for (int64_t value : steps) {
      Numbers numbers = centre;
      numbers[field] = value;
      Attribute near = attributeOf(kernel, numbers);
      if (!near || !kernel.whyNot(near).empty())
        continue;
      auto gpu = dyn_cast<gnn::GpuScheduleAttr>(near);
      if (gpu && gpu.getTiles() != cast<gnn::GpuScheduleAttr>(schedule).getTiles() &&
          !hasTiles(kernel, gpu))
        continue;
      if (!gpu || !isWasteful(kernel, gpu))
        found.push_back(near);
    }
  }
  return found;
}
