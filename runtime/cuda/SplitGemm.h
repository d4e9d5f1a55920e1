//===- SplitGemm.h - fp32 products on Tensor Cores (precision fp32x3) -----===//
//
// c[m,n] = activation(a[m,k] * op(b) + bias + residual) of fp32 matrices by products of their
// bf16 parts (SplitOperand.h) with fp32 sums: three times the terms at many times
// the rate. Measured on an H200 (docs/decisions/fp32x3.md): the error is within
// 1e-5 of the largest result at every k, as precision fp32x3 promises.
//
// * The parts of `a` are made for a block of rows that stays in the L2 cache, then
//   multiplied: they never travel to memory, and the scratch is small however many
//   rows there are.
// * Long sums are cut into pieces of at most kMostColumns, which are added in fp32.
// * A weight is split once, when the product is made ready.
//
// An infinite entry gives a NaN where fp32 may give infinity; both are not finite.
// Entries within 2^-9 of the largest fp32 number count as infinite.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_CUDA_SPLITGEMM_H
#define GNNC_RUNTIME_CUDA_SPLITGEMM_H

#include "runtime/cuda/CudaGemm.h"
#include "runtime/cuda/SplitOperand.h"

namespace gnnc::cuda {

class SplitGemm final : public CudaGemm {
public:
  /// `desc` is of F32 matrices.
  static Expected<std::unique_ptr<CudaGemm>> make(std::shared_ptr<GemmLibrary> library,
                                                  std::shared_ptr<StreamHandle> stream,
                                                  const runtime::GemmDesc &desc);
  /// With parts of `a` of at most `mostBytes` at once.
  static Expected<std::unique_ptr<CudaGemm>> make(std::shared_ptr<GemmLibrary> library,
                                                  std::shared_ptr<StreamHandle> stream,
                                                  const runtime::GemmDesc &desc,
                                                  std::int64_t mostBytes);
  ~SplitGemm() override;

  /// Whether it is faster than the fp32 product: a device with bf16 Tensor Cores,
  /// and extents that are worth a second kernel.
  static bool pays(const Context &context, const runtime::GemmDesc &desc);

  std::int64_t deviceBytes() const override;
  Status run(const runtime::GemmPointers &pointers) override;

  static constexpr std::int64_t kMostColumns = 512;

private:
  SplitGemm(std::shared_ptr<GemmLibrary> library, std::shared_ptr<StreamHandle> stream,
            const runtime::GemmDesc &desc)
      : library(std::move(library)), stream(std::move(stream)), desc(desc) {}
  /// Sets how rows and columns are cut.
  void cut(std::int64_t mostBytes);
  Status makeProducts();
  Status split(const SplitOperand &operand) const;
  /// The parts of `b`, one piece of its columns after the other.
  Status splitRight(const void *b) const;
  std::int64_t columnsOf(std::int64_t piece) const;
  std::int64_t bytesOfParts(std::int64_t rows) const;

  std::shared_ptr<GemmLibrary> library;
  std::shared_ptr<StreamHandle> stream;
  runtime::GemmDesc desc;
  CUfunction kernel = nullptr;
  std::int64_t blockRows = 0, blocks = 0; ///< rows of `a` at once; the last block may be smaller
  std::int64_t pieces = 0, padded = 0;    ///< pieces of k, and columns of a part of one piece
  /// By (rows, whether it adds to the result, whether it is the last of its rows).
  std::map<std::array<std::int64_t, 3>, std::unique_ptr<CudaGemm>> products;
  CUdeviceptr right = 0; ///< parts of all of `b`; those of a block of `a` are scratch
};

} // namespace gnnc::cuda

#endif // GNNC_RUNTIME_CUDA_SPLITGEMM_H
