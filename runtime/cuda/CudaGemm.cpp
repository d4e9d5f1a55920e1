//===- CudaGemm.cpp - Choose and enqueue cuBLASLt products ----------------===//
//
// cuBLASLt counts along columns first. A row-major matrix is its transpose
// there, so the product is computed as c^T[n,m] = op(b)^T[n,k] * a^T[k,m]: b
// comes first, and the n entries of the bias run along the first extent of the
// result, as cuBLASLt's epilogue wants them.
//
//===----------------------------------------------------------------------===//
#include "runtime/cuda/CudaGemm.h"

#include "runtime/cuda/HopperGemm.h"
#include "runtime/cuda/OwnKernels.h"
#include "runtime/cuda/SplitGemm.h"

#include <algorithm>

using namespace gnnc;
using namespace gnnc::cuda;
using runtime::Activation;
using runtime::GemmDesc;
using runtime::Precision;

Expected<std::shared_ptr<GemmLibrary>> GemmLibrary::open(std::shared_ptr<Context> context) {
  std::string reason;
  const CublasLt *blas = CublasLt::get(reason);
  if (!blas)
    return Status(Code::Unsupported, "dense products on cuda need cuBLASLt: " + reason);
  Context::Current current(*context);
  std::shared_ptr<GemmLibrary> library(new GemmLibrary(std::move(context), *blas));
  if (CublasStatus status = blas->create(&library->handle); status != kCublasSuccess) {
    library->handle = nullptr;
    return Status(Code::DeviceError, "cublasLtCreate: " + blas->describe(status));
  }
  return library;
}

GemmLibrary::~GemmLibrary() {
  Context::Current current(*context);
  if (handle)
    blas.destroy(handle);
}

/// What clang made of SplitOperand.cu and HopperGemmKernel.cu.
static constexpr char kSplitPtx[] =
#include "runtime/cuda/SplitOperand.ptx.inc"
    ;
static constexpr char kHopperPtx[] =
#include "runtime/cuda/HopperGemmKernel.ptx.inc"
    ;
alignas(16) static constexpr unsigned char kSplitCubin[] = {
#include "runtime/cuda/SplitOperand.cubin.inc"
    0};
alignas(16) static constexpr unsigned char kHopperCubin[] = {
#include "runtime/cuda/HopperGemmKernel.cubin.inc"
    0};
static constexpr OwnCode kSplitCode{
    "sm_80", kSplitPtx, "sm_90", {kSplitCubin, sizeof kSplitCubin - 1}};
static constexpr OwnCode kHopperCode{
    "sm_90a", kHopperPtx, "sm_90a", {kHopperCubin, sizeof kHopperCubin - 1}};

Expected<CUfunction> GemmLibrary::ownKernel(std::unique_ptr<runtime::Module> &module,
                                            const OwnCode &code, const char *name,
                                            std::int64_t block, std::int64_t sharedBytes) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!module) {
    auto loaded = loadOwnKernels(context, code);
    if (!loaded)
      return loaded.status();
    module = std::move(*loaded);
  }
  return findOwnKernel(*module, name, block, sharedBytes);
}

Expected<CUfunction> GemmLibrary::splitKernel() {
  return ownKernel(split, kSplitCode, "gnnc_split_operand", kSplitBlock, 0);
}

Expected<HopperKernels> GemmLibrary::hopperKernels() {
  auto kernel = [&](const char *name, unsigned block, unsigned sharedBytes) {
    return ownKernel(hopper, kHopperCode, name, block, sharedBytes);
  };
  Expected<CUfunction> pack = kernel("gnnc_pack_weight", kPackBlock, 0);
  if (!pack)
    return pack.status();
  Expected<CUfunction> multiply = kernel("gnnc_hopper_gemm", kHopperThreads, kHopperShared);
  if (!multiply)
    return multiply.status();
  return HopperKernels{*pack, *multiply};
}

Expected<std::unique_ptr<runtime::GemmPlan>> CudaGemm::make(std::shared_ptr<GemmLibrary> library,
                                                            std::shared_ptr<StreamHandle> stream,
                                                            const GemmDesc &desc) {
  const Context &context = *library->context;
  auto make = &CudaGemmPlan::make;
  if (desc.precision == Precision::Fp32x3 && HopperGemm::pays(context, desc))
    make = &HopperGemm::make;
  else if (desc.precision == Precision::Fp32x3 && SplitGemm::pays(context, desc))
    make = &SplitGemm::make;
  Expected<std::unique_ptr<CudaGemm>> plan = make(std::move(library), std::move(stream), desc);
  if (!plan)
    return plan.status();
  return std::unique_ptr<runtime::GemmPlan>(std::move(*plan));
}

std::uint32_t CudaGemmPlan::alignmentOf(const void *address) {
  auto bits = reinterpret_cast<std::uintptr_t>(address);
  std::uintptr_t lowest = bits & (~bits + 1);
  return static_cast<std::uint32_t>(lowest == 0 ? kMostAlignment
                                                : std::min<std::uintptr_t>(lowest, kMostAlignment));
}

std::string CudaGemmPlan::text() const {
  auto matrix = [](std::int64_t rows, std::int64_t columns) {
    return "[" + std::to_string(rows) + ", " + std::to_string(columns) + "]";
  };
  return "gemm " + matrix(desc.m, desc.k) + " x " + matrix(desc.k, desc.n);
}

/// cudaDataType_t, or -1.
static int dataType(format::DType type) {
  switch (type) {
  case format::DType::F32:
    return kCudaR32F;
  case format::DType::F64:
    return kCudaR64F;
  case format::DType::F16:
    return kCudaR16F;
  case format::DType::BF16:
    return kCudaR16BF;
  default:
    return -1;
  }
}

/// cublasComputeType_t. Operands of 16 bit are summed in fp32 as they are.
static int computeType(const GemmDesc &desc) {
  if (desc.a == format::DType::F64)
    return kCompute64F;
  if (desc.a != format::DType::F32)
    return kCompute32F;
  switch (desc.precision) {
  case Precision::Fp32:
  case Precision::Fp32x3: // allows for more than it is worth here
    return kCompute32F;
  case Precision::Tf32:
    return kCompute32FFastTF32;
  case Precision::Bf16:
    return kCompute32FFast16BF;
  case Precision::F16:
    return kCompute32FFast16F;
  }
  return kCompute32F;
}

Expected<std::unique_ptr<CudaGemm>> CudaGemmPlan::make(std::shared_ptr<GemmLibrary> library,
                                                       std::shared_ptr<StreamHandle> stream,
                                                       const GemmDesc &desc) {
  std::unique_ptr<CudaGemmPlan> plan(new CudaGemmPlan(std::move(library), std::move(stream), desc));
  if (desc.m < 0 || desc.n < 0 || desc.k < 0)
    return Status(Code::InvalidArgument, plan->text() + ": an extent is negative");
  bool sameType = desc.a == desc.c || (format::sizeOf(desc.a) == 2 && desc.c == format::DType::F32);
  if (dataType(desc.a) < 0 || desc.a != desc.b || !sameType)
    return Status(Code::Unsupported,
                  plan->text() + ": operands are " + format::name(desc.a) + ", " +
                      format::name(desc.b) + " and " + format::name(desc.c) +
                      "; on cuda all three are F32, F64, F16 or BF16 alike, or two of "
                      "16 bit give F32");
  if (desc.m == 0 || desc.n == 0)
    return std::unique_ptr<CudaGemm>(std::move(plan));

  const Context &context = *plan->library->context;
  Context::Current current(context);
  if (desc.k == 0) {
    // An empty sum, for which cuBLASLt has no layout: one column of zeros instead,
    // so that bias and activation are applied by the same code.
    plan->desc.k = 1;
    plan->desc.stepA = plan->desc.stepB = 0;
    plan->zeroBytes = std::max(desc.m, desc.n) * static_cast<std::int64_t>(sizeOf(desc.a));
    Expected<CUdeviceptr> zeros = context.allocate(plan->zeroBytes);
    if (!zeros)
      return Status(zeros.status()).in(plan->text());
    plan->zeros = *zeros;
    GNNC_TRY(context.check(context.driver().memsetD8Async(
                               plan->zeros, 0, static_cast<std::size_t>(plan->zeroBytes), nullptr),
                           "cuMemsetD8Async"));
    GNNC_TRY(context.check(context.driver().streamSynchronize(nullptr), "cuStreamSynchronize"));
  }
  GNNC_TRY(plan->describe());
  // Whole buffers are aligned; anything else (a window, a tensor of the caller's) is
  // chosen for when it comes.
  CublasLtHeuristicResult &chosen = plan->chosen[kUsual];
  GNNC_TRY(plan->choose(kUsual, kMaxScratchBytes, chosen));
  if (Status status =
          plan->stream->workspace.reserve(static_cast<std::int64_t>(chosen.workspaceBytes));
      !status)
    return std::move(status).in(plan->text());
  return std::unique_ptr<CudaGemm>(std::move(plan));
}

CudaGemmPlan::~CudaGemmPlan() {
  const CublasLt &blas = library->blas;
  const Context &context = *library->context;
  Context::Current current(context);
  if (matmul)
    blas.matmulDescDestroy(matmul);
  for (CublasLtMatrixLayout layout : {first, second, result})
    if (layout)
      blas.layoutDestroy(layout);
  // cuMemFree waits for work that uses the memory.
  if (zeros)
    context.driver().memFree(zeros);
}

Status CudaGemmPlan::describe() {
  const CublasLt &blas = library->blas;
  int type = dataType(desc.a), resultType = dataType(desc.c);
  int scaleType = desc.a == format::DType::F64 ? kCudaR64F : kCudaR32F;
  auto m = static_cast<std::uint64_t>(desc.m), n = static_cast<std::uint64_t>(desc.n),
       k = static_cast<std::uint64_t>(desc.k);
  std::int32_t transpose = desc.transposeB ? kOpT : kOpN;
  std::uint32_t relu = desc.activation == Activation::Relu ? kEpilogueRelu : 0;
  std::uint32_t bias = desc.hasBias ? kEpilogueBias : 0;
  std::uint32_t epilogue = relu | bias ? relu | bias : kEpilogueDefault;

  CublasStatus status = blas.matmulDescCreate(&matmul, computeType(desc), scaleType);
  auto then = [&](auto &&call) {
    if (status == kCublasSuccess)
      status = call();
  };
  then([&] { return blas.matmulDescSet(matmul, kMatmulTransA, &transpose, sizeof transpose); });
  then([&] { return blas.matmulDescSet(matmul, kMatmulEpilogue, &epilogue, sizeof epilogue); });
  then([&] {
    return desc.transposeB ? blas.layoutCreate(&first, type, k, n, desc.rowStepB())
                           : blas.layoutCreate(&first, type, n, k, desc.rowStepB());
  });
  then([&] { return blas.layoutCreate(&second, type, k, m, desc.rowStepA()); });
  then([&] { return blas.layoutCreate(&result, resultType, n, m, desc.rowStepC()); });
  if (status == kCublasSuccess)
    return Status();
  return Status(Code::DeviceError, text() + ": cuBLASLt: " + blas.describe(status));
}

Status CudaGemmPlan::choose(const Alignment &alignment, std::int64_t maxScratch,
                            CublasLtHeuristicResult &chosen) {
  const CublasLt &blas = library->blas;
  CublasLtPreference preference = nullptr;
  CublasStatus status = blas.preferenceCreate(&preference);
  auto set = [&](int attribute, auto value) {
    if (status == kCublasSuccess)
      status = blas.preferenceSet(preference, attribute, &value, sizeof value);
  };
  set(kPreferenceWorkspaceBytes, static_cast<std::uint64_t>(maxScratch));
  // Reductions in place are left out: their order is the library's affair. A short
  // sum is not split at all: the heuristic did so for 2708 x 16 x 7, which took
  // 16.6 us instead of 11.6 (H200).
  constexpr std::int64_t shortSum = 256;
  set(kPreferenceReductionMask,
      desc.k <= shortSum ? std::uint32_t(0) : kReductionComputeType | kReductionOutputType);
  set(kPreferenceAlignmentA, alignment[1]); // b comes first
  set(kPreferenceAlignmentB, alignment[0]);
  set(kPreferenceAlignmentC, alignment[2]);
  set(kPreferenceAlignmentD, alignment[3]);
  int found = 0;
  if (status == kCublasSuccess)
    status = blas.heuristic(library->handle, matmul, first, second, result, result, preference, 1,
                            &chosen, &found);
  if (preference)
    blas.preferenceDestroy(preference);
  if (status == kCublasSuccess && found > 0)
    status = chosen.state;
  else if (status == kCublasSuccess)
    status = kCublasNotSupported;
  if (status == kCublasSuccess)
    return Status();
  return Status(Code::Unsupported,
                text() + ": cuBLASLt has no algorithm for it: " + blas.describe(status));
}

Status CudaGemmPlan::run(const runtime::GemmPointers &pointers) {
  if (desc.m == 0 || desc.n == 0)
    return Status();
  const CublasLt &blas = library->blas;
  Context::Current current(*library->context);
  const void *a = zeros ? reinterpret_cast<const void *>(zeros) : pointers.a;
  const void *b = zeros ? reinterpret_cast<const void *>(zeros) : pointers.b;

  const void *residual = desc.hasResidual ? pointers.residual : pointers.c;
  Alignment alignment = {alignmentOf(a), alignmentOf(b), alignmentOf(residual),
                         alignmentOf(pointers.c)};
  auto found = chosen.find(alignment);
  if (found == chosen.end()) {
    // In the scratch that is there for this product whatever else ran: a recording may
    // not allocate, and what other products left behind must not decide about bits.
    CublasLtHeuristicResult other{};
    GNNC_TRY(choose(alignment, static_cast<std::int64_t>(chosen[kUsual].workspaceBytes), other));
    found = chosen.emplace(alignment, other).first;
  }
  if (desc.hasBias)
    if (CublasStatus status =
            blas.matmulDescSet(matmul, kMatmulBiasPointer, &pointers.bias, sizeof pointers.bias);
        status != kCublasSuccess)
      return Status(Code::DeviceError, text() + ": cuBLASLt bias: " + blas.describe(status));
  const float one = 1, zero = 0;
  const double oneDouble = 1, zeroDouble = 0;
  bool isDouble = desc.a == format::DType::F64;
  const void *alpha = isDouble ? static_cast<const void *>(&oneDouble) : &one;
  const void *beta = desc.hasResidual ? alpha
                     : isDouble       ? static_cast<const void *>(&zeroDouble)
                                      : &zero;
  CublasStatus status = blas.matmul(
      library->handle, matmul, alpha, b, first, a, second, beta, residual, result, pointers.c,
      result, &found->second.algorithm, reinterpret_cast<void *>(stream->workspace.address()),
      static_cast<std::size_t>(stream->workspace.bytes()), stream->stream);
  if (status == kCublasSuccess)
    return Status();
  return Status(Code::DeviceError, text() + ": cuBLASLt: " + blas.describe(status));
}
