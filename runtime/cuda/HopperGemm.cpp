//===- HopperGemm.cpp - fp32x3 products by a kernel of our own for sm_90a --===//
#include "runtime/cuda/HopperGemm.h"

#include "runtime/cuda/OwnKernels.h"

#include <algorithm>
#include <limits>

using namespace gnnc;
using namespace gnnc::cuda;
using runtime::Activation;
using runtime::GemmDesc;
using runtime::GemmPointers;

namespace {

bool isAlignedTo(const void *address, std::uintptr_t bytes) {
  return reinterpret_cast<std::uintptr_t>(address) % bytes == 0;
}

} // namespace

bool HopperGemm::canRun(const Context &context, const GemmDesc &desc) {
  constexpr int kHopper = 90;
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max() - kTileRows;
  return context.capability() == kHopper && desc.a == format::DType::F32 &&
         desc.b == format::DType::F32 && desc.c == format::DType::F32 && desc.m <= most &&
         desc.n <= most / std::max<std::int64_t>(1, desc.k);
}

bool HopperGemm::pays(const Context &context, const GemmDesc &desc) {
  // Measured on an H200 (docs/decisions/fp32x3.md): a product that leaves processors idle
  // or wastes most of a tile's columns is better left to others.
  constexpr std::int64_t kFewestColumns = 32;
  constexpr double kFewestProducts = 2e8;
  std::int64_t tiles = ceilDiv(desc.m, kTileRows) * ceilDiv(desc.n, kTileColumns);
  return canRun(context, desc) && desc.n >= kFewestColumns &&
         tiles >= context.attribute(kAttributeMultiprocessorCount) &&
         double(desc.m) * double(desc.n) * double(desc.k) >= kFewestProducts;
}

HopperGemm::HopperGemm(std::shared_ptr<GemmLibrary> library, std::shared_ptr<StreamHandle> stream,
                       const GemmDesc &desc)
    : library(std::move(library)), stream(std::move(stream)), desc(desc),
      tileColumns(ceilDiv(desc.n, kTileColumns)), tileDepths(ceilDiv(desc.k, kTileDepth)) {}

Expected<std::unique_ptr<CudaGemm>> HopperGemm::make(std::shared_ptr<GemmLibrary> library,
                                                     std::shared_ptr<StreamHandle> stream,
                                                     const GemmDesc &desc) {
  std::unique_ptr<HopperGemm> plan(new HopperGemm(std::move(library), std::move(stream), desc));
  if (desc.m == 0 || desc.n == 0)
    return std::unique_ptr<CudaGemm>(std::move(plan));
  Expected<HopperKernels> kernels = plan->library->hopperKernels();
  if (!kernels)
    return kernels.status();
  plan->packKernel = kernels->pack;
  plan->kernel = kernels->multiply;
  const Context &context = *plan->library->context;
  Context::Current current(context);
  // One byte of an empty sum: an address.
  Expected<CUdeviceptr> weight = context.allocate(std::max<std::int64_t>(1, plan->deviceBytes()));
  if (!weight)
    return Status(weight.status()).in("the packed weight of a product");
  plan->weight = *weight;
  if (desc.constantB)
    GNNC_TRY(plan->pack(desc.constantB));
  return std::unique_ptr<CudaGemm>(std::move(plan));
}

HopperGemm::~HopperGemm() {
  const Context &context = *library->context;
  Context::Current current(context);
  // cuMemFree waits for work that uses the memory.
  if (weight)
    context.driver().memFree(weight);
}

std::int64_t HopperGemm::deviceBytes() const {
  return tileColumns * tileDepths * static_cast<std::int64_t>(kTileBytes + sizeof(float));
}

CUdeviceptr HopperGemm::unscale() const { return weight + tileColumns * tileDepths * kTileBytes; }

Status HopperGemm::pack(const void *b) const {
  PackWeight argument{};
  argument.from = static_cast<const float *>(b);
  argument.to = reinterpret_cast<std::uint16_t *>(weight);
  argument.unscale = reinterpret_cast<float *>(unscale());
  argument.columnStep = desc.transposeB ? desc.rowStepB() : 1;
  argument.depthStep = desc.transposeB ? 1 : desc.rowStepB();
  argument.columns = static_cast<unsigned>(desc.n);
  argument.depth = static_cast<unsigned>(desc.k);
  argument.tileColumns = static_cast<unsigned>(tileColumns);
  argument.tileDepths = static_cast<unsigned>(tileDepths);
  std::int64_t blocks = packTiles(argument);
  if (blocks == 0)
    return Status();
  return launchOwnKernel(*stream, packKernel, {blocks, kPackBlock}, argument, "cuLaunchKernel")
      .in("packing a weight");
}

Status HopperGemm::run(const GemmPointers &pointers) {
  if (desc.m == 0 || desc.n == 0)
    return Status();
  Context::Current current(*library->context);
  if (!desc.constantB)
    GNNC_TRY(pack(pointers.b));
  std::int64_t processors = library->context->attribute(kAttributeMultiprocessorCount);
  HopperProduct argument{};
  argument.a = static_cast<const float *>(pointers.a);
  argument.weight = reinterpret_cast<const std::uint16_t *>(weight);
  argument.unscale = reinterpret_cast<const float *>(unscale());
  argument.bias = desc.hasBias ? static_cast<const float *>(pointers.bias) : nullptr;
  argument.residual = desc.hasResidual ? static_cast<const float *>(pointers.residual) : nullptr;
  argument.c = static_cast<float *>(pointers.c);
  argument.leftStep = desc.rowStepA();
  argument.step = desc.rowStepC();
  argument.rows = static_cast<unsigned>(desc.m);
  argument.columns = static_cast<unsigned>(desc.n);
  argument.depth = static_cast<unsigned>(desc.k);
  argument.tileColumns = static_cast<unsigned>(tileColumns);
  argument.tileDepths = static_cast<unsigned>(tileDepths);
  // All columns of a row tile at once read `a` once; few rows are shared by more blocks.
  std::int64_t rowTiles = ceilDiv(desc.m, kTileRows);
  std::int64_t groups = std::clamp<std::int64_t>(processors / rowTiles, 1, tileColumns);
  argument.columnTilesAtOnce = static_cast<unsigned>(ceilDiv(tileColumns, groups));
  std::int64_t items = rowTiles * ceilDiv(tileColumns, argument.columnTilesAtOnce);
  argument.items = static_cast<unsigned>(items);
  argument.isAligned = desc.k % 4 == 0 && desc.rowStepA() % 4 == 0 && isAlignedTo(pointers.a, 16);
  argument.isPaired = desc.n % 2 == 0 && desc.rowStepC() % 2 == 0 && isAlignedTo(pointers.c, 8) &&
                      (!desc.hasResidual || isAlignedTo(pointers.residual, 8));
  argument.hasRelu = desc.activation == Activation::Relu;
  return launchOwnKernel(*stream, kernel,
                         {std::min(items, processors), kHopperThreads, kHopperShared}, argument,
                         "cuLaunchKernel")
      .in("a product");
}
