#ifndef GNNC_DIALECTS_PLAN_PLANATTRS_TD
#define GNNC_DIALECTS_PLAN_PLANATTRS_TD

include "dialects/Plan/PlanDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

class Plan_Enum<string name, string text, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, text, cases> {
  let cppNamespace = "::gnnc::plan";
  let genSpecializedAttr = 0;
}

def Plan_SymbolSource : Plan_Enum<"SymbolSource", "where a count comes from", [
  I32EnumAttrCase<"GraphDst", 0, "graph_dst">, I32EnumAttrCase<"GraphSrc", 1, "graph_src">,
  I32EnumAttrCase<"GraphEdges", 2, "graph_edges">, I32EnumAttrCase<"Prepare", 3, "prepare">,
  I32EnumAttrCase<"IndexRows", 4, "index_rows">, I32EnumAttrCase<"IndexSegments", 5, "index_segments">,
  I32EnumAttrCase<"IndexEnd", 6, "index_end">]>;
def Plan_SymbolSourceAttr : EnumAttr<Plan_Dialect, Plan_SymbolSource, "source">;

def Plan_BufferKind : Plan_Enum<"BufferKind", "who owns a buffer and for how long", [
  I32EnumAttrCase<"Input", 0, "input">, I32EnumAttrCase<"Output", 1, "output">,
  I32EnumAttrCase<"Weight", 2, "weight">, I32EnumAttrCase<"GraphIndex", 3, "graph_index">,
  I32EnumAttrCase<"GraphData", 4, "graph_data">, I32EnumAttrCase<"Persistent", 5, "persistent">,
  I32EnumAttrCase<"Transient", 6, "transient">]>;
def Plan_BufferKindAttr : EnumAttr<Plan_Dialect, Plan_BufferKind, "kind">;

def Plan_GuardKind : Plan_Enum<"GuardKind", "how a value is compared with its limit", [
  I32EnumAttrCase<"Max", 0, "max">, I32EnumAttrCase<"Equal", 1, "equal">]>;
def Plan_GuardKindAttr : EnumAttr<Plan_Dialect, Plan_GuardKind, "guard">;

def Plan_GraphCallee : Plan_Enum<"GraphCallee", "an algorithm of the runtime on graph data", [
  I32EnumAttrCase<"AddSelfLoops", 0, "add_self_loops">, I32EnumAttrCase<"ToCsr", 1, "to_csr">,
  I32EnumAttrCase<"PartitionRows", 2, "partition_rows">,
  I32EnumAttrCase<"RemoveSelfLoops", 3, "remove_self_loops">,
  I32EnumAttrCase<"Slice", 4, "slice">, I32EnumAttrCase<"MakeGraph", 5, "make_graph">,
  I32EnumAttrCase<"AppendSelfLoops", 6, "append_self_loops">,
  I32EnumAttrCase<"LoopWeights", 7, "loop_weights">,
  I32EnumAttrCase<"TransposeMatrix", 8, "transpose_matrix">]>;
def Plan_GraphCalleeAttr : EnumAttr<Plan_Dialect, Plan_GraphCallee, "callee">;

def Plan_Activation : Plan_Enum<"Activation", "what is applied to a product's result", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Relu", 1, "relu">]>;
def Plan_ActivationAttr : EnumAttr<Plan_Dialect, Plan_Activation, "activation">;

def Plan_Precision : Plan_Enum<"Precision", "arithmetic of a dense product", [
  I32EnumAttrCase<"Fp32", 0, "fp32">, I32EnumAttrCase<"Tf32", 1, "tf32">,
  I32EnumAttrCase<"Bf16", 2, "bf16">, I32EnumAttrCase<"F16", 3, "f16">,
  I32EnumAttrCase<"Fp32x3", 4, "fp32x3">]>;
def Plan_PrecisionAttr : EnumAttr<Plan_Dialect, Plan_Precision, "precision">;

def Plan_FormulaAttr : AttrDef<Plan_Dialect, "Formula"> {
  let mnemonic = "formula";
  let summary = "A count or a size over the symbols of a plan";
  let description = [{
    constant + sum of factor * floor((scale * symbol + offset) / divisor), kept
    in a canonical form (gnnc::plan::Formula), so that equal formulas are equal
    attributes.

    Example: `#gnn_plan.formula<64*n + 256*(7*e.loops ceildiv 64) + 4>`
  }];
  let parameters = (ins "int64_t":$constant, ArrayRefParameter<"::gnnc::plan::FormulaTerm">:$terms);
  let hasCustomAssemblyFormat = 1;
}
def Plan_Formulas : TypedArrayAttrBase<Plan_FormulaAttr, "array of formulas">;

#endif // GNNC_DIALECTS_PLAN_PLANATTRS_TD
