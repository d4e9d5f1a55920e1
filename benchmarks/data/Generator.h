//===- Generator.h - Graphs of a data set's size --------------------------===//
//
// Input: counts and a seed. Output: a graph with random features whose degrees
// follow a power law. Real sets of that size cannot be carried in a repository;
// these stand in for their cost, never for their accuracy.
//
// Undirected: of each pair one end is uniform, the other is Zipf-distributed
// over a random permutation of the nodes (of its community: locality, as clustered
// numberings of real graphs have it); both directions are stored, sorted by
// (source, destination) as the published sets are. Pairs may repeat; there are no self loops.
// The same seed gives the same bytes on every machine and any number of threads: no library
// function whose rounding differs between machines is used.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_DATA_GENERATOR_H
#define GNNC_BENCHMARKS_DATA_GENERATOR_H

#include "benchmarks/data/GraphData.h"

#include <span>

namespace gnnc::bench {

struct GeneratorSpec {
  std::string name;
  std::int64_t nodes = 0;
  std::int64_t edges = 0; ///< directed, even: both directions of edges / 2 pairs
  std::int64_t features = 0;
  std::int64_t classes = 0;
  std::uint64_t seed = 0;
  bool shuffled = false;        ///< edges in random order instead of sorted
  std::int64_t communities = 1; ///< runs of neighbouring ids; 9 of 10 pairs stay in one
  unsigned threads = 0;         ///< 0: all cores
};

/// Specs named after the set whose counts they have: cora, pubmed, arxiv, products.
std::span<const GeneratorSpec> generatorPresets();

/// Null if there is none; `name` with or without the ending "-sized".
const GeneratorSpec *findPreset(const std::string &name);

/// Throws Failure when a count makes no sense (fewer than 2 nodes with edges, odd edges).
GraphData generateGraph(const GeneratorSpec &spec);

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_DATA_GENERATOR_H
