//===- HopperGemm.h - fp32x3 products by a kernel of our own for sm_90a ----===//
//
// c[m,n] = activation(a[m,k] * op(b) + bias + residual) of fp32 matrices at fp32
// accuracy, like SplitGemm.h, without a copy of `a` in parts: the kernel
// (HopperGemmKernel.cu) reads `a` once and splits it on its way to the Tensor Cores. A
// weight is packed once, when the product is made ready. As accurate as fp32
// (docs/decisions/fp32x3.md).
//
// An infinite entry gives a NaN where fp32 may give infinity; both are not finite.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_CUDA_HOPPERGEMM_H
#define GNNC_RUNTIME_CUDA_HOPPERGEMM_H

#include "runtime/cuda/CudaGemm.h"
#include "runtime/cuda/HopperGemmKernel.h"

namespace gnnc::cuda {

class HopperGemm final : public CudaGemm {
public:
  /// `desc` is of F32 matrices; canRun(context, desc).
  static Expected<std::unique_ptr<CudaGemm>> make(std::shared_ptr<GemmLibrary> library,
                                                  std::shared_ptr<StreamHandle> stream,
                                                  const runtime::GemmDesc &desc);
  ~HopperGemm() override;

  static bool canRun(const Context &context, const runtime::GemmDesc &desc);
  /// Whether it is faster than the fp32 product.
  static bool pays(const Context &context, const runtime::GemmDesc &desc);

  std::int64_t deviceBytes() const override;
  Status run(const runtime::GemmPointers &pointers) override;

private:
  HopperGemm(std::shared_ptr<GemmLibrary> library, std::shared_ptr<StreamHandle> stream,
             const runtime::GemmDesc &desc);
  Status pack(const void *b) const;
  CUdeviceptr unscale() const; ///< behind the tiles

  std::shared_ptr<GemmLibrary> library;
  std::shared_ptr<StreamHandle> stream;
  runtime::GemmDesc desc;
  CUfunction packKernel = nullptr, kernel = nullptr;
  std::int64_t tileColumns, tileDepths; ///< tiles of the weight both ways
  CUdeviceptr weight = 0;               ///< tiles, and a factor of each
};

} // namespace gnnc::cuda

#endif // GNNC_RUNTIME_CUDA_HOPPERGEMM_H
