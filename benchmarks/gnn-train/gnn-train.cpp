//===- gnn-train.cpp - Train a GCN in LibTorch and write its weights ------===//
//
// Input: a graph file with features, labels and the three masks. Output: the
// weights of the epoch with the best validation accuracy, under PyG's names, so
// that the demo runs a real trained model without Python.
//
//===----------------------------------------------------------------------===//
#include "benchmarks/gnn-train/Trainer.h"
#include "tools/CommandLine.h"

using namespace gnnc::bench;

int main(int argc, char **argv) {
  CLI::App app("Train a GCN for node classification and write its weights as safetensors.",
               "gnn-train");
  std::string graphPath, output;
  TrainOptions options;
  app.add_option("--graph", graphPath, "Graph file with x, y, train_mask, val_mask, test_mask")
      ->required();
  app.add_option("-o,--output", output, "Weights file to write")->required();
  app.add_option("--hidden", options.hidden, "Width between the layers")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  app.add_option("--num-layers,--layers", options.numLayers, "Layers")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--epochs", options.epochs, "Steps over the whole graph")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  app.add_option("--lr", options.learningRate, "Adam's learning rate")->capture_default_str();
  app.add_option("--weight-decay", options.weightDecay, "L2 penalty on the first layer")
      ->capture_default_str();
  app.add_option("--dropout", options.dropout, "Share of inputs dropped in training")
      ->check(CLI::Range(0.0, 0.99))
      ->capture_default_str();
  app.add_option("--seed", options.seed, "Same seed and threads, same weights")
      ->capture_default_str();
  app.add_option("--threads", options.threads, "Threads; a small graph is fastest with one")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  app.footer("example:\n"
             "  gnn-train --graph test/data/cora/cora.safetensors.gz -o weights.safetensors\n\n"
             "exit codes: 0 done, 1 the input is wrong or the work failed, 2 wrong usage");
  if (auto code = gnnc::tools::parseCommandLine(app, argc, argv))
    return *code;
  if (auto code = gnnc::tools::refuseOverwriting("gnn-train", {graphPath}, {output}))
    return *code;
  try {
    GraphData graph = readGraph(graphPath);
    TrainResult result = trainGcn(graph, options, [](const TrainProgress &at) {
      std::printf("epoch %3lld of %lld  loss %.4f  validation accuracy %.3f\n",
                  static_cast<long long>(at.epoch), static_cast<long long>(at.epochs), at.loss,
                  at.validation);
      std::fflush(stdout);
    });
    writeWeights(output, result.weights);
    std::printf("%s: best of %lld epochs is %lld: accuracy validation %.3f, test %.3f (%.1f s)\n",
                output.c_str(), static_cast<long long>(options.epochs),
                static_cast<long long>(result.bestEpoch), result.validation, result.test,
                result.seconds);
  } catch (const std::exception &error) {
    // LibTorch adds a backtrace after the first line.
    std::string text = error.what();
    std::fprintf(stderr, "gnn-train: %s\n", text.substr(0, text.find('\n')).c_str());
    return 1;
  }
  return 0;
}
