//===- Measure.cpp - Variants of a program, compiled and run --------------===//
#include "lib/Tune/Measure.h"

#include "lib/Codegen/Codegen.h"
#include "lib/Codegen/EmitArtifact.h"
#include "lib/Codegen/SelectWeights.h"
#include "passes/Pipelines.h"
#include "passes/RegisterAll.h"
#include "runtime/format/Floats.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace gnnc;
using namespace gnnc::tune;

Times Times::of(std::vector<double> samples) {
  if (samples.empty())
    return {};
  std::sort(samples.begin(), samples.end());
  auto at = [&](double share) {
    return samples[static_cast<size_t>(
        std::lround(share * static_cast<double>(samples.size() - 1)))];
  };
  return {at(0.25), at(0.5), at(0.75)};
}

CompiledProgram::~CompiledProgram() {
  if (!file.empty())
    llvm::consumeError(llvm::errorCodeToError(llvm::sys::fs::remove(file))); // temporary anyway
}

std::unique_ptr<CompiledProgram> CompiledProgram::compile(const std::string &text,
                                                          const MeasureOptions &options,
                                                          std::string &error) {
  DialectRegistry registry;
  registerDialects(registry);
  registerCodegen(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  std::string first;
  ScopedDiagnosticHandler keepFirst(&context, [&](Diagnostic &diagnostic) {
    if (first.empty() && diagnostic.getSeverity() == DiagnosticSeverity::Error)
      first = diagnostic.str();
    return success();
  });
  auto fail = [&](const std::string &otherwise) -> std::unique_ptr<CompiledProgram> {
    error = first.empty() ? otherwise : first;
    return nullptr;
  };
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return fail("the kernels cannot be read");
  DefaultPipelineOptions pipeline;
  pipeline.target = options.target;
  pipeline.chip = options.chip;
  pipeline.products = options.products;
  pipeline.mode = options.mode;
  pipeline.dynamic = options.dynamic;
  PassManager manager(&context);
  addPlanPasses(manager, pipeline);
  format::Artifact artifact;
  if (failed(manager.run(*module)) ||
      failed(emitArtifact(*module, {options.target, options.chip, options.cubin}, artifact)))
    return fail("the kernels cannot be compiled");
  std::string warning;
  if (!selectWeights(options.weights, "the program", {}, artifact.plan, artifact.weights, warning,
                     error))
    return nullptr;
  auto compiled = std::make_unique<CompiledProgram>();
  SmallString<128> path;
  if (auto code = llvm::sys::fs::createTemporaryFile("gnnc-tune", "gnnx", path)) {
    error = "no temporary file can be made: " + code.message();
    return nullptr;
  }
  compiled->file = path.str().str();
  if (!format::writeArtifact(compiled->file, artifact, error))
    return nullptr;
  compiled->programPlan = std::move(artifact.plan);
  return compiled;
}

static gnnc::Tensor viewOf(const format::Tensor &tensor) {
  return gnnc::Tensor(tensor.name, const_cast<std::byte *>(tensor.bytes.data),
                      static_cast<gnnc_dtype>(tensor.dtype), tensor.shape);
}

static std::vector<gnnc::Tensor> viewsOf(const std::vector<format::Tensor> &tensors) {
  std::vector<gnnc::Tensor> views;
  for (const format::Tensor &tensor : tensors)
    views.push_back(viewOf(tensor));
  return views;
}

bool Bench::open(const std::string &target, Workload &given, std::string &error) {
  workload = &given;
  auto opened = gnnc::Device::open(target);
  if (!opened) {
    error = opened.error().message;
    return false;
  }
  device = std::move(*opened);
  return true;
}

std::unique_ptr<Variant> Bench::load(const CompiledProgram &program, std::string &error) {
  if (!inputs.graph && !workload->bind(program.plan(), inputs, error))
    return nullptr;
  auto variant = std::make_unique<Variant>();
  variant->workload = &inputs;
  auto executable = device->load(program.path());
  if (!executable) {
    error = executable.error().message;
    return nullptr;
  }
  variant->executable = std::move(*executable);
  auto session = variant->executable->bind(*inputs.graph);
  if (!session) {
    error = session.error().message;
    return nullptr;
  }
  variant->session = std::move(*session);
  auto names = variant->session->commands();
  if (!names) {
    error = names.error().message;
    return nullptr;
  }
  variant->names = std::move(*names);
  for (const format::Buffer &buffer : program.plan().buffers)
    if (buffer.kind == format::Buffer::Kind::Output)
      variant->outputNames.push_back(buffer.name);
  return variant;
}

bool Variant::timeCommands(int warmup, int repeats, std::vector<std::vector<double>> &rows,
                           std::string &error) {
  auto samples = session->timeCommands(viewsOf(workload->tensors), {}, warmup, repeats);
  if (!samples) {
    error = samples.error().message;
    return false;
  }
  for (auto row = samples->begin(); row != samples->end();
       row += static_cast<std::ptrdiff_t>(names.size())) {
    rows.emplace_back(row, row + static_cast<std::ptrdiff_t>(names.size()));
    if (names.empty())
      break;
  }
  return true;
}

bool Variant::timeForwards(int warmup, int repeats, int inner, std::vector<double> &samples,
                           std::string &error) {
  auto times = session->time(viewsOf(workload->tensors), {}, warmup, repeats, inner);
  if (!times) {
    error = times.error().message;
    return false;
  }
  samples.insert(samples.end(), times->begin(), times->end());
  return true;
}

bool Variant::run(Outputs &outputs, std::string &error) {
  outputs.clear();
  for (const std::string &name : outputNames) {
    auto shape = session->outputShape(name);
    if (!shape) {
      error = shape.error().message;
      return false;
    }
    format::Tensor &tensor = outputs.emplace_back();
    tensor.name = name;
    tensor.dtype = static_cast<format::DType>(shape->dtype);
    tensor.shape = shape->shape;
    size_t bytes = format::sizeOf(tensor.dtype);
    for (int64_t extent : tensor.shape)
      bytes *= static_cast<size_t>(extent);
    auto memory = format::allocateBytes(bytes);
    if (!memory) {
      error = "out of memory: output '" + name + "' has " + std::to_string(bytes) + " bytes";
      return false;
    }
    tensor.bytes = {memory, memory.get(), bytes};
  }
  if (auto status = session->run(viewsOf(workload->tensors), viewsOf(outputs)); !status) {
    error = status.error().message;
    return false;
  }
  return true;
}

double tune::difference(const Outputs &a, const Outputs &b) {
  constexpr double unlike = std::numeric_limits<double>::infinity();
  if (a.size() != b.size())
    return unlike;
  double worst = 0;
  for (auto [left, right] : llvm::zip(a, b)) {
    format::Tensor wide, other;
    std::string error;
    if (left.name != right.name || left.shape != right.shape ||
        !format::convertTensor(left, format::DType::F64, wide, error) ||
        !format::convertTensor(right, format::DType::F64, other, error))
      return unlike;
    double largest = 0, apart = 0;
    for (int64_t i = 0; i < wide.elements(); ++i) {
      double x = wide.as<double>()[i], y = other.as<double>()[i];
      if (x == y || (std::isnan(x) && std::isnan(y)))
        continue;
      if (!std::isfinite(x) || !std::isfinite(y))
        return unlike;
      apart = std::max(apart, std::abs(x - y));
    }
    for (int64_t i = 0; i < other.elements(); ++i)
      if (std::isfinite(other.as<double>()[i]))
        largest = std::max(largest, std::abs(other.as<double>()[i]));
    worst = std::max(worst, apart > 0 ? apart / std::max(largest, 1e-30) : 0);
  }
  return worst;
}
