//===- Gcn.cpp - torch_geometric.nn.models.GCN ----------------------------===//
//
// Per layer x' = A (x W^T) + residual + b. A holds the edge weights, normalised once for all
// layers:
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

static Edges normalize(ModelBuilder &b, Edges edges) {
  ImplicitLocOpBuilder &ops = b.ops();
  Value degree = DegreeOp::create(ops, edges.graph, edges.weights, End::Dst);
  // A count is f32.
  degree = b.converted(degree, b.wide());
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

Conv gnnc::gcnConv(ModelBuilder &b, const ModelOptions &options) {
  Edges edges{b.graph(), options.edgeWeight ? b.edgeScalar("edge_weight") : Value()};
  if (options.loops())
    edges = b.withSelfLoops(edges, options.improved.value_or(false) ? 2 : 1);
  if (options.normalized() && options.marksGraph)
    b.markGraph(kNormalizeAttr, b.ops().getStringAttr("symmetric"));
  else if (options.normalized())
    edges = normalize(b, edges);
  return [&b, &options, edges](Nodes x, StringRef prefix, int64_t layer) {
    Value h = b.linear(x.src, (prefix + ".lin").str(), options.convWidth(layer), /*bias=*/false);
    Value sum = b.aggregate(reduceKind(options, ReduceKind::Sum), h, edges);
    sum = b.addResidual(sum, x.dst, prefix);
    return options.bias ? b.addBias(sum, (prefix + ".bias").str()) : sum;
  };
}
