#ifndef GNNC_DIALECTS_PLAN_PLANOPS_TD
#define GNNC_DIALECTS_PLAN_PLANOPS_TD

include "dialects/Gnn/GnnAttrs.td"
include "dialects/Plan/PlanAttrs.td"
include "dialects/Plan/PlanTypes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"

class Plan_Op<string mnemonic, list<Trait> traits = []> : Op<Plan_Dialect, mnemonic, traits>;
class Plan_Command<string mnemonic, list<Trait> traits = []> : Plan_Op<mnemonic,
    [ParentOneOf<["PrepareOp", "ForwardOp"]>] # traits>;
def Plan_SymbolNames : TypedArrayAttrBase<StrAttr, "array of symbol names">;
def Plan_ElementType : TypeAttrOf<AnyTypeOf<[F32, F64, F16, BF16, I32, I64, I8]>>;

//===----------------------------------------------------------------------===//
// The program and its declarations
//===----------------------------------------------------------------------===//

def Plan_ProgramOp : Plan_Op<"program", [Symbol, IsolatedFromAbove, SingleBlock, NoTerminator]> {
  let summary = "A whole plan: declarations, then prepare and forward";
  let description = [{
    C1 symbol names are unique. C2 a formula uses symbols declared before it.
    C3 buffer names are unique. C4 one forward, at most one prepare, before it.
    C5 every `prepare` symbol is set by one graph call of prepare, before a
    command uses it. C6 input, weight, graph_index and graph_data buffers are
    not written. C7 persistent, transient and output buffers are written (or
    zeroed) before they are read. C8 prepare writes no output and reads no
    input, forward writes nothing persistent (its products pack such operands once);
    a transient buffer belongs to one of prepare and forward. C9 every
    output is written. C10 `mode` is default, reduce-overhead,
    max-autotune-no-cudagraphs or max-autotune, `dynamic` true, false or auto.

    Example:
    ```mlir
    gnn_plan.program @double target(<cpu, "generic">) {
      gnn_plan.symbol n graph_dst
      %x = gnn_plan.buffer input "x" f32[n, 16]
      %out = gnn_plan.buffer output "out" f32[n, 16]
      gnn_plan.forward {
        gnn_plan.launch @map_0(%x, out %out, n) items(n)
      }
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Gnn_TargetAttr:$target,
                       DefaultValuedStrAttr<StrAttr, "default">:$mode,
                       DefaultValuedStrAttr<StrAttr, "true">:$dynamic);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name `target` `(` $target `)` attr-dict-with-keyword $body";
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    PrepareOp getPrepare();
    ForwardOp getForward();
  }];
}

def Plan_SymbolOp : Plan_Op<"symbol", [HasParent<"ProgramOp">]> {
  let summary = "A count known when a graph is bound";
  let description = [{
    `graph_dst`, `graph_src` and `graph_edges` are the extents of the graph;
    a `prepare` symbol is set by a graph call and never above `bound`, which
    uses symbols of the graph only. `index_rows` counts the rows of the index
    tensor `of` that name; where that is a row pointer, `index_segments` is one less
    and `index_end` its last number.

    C1 `bound` is there exactly for `prepare`. C2 the name can be written in a
    formula (letters, digits, `_`, `.`; not `out`, `floordiv`, `ceildiv`). C3 `of`
    is there exactly for counts of an index tensor.

    Examples: `gnn_plan.symbol e.loops prepare bound(e + n)`,
    `gnn_plan.symbol rows.0 index_rows of "batch"`
  }];
  let arguments = (ins StrAttr:$name, Plan_SymbolSourceAttr:$source, OptionalAttr<Plan_FormulaAttr>:$bound,
                       OptionalAttr<StrAttr>:$tensor);
  let assemblyFormat = [{
    custom<SymbolName>($name) `` $source (`bound` `(` custom<Formula>($bound)^ `)`)? (`of` $tensor^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Plan_BufferOp : Plan_Op<"buffer", [HasParent<"ProgramOp">,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "Declare a buffer";
  let description = [{
    Kinds: `input` and `output` are passed by the caller at every run; `weight`
    is a tensor of the weights file; `graph_index` (named "src" or "dst") is the
    edge list as bound; `graph_data` (edge tensors, index tensors) is bound with the graph; `persistent` is
    made by prepare, kept, and only read by forward; `transient` is scratch of forward or of prepare
    and lives in its arena, `at` the offset that gnn-plan-memory chose.

    C1 `at` and `zeroed` are for persistent and transient (`at`: transient only).
    C2 a graph_index is "src" or "dst", of i32 or i64 and rank 1. C3 a constant
    extent is not negative and a constant offset a multiple of 256.

    Example: `%h0 = gnn_plan.buffer transient "h0" f32[n, 16] at(1024)`
  }];
  let arguments = (ins Plan_BufferKindAttr:$kind, StrAttr:$name, Plan_ElementType:$dtype, Plan_Formulas:$shape,
                       OptionalAttr<Plan_FormulaAttr>:$offset, UnitAttr:$zeroed);
  let results = (outs Plan_Buffer:$result);
  let assemblyFormat = [{
    `` $kind $name $dtype `` custom<FormulaList>($shape) (`at` `(` custom<Formula>($offset)^ `)`)? (`zeroed` $zeroed^)? attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    int64_t getRank() { return getShape().size(); }
    /// The symbolic extent of dimension `i`.
    Formula extent(unsigned i) { return Formula(::llvm::cast<FormulaAttr>(getShape()[i])); }
    int64_t elementBytes();
    /// Elements of one row: the product of the extents behind the first, or nothing
    /// where one of them is symbolic.
    std::optional<int64_t> columns();
    /// Size in bytes; at most one extent may be symbolic (verified).
    Formula bytes();
    bool isWritable() {
      return getKind() == BufferKind::Output || getKind() == BufferKind::Persistent ||
             getKind() == BufferKind::Transient;
    }
  }];
}

def Plan_GuardOp : Plan_Op<"guard", [HasParent<"ProgramOp">]> {
  let summary = "A condition checked when a graph is bound";
  let description = [{
    `max`: the formula must not exceed the limit; `equal`: it must be the limit.
    A failed guard refuses the graph with the text.

    C1 the text is not empty. C2 only symbols of the graph are used, because
    guards are checked before prepare runs (verified by the program).

    Example:
    ```mlir
    gnn_plan.guard max(e + n) limit 2147483647 "edges with self loops fit 32-bit indices"
    ```
  }];
  let arguments = (ins Plan_GuardKindAttr:$kind, Plan_FormulaAttr:$value, I64Attr:$limit, StrAttr:$what);
  let assemblyFormat = "`` $kind `(` custom<Formula>($value) `)` `limit` $limit $what attr-dict";
  let hasVerifier = 1;
}

class Plan_CommandsOp<string mnemonic> : Plan_Op<mnemonic, [HasParent<"ProgramOp">, SingleBlock, NoTerminator]> {
  let arguments = (ins OptionalAttr<Plan_FormulaAttr>:$arena);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "(`arena` `(` custom<Formula>($arena)^ `)`)? attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

def Plan_PrepareOp : Plan_CommandsOp<"prepare"> {
  let summary = "Commands run once, when a graph is bound";
  let description = [{
    `arena`: bytes of transient memory, over symbols of the graph only.

    C1 holds only commands.

    Example:
    ```mlir
    gnn_plan.prepare arena(16*e + 16*n) {
      gnn_plan.graph_call add_self_loops in(%src, %dst) out(%src1, %dst1) nodes(n, m) edges(e) sets(e.loops) fill 1.0
    }
    ```
  }];
}

def Plan_ForwardOp : Plan_CommandsOp<"forward"> {
  let summary = "Commands run at every forward";
  let description = [{
    `arena`: bytes of transient memory.

    C1 holds only launches and gemms.

    Example:
    ```mlir
    gnn_plan.forward arena(64*n) {
      gnn_plan.gemm %h0 = %x, %w transpose_b
    }
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

def Plan_LaunchOp : Plan_Command<"launch", [AttrSizedOperandSegments]> {
  let summary = "Call a kernel";
  let description = [{
    Arguments are buffers (`out` before one that the kernel writes) and 64-bit
    integers given as formulas, in the kernel's own order. On the host the
    kernel is called on ranges that cover [0, items); `balance` names the row
    pointer whose prefix sums balance them. On a GPU it runs as `grid` blocks of
    `block` threads with `shared` bytes of dynamic shared memory. `bytes` moved
    and `flops` done, where known, are for profiles, and so is the `schedule`
    that the kernel was compiled with.

    The kernel is named, not checked: gpu kernels move into a gpu.module and are
    linked by name when the artefact is loaded.

    C1 either `items` or `grid` and `block`. C2 a grid has 3 extents. C3 block
    is 1 to 1024 threads. C4 `balance` is an i32 buffer of items + 1 entries.

    Example:
    ```mlir
    gnn_plan.launch @aggregate_0(%rowptr, %col, %h, out %y, n) items(n) balance(%rowptr) flops(32*e)
    gnn_plan.launch @aggregate_0(%items, %col, %h, out %y, items.0) grid[items.0 ceildiv 16, 1, 1] block 128
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<Plan_Buffer>:$buffers, ArrayAttr:$arguments,
                       OptionalAttr<Plan_FormulaAttr>:$items, Optional<Plan_Buffer>:$balance,
                       OptionalAttr<Plan_Formulas>:$grid, OptionalAttr<I64Attr>:$block,
                       OptionalAttr<I64Attr>:$shared, OptionalAttr<Plan_FormulaAttr>:$bytes,
                       OptionalAttr<Plan_FormulaAttr>:$flops, OptionalAttr<AnyAttr>:$schedule);
  let assemblyFormat = [{
    $kernel `(` custom<Arguments>($buffers, $arguments) `)`
    (`items` `(` custom<Formula>($items)^ `)`)? (`balance` `(` $balance^ `)`)?
    (`grid` `` custom<FormulaList>($grid)^ `block` $block)? (`shared` $shared^)?
    (`bytes` `(` custom<Formula>($bytes)^ `)`)? (`flops` `(` custom<Formula>($flops)^ `)`)?
    (`schedule` `(` $schedule^ `)`)? attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Entries of `arguments` that stand for the next of `buffers`.
    static constexpr ::llvm::StringLiteral kRead = "in", kWrite = "out";
    /// Calls `onBuffer(value, written)` or `onValue(formula)` for each argument.
    void forEachArgument(::llvm::function_ref<void(::mlir::Value, bool)> onBuffer,
                         ::llvm::function_ref<void(FormulaAttr)> onValue);
  }];
}

def Plan_GemmOp : Plan_Command<"gemm", [AttrSizedOperandSegments]> {
  let summary = "A dense product by the library of the target";
  let description = [{
    c = activation(a * op(b) + bias + residual), row-major; op transposes with
    `transpose_b`. Accumulates in fp32 (f64 in f64); `precision` says what may be
    rounded. A result of 16 bit is rounded once, after the activation.

    C1 b has rank 2, c 2 or more (heads apart), bias rank 1;
    the rows of a may be of any shape, such as heads x features. C2 a and b have one element type, c and
    bias one: the same, or f32 where the former is of 16 bit. C3 the inner
    extents of a and op(b) agree, the outer ones are those of c. C4 bias has one
    entry for each column of c. C5 c is none of the operands. C6 residual has the
    element type and the extents of c.

    With several `heads` the columns of a and of c are as many windows side by
    side, and b holds as many matrices, one behind the other or, `beside`,
    beside each other: a window of c is the product of that of a with one of
    them. C7 heads divides the columns of a, those of c, and the rows of b or,
    beside, its columns.

    Example: `gnn_plan.gemm %h = %x, %w transpose_b bias(%b) residual(%y) activation relu`

    Example: `gnn_plan.gemm %h = %sums, %w heads 8 transpose_b`
  }];
  let arguments = (ins Plan_Buffer:$c, Plan_Buffer:$a, Plan_Buffer:$b, Optional<Plan_Buffer>:$bias,
                       Optional<Plan_Buffer>:$residual, DefaultValuedAttr<I64Attr, "1">:$heads, UnitAttr:$beside,
                       UnitAttr:$transpose_b, DefaultValuedAttr<Plan_ActivationAttr, "Activation::None">:$activation,
                       DefaultValuedAttr<Plan_PrecisionAttr, "Precision::Fp32">:$precision);
  let assemblyFormat = [{
    $c `=` $a `,` $b (`heads` $heads^)? (`beside` $beside^)? (`transpose_b` $transpose_b^)? (`bias` `(` $bias^ `)`)?
    (`residual` `(` $residual^ `)`)? (`activation` `` $activation^)? (`precision` `` $precision^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Plan_GraphCallOp : Plan_Command<"graph_call", [AttrSizedOperandSegments]> {
  let summary = "An algorithm of the runtime on graph data";
  let description = [{
    * `add_self_loops` in(src, dst [, weights]) out(src, dst [, weights])
      sets(edges): the ops' semantics; the results have room for the bound.
    * `remove_self_loops` in(src, dst, edge tensors...) out(src, dst, edge
      tensors...) sets(edges): the edges between two nodes, in their order.
    * `append_self_loops` in(src, dst, edge tensors..., their rows for loops...)
      out(src, dst, edge tensors...) sets(edges): all edges, then a loop per node.
    * `loop_weights` in(src, dst, weights) out(one weight per node): that of the
      last self loop, or `fill`.
    * `to_csr` in(src, dst, edge tensors...) out(rowptr, col, edge tensors...):
      a stable sort by destination; index types may narrow.
    * `partition_rows` in(rowptr) out(items, splits) sets(items, splits, slots):
      rows cut into work items of at most `chunk` edges, started in `order`.
    * `slice` in(tensor) out(part): the window of `sizes` that begins at
      `offsets`, for parts of weights; of all of it, another shape.
    * `transpose_matrix` in(matrix) out(matrix): rows become columns, for weights.
    * `make_graph` in(src, dst) or in(rowptr, col) or in(index) out(src, dst) or
      out(rowptr, col): a copy with every id checked. `form` is coo, csr, or one of
      those of gnn.index_graph: gather, scatter, segments.

    C1 counts of in, out and sets as above. C2 `fill` exactly for
    add_self_loops and loop_weights, `chunk` and `order` exactly for partition_rows, `offsets`
    and `sizes` exactly for slice, `form` exactly for make_graph. C3 chunk is at least 1. C4 an edge tensor
    keeps its element type and features, rows for loops have those of their tensor. C5 a slice lies in a tensor of constant
    extents; its result has the element type and as many elements as the window. A transposed matrix
    has the element type and the two constant extents of the matrix, exchanged.

    Example:
    ```mlir
    gnn_plan.graph_call partition_rows in(%rowptr) out(%items, %splits) nodes(n, m) edges(e)
        sets(items.0, splits.0, slots.0) chunk 128 order longest
    ```
  }];
  let arguments = (ins Plan_GraphCalleeAttr:$callee, Variadic<Plan_Buffer>:$inputs, Variadic<Plan_Buffer>:$outputs,
                       Plan_FormulaAttr:$dst_nodes, Plan_FormulaAttr:$src_nodes, Plan_FormulaAttr:$edges,
                       DefaultValuedAttr<Plan_SymbolNames, "{}">:$symbols, OptionalAttr<F64Attr>:$fill,
                       OptionalAttr<I64Attr>:$chunk, OptionalAttr<StrAttr>:$order,
                       OptionalAttr<DenseI64ArrayAttr>:$offsets, OptionalAttr<DenseI64ArrayAttr>:$sizes,
                       OptionalAttr<StrAttr>:$form);
  let assemblyFormat = [{
    `` $callee `in` `(` $inputs `)` `out` `(` $outputs `)`
    `nodes` `(` custom<Formula>($dst_nodes) `,` custom<Formula>($src_nodes) `)` `edges` `(` custom<Formula>($edges) `)`
    (`sets` `` custom<SymbolNames>($symbols)^)? (`fill` $fill^)? (`chunk` $chunk^)? (`order` $order^)?
    (`offsets` $offsets^)? (`sizes` $sizes^)? (`form` $form^)? attr-dict
  }];
  let hasVerifier = 1;
}

#endif // GNNC_DIALECTS_PLAN_PLANOPS_TD
