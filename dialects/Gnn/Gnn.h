//===- Gnn.h - The gnn dialect: types, attributes and operations ----------===//
//
// The one header users of the dialect include. Meaning of every op: GnnOps.td.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_DIALECTS_GNN_GNN_H
#define GNNC_DIALECTS_GNN_GNN_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/Gnn/GnnDialect.h.inc"
#include "dialects/Gnn/GnnEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Gnn/GnnAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/Gnn/GnnTypes.h.inc"
#define GET_OP_CLASSES
#include "dialects/Gnn/GnnOps.h.inc"

namespace gnnc::gnn {

/// Names of the attributes that say where a function argument comes from.
inline constexpr llvm::StringLiteral kInputAttr = "gnn.input";
inline constexpr llvm::StringLiteral kWeightAttr = "gnn.weight";
inline constexpr llvm::StringLiteral kGraphDataAttr = "gnn.graph_data";
/// An index tensor that is bound with the graph and has rows of its own.
inline constexpr llvm::StringLiteral kIndexAttr = "gnn.index";
/// On an argument of the forward function: the number of the result of the
/// prepare function that it is.
inline constexpr llvm::StringLiteral kPreparedAttr = "gnn.prepared";
/// On a graph argument: what its messages are meant to follow. The number is the
/// weight of a loop that is missing; the string a kind of normalisation. Passes
/// (gnn-add-self-loops, gnn-normalize) turn them into ops.
inline constexpr llvm::StringLiteral kSelfLoopsAttr = "gnn.self_loops";
inline constexpr llvm::StringLiteral kNormalizeAttr = "gnn.normalize";
/// Names of the two functions of a program.
inline constexpr llvm::StringLiteral kForwardFunc = "forward";
inline constexpr llvm::StringLiteral kPrepareFunc = "prepare";
/// Name of the attribute that names a result of the forward function.
inline constexpr llvm::StringLiteral kOutputAttr = "gnn.output";
/// Module attribute holding a TypeAttr, f16 or bf16: what wide tensors are stored in.
inline constexpr llvm::StringLiteral kStorageAttr = "gnn.storage";
/// The same on an argument or result: its type in memory, whoever owns it.
inline constexpr llvm::StringLiteral kStoredAttr = "gnn.stored";
/// Module attribute holding a TargetAttr.
inline constexpr llvm::StringLiteral kTargetAttr = "gnn.target";
/// On a function formed by gnn-form-kernels: "aggregate", "map" or "gemm".
inline constexpr llvm::StringLiteral kKernelAttr = "gnn.kernel";

/// The value that stands for one row of `tensor` in a region: its element for a
/// tensor of rank 1, a vector of the feature extents otherwise.
mlir::Type rowType(mlir::RankedTensorType tensor);
/// The whole tensor as a region value (`param` operands): a vector, or the
/// element for rank 0.
mlir::Type wholeType(mlir::RankedTensorType tensor);
/// How many values `message` of gnn.aggregate yields for a reduction, and how
/// many accumulators it gives: a softmax has a score, and keeps three.
inline unsigned numMessageValues(ReduceKind kind) { return kind == ReduceKind::Softmax ? 2 : 1; }
inline unsigned numAccumulators(ReduceKind kind) { return kind == ReduceKind::Softmax ? 3 : 1; }
/// True when either count is unknown or both are equal.
inline bool compatible(int64_t a, int64_t b) {
  return mlir::ShapedType::isDynamic(a) || mlir::ShapedType::isDynamic(b) || a == b;
}

} // namespace gnnc::gnn

#endif // GNNC_DIALECTS_GNN_GNN_H
