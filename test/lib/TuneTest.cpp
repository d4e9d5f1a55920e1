//===- TuneTest.cpp - Search space, cost model and database of the tuner --===//
#include "lib/Tune/CostModel.h"
#include "lib/Tune/Database.h"
#include "lib/Tune/Signature.h"
#include "passes/Kernel/GpuLayout.h"
#include "passes/Kernel/KernelAbi.h"
#include "passes/RegisterAll.h"

#include "mlir/Parser/Parser.h"

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace gnnc;
using namespace gnnc::tune;

namespace {

/// A kernel that sums rows of `row` (64, 4x16, ...) over neighbours.
std::string sumKernel(const std::string &row) {
  std::string type = "tensor<?x" + row + "xf32>";
  std::string vector = "vector<" + row + "xf32>";
  return R"(func.func private @agg(%g: !gnn.graph<?x?x?, i32, csr>, %x: )" + type + ") -> " + type +
         R"( attributes {gnn.kernel = "aggregate"} {
  %0 = gnn.aggregate %g src(%x : )" +
         type + ") reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> " + type +
         " message {\n  ^bb0(%r: " + vector + "):\n    gnn.yield %r : " + vector +
         "\n  }\n  return %0 : " + type + "\n}\n";
}

class TuneTest : public ::testing::Test {
protected:
  TuneTest() : context(MLIRContext::Threading::DISABLED) {
    DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  TunedKernel kernel(const std::string &row, bool cuda) {
    module = parseSourceString<ModuleOp>(sumKernel(row), &context);
    function = *module->getOps<func::FuncOp>().begin();
    target = gnn::TargetAttr::get(&context, cuda ? gnn::TargetKind::Cuda : gnn::TargetKind::Cpu,
                                  cuda ? "sm_90" : "x86-64-v3");
    return *TunedKernel::get(kernelOp(function), target);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
  gnn::TargetAttr target;
};

GraphShape shapeOf(std::vector<std::int64_t> degrees) {
  std::vector<std::int64_t> ends;
  for (std::size_t row = 0; row < degrees.size(); ++row)
    ends.insert(ends.end(), static_cast<std::size_t>(degrees[row]), static_cast<std::int64_t>(row));
  auto nodes = static_cast<std::int64_t>(degrees.size());
  return GraphShape::of(nodes, nodes, static_cast<std::int64_t>(ends.size()),
                        [&](std::int64_t e) { return ends[static_cast<std::size_t>(e)]; });
}

TEST_F(TuneTest, EveryProposedScheduleIsLegal) {
  for (const char *row : {"1", "7", "47", "64", "100", "256", "4x16", "8x256"}) {
    TunedKernel tuned = kernel(row, /*cuda=*/true);
    SmallVector<Attribute> all = allSchedules(tuned);
    EXPECT_GT(all.size(), 50u) << row;
    for (Attribute schedule : all) {
      tuned.op->setAttr("schedule", schedule);
      EXPECT_TRUE(
          succeeded(GpuLayout::check(tuned.op, cast<gnn::GpuScheduleAttr>(schedule), tuned.frame)));
    }
    llvm::DenseSet<Attribute> once(all.begin(), all.end());
    EXPECT_EQ(once.size(), all.size()) << row;
    for (Attribute schedule : all) { // a place is tried where there are several tiles
      auto gpu = cast<gnn::GpuScheduleAttr>(schedule);
      EXPECT_EQ(gpu.getTiles() != gnn::TileAxis::BySize,
                GpuLayout(gpu, tuned.frame).numTiles() > 1);
    }
  }
}

TEST_F(TuneTest, VectorsDivideOddRows) {
  for (Attribute schedule : allSchedules(kernel("47", /*cuda=*/true)))
    EXPECT_EQ(cast<gnn::GpuScheduleAttr>(schedule).getVector(), 1);
}

TEST_F(TuneTest, HostTilesEndAtTheRow) {
  SmallVector<Attribute> all = allSchedules(kernel("64", /*cuda=*/false));
  EXPECT_GE(all.size(), 12u);
  for (Attribute schedule : all)
    EXPECT_LE(cast<gnn::CpuScheduleAttr>(schedule).getTile(), 64);
}

TEST_F(TuneTest, NeighboursDifferInOneStep) {
  TunedKernel tuned = kernel("64", /*cuda=*/false);
  auto centre = gnn::CpuScheduleAttr::get(&context, 64, 8);
  for (Attribute near : neighbours(tuned, centre)) {
    auto other = cast<gnn::CpuScheduleAttr>(near);
    EXPECT_TRUE((other.getTile() == 64) != (other.getPrefetch() == 8));
  }
  EXPECT_EQ(neighbours(tuned, centre).size(), 4u);
}

TEST_F(TuneTest, ModelKeepsASliceInTheCache) {
  // As many sources as make rows of 256 floats four times the L2: tiles pay.
  TunedKernel tuned = kernel("256", /*cuda=*/true);
  GraphShape shape = shapeOf(std::vector<std::int64_t>(200000, 10));
  auto of = [&](int64_t group) {
    return estimateUs(tuned,
                      gnn::GpuScheduleAttr::get(&context, 128, group, 4, group == 32 ? 2 : 1, 4,
                                                128, 1, gnn::RowOrder::Longest,
                                                gnn::TileAxis::BySize),
                      shape);
  };
  EXPECT_LT(of(8), of(32));
}

TEST_F(TuneTest, ModelSplitsTheRowThatAllWaitFor) {
  TunedKernel tuned = kernel("64", /*cuda=*/true);
  std::vector<std::int64_t> degrees(10000, 8);
  degrees[17] = 15000;
  GraphShape shape = shapeOf(degrees);
  auto of = [&](int64_t chunk) {
    return estimateUs(tuned,
                      gnn::GpuScheduleAttr::get(&context, chunk, 16, 4, 1, 4, 128, 1,
                                                gnn::RowOrder::Longest, gnn::TileAxis::BySize),
                      shape);
  };
  EXPECT_LT(of(128), of(1 << 30) / 4);
  EXPECT_EQ(prune(tuned, allSchedules(tuned), shape, 9).size(), 9u);
}

TEST_F(TuneTest, SignatureIsOfTheStructure) {
  TunedKernel tuned = kernel("64", /*cuda=*/false);
  Signature plain = signatureOf(function, target);
  tuned.op->setAttr("schedule", gnn::CpuScheduleAttr::get(&context, 32, 4));
  function.setName("agg_7");
  EXPECT_EQ(signatureOf(function, target).key, plain.key);
  EXPECT_EQ(plain.about, "aggregate sum, rows of 64xf32");
  kernel("32", /*cuda=*/false);
  EXPECT_NE(signatureOf(function, target).key, plain.key);
}

TEST(GraphShapeTest, CountsRowsByPowersOfTwo) {
  GraphShape shape = shapeOf({0, 1, 2, 3, 4, 7, 8});
  EXPECT_EQ(shape.histogram, (std::vector<std::int64_t>{1, 1, 2, 2, 1}));
  EXPECT_EQ(shape.longest, 8);
}

TEST(GraphShapeTest, NearAndFar) {
  GraphShape regular = shapeOf(std::vector<std::int64_t>(1000, 10));
  GraphShape alike = shapeOf(std::vector<std::int64_t>(1100, 10));
  std::vector<std::int64_t> skewed(1000, 1);
  skewed[3] = 9000;
  EXPECT_EQ(distance(regular, regular), 0);
  EXPECT_LT(distance(regular, alike), kNear);
  EXPECT_GT(distance(regular, shapeOf(skewed)), kNear);
}

class DatabaseTest : public ::testing::Test {
protected:
  DatabaseTest() {
    std::string name = ::testing::TempDir() + "/tuneXXXXXX";
    folder = mkdtemp(name.data());
    path = folder + "/db.json";
  }
  ~DatabaseTest() override { std::filesystem::remove_all(folder); }

  static Entry entry(const std::string &key, std::int64_t degree) {
    return {key,
            "aggregate",
            "cpu",
            shapeOf(std::vector<std::int64_t>(100, degree)),
            "#gnn.cpu_schedule<tile = 64, prefetch = 4>",
            1.5,
            2,
            1.4,
            7,
            "0.1.0"};
  }
  void write(const std::string &text) { std::ofstream(path) << text; }
  bool exists(const std::string &suffix) { return std::filesystem::exists(path + suffix); }

  std::string folder, path, warning, error;
  Database database;
};

TEST_F(DatabaseTest, KeepsWhatWasSaved) {
  ASSERT_TRUE(Database::open(path, database, warning, error));
  EXPECT_TRUE(database.all().empty());
  ASSERT_TRUE(Database::save(path, {entry("a", 4)}, warning, error)) << error;
  ASSERT_TRUE(Database::save(path, {entry("b", 4), entry("a", 5)}, warning, error)) << error;
  ASSERT_TRUE(Database::open(path, database, warning, error)) << error;
  EXPECT_TRUE(warning.empty()) << warning;
  EXPECT_EQ(database.all().size(), 3u);
  const Entry *found = database.find("a", entry("a", 4).shape);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->choice, "#gnn.cpu_schedule<tile = 64, prefetch = 4>");
  EXPECT_FALSE(database.find("c", entry("a", 4).shape));
}

TEST_F(DatabaseTest, UnseenGraphFindsTheNearest) {
  database.add(entry("a", 4));
  database.add(entry("a", 60));
  const Entry *near = database.findNear("a", entry("a", 5).shape);
  ASSERT_TRUE(near);
  EXPECT_EQ(near->shape, entry("a", 4).shape);
  EXPECT_FALSE(database.findNear("a", entry("a", 4000).shape));
}

TEST_F(DatabaseTest, WhatIsNoDatabaseIsKeptAside) {
  const std::pair<const char *, const char *> cases[] = {
      {"{\"format\": \"gnnc tuning database\", \"vers", "no JSON object"},
      {"[1, 2]", "no JSON object"},
      {"{}", "'format' is missing"},
      {"{\"format\": \"other\", \"version\": 1, \"entries\": []}", "format 'other' version 1"},
      {"{\"format\": \"gnnc tuning database\", \"version\": 2, \"entries\": []}", "version 2"},
      {"{\"format\": \"gnnc tuning database\", \"version\": 1}", "'entries' is missing"},
      {"{\"format\": \"gnnc tuning database\", \"version\": 1, \"entries\": [{\"key\": 4}]}",
       "entries[0]: 'key'"}};
  int number = 0;
  for (auto [text, reason] : cases) {
    write(text);
    warning.clear();
    ASSERT_TRUE(Database::open(path, database, warning, error)) << error;
    EXPECT_NE(warning.find(reason), std::string::npos) << warning;
    EXPECT_NE(warning.find(path), std::string::npos) << warning;
    EXPECT_TRUE(database.all().empty());
    EXPECT_FALSE(exists(""));
    EXPECT_TRUE(exists(".bad-" + std::to_string(++number)));
  }
}

TEST_F(DatabaseTest, AFolderIsAnError) {
  EXPECT_FALSE(Database::open(folder, database, warning, error));
  EXPECT_NE(error.find("is no file"), std::string::npos) << error;
}

TEST_F(DatabaseTest, WaitsForAnotherProcess) {
  int held = ::open((path + ".lock").c_str(), O_RDWR | O_CREAT, 0666);
  ASSERT_EQ(flock(held, LOCK_EX), 0);
  EXPECT_FALSE(Database::save(path, {entry("a", 4)}, warning, error, /*waitMs=*/30));
  EXPECT_NE(error.find("another process has held"), std::string::npos) << error;
  close(held);
  EXPECT_TRUE(Database::save(path, {entry("a", 4)}, warning, error, 30)) << error;
}

TEST_F(DatabaseTest, AKilledWriterLeavesItWhole) {
  ASSERT_TRUE(Database::save(path, {entry("a", 4)}, warning, error));
  pid_t child = fork();
  if (child == 0) { // writes without end
    for (std::int64_t i = 1;; ++i)
      Database::save(path, {entry("k" + std::to_string(i % 50), 1 + i % 9)}, warning, error);
  }
  usleep(60000);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  ASSERT_TRUE(Database::open(path, database, warning, error)) << error;
  EXPECT_TRUE(warning.empty()) << warning;
  EXPECT_TRUE(database.find("a", entry("a", 4).shape));
  EXPECT_TRUE(Database::save(path, {entry("z", 4)}, warning, error, 100)) << error;
}

TEST_F(DatabaseTest, WritersLoseNothing) {
  std::vector<pid_t> children;
  for (int writer = 0; writer < 4; ++writer) {
    pid_t child = fork();
    if (child == 0) {
      for (int i = 0; i < 10; ++i)
        if (!Database::save(path, {entry(std::to_string(writer) + "." + std::to_string(i), 4)},
                            warning, error))
          _exit(1);
      _exit(0);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  ASSERT_TRUE(Database::open(path, database, warning, error)) << error;
  EXPECT_EQ(database.all().size(), 40u);
}

} // namespace
