//===- Gat.cpp - Graph attention, GAT and GATv2, in eager LibTorch --------===//
//
// Per layer and head: a score per edge, softmax among the edges of a node, the sum
// of the sources' rows weighted by it. Three ways to do the last step: messages in
// memory as PyG has them; one product with a CSR matrix a head; in float64.
//
//===----------------------------------------------------------------------===//
#include "benchmarks/eager/EagerModel.h"
#include "benchmarks/eager/EdgeReference.h"

namespace gnnc::bench {
namespace {

class Attention final : public EagerModel {
public:
  Attention(const ModelSpec &spec, const Weights &weights, const GraphTensors &graph,
            const EagerOptions &options)
      : EagerModel(spec, weights, options), graph(graph) {}

  void prepare() override {
    graph = graph.to(device());
    graph.weight = at::Tensor(); // scores are the weights
    if (!options.fixes && options.aggregation == Aggregation::GatherScatter)
      return;
    graph = looped();
    if (options.aggregation == Aggregation::Csr)
      sortByDestination();
    if (options.aggregation == Aggregation::Reference)
      reference = makeEdgeReference(graph);
  }

protected:
  at::Tensor conv(std::int64_t layer, const at::Tensor &x) override;

private:
  std::string name(std::int64_t layer, const char *rest) const {
    return layerName("convs", layer, rest);
  }
  GraphTensors looped() const { return spec.addSelfLoops ? withOneLoopEach(graph) : graph; }

  void sortByDestination() {
    at::Tensor order = std::get<1>(graph.dst.cpu().sort(/*stable=*/true, 0, false));
    order = order.to(device());
    graph.src = graph.src.index_select(0, order);
    graph.dst = graph.dst.index_select(0, order);
    at::Tensor counts = at::bincount(graph.dst.cpu(), {}, graph.numNodes);
    at::Tensor starts = at::zeros({graph.numNodes + 1}, counts.options());
    starts.slice(0, 1).copy_(counts.cumsum(0));
    rowPointer = starts.to(device(), at::kInt);
    columns = graph.src.to(at::kInt);
  }

  at::Tensor pairScores(std::int64_t layer, const at::Tensor &left, const at::Tensor &right,
                        const GraphTensors &edges) const;
  at::Tensor softmax(const at::Tensor &scores, const GraphTensors &edges) const;
  at::Tensor weightedSum(const at::Tensor &rows, const at::Tensor &alpha,
                         const GraphTensors &edges) const;

  GraphTensors graph;
  at::Tensor rowPointer, columns;           ///< of the edges in order, for products
  std::unique_ptr<EdgeReference> reference; ///< for float64
};

/// GATv2: a . leaky(left[src] + right[dst]) of each edge and head.
at::Tensor Attention::pairScores(std::int64_t layer, const at::Tensor &left,
                                 const at::Tensor &right, const GraphTensors &edges) const {
  at::Tensor vector = weight(name(layer, "att"));
  if (reference)
    return reference->pairScores(left, right, vector, spec.negativeSlope);
  at::Tensor sum = right.index_select(0, edges.dst) + left.index_select(0, edges.src);
  return (at::leaky_relu(sum, spec.negativeSlope) * vector).sum(-1);
}

at::Tensor Attention::softmax(const at::Tensor &scores, const GraphTensors &edges) const {
  at::Tensor index = edges.dst.view({-1, 1}).expand_as(scores);
  at::Tensor largest = scores.new_zeros({graph.numNodes, scores.size(1)})
                           .scatter_reduce_(0, index, scores, "amax", /*include_self=*/false);
  at::Tensor powers = (scores - largest.index_select(0, edges.dst)).exp();
  at::Tensor sums = at::zeros_like(largest).scatter_add_(0, index, powers) + 1e-16;
  return powers / sums.index_select(0, edges.dst);
}

/// rows [N, H, C], alpha [E, H] -> [N, H, C].
at::Tensor Attention::weightedSum(const at::Tensor &rows, const at::Tensor &alpha,
                                  const GraphTensors &edges) const {
  if (options.aggregation == Aggregation::Csr) {
    std::vector<at::Tensor> heads;
    for (std::int64_t head = 0; head < rows.size(1); ++head) {
      at::Tensor matrix = at::_sparse_csr_tensor_unsafe(
          rowPointer, columns, alpha.select(1, head).contiguous(), {graph.numNodes, graph.numNodes},
          alpha.options().layout(at::kSparseCsr));
      heads.push_back(at::mm(matrix, rows.select(1, head).contiguous()));
    }
    return at::stack(heads, 1);
  }
  at::Tensor messages = rows.index_select(0, edges.src) * alpha.unsqueeze(-1);
  at::Tensor index = edges.dst.view({-1, 1, 1}).expand_as(messages);
  return at::zeros_like(rows).scatter_add_(0, index, messages);
}

at::Tensor Attention::conv(std::int64_t layer, const at::Tensor &x) {
  bool isCached = options.fixes || options.aggregation != Aggregation::GatherScatter;
  GraphTensors edges = isCached ? graph : looped();
  std::int64_t heads = spec.headsOf(layer), width = spec.headWidth(layer);
  auto split = [&](const char *prefix) {
    return linear(x, name(layer, prefix)).view({-1, heads, width});
  };
  at::Tensor rows, scores;
  if (spec.model == "gatv2") {
    rows = split("lin_l");
    scores = pairScores(layer, rows, split("lin_r"), edges);
  } else {
    rows = split("lin");
    at::Tensor source = (rows * weight(name(layer, "att_src"))).sum(-1);
    at::Tensor destination = (rows * weight(name(layer, "att_dst"))).sum(-1);
    scores =
        at::leaky_relu(source.index_select(0, edges.src) + destination.index_select(0, edges.dst),
                       spec.negativeSlope);
  }
  at::Tensor out = reference ? reference->attend(rows, scores)
                             : weightedSum(rows, softmax(scores, edges), edges);
  out = spec.concatenates(layer) ? out.reshape({-1, heads * width}) : out.mean(1);
  out = addResidual(layer, out, x);
  at::Tensor bias = weight(name(layer, "bias"));
  return bias.defined() ? out + bias : out;
}

std::vector<WeightShape> convShapes(const ModelSpec &spec, std::int64_t layer) {
  std::int64_t in = spec.inWidth(layer), heads = spec.headsOf(layer);
  std::int64_t width = spec.headWidth(layer), all = heads * width;
  std::vector<WeightShape> shapes;
  if (spec.model == "gatv2") {
    shapes.push_back({"att", {1, heads, width}});
    for (const char *matrix : {"lin_l", "lin_r"}) {
      shapes.push_back({std::string(matrix) + ".weight", {all, in}});
      if (spec.bias)
        shapes.push_back({std::string(matrix) + ".bias", {all}});
    }
  } else {
    shapes = {
        {"att_src", {1, heads, width}}, {"att_dst", {1, heads, width}}, {"lin.weight", {all, in}}};
  }
  if (spec.bias)
    shapes.push_back({"bias", {spec.outWidth(layer)}});
  return shapes;
}

ModelWork work(const ModelSpec &spec, const GraphData &graph) {
  std::int64_t nodes = graph.numNodes, edges = countEdges(graph, spec.addSelfLoops);
  bool isV2 = spec.model == "gatv2";
  ModelWork total;
  for (std::int64_t layer = 0; layer < spec.numLayers; ++layer) {
    std::int64_t in = spec.inWidth(layer), heads = spec.headsOf(layer);
    std::int64_t all = heads * spec.headWidth(layer), products = isV2 ? 2 : 1;
    total.flops += products * 2 * nodes * in * all + edges * all * (isV2 ? 6 : 2) +
                   (isV2 ? 0 : 4 * nodes * all);
    // Products: inputs, matrices, outputs. Aggregate: a row, an index and (GAT) the
    // source's scores per edge; row pointers, the node's own scores or row, outputs.
    total.values += products * (nodes * in + in * all + nodes * all);
    total.values +=
        edges * (all + (isV2 ? 0 : heads)) + nodes * ((isV2 ? all : heads) + spec.outWidth(layer));
    total.indices += edges + nodes + 1;
  }
  return total;
}

std::string infer(const format::TensorFile &file, ModelSpec &spec) {
  const char *vector = spec.model == "gatv2" ? "att" : "att_src";
  const format::Tensor *first = file.find(layerName("convs", 0, vector));
  const format::Tensor *last = file.find(layerName("convs", spec.numLayers - 1, vector));
  if (!first || !last || first->shape.size() != 3 || last->shape.size() != 3)
    return "has no tensors '" + layerName("convs", 0, vector) +
           "' [1, heads, width]; is it the state_dict of a " + spec.model + "?";
  spec.heads = first->shape[1];
  spec.lastHeads = last->shape[1];
  spec.outChannels = last->shape[2];
  return "";
}

} // namespace

extern const ModelKind gatKind, gatv2Kind;
const ModelKind gatKind = {"gat", "lin.weight", "bias", convShapes, makeEager<Attention>,
                           work,  infer};
const ModelKind gatv2Kind = {"gatv2", "lin_l.weight", "bias", convShapes, makeEager<Attention>,
                             work,    infer};

} // namespace gnnc::bench
