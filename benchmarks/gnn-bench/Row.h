//===- Row.h - One line of a benchmark's results --------------------------===//
//
// Input: what a cell measured. Output: a JSON object (docs/benchmarks.md lists
// the members) and a line of the table. What is not known is null, never 0.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_GNN_BENCH_ROW_H
#define GNNC_BENCHMARKS_GNN_BENCH_ROW_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gnnc::bench {

/// Median, mean, and quartiles by linear interpolation between the sorted values.
struct Quartiles {
  double q1, median, q3, min, mean;
  std::size_t n;
};
/// `values` must not be empty.
Quartiles quartiles(std::vector<double> values);

struct Row {
  std::string system, model, data;
  std::int64_t nodes = 0, edges = 0;
  std::string dtype = "f32";
  std::optional<std::string> mode, dynamic;
  std::optional<bool> fixes;
  std::string device;
  bool realData = false;
  bool ok = false;
  std::optional<std::string> error;
  std::vector<double> latency; ///< ms, one a sample
  std::optional<double> wallMs, firstMs, compileMs, peakMib;
  std::optional<std::int64_t> kernels, recompilations, captures, bytes, flops;
  std::optional<double> shareOfLimit, maxRelErr;
  std::optional<bool> inBound;
  std::optional<std::string> commit;
  std::string env; ///< JSON object

  // Beyond the fields that every suite has:
  std::optional<double> testAccuracy;
  std::optional<bool> bitIdentical;        ///< all timed outputs have the same bits
  std::optional<int> inner;                ///< forwards in a sample
  std::vector<std::string> order;          ///< systems in the order in which each round ran them
  std::optional<std::string> precision;    ///< least accurate arithmetic of f32 products
  std::optional<double> prepareMs;         ///< graph-only work done once, without copies
  std::optional<double> paysAfter;         ///< forwards that win prepare_ms back
  std::optional<std::string> dataChecksum; ///< GraphSource.h
  std::optional<double> secondMs;          ///< the forward after the one in firstMs
  std::optional<double> noiseFloor;        ///< SelfCheck.h; 0.01 is 1 % of the median
  std::string status;                      ///< empty: as ok, inBound and error say
  std::optional<double> peakDeviceMib;     ///< what the device lost of its free memory
  std::optional<std::string> edgeListHash; ///< of the edges in memory; peers say the same
  std::optional<std::string> weightsHash;  ///< of the weights file
};

/// "ok", or what became of the cell in place of a result (docs/benchmarks.md).
std::string statusOf(const Row &row);

/// Sets pays_after of the rows with prepare_ms: against the row of libtorch-eager that
/// does its graph-only work in every forward, where there is one and it is slower.
void fillPaysAfter(std::vector<Row> &rows);

/// Sets share_of_limit: the least time that the GPU's measured limits allow for the
/// row's bytes and flops, whichever takes longer, over the median. Leaves null what
/// has no latency and every device but the one that was measured (lib/Explain/Limits.h).
void fillShareOfLimit(Row &row);

/// One line without the line break.
std::string toJson(const Row &row);

/// The table that people read, one line a row.
std::string table(const std::vector<Row> &rows);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_GNN_BENCH_ROW_H
