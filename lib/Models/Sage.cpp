//===- Sage.cpp - torch_geometric.nn.models.GraphSAGE ---------------------===//
//
// Per layer x' = R(x[src]) W_l^T + b_l + x[dst] W_r^T, R a mean unless told otherwise;
// sources are projected (linear, ReLU) before R and rows are divided by their length
// where the options say so; then residual.
//
//===----------------------------------------------------------------------===//
#include "lib/Models/ModelBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

/// As torch.nn.functional.normalize: lengths below 1e-12 count as 1e-12.
static Value dividedByLength(ModelBuilder &b, Value x) {
  ImplicitLocOpBuilder &ops = b.ops();
  Value squares = arith::MulFOp::create(ops, x, x);
  Value length = math::SqrtOp::create(ops, b.sumOver(1, squares));
  length = arith::MaximumFOp::create(ops, length, b.splat(1e-12, length));
  return arith::DivFOp::create(ops, x, b.repeat(length, x));
}

Conv gnnc::sageConv(ModelBuilder &b, const ModelOptions &options) {
  Edges edges{b.graph(), options.edgeWeight ? b.edgeScalar("edge_weight") : Value()};
  if (options.loops())
    edges = b.withSelfLoops(edges, 1);
  return [&b, &options, edges](Nodes x, StringRef prefix, int64_t layer) {
    ImplicitLocOpBuilder &ops = b.ops();
    int64_t in = cast<RankedTensorType>(x.src.getType()).getDimSize(1);
    int64_t out = options.convWidth(layer);
    Value source = x.src;
    if (options.project.value_or(false)) {
      source = b.linear(source, (prefix + ".lin").str(), in, /*bias=*/true);
      source = arith::MaximumFOp::create(ops, source, b.splat(0, source));
    }
    Value y = b.aggregate(reduceKind(options, ReduceKind::Mean), source, edges);
    y = b.linear(y, (prefix + ".lin_l").str(), out, options.bias);
    if (options.rootWeight.value_or(true))
      y = arith::AddFOp::create(ops, y, b.linear(x.dst, (prefix + ".lin_r").str(), out, false));
    if (options.normalized())
      y = dividedByLength(b, y);
    return b.addResidual(y, x.dst, prefix);
  };
}
