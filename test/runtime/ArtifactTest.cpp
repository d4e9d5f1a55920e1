// The .gnnx file: round trip, the plan's checks, and damage of every kind.
#include "runtime/format/Artifact.h"
#include "TestFiles.h"

#include <cstring>
#include <random>

using namespace gnnc::format;

namespace {

Artifact example() {
  Artifact artifact;
  Plan &plan = artifact.plan;
  plan.producer = "gnnc test";
  plan.program = "p";
  plan.target = "cpu";
  plan.chip = "generic";
  plan.symbols = {{"n", Symbol::Source::GraphDst, {}, {}},
                  {"e", Symbol::Source::GraphEdges, {}, {}},
                  {"e.loops", Symbol::Source::Prepare, {0, {{0, 1}, {1, 1}}}, {}}};
  plan.buffers = {
      {"x", Buffer::Kind::Input, DType::F32, {{0, {{0, 1}}}, {3, {}}}, {}, false},
      {"src", Buffer::Kind::GraphIndex, DType::I64, {{0, {{1, 1}}}}, {}, false},
      {"w", Buffer::Kind::Weight, DType::F32, {{2, {}}, {3, {}}}, {}, false},
      {"rowptr", Buffer::Kind::Persistent, DType::I32, {{1, {{0, 1}}}}, {}, true},
      {"out", Buffer::Kind::Output, DType::F32, {{0, {{0, 1}}}, {2, {}}}, {}, false},
      {"t", Buffer::Kind::Transient, DType::F32, {{0, {{0, 1}}}, {2, {}}}, {256, {}}, false}};
  Command gemm{Command::Kind::Gemm, {}, {}, {}};
  gemm.gemm = {0, 2, 5, -1, 5, {0, {{0, 1}}}, 2, 3, 1, true, false, "relu", "fp32"};
  Command launch{Command::Kind::Launch, {}, {}, {}};
  launch.launch.kernel = "k";
  launch.launch.arguments = {{5, {}}, {4, {}}, {-1, {0, {{0, 2}}}}};
  launch.launch.items = {0, {{0, 1}}};
  launch.launch.rowPointer = 3;
  launch.launch.grid = {{0, {{0, 1, 4, 1, 3}}}, {1, {}}, {1, {}}};
  Command call{Command::Kind::GraphCall, {}, {}, {}};
  call.call.callee = "add_self_loops";
  call.call.inputs = {1, 1};
  call.call.outputs = {3};
  call.call.symbols = {2};
  call.call.fill = 0.1;
  plan.prepare = {call};
  plan.forward = {gemm, launch};
  plan.arenaBytes = {256, {{0, 256, 32, 1, 31}}};
  plan.prepareArenaBytes = {512, {}};
  plan.guards = {{"max", {0, {{1, 1}, {0, 1}}}, 2147483647, "edges fit 32 bits"}};
  static const float weights[6] = {1, 2, 3, 4, 5, 6};
  artifact.weights.tensors = {Tensor::view("w", DType::F32, {2, 3}, weights)};
  artifact.code = {{"host.so", Bytes::fromString("not really code")}};
  return artifact;
}

std::string complaint(const std::string &path) {
  Artifact artifact;
  std::string error;
  return readArtifact(path, artifact, error) ? "" : error;
}

TEST(Plan, FormulasRoundAndSaturate) {
  Formula ceiling{1, {{0, 2, 4, 1, 3}}};
  EXPECT_EQ(ceiling.evaluate({0}), 1);
  EXPECT_EQ(ceiling.evaluate({5}), 5);
  EXPECT_EQ((Formula{0, {{0, 256, 256, 64, 255}}}.evaluate({5})), 512);
  EXPECT_EQ((Formula{5, {{0, INT64_MAX}}}.evaluate({7})), INT64_MAX);
  EXPECT_EQ((Formula{0, {{0, -1, 2}}}.evaluate({5})), -2);
  EXPECT_EQ(ceiling.text(example().plan), "2*((n + 3) / 4) + 1");
}

TEST(Plan, JsonRoundTrip) {
  std::string text = toJson(example().plan), error;
  Plan plan;
  ASSERT_TRUE(fromJson(text, plan, error)) << error;
  EXPECT_EQ(toJson(plan), text);
  EXPECT_EQ(plan.forward[1].launch.grid[0].terms[0].offset, 3);
  EXPECT_EQ(plan.forward[0].gemm.bias, -1);
}

TEST(Plan, ErrorsNameThePath) {
  const std::string good = toJson(example().plan);
  auto after = [&](const std::string &from, const std::string &to) {
    std::string text = good, error;
    std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    Plan plan;
    return fromJson(text, plan, error) ? std::string() : error;
  };
  EXPECT_EQ(
      after("\"version\": 3", "\"version\": 2"),
      "plan.json: version: version 2, this runtime reads version 3; compile the program again");
  EXPECT_EQ(after("\"a\": \"x\"", "\"a\": \"y\""),
            "plan.json: forward[0].gemm.a: no buffer is called \"y\"");
  EXPECT_EQ(after("\"c\": \"t\"", "\"c\": \"rowptr\""),
            "plan.json: forward[0].gemm.c: forward writes 'rowptr', which is prepare's");
  EXPECT_EQ(after("\"divisor\": 4", "\"divisor\": 0"),
            "plan.json: forward[1].launch.grid[0].terms[0].divisor: expected at least 1, found 0");
  EXPECT_EQ(after("\"kind\": \"max\"", "\"kind\": \"min\""),
            "plan.json: guards[0].kind: expected one of max, equal; found \"min\"");
  EXPECT_EQ(after("\"activation\": \"relu\"", "\"activation\": 3"),
            "plan.json: forward[0].gemm.activation: expected a string, found 3");
  EXPECT_EQ(after("\"heads\": 1", "\"heads\": 3"),
            "plan.json: forward[0].gemm.heads: 3 heads do not divide the 2 columns of the result");
  EXPECT_EQ(after("\"heads\": 1", "\"heads\": 0"),
            "plan.json: forward[0].gemm.heads: 0 heads do not divide the 2 columns of the result");
  EXPECT_EQ(after("\"name\": \"t\"", "\"name\": \"x\""),
            "plan.json: buffers[5].name: \"x\" is empty or used twice");
  EXPECT_EQ(after("\"chip\"", "\"chop\""), "plan.json: top level: 'chip' is missing");
  EXPECT_EQ(after("{", "["),
            "plan.json: not valid JSON (" + std::to_string(good.size()) + " bytes)");
}

TEST(Artifact, RoundTripAndSameBytes) {
  TestFolder folder;
  std::string error;
  ASSERT_TRUE(writeArtifact(folder / "a.gnnx", example(), error)) << error;
  ASSERT_TRUE(writeArtifact(folder / "b.gnnx", example(), error)) << error;
  EXPECT_EQ(slurp(folder / "a.gnnx"), slurp(folder / "b.gnnx"));
  Artifact back;
  ASSERT_TRUE(readArtifact(folder / "a.gnnx", back, error)) << error;
  EXPECT_EQ(toJson(back.plan), toJson(example().plan));
  ASSERT_EQ(back.code.size(), 1u);
  EXPECT_EQ(back.code[0].name, "host.so");
  EXPECT_EQ(back.weights.find("w")->as<float>()[5], 6);
}

TEST(Artifact, WeightsMustFitThePlan) {
  TestFolder folder;
  std::string error;
  Artifact artifact = example();
  artifact.weights.tensors[0].name = "v";
  EXPECT_FALSE(writeArtifact(folder / "a", artifact, error));
  EXPECT_EQ(error, folder / "a" + ": weight 'w' is missing; the program needs F32[2, 3]");
  artifact.weights.tensors[0].name = "w";
  artifact.weights.tensors[0].shape = {3, 2};
  EXPECT_FALSE(writeArtifact(folder / "a", artifact, error));
  EXPECT_EQ(error, folder / "a" + ": weight 'w' is F32[3, 2]; the program needs F32[2, 3]");
  EXPECT_EQ(folder.files(), 0u);
}

TEST(Artifact, RefusesOtherFiles) {
  TestFolder folder;
  EXPECT_EQ(complaint(folder / "a"), folder / "a" + ": cannot open: No such file or directory");
  for (const char *text : {"", "PK", "no zip at all, but some bytes that stand there instead"}) {
    spill(folder / "a", text);
    EXPECT_EQ(complaint(folder / "a").find(folder / "a" + ": not a gnnx artefact"), 0u)
        << complaint(folder / "a");
  }
}

TEST(Artifact, EveryFlippedByteOfAMemberIsFound) {
  TestFolder folder;
  std::string error;
  ASSERT_TRUE(writeArtifact(folder / "a", example(), error)) << error;
  const std::string good = slurp(folder / "a");
  std::size_t checked = 0;
  for (const char *mark : {"\"format\": \"gnnx\"", "\"producer\": \"gnnc test\"", "not really code",
                           "\"dtype\":\"F32\""}) {
    std::size_t at = good.find(mark);
    ASSERT_NE(at, std::string::npos);
    for (std::size_t i = 0; i < std::strlen(mark); ++i, ++checked) {
      std::string bad = good;
      bad[at + i] ^= 0x10;
      spill(folder / "b", bad);
      EXPECT_NE(complaint(folder / "b"), "") << mark << " byte " << i;
    }
  }
  EXPECT_GT(checked, 50u);
}

TEST(Artifact, TruncatedOrRandomlyDamagedNeverCrashes) {
  TestFolder folder;
  std::string error;
  ASSERT_TRUE(writeArtifact(folder / "a", example(), error)) << error;
  const std::string good = slurp(folder / "a");
  for (std::size_t size = 0; size < good.size(); size += 7) {
    spill(folder / "b", good.substr(0, size));
    EXPECT_NE(complaint(folder / "b"), "") << size;
  }
  std::mt19937 random(1); // NOLINT(bugprone-random-generator-seed): the same each time
  std::size_t found = 0;
  for (int round = 0; round < 1000; ++round) {
    std::string bad = good;
    for (int i = 0; i < 1 + round % 4; ++i)
      bad[random() % bad.size()] = static_cast<char>(random());
    spill(folder / "b", bad);
    std::string what = complaint(folder / "b");
    found += !what.empty();
    EXPECT_EQ(what.find('\n'), std::string::npos) << what;
  }
  EXPECT_GT(found, 700u);
}

} // namespace
