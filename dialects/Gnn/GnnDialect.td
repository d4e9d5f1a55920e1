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
    file) or `gnn.graph_data` (bound with the graph: `edge_weight`, ...), each a
    string: the tensor's name in its file. Graph arguments carry none.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect", "::mlir::vector::VectorDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
}

#endif // GNNC_DIALECTS_GNN_GNNDIALECT_TD
