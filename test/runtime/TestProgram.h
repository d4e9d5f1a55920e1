// A program written by hand, as the compiler would: with loops added, every node
// takes the mean of its neighbours' transformed features,
//   out[v] = (bias + sum over u -> v of x[u] * w^T) / in-degree(v).
// It uses a product, kernels in prepare and forward, and each kind of buffer.
#ifndef GNNC_TEST_RUNTIME_TESTPROGRAM_H
#define GNNC_TEST_RUNTIME_TESTPROGRAM_H

#include "runtime/format/Artifact.h"

#include <cstdio>
#include <cstdlib>

struct TestProgram {
  std::int64_t in = 3, out = 2;
  gnnc::format::DType graphIndex = gnnc::format::DType::I64;
  std::string target = "cpu", chip = "generic";
  std::string code = GNNC_TEST_KERNELS; ///< path of the shared object
  bool edgeWeight = false;              ///< asks for an edge tensor that it permutes

  /// Row-major [out, in]; every value differs.
  std::vector<float> weight() const {
    std::vector<float> values;
    values.reserve(static_cast<std::size_t>(out * in));
    for (std::int64_t i = 0; i < out * in; ++i)
      values.push_back(static_cast<float>(i % 7) - 2.5f);
    return values;
  }
  std::vector<float> bias() const {
    std::vector<float> values;
    values.reserve(static_cast<std::size_t>(out));
    for (std::int64_t i = 0; i < out; ++i)
      values.push_back(0.25f * static_cast<float>(i));
    return values;
  }

  gnnc::format::Artifact make() const {
    using namespace gnnc::format;
    using Kind = Buffer::Kind;
    Artifact artifact;
    Plan &plan = artifact.plan;
    plan.producer = "gnnc test";
    plan.program = "mean";
    plan.target = target;
    plan.chip = chip;
    const Formula n{0, {{0, 1}}}, e{0, {{1, 1}}}, loops{0, {{2, 1}}}, none{};
    plan.symbols = {{"n", Symbol::Source::GraphDst, {}, {}},
                    {"e", Symbol::Source::GraphEdges, {}, {}},
                    {"e.loops", Symbol::Source::Prepare, {0, {{0, 1}, {1, 1}}}, {}},
                    {"m", Symbol::Source::GraphSrc, {}, {}}};
    auto add = [&](Buffer buffer) {
      plan.buffers.push_back(std::move(buffer));
      return static_cast<int>(plan.buffers.size()) - 1;
    };
    auto rounded = [](std::int64_t perRow) { // bytes of n rows, rounded up to 256
      return Formula::Term{0, 256, 256, perRow, 255};
    };
    int x = add({"x", Kind::Input, DType::F32, {n, {in, {}}}, none, false});
    int src = add({"src", Kind::GraphIndex, graphIndex, {e}, none, false});
    int dst = add({"dst", Kind::GraphIndex, graphIndex, {e}, none, false});
    int w = add({"lin.weight", Kind::Weight, DType::F32, {{out, {}}, {in, {}}}, none, false});
    int b = add({"bias", Kind::Weight, DType::F32, {{out, {}}}, none, false});
    // Room for the bound of e.loops: 4 bytes an edge, and 4 a node.
    const Formula edgeBytes{256, {{1, 256, 256, 4, 255}, rounded(4)}};
    Formula dstOffset = edgeBytes;
    int lsrc = add({"looped.src", Kind::Transient, DType::I32, {loops}, none, false});
    int ldst = add({"looped.dst", Kind::Transient, DType::I32, {loops}, dstOffset, false});
    int rowptr = add({"rowptr", Kind::Persistent, DType::I32, {{1, {{0, 1}}}}, none, false});
    int col = add({"col", Kind::Persistent, DType::I32, {loops}, none, false});
    int inverse = add({"inverse", Kind::Persistent, DType::F32, {n}, none, false});
    int h = add({"h", Kind::Transient, DType::F32, {n, {out, {}}}, none, false});
    Formula countsOffset{0, {rounded(4 * out)}};
    int counts = add({"counts", Kind::Transient, DType::F32, {n}, countsOffset, true});
    int result = add({"out", Kind::Output, DType::F32, {n, {out, {}}}, none, false});
    plan.ioAlignment = 1;
    plan.prepareArenaBytes = {512, {{1, 512, 256, 4, 255}, {0, 512, 256, 4, 255}}};
    plan.arenaBytes = {0, {rounded(4 * out), rounded(4)}};

    Command addLoops{Command::Kind::GraphCall, {}, {}, {}};
    addLoops.call = {
        "add_self_loops", {src, dst}, {lsrc, ldst}, {2}, n, {0, {{3, 1}}}, e, 0, 0, "", {}, {}, {}};
    Command toCsr{Command::Kind::GraphCall, {}, {}, {}};
    toCsr.call = {
        "to_csr", {lsrc, ldst}, {rowptr, col}, {}, n, {0, {{3, 1}}}, loops, 0, 0, "", {}, {}, {}};
    if (edgeWeight) {
      int given = add({"edge_weight", Kind::GraphData, DType::F32, {e}, none, false});
      int made = add({"looped.weight", Kind::Persistent, DType::F32, {loops}, none, false});
      addLoops.call.inputs.push_back(given);
      addLoops.call.outputs.push_back(made);
      addLoops.call.fill = 1;
    }
    auto launch = [&](const char *kernel, std::vector<Argument> arguments, int rows) {
      Command command{Command::Kind::Launch, {}, {}, {}};
      command.launch.kernel = kernel;
      command.launch.arguments = std::move(arguments);
      command.launch.items = n;
      command.launch.rowPointer = rows;
      command.launch.bytes = {0, {{0, 8 * out}}};
      return command;
    };
    Command gemm{Command::Kind::Gemm, {}, {}, {}};
    gemm.gemm = {x, w, h, -1, -1, n, out, in, 1, true, false, "none", "fp32"};
    plan.prepare = {addLoops, toCsr, launch("inverse_degree", {{rowptr, {}}, {inverse, {}}}, -1)};
    plan.forward = {
        gemm,
        launch("sum_rows",
               {{rowptr, {}}, {col, {}}, {h, {}}, {b, {}}, {result, {}}, {-1, {out, {}}}}, rowptr),
        launch("scale_rows", {{inverse, {}}, {counts, {}}, {result, {}}, {-1, {out, {}}}}, -1)};
    plan.guards = {
        {"max", {0, {{1, 1}, {0, 1}}}, 1 << 30, "edges with self loops fit 32-bit indices"}};

    auto own = [](std::string name, std::vector<std::int64_t> shape, std::vector<float> values) {
      std::string text(reinterpret_cast<const char *>(values.data()), values.size() * 4);
      return Tensor{std::move(name), DType::F32, std::move(shape), Bytes::fromString(text)};
    };
    artifact.weights.tensors = {own("lin.weight", {out, in}, weight()), own("bias", {out}, bias())};
    Bytes bytes;
    std::string error;
    if (!readFile(code, bytes, error)) {
      std::fprintf(stderr, "%s\n", error.c_str());
      std::abort();
    }
    artifact.code = {{"host.so", bytes}};
    return artifact;
  }

  /// What the program computes, in float64 and the plain way.
  std::vector<double> expected(std::int64_t nodes, const std::vector<std::int64_t> &src,
                               const std::vector<std::int64_t> &dst,
                               const std::vector<float> &x) const {
    std::vector<double> sums(static_cast<std::size_t>(nodes * out)),
        degree(static_cast<std::size_t>(nodes), 0.0);
    std::vector<float> w = weight(), b = bias();
    auto take = [&](std::int64_t u, std::int64_t v) {
      degree[static_cast<std::size_t>(v)] += 1;
      for (std::int64_t f = 0; f < out; ++f)
        for (std::int64_t k = 0; k < in; ++k)
          sums[static_cast<std::size_t>(v * out + f)] +=
              double(x[static_cast<std::size_t>(u * in + k)]) *
              double(w[static_cast<std::size_t>(f * in + k)]);
    };
    for (std::size_t i = 0; i < src.size(); ++i)
      if (src[i] != dst[i])
        take(src[i], dst[i]);
    for (std::int64_t v = 0; v < nodes; ++v)
      take(v, v);
    for (std::int64_t v = 0; v < nodes; ++v)
      for (std::int64_t f = 0; f < out; ++f) {
        double &sum = sums[static_cast<std::size_t>(v * out + f)];
        sum = (sum + double(b[static_cast<std::size_t>(f)])) / degree[static_cast<std::size_t>(v)];
      }
    return sums;
  }
};

#endif
