// Graphs of index tensors: what each form makes, in every mix of index types, and what
// is said of tensors that are none.
#include "runtime/core/GraphCalls.h"

#include <gtest/gtest.h>

using namespace gnnc::runtime;
using gnnc::format::DType;

namespace {

using Numbers = std::vector<std::int64_t>;

struct Made {
  Status status;
  Numbers first, second;
};

/// Numbers in the memory of a tensor.
HostTensor placed(const Numbers &values, DType dtype, Numbers &memory) {
  memory.assign(values.size() + 1, -7);
  HostTensor tensor{memory.data(), dtype, {static_cast<std::int64_t>(values.size())}};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (dtype == DType::I32)
      tensor.as<std::int32_t>()[i] = static_cast<std::int32_t>(values[i]);
    else
      tensor.as<std::int64_t>()[i] = values[i];
  }
  return tensor;
}

Numbers read(const HostTensor &tensor) {
  Numbers out;
  for (std::int64_t i = 0; i < tensor.rows(); ++i)
    out.push_back(tensor.dtype == DType::I32 ? tensor.as<std::int32_t>()[i]
                                             : tensor.as<std::int64_t>()[i]);
  return out;
}

Made make(const std::string &form, const std::vector<Numbers> &inputs, std::int64_t dst,
          std::int64_t src, std::int64_t edges, DType in = DType::I64, DType out = DType::I32) {
  GraphCallContext context;
  std::vector<Numbers> memory(4);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    context.inputs.push_back(placed(inputs[i], in, memory[i]));
    context.names.emplace_back(i ? "b" : "a");
  }
  context.numOutputs = 2;
  context.form = form;
  context.dstNodes = dst;
  context.srcNodes = src;
  context.edges = edges;
  bool isCoo = form == "coo" || form == "scatter";
  std::vector<HostTensor> outputs = {
      placed(Numbers(static_cast<std::size_t>(isCoo ? edges : dst + 1)), out, memory[2]),
      placed(Numbers(static_cast<std::size_t>(edges)), out, memory[3])};
  context.output = [&](std::size_t i) -> Expected<HostTensor> { return outputs[i]; };
  Status status = makeGraph(context);
  return {status, read(outputs[0]), read(outputs[1])};
}

TEST(MakeGraph, FormsInEachTypeOfIndex) {
  for (DType in : {DType::I32, DType::I64})
    for (DType out : {DType::I32, DType::I64}) {
      Made coo = make("coo", {{1, 0, 1}, {2, 2, 0}}, 3, 2, 3, in, out);
      EXPECT_EQ(coo.first, (Numbers{1, 0, 1}));
      EXPECT_EQ(coo.second, (Numbers{2, 2, 0}));
      Made csr = make("csr", {{0, 2, 2, 3}, {1, 0, 1}}, 3, 2, 3, in, out);
      EXPECT_EQ(csr.first, (Numbers{0, 2, 2, 3}));
      EXPECT_EQ(csr.second, (Numbers{1, 0, 1}));
      Made gather = make("gather", {{4, 0, 4}}, 3, 5, 3, in, out);
      EXPECT_EQ(gather.first, (Numbers{0, 1, 2, 3}));
      EXPECT_EQ(gather.second, (Numbers{4, 0, 4}));
      Made scatter = make("scatter", {{4, 0, 4}}, 5, 3, 3, in, out);
      EXPECT_EQ(scatter.first, (Numbers{0, 1, 2}));
      EXPECT_EQ(scatter.second, (Numbers{4, 0, 4}));
      Made segments = make("segments", {{0, 2, 2, 3}}, 3, 3, 3, in, out);
      EXPECT_EQ(segments.first, (Numbers{0, 2, 2, 3}));
      EXPECT_EQ(segments.second, (Numbers{0, 1, 2}));
    }
}

TEST(MakeGraph, NothingAtAll) {
  EXPECT_TRUE(make("coo", {{}, {}}, 0, 0, 0).status);
  EXPECT_EQ(make("gather", {{}}, 0, 0, 0).first, Numbers{0});
  EXPECT_TRUE(make("scatter", {{}}, 4, 0, 0).status);
  EXPECT_EQ(make("segments", {{0}}, 0, 0, 0).first, Numbers{0});
}

TEST(MakeGraph, NamesTensorEntryAndBound) {
  auto error = [](const Made &made) {
    EXPECT_EQ(made.status.code(), Code::InvalidGraph);
    return made.status.message();
  };
  EXPECT_EQ(error(make("coo", {{1, 2}, {0, 0}}, 1, 2, 2)),
            "index tensor 'a': entry 1 is 2, not in [0, 2); were ids counted from 1?");
  EXPECT_EQ(error(make("coo", {{1, 1}, {0, -4}}, 1, 2, 2)),
            "index tensor 'b': entry 1 is -4, not in [0, 1)");
  EXPECT_EQ(error(make("csr", {{0, 1}, {7}}, 1, 2, 1)),
            "index tensor 'b': entry 0 is 7, not in [0, 2)");
  EXPECT_EQ(error(make("gather", {{0}}, 1, 0, 1)),
            "index tensor 'a': entry 0 is 0, not in [0, 0); were ids counted from 1?");
  EXPECT_EQ(error(make("scatter", {{0, 8}}, 3, 2, 2)),
            "index tensor 'a': entry 1 is 8, not in [0, 3)");
}

TEST(MakeGraph, RowPointersRiseFromNothingToAllRows) {
  auto error = [](const Numbers &pointer) {
    Made made = make("segments", {pointer}, static_cast<std::int64_t>(pointer.size()) - 1, 5, 5);
    EXPECT_EQ(made.status.code(), Code::InvalidGraph);
    return made.status.message();
  };
  EXPECT_EQ(error({1, 5}), "row pointer 'a': begins with 1, expected 0");
  EXPECT_EQ(error({0, 4, 3, 5}), "row pointer 'a': falls from 4 to 3 at entry 2");
  EXPECT_EQ(error({0, 6, 5}), "row pointer 'a': entry 1 is 6, but there are 5 rows");
  EXPECT_EQ(error({0, 4}), "row pointer 'a': ends with 4, but there are 5 rows");
}

TEST(MakeGraph, UnsoundPlansAreRefused) {
  EXPECT_EQ(make("segments", {{0, 1}, {0}}, 1, 1, 1).status.message(),
            "takes 1 inputs and 2 outputs for form 'segments'");
  EXPECT_EQ(make("gather", {{0, 0}}, 1, 1, 1).status.message(),
            "index tensor 'a' is I64[2], expected I32 or I64 with 1 rows");
  EXPECT_EQ(make("gather", {{0}}, 1, 3000000000, 1).status.code(), Code::GuardFailed);
}

} // namespace
