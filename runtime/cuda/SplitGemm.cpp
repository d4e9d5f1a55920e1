//===- SplitGemm.cpp - fp32 products on Tensor Cores (precision fp32x3) ---===//
#include "runtime/cuda/SplitGemm.h"

#include "runtime/cuda/OwnKernels.h"

#include <algorithm>

using namespace gnnc;
using namespace gnnc::cuda;
using runtime::Activation;
using runtime::GemmDesc;
using runtime::GemmPointers;
using runtime::Precision;

namespace {

constexpr std::int64_t kParts = 3, kBytes = 2;
/// Rows of a tile of cuBLASLt's kernels for Hopper.
constexpr std::int64_t kTile = 128;
/// A row of a part starts at a multiple of 16 bytes.
constexpr std::int64_t kColumnStep = 8;

std::int64_t roundUp(std::int64_t a, std::int64_t b) { return ceilDiv(a, b) * b; }

} // namespace

bool SplitGemm::pays(const Context &context, const GemmDesc &desc) {
  constexpr int kFirstBf16 = 80;
  // Fewer columns leave a product that is bound by reading `a`, fewer operations
  // one that is as short as the second kernel's launch (measured on an H200:
  // docs/decisions/fp32x3.md).
  constexpr std::int64_t kFewestColumns = 128;
  constexpr double kFewestProducts = 2e8;
  return context.capability() >= kFirstBf16 && desc.a == format::DType::F32 &&
         desc.b == format::DType::F32 && desc.c == format::DType::F32 && desc.n >= kFewestColumns &&
         double(desc.m) * double(desc.n) * double(desc.k) >= kFewestProducts;
}

std::int64_t SplitGemm::bytesOfParts(std::int64_t rows) const {
  return rows * kParts * padded * kBytes;
}

std::int64_t SplitGemm::columnsOf(std::int64_t piece) const {
  return std::min(padded, desc.k - piece * padded);
}

void SplitGemm::cut(std::int64_t mostBytes) {
  pieces = std::max<std::int64_t>(1, ceilDiv(desc.k, kMostColumns));
  padded = roundUp(std::max<std::int64_t>(1, ceilDiv(desc.k, pieces)), kColumnStep);
  pieces = std::max<std::int64_t>(1, ceilDiv(desc.k, padded));
  // A wave of tiles at least, where there are as many rows.
  const Context &context = *library->context;
  std::int64_t wave = kTile * std::max(1, context.attribute(kAttributeMultiprocessorCount));
  std::int64_t fits = mostBytes / bytesOfParts(1);
  std::int64_t most = fits >= wave ? fits / wave * wave : std::max(kTile, fits / kTile * kTile);
  blocks = ceilDiv(desc.m, most);
  blockRows = std::min(desc.m, roundUp(ceilDiv(desc.m, std::max<std::int64_t>(1, blocks)), kTile));
  blocks = blockRows > 0 ? ceilDiv(desc.m, blockRows) : 0;
}

Status SplitGemm::makeProducts() {
  std::int64_t lastRows = desc.m - (blocks - 1) * blockRows;
  for (std::int64_t rows : {blockRows, lastRows})
    for (std::int64_t piece = 0; piece < pieces; ++piece) {
      bool adds = desc.hasResidual || piece > 0, last = piece == pieces - 1;
      std::unique_ptr<CudaGemm> &product = products[{rows, adds, last}];
      if (product)
        continue;
      GemmDesc part = desc;
      part.m = rows;
      part.k = kParts * padded;
      part.transposeB = true;
      part.hasBias = desc.hasBias && last;
      part.hasResidual = adds;
      part.activation = last ? desc.activation : Activation::None;
      part.precision = Precision::Bf16;
      part.a = part.b = format::DType::BF16;
      part.constantB = nullptr;
      part.stepA = part.stepB = 0; // the parts lie one behind the other
      Expected<std::unique_ptr<CudaGemm>> made = CudaGemmPlan::make(library, stream, part);
      if (!made)
        return made.status();
      product = std::move(*made);
    }
  return Status();
}

Expected<std::unique_ptr<CudaGemm>> SplitGemm::make(std::shared_ptr<GemmLibrary> library,
                                                    std::shared_ptr<StreamHandle> stream,
                                                    const GemmDesc &desc) {
  // Half of the L2 cache: the other half is the result's and the weight's.
  std::int64_t half = library->context->attribute(kAttributeL2CacheBytes) / 2;
  return make(std::move(library), std::move(stream), desc, half);
}

Expected<std::unique_ptr<CudaGemm>> SplitGemm::make(std::shared_ptr<GemmLibrary> library,
                                                    std::shared_ptr<StreamHandle> stream,
                                                    const GemmDesc &desc, std::int64_t mostBytes) {
  std::unique_ptr<SplitGemm> plan(new SplitGemm(std::move(library), std::move(stream), desc));
  if (desc.m == 0 || desc.n == 0)
    return std::unique_ptr<CudaGemm>(std::move(plan));
  Expected<CUfunction> kernel = plan->library->splitKernel();
  if (!kernel)
    return kernel.status();
  plan->kernel = *kernel;
  plan->cut(mostBytes);
  GNNC_TRY(plan->makeProducts());
  const char *what = "the bf16 parts of a product";
  if (Status status = plan->stream->parts.reserve(plan->bytesOfParts(plan->blockRows)); !status)
    return std::move(status).in(what);
  const Context &context = *plan->library->context;
  Context::Current current(context);
  Expected<CUdeviceptr> right = context.allocate(plan->pieces * plan->bytesOfParts(desc.n));
  if (!right)
    return Status(right.status()).in(what);
  plan->right = *right;
  if (desc.constantB)
    GNNC_TRY(plan->splitRight(desc.constantB));
  return std::unique_ptr<CudaGemm>(std::move(plan));
}

SplitGemm::~SplitGemm() {
  const Context &context = *library->context;
  Context::Current current(context);
  // cuMemFree waits for work that uses the memory.
  if (right)
    context.driver().memFree(right);
}

std::int64_t SplitGemm::deviceBytes() const {
  std::int64_t bytes = pieces * bytesOfParts(desc.n);
  for (const auto &[key, product] : products)
    bytes += product->deviceBytes();
  return bytes;
}

Status SplitGemm::split(const SplitOperand &operand) const {
  std::int64_t quads = std::int64_t(operand.rows) * (operand.padded / kSplitQuad);
  return launchOwnKernel(*stream, kernel, {ceilDiv(quads, kSplitBlock), kSplitBlock}, operand,
                         "cuLaunchKernel of a split");
}

Status SplitGemm::splitRight(const void *b) const {
  for (std::int64_t piece = 0; piece < pieces; ++piece) {
    SplitOperand operand{};
    operand.rowStep = desc.transposeB ? desc.rowStepB() : 1;
    operand.columnStep = desc.transposeB ? 1 : desc.rowStepB();
    operand.from = static_cast<const float *>(b) + piece * padded * operand.columnStep;
    operand.to = reinterpret_cast<std::uint16_t *>(right) + piece * bytesOfParts(desc.n) / kBytes;
    operand.rows = static_cast<unsigned>(desc.n);
    operand.columns = static_cast<unsigned>(columnsOf(piece));
    operand.padded = static_cast<unsigned>(padded);
    GNNC_TRY(split(operand));
  }
  return Status();
}

Status SplitGemm::run(const GemmPointers &pointers) {
  if (desc.m == 0 || desc.n == 0)
    return Status();
  Context::Current current(*library->context);
  if (!desc.constantB)
    GNNC_TRY(splitRight(pointers.b));
  for (std::int64_t block = 0; block < blocks; ++block) {
    std::int64_t begin = block * blockRows, rows = std::min(blockRows, desc.m - begin);
    for (std::int64_t piece = 0; piece < pieces; ++piece) {
      SplitOperand operand{};
      operand.rowStep = desc.rowStepA();
      operand.columnStep = 1;
      operand.from =
          static_cast<const float *>(pointers.a) + begin * desc.rowStepA() + piece * padded;
      operand.to = reinterpret_cast<std::uint16_t *>(stream->parts.address());
      operand.rows = static_cast<unsigned>(rows);
      operand.columns = static_cast<unsigned>(columnsOf(piece));
      operand.padded = static_cast<unsigned>(padded);
      operand.isLeft = 1;
      GNNC_TRY(split(operand));
      GemmPointers part;
      part.a = operand.to;
      part.b =
          reinterpret_cast<const std::uint16_t *>(right) + piece * bytesOfParts(desc.n) / kBytes;
      part.bias = pointers.bias;
      part.c = static_cast<float *>(pointers.c) + begin * desc.rowStepC();
      bool adds = piece > 0 || desc.hasResidual;
      if (piece > 0)
        part.residual = part.c;
      else if (desc.hasResidual)
        part.residual = static_cast<const float *>(pointers.residual) + begin * desc.rowStepC();
      CudaGemm &product = *products.at({rows, adds, piece == pieces - 1});
      GNNC_TRY(product.run(part));
    }
  }
  return Status();
}
