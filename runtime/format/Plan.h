//===- Plan.h - The schema of an artefact's plan.json ---------------------===//
//
// What compiler and runtime share: plain structs, their JSON form and its
// checks. No MLIR, no CUDA; JSON only. docs/formats.md describes the file.
//
// A plan is a list of buffers and two lists of commands: `prepare`, run once
// when a graph is bound, and `forward`, run every time. Sizes are formulas over
// symbols: the counts of the bound graph and counts that `prepare` finds.
//
//===----------------------------------------------------------------------===//
#ifndef GNNC_RUNTIME_FORMAT_PLAN_H
#define GNNC_RUNTIME_FORMAT_PLAN_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gnnc::format {

/// Raised by readers of plan.json; the artefact loader turns it into a typed error.
inline constexpr int kFormatVersion = 3;

/// A plan's buffers use the types up to U8; the others occur in graph files only.
enum class DType { F32, F64, F16, BF16, I32, I64, U8, Bool, I8, I16, U16, U32, U64 };
std::size_t sizeOf(DType type);
const char *name(DType type);
/// Parses the safetensors spelling (F32, I64, ...); false if unknown.
bool parseDType(const std::string &text, DType &out);

/// constant + sum of factor * floor((scale * symbol + offset) / divisor).
/// Enough for sizes (64*n), extents of a grid (ceil(items / 4), that is
/// floor((items + 3) / 4)) and sizes rounded up to 256 bytes.
struct Formula {
  struct Term {
    int symbol;               ///< index into Plan::symbols
    std::int64_t factor;      ///< may be negative
    std::int64_t divisor = 1; ///< positive
    std::int64_t scale = 1;   ///< positive; JSON leaves 1 out
    std::int64_t offset = 0;  ///< 0 to divisor - 1; JSON leaves 0 out
  };
  std::int64_t constant = 0;
  std::vector<Term> terms;

  /// Saturates at the ends of int64 instead of wrapping.
  std::int64_t evaluate(const std::vector<std::int64_t> &symbols) const;
  std::string text(const struct Plan &plan) const; ///< "64*n + 4"
};

/// A count known when a graph is bound.
struct Symbol {
  enum class Source {
    GraphDst,      ///< destination nodes
    GraphSrc,      ///< source nodes
    GraphEdges,    ///< edges as given
    Prepare,       ///< set by a command of `prepare`; never above `bound`
    IndexRows,     ///< rows of the index tensor `tensor`
    IndexSegments, ///< its rows but one: segments of a row pointer
    IndexEnd       ///< its last number: rows that a row pointer cuts
  };
  std::string name; ///< "n", "m", "e", "e.loops", "items.0", ...
  Source source;
  Formula bound;      ///< only for Prepare; over symbols of the graph
  std::string tensor; ///< only for those of an index tensor

  bool ofIndex() const { return source >= Source::IndexRows; }
};

struct Buffer {
  enum class Kind {
    Input,      ///< passed by the caller at every run
    Output,     ///< written at every run
    Weight,     ///< a tensor of weights.safetensors
    GraphIndex, ///< "src" or "dst": the edge list as bound, of type `dtype`
    GraphData,  ///< edge_weight and the like, index tensors; bound with the graph
    Persistent, ///< made by `prepare`, kept with the session; `forward` only reads it
    Transient   ///< scratch of `forward` or of `prepare`, never of both; lives in its arena
  };
  std::string name; ///< unique; inputs, outputs, weights, graph data: the public name
  Kind kind;
  DType dtype;
  std::vector<Formula> shape; ///< first extent may be symbolic
  Formula arenaOffset;        ///< Transient only; bytes, multiple of 256
  bool zeroed = false;        ///< Persistent or Transient: zero before first use
};

/// Argument of a kernel: a buffer's address or a 64-bit integer.
struct Argument {
  int buffer = -1; ///< index into Plan::buffers, or -1
  Formula value;   ///< used when buffer < 0
};

/// One kernel call.
/// cuda: `grid` blocks of `block` threads; a grid with a zero extent is skipped.
/// cpu: the kernel is called as void(void *const *arguments, int64 begin, int64 end)
/// on ranges that cover [0, items); every argument, pointer or integer, is passed
/// as one 8-byte slot holding its address (pointers) or value (integers).
/// `rowPointer`, when >= 0, is the buffer whose prefix sums balance the ranges.
struct Launch {
  std::string kernel;
  std::vector<Argument> arguments;
  std::vector<Formula> grid;    ///< cuda: 3 extents
  std::int64_t block = 0;       ///< cuda: threads in x
  std::int64_t sharedBytes = 0; ///< cuda: dynamic shared memory
  Formula items;                ///< cpu
  int rowPointer = -1;          ///< cpu; i32 row pointer with items + 1 entries
  Formula bytes, flops;         ///< for profiles; constant 0: not known
};

/// c[m,n] = activation(a[m,k] * op(b) + bias + residual[m,n]); row-major, b is [n,k]
/// when transposeB.
/// c[m,n] = activation(a * op(b) + bias + residual). With several heads, columns of c, bias
/// and residual are `heads` windows of n / heads, those of a `heads` windows of k: a window
/// of c is a product of the window of a and one matrix of b. These matrices lie one behind
/// the other, or, `headsBeside`, beside each other in the rows of b.
struct Gemm {
  int a = -1, b = -1, c = -1, bias = -1, residual = -1;
  Formula m;
  std::int64_t n = 0, k = 0, heads = 1;
  bool transposeB = false, headsBeside = false;
  std::string activation = "none"; ///< none | relu
  std::string precision = "fp32";  ///< fp32 (no TF32) | tf32 | bf16 | f16 | fp32x3
};

/// A host algorithm of the runtime on graph data; see runtime/core/GraphCalls.h.
///   add_self_loops  in src, dst [, weights]       out src, dst [, weights]  symbol: edges
///   remove_self_loops  in src, dst, edge tensors...  out the same           symbol: edges
///   append_self_loops  in src, dst, edge tensors..., rows for loops...
///                   out src, dst, edge tensors...                            symbol: edges
///   loop_weights    in src, dst, weights          out one weight per node
///   to_csr          in src, dst, edge tensors...  out rowptr, col, edge tensors...
///   partition_rows  in rowptr                     out items [?,4], splits [?,4]
///                   symbols: items, splits, slots; chunk, order ("row"|"longest"|"windows");
///                   item: row, first edge, end, slot or -1; split: row, first slot, end,
///                   edges of the row
///   make_graph      in src, dst | rowptr, col | index   out src, dst | rowptr, col
///                   form: coo | csr | gather | scatter | segments; every id is checked
///   slice           in tensor                     out part: the window of `sizes` at `offsets`
///   transpose_matrix  in matrix                   out matrix, rows and columns exchanged
struct GraphCall {
  std::string callee;
  std::vector<int> inputs, outputs;
  std::vector<int> symbols; ///< symbols that the call sets, in the order above
  Formula dstNodes, srcNodes, edges;
  double fill = 0;        ///< add_self_loops, loop_weights
  std::int64_t chunk = 0; ///< partition_rows
  std::string order;      ///< partition_rows
  /// slice; one of each for each dimension of its input
  std::vector<std::int64_t> offsets, sizes;
  std::string form; ///< make_graph
};

struct Command {
  enum class Kind { Launch, Gemm, GraphCall };
  Kind kind;
  Launch launch;
  Gemm gemm;
  GraphCall call;
};

/// A condition the compiled program relies on, checked when a graph is bound.
struct Guard {
  std::string kind; ///< "max": formula must not exceed limit; "equal": must be limit
  Formula value;
  std::int64_t limit = 0;
  std::string what; ///< "edges with self loops fit 32-bit indices"
};

struct Plan {
  int version = kFormatVersion;
  std::string producer; ///< "gnnc 0.1.0"
  std::string program;  ///< name of the model
  std::string target;   ///< cpu | cuda
  std::string chip;     ///< sm_90 | x86-64-v4 | generic
  std::string mode = "default";
  std::string dynamic = "true";
  /// What kernels take addresses of inputs and outputs to be multiples of, in bytes;
  /// never less than their elements need.
  std::int64_t ioAlignment = 16;
  std::vector<Symbol> symbols;
  std::vector<Buffer> buffers;
  std::vector<Command> prepare, forward;
  Formula arenaBytes; ///< transient memory of one forward
  /// Transient memory of `prepare`, freed after it. This formula and the offsets
  /// within that arena use symbols of the graph only, never those that `prepare`
  /// sets, so that they are known before it starts.
  Formula prepareArenaBytes;
  std::vector<Guard> guards;
};

/// JSON text of a plan (stable key order, readable).
std::string toJson(const Plan &plan);
/// Parses and checks plan.json: known version, every index in range, kinds and
/// types known. On failure returns false and sets `error` to one line that names
/// the JSON path and what was found.
bool fromJson(const std::string &text, Plan &plan, std::string &error);

} // namespace gnnc::format

#endif // GNNC_RUNTIME_FORMAT_PLAN_H
