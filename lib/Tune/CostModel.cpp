//===- CostModel.cpp - How long a kernel with a schedule should take ------===//
#include "lib/Tune/CostModel.h"

#include "lib/Explain/Limits.h"
#include "passes/Kernel/GpuLayout.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace gnnc;
using namespace gnnc::tune;

namespace {

/// Of an H200; other chips rank alike.
struct Chip {
  double multiprocessors = 132, warps = 64, registers = 65536, cacheBytes = 50e6, ghz = 1.7;
  double itemUs = 1.5, loadUs = 0.7;       ///< latency of an item's first loads, of a group of rows
  double memory = 4287e3, cache = 13170e3; ///< bytes a microsecond
};

Chip chipOf(const TunedKernel &kernel) {
  Chip chip;
  auto limits = explain::limitsOf("cuda", kernel.target.getChip().str());
  if (limits) {
    chip.memory = limits->memoryGbS * 1e3;
    chip.cache = limits->cacheGbS * 1e3;
  }
  return chip;
}

double divideUp(double a, double b) { return std::ceil(a / b); }

/// What all work items of a graph come to when rows are cut at `chunk` edges.
struct Items {
  double count = 0, steps = 0; ///< steps: groups of `unroll` edges
  double longestSteps = 0, splitParts = 0;
};

Items itemsOf(const GraphShape &shape, double chunk, double unroll) {
  Items items;
  for (size_t bucket = 0; bucket < shape.histogram.size(); ++bucket) {
    auto rows = static_cast<double>(shape.histogram[bucket]);
    double edges = shape.meanEdges(bucket);
    double parts = std::max(1.0, divideUp(edges, chunk));
    items.count += rows * parts;
    items.steps += rows * parts * divideUp(edges / parts, unroll);
    if (parts > 1)
      items.splitParts += rows * parts;
  }
  items.longestSteps = divideUp(std::min(chunk, static_cast<double>(shape.longest)), unroll);
  return items;
}

/// Whether the tiles of an item are far apart in the grid.
bool isOuter(const TunedKernel &kernel, gnn::GpuScheduleAttr schedule, const GpuLayout &layout,
             int64_t sources) {
  if (schedule.getTiles() != gnn::TileAxis::BySize || !kernel.followsEdges)
    return schedule.getTiles() != gnn::TileAxis::Inner;
  GpuLayout::Sources outer = layout.outerSources(kernel.op);
  return sources > outer.above && sources <= outer.most;
}

double gpuUs(const TunedKernel &kernel, gnn::GpuScheduleAttr schedule, const GraphShape &shape) {
  const Chip chip = chipOf(kernel);
  GpuLayout layout(schedule, kernel.frame);
  auto d = [](int64_t value) { return static_cast<double>(value); };
  double bytes = kernel.elementBits / 8.0, elements = d(kernel.frame.heads * kernel.frame.features);
  double group = d(schedule.getGroup()), unroll = d(schedule.getUnroll());
  double perLane = d(schedule.getVector() * schedule.getRegs() * layout.headsPerLane);
  double tiles = d(layout.numTiles());
  double rowBytes = elements * bytes, tileBytes = rowBytes / tiles;
  // A load of a group is contiguous; memory moves 32 bytes at least.
  double loadBytes = d(layout.lanesPerHead * schedule.getVector()) * bytes;
  double waste = std::max(1.0, 32 / std::min(loadBytes, std::max(rowBytes, 1.0)));
  if (schedule.getRegs() > 1)
    waste = std::min(waste, 2.0); // the rest of the sector follows at once

  double registers = 32 + perLane * (unroll + 2) * std::max(1.0, bytes / 4);
  double spills = registers > 255 ? registers / 128 : 1;
  double blockWarps = d(schedule.getBlock()) / 32;
  double warps = std::min(chip.warps, chip.registers / (32 * std::min(registers, 255.0)));
  warps = std::max(blockWarps, std::floor(warps / blockWarps) * blockWarps);
  double groups = chip.multiprocessors * warps * 32 / group; // at work at a time

  double rows = d(shape.dst), edges = d(shape.edges);
  Items items{rows, rows, 1, 0};
  double asked = 2 * rows * rowBytes, moved = asked;
  if (kernel.followsEdges) {
    items = itemsOf(shape, d(schedule.getChunk()), unroll);
    // Beside each other, tiles share the lists and need all of a row at a time.
    bool outer = isOuter(kernel, schedule, layout, shape.src);
    double lists = (outer ? tiles : 1) * (4 * edges + 16 * items.count);
    double slice = d(shape.src) * (outer ? tileBytes : rowBytes);
    double missing = std::max(0.0, 1 - chip.cacheBytes / std::max(slice, 1.0));
    double again = std::max(0.0, edges - d(shape.src)) * missing;
    asked = edges * rowBytes * waste + lists + rows * rowBytes;
    moved = tiles * tileBytes * (std::min(edges, d(shape.src)) + again) + lists + rows * rowBytes;
  }
  double latency =
      tiles * (items.count * chip.itemUs + items.steps * chip.loadUs * spills) / groups;
  // Warps issue four instructions a cycle and multiprocessor.
  double lanesBusy = kernel.followsEdges ? edges : rows;
  double instructions =
      tiles * group / 32 *
      (lanesBusy * (4 + perLane * 1.5 + perLane / d(schedule.getVector())) + items.count * 30) *
      spills;
  double issue = instructions / (chip.multiprocessors * 4 * chip.ghz * 1e3);
  double itemTail = chip.itemUs + items.longestSteps * chip.loadUs;
  // Started first, the longest items end among the others.
  bool first = schedule.getOrder() == gnn::RowOrder::Longest;
  double tail = std::max(0.0, itemTail - (first ? latency : latency / 2));
  double merge = items.splitParts > 0 ? 2 + 2 * items.splitParts * rowBytes / chip.memory : 0;
  return std::max({moved / chip.memory, asked / chip.cache, latency, issue}) + tail + merge;
}

double cpuUs(const TunedKernel &kernel, gnn::CpuScheduleAttr schedule, const GraphShape &shape) {
  StringRef level = kernel.target.getChip();
  // Bytes of all vector registers.
  double registers = level == "x86-64-v4" ? 32 * 64 : level == "x86-64-v3" ? 16 * 32 : 16 * 16;
  double bytes = kernel.elementBits / 8.0;
  auto elements = static_cast<double>(kernel.frame.heads * kernel.frame.features);
  auto tile = std::min(static_cast<double>(schedule.getTile()), elements);
  double walks = divideUp(elements, tile);
  double rows = kernel.followsEdges
                    ? static_cast<double>(shape.edges) + static_cast<double>(shape.dst)
                    : static_cast<double>(shape.dst);
  // 20 bytes a nanosecond over the rows, 4 ns for an edge's index in each walk; what
  // does not fit the registers is loaded and stored once more.
  double spills = tile * 4 > registers * 0.75 ? 1.5 : 1;
  double us = rows * (walks * 4 + elements * bytes / 20 * spills) / 1e3;
  bool leavesCache = static_cast<double>(shape.src) * elements * bytes > 1e6;
  auto ahead = static_cast<double>(schedule.getPrefetch());
  if (kernel.followsEdges && leavesCache)
    us *= ahead == 0 ? 1.3 : 1 + 0.02 * std::abs(std::log2(ahead / 8));
  else if (ahead > 0)
    us *= 1.02;
  return us;
}

} // namespace

double tune::estimateUs(const TunedKernel &kernel, Attribute schedule, const GraphShape &shape) {
  if (auto cpu = dyn_cast<gnn::CpuScheduleAttr>(schedule))
    return cpuUs(kernel, cpu, shape);
  return gpuUs(kernel, cast<gnn::GpuScheduleAttr>(schedule), shape);
}

SmallVector<Attribute> tune::prune(const TunedKernel &kernel, ArrayRef<Attribute> schedules,
                                   const GraphShape &shape, size_t most) {
  std::vector<std::pair<double, size_t>> ranked; // of equal ones the first in the list
  for (auto [place, schedule] : llvm::enumerate(schedules))
    ranked.emplace_back(estimateUs(kernel, schedule, shape), place);
  std::sort(ranked.begin(), ranked.end());
  SmallVector<Attribute> kept;
  for (const auto &[us, place] : ArrayRef(ranked).take_front(most))
    kept.push_back(schedules[place]);
  return kept;
}
