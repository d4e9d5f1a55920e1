//===- RowSpaces.cpp - Which tensors of a function share their rows -------===//
//
// A union-find over (tensor, Rows) and (graph, Dst | Src | Edges).
//
//===----------------------------------------------------------------------===//
#include "passes/Common/RowSpaces.h"
#include "passes/Common/RowRegion.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

RowSpaces::RowSpaces(func::FuncOp function) {
  if (function.empty())
    return;
  // Numbered in the order of the function, so that members() is in that order.
  for (BlockArgument argument : function.getArguments())
    if (isa<RankedTensorType>(argument.getType()))
      find({argument, Rows});
  function.walk([&](Operation *op) {
    if (op->getParentOp() == function)
      addOp(op);
  });
  for (auto [node, key] : llvm::enumerate(keys))
    if (key.second == Rows)
      tensors[root(node)].push_back(key.first);
}

int RowSpaces::find(Key key) {
  auto [it, isNew] = nodes.try_emplace(key, parents.size());
  if (isNew) {
    parents.push_back(it->second);
    keys.push_back(key);
  }
  return root(it->second);
}

int RowSpaces::root(int node) const {
  while (parents[node] != node)
    node = parents[node];
  return node;
}

void RowSpaces::join(Key a, Key b) {
  int x = find(a), y = find(b);
  // The smaller number is the root: deterministic whatever the order of joins.
  parents[std::max(x, y)] = std::min(x, y);
}

int RowSpaces::of(Value value, Axis axis) const {
  auto it = nodes.find({value, axis});
  return it == nodes.end() ? -1 : root(it->second);
}

ArrayRef<Value> RowSpaces::members(int space) const {
  auto it = tensors.find(space);
  return it == tensors.end() ? ArrayRef<Value>() : ArrayRef<Value>(it->second);
}

SmallVector<std::pair<Value, RowSpaces::Axis>> RowSpaces::axes(int space) const {
  SmallVector<std::pair<Value, Axis>> found;
  for (auto [node, key] : llvm::enumerate(keys))
    if (key.second != Rows && root(node) == space)
      found.emplace_back(key.first, Axis(key.second));
  return found;
}

/// Every row is the same, so the tensor fits any space.
static bool hasEqualRows(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  if (!op)
    return false;
  if (auto broadcast = dyn_cast<linalg::BroadcastOp>(op))
    return llvm::is_contained(broadcast.getDimensions(), 0);
  return isa<tensor::EmptyOp, tensor::SplatOp, linalg::FillOp>(op) || splatValue(tensor);
}

void RowSpaces::joinTensors(Value a, Value b) {
  if (!isa<RankedTensorType>(a.getType()) || !isa<RankedTensorType>(b.getType()))
    return;
  if (!hasEqualRows(a) && !hasEqualRows(b))
    join({a, Rows}, {b, Rows});
}

/// The loop that the leading extent of a linalg operand runs over, if it is one.
static std::optional<unsigned> rowLoop(linalg::LinalgOp op, OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (map.getNumResults() == 0)
    return std::nullopt;
  auto dim = dyn_cast<AffineDimExpr>(map.getResult(0));
  if (!dim || op.getIteratorTypesArray()[dim.getPosition()] != utils::IteratorType::parallel)
    return std::nullopt;
  return dim.getPosition();
}

bool RowSpaces::isRowwise(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isElementwise(op) || isa<tensor::CastOp>(op))
    return true;
  if (isRowReshape(op))
    return use.getOperandNumber() == 0;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || linalgOp.getNumDpsInits() != 1)
    return false;
  auto loop = rowLoop(linalgOp, use);
  if (!loop || loop != rowLoop(linalgOp, *linalgOp.getDpsInitOperand(0)))
    return false;
  // The row must be used nowhere but at the front, in this operand.
  return llvm::none_of(linalgOp.getMatchingIndexingMap(&use).getResults().drop_front(),
                       [&](AffineExpr e) { return e.isFunctionOfDim(*loop); });
}

void RowSpaces::addOp(Operation *op) {
  auto node = [&](Value tensor, Value graph, Axis axis) {
    if (tensor && !hasEqualRows(tensor))
      join({tensor, Rows}, {graph, axis});
  };
  auto all = [&](ValueRange tensors, Value graph, Axis axis) {
    for (Value tensor : tensors)
      node(tensor, graph, axis);
  };
  // Both have one set of nodes, the same.
  auto joinNodes = [&](Value graph, Value made) {
    join({graph, Dst}, {graph, Src});
    join({made, Dst}, {made, Src});
    join({graph, Dst}, {made, Dst});
  };
  auto axisOf = [](End end) { return end == End::Src ? Src : Dst; };
  TypeSwitch<Operation *>(op)
      .Case([&](GatherOp gather) {
        node(gather.getNodes(), gather.getGraph(), axisOf(gather.getEnd()));
        node(gather.getResult(), gather.getGraph(), Edges);
      })
      .Case([&](ScatterOp scatter) {
        node(scatter.getEdges(), scatter.getGraph(), Edges);
        node(scatter.getResult(), scatter.getGraph(), axisOf(scatter.getEnd()));
      })
      .Case([&](GatherAtOp gather) { joinTensors(gather.getResult(), gather.getIndex()); })
      .Case([&](ScatterAtOp scatter) {
        joinTensors(scatter.getEdges(), scatter.getIndex());
        // Written to the rows that the extent was taken from.
        Value extent = scatter.getExtent();
        auto dim = extent ? extent.getDefiningOp<tensor::DimOp>() : tensor::DimOp();
        if (dim && dim.getConstantIndex() == 0)
          joinTensors(scatter.getResult(), dim.getSource());
      })
      .Case([&](SegmentSoftmaxOp softmax) {
        // A row pointer counts rows in the order they have: no space of edges.
        if (Value graph = softmax.getGraph()) {
          node(softmax.getScores(), graph, Edges);
          node(softmax.getResult(), graph, Edges);
        }
      })
      .Case([&](DegreeOp degree) {
        node(degree.getWeights(), degree.getGraph(), Edges);
        node(degree.getResult(), degree.getGraph(), axisOf(degree.getEnd()));
      })
      .Case([&](IndexGraphOp made) {
        Value graph = made.getGraph();
        if (made.getForm() != IndexForm::Segments)
          join({made.getIndex(), Rows}, {graph, axisOf(made.rowEnd())});
        // Sorting puts the edges of a scatter into another order than the rows.
        if (made.getForm() != IndexForm::Scatter)
          join({graph, axisOf(made.rowEnd())}, {graph, Edges});
      })
      .Case([](GraphOp) {
        // Reads positions, not rows: node ids may be used as edge tensors too,
        // and then in another order.
      })
      .Case([&](AddSelfLoopsOp loops) {
        joinNodes(loops.getGraph(), loops.getLooped());
        node(loops.getWeights(), loops.getGraph(), Edges);
        node(loops.getLoopWeights(), loops.getLooped(), Edges);
      })
      .Case([&](RemoveSelfLoopsOp loops) {
        joinNodes(loops.getGraph(), loops.getLoopless());
        all(loops.getEdges(), loops.getGraph(), Edges);
        all(loops.getKept(), loops.getLoopless(), Edges);
      })
      .Case([&](AppendSelfLoopsOp loops) {
        joinNodes(loops.getGraph(), loops.getLooped());
        all(loops.getEdges(), loops.getGraph(), Edges);
        all(loops.getLoops(), loops.getGraph(), Dst);
        all(loops.getAppended(), loops.getLooped(), Edges);
      })
      .Case([&](LoopWeightsOp loops) {
        join({loops.getGraph(), Dst}, {loops.getGraph(), Src});
        node(loops.getWeights(), loops.getGraph(), Edges);
        node(loops.getResult(), loops.getGraph(), Dst);
      })
      .Case([&](TransposeOp transpose) {
        join({transpose.getGraph(), Dst}, {transpose.getTransposed(), Src});
        join({transpose.getGraph(), Src}, {transpose.getTransposed(), Dst});
        join({transpose.getGraph(), Edges}, {transpose.getTransposed(), Edges});
      })
      .Case([&](ToCsrOp csr) {
        join({csr.getGraph(), Dst}, {csr.getCsr(), Dst});
        join({csr.getGraph(), Src}, {csr.getCsr(), Src});
        all(csr.getEdges(), csr.getGraph(), Edges);
        all(csr.getPermuted(), csr.getCsr(), Edges);
      })
      .Case([&](AggregateOp aggregate) {
        all(aggregate.getSrc(), aggregate.getGraph(), Src);
        all(aggregate.getDst(), aggregate.getGraph(), Dst);
        all(aggregate.getEdge(), aggregate.getGraph(), Edges);
        all(aggregate.getOuts(), aggregate.getGraph(), Dst);
      })
      .Case([&](MapOp map) {
        if (Value graph = map.getGraph()) {
          all(map.getSrc(), graph, Src);
          all(map.getDst(), graph, Dst);
          all(map.getRows(), graph, Edges);
          all(map.getOuts(), graph, Edges);
        } else {
          for (Value row : map.getRows())
            joinTensors(row, map.getOuts().front());
          for (Value out : map.getOuts())
            joinTensors(out, map.getOuts().front());
        }
      })
      .Default([&](Operation *other) {
        for (OpOperand &operand : other->getOpOperands())
          if (other->getNumResults() == 1 && isRowwise(operand))
            joinTensors(operand.get(), other->getResult(0));
      });
}

/// `value` is the result of an op above `op` in the same block.
static bool isBefore(Value value, Operation *op) {
  Operation *def = value.getDefiningOp();
  return def && def->getBlock() == op->getBlock() && def->isBeforeInBlock(op);
}

unsigned gnnc::takeRowCountsFromArguments(func::FuncOp function) {
  RowSpaces spaces(function);
  DenseMap<int, BlockArgument> best;
  for (BlockArgument argument : function.getArguments()) {
    int space = spaces.of(argument);
    auto isInput = [&](BlockArgument a) {
      return bool(function.getArgAttr(a.getArgNumber(), kInputAttr));
    };
    BlockArgument &chosen = best[space];
    if (space >= 0 && (!chosen || (isInput(argument) && !isInput(chosen))))
      chosen = argument;
  }
  unsigned numChanged = 0;
  function.walk([&](tensor::DimOp dim) {
    int space = spaces.of(dim.getSource());
    if (space < 0 || dim.getConstantIndex() != 0 || isa<BlockArgument>(dim.getSource()))
      return;
    Value source = best.lookup(space);
    // The first tensor of a space was not computed row by row from others.
    if (Value first = spaces.members(space).front(); !source && isBefore(first, dim))
      source = first;
    if (!source || source == dim.getSource())
      return;
    dim.getSourceMutable().assign(source);
    ++numChanged;
  });
  return numChanged;
}
