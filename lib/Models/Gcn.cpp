//===- Gcn.cpp - torch_geometric.nn.models.GCN ----------------------------===//
//
// In: options. Out: per layer x' = A (x W^T) + b, then norm and activation but
// for the last layer. A holds the edge weights, normalised once for all layers:
//   norm[e] = deg[src]^-1/2 * weight[e] * deg[dst]^-1/2, infinite powers -> 0,
// where deg adds up the weights that arrive at a node, self loops included.
//
//===----------------------------------------------------------------------===//
#include "lib/Models/ModelBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

namespace {
/// The graph that messages follow, and their factors (null: all one).
struct Edges {
  Value graph, weights;
};
} // namespace

static Edges addLoops(ModelBuilder &b, Edges edges) {
  ImplicitLocOpBuilder &ops = b.ops();
  auto type = cast<GnnGraphType>(edges.graph.getType());
  Type looped = type.with(ShapedType::kDynamic, type.getIndex(), Layout::Coo);
  Type weights;
  if (edges.weights)
    weights = RankedTensorType::get({ShapedType::kDynamic}, ops.getF32Type());
  auto loops = AddSelfLoopsOp::create(ops, looped, weights, edges.graph, edges.weights,
                                      ops.getF64FloatAttr(1));
  return {loops.getLooped(), loops.getLoopWeights()};
}

static Edges normalize(ModelBuilder &b, Edges edges) {
  ImplicitLocOpBuilder &ops = b.ops();
  Value degree = DegreeOp::create(ops, edges.graph, edges.weights, End::Dst);
  Value power = math::RsqrtOp::create(ops, degree);
  Value infinite = b.splat(std::numeric_limits<double>::infinity(), power);
  Value isInfinite = arith::CmpFOp::create(ops, arith::CmpFPredicate::OEQ, power, infinite);
  power = arith::SelectOp::create(ops, isInfinite, b.splat(0, power), power);
  Value norm = b.gather(power, edges.graph, End::Src);
  if (edges.weights)
    norm = arith::MulFOp::create(ops, norm, edges.weights);
  norm = arith::MulFOp::create(ops, norm, b.gather(power, edges.graph, End::Dst));
  return {edges.graph, norm};
}

Value gnnc::buildGcn(ModelBuilder &b, const ModelOptions &options) {
  Edges edges{b.graph(), options.edgeWeight ? b.edgeScalar("edge_weight") : Value()};
  if (options.loops())
    edges = addLoops(b, edges);
  if (options.normalize)
    edges = normalize(b, edges);

  Value x = b.input();
  for (int64_t layer = 0; layer < options.numLayers; ++layer) {
    bool isLast = layer + 1 == options.numLayers;
    int64_t width =
        isLast ? options.outChannels.value_or(options.hiddenChannels) : options.hiddenChannels;
    std::string conv = "convs." + std::to_string(layer);
    Value h = b.linear(x, conv + ".lin", width);
    Value message = b.gather(h, edges.graph, End::Src);
    if (edges.weights)
      message = b.scaleRows(message, edges.weights);
    x = b.scatter(ReduceKind::Sum, message, edges.graph);
    if (options.bias)
      x = b.addBias(x, conv + ".bias");
    if (isLast)
      break;
    if (options.actFirst)
      x = b.activation(x, options.act);
    if (options.norm == "batch_norm")
      x = b.batchNorm(x, "norms." + std::to_string(layer) + ".module");
    if (!options.actFirst)
      x = b.activation(x, options.act);
  }
  return x;
}
