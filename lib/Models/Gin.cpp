//===- Gin.cpp - torch_geometric.nn.models.GIN ----------------------------===//
//
// Per layer x' = MLP(sum(x[src]) + (1 + eps) x[dst]) + residual. The MLP has two linear layers,
// between them the model's own norm and activation.
//
//===----------------------------------------------------------------------===//
#include "lib/Models/ModelBuilder.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

/// (1 + eps) x, with eps [1] of the state_dict.
static Value scaledRoot(ModelBuilder &b, Value x, Value eps) {
  ImplicitLocOpBuilder &ops = b.ops();
  Value factor = arith::AddFOp::create(ops, eps, b.splat(1, eps));
  return arith::MulFOp::create(ops, x, b.numberOf(factor, x));
}

static Value mlp(ModelBuilder &b, Value x, const Twine &prefix, int64_t width,
                 const ModelOptions &options) {
  x = b.linear(x, (prefix + ".lins.0").str(), width, /*bias=*/true);
  if (options.actFirst)
    x = b.activation(x);
  x = b.norm(x, (prefix + ".norms.0").str());
  if (!options.actFirst)
    x = b.activation(x);
  return b.linear(x, (prefix + ".lins.1").str(), width, /*bias=*/true);
}

Conv gnnc::ginConv(ModelBuilder &b, const ModelOptions &options) {
  Edges edges{b.graph(), options.edgeWeight ? b.edgeScalar("edge_weight") : Value()};
  if (options.loops())
    edges = b.withSelfLoops(edges, 1);
  return [&b, &options, edges](Nodes x, StringRef prefix, int64_t layer) {
    Value eps = b.epsilon((prefix + ".eps").str());
    Value sum = b.aggregate(reduceKind(options, ReduceKind::Sum), x.src, edges);
    sum = arith::AddFOp::create(b.ops(), sum, scaledRoot(b, x.dst, eps));
    Value y = mlp(b, sum, prefix + ".nn", options.convWidth(layer), options);
    return b.addResidual(y, x.dst, prefix);
  };
}
