//===- SourceOps.cpp - The ops of a program, recognisable to the end ------===//
#include "lib/Explain/SourceOps.h"

#include "passes/Common/RowOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace gnnc::explain;

static constexpr StringLiteral kPrefix = "gnnc.source.";

static std::string placeOf(Location location) {
  std::string place;
  location->walk([&](Location inner) {
    auto file = dyn_cast<FileLineColLoc>(inner);
    if (!file)
      return WalkResult::advance();
    place = (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" +
             Twine(file.getColumn()))
                .str();
    return WalkResult::interrupt();
  });
  return place;
}

/// Ops that a result of `function` depends on.
static DenseSet<Operation *> findLive(func::FuncOp function) {
  DenseSet<Operation *> live;
  SmallVector<Operation *> worklist;
  for (Block &block : function.getBody())
    worklist.push_back(block.getTerminator());
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *def = operand.getDefiningOp(); def && live.insert(def).second)
          worklist.push_back(def);
    });
  }
  return live;
}

static bool isWork(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>() || gnnc::isFreeToRepeat(op) ||
      isa<tensor::EmptyOp, tensor::DimOp, linalg::FillOp, linalg::BroadcastOp>(op))
    return false;
  return llvm::any_of(op->getResultTypes(), [](Type type) { return !type.isIntOrIndexOrFloat(); });
}

std::vector<SourceOp> gnnc::explain::tagSourceOps(ModuleOp module) {
  std::vector<SourceOp> ops;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    DenseSet<Operation *> live = findLive(function);
    for (Block &block : function.getBody())
      for (Operation &op : block.without_terminator()) {
        SourceOp source;
        source.name = op.getName().getStringRef().str();
        source.where = placeOf(op.getLoc());
        if (op.getNumResults()) {
          llvm::raw_string_ostream type(source.type);
          type << op.getResult(0).getType();
        }
        source.isWork = isWork(&op);
        source.isDead = !live.contains(&op);
        auto name = StringAttr::get(module.getContext(), kPrefix + Twine(ops.size()));
        op.setLoc(NameLoc::get(name, op.getLoc()));
        ops.push_back(std::move(source));
      }
  }
  return ops;
}

std::vector<unsigned> gnnc::explain::sourceOpsAt(Location location) {
  std::vector<unsigned> numbers;
  location->walk([&](Location inner) {
    auto name = dyn_cast<NameLoc>(inner);
    unsigned number = 0;
    if (!name || !name.getName().getValue().starts_with(kPrefix) ||
        name.getName().getValue().drop_front(kPrefix.size()).getAsInteger(10, number))
      return WalkResult::advance();
    numbers.push_back(number);
    // What the program itself names below is no tag.
    return WalkResult::skip();
  });
  llvm::sort(numbers);
  numbers.erase(llvm::unique(numbers), numbers.end());
  return numbers;
}
