//===- ExportPlanTest.cpp - gnn_plan ops as plain data and as JSON --------===//
#include "lib/Codegen/ExportPlan.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "passes/RegisterAll.h"
#include <gtest/gtest.h>

using namespace gnnc;

namespace {

constexpr const char *kPlan = R"mlir(
gnn_plan.program @gcn target(<cuda, "sm_90">) attributes {mode = "reduce-overhead", dynamic = "auto"} {
  gnn_plan.symbol n graph_dst
  gnn_plan.symbol m graph_src
  gnn_plan.symbol e graph_edges
  gnn_plan.symbol e.loops prepare bound(e + n)
  gnn_plan.symbol items.0 prepare bound(e floordiv 128 + n floordiv 128 + n + 1)
  gnn_plan.symbol splits.0 prepare bound(e floordiv 128 + n floordiv 128 + 1)
  gnn_plan.symbol slots.0 prepare bound(2*(e floordiv 128) + 2*(n floordiv 128) + 2)
  %src = gnn_plan.buffer graph_index "src" i64[e]
  %dst = gnn_plan.buffer graph_index "dst" i64[e]
  %ew = gnn_plan.buffer graph_data "edge_weight" f64[e]
  %src1 = gnn_plan.buffer transient "src1" i64[e.loops] at(0)
  %dst1 = gnn_plan.buffer transient "dst1" i64[e.loops] at(256*(e ceildiv 32) + 256*(n ceildiv 32))
  %ew1 = gnn_plan.buffer persistent "ew1" f64[e.loops]
  %rowptr = gnn_plan.buffer persistent "rowptr" i32[n + 1]
  %col = gnn_plan.buffer persistent "col" i32[e.loops]
  %items = gnn_plan.buffer persistent "items.0" i32[items.0, 4]
  %splits = gnn_plan.buffer persistent "splits.0" i32[splits.0, 4]
  %x = gnn_plan.buffer input "x" f32[m, 33]
  %w = gnn_plan.buffer weight "w" f32[7, 33]
  %b = gnn_plan.buffer weight "b" f32[7]
  %h = gnn_plan.buffer transient "h" f32[m, 7] at(0)
  %part = gnn_plan.buffer transient "part" i8[slots.0, 28] at(256*(7*m ceildiv 64)) zeroed
  %out = gnn_plan.buffer output "out" f32[n, 7]
  gnn_plan.guard equal(m - n) limit 0 "as many sources as destinations"
  gnn_plan.guard max(e + n) limit 2147483647 "edges fit"
  gnn_plan.prepare arena(512*(e ceildiv 32) + 512*(n ceildiv 32)) {
    gnn_plan.graph_call add_self_loops in(%src, %dst, %ew) out(%src1, %dst1, %ew1) nodes(n, m) edges(e) sets(e.loops) fill 2.5
    gnn_plan.graph_call to_csr in(%src1, %dst1) out(%rowptr, %col) nodes(n, m) edges(e.loops)
    gnn_plan.graph_call partition_rows in(%rowptr) out(%items, %splits) nodes(n, m) edges(e.loops) sets(items.0, splits.0, slots.0) chunk 128 order "longest"
  }
  gnn_plan.forward arena(256*(7*m ceildiv 64) + 256*(7*slots.0 ceildiv 64)) {
    gnn_plan.gemm %h = %x, %w transpose_b bias(%b) activation relu precision tf32
    gnn_plan.launch @agg(%items, %col, %h, out %out, out %part, items.0) grid[items.0 ceildiv 16, 2, 1] block 128 shared 64 bytes(36*e.loops) flops(14*e.loops)
    gnn_plan.launch @agg_merge(%splits, out %out, %part, splits.0) grid[splits.0, 2, 1] block 32
  }
}
)mlir";

class ExportPlan : public ::testing::Test {
protected:
  format::Plan exported(const char *text) {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    format::Plan plan;
    EXPECT_TRUE(mlir::succeeded(exportPlan(*module->getOps<plan::ProgramOp>().begin(), plan)));
    return plan;
  }
  static const format::Buffer &buffer(const format::Plan &plan, const std::string &name) {
    for (const format::Buffer &candidate : plan.buffers)
      if (candidate.name == name)
        return candidate;
    throw std::out_of_range(name);
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  // n, m, e, e.loops, items.0, splits.0, slots.0
  const std::vector<std::int64_t> symbols{100, 120, 1000, 1100, 108, 3, 9};
};

TEST_F(ExportPlan, HeaderIsTaken) {
  format::Plan plan = exported(kPlan);
  EXPECT_EQ(plan.producer, "gnnc " GNNC_VERSION);
  EXPECT_EQ(plan.program, "gcn");
  EXPECT_EQ(plan.target, "cuda");
  EXPECT_EQ(plan.chip, "sm_90");
  EXPECT_EQ(plan.mode, "reduce-overhead");
  EXPECT_EQ(plan.dynamic, "auto");
}

TEST_F(ExportPlan, FormulasHaveTheSameValue) {
  format::Plan plan = exported(kPlan);
  ASSERT_EQ(plan.symbols.size(), symbols.size());
  EXPECT_EQ(plan.symbols[3].name, "e.loops");
  EXPECT_EQ(plan.symbols[3].source, format::Symbol::Source::Prepare);
  EXPECT_EQ(plan.symbols[3].bound.evaluate(symbols), 1100);
  EXPECT_EQ(plan.symbols[6].bound.evaluate(symbols), 2 * 7 + 2 * 0 + 2);
  EXPECT_EQ(buffer(plan, "rowptr").shape[0].evaluate(symbols), 101);
  EXPECT_EQ(buffer(plan, "dst1").arenaOffset.evaluate(symbols), 256 * 32 + 256 * 4);
  // 120 rows of 28 bytes are 3360, rounded up to 3584.
  EXPECT_EQ(buffer(plan, "part").arenaOffset.evaluate(symbols), 3584);
  EXPECT_EQ(plan.arenaBytes.evaluate(symbols), 3584 + 256);
  EXPECT_EQ(plan.prepareArenaBytes.evaluate(symbols), 512 * 32 + 512 * 4);
  EXPECT_EQ(plan.forward[1].launch.grid[0].evaluate(symbols), 7);
}

TEST_F(ExportPlan, BuffersKeepKindTypeAndFlags) {
  format::Plan plan = exported(kPlan);
  EXPECT_EQ(buffer(plan, "src").kind, format::Buffer::Kind::GraphIndex);
  EXPECT_EQ(buffer(plan, "src").dtype, format::DType::I64);
  EXPECT_EQ(buffer(plan, "edge_weight").kind, format::Buffer::Kind::GraphData);
  EXPECT_EQ(buffer(plan, "edge_weight").dtype, format::DType::F64);
  EXPECT_EQ(buffer(plan, "x").kind, format::Buffer::Kind::Input);
  EXPECT_EQ(buffer(plan, "w").kind, format::Buffer::Kind::Weight);
  EXPECT_EQ(buffer(plan, "out").kind, format::Buffer::Kind::Output);
  EXPECT_EQ(buffer(plan, "col").kind, format::Buffer::Kind::Persistent);
  EXPECT_EQ(buffer(plan, "part").kind, format::Buffer::Kind::Transient);
  EXPECT_EQ(buffer(plan, "part").dtype, format::DType::U8);
  EXPECT_TRUE(buffer(plan, "part").zeroed);
  EXPECT_FALSE(buffer(plan, "h").zeroed);
}

TEST_F(ExportPlan, CommandsKeepOrderAndOperands) {
  format::Plan plan = exported(kPlan);
  auto nameOf = [&](int index) { return plan.buffers.at(static_cast<std::size_t>(index)).name; };
  ASSERT_EQ(plan.prepare.size(), 3u);
  EXPECT_EQ(plan.prepare[0].call.callee, "add_self_loops");
  EXPECT_EQ(plan.prepare[0].call.fill, 2.5);
  EXPECT_EQ(plan.prepare[0].call.symbols, std::vector<int>{3});
  EXPECT_EQ(plan.prepare[2].call.chunk, 128);
  EXPECT_EQ(plan.prepare[2].call.order, "longest");
  ASSERT_EQ(plan.forward.size(), 3u);
  const format::Gemm &gemm = plan.forward[0].gemm;
  EXPECT_EQ(nameOf(gemm.a), "x");
  EXPECT_EQ(nameOf(gemm.b), "w");
  EXPECT_EQ(nameOf(gemm.c), "h");
  EXPECT_EQ(nameOf(gemm.bias), "b");
  EXPECT_EQ(gemm.m.evaluate(symbols), 120);
  EXPECT_EQ(gemm.n, 7);
  EXPECT_EQ(gemm.k, 33);
  EXPECT_TRUE(gemm.transposeB);
  EXPECT_EQ(gemm.activation, "relu");
  EXPECT_EQ(gemm.precision, "tf32");
  const format::Launch &launch = plan.forward[1].launch;
  ASSERT_EQ(launch.arguments.size(), 6u);
  EXPECT_EQ(nameOf(launch.arguments[4].buffer), "part");
  EXPECT_EQ(launch.arguments[5].buffer, -1);
  EXPECT_EQ(launch.arguments[5].value.evaluate(symbols), 108);
  EXPECT_EQ(launch.block, 128);
  EXPECT_EQ(launch.sharedBytes, 64);
  EXPECT_EQ(launch.rowPointer, -1);
  EXPECT_EQ(launch.flops.evaluate(symbols), 14 * 1100);
}

TEST_F(ExportPlan, JsonRoundTrip) {
  std::string json = format::toJson(exported(kPlan));
  format::Plan read;
  std::string error;
  ASSERT_TRUE(format::fromJson(json, read, error)) << error;
  EXPECT_EQ(format::toJson(read), json);
  EXPECT_EQ(read.forward[1].launch.grid[0].evaluate(symbols), 7);
}

} // namespace
