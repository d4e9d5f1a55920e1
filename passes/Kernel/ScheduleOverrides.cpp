//===- ScheduleOverrides.cpp - Fields of schedules said by hand -----------===//
#include "passes/Kernel/ScheduleOverrides.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace gnnc;

FailureOr<ScheduleOverrides> ScheduleOverrides::parse(Location loc, ArrayRef<std::string> texts) {
  ScheduleOverrides result;
  for (const std::string &text : texts) {
    auto wrong = [&](const Twine &what) -> FailureOr<ScheduleOverrides> {
      return emitError(loc) << "schedule override '" << text << "': " << what
                            << "; write KERNEL:field=value, for example agg_0:chunk=64:group=16";
    };
    SmallVector<StringRef> parts;
    StringRef(text).split(parts, ':');
    if (parts.size() < 2)
      return wrong("it sets no field");
    llvm::Expected<llvm::GlobPattern> glob = llvm::GlobPattern::create(parts.front());
    if (!glob)
      return wrong("the kernel's pattern is wrong: " + llvm::toString(glob.takeError()));
    Override &made =
        result.overrides.emplace_back(Override{text, parts.front().str(), std::move(*glob), {}});
    for (StringRef part : ArrayRef(parts).drop_front()) {
      auto [field, value] = part.split('=');
      if (field.empty() || value.empty())
        return wrong("'" + part + "' is no field=value");
      made.fields.emplace_back(field.str(), value.str());
    }
  }
  return result;
}

namespace {

/// The numbers of a schedule by their names.
using Numbers = SmallVector<std::pair<StringRef, int64_t>>;

Numbers numbersOf(gnn::CpuScheduleAttr schedule) {
  return {{"tile", schedule.getTile()}, {"prefetch", schedule.getPrefetch()}};
}

Numbers numbersOf(gnn::GpuScheduleAttr schedule) {
  return {{"chunk", schedule.getChunk()},         {"group", schedule.getGroup()},
          {"vector", schedule.getVector()},       {"regs", schedule.getRegs()},
          {"unroll", schedule.getUnroll()},       {"block", schedule.getBlock()},
          {"min_blocks", schedule.getMinBlocks()}};
}

} // namespace

FailureOr<Attribute> ScheduleOverrides::apply(Operation *op, StringRef kernel, Attribute schedule) {
  auto cpu = dyn_cast<gnn::CpuScheduleAttr>(schedule);
  auto gpu = dyn_cast<gnn::GpuScheduleAttr>(schedule);
  Numbers numbers = cpu ? numbersOf(cpu) : numbersOf(gpu);
  gnn::RowOrder order = gpu ? gpu.getOrder() : gnn::RowOrder::Row;
  gnn::TileAxis tiles = gpu ? gpu.getTiles() : gnn::TileAxis::BySize;
  bool isChanged = false;
  for (Override &given : overrides) {
    if (!given.glob.match(kernel))
      continue;
    given.isUsed = isChanged = true;
    for (const auto &[field, value] : given.fields) {
      auto wrong = [&](const Twine &what) {
        return op->emitError() << "schedule override '" << given.text << "': " << what;
      };
      auto word = [&](auto &to, auto known, StringRef words) -> LogicalResult {
        if (!known)
          return wrong(Twine(field) + " is " + words + ", found '" + value + "'");
        to = *known;
        return success();
      };
      if (gpu && (field == "order" || field == "tiles")) {
        if (failed(field == "order"
                       ? word(order, gnn::symbolizeRowOrder(value), "row, longest or windows")
                       : word(tiles, gnn::symbolizeTileAxis(value), "by_size, outer or inner")))
          return failure();
        continue;
      }
      auto *found = llvm::find_if(numbers, [&](const auto &entry) { return entry.first == field; });
      if (found == numbers.end()) {
        SmallVector<StringRef> names(llvm::make_first_range(numbers));
        if (gpu)
          names.append({"order", "tiles"});
        return wrong("a schedule of this target has no field '" + field + "'; it has " +
                     llvm::join(names, ", "));
      }
      if (StringRef(value).getAsInteger(10, found->second))
        return wrong(field + " is a number, found '" + value + "'");
    }
  }
  if (!isChanged)
    return schedule;
  auto emit = [&] { return op->emitError(); };
  MLIRContext *context = op->getContext();
  auto number = [&](unsigned i) { return numbers[i].second; };
  Attribute changed;
  if (cpu)
    changed = gnn::CpuScheduleAttr::getChecked(emit, context, number(0), number(1));
  else
    changed =
        gnn::GpuScheduleAttr::getChecked(emit, context, number(0), number(1), number(2), number(3),
                                         number(4), number(5), number(6), order, tiles);
  if (!changed)
    return failure();
  return changed;
}

LogicalResult ScheduleOverrides::checkAllUsed(Location loc, ArrayRef<StringRef> kernels) const {
  for (const Override &given : overrides)
    if (!given.isUsed)
      return emitError(loc) << "schedule override '" << given.text << "': no kernel is named '"
                            << given.pattern << "'; there are " << llvm::join(kernels, ", ");
  return success();
}
