//===- CpuGemm.cpp - Dense products on the host ---------------------------===//
//
// The rows of `a` and `c` are cut into blocks of equal height; a block is one
// task. There are two primitives, for a full block and for the last one, and for
// every block its memory objects, so that a run only sets addresses. Weights are
// put once into the layout that oneDNN likes best.
//
// 16-bit matrices are widened to f32 block by block and the result is rounded once,
// which any processor does at nearly the speed of an f32 product. f64 has its own
// loop: oneDNN has none for it.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/CpuGemm.h"

#include "runtime/format/Floats.h"

#include <algorithm>
#include <dnnl.hpp>
#include <tbb/parallel_for.h>
#include <unordered_map>

// From oneDNN's own OpenMP runtime: number of threads of regions this thread starts.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" void omp_set_num_threads(int);
extern "C" int omp_get_max_threads();
// NOLINTEND(readability-identifier-naming)

namespace gnnc::runtime {
namespace {

using format::DType;
using Tag = dnnl::memory::format_tag;
using Type = dnnl::memory::data_type;

/// oneDNN works on the calling thread alone while this exists.
class OneThread {
public:
  OneThread() : before(omp_get_max_threads()) {
    if (before != 1)
      omp_set_num_threads(1);
  }
  ~OneThread() {
    if (before != 1)
      omp_set_num_threads(before);
  }

private:
  int before;
};

dnnl::engine &engine() {
  static dnnl::engine host(dnnl::engine::kind::cpu, 0);
  return host;
}

/// Rows of a block: enough blocks to share among the threads, none so small that
/// the call costs more than it computes, none so large that its part of c leaves
/// the cache. Measured on a Xeon with AVX-512, see docs/decisions/host-gemm.md. By the
/// product alone: on some processors oneDNN sums in another order for other row counts, and
/// bits must not depend on the number of threads.
std::int64_t blockRows(const GemmDesc &desc) {
  constexpr std::int64_t most = 1024, leastWork = 100'000; // multiplications
  constexpr std::int64_t blocks = 16;                      // two for each of eight threads
  std::int64_t rows = (desc.m + blocks - 1) / blocks;
  std::int64_t rowWork = std::max<std::int64_t>(desc.k * desc.n, 1);
  rows = std::max(rows, leastWork / rowWork);
  rows = std::min(rows, most);
  return std::clamp<std::int64_t>((rows + 15) / 16 * 16, 16, std::max<std::int64_t>(desc.m, 1));
}

/// Of the block just written, which is still in the cache. oneDNN's own ReLU makes 0
/// of a NaN.
void relu(float *values, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i)
    values[i] = values[i] < 0 ? 0.0f : values[i];
}

void add(float *values, const float *residual, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i)
    values[i] += residual[i];
}

/// Some rows of a matrix, or of a window of a wider one.
struct Rows {
  const void *at;
  DType type;
  std::int64_t count, columns, step;
  const std::byte *row(std::int64_t i) const {
    return static_cast<const std::byte *>(at) + i * step * static_cast<std::int64_t>(sizeOf(type));
  }
};

/// In f32, one behind the other.
void widen(const Rows &from, std::byte *to) {
  if (from.step == from.columns) {
    format::convertFloats(from.at, from.type, to, DType::F32, from.count * from.columns);
    return;
  }
  for (std::int64_t i = 0; i < from.count; ++i)
    format::convertFloats(from.row(i), from.type,
                          to + i * from.columns * static_cast<std::int64_t>(sizeof(float)),
                          DType::F32, from.columns);
}

class OneDnnGemm final : public CpuGemm {
public:
  OneDnnGemm(const GemmDesc &desc, tbb::task_arena &arena) : desc(desc), arena(arena) {}

  void prepare() {
    OneThread guard;
    rows = blockRows(desc);
    blocks = (desc.m + rows - 1) / rows;
    lastRows = desc.m - (blocks - 1) * rows;
    full = makePrimitive(rows);
    last = lastRows == rows ? full : makePrimitive(lastRows);
    if (desc.constantB) {
      pack(full, packed);
      if (lastRows != rows && last.weights_desc() != full.weights_desc())
        pack(last, packedLast);
    }
    fullPrimitive = dnnl::matmul(full);
    lastPrimitive = lastRows == rows ? fullPrimitive : dnnl::matmul(last);
    std::size_t scratchBytes =
        std::max(full.scratchpad_desc().get_size(), last.scratchpad_desc().get_size());
    for (int i = 0; i < arena.max_concurrency(); ++i)
      perThread.push_back(
          {dnnl::stream(engine()), allocate(scratchBytes),
           narrow(desc.a) ? allocate(floats(rows * desc.k)) : nullptr,
           narrow(desc.c) ? allocate(floats(rows * desc.n)) : nullptr,
           narrow(desc.c) && desc.hasResidual ? allocate(floats(rows * desc.n)) : nullptr});
    if (narrow(desc.b) && !desc.constantB)
      wideB = allocate(floats(desc.k * desc.n));
    if (narrow(desc.c) && desc.hasBias)
      wideBias = allocate(floats(desc.n));
    for (std::int64_t i = 0; i < blocks; ++i) {
      const dnnl::matmul::primitive_desc &which = i + 1 < blocks ? full : last;
      const dnnl::memory &weights = i + 1 == blocks && packedLast ? packedLast : packed;
      Block &block = blockList.emplace_back();
      block.a = dnnl::memory(which.src_desc(), engine(), DNNL_MEMORY_NONE);
      block.c = dnnl::memory(which.dst_desc(), engine(), DNNL_MEMORY_NONE);
      block.b = weights ? weights : dnnl::memory(which.weights_desc(), engine(), DNNL_MEMORY_NONE);
      block.scratch = dnnl::memory(which.scratchpad_desc(), engine(), DNNL_MEMORY_NONE);
      block.arguments = {{DNNL_ARG_SRC, block.a},
                         {DNNL_ARG_WEIGHTS, block.b},
                         {DNNL_ARG_DST, block.c},
                         {DNNL_ARG_SCRATCHPAD, block.scratch}};
      if (desc.hasBias) {
        block.bias = dnnl::memory(which.bias_desc(), engine(), DNNL_MEMORY_NONE);
        block.arguments[DNNL_ARG_BIAS] = block.bias;
      }
    }
    packedBytes = static_cast<std::int64_t>((packed ? packed.get_desc().get_size() : 0) +
                                            (packedLast ? packedLast.get_desc().get_size() : 0) +
                                            allocatedBytes);
  }

  Status run(const GemmPointers &given) override try {
    GemmPointers pointers = given;
    if (wideB) {
      widen(rightRows(given.b), wideB.get());
      pointers.b = wideB.get();
    }
    if (wideBias) {
      format::convertFloats(given.bias, desc.c, wideBias.get(), DType::F32, desc.n);
      pointers.bias = wideBias.get();
    }
    if (blocks == 1) {
      runBlock(0, pointers);
      return {};
    }
    arena.execute([&] {
      tbb::parallel_for(
          std::int64_t{0}, blocks, [&](std::int64_t i) { runBlock(i, pointers); },
          tbb::simple_partitioner());
    });
    return {};
  } catch (const dnnl::error &error) {
    return {Code::DeviceError, std::string("oneDNN: ") + error.what()};
  }

  std::int64_t deviceBytes() const override { return packedBytes; }

private:
  struct Block {
    dnnl::memory a, b, c, bias, scratch;
    std::unordered_map<int, dnnl::memory> arguments;
  };
  struct ThreadState {
    dnnl::stream stream;
    std::shared_ptr<std::byte> scratch;
    std::shared_ptr<std::byte> a, c, residual; ///< a block in f32, where the matrix is narrower
  };

  static bool narrow(DType type) { return type != DType::F32; }
  Rows rightRows(const void *b) const {
    return {b, desc.b, desc.transposeB ? desc.n : desc.k, desc.transposeB ? desc.k : desc.n,
            desc.rowStepB()};
  }
  /// b as oneDNN reads it; what was widened lies row behind row.
  dnnl::memory::desc plainRight() const {
    std::int64_t step = narrow(desc.b) ? rightRows(nullptr).columns : desc.rowStepB();
    auto strides = desc.transposeB ? dnnl::memory::dims{1, step} : dnnl::memory::dims{step, 1};
    return {{desc.k, desc.n}, Type::f32, strides};
  }
  std::int64_t stepOfA() const { return narrow(desc.a) ? desc.k : desc.rowStepA(); }
  std::int64_t stepOfC() const { return narrow(desc.c) ? desc.n : desc.rowStepC(); }
  static std::size_t floats(std::int64_t count) {
    return static_cast<std::size_t>(count) * sizeof(float);
  }
  std::shared_ptr<std::byte> allocate(std::size_t bytes) {
    std::shared_ptr<std::byte> memory = format::allocateBytes(bytes);
    if (!memory)
      throw dnnl::error(dnnl_out_of_memory, "could not allocate scratch");
    allocatedBytes += bytes;
    return memory;
  }

  dnnl::matmul::primitive_desc makePrimitive(std::int64_t m) const {
    dnnl::memory::desc a({m, desc.k}, Type::f32, dnnl::memory::dims{stepOfA(), 1});
    dnnl::memory::desc c({m, desc.n}, Type::f32, dnnl::memory::dims{stepOfC(), 1});
    dnnl::memory::desc b = plainRight();
    if (desc.constantB)
      b = dnnl::memory::desc({desc.k, desc.n}, Type::f32, Tag::any);
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    if (!desc.hasBias)
      return {dnnl::matmul::desc(a, b, c), attributes, engine()};
    dnnl::memory::desc bias({1, desc.n}, Type::f32, Tag::ab);
    return {dnnl::matmul::desc(a, b, bias, c), attributes, engine()};
  }

  void pack(const dnnl::matmul::primitive_desc &primitive, dnnl::memory &out) {
    const void *weights = desc.constantB;
    std::shared_ptr<std::byte> wide;
    if (narrow(desc.b)) {
      wide = format::allocateBytes(floats(desc.k * desc.n));
      if (!wide)
        throw dnnl::error(dnnl_out_of_memory, "could not allocate scratch");
      widen(rightRows(weights), wide.get());
      weights = wide.get();
    }
    dnnl::memory from(plainRight(), engine(), const_cast<void *>(weights));
    out = dnnl::memory(primitive.weights_desc(), engine());
    dnnl::stream stream(engine());
    dnnl::reorder(from, out).execute(stream, from, out);
    stream.wait();
  }

  void runBlock(std::int64_t i, const GemmPointers &pointers) {
    OneThread guard;
    Block &block = blockList[static_cast<std::size_t>(i)];
    int thread = blocks == 1 ? 0 : tbb::this_task_arena::current_thread_index();
    ThreadState &mine = perThread[static_cast<std::size_t>(thread)];
    std::int64_t count = i + 1 < blocks ? rows : lastRows;
    const std::byte *a = static_cast<const std::byte *>(pointers.a) +
                         i * rows * desc.rowStepA() * static_cast<std::int64_t>(sizeOf(desc.a));
    std::int64_t offset = i * rows * desc.rowStepC() * static_cast<std::int64_t>(sizeOf(desc.c));
    std::byte *c = static_cast<std::byte *>(pointers.c) + offset;
    if (mine.a) {
      widen({a, desc.a, count, desc.k, desc.rowStepA()}, mine.a.get());
      a = mine.a.get();
    }
    block.a.set_data_handle(const_cast<std::byte *>(a));
    block.c.set_data_handle(mine.c ? mine.c.get() : c);
    if (!desc.constantB)
      block.b.set_data_handle(const_cast<void *>(pointers.b));
    if (desc.hasBias)
      block.bias.set_data_handle(const_cast<void *>(pointers.bias));
    block.scratch.set_data_handle(mine.scratch.get());
    (i + 1 < blocks ? fullPrimitive : lastPrimitive).execute(mine.stream, block.arguments);
    auto *values = static_cast<float *>(block.c.get_data_handle());
    const std::byte *residual = nullptr;
    if (desc.hasResidual) {
      residual = static_cast<const std::byte *>(pointers.residual) + offset;
      if (mine.residual) {
        widen({residual, desc.c, count, desc.n, desc.rowStepC()}, mine.residual.get());
        residual = mine.residual.get();
      }
    }
    // One run of values where the rows lie one behind the other, else one for each row.
    bool isWhole = desc.rowStepC() == desc.n;
    std::int64_t runs = isWhole ? 1 : count, length = isWhole ? count * desc.n : desc.n;
    for (std::int64_t run = 0; run < runs; ++run) {
      float *at = values + run * stepOfC();
      if (residual)
        add(at, reinterpret_cast<const float *>(residual) + run * stepOfC(), length);
      if (desc.activation == Activation::Relu)
        relu(at, length);
      if (mine.c)
        format::convertFloats(at, DType::F32,
                              c + run * desc.rowStepC() * static_cast<std::int64_t>(sizeOf(desc.c)),
                              desc.c, length);
    }
  }

  GemmDesc desc;
  tbb::task_arena &arena;
  std::int64_t rows = 0, blocks = 0, lastRows = 0, packedBytes = 0;
  dnnl::matmul::primitive_desc full, last;
  dnnl::matmul fullPrimitive, lastPrimitive;
  dnnl::memory packed, packedLast;
  std::vector<ThreadState> perThread;
  std::vector<Block> blockList;
  std::shared_ptr<std::byte> wideB, wideBias; ///< in f32, of the current run
  std::size_t allocatedBytes = 0;
};

/// No product to speak of: c = activation(bias + residual), and nothing for no rows.
class EmptyGemm final : public CpuGemm {
public:
  explicit EmptyGemm(const GemmDesc &desc) : desc(desc) {}

  Status run(const GemmPointers &pointers) override {
    // An infinite or NaN bias is kept, as fmax would not.
    for (std::int64_t i = 0; i < desc.m * desc.n; ++i) {
      std::int64_t place = i / desc.n * desc.rowStepC() + i % desc.n;
      auto size = static_cast<std::int64_t>(sizeOf(desc.c));
      auto at = [&](const void *values, std::int64_t number) {
        double value = 0;
        format::convertFloats(static_cast<const std::byte *>(values) + number * size, desc.c,
                              &value, DType::F64, 1);
        return value;
      };
      double value = (desc.hasBias ? at(pointers.bias, i % desc.n) : 0) +
                     (desc.hasResidual ? at(pointers.residual, place) : 0);
      if (desc.activation == Activation::Relu && value < 0)
        value = 0;
      format::convertFloats(&value, DType::F64, static_cast<std::byte *>(pointers.c) + place * size,
                            desc.c, 1);
    }
    return {};
  }
  std::int64_t deviceBytes() const override { return 0; }

private:
  GemmDesc desc;
};

/// f64, summed in the order of k: rows of b are added to rows of c, whose columns the
/// compiler takes several at a time.
class DoubleGemm final : public CpuGemm {
public:
  DoubleGemm(const GemmDesc &desc, tbb::task_arena &arena) : desc(desc), arena(arena) {}

  bool prepare() {
    if (!desc.transposeB)
      return true;
    plainB = format::allocateBytes(static_cast<std::size_t>(desc.k * desc.n) * sizeof(double));
    if (plainB && desc.constantB)
      transpose(static_cast<const double *>(desc.constantB));
    return plainB != nullptr;
  }

  Status run(const GemmPointers &pointers) override {
    if (plainB && !desc.constantB)
      transpose(static_cast<const double *>(pointers.b));
    const auto *b = plainB ? reinterpret_cast<const double *>(plainB.get())
                           : static_cast<const double *>(pointers.b);
    arena.execute([&] {
      tbb::parallel_for(std::int64_t{0}, desc.m, [&](std::int64_t i) { row(i, b, pointers); });
    });
    return {};
  }
  std::int64_t deviceBytes() const override {
    return plainB ? desc.k * desc.n * static_cast<std::int64_t>(sizeof(double)) : 0;
  }

private:
  void transpose(const double *from) {
    auto *to = reinterpret_cast<double *>(plainB.get());
    for (std::int64_t j = 0; j < desc.n; ++j)
      for (std::int64_t l = 0; l < desc.k; ++l)
        to[l * desc.n + j] = from[j * desc.rowStepB() + l];
  }

  void row(std::int64_t i, const double *b, const GemmPointers &pointers) const {
    const double *a = static_cast<const double *>(pointers.a) + i * desc.rowStepA();
    double *c = static_cast<double *>(pointers.c) + i * desc.rowStepC();
    std::int64_t stepOfB = plainB ? desc.n : desc.rowStepB();
    std::fill_n(c, desc.n, 0.0);
    for (std::int64_t l = 0; l < desc.k; ++l)
      for (std::int64_t j = 0; j < desc.n; ++j)
        c[j] += a[l] * b[l * stepOfB + j];
    const auto *bias = static_cast<const double *>(pointers.bias);
    const auto *residual = static_cast<const double *>(pointers.residual);
    for (std::int64_t j = 0; j < desc.n; ++j) {
      if (desc.hasBias)
        c[j] += bias[j];
      if (desc.hasResidual)
        c[j] += residual[i * desc.rowStepC() + j];
      if (desc.activation == Activation::Relu && c[j] < 0)
        c[j] = 0;
    }
  }

  GemmDesc desc;
  tbb::task_arena &arena;
  std::shared_ptr<std::byte> plainB; ///< b as [k, n], where it comes transposed
};

bool isSupported(const GemmDesc &desc) {
  if (desc.a != desc.b || !format::isFloat(desc.a))
    return false;
  return desc.c == desc.a || (sizeOf(desc.a) == 2 && desc.c == DType::F32);
}

} // namespace

Expected<std::unique_ptr<GemmPlan>> prepareCpuGemm(const GemmDesc &desc, tbb::task_arena &arena) {
  if (!isSupported(desc))
    return Status{Code::Unsupported, std::string("dense product of ") + format::name(desc.a) +
                                         " and " + format::name(desc.b) + " giving " +
                                         format::name(desc.c) +
                                         ": the host multiplies two matrices of F32, F64, F16 or "
                                         "BF16 into their own type, 16 bit also into F32"};
  if (desc.m == 0 || desc.n == 0 || desc.k == 0)
    return std::unique_ptr<GemmPlan>(std::make_unique<EmptyGemm>(desc));
  if (desc.a == DType::F64) {
    auto plan = std::make_unique<DoubleGemm>(desc, arena);
    if (!plan->prepare())
      return Status{Code::OutOfMemory, "dense product in F64: no memory for the matrix b"};
    return std::unique_ptr<GemmPlan>(std::move(plan));
  }
  try {
    auto plan = std::make_unique<OneDnnGemm>(desc, arena);
    plan->prepare();
    return std::unique_ptr<GemmPlan>(std::move(plan));
  } catch (const dnnl::error &error) {
    Code code = error.status == dnnl_out_of_memory ? Code::OutOfMemory : Code::DeviceError;
    return Status{code, "dense product " + std::to_string(desc.m) + "x" + std::to_string(desc.k) +
                            "x" + std::to_string(desc.n) + ": oneDNN: " + error.what()};
  }
}

} // namespace gnnc::runtime
