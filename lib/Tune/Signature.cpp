//===- Signature.cpp - By what a kernel is known in the database ----------===//
#include "lib/Tune/Signature.h"

#include "passes/Kernel/KernelAbi.h"
#include "llvm/Support/MD5.h"

using namespace mlir;
using namespace gnnc;

std::string tune::digest(StringRef text) {
  llvm::MD5 hash;
  hash.update(text);
  llvm::MD5::MD5Result result;
  hash.final(result);
  return result.digest().str().str();
}

static std::string describe(Operation *op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (auto aggregate = dyn_cast<gnn::AggregateOp>(op)) {
    stream << "aggregate";
    for (Attribute kind : aggregate.getReduce())
      stream << ' ' << gnn::stringifyReduceKind(cast<gnn::ReduceKindAttr>(kind).getValue());
  } else {
    stream << "map";
  }
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  stream << ", rows of ";
  for (int64_t extent : type.getShape().drop_front())
    stream << extent << 'x';
  stream << type.getElementType();
  return text;
}

tune::Signature tune::signatureOf(func::FuncOp kernel, gnn::TargetAttr target) {
  OwningOpRef<func::FuncOp> copy = kernel.clone();
  copy->setName("kernel");
  Operation *op = kernelOp(*copy);
  op->removeAttr("schedule");
  std::string text;
  llvm::raw_string_ostream stream(text);
  copy->print(stream, OpPrintingFlags().useLocalScope().enableDebugInfo(false));
  stream << gnn::stringifyTargetKind(target.getKind()) << ' ' << target.getChip();
  return {digest(text), describe(op)};
}
