//===- Inputs.cpp - What benchmark programs read, and where rows go ---------===//
#include "benchmarks/gnn-bench/Inputs.h"

#include "benchmarks/data/Generator.h"
#include "benchmarks/data/GraphSource.h"
#include "benchmarks/data/Random.h"
#include "benchmarks/gnn-bench/Process.h"
#include "runtime/format/FileIO.h"
#include "runtime/format/SafeTensors.h"

#include <filesystem>
#include <thread>

using namespace gnnc;
using namespace gnnc::bench;

GraphData gnnc::bench::loadGraph(const std::string &name, std::uint64_t seed,
                                 const std::string &dataRoot) {
  if (const GeneratorSpec *preset = findPreset(name); preset && name != preset->name) {
    GeneratorSpec spec = *preset;
    spec.seed = seed;
    return generateGraph(spec);
  }
  if (!dataRoot.empty() && name.find('/') == std::string::npos)
    return readAnyGraph(findSet(dataRoot, name));
  std::error_code error;
  if (std::filesystem::exists(name, error))
    return readAnyGraph(name);
  if (name == "cora") {
    std::string file =
        findBeside("cora.safetensors.gz", {"../share/gnnc/data/cora", GNNC_BENCH_DATA_DIR "/cora"});
    return readGraph(file);
  }
  throw Failure(
      "--graph " + name +
      ": no such file or folder, and not one of cora, cora-sized, pubmed-sized, arxiv-sized, "
      "products-sized");
}

void gnnc::bench::drawFeatures(GraphData &data, std::int64_t width, std::uint64_t seed) {
  Random random(seed ^ 0x6665617475726573u);
  data.numFeatures = width;
  data.x.resize(static_cast<std::size_t>(data.numNodes * width));
  for (float &value : data.x)
    value = random.symmetric();
}

void gnnc::bench::useDevice(Workload &work, const std::string &device, int threads) {
  unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  work.threads = threads ? threads : static_cast<int>(cores);
  at::set_num_threads(work.threads);
  if (device != "cuda")
    return;
  if (!torch::cuda::is_available())
    throw Failure("--device cuda: this LibTorch sees no CUDA device; on a machine that has one, "
                  "scripts/fetch-libtorch --cuda fetches a LibTorch that does");
  work.device = at::Device(at::kCUDA, 0);
  // fp32 means fp32 for everybody.
  at::globalContext().setAllowTF32CuBLAS(false);
  at::globalContext().setAllowTF32CuDNN(false);
}

void gnnc::bench::writeInputs(const std::string &folder, const Workload &work) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw Failure("--write-inputs " + folder + ": cannot be made: " + error.message());
  writeGraph(folder + "/graph.safetensors", work.data);
  writeWeights(folder + "/weights.safetensors", work.weights);
}

void gnnc::bench::writeReference(const std::string &folder, const at::Tensor &reference) {
  at::Tensor out = reference.to(at::kDouble).contiguous();
  format::TensorFile file;
  file.tensors.push_back(
      format::Tensor::view("out", format::DType::F64, out.sizes().vec(), out.data_ptr()));
  if (std::string wrong; !format::writeTensors(folder + "/reference.safetensors", file, wrong))
    throw Failure(wrong);
}

at::Tensor gnnc::bench::readReference(const std::string &path,
                                      const std::vector<std::int64_t> &shape) {
  format::TensorFile file;
  std::string error;
  if (!format::readTensors(path, file, error))
    throw Failure(error);
  const format::Tensor *out = file.find("out");
  if (!out || out->dtype != format::DType::F64 || out->shape != shape)
    throw Failure(path + ": has " +
                  (out ? "'out' as " + describe(out->dtype, out->shape) : "no tensor 'out'") +
                  ", expected " + describe(format::DType::F64, shape) +
                  "; write it with --write-inputs");
  return torch::from_blob(const_cast<double *>(out->as<double>()), shape, at::kDouble).clone();
}

void gnnc::bench::writeLines(const std::string &path, bool append,
                             const std::vector<std::string> &lines) {
  std::string text, error;
  if (append && std::filesystem::exists(path)) {
    format::Bytes before;
    if (!format::readFile(path, before, error))
      throw Failure(error);
    text.assign(reinterpret_cast<const char *>(before.data), before.size);
  }
  for (const std::string &line : lines)
    text += line + "\n";
  format::Piece piece{text.data(), text.size()};
  if (!format::writeFile(path, &piece, 1, error))
    throw Failure(error);
}
