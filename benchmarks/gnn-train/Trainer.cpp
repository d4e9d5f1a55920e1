//===- Trainer.cpp - Training of a GCN on one graph -----------------------===//
#include "benchmarks/gnn-train/Trainer.h"

#include "benchmarks/eager/EagerModel.h"

#include <chrono>

namespace gnnc::bench {
namespace {

at::Tensor maskTensor(const std::vector<std::uint8_t> &mask) {
  return torch::from_blob(const_cast<std::uint8_t *>(mask.data()),
                          {static_cast<std::int64_t>(mask.size())}, at::TensorOptions(at::kByte))
      .to(at::kBool);
}

double accuracy(const at::Tensor &logits, const at::Tensor &y, const at::Tensor &mask) {
  at::Tensor right = logits.argmax(1).eq(y).masked_select(mask);
  return right.to(at::kDouble).mean().item<double>();
}

/// Input features as their non-zero entries: bag-of-words rows are 1 % full, and
/// dropping a zero changes nothing, so that an epoch costs milliseconds on one core.
struct Features {
  at::Tensor row, column, value; ///< of each entry
  std::int64_t rows;

  static Features fromData(const GraphData &data) {
    at::Tensor dense =
        torch::from_blob(const_cast<float *>(data.x.data()), {data.numNodes, data.numFeatures});
    at::Tensor at = dense.nonzero();
    Features features{
        at.select(1, 0).contiguous(), at.select(1, 1).contiguous(), {}, data.numNodes};
    features.value = dense.index({features.row, features.column}).view({-1, 1});
    return features;
  }

  /// dropout(x) * matrix^T
  at::Tensor transform(const at::Tensor &matrix, double dropout, bool training) const {
    at::Tensor entries = at::dropout(value, dropout, training);
    at::Tensor terms = entries * matrix.t().index_select(0, column);
    return at::zeros({rows, matrix.size(0)}).index_add(0, row, terms);
  }
};

/// The layers being trained; the graph's norm is computed once.
struct Network {
  std::vector<at::Tensor> matrices, biases;
  at::Tensor src, dst, norm;
  double dropout = 0;

  at::Tensor forward(const Features &x, bool training) const {
    at::Tensor h = x.transform(matrices[0], dropout, training);
    for (std::size_t layer = 0;; ++layer) {
      at::Tensor messages = norm * h.index_select(0, src);
      h = at::zeros_like(h).index_add(0, dst, messages) + biases[layer];
      if (layer + 1 == matrices.size())
        return h;
      h = at::linear(at::dropout(at::relu(h), dropout, training), matrices[layer + 1]);
    }
  }
};

Network makeNetwork(const GraphData &data, const ModelSpec &spec, double dropout) {
  Network net;
  net.dropout = dropout;
  GraphTensors graph = gcnNormalised(GraphTensors::fromData(data), spec, at::kFloat);
  net.src = graph.src;
  net.dst = graph.dst;
  net.norm = graph.weight.view({-1, 1});
  for (std::int64_t layer = 0; layer < spec.numLayers; ++layer) {
    at::Tensor matrix = at::empty({spec.outWidth(layer), spec.inWidth(layer)});
    torch::nn::init::xavier_uniform_(matrix);
    net.matrices.push_back(matrix.requires_grad_());
    net.biases.push_back(at::zeros({spec.outWidth(layer)}).requires_grad_());
  }
  return net;
}

Weights exportWeights(const Network &net) {
  Weights weights;
  auto add = [&](const std::string &name, const at::Tensor &tensor) {
    at::Tensor flat = tensor.detach().contiguous();
    const float *values = flat.data_ptr<float>();
    weights[name] = HostTensor{tensor.sizes().vec(), {values, values + flat.numel()}};
  };
  for (std::size_t layer = 0; layer < net.matrices.size(); ++layer) {
    add(layerName("convs", static_cast<std::int64_t>(layer), "lin.weight"), net.matrices[layer]);
    add(layerName("convs", static_cast<std::int64_t>(layer), "bias"), net.biases[layer]);
  }
  return weights;
}

} // namespace

TrainResult trainGcn(const GraphData &graph, const TrainOptions &options,
                     const std::function<void(const TrainProgress &)> &report) {
  auto need = [&](bool there, const char *what) {
    if (!there)
      throw Failure("graph '" + graph.name + "' has no " + what + "; training needs it");
  };
  need(graph.numFeatures > 0, "features (x)");
  need(!graph.y.empty(), "node labels (y)");
  need(!graph.trainMask.empty() && !graph.valMask.empty() && !graph.testMask.empty(),
       "train_mask, val_mask and test_mask");

  auto start = std::chrono::steady_clock::now();
  at::set_num_threads(options.threads);
  torch::manual_seed(options.seed);

  ModelSpec spec;
  spec.inChannels = graph.numFeatures;
  spec.hiddenChannels = options.hidden;
  spec.outChannels = graph.numClasses;
  spec.numLayers = options.numLayers;
  Network net = makeNetwork(graph, spec, options.dropout);
  Features x = Features::fromData(graph);
  at::Tensor y = torch::from_blob(const_cast<std::int64_t *>(graph.y.data()), {graph.numNodes},
                                  at::TensorOptions(at::kLong));
  at::Tensor train = maskTensor(graph.trainMask), val = maskTensor(graph.valMask);
  at::Tensor test = maskTensor(graph.testMask);
  at::Tensor trainNodes = train.nonzero().view({-1}), trainLabels = y.index_select(0, trainNodes);

  // The penalty is on the first layer only, as in the paper.
  using torch::optim::AdamOptions;
  std::vector<at::Tensor> first = {net.matrices[0], net.biases[0]}, rest;
  for (std::size_t layer = 1; layer < net.matrices.size(); ++layer) {
    rest.push_back(net.matrices[layer]);
    rest.push_back(net.biases[layer]);
  }
  std::vector<torch::optim::OptimizerParamGroup> groups;
  groups.emplace_back(first,
                      std::make_unique<AdamOptions>(
                          AdamOptions(options.learningRate).weight_decay(options.weightDecay)));
  if (!rest.empty())
    groups.emplace_back(rest, std::make_unique<AdamOptions>(AdamOptions(options.learningRate)));
  torch::optim::Adam optimizer(groups, AdamOptions(options.learningRate));

  TrainResult result;
  for (std::int64_t epoch = 1; epoch <= options.epochs; ++epoch) {
    optimizer.zero_grad();
    at::Tensor logits = net.forward(x, /*training=*/true);
    at::Tensor loss = at::cross_entropy_loss(logits.index_select(0, trainNodes), trainLabels);
    loss.backward();
    optimizer.step();

    at::NoGradGuard noGrad;
    at::Tensor out = net.forward(x, /*training=*/false);
    double validation = accuracy(out, y, val);
    if (epoch == 1 || validation > result.validation) {
      result.bestEpoch = epoch;
      result.validation = validation;
      result.test = accuracy(out, y, test);
      result.weights = exportWeights(net);
    }
    if (epoch % 20 == 0 || epoch == options.epochs)
      report({epoch, options.epochs, loss.item<double>(), validation});
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

} // namespace gnnc::bench
