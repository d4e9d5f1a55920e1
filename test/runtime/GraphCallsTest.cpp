// Graph calls against the plainest code that does the same, on hard graphs, for
// each mix of index types.
#include "runtime/core/GraphCalls.h"
#include "GraphsForTests.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <tuple>

using namespace gnnc::runtime;
using gnnc::format::DType;

namespace {

/// Tensors in 64-bit numbers or floats, and calls on them.
struct Call {
  GraphCallContext context;
  std::vector<std::vector<std::int64_t>> storage; ///< inputs, then outputs
  std::vector<std::int64_t> symbols;
  std::vector<HostTensor> outputs;
  std::vector<std::vector<std::byte>> outputMemory;

  void input(const std::vector<std::int64_t> &values, DType dtype) {
    std::vector<std::int64_t> &to = storage.emplace_back(values.size() + 1);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (dtype == DType::I32)
        reinterpret_cast<std::int32_t *>(to.data())[i] = static_cast<std::int32_t>(values[i]);
      else
        to[i] = values[i];
    }
    context.inputs.push_back({to.data(), dtype, {static_cast<std::int64_t>(values.size())}});
  }
  void floats(const std::vector<float> &values, std::int64_t width = 1) {
    std::vector<std::int64_t> &to = storage.emplace_back(values.size() + 1);
    if (!values.empty())
      std::memcpy(to.data(), values.data(), values.size() * 4);
    HostTensor tensor{to.data(), DType::F32, {static_cast<std::int64_t>(values.size()) / width}};
    if (width != 1)
      tensor.shape.push_back(width);
    context.inputs.push_back(tensor);
  }
  /// Shapes as functions of the symbols, as in a plan.
  Status
  run(GraphCallFunction function,
      const std::vector<std::function<HostTensor(const std::vector<std::int64_t> &)>> &shapes,
      std::size_t numSymbols) {
    context.numOutputs = shapes.size();
    context.numSymbols = numSymbols;
    symbols.assign(numSymbols, -1);
    outputs.resize(shapes.size());
    outputMemory.resize(shapes.size());
    context.setSymbol = [this](std::size_t i, std::int64_t value) {
      symbols[i] = value;
      return Status();
    };
    context.output = [this, &shapes](std::size_t i) -> Expected<HostTensor> {
      HostTensor tensor = shapes[i](symbols);
      outputMemory[i].assign(static_cast<std::size_t>(tensor.bytes()) + 8, std::byte{0xee});
      tensor.data = outputMemory[i].data();
      return outputs[i] = tensor;
    };
    return function(context);
  }
  std::vector<std::int64_t> result(std::size_t i) const {
    std::vector<std::int64_t> out;
    const HostTensor &tensor = outputs[i];
    std::int64_t count = tensor.bytes() / static_cast<std::int64_t>(sizeOf(tensor.dtype));
    out.reserve(static_cast<std::size_t>(count));
    for (std::int64_t k = 0; k < count; ++k)
      out.push_back(tensor.dtype == DType::I32 ? tensor.as<std::int32_t>()[k]
                                               : tensor.as<std::int64_t>()[k]);
    return out;
  }
  std::vector<float> floatResult(std::size_t i) const {
    const HostTensor &tensor = outputs[i];
    return {tensor.as<float>(), tensor.as<float>() + tensor.bytes() / 4};
  }
};

std::vector<float> edgeValues(std::int64_t count) {
  std::vector<float> out;
  out.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i)
    out.push_back(static_cast<float>(i) + 0.5f);
  return out;
}

struct Case {
  EdgeList graph;
  DType in, out;
};

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest looks for it
void PrintTo(const Case &test, std::ostream *out) { *out << test.graph.name; }

class GraphCalls : public testing::TestWithParam<Case> {};

TEST_P(GraphCalls, AddSelfLoops) {
  const auto &[graph, in, out] = GetParam();
  for (bool weighted : {false, true}) {
    Call call;
    call.input(graph.src, in);
    call.input(graph.dst, in);
    std::vector<float> weights = edgeValues(graph.edges());
    if (weighted)
      call.floats(weights);
    call.context.dstNodes = call.context.srcNodes = graph.nodes;
    call.context.edges = graph.edges();
    call.context.fill = -2;
    auto index = [o = out](const std::vector<std::int64_t> &s) {
      return HostTensor{nullptr, o, {s[0]}};
    };
    auto value = [](const std::vector<std::int64_t> &s) {
      return HostTensor{nullptr, DType::F32, {s[0]}};
    };
    Status status = weighted ? call.run(addSelfLoops, {index, index, value}, 1)
                             : call.run(addSelfLoops, {index, index}, 1);
    ASSERT_TRUE(status) << status.message();
    std::vector<std::int64_t> src, dst;
    std::vector<float> expected, loops(static_cast<std::size_t>(graph.nodes), -2.0f);
    for (std::size_t e = 0; e < graph.src.size(); ++e) {
      if (graph.src[e] == graph.dst[e]) {
        loops[static_cast<std::size_t>(graph.dst[e])] = weights[e];
        continue;
      }
      src.push_back(graph.src[e]);
      dst.push_back(graph.dst[e]);
      expected.push_back(weights[e]);
    }
    for (std::int64_t v = 0; v < graph.nodes; ++v) {
      src.push_back(v);
      dst.push_back(v);
      expected.push_back(loops[static_cast<std::size_t>(v)]);
    }
    EXPECT_EQ(call.symbols[0], static_cast<std::int64_t>(src.size()));
    EXPECT_EQ(call.result(0), src);
    EXPECT_EQ(call.result(1), dst);
    if (weighted)
      EXPECT_EQ(call.floatResult(2), expected);
  }
}

TEST_P(GraphCalls, AppendSelfLoopsAndTheirWeights) {
  const auto &[graph, in, out] = GetParam();
  using Symbols = const std::vector<std::int64_t> &;
  auto begin = [&graph = graph, in = in](Call &call) {
    call.input(graph.src, in);
    call.input(graph.dst, in);
    call.context.dstNodes = call.context.srcNodes = graph.nodes;
    call.context.edges = graph.edges();
  };
  Call weights;
  begin(weights);
  std::vector<float> edges = edgeValues(graph.edges());
  weights.floats(edges);
  weights.context.fill = -2;
  Status status = weights.run(
      loopWeights, {[&](Symbols) { return HostTensor{nullptr, DType::F32, {graph.nodes}}; }}, 0);
  ASSERT_TRUE(status) << status.message();
  std::vector<float> ofLoops(static_cast<std::size_t>(graph.nodes), -2.0f);
  for (std::size_t e = 0; e < graph.src.size(); ++e)
    if (graph.src[e] == graph.dst[e])
      ofLoops[static_cast<std::size_t>(graph.dst[e])] = edges[e];
  EXPECT_EQ(weights.floatResult(0), ofLoops);

  Call append;
  begin(append);
  append.floats(edges);
  append.floats(ofLoops);
  auto index = [o = out](Symbols s) { return HostTensor{nullptr, o, {s[0]}}; };
  status = append.run(
      appendSelfLoops,
      {index, index, [](Symbols s) { return HostTensor{nullptr, DType::F32, {s[0]}}; }}, 1);
  ASSERT_TRUE(status) << status.message();
  std::vector<std::int64_t> src = graph.src, dst = graph.dst;
  for (std::int64_t v = 0; v < graph.nodes; ++v) {
    src.push_back(v);
    dst.push_back(v);
  }
  edges.insert(edges.end(), ofLoops.begin(), ofLoops.end());
  EXPECT_EQ(append.symbols[0], static_cast<std::int64_t>(src.size()));
  EXPECT_EQ(append.result(0), src);
  EXPECT_EQ(append.result(1), dst);
  EXPECT_EQ(append.floatResult(2), edges);
}

TEST_P(GraphCalls, RemoveSelfLoops) {
  const auto &[graph, in, out] = GetParam();
  Call call;
  call.input(graph.src, in);
  call.input(graph.dst, in);
  std::vector<float> narrow = edgeValues(graph.edges()), wide = edgeValues(graph.edges() * 3);
  call.floats(narrow);
  call.floats(wide, 3);
  call.context.dstNodes = call.context.srcNodes = graph.nodes;
  call.context.edges = graph.edges();
  using Symbols = const std::vector<std::int64_t> &;
  auto index = [o = out](Symbols s) { return HostTensor{nullptr, o, {s[0]}}; };
  Status status =
      call.run(removeSelfLoops,
               {index, index, [](Symbols s) { return HostTensor{nullptr, DType::F32, {s[0]}}; },
                [](Symbols s) { return HostTensor{nullptr, DType::F32, {s[0], 3}}; }},
               1);
  ASSERT_TRUE(status) << status.message();
  std::vector<std::int64_t> src, dst;
  std::vector<float> narrowOut, wideOut;
  for (std::size_t e = 0; e < graph.src.size(); ++e) {
    if (graph.src[e] == graph.dst[e])
      continue;
    src.push_back(graph.src[e]);
    dst.push_back(graph.dst[e]);
    narrowOut.push_back(narrow[e]);
    wideOut.insert(wideOut.end(), {wide[3 * e], wide[3 * e + 1], wide[3 * e + 2]});
  }
  EXPECT_EQ(call.symbols[0], static_cast<std::int64_t>(src.size()));
  EXPECT_EQ(call.result(0), src);
  EXPECT_EQ(call.result(1), dst);
  EXPECT_EQ(call.floatResult(2), narrowOut);
  EXPECT_EQ(call.floatResult(3), wideOut);
}

TEST_P(GraphCalls, ToCsr) {
  const auto &[graph, in, out] = GetParam();
  const std::int64_t edges = graph.edges();
  Call call;
  call.input(graph.src, in);
  call.input(graph.dst, in);
  std::vector<float> narrow = edgeValues(edges), wide = edgeValues(edges * 3);
  call.floats(narrow);
  call.floats(wide, 3);
  call.context.dstNodes = call.context.srcNodes = graph.nodes;
  call.context.edges = edges;
  using Symbols = const std::vector<std::int64_t> &;
  Status status =
      call.run(toCsr,
               {[&, o = out](Symbols) { return HostTensor{nullptr, o, {graph.nodes + 1}}; },
                [&, o = out](Symbols) { return HostTensor{nullptr, o, {edges}}; },
                [&](Symbols) { return HostTensor{nullptr, DType::F32, {edges}}; },
                [&](Symbols) { return HostTensor{nullptr, DType::F32, {edges, 3}}; }},
               0);
  ASSERT_TRUE(status) << status.message();
  std::vector<std::size_t> order(graph.src.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(graph.dst[a], a) < std::pair(graph.dst[b], b);
  });
  std::vector<std::int64_t> rowptr(static_cast<std::size_t>(graph.nodes) + 1, 0), col;
  std::vector<float> narrowOut, wideOut;
  for (std::int64_t v : graph.dst)
    ++rowptr[static_cast<std::size_t>(v) + 1];
  for (std::size_t v = 1; v < rowptr.size(); ++v)
    rowptr[v] += rowptr[v - 1];
  for (std::size_t e : order) {
    col.push_back(graph.src[e]);
    narrowOut.push_back(narrow[e]);
    wideOut.insert(wideOut.end(), {wide[3 * e], wide[3 * e + 1], wide[3 * e + 2]});
  }
  EXPECT_EQ(call.result(0), rowptr);
  EXPECT_EQ(call.result(1), col);
  EXPECT_EQ(call.floatResult(2), narrowOut);
  EXPECT_EQ(call.floatResult(3), wideOut);
}

TEST_P(GraphCalls, PartitionRows) {
  const auto &[graph, in, out] = GetParam();
  std::vector<std::int64_t> rowptr(static_cast<std::size_t>(graph.nodes) + 1, 0);
  for (std::int64_t v : graph.dst)
    ++rowptr[static_cast<std::size_t>(v) + 1];
  for (std::size_t v = 1; v < rowptr.size(); ++v)
    rowptr[v] += rowptr[v - 1];
  for (std::int64_t chunk : {0, 1, 3, 64}) {
    for (const char *order : {"row", "longest", "windows"}) {
      Call call;
      call.input(rowptr, out);
      call.context.dstNodes = graph.nodes;
      call.context.chunk = chunk;
      call.context.order = order;
      using Symbols = const std::vector<std::int64_t> &;
      Status status =
          call.run(partitionRows,
                   {[](Symbols s) { return HostTensor{nullptr, DType::I32, {s[0], 4}}; },
                    [](Symbols s) { return HostTensor{nullptr, DType::I32, {s[1], 4}}; }},
                   3);
      ASSERT_TRUE(status) << status.message();
      std::vector<std::vector<std::int64_t>> items, splits;
      std::int64_t slot = 0;
      for (std::int64_t v = 0; v < graph.nodes; ++v) {
        std::int64_t begin = rowptr[static_cast<std::size_t>(v)];
        std::int64_t end = rowptr[static_cast<std::size_t>(v) + 1];
        if (chunk == 0 || end - begin <= chunk) {
          items.push_back({v, begin, end, -1});
          continue;
        }
        const std::int64_t first = slot, count = end - begin;
        for (; begin < end; begin += chunk)
          items.push_back({v, begin, std::min(begin + chunk, end), slot++});
        splits.push_back({v, first, slot, count}); // a mean divides by it
      }
      const bool windows = std::string(order) == "windows";
      std::int64_t longest = 0;
      for (const auto &item : items)
        longest = std::max(longest, item[2] - item[1]);
      auto key = [&](const std::vector<std::int64_t> &item, std::size_t at) {
        const std::int64_t length = item[2] - item[1];
        return std::tuple(windows && longest >= 4 && length <= longest / 4, windows ? at / 4096 : 0,
                          -length, at);
      };
      if (std::string(order) != "row") {
        std::vector<std::size_t> at(items.size());
        std::iota(at.begin(), at.end(), 0);
        std::sort(at.begin(), at.end(), [&](std::size_t a, std::size_t b) {
          return key(items[a], a) < key(items[b], b);
        });
        std::vector<std::vector<std::int64_t>> ordered;
        for (std::size_t i : at)
          ordered.push_back(items[i]);
        items = ordered;
      }
      auto flat = [](const std::vector<std::vector<std::int64_t>> &rows) {
        std::vector<std::int64_t> all;
        for (const auto &row : rows)
          all.insert(all.end(), row.begin(), row.end());
        return all;
      };
      EXPECT_EQ(call.result(0), flat(items)) << chunk << order;
      EXPECT_EQ(call.result(1), flat(splits)) << chunk << order;
      EXPECT_EQ(call.symbols,
                (std::vector<std::int64_t>{static_cast<std::int64_t>(items.size()),
                                           static_cast<std::int64_t>(splits.size()), slot}));
    }
  }
}

std::vector<Case> cases() {
  std::vector<Case> out;
  for (const EdgeList &graph : hardGraphs())
    for (DType in : {DType::I32, DType::I64})
      for (DType to : {DType::I32, DType::I64})
        out.push_back({graph, in, to});
  return out;
}

INSTANTIATE_TEST_SUITE_P(Hard, GraphCalls, testing::ValuesIn(cases()),
                         [](const testing::TestParamInfo<Case> &info) {
                           return info.param.graph.name + "_" + gnnc::format::name(info.param.in) +
                                  "_" + gnnc::format::name(info.param.out);
                         });

std::vector<float> sliced(std::vector<std::int64_t> shape, std::vector<std::int64_t> offsets,
                          std::vector<std::int64_t> sizes, std::vector<std::int64_t> result,
                          std::string *error = nullptr) {
  Call call;
  std::int64_t elements = 1;
  for (std::int64_t extent : shape)
    elements *= extent;
  call.floats(edgeValues(elements));
  call.context.inputs[0].shape = std::move(shape);
  call.context.offsets = std::move(offsets);
  call.context.sizes = std::move(sizes);
  using Symbols = const std::vector<std::int64_t> &;
  Status status =
      call.run(slice, {[&](Symbols) { return HostTensor{nullptr, DType::F32, result}; }}, 0);
  if (error)
    *error = status.message();
  return status ? call.floatResult(0) : std::vector<float>();
}

TEST(Slice, WindowsAndShapes) {
  using Floats = std::vector<float>;
  EXPECT_EQ(sliced({2, 4}, {0, 1}, {2, 2}, {2, 2}), (Floats{1.5f, 2.5f, 5.5f, 6.5f}));
  EXPECT_EQ(sliced({3, 2}, {1, 0}, {2, 2}, {4}), (Floats{2.5f, 3.5f, 4.5f, 5.5f}));
  EXPECT_EQ(sliced({2, 2, 3}, {0, 1, 1}, {2, 1, 2}, {2, 2}), (Floats{4.5f, 5.5f, 10.5f, 11.5f}));
  EXPECT_EQ(sliced({}, {}, {}, {1, 1}), Floats{0.5f});
  EXPECT_EQ(sliced({2, 2}, {1, 2}, {1, 0}, {0}), Floats{});
  EXPECT_EQ(sliced({0, 2}, {0, 0}, {0, 2}, {0, 2}), Floats{});
}

TEST(Slice, RefusesWindowsThatDoNotFit) {
  std::string error;
  sliced({2, 4}, {0, 3}, {2, 2}, {2, 2}, &error);
  EXPECT_EQ(error, "the window does not lie in its tensor, F32[2, 4]");
  sliced({2, 4}, {0}, {2}, {2}, &error);
  EXPECT_EQ(error, "the window does not lie in its tensor, F32[2, 4]");
  sliced({2, 4}, {0, 0}, {2, 2}, {2, 3}, &error);
  EXPECT_EQ(error, "the window has 4 elements of F32[2, 4], its result is F32[2, 3]");
}

/// The elements of a matrix of `shape` behind transpose_matrix into one of `result`.
std::vector<float> transposed(std::vector<std::int64_t> shape, std::vector<std::int64_t> result,
                              std::string *error = nullptr) {
  Call call;
  call.floats(edgeValues(shape[0] * shape[1]));
  call.context.inputs[0].shape = std::move(shape);
  using Symbols = const std::vector<std::int64_t> &;
  Status status = call.run(transposeMatrix,
                           {[&](Symbols) { return HostTensor{nullptr, DType::F32, result}; }}, 0);
  if (error)
    *error = status.message();
  return status ? call.floatResult(0) : std::vector<float>();
}

TEST(TransposeMatrix, RowsBecomeColumns) {
  using Floats = std::vector<float>;
  EXPECT_EQ(transposed({2, 3}, {3, 2}), (Floats{0.5f, 3.5f, 1.5f, 4.5f, 2.5f, 5.5f}));
  EXPECT_EQ(transposed({1, 3}, {3, 1}), (Floats{0.5f, 1.5f, 2.5f}));
  EXPECT_EQ(transposed({0, 2}, {2, 0}), Floats{});
}

TEST(TransposeMatrix, RefusesAResultOfOtherExtents) {
  for (const std::vector<std::int64_t> &result :
       {std::vector<std::int64_t>{2, 3}, {6}, {3, 3}, {3, 2, 1}}) {
    std::string error;
    transposed({2, 3}, result, &error);
    const HostTensor wanted{nullptr, DType::F32, result};
    EXPECT_EQ(error, "F32[2, 3] transposed is not " + wanted.text());
  }
}

TEST(GraphCallErrors, NameWhatIsWrong) {
  EXPECT_EQ(findGraphCall("no_such_call"), nullptr);
  Call call;
  call.input({0, 1}, DType::I64);
  call.input({1}, DType::I64);
  call.context.dstNodes = 3;
  call.context.srcNodes = 2;
  call.context.edges = 2;
  using Symbols = const std::vector<std::int64_t> &;
  auto index = [](Symbols) { return HostTensor{nullptr, DType::I32, {4}}; };
  EXPECT_EQ(call.run(addSelfLoops, {index, index}, 1).message(),
            "self loops need one node set: the graph has 3 destinations and 2 sources");
  EXPECT_EQ(call.run(toCsr, {index, index}, 0).message(), "dst is I64[1], expected 2 rows");
  EXPECT_EQ(call.run(toCsr, {index}, 0).message(),
            "takes at least 2 inputs, 2 outputs, 0 symbols; found 2, 1, 0");
  Call rows;
  rows.input({0, 5, 3}, DType::I32);
  rows.context.dstNodes = 2;
  rows.context.order = "row";
  EXPECT_EQ(rows.run(partitionRows, {index, index}, 3).message(),
            "rowptr falls from 5 to 3 at row 1");
}

TEST(GraphCallErrors, NarrowingIsRefused) {
  Call call;
  call.input({3000000000}, DType::I64);
  call.input({0}, DType::I64);
  call.context.dstNodes = 1;
  call.context.srcNodes = 3000000001;
  call.context.edges = 1;
  using Symbols = const std::vector<std::int64_t> &;
  Status status = call.run(toCsr,
                           {[](Symbols) { return HostTensor{nullptr, DType::I32, {2}}; },
                            [](Symbols) { return HostTensor{nullptr, DType::I32, {1}}; }},
                           0);
  EXPECT_EQ(status.code(), Code::GuardFailed);
  EXPECT_EQ(status.message(), "col: 3000000000 does not fit the 32-bit indices the program was "
                              "compiled for");
}

} // namespace
