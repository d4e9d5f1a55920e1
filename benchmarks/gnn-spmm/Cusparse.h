//===- Cusparse.h - Products of cuSPARSE, bound late ------------------------===//
//
// The peer of gnn-spmm. As with the runtime's libraries nothing is linked: the types and
// constants are stated here (cuSPARSE 12, the generic API) and the functions come from
// the library that LibTorch has loaded.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_BENCHMARKS_GNN_SPMM_CUSPARSE_H
#define GNNC_BENCHMARKS_GNN_SPMM_CUSPARSE_H

#include <torch/torch.h>

#include <memory>

namespace gnnc::bench {

/// A matrix of float32 with int32 indices in device memory.
struct CsrMatrix {
  std::int64_t rows = 0, columns = 0;
  at::Tensor rowPtr, column, values;
};

/// The algorithms that cuSPARSE has for CSR (cusparseSpMMAlg_t; 5 is one for COO).
enum class SpmmAlgorithm : int { Csr1 = 4, Csr2 = 6, Csr3 = 12 };

class CusparseProduct {
public:
  /// out = matrix * dense, both row-major float32 [.., features], made ready to run: with
  /// its scratch memory and what the algorithm learns of the matrix. All must outlive it.
  /// Throws Failure where the library is not there or refuses.
  CusparseProduct(const CsrMatrix &matrix, const at::Tensor &dense, const at::Tensor &out,
                  SpmmAlgorithm algorithm);
  ~CusparseProduct();
  CusparseProduct(const CusparseProduct &) = delete;
  CusparseProduct &operator=(const CusparseProduct &) = delete;

  /// Enqueues it on the device's default stream, which is LibTorch's.
  void run();
  std::int64_t scratchBytes() const { return scratch.numel(); }

private:
  struct Handles;
  std::unique_ptr<Handles> handles;
  SpmmAlgorithm algorithm;
  at::Tensor scratch;
};

} // namespace gnnc::bench

#endif // GNNC_BENCHMARKS_GNN_SPMM_CUSPARSE_H
