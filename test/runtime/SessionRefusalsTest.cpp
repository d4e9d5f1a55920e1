// What each wrong use of the public API says.
#include "GraphsForTests.h"
#include "SessionFixture.h"

#include <cstring>

using namespace gnnc;

namespace {

class SessionRefusals : public SessionFixture {};

TEST_F(SessionRefusals, IdsThatDoNotFitTheProgramAreRefused) {
  program.graphIndex = format::DType::I32;
  format::Artifact artifact = program.make();
  // Without nodes for memory: destinations are few, sources many.
  artifact.plan.prepare.erase(artifact.plan.prepare.begin());
  artifact.plan.prepare[0].call.inputs = {1, 2};
  Executable executable = must(load(artifact));
  std::vector<std::int64_t> src = {2999999999}, dst = {0};
  auto session = executable.bind(must(Graph::create<std::int64_t>(1, 3000000000, src, dst)));
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().status, GNNC_GUARD_FAILED);
  EXPECT_NE(session.error().message.find(
                "the program was compiled for 32-bit ids, the graph has 3000000000 nodes"),
            std::string::npos)
      << session.error().message;
}

TEST_F(SessionRefusals, WrongTensorsAreNamed) {
  Executable executable = must(load(program.make()));
  std::vector<std::int64_t> src = {0}, dst = {1};
  Session session = must(executable.bind(must(Graph::create<std::int64_t>(3, 3, src, dst))));
  std::vector<float> x = features(12), out(6);
  std::vector<double> wide(9);
  Tensor good("x", x.data(), {3, 3}), result("out", out.data(), {3, 2});
  auto says = [&](const std::vector<Tensor> &in, const std::vector<Tensor> &to) {
    auto status = session.run(in, to);
    return status ? std::string() : status.error().message;
  };
  EXPECT_EQ(says({Tensor("x", x.data(), {3, 4})}, {result}),
            "run: input 'x' is F32[3, 4], the program needs F32[3, 3]; its features do not fit "
            "the weights");
  EXPECT_EQ(says({Tensor("x", x.data(), {4, 3})}, {result}),
            "run: input 'x' is F32[4, 3], the program needs F32[3, 3]; the graph decides the rows");
  EXPECT_EQ(says({Tensor("x", wide.data(), {3, 3})}, {result}),
            "run: input 'x' is F64[3, 3], the program needs F32[3, 3]");
  EXPECT_EQ(says({}, {result}), "run: input 'x' is missing; the program needs F32[3, 3]");
  EXPECT_EQ(says({good, Tensor("y", x.data(), {1})}, {result}),
            "run: no input is called 'y'; the program has: x");
  EXPECT_EQ(says({good}, {Tensor("logits", out.data(), {3, 2})}),
            "run: no output is called 'logits'; the program has: out");
  EXPECT_EQ(says({good}, {Tensor("out", out.data(), {3, 1})}),
            "run: output 'out' is F32[3, 1], the program needs F32[3, 2]; its features do not fit "
            "the weights");
  EXPECT_EQ(says({Tensor("x", static_cast<float *>(nullptr), {3, 3})}, {result}),
            "run: input 'x': data is null");
  EXPECT_EQ(says({good, good}, {result}), "run: input 'x' is given twice");
  EXPECT_EQ(says({good}, {result, result}), "run: output 'out' is given twice");
  // Refused every time, and forgotten when the tensors are right again.
  for (int attempt = 0; attempt < 2; ++attempt)
    EXPECT_EQ(says({good}, {Tensor("out", x.data() + 8, {3, 2})}),
              "run: output 'out' overlaps input 'x' in memory; give it its own");
  EXPECT_EQ(says({good}, {Tensor("out", x.data() + 9, {3, 1})}).substr(0, 33),
            "run: output 'out' is F32[3, 1], t");
  EXPECT_EQ(says({good}, {}), ""); // outputs may be left out
  EXPECT_FALSE(session.outputShape("logits"));
  // Unaligned tensors are copied, not refused.
  std::vector<std::byte> bytes(37), outBytes(25);
  std::memcpy(bytes.data() + 1, x.data(), 36);
  EXPECT_EQ(says({Tensor("x", bytes.data() + 1, GNNC_F32, {3, 3})},
                 {Tensor("out", outBytes.data() + 1, GNNC_F32, {3, 2})}),
            "");
  EXPECT_EQ(says({good}, {result}), "");
  std::vector<float> unaligned(6);
  std::memcpy(unaligned.data(), outBytes.data() + 1, 24);
  EXPECT_EQ(out, unaligned);
}

TEST_F(SessionRefusals, GraphsAreValidatedOnce) {
  auto says = [](std::int64_t nodes, std::vector<std::int64_t> src, std::vector<std::int64_t> dst) {
    auto graph = Graph::create<std::int64_t>(nodes, nodes, src, dst);
    return graph ? std::string() : graph.error().message;
  };
  EXPECT_EQ(says(3, {1, 2, 3}, {1, 1, 3}),
            "bind: edge 2: source 3 is not in [0, 3); were ids counted from 1?");
  EXPECT_EQ(says(3, {0, 1, 2}, {1, -4, 0}),
            "bind: edge 1: destination -4 is not in [0, 3); ids count from 0");
  EXPECT_EQ(says(3, {0, 9, 2}, {1, 9, 0}),
            "bind: edge 1: source 9 is not in [0, 3); is the node count right?");
  EXPECT_EQ(says(0, {0}, {0}), "bind: edge 0: source 0 is not in [0, 0); is the node count right?");
  EXPECT_EQ(says(3, {0}, {0, 1}), "src has 1 entries, dst 2");
  // The first of many, over several blocks of work.
  EdgeList large = randomEdges("g", 1000, 500000);
  for (std::size_t i : {499999, 300000, 123456, 77}) {
    large.dst[i] = 1000;
    EXPECT_EQ(says(1000, large.src, large.dst),
              "bind: edge " + std::to_string(i) +
                  ": destination 1000 is not in [0, 1000); is the node count right?");
  }
  std::vector<float> floats(3);
  gnnc_graph_desc desc{3, 3, 3, floats.data(), floats.data(), GNNC_F32, nullptr, 0};
  EXPECT_EQ(Graph::create(desc).error().message, "bind: index_dtype must be I32 or I64, found F32");
  desc = {3, 3, 3, nullptr, nullptr, GNNC_I64, nullptr, 0};
  EXPECT_EQ(Graph::create(desc).error().message, "bind: src or dst is null, but there are 3 edges");
  desc = {-1, 3, 0, nullptr, nullptr, GNNC_I64, nullptr, 0};
  EXPECT_EQ(Graph::create(desc).error().message,
            "bind: num_dst is -1, expected 0 or a count that fits memory");
  std::vector<std::int32_t> ids = {0, 1, 2};
  auto data =
      Graph::create<std::int32_t>(3, 3, ids, ids, {Tensor("edge_weight", floats.data(), {2})});
  EXPECT_EQ(data.error().message,
            "bind: edge tensor 'edge_weight': has 2 rows, the graph has 3 edges");
}

TEST_F(SessionRefusals, EdgeTensorsAreAskedFor) {
  program.edgeWeight = true;
  Executable executable = must(load(program.make()));
  std::vector<std::int64_t> src = {0, 1}, dst = {1, 2};
  std::vector<float> weights = {1, 2};
  std::vector<double> wide = {1, 2};
  auto says = [&](const std::vector<Tensor> &data) {
    auto session = executable.bind(must(Graph::create<std::int64_t>(3, 3, src, dst, data)));
    return session ? std::string() : session.error().message;
  };
  EXPECT_EQ(says({Tensor("edge_weight", weights.data(), {2})}), "");
  Tensor weight("edge_weight", weights.data(), {2});
  auto twice = Graph::create<std::int64_t>(3, 3, src, dst, std::vector<Tensor>{weight, weight});
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().message, "bind: edge tensor 'edge_weight' is given twice");
  EXPECT_EQ(says({}), "bind: the program needs the edge or index tensor "
                      "'edge_weight', F32[2]; the graph has none of that name");
  EXPECT_EQ(says({Tensor("edge_weight", wide.data(), {2})}),
            "bind: edge tensor 'edge_weight' is F64[2], the program "
            "needs F32[2]");
}

TEST_F(SessionRefusals, IndexTensorsAreWholeNumbersOfTheirOwnName) {
  std::vector<std::int64_t> src = {0, 1}, dst = {1, 2}, ids = {0, 2, 1};
  std::vector<float> weights = {1, 2};
  auto says = [&](const std::vector<Tensor> &index) {
    auto graph = Graph::create<std::int64_t>(3, 3, src, dst,
                                             {Tensor("edge_weight", weights.data(), {2})}, index);
    return graph ? std::string() : graph.error().message;
  };
  Tensor batch("batch", ids.data(), {3});
  EXPECT_EQ(says({batch, Tensor("ptr", src.data(), {2})}), "");
  EXPECT_EQ(says({batch, batch}), "bind: index tensor 'batch' has the name of another tensor");
  EXPECT_EQ(says({Tensor("edge_weight", ids.data(), {3})}),
            "bind: index tensor 'edge_weight' has the name of another tensor");
  EXPECT_EQ(says({Tensor("batch", weights.data(), {2})}),
            "bind: index tensor 'batch' is F32[2], expected I32 or I64 of rank 1");
  EXPECT_EQ(says({Tensor("batch", ids.data(), {3, 1})}),
            "bind: index tensor 'batch' is I64[3, 1], expected I32 or I64 of rank 1");
  EXPECT_EQ(says({Tensor("batch", ids.data(), {3}, /*onDevice=*/true)}),
            "bind: index tensor 'batch': is on a device; graphs are bound from host memory");
  EXPECT_EQ(says({Tensor("batch", static_cast<std::int64_t *>(nullptr), {3})}),
            "bind: index tensor 'batch': data is null");
}

TEST_F(SessionRefusals, GuardsTellBothValues) {
  format::Artifact artifact = program.make();
  artifact.plan.guards.push_back({"equal",
                                  {0, {{0, 1}}},
                                  2708,
                                  "the graph has as many nodes as "
                                  "the one it was compiled for"});
  Executable executable = must(load(artifact));
  std::vector<std::int64_t> src = {0}, dst = {1};
  Graph graph = must(Graph::create<std::int64_t>(3, 3, src, dst));
  auto session = executable.bind(graph);
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().status, GNNC_GUARD_FAILED);
  EXPECT_EQ(session.error().message,
            "bind: the program relies on: the graph has as many nodes as the one it was compiled "
            "for; found n = 3, expected 2708; compile it for this graph");
  artifact.plan.guards = {{"max", {0, {{2, 1}}}, 3, "few edges with loops"}};
  EXPECT_EQ(complaint(artifact), "bind: the program relies on: few edges with loops; found e.loops "
                                 "= 4, expected at most 3; compile it with --index i64");
}

TEST_F(SessionRefusals, DevicesAndChipsAreChecked) {
  auto opens = [](const char *name) {
    auto device = Device::open(name);
    return device ? std::string() : device.error().message;
  };
  EXPECT_EQ(opens("cpu:2"), "");
  EXPECT_EQ(opens("gpu"), "device 'gpu' is not known; expected cpu, cpu:THREADS, cuda or cuda:N");
  EXPECT_EQ(opens("cpu:0"), "device 'cpu:0': the number of threads is '0', expected 1 to 4096");
  EXPECT_EQ(opens("cpu:two"),
            "device 'cpu:two': the number of threads is 'two', expected 1 to 4096");
  EXPECT_EQ(opens("cuda:x"), "device 'cuda:x': 'x' is no device number");
  if (!Device::cudaAvailable())
    EXPECT_EQ(opens("cuda").find("device 'cuda'"), 0u);
  program.target = "cuda";
  format::Artifact artifact = program.make();
  for (std::vector<format::Command> *list : {&artifact.plan.prepare, &artifact.plan.forward})
    for (format::Command &command : *list) {
      command.launch.grid = {{1, {}}, {1, {}}, {1, {}}};
      command.launch.block = 32;
    }
  EXPECT_NE(complaint(artifact).find("the program was compiled for target cuda, the device is cpu; "
                                     "compile it with --target cpu"),
            std::string::npos)
      << complaint(artifact);
  program.target = "cpu";
  program.chip = "x86-64-v9";
  EXPECT_NE(complaint(program.make())
                .find("the program was compiled for 'x86-64-v9', which is not known"),
            std::string::npos);
}

TEST_F(SessionRefusals, UnsoundPlansAreRefused) {
  auto with = [&](auto change) {
    format::Artifact artifact = program.make();
    change(artifact);
    std::string text = complaint(artifact);
    std::size_t at = text.find("plan.json: ");
    return at == std::string::npos ? text : text.substr(at);
  };
  using format::Artifact;
  EXPECT_EQ(with([](Artifact &a) { a.plan.forward[1].launch.kernel = "absent"; }),
            folder / "m.gnnx" + ": host.so has no kernel 'absent'");
  EXPECT_EQ(with([](Artifact &a) { a.plan.prepare[0].call.callee = "sort"; }),
            "plan.json: graph call 'sort' is not known; the artefact may need a newer runtime");
  EXPECT_EQ(
      with([](Artifact &a) { a.plan.forward.push_back(a.plan.prepare[0]); }),
      "plan.json: forward holds the graph call add_self_loops; graph calls belong to prepare");
  EXPECT_EQ(with([](Artifact &a) { a.plan.prepare[0].call.inputs[0] = 0; }),
            "plan.json: prepare uses 'x', which exists only during a run");
  EXPECT_EQ(with([](Artifact &a) { a.plan.arenaBytes = {256, {}}; }),
            "plan.json: transient 'counts' takes 8 bytes from 256 on, its arena has 256");
  EXPECT_EQ(
      with([](Artifact &a) { a.plan.buffers[11].arenaOffset = {INT64_MAX - 255, {}}; }),
      "plan.json: transient 'counts' takes 8 bytes from 9223372036854775552 on, its arena has "
      "512");
  EXPECT_EQ(with([](Artifact &a) { a.plan.buffers[11].arenaOffset = {16, {}}; }),
            "plan.json: the offset of 'counts' is 16, not a multiple of 256");
  EXPECT_EQ(with([](Artifact &a) { a.plan.prepare.erase(a.plan.prepare.begin()); }),
            "plan.json: e.loops is needed before prepare has set its symbols");
  EXPECT_EQ(with([](Artifact &a) { a.plan.prepare[1].call.inputs[1] = 7; }),
            "plan.json: prepare reads 'rowptr' before anything has written it");
  EXPECT_EQ(with([](Artifact &a) { a.plan.symbols[2].bound = {1, {}}; }),
            "plan.json: symbol 'e.loops' became 4, its bound 1 is 1");
  EXPECT_EQ(with([](Artifact &a) { a.plan.forward[0].gemm.k = 5; }),
            "plan.json: product operand a 'x' is F32[2, 3], expected 2x5");
  EXPECT_EQ(with([](Artifact &a) { a.plan.forward[1].launch.items = {-1, {}}; }),
            "plan.json: the item count of a launch is -1 = -1, expected at least 0");
  EXPECT_EQ(with([](Artifact &a) { a.plan.forward[1].launch.items = {9, {}}; }),
            "plan.json: row pointer 'rowptr' is too short for 9 rows of kernel sum_rows");
  EXPECT_EQ(with([](Artifact &a) { a.plan.forward[0].gemm.a = 4; }).find("plan.json: product"), 0u);
  EXPECT_EQ(with([](Artifact &a) { a.code.clear(); }),
            folder / "m.gnnx" +
                ": the artefact has no kernels/host.so; compile it with --target cpu");
  EXPECT_EQ(with([](Artifact &a) {
              a.code[0].bytes = format::Bytes::fromString("no code");
            }).find(folder / "m.gnnx" + ": host.so cannot be opened: "),
            0u);
  EXPECT_NE(with([](Artifact &a) {
              a.plan.arenaBytes = {0, {{0, INT64_MAX}}};
            }).find("out of memory: 9223372036854775807 bytes were needed"),
            std::string::npos);
}

/// Numbers that no C++ caller could pass: from C, or from another language.
TEST_F(SessionRefusals, MadeUpNumbersAreAnswered) {
  std::int64_t ids[] = {0, 1}, shape[] = {3, 3}, outShape[] = {3, 2};
  gnnc_graph *graph = nullptr;
  gnnc_graph_desc desc = {3, 3, 2, ids, ids, GNNC_I64, nullptr, 0};
  auto graphSays = [&](const gnnc_graph_desc &changed) {
    EXPECT_EQ(gnnc_graph_create(&changed, &graph), GNNC_INVALID_ARGUMENT);
    return std::string(gnnc_last_error());
  };
  gnnc_graph_desc bad = desc;
  bad.index_dtype = static_cast<gnnc_dtype>(99);
  EXPECT_EQ(graphSays(bad), "bind: index_dtype must be I32 or I64, found 99");
  bad = desc, bad.num_edges = INT64_MAX;
  EXPECT_EQ(graphSays(bad), "bind: num_edges is 9223372036854775807, expected 0 or a count that "
                            "fits memory");
  float data[9] = {}, out[6] = {};
  gnnc_tensor weight = {"edge_weight", data, static_cast<gnnc_dtype>(-7), 1, shape, 0};
  bad = desc, bad.edge_data = &weight, bad.num_edge_data = 1;
  EXPECT_EQ(graphSays(bad), "bind: edge tensor 'edge_weight': element type -7 is not known");
  weight.dtype = GNNC_F32, weight.shape = nullptr;
  EXPECT_EQ(graphSays(bad), "bind: edge tensor 'edge_weight': shape is null");

  std::string path = write(program.make());
  gnnc_device *device = nullptr;
  gnnc_executable *executable = nullptr;
  gnnc_session *session = nullptr;
  ASSERT_EQ(gnnc_device_open("cpu", &device), GNNC_OK);
  ASSERT_EQ(gnnc_executable_load(device, path.c_str(), &executable), GNNC_OK);
  ASSERT_EQ(gnnc_graph_create(&desc, &graph), GNNC_OK);
  ASSERT_EQ(gnnc_session_create(executable, graph, &session), GNNC_OK);
  gnnc_tensor x = {"x", data, GNNC_F32, 2, shape, 0}, to = {"out", out, GNNC_F32, 2, outShape, 0};
  auto runSays = [&](gnnc_tensor changed) {
    EXPECT_EQ(gnnc_session_run(session, &changed, 1, &to, 1), GNNC_INVALID_ARGUMENT);
    return std::string(gnnc_last_error());
  };
  gnnc_tensor wrong = x;
  wrong.dtype = static_cast<gnnc_dtype>(50);
  EXPECT_EQ(runSays(wrong), "run: tensor 'x': element type 50 is not known");
  wrong = x, wrong.shape = nullptr;
  EXPECT_EQ(runSays(wrong), "run: tensor 'x': shape is null");
  wrong = x, wrong.rank = -1;
  EXPECT_EQ(runSays(wrong), "run: tensor 'x': rank -1 is not in [0, 8]");
  wrong = x, wrong.name = nullptr;
  EXPECT_EQ(runSays(wrong), "run: no input is called ''; the program has: x");
  EXPECT_EQ(gnnc_session_run(session, &x, -1, &to, 1), GNNC_INVALID_ARGUMENT);
  EXPECT_EQ(gnnc_session_time(session, &x, 1, &to, 1, 0, 1, 1, nullptr), GNNC_INVALID_ARGUMENT);
  EXPECT_STREQ(gnnc_last_error(), "run: milliseconds is null");
  EXPECT_EQ(gnnc_session_run(session, &x, 1, &to, 1), GNNC_OK);
  gnnc_device_close(device);
  gnnc_executable_release(executable);
  gnnc_graph_release(graph);
  gnnc_session_release(session);
}

TEST(CApi, NullArgumentsAreAnswered) {
  EXPECT_EQ(gnnc_device_open(nullptr, nullptr), GNNC_INVALID_ARGUMENT);
  EXPECT_STREQ(gnnc_last_error(), "name or device is null");
  EXPECT_EQ(gnnc_executable_load(nullptr, nullptr, nullptr), GNNC_INVALID_ARGUMENT);
  EXPECT_EQ(gnnc_graph_create(nullptr, nullptr), GNNC_INVALID_ARGUMENT);
  EXPECT_EQ(gnnc_graph_create_indexed(nullptr, nullptr, 0, nullptr), GNNC_INVALID_ARGUMENT);
  EXPECT_EQ(gnnc_session_create(nullptr, nullptr, nullptr), GNNC_INVALID_ARGUMENT);
  EXPECT_EQ(gnnc_session_run(nullptr, nullptr, 0, nullptr, 0), GNNC_INVALID_ARGUMENT);
  EXPECT_EQ(gnnc_session_stats(nullptr, nullptr), GNNC_INVALID_ARGUMENT);
  gnnc_device_close(nullptr);
  gnnc_executable_release(nullptr);
  gnnc_graph_release(nullptr);
  gnnc_session_release(nullptr);
  EXPECT_STREQ(gnnc_version(), GNNC_VERSION);
}

} // namespace
