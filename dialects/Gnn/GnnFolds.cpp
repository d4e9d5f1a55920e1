//===- GnnFolds.cpp - Folds and canonicalisations of gnn ops --------------===//
#include "dialects/Gnn/Gnn.h"

using namespace mlir;
using namespace gnnc::gnn;

OpFoldResult GatherOp::fold(FoldAdaptor) { return {}; }
LogicalResult ToCsrOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &) { return failure(); }
void DegreeOp::getCanonicalizationPatterns(RewritePatternSet &, MLIRContext *) {}
void ScatterOp::getCanonicalizationPatterns(RewritePatternSet &, MLIRContext *) {}
