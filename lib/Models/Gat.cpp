//===- Gat.cpp - torch_geometric.nn.models.GAT, GATConv and GATv2Conv -----===//
//
// Per layer, for each head: x'[v] = sum over e = (u, v) of alpha[e] h[u], where
// alpha is the softmax among the edges of v of
//   GAT    leaky(a_src . h[u] + a_dst . h[v] + a_edge . f[e])
//   GATv2  a . leaky(h_l[u] + h_r[v] + f[e])
// with f the transformed edge features, where there are any. Heads are put side
// by side or averaged; then residual and bias.
//
//===----------------------------------------------------------------------===//
#include "lib/Models/ModelBuilder.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

namespace {
/// What both kinds of attention need in a layer.
struct Attention {
  ModelBuilder &b;
  const ModelOptions &options;
  StringRef prefix;
  int64_t heads, width; ///< width: of one head
  bool concatenates;

  Attention(ModelBuilder &b, const ModelOptions &options, StringRef prefix, int64_t layer)
      : b(b), options(options), prefix(prefix), heads(options.headsOf(layer)),
        concatenates(options.concatenates(layer)) {
    width = options.convWidth(layer) / (concatenates ? heads : 1);
  }
  std::string name(const Twine &rest) const { return (prefix + rest).str(); }
  /// [1, H, C]
  Value vector(const Twine &rest) const {
    return b.weight(name(rest), {1, heads, width}, WeightSpec::Kind::Vector);
  }
  /// Bias comes before matrices in the state_dict.
  Value bias() const {
    int64_t out = width * (concatenates ? heads : 1);
    return options.bias ? b.weight(name(".bias"), {out}, WeightSpec::Kind::Bias) : Value();
  }
  Value transform(Value x, const Twine &rest, bool bias) const {
    return b.splitHeads(b.linear(x, name(rest), heads * width, bias), heads);
  }
  /// Both ends by the same weights.
  Nodes transform(Nodes x, const Twine &rest, bool bias) const {
    Nodes y = b.linear(x, name(rest), heads * width, bias);
    Value src = b.splitHeads(y.src, heads);
    return {src, y.src == y.dst ? src : b.splitHeads(y.dst, heads)};
  }
  /// Per row and head, the dot product with a vector [1, H, C].
  Value dot(Value x, Value vector) const {
    Value rows = b.rowsOf(b.dropFirst(vector), x);
    return b.sumOver(2, arith::MulFOp::create(b.ops(), x, rows));
  }
  Value leaky(Value x) const {
    ImplicitLocOpBuilder &ops = b.ops();
    Value isPositive = arith::CmpFOp::create(ops, arith::CmpFPredicate::OGT, x, b.splat(0, x));
    Value small = arith::MulFOp::create(ops, x, b.splat(options.negativeSlope.value_or(0.2), x));
    return arith::SelectOp::create(ops, isPositive, x, small);
  }
  /// Softmax, weighted sum of `rows` [E, H, C], heads, residual of `x`, bias.
  Value finish(Value scores, Value rows, Value graph, Value x, Value bias) const;
};
} // namespace

Value Attention::finish(Value scores, Value rows, Value graph, Value x, Value bias) const {
  ImplicitLocOpBuilder &ops = b.ops();
  Value alpha =
      SegmentSoftmaxOp::create(ops, scores.getType(), scores, graph,
                               EndAttr::get(ops.getContext(), End::Dst), TypeAttr::get(b.wide()));
  Value message = arith::MulFOp::create(ops, rows, b.repeat(alpha, rows));
  Value sum = b.scatter(ReduceKind::Sum, message, graph);
  Value y = concatenates ? b.joinHeads(sum) : b.meanOver(1, sum);
  y = b.addResidual(y, x, prefix);
  return bias ? arith::AddFOp::create(ops, y, b.rowsOf(bias, y)).getResult() : y;
}

/// The features of added loops: a number, or what a reduction makes of those of the other
/// edges that arrive at the node.
static Value loopFeatures(ModelBuilder &b, const ModelOptions &options, Value graph, Value edges) {
  std::string fill = aggrName(options.fillValue.value_or("mean"));
  if (std::optional<ReduceKind> kind = symbolizeReduceKind(fill))
    return b.scatter(*kind, edges, graph);
  return b.nodeRows(*fillNumber(fill), *options.edgeDim, graph);
}

namespace {
/// What messages follow, and one row of features per edge (null: none).
struct AttentionEdges {
  Value graph, features;
};
} // namespace

/// PyG removes the self loops that there are and adds one to each node.
static AttentionEdges attentionEdges(ModelBuilder &b, const ModelOptions &options) {
  ImplicitLocOpBuilder &ops = b.ops();
  if (!options.edgeDim)
    return {options.loops() ? b.withSelfLoops({b.graph(), {}}, 1).graph : b.graph(), {}};
  Value features = b.edgeRows("edge_attr", *options.edgeDim);
  if (!options.loops())
    return {b.graph(), features};
  auto type = cast<GnnGraphType>(b.graph().getType());
  Type looped = type.with(ShapedType::kDynamic, type.getIndex(), Layout::Coo);
  auto rows = cast<RankedTensorType>(features.getType());
  Type edges =
      RankedTensorType::get({ShapedType::kDynamic, rows.getDimSize(1)}, rows.getElementType());
  auto kept = RemoveSelfLoopsOp::create(ops, looped, TypeRange(edges), b.graph(), features);
  Value ofLoops = loopFeatures(b, options, kept.getLoopless(), kept.getKept()[0]);
  auto all = AppendSelfLoopsOp::create(ops, looped, TypeRange(edges), kept.getLoopless(),
                                       kept.getKept(), ofLoops);
  return {all.getLooped(), all.getAppended()[0]};
}

Conv gnnc::gatConv(ModelBuilder &b, const ModelOptions &options) {
  AttentionEdges edges = attentionEdges(b, options);
  return [=, &b, &options](Nodes x, StringRef prefix, int64_t layer) {
    ImplicitLocOpBuilder &ops = b.ops();
    auto [graph, features] = edges;
    Attention conv(b, options, prefix, layer);
    Value source = conv.vector(".att_src"), destination = conv.vector(".att_dst");
    Value edge = features ? conv.vector(".att_edge") : Value();
    Value bias = conv.bias();
    Nodes h;
    if (options.inDst) { // PyG's in_channels as a tuple: a matrix for each end
      h.src = conv.transform(x.src, ".lin_src", /*bias=*/false);
      h.dst = conv.transform(x.dst, ".lin_dst", /*bias=*/false);
    } else {
      h = conv.transform(x, ".lin", /*bias=*/false);
    }
    Value scores = arith::AddFOp::create(ops, b.gather(conv.dot(h.src, source), graph, End::Src),
                                         b.gather(conv.dot(h.dst, destination), graph, End::Dst));
    if (features) {
      Value f = conv.transform(features, ".lin_edge", /*bias=*/false);
      scores = arith::AddFOp::create(ops, scores, conv.dot(f, edge));
    }
    return conv.finish(conv.leaky(scores), b.gather(h.src, graph, End::Src), graph, x.dst, bias);
  };
}

Conv gnnc::gatv2Conv(ModelBuilder &b, const ModelOptions &options) {
  AttentionEdges edges = attentionEdges(b, options);
  return [=, &b, &options](Nodes x, StringRef prefix, int64_t layer) {
    ImplicitLocOpBuilder &ops = b.ops();
    auto [graph, features] = edges;
    Attention conv(b, options, prefix, layer);
    Value vector = conv.vector(".att");
    Value bias = conv.bias();
    Value left, right;
    if (!options.shareWeights.value_or(false)) {
      left = conv.transform(x.src, ".lin_l", options.bias);
      right = conv.transform(x.dst, ".lin_r", options.bias);
    } else { // the state_dict has the one matrix under both names
      Nodes h = conv.transform(x, ".lin_l", options.bias);
      left = h.src, right = h.dst;
      int64_t out = conv.heads * conv.width;
      int64_t in = cast<RankedTensorType>(x.src.getType()).getDimSize(1);
      b.unreadWeight(conv.name(".lin_r.weight"), {out, in}, WeightSpec::Kind::Matrix,
                     conv.name(".lin_l.weight"));
      if (options.bias)
        b.unreadWeight(conv.name(".lin_r.bias"), {out}, WeightSpec::Kind::Bias,
                       conv.name(".lin_l.bias"));
    }
    Value rows = b.gather(left, graph, End::Src);
    Value both = arith::AddFOp::create(ops, rows, b.gather(right, graph, End::Dst));
    if (features)
      both = arith::AddFOp::create(ops, both, conv.transform(features, ".lin_edge", false));
    return conv.finish(conv.dot(conv.leaky(both), vector), rows, graph, x.dst, bias);
  };
}
