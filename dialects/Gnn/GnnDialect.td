#ifndef GNNC_DIALECTS_GNN_GNNDIALECT_TD
#define GNNC_DIALECTS_GNN_GNNDIALECT_TD

include "mlir/IR/OpBase.td"

def Gnn_Dialect : Dialect {
  let name = "gnn";
  let cppNamespace = "::gnnc::gnn";
  let summary = "Message passing on graphs: gather, scatter and their fused form";
  let description = [{
    A program is upstream IR (linalg, arith, math, tensor) for the dense part
    and this dialect for everything that follows edges. Node tensors have one
    row per node, edge tensors one row per edge, in the order of the graph
    value's edges.

    Feature extents are static (the weights fix them); node and edge counts may
    be `?`.

    Function arguments say where they come from with one of the attributes
    `gnn.input` (differs from run to run), `gnn.weight` (a tensor of the weights
    file), `gnn.graph_data` (bound with the graph, one row per edge: `edge_weight`,
    ...) or `gnn.index` (an index tensor bound with the graph, with rows of its own:
    `batch`, a row pointer, ...), each a string: the tensor's name in its file. Graph
    arguments carry none. After
    gnn-hoist-graph-invariants an argument may instead carry `gnn.prepared = i`:
    it is result number `i` of `@prepare`, a tensor or a graph. A result of the
    program carries `gnn.output`, its name.

    A graph argument of `@forward` may say what its messages are meant to follow,
    when the program leaves that to passes: `gnn.self_loops = fill` (one loop at
    each node, a missing one of weight `fill`) and `gnn.normalize = "symmetric"` or
    `"row"`. gnn-add-self-loops and gnn-normalize write the ops and take the
    attributes away; a program that still has one cannot be evaluated or compiled.

    `gnn.storage` on a module says that its f32 program stores tensors in f16 or
    bf16, `gnn.stored` that an argument or result has that type in memory
    (gnn-set-precision, gnn-narrow-storage).

    A1 `gnn.input`, `gnn.weight`, `gnn.graph_data`, `gnn.index`, `gnn.output` are
    strings that are not empty, on ranked tensors. A2 `gnn.prepared` is an integer >= 0. A3 an
    argument carries at most one of these, and in `@forward`, once one argument
    carries one, every tensor argument carries exactly one. A4 names are unique
    among the arguments and among the results of a function, numbers among the
    arguments. A5 `gnn.target` is a `#gnn.target` on a module. A6 `gnn.kernel` is
    "aggregate", "map" or "gemm" on a function. A7 no other `gnn.` attribute
    stands on an argument or result. A8 `gnn.self_loops` is a finite number on a
    graph whose ends may have equally many nodes. A9 `gnn.normalize` is "symmetric"
    or "row", on a graph. A10 `gnn.storage` and `gnn.stored` are the type f16 or bf16.
    A11 `gnn.index` stands on a tensor of rank 1 of i32 or i64.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect", "::mlir::vector::VectorDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let hasConstantMaterializer = 1;
  let hasCanonicalizer = 1;
}

#endif // GNNC_DIALECTS_GNN_GNNDIALECT_TD
