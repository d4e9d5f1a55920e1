//===- Cusparse.cpp - Products of cuSPARSE, bound late ----------------------===//
#include "benchmarks/gnn-spmm/Cusparse.h"

#include "benchmarks/data/GraphData.h"

#include <dlfcn.h>

namespace gnnc::bench {
namespace {

using Status = int;
using Handle = struct cusparseContext *;
using Matrix = struct cusparseSpMatDescr *;
using Dense = struct cusparseDnMatDescr *;

constexpr int kIndex32 = 2;     // cusparseIndexType_t
constexpr int kBaseZero = 0;    // cusparseIndexBase_t
constexpr int kReal32 = 0;      // cudaDataType
constexpr int kRowMajor = 2;    // cusparseOrder_t
constexpr int kNoTranspose = 0; // cusparseOperation_t

struct Library {
  Status (*create)(Handle *) = nullptr;
  Status (*destroy)(Handle) = nullptr;
  const char *(*errorString)(Status) = nullptr;
  Status (*createCsr)(Matrix *, std::int64_t, std::int64_t, std::int64_t, void *, void *, void *,
                      int, int, int, int) = nullptr;
  Status (*destroyMatrix)(Matrix) = nullptr;
  Status (*createDense)(Dense *, std::int64_t, std::int64_t, std::int64_t, void *, int,
                        int) = nullptr;
  Status (*destroyDense)(Dense) = nullptr;
  Status (*bufferSize)(Handle, int, int, const void *, Matrix, Dense, const void *, Dense, int, int,
                       std::size_t *) = nullptr;
  Status (*preprocess)(Handle, int, int, const void *, Matrix, Dense, const void *, Dense, int, int,
                       void *) = nullptr;
  Status (*multiply)(Handle, int, int, const void *, Matrix, Dense, const void *, Dense, int, int,
                     void *) = nullptr;

  Library() {
    void *opened = dlopen("libcusparse.so.12", RTLD_LAZY | RTLD_LOCAL);
    if (!opened)
      throw Failure(std::string("no cuSPARSE 12: ") + dlerror());
    auto find = [&](auto &function, const char *name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(opened, name));
      if (!function)
        throw Failure(std::string("libcusparse.so.12 has no ") + name);
    };
    find(create, "cusparseCreate");
    find(destroy, "cusparseDestroy");
    find(errorString, "cusparseGetErrorString");
    find(createCsr, "cusparseCreateCsr");
    find(destroyMatrix, "cusparseDestroySpMat");
    find(createDense, "cusparseCreateDnMat");
    find(destroyDense, "cusparseDestroyDnMat");
    find(bufferSize, "cusparseSpMM_bufferSize");
    find(preprocess, "cusparseSpMM_preprocess");
    find(multiply, "cusparseSpMM");
  }

  void check(Status status, const char *what) const {
    if (status != 0)
      throw Failure(std::string(what) + ": " + errorString(status));
  }
};

const Library &library() {
  static const Library opened;
  return opened;
}

constexpr float kOne = 1, kZero = 0;

} // namespace

struct CusparseProduct::Handles {
  Handle handle = nullptr;
  Matrix matrix = nullptr;
  Dense dense = nullptr, out = nullptr;

  ~Handles() {
    if (dense)
      library().destroyDense(dense);
    if (out)
      library().destroyDense(out);
    if (matrix)
      library().destroyMatrix(matrix);
    if (handle)
      library().destroy(handle);
  }
};

CusparseProduct::CusparseProduct(const CsrMatrix &matrix, const at::Tensor &dense,
                                 const at::Tensor &out, SpmmAlgorithm algorithm)
    : handles(std::make_unique<Handles>()), algorithm(algorithm) {
  const Library &calls = library();
  Handles &h = *handles;
  calls.check(calls.create(&h.handle), "cusparseCreate");
  calls.check(calls.createCsr(&h.matrix, matrix.rows, matrix.columns, matrix.column.numel(),
                              matrix.rowPtr.data_ptr(), matrix.column.data_ptr(),
                              matrix.values.data_ptr(), kIndex32, kIndex32, kBaseZero, kReal32),
              "cusparseCreateCsr");
  auto describe = [&](Dense &made, const at::Tensor &tensor) {
    calls.check(calls.createDense(&made, tensor.size(0), tensor.size(1), tensor.size(1),
                                  tensor.data_ptr(), kReal32, kRowMajor),
                "cusparseCreateDnMat");
  };
  describe(h.dense, dense);
  describe(h.out, out);
  std::size_t bytes = 0;
  auto id = static_cast<int>(algorithm);
  calls.check(calls.bufferSize(h.handle, kNoTranspose, kNoTranspose, &kOne, h.matrix, h.dense,
                               &kZero, h.out, kReal32, id, &bytes),
              "cusparseSpMM_bufferSize");
  scratch = at::empty({static_cast<std::int64_t>(bytes)}, dense.options().dtype(at::kByte));
  calls.check(calls.preprocess(h.handle, kNoTranspose, kNoTranspose, &kOne, h.matrix, h.dense,
                               &kZero, h.out, kReal32, id, scratch.data_ptr()),
              "cusparseSpMM_preprocess");
}

CusparseProduct::~CusparseProduct() = default;

void CusparseProduct::run() {
  const Library &calls = library();
  calls.check(calls.multiply(handles->handle, kNoTranspose, kNoTranspose, &kOne, handles->matrix,
                             handles->dense, &kZero, handles->out, kReal32,
                             static_cast<int>(algorithm), scratch.data_ptr()),
              "cusparseSpMM");
}

} // namespace gnnc::bench
