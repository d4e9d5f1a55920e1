// Graph calls on the device against the host's functions, byte for byte.
#include "runtime/cuda/CudaGraphCalls.h"
#include "CudaTestDevice.h"
#include "GraphsForTests.h"
#include "runtime/core/GraphCalls.h"

#include <cstring>
#include <random>

using namespace gnnc;
using namespace gnnc::runtime;
using format::DType;

namespace {

using Bytes = std::vector<std::byte>;

/// A tensor's description and contents on the host.
struct Tensor {
  DType dtype;
  std::vector<std::int64_t> shape;
  Bytes bytes;

  HostTensor view(void *data) const { return {data, dtype, shape}; }
};

Tensor ids(const std::vector<std::int64_t> &values, DType dtype) {
  Tensor tensor{dtype, {static_cast<std::int64_t>(values.size())}, {}};
  const std::size_t width = format::sizeOf(dtype);
  tensor.bytes.resize(values.size() * width);
  for (std::size_t i = 0; i < values.size(); ++i) // little endian: the low half comes first
    std::memcpy(tensor.bytes.data() + i * width, &values[i], width);
  return tensor;
}

Tensor edgeTensor(DType dtype, const std::vector<std::int64_t> &shape) {
  Tensor tensor{dtype, shape, {}};
  tensor.bytes.resize(static_cast<std::size_t>(tensor.view(nullptr).bytes()));
  std::mt19937 random(static_cast<unsigned>(tensor.bytes.size()));
  for (std::byte &byte : tensor.bytes)
    byte = static_cast<std::byte>(random());
  return tensor;
}

/// What a call makes, on whichever side.
struct Results {
  std::vector<std::int64_t> symbols;
  std::vector<Bytes> outputs;
  bool operator==(const Results &) const = default;
};

/// A call by its name; shapes of its outputs may depend on its symbols.
struct Request {
  std::string callee;
  std::vector<Tensor> inputs;
  std::int64_t dstNodes = 0, srcNodes = 0, edges = 0, chunk = 0;
  std::string order;
  std::size_t numSymbols = 0;
  std::vector<std::function<Tensor(const std::vector<std::int64_t> &)>> outputs;

  GraphCallContext context(Results &results) const {
    GraphCallContext context;
    context.numOutputs = outputs.size();
    context.numSymbols = numSymbols;
    context.dstNodes = dstNodes;
    context.srcNodes = srcNodes;
    context.edges = edges;
    context.chunk = chunk;
    context.order = order;
    results.symbols.assign(numSymbols, -1);
    context.setSymbol = [&results](std::size_t i, std::int64_t value) {
      results.symbols[i] = value;
      return Status();
    };
    return context;
  }
};

Request toCsrRequest(const EdgeList &graph, DType from, DType to,
                     std::vector<Tensor> edgeTensors = {}) {
  Request request;
  request.callee = "to_csr";
  request.dstNodes = request.srcNodes = graph.nodes;
  request.edges = graph.edges();
  request.inputs = {ids(graph.src, from), ids(graph.dst, from)};
  request.outputs = {
      [=](const auto &) { return Tensor{to, {request.dstNodes + 1}, {}}; },
      [=](const auto &) { return Tensor{to, {request.edges}, {}}; },
  };
  for (Tensor &tensor : edgeTensors) {
    request.outputs.push_back([dtype = tensor.dtype, shape = tensor.shape](const auto &) {
      return Tensor{dtype, shape, {}};
    });
    request.inputs.push_back(std::move(tensor));
  }
  return request;
}

Request removeLoopsRequest(const EdgeList &graph, DType from, DType to,
                           std::vector<Tensor> edgeTensors = {}) {
  Request request = toCsrRequest(graph, from, to, std::move(edgeTensors));
  request.callee = "remove_self_loops";
  request.numSymbols = 1;
  for (std::size_t i = 0; i < request.outputs.size(); ++i)
    request.outputs[i] = [dtype = i < 2 ? to : request.inputs[i].dtype,
                          shape = request.inputs[i].shape](const auto &symbols) {
      Tensor tensor{dtype, shape, {}};
      tensor.shape[0] = symbols[0];
      return tensor;
    };
  return request;
}

Request partitionRequest(const std::vector<std::int64_t> &rowPointer, DType dtype,
                         std::int64_t chunk, const std::string &order) {
  Request request;
  request.callee = "partition_rows";
  request.dstNodes = static_cast<std::int64_t>(rowPointer.size()) - 1;
  request.inputs = {ids(rowPointer, dtype)};
  request.chunk = chunk;
  request.order = order;
  request.numSymbols = 3;
  for (std::size_t i : {0, 1})
    request.outputs.push_back(
        [i](const auto &symbols) { return Tensor{DType::I32, {symbols[i], 4}, {}}; });
  return request;
}

std::vector<std::int64_t> rowPointerOf(const EdgeList &graph) {
  std::vector<std::int64_t> rows(static_cast<std::size_t>(graph.nodes) + 1, 0);
  for (std::int64_t v : graph.dst)
    ++rows[static_cast<std::size_t>(v) + 1];
  for (std::size_t v = 1; v < rows.size(); ++v)
    rows[v] += rows[v - 1];
  return rows;
}

/// A third of the edges is at one node.
EdgeList randomGraph(std::int64_t nodes, std::int64_t edges) {
  return randomEdges("random", nodes, edges, edges / 3);
}

class CudaGraphCallsTest : public CudaTest {
protected:
  std::int64_t mostBlocks = 0; ///< 0: what the back end takes

  Results onHost(const Request &request, Status &status) {
    Results results;
    GraphCallContext context = request.context(results);
    std::vector<Bytes> memory;
    for (const Tensor &input : request.inputs)
      memory.push_back(input.bytes);
    for (std::size_t i = 0; i < memory.size(); ++i) {
      memory[i].resize(memory[i].size() + 8);
      context.inputs.push_back(request.inputs[i].view(memory[i].data()));
    }
    results.outputs.resize(request.outputs.size());
    context.output = [&](std::size_t i) -> Expected<HostTensor> {
      Tensor tensor = request.outputs[i](results.symbols);
      results.outputs[i].resize(static_cast<std::size_t>(tensor.view(nullptr).bytes()));
      return tensor.view(results.outputs[i].data());
    };
    status = findGraphCall(request.callee)(context);
    return results;
  }

  Expected<bool> onDevice(const Request &request, Results &results) {
    GraphCallContext context = request.context(results);
    for (const Tensor &input : request.inputs)
      context.inputs.push_back(input.view(input.bytes.empty() ? nullptr : upload(input.bytes)));
    std::vector<HostTensor> made(request.outputs.size());
    context.output = [&](std::size_t i) -> Expected<HostTensor> {
      Tensor tensor = request.outputs[i](results.symbols);
      std::vector<std::byte> poison(static_cast<std::size_t>(tensor.view(nullptr).bytes()),
                                    std::byte{0xee});
      return made[i] = tensor.view(poison.empty() ? nullptr : upload(poison));
    };
    auto done = call(request.callee, context);
    for (const HostTensor &tensor : made)
      results.outputs.push_back(
          tensor.data ? download(tensor.as<std::byte>(), static_cast<std::size_t>(tensor.bytes()))
                      : Bytes());
    return done;
  }

  Expected<bool> call(const std::string &callee, GraphCallContext &context) {
    if (mostBlocks == 0)
      return backend->graphCall(callee, context, *stream);
    auto device = cuda::Context::open(0);
    if (!device)
      return device.status();
    auto calls = cuda::CudaGraphCalls::open(*device, mostBlocks);
    if (!calls)
      return calls.status();
    return (*calls)->run(callee, context, *static_cast<cuda::CudaStream &>(*stream).handle);
  }

  void check(const Request &request) {
    Status status;
    Results expected = onHost(request, status), found;
    ASSERT_TRUE(status) << status.message();
    auto done = onDevice(request, found);
    ASSERT_TRUE(done) << done.status().message();
    ASSERT_TRUE(*done);
    EXPECT_EQ(found.symbols, expected.symbols);
    ASSERT_EQ(found.outputs.size(), expected.outputs.size());
    for (std::size_t i = 0; i < found.outputs.size(); ++i)
      EXPECT_TRUE(found.outputs[i] == expected.outputs[i]) << "output " << i;
    for (void *address : addresses)
      backend->release(address);
    addresses.clear();
  }

  std::vector<EdgeList> graphs() {
    std::vector<EdgeList> all = hardGraphs();
    all.push_back({"one node, no edges", 1, {}, {}});
    all.push_back({"one node, loops", 1, {0, 0, 0}, {0, 0, 0}});
    all.push_back(randomGraph(2, 9000));
    all.push_back(randomGraph(257, 4096));
    all.push_back(randomGraph(70000, 30000));
    all.push_back(randomGraph(3, 4097));
    return all;
  }
};

} // namespace

TEST_F(CudaGraphCallsTest, SortsEdgesAndDropsLoopsAsTheHostDoes) {
  for (const EdgeList &graph : graphs())
    for (DType from : {DType::I32, DType::I64})
      for (DType to : {DType::I32, DType::I64}) {
        SCOPED_TRACE(graph.name + ", " + std::to_string(graph.edges()) + " edges");
        check(toCsrRequest(graph, from, to));
        check(removeLoopsRequest(graph, from, to));
      }
}

TEST_F(CudaGraphCallsTest, MovesEdgeTensorsWithTheirEdges) {
  for (const EdgeList &graph : graphs()) {
    SCOPED_TRACE(graph.name);
    const std::int64_t edges = graph.edges();
    const std::vector<Tensor> tensors = {
        edgeTensor(DType::U8, {edges}),     edgeTensor(DType::BF16, {edges}),
        edgeTensor(DType::F32, {edges}),    edgeTensor(DType::F64, {edges}),
        edgeTensor(DType::U8, {edges, 3}),  edgeTensor(DType::F16, {edges, 5}),
        edgeTensor(DType::F32, {edges, 4}), edgeTensor(DType::F32, {edges, 2, 3}),
        edgeTensor(DType::F64, {edges, 7}), edgeTensor(DType::F32, {edges, 0})};
    check(toCsrRequest(graph, DType::I64, DType::I32, tensors));
    check(removeLoopsRequest(graph, DType::I64, DType::I32, tensors));
  }
}

TEST_F(CudaGraphCallsTest, ABlockHasSeveralTiles) {
  for (std::int64_t blocks : {1, 2, 3}) {
    mostBlocks = blocks;
    EdgeList graph = randomGraph(1000, 40001);
    check(toCsrRequest(graph, DType::I32, DType::I32, {edgeTensor(DType::U8, {40001})}));
    check(removeLoopsRequest(graph, DType::I32, DType::I32, {edgeTensor(DType::U8, {40001})}));
    for (const char *order : {"row", "longest", "windows"})
      check(partitionRequest(rowPointerOf(graph), DType::I32, 30, order));
  }
}

TEST_F(CudaGraphCallsTest, DividesRowsAsTheHostDoes) {
  for (const EdgeList &graph : graphs())
    for (DType dtype : {DType::I32, DType::I64})
      for (std::int64_t chunk : {0, 1, 2, 256, 1000000})
        for (const char *order : {"row", "longest", "windows"}) {
          SCOPED_TRACE(graph.name + ", chunk " + std::to_string(chunk) + ", " + order);
          check(partitionRequest(rowPointerOf(graph), dtype, chunk, order));
        }
}

TEST_F(CudaGraphCallsTest, LeavesToTheHostWhatItHasMessagesFor) {
  Results results;
  for (const Request &request :
       {partitionRequest({0, 5, 3, 8}, DType::I32, 0, "row"),
        partitionRequest({0, 3}, DType::I32, 0, "shortest"),
        partitionRequest({0, std::int64_t{1} << 33}, DType::I64, 1 << 20, "row")}) {
    auto done = onDevice(request, results);
    ASSERT_TRUE(done) << done.status().message();
    EXPECT_FALSE(*done);
    Status status;
    onHost(request, status);
    EXPECT_FALSE(status);
  }
  const EdgeList graph = randomGraph(5, 20);
  for (const Request &request :
       {toCsrRequest(graph, DType::I32, DType::I32, {edgeTensor(DType::F32, {19})}),
        removeLoopsRequest(graph, DType::I32, DType::I32, {edgeTensor(DType::F32, {19})})}) {
    auto done = onDevice(request, results);
    ASSERT_TRUE(done) << done.status().message();
    EXPECT_FALSE(*done);
  }
}

TEST_F(CudaGraphCallsTest, TakesWhatIsLargeEnough) {
  for (const char *callee : {"to_csr", "remove_self_loops", "partition_rows"}) {
    EXPECT_TRUE(backend->takesGraphCall(callee, 1 << 30)) << callee;
    EXPECT_FALSE(backend->takesGraphCall(callee, 10000)) << callee;
  }
  EXPECT_FALSE(backend->takesGraphCall("slice", 1 << 30));
}
