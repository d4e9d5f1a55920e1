//===- GraphSource.h - A graph in whatever form it is on disk -------------===//
//
// Input: a file or folder in one of the forms that sets are published in
// (docs/benchmarks.md lists them), or a folder of such sets and a set's name. Output: the
// graph, and a checksum by which two programs can tell that they had the same one.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_DATA_GRAPHSOURCE_H
#define GNNC_BENCHMARKS_DATA_GRAPHSOURCE_H

#include "benchmarks/data/GraphData.h"

namespace gnnc::bench {

/// Throws Failure: what the reader found, or, where no reader knows the form, what is there.
GraphData readAnyGraph(const std::string &path);

/// The file or folder of the set under `root`; case, '-' and '_' are alike, "arxiv" and
/// "products" are OGB's. Throws Failure where there is none or no such folder.
std::string findSet(const std::string &root, const std::string &name);

/// "crc32:89abcdef" of counts, edges, weights, features, labels and masks.
std::string checksum(const GraphData &graph);

/// The same of the edges alone: sources, then destinations, 64 bit. Peers say the same.
std::string edgeListHash(const GraphData &graph);

/// The same of a file's bytes, unpacked if it is compressed. Throws Failure.
std::string fileHash(const std::string &path);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_DATA_GRAPHSOURCE_H
