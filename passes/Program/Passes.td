#ifndef GNNC_PASSES_PROGRAM_PASSES_TD
#define GNNC_PASSES_PROGRAM_PASSES_TD

include "mlir/Pass/PassBase.td"

def GnnHoistGraphInvariantsPass : Pass<"gnn-hoist-graph-invariants", "::mlir::ModuleOp"> {
  let summary = "Move what depends on graph and weights alone to @prepare";
  let description = [{
    Needs: one function `@forward` whose arguments say where they come from
    (`gnn.input`, `gnn.weight`, `gnn.graph_data`; graphs carry none).

    Does: puts the edges of every graph that messages follow in csr order, once,
    right after the graph is made (after added self loops); edge tensors that
    were bound or made in the old order follow through `gnn.to_csr`. Then moves
    every op that depends on no `gnn.input`, directly or not, to `@prepare`,
    which runs once per bound graph. What `@forward` still needs of it is
    returned by `@prepare` and becomes an argument `gnn.prepared = i` of
    `@forward`. Fills, broadcasts, constants, sizes and gathers are repeated
    where they are used instead of being kept in memory between the two.

    Leaves: unused arguments are dropped, except inputs, which callers pass by
    name. A module that has `@prepare` already is left alone. Fails when an
    edge tensor cannot follow the new order: it is an input, a result, is used
    with two graphs, or is read by an op that mixes rows.

    Numerics: every value is computed by the same ops. The order of edges is
    stable within a destination, so sums at destinations add up in the same
    order.
  }];
  let options = [Option<"index", "index", "std::string", "\"i32\"",
                        "Index type of csr graphs, i32 or i64; a graph with i32 indices is never widened">];
  let statistics = [Statistic<"numHoisted", "num-hoisted", "ops moved to @prepare">,
                    Statistic<"numPrepared", "num-prepared", "values returned by @prepare">];
  let dependentDialects = ["::gnnc::gnn::GnnDialect", "::mlir::tensor::TensorDialect", "::mlir::func::FuncDialect"];
}

def GnnFuseAggregatePass : Pass<"gnn-fuse-aggregate", "::mlir::func::FuncOp"> {
  let summary = "Turn gather, elementwise, scatter into one traversal";
  let description = [{
    Needs: graph ops over tensors with static features; csr or coo.

    Does: replaces each `gnn.scatter` at `dst` by a `gnn.aggregate` whose message
    region computes what led to the scattered tensor, row by row: elementwise
    `arith` and `math` ops, broadcasts of edge scalars or parameters, fills,
    constants, and gathers at either end. Tensors the chain does not explain
    stay operands, one row per edge.

    Leaves: `tensor.empty`, fills and sizes without use (run canonicalize and
    cse). Not fused: scatter at `src`; a message that something other than
    scatters over the same graph reads. A chain value with a use elsewhere stays
    an edge tensor. Row counts are taken from arguments where possible, so that
    they keep no edge tensor alive.

    Numerics: reduction, `acc` and the order of operations per edge are kept.
  }];
  let statistics = [Statistic<"numFused", "num-fused", "scatters fused">];
  let dependentDialects = ["::gnnc::gnn::GnnDialect", "::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect"];
}

#endif // GNNC_PASSES_PROGRAM_PASSES_TD
