#ifndef GNNC_DIALECTS_GNN_GNNOPBASE_TD
#define GNNC_DIALECTS_GNN_GNNOPBASE_TD

include "dialects/Gnn/GnnTypes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Gnn_Op<string mnemonic, list<Trait> traits = []> : Op<Gnn_Dialect, mnemonic, traits>;

/// Result types follow from the operands; extents may be known better or worse.
class Gnn_InferredOp<string mnemonic, list<Trait> traits = []>
    : Gnn_Op<mnemonic, [Pure, InferTypeOpAdaptorWithIsCompatible] # traits>;

def Gnn_IndexTensor : 1DTensorOf<[I32, I64]>;
/// Rows of scalars, of feature vectors, or of heads x features.
def Gnn_RowTensor : Type<
    And<[AnyRankedTensor.predicate,
         CPred<"::llvm::cast<::mlir::RankedTensorType>($_self).getRank() >= 1 && "
               "::llvm::cast<::mlir::RankedTensorType>($_self).getRank() <= 3">]>,
    "tensor of rows (rank 1 to 3)", "::mlir::RankedTensorType">;

#endif // GNNC_DIALECTS_GNN_GNNOPBASE_TD
