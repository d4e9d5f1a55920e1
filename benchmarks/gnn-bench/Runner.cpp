//===- Runner.cpp - Measure systems in turn, check what they compute ------===//
#include "benchmarks/gnn-bench/Runner.h"

#include "benchmarks/gnn-bench/Clock.h"
#include "benchmarks/gnn-bench/MemoryMeter.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <thread>

namespace gnnc::bench {
namespace {

/// A CUDA-event interval around less than this reads mostly the events themselves
/// (an empty one: 15 to 18 us on an H200), so short forwards share an interval.
constexpr double intervalMs = 5;
constexpr int mostInner = 200;

/// LibTorch's OpenMP threads spin for some 15 ms after their last work; a system
/// that is timed meanwhile would share its cores with them. So on the host a turn
/// begins with a pause, then forwards for a while to bring caches and threads back.
constexpr auto pause = std::chrono::milliseconds(30);
constexpr double rewarmMs = 5;

struct Cell {
  std::unique_ptr<System> system;
  Row row;
  at::Tensor firstOutput;
  std::vector<double> wall;
  int inner = 1;
};

/// Runs `work`; a failure becomes the row's error and ends the cell.
template <class Work>
void guarded(Cell &cell, Work &&work) {
  if (cell.row.error)
    return;
  try {
    work();
  } catch (const c10::OutOfMemoryError &error) {
    cell.row.error = "out of memory: " + firstLine(error);
  } catch (const std::bad_alloc &) {
    cell.row.error = "out of memory";
  } catch (const std::exception &error) {
    cell.row.error = firstLine(error);
  }
  if (cell.row.error) {
    cell.row.latency.clear();
    cell.system.reset(); // its memory is free for the others
  }
}

void warmUp(Cell &cell, const Workload &work, const RunOptions &options) {
  releaseCachedMemory(work.device); // of the systems before
  std::optional<std::int64_t> before = freeDeviceMemory(work.device);
  cell.system->setUp();
  if (auto after = freeDeviceMemory(work.device); before && after)
    cell.row.peakDeviceMib = static_cast<double>(*before - *after) / (1 << 20);
  for (int i = 0; i < options.warmup; ++i)
    cell.system->wallTime();
  if (work.device.is_cpu())
    return;
  double once = std::max(cell.system->time(1), 1e-3);
  cell.inner = static_cast<int>(std::clamp(std::ceil(intervalMs / once), 1.0, double(mostInner)));
}

void checkOutput(Cell &cell, const at::Tensor &reference) {
  at::Tensor out = cell.system->output().cpu().contiguous();
  if (reference.defined())
    cell.row.maxRelErr = std::max(cell.row.maxRelErr.value_or(0), maxRelativeError(out, reference));
  if (!cell.firstOutput.defined()) {
    cell.firstOutput = out.clone();
    cell.row.bitIdentical = true;
  } else if (out.nbytes() > 0 &&
             std::memcmp(cell.firstOutput.data_ptr(), out.data_ptr(), out.nbytes()) != 0) {
    cell.row.bitIdentical = false;
  }
}

void sample(Cell &cell, const Workload &work, const at::Tensor &reference) {
  if (work.device.is_cpu()) {
    std::this_thread::sleep_for(pause);
    for (Stopwatch watch; watch.milliseconds() < rewarmMs;)
      cell.system->wallTime();
  }
  cell.row.latency.push_back(cell.system->time(cell.inner));
  if (!work.device.is_cpu())
    cell.wall.push_back(cell.system->wallTime());
  checkOutput(cell, reference);
}

std::optional<double> testAccuracy(const GraphData &data, const at::Tensor &out) {
  if (data.y.empty() || data.testMask.empty())
    return std::nullopt;
  at::Tensor predicted = out.argmax(1).contiguous();
  const std::int64_t *labels = predicted.data_ptr<std::int64_t>();
  std::int64_t right = 0, all = 0;
  for (std::int64_t node = 0; node < data.numNodes; ++node) {
    all += data.testMask[node] != 0;
    right += data.testMask[node] && labels[node] == data.y[node];
  }
  return all ? std::optional<double>(static_cast<double>(right) / static_cast<double>(all))
             : std::nullopt;
}

void finish(Cell &cell, const Workload &work, const RunOptions &options) {
  Row &row = cell.row;
  cell.system->describe(row);
  cell.system->finish(row);
  row.wallMs = quartiles(cell.wall.empty() ? row.latency : cell.wall).median;
  row.inner = cell.inner;
  if (row.maxRelErr)
    row.inBound = *row.maxRelErr <= options.bound;
  row.testAccuracy = testAccuracy(work.data, cell.firstOutput);
  row.ok = true;
}

} // namespace

std::string firstLine(const std::exception &error) {
  std::string text = error.what();
  return text.substr(0, text.find('\n'));
}

std::vector<Row> measure(const Workload &work, std::vector<std::unique_ptr<System>> systems,
                         const at::Tensor &reference, const Row &base, const RunOptions &options,
                         const std::function<void(const std::string &)> &progress) {
  std::vector<Cell> cells(systems.size());
  for (std::size_t index = 0; index < systems.size(); ++index) {
    Cell &cell = cells[index];
    cell.system = std::move(systems[index]);
    cell.row = base;
    cell.system->describe(cell.row);
    progress("setting up " + cell.row.system);
    guarded(cell, [&] { warmUp(cell, work, options); });
  }
  std::vector<std::string> order;
  order.reserve(cells.size());
  for (const Cell &cell : cells)
    order.push_back(cell.row.system + (cell.row.fixes.value_or(true) ? "/" : "/no-fixes/") +
                    cell.row.mode.value_or("unknown"));
  for (int round = 0; round < options.repeats; ++round) {
    progress("round " + std::to_string(round + 1) + " of " + std::to_string(options.repeats));
    for (Cell &cell : cells)
      guarded(cell, [&] { sample(cell, work, reference); });
  }
  std::vector<Row> rows;
  for (Cell &cell : cells) {
    guarded(cell, [&] { finish(cell, work, options); });
    cell.row.order = order;
    rows.push_back(std::move(cell.row));
  }
  fillPaysAfter(rows);
  return rows;
}

} // namespace gnnc::bench
