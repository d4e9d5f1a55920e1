#ifndef GNNC_DIALECTS_GNN_GNNTYPES_TD
#define GNNC_DIALECTS_GNN_GNNTYPES_TD

include "dialects/Gnn/GnnAttrs.td"
include "mlir/IR/AttrTypeBase.td"

def Gnn_GraphType : TypeDef<Gnn_Dialect, "GnnGraph"> {
  let mnemonic = "graph";
  let summary = "A graph: destination count x source count x edge count";
  let description = [{
    Each extent is a number or `?`. Bipartite: destinations and sources are
    counted apart, edges run from a source to a destination. The index type (i64
    unless written) is that of the stored node ids and row pointers; the layout
    (coo unless written) is `coo`, edges in the order given, or `csr`, edges
    grouped by destination in rising order, those of one destination in the
    order they were given.

    Examples: `!gnn.graph<?x?x?>`, `!gnn.graph<2708x2708x10556, i32, csr>`
  }];
  let parameters = (ins "int64_t":$dst, "int64_t":$src, "int64_t":$edges,
                        "::mlir::IntegerType":$index, "::gnnc::gnn::Layout":$layout);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [TypeBuilderWithInferredContext<
    (ins "int64_t":$dst, "int64_t":$src, "int64_t":$edges, "::mlir::IntegerType":$index, "::gnnc::gnn::Layout":$layout), [{
      return $_get(index.getContext(), dst, src, edges, index, layout);
    }]>];
  let extraClassDeclaration = [{
    /// Number of rows of a node tensor at `end`; kDynamic when unknown.
    int64_t extent(::gnnc::gnn::End end) const {
      return end == ::gnnc::gnn::End::Src ? getSrc() : getDst();
    }
    bool isCsr() const { return getLayout() == ::gnnc::gnn::Layout::Csr; }
    /// The same graph with other edge count, index type or layout.
    GnnGraphType with(int64_t edges, ::mlir::IntegerType index, ::gnnc::gnn::Layout layout) const {
      return GnnGraphType::get(getDst(), getSrc(), edges, index, layout);
    }
  }];
}

#endif // GNNC_DIALECTS_GNN_GNNTYPES_TD
