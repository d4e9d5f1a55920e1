//===- GnnVerify.cpp - Checks shared by the verifiers of gnn ops ----------===//
//
// In: an op and the types to compare. Out: success, or one diagnostic with both
// sides. Exists so that all ops word the same mistake alike.
//
//===----------------------------------------------------------------------===//
#include "dialects/Gnn/GnnVerify.h"

using namespace mlir;
using namespace gnnc::gnn;

static int64_t countOf(GnnGraphType graph, RowOf row) {
  switch (row) {
  case RowOf::Edge:
    return graph.getEdges();
  case RowOf::Dst:
    return graph.getDst();
  case RowOf::Src:
    return graph.getSrc();
  }
  llvm_unreachable("all rows covered");
}

static StringRef unitOf(RowOf row) {
  switch (row) {
  case RowOf::Edge:
    return "edges";
  case RowOf::Dst:
    return "destinations";
  case RowOf::Src:
    return "sources";
  }
  llvm_unreachable("all rows covered");
}

LogicalResult gnnc::gnn::verifyRows(Operation *op, const Twine &what, Type tensor,
                                    GnnGraphType graph, RowOf row, StringRef label) {
  int64_t rows = cast<RankedTensorType>(tensor).getDimSize(0);
  int64_t count = countOf(graph, row);
  if (compatible(rows, count))
    return success();
  return op->emitOpError() << what << " (" << text(tensor) << ") has " << rows << " rows, graph ("
                           << text(graph) << ") has " << count << ' ' << unitOf(row) << " ("
                           << label << ')';
}

LogicalResult gnnc::gnn::verifyRows(Operation *op, StringRef what, TypeRange types,
                                    GnnGraphType graph, RowOf row, StringRef label) {
  for (auto [i, type] : llvm::enumerate(types))
    if (failed(verifyRows(op, what + " #" + Twine(i), type, graph, row, label)))
      return failure();
  return success();
}

LogicalResult gnnc::gnn::verifySameRowType(Operation *op, StringRef whatA, Type a, StringRef whatB,
                                           Type b, StringRef label) {
  auto tensorA = cast<RankedTensorType>(a), tensorB = cast<RankedTensorType>(b);
  if (rowType(tensorA) == rowType(tensorB))
    return success();
  return op->emitOpError() << whatA << " (" << text(a) << ") has rows " << text(rowType(tensorA))
                           << ", " << whatB << " (" << text(b) << ") has rows "
                           << text(rowType(tensorB)) << " (" << label << ')';
}

LogicalResult gnnc::gnn::verifyAccumulator(Operation *op, Type acc, StringRef label) {
  if (acc.isF32() || acc.isF64())
    return success();
  return op->emitOpError() << "'acc' is f32 or f64, found " << text(acc) << " (" << label << ')';
}

LogicalResult gnnc::gnn::verifyAccumulation(Operation *op, const Twine &what, Type tensor, Type acc,
                                            StringRef label) {
  if (failed(verifyAccumulator(op, acc, label)))
    return failure();
  Type found = cast<RankedTensorType>(tensor).getElementType();
  auto element = dyn_cast<FloatType>(found);
  if (!element)
    return op->emitOpError() << what << " (" << text(tensor) << ") has elements " << text(found)
                             << ", a reduction needs floating-point ones (" << label << ')';
  if (element.getWidth() > acc.getIntOrFloatBitWidth())
    return op->emitOpError() << what << " (" << text(tensor) << ") has elements " << text(element)
                             << ", wider than 'acc', " << text(acc) << " (" << label << ')';
  return success();
}

LogicalResult gnnc::gnn::verifySchedule(Operation *op, Attribute schedule, StringRef label) {
  bool cpu = isa_and_nonnull<CpuScheduleAttr>(schedule);
  bool gpu = isa_and_nonnull<GpuScheduleAttr>(schedule);
  auto module = op->getParentOfType<ModuleOp>();
  auto target = module ? module->getAttrOfType<TargetAttr>(kTargetAttr) : TargetAttr();
  if (!target || (!cpu && !gpu))
    return success();
  TargetKind wanted = cpu ? TargetKind::Cpu : TargetKind::Cuda;
  if (target.getKind() == wanted)
    return success();
  return op->emitOpError() << "'schedule' (" << text(schedule) << ") is for "
                           << stringifyTargetKind(wanted) << ", the module's target ("
                           << text(target) << ") is " << stringifyTargetKind(target.getKind())
                           << " (" << label << ')';
}
