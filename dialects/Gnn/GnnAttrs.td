#ifndef GNNC_DIALECTS_GNN_GNNATTRS_TD
#define GNNC_DIALECTS_GNN_GNNATTRS_TD

include "dialects/Gnn/GnnDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

class Gnn_Enum<string name, string text, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, text, cases> {
  let cppNamespace = "::gnnc::gnn";
  let genSpecializedAttr = 0;
}

def Gnn_ReduceKind : Gnn_Enum<"ReduceKind", "how the edge rows of a node are combined", [
  I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Mean", 1, "mean">,
  I32EnumAttrCase<"Max", 2, "max">, I32EnumAttrCase<"Min", 3, "min">,
  I32EnumAttrCase<"Mul", 4, "mul">, I32EnumAttrCase<"Softmax", 5, "softmax">]>;
/// A word after a keyword of the op; the empty literal keeps it one space away.
class Gnn_EnumWord<EnumInfo info, string mnemonic_> : EnumAttr<Gnn_Dialect, info, mnemonic_> {
  let assemblyFormat = "`` $value";
}
def Gnn_ReduceKindAttr : Gnn_EnumWord<Gnn_ReduceKind, "reduce">;

def Gnn_End : Gnn_Enum<"End", "which end of an edge", [
  I32EnumAttrCase<"Src", 0, "src">, I32EnumAttrCase<"Dst", 1, "dst">]>;
def Gnn_EndAttr : Gnn_EnumWord<Gnn_End, "end">;

def Gnn_Layout : Gnn_Enum<"Layout", "order in which a graph stores its edges", [
  I32EnumAttrCase<"Coo", 0, "coo">, I32EnumAttrCase<"Csr", 1, "csr">]>;

def Gnn_IndexForm : Gnn_Enum<"IndexForm", "what an index tensor says of rows", [
  I32EnumAttrCase<"Gather", 0, "gather">, I32EnumAttrCase<"Scatter", 1, "scatter">,
  I32EnumAttrCase<"Segments", 2, "segments">]>;
def Gnn_IndexFormAttr : Gnn_EnumWord<Gnn_IndexForm, "form">;

def Gnn_RowOrder : Gnn_Enum<"RowOrder", "order in which work items are started", [
  I32EnumAttrCase<"Row", 0, "row">, I32EnumAttrCase<"Longest", 1, "longest">,
  I32EnumAttrCase<"Windows", 2, "windows">]>;

def Gnn_TileAxis : Gnn_Enum<"TileAxis", "where the tiles of a row lie in the grid", [
  I32EnumAttrCase<"BySize", 0, "by_size">, I32EnumAttrCase<"Outer", 1, "outer">,
  I32EnumAttrCase<"Inner", 2, "inner">]>;

def Gnn_TileAxisParameter : EnumParameter<Gnn_TileAxis> {
  let defaultValue = "::gnnc::gnn::TileAxis::BySize"; // not printed
}

def Gnn_TargetKind : Gnn_Enum<"TargetKind", "where kernels run", [
  I32EnumAttrCase<"Cpu", 0, "cpu">, I32EnumAttrCase<"Cuda", 1, "cuda">]>;

class Gnn_Attr<string name, string mnemonic_> : AttrDef<Gnn_Dialect, name> {
  let mnemonic = mnemonic_;
}

def Gnn_TargetAttr : Gnn_Attr<"Target", "target"> {
  let summary = "What kernels are compiled for";
  let description = [{
    On the module, as `gnn.target`. `chip` is `sm_90` and the like for cuda; for
    cpu a level of the x86-64 psABI (`x86-64` to `x86-64-v4`) or `generic`.

    Example: `#gnn.target<cuda, "sm_90">`
  }];
  let parameters = (ins EnumParameter<Gnn_TargetKind>:$kind, StringRefParameter<>:$chip);
  let assemblyFormat = "`<` $kind `,` $chip `>`";
  let genVerifyDecl = 1;
}

def Gnn_CpuScheduleAttr : Gnn_Attr<"CpuSchedule", "cpu_schedule"> {
  let summary = "How one kernel walks its rows on the host";
  let description = [{
    `tile`: features held in vector registers during one walk over a row's
    edges; wider rows are walked once per tile. `prefetch`: how many edges ahead
    of its use a source row is asked for; 0 leaves it to the hardware.

    Example: `#gnn.cpu_schedule<tile = 256, prefetch = 4>`
  }];
  let parameters = (ins "int64_t":$tile, "int64_t":$prefetch);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Gnn_GpuScheduleAttr : Gnn_Attr<"GpuSchedule", "gpu_schedule"> {
  let summary = "How one kernel maps rows, edges and features to a CUDA grid";
  let description = [{
    Rows with more than `chunk` edges are split into work items of at most
    `chunk` edges; their partial results are merged in order by a second kernel,
    so results repeat bit for bit. `group` lanes share one work item, each lane
    owns `vector` consecutive features per load and a tile is
    group x vector x `regs` features. `unroll` edges are in flight. A block has `block`
    threads; ptxas gives a thread at most the registers with which `min_blocks` blocks
    share a multiprocessor (1, the default: all that the schedule has in flight stay in
    registers; 0: as many as ptxas likes, which prefers many blocks).
    `tiles`, where a row has several: `outer`, all work items with the first tile of
    their rows come first, so that one slice of the source rows stays in L2; `inner`,
    all tiles of an item stand side by side; `by_size`, the default, is `outer` where
    the slice fits the L2 cache and all source rows do not, known when a graph is bound.
    `order`: work items in row order; longest first; or in windows of 4096 items
    in row order, longest first within each, so that neighbours in the graph meet
    in the cache and groups of a warp have rows of like length; light items, of at most
    a quarter of the longest one's edges, come last.

    Example:
    `#gnn.gpu_schedule<chunk = 128, group = 8, vector = 4, regs = 1, unroll = 4, block = 128, order = longest>`
  }];
  let parameters = (ins "int64_t":$chunk, "int64_t":$group, "int64_t":$vector, "int64_t":$regs,
                        "int64_t":$unroll, "int64_t":$block,
                        DefaultValuedParameter<"int64_t", "1">:$min_blocks,
                        EnumParameter<Gnn_RowOrder>:$order, Gnn_TileAxisParameter:$tiles);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // GNNC_DIALECTS_GNN_GNNATTRS_TD
