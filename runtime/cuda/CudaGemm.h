//===- CudaGemm.h - Dense products through cuBLASLt -----------------------===//
//
// c[m,n] = activation(a[m,k] * op(b) + bias), row-major in device memory. The
// algorithm is chosen when the product is made ready; running it only enqueues.
//
// Bits repeat: the choice is cuBLASLt's heuristic, not a measurement, and sees nothing
// but the product itself (not where in memory its whole buffers lie, nor what scratch
// other products left behind); only reductions with a fixed order are allowed. fp32 is computed
// without TF32, fp32x3 where it pays by HopperGemm.h or SplitGemm.h; 16-bit matrices are summed in
// fp32.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_CUDA_CUDAGEMM_H
#define GNNC_RUNTIME_CUDA_CUDAGEMM_H

#include "runtime/core/Backend.h"
#include "runtime/cuda/CublasLt.h"
#include "runtime/cuda/CudaStream.h"

#include <array>
#include <map>
#include <mutex>

namespace gnnc::cuda {

struct OwnCode;

/// Of HopperGemmKernel.h.
struct HopperKernels {
  CUfunction pack = nullptr, multiply = nullptr;
};

/// cuBLASLt opened on one device, and our own kernels; shared by all products on it.
class GemmLibrary {
public:
  static Expected<std::shared_ptr<GemmLibrary>> open(std::shared_ptr<Context> context);
  ~GemmLibrary();
  GemmLibrary(const GemmLibrary &) = delete;
  GemmLibrary &operator=(const GemmLibrary &) = delete;

  /// The kernel of SplitOperand.h, loaded when a product first needs it.
  Expected<CUfunction> splitKernel();
  Expected<HopperKernels> hopperKernels();

  const std::shared_ptr<Context> context;
  const CublasLt &blas;
  CublasLtHandle handle = nullptr;

private:
  GemmLibrary(std::shared_ptr<Context> context, const CublasLt &blas)
      : context(std::move(context)), blas(blas) {}

  /// Loads `code` into `module` when it is first needed, then looks `name` up.
  Expected<CUfunction> ownKernel(std::unique_ptr<runtime::Module> &module, const OwnCode &code,
                                 const char *name, std::int64_t block, std::int64_t sharedBytes);

  std::mutex mutex; ///< guards the modules
  std::unique_ptr<runtime::Module> split, hopper;
};

/// A product of the CUDA back end, made ready.
class CudaGemm : public runtime::GemmPlan {
public:
  /// The one for `desc` that is fastest within its precision. It runs on `stream`,
  /// whose scratch it shares; a weight is prepared there.
  static Expected<std::unique_ptr<runtime::GemmPlan>> make(std::shared_ptr<GemmLibrary> library,
                                                           std::shared_ptr<StreamHandle> stream,
                                                           const runtime::GemmDesc &desc);
  virtual Status run(const runtime::GemmPointers &pointers) = 0;
};

class CudaGemmPlan final : public CudaGemm {
public:
  /// The residual may be c itself.
  static Expected<std::unique_ptr<CudaGemm>> make(std::shared_ptr<GemmLibrary> library,
                                                  std::shared_ptr<StreamHandle> stream,
                                                  const runtime::GemmDesc &desc);
  ~CudaGemmPlan() override;

  std::int64_t deviceBytes() const override { return zeroBytes; }
  Status run(const runtime::GemmPointers &pointers) override;

  /// Most scratch an algorithm may ask for: what NVIDIA recommends for Hopper.
  static constexpr std::int64_t kMaxScratchBytes = std::int64_t(32) << 20;

private:
  /// Largest power of two, up to kMostAlignment, that divides the addresses of a, b,
  /// residual (c without one) and c.
  using Alignment = std::array<std::uint32_t, 4>;
  /// What the widest loads want. Buffers of a session have more, tensors of the caller's
  /// this much (io_alignment): both are to be multiplied by one algorithm.
  static constexpr std::uint32_t kMostAlignment = 16;
  static constexpr Alignment kUsual = {kMostAlignment, kMostAlignment, kMostAlignment,
                                       kMostAlignment};
  static std::uint32_t alignmentOf(const void *address);

  CudaGemmPlan(std::shared_ptr<GemmLibrary> library, std::shared_ptr<StreamHandle> stream,
               const runtime::GemmDesc &desc)
      : library(std::move(library)), stream(std::move(stream)), desc(desc) {}
  Status describe();
  Status choose(const Alignment &alignment, std::int64_t maxScratch,
                CublasLtHeuristicResult &chosen);
  std::string text() const;

  std::shared_ptr<GemmLibrary> library;
  std::shared_ptr<StreamHandle> stream;
  runtime::GemmDesc desc;
  CublasLtMatmulDesc matmul = nullptr;
  CublasLtMatrixLayout first = nullptr, second = nullptr, result = nullptr;
  std::map<Alignment, CublasLtHeuristicResult> chosen;
  CUdeviceptr zeros = 0;
  std::int64_t zeroBytes = 0;
};

} // namespace gnnc::cuda

#endif // GNNC_RUNTIME_CUDA_CUDAGEMM_H
