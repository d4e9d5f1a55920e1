#ifndef GNNC_DIALECTS_GNN_GNNOPS_TD
#define GNNC_DIALECTS_GNN_GNNOPS_TD

include "dialects/Gnn/GnnOpBase.td"
include "dialects/Gnn/GnnOpsOnGraphs.td"

//===----------------------------------------------------------------------===//
// Gather and scatter
//===----------------------------------------------------------------------===//

def Gnn_GatherOp : Gnn_InferredOp<"gather"> {
  let summary = "Copy the row of one end's node to every edge";
  let description = [{
    out[e] = nodes[end(e)]

    C1 rows(nodes) = extent of `end`. C2 rows(out) = E(graph). C3 equal features
    and element type.

    Example:
    ```mlir
    %m = gnn.gather %h, %g at src : tensor<?x64xf32>, !gnn.graph<?x?x?> -> tensor<?x64xf32>
    ```
  }];
  let arguments = (ins Gnn_RowTensor:$nodes, Gnn_GraphType:$graph, Gnn_EndAttr:$end);
  let results = (outs Gnn_RowTensor:$result);
  let assemblyFormat = "$nodes `,` $graph `at` $end attr-dict `:` type($nodes) `,` qualified(type($graph)) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Gnn_ScatterOp : Gnn_InferredOp<"scatter"> {
  let summary = "Reduce the edge rows that end at each node";
  let description = [{
    out[v] = R over edges e with end(e) = v of edges[e]

    Numerics: no edge gives 0 for sum, mean, max, min and 1 for mul; mean
    divides by max(count, 1); NaN wins in max and min; accumulates in `acc` (f32
    or wider); the order is fixed by graph and schedule, so bits repeat.

    C1 rows(edges) = E(graph). C2 rows(out) = extent of `end`. C3 equal features
    and element type. C4 the elements are floating-point, `acc` is f32 or f64 and
    no narrower than they are. C5 `softmax` is a reduction of gnn.aggregate alone:
    it reads scores beside the rows.

    Example:
    ```mlir
    %h = gnn.scatter sum %m, %g at dst acc f32 : tensor<?x64xf32>, !gnn.graph<?x?x?> -> tensor<?x64xf32>
    ```
  }];
  let arguments = (ins Gnn_ReduceKindAttr:$kind, Gnn_RowTensor:$edges, Gnn_GraphType:$graph,
                       Gnn_EndAttr:$end, TypeAttr:$acc);
  let results = (outs Gnn_RowTensor:$result);
  let assemblyFormat = [{
    $kind $edges `,` $graph `at` $end `acc` $acc attr-dict `:` type($edges) `,` qualified(type($graph)) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Gnn_GatherAtOp : Gnn_InferredOp<"gather_at"> {
  let summary = "Copy the rows that an index tensor names";
  let description = [{
    out[i] = nodes[index[i]]

    The form without a graph, as imports have it: gnn-raise-to-graph makes
    gnn.gather of it where the indices are ends of edges. An index that names no
    row is an error.

    C1 rows(out) = rows(index). C2 equal features and element type.

    Example:
    ```mlir
    %m = gnn.gather_at %h, %src : tensor<?x64xf32>, tensor<?xi64> -> tensor<?x64xf32>
    ```
  }];
  let arguments = (ins Gnn_RowTensor:$nodes, Gnn_IndexTensor:$index);
  let results = (outs Gnn_RowTensor:$result);
  let assemblyFormat = "$nodes `,` $index attr-dict `:` type($nodes) `,` type($index) `->` type($result)";
  let hasVerifier = 1;
}

def Gnn_ScatterAtOp : Gnn_Op<"scatter_at", [Pure]> {
  let summary = "Reduce the rows that an index tensor sends to one place";
  let description = [{
    out[v] = R over rows i with index[i] = v of edges[i], for v below `extent`

    The form without a graph, as imports have it: gnn-raise-to-graph makes
    gnn.scatter of it. Numerics are those of gnn.scatter; an index that is not
    below `extent` is an error.

    C1 rows(edges) = rows(index). C2 `extent` is there when the rows of the result
    are `?`, and only then. C3 equal features and element type. C4 the elements are
    floating-point, `acc` is f32 or f64 and no narrower than they are. C5 `kind` is
    not softmax.

    Example:
    ```mlir
    %h = gnn.scatter_at sum %m, %dst extent %n acc f32 : tensor<?x64xf32>, tensor<?xi64> -> tensor<?x64xf32>
    ```
  }];
  let arguments = (ins Gnn_ReduceKindAttr:$kind, Gnn_RowTensor:$edges, Gnn_IndexTensor:$index,
                       Optional<Index>:$extent, TypeAttr:$acc);
  let results = (outs Gnn_RowTensor:$result);
  let assemblyFormat = [{
    $kind $edges `,` $index (`extent` $extent^)? `acc` $acc attr-dict `:` type($edges) `,` type($index) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Gnn_SegmentReduceOp : Gnn_InferredOp<"segment_reduce"> {
  let summary = "Reduce consecutive rows, segment by segment";
  let description = [{
    out[s] = R over rows i in [offsets[s], offsets[s + 1]) of rows[i]

    `offsets` is a row pointer: it begins with 0, rises, and ends with the number
    of rows. Pooling over a batch of graphs is this, with one segment per graph.
    Numerics are those of gnn.scatter.

    C1 `offsets` has one row more than the result. C2 equal features and element
    type. C3 the elements are floating-point, `acc` is f32 or f64 and no narrower
    than they are. C4 `kind` is not softmax.

    Example:
    ```mlir
    %p = gnn.segment_reduce mean %h, %offsets acc f32 : tensor<?x64xf32>, tensor<?xi64> -> tensor<?x64xf32>
    ```
  }];
  let arguments = (ins Gnn_ReduceKindAttr:$kind, Gnn_RowTensor:$rows, Gnn_IndexTensor:$offsets, TypeAttr:$acc);
  let results = (outs Gnn_RowTensor:$result);
  let assemblyFormat = [{
    $kind $rows `,` $offsets `acc` $acc attr-dict `:` type($rows) `,` type($offsets) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Gnn_SegmentSoftmaxOp : Gnn_Op<"segment_softmax", [Pure, AllTypesMatch<["scores", "result"]>]> {
  let summary = "Softmax among the rows of each node's edges, or of each segment";
  let description = [{
    With S the segment of row i, for each feature on its own:
    ```
    out[i] = exp(scores[i] - m) / (sum over j in S of exp(scores[j] - m) + 1e-16),  m = max over j in S of scores[j]
    ```
    `segments` is a graph, and then a segment is the edges whose `end` is one node
    (edge softmax); or a row pointer as in gnn.segment_reduce, and then it is
    consecutive rows.

    Numerics: computed in `acc` (f32 or wider) and rounded to the element type
    once. A NaN makes its whole segment NaN, and so do scores that are all -inf.

    C1 with a graph, rows(scores) = E(graph). C2 `end` is there when `segments` is
    a graph, and only then. C3 the elements are floating-point, `acc` is f32 or f64
    and no narrower than they are.

    Examples:
    ```mlir
    %a = gnn.segment_softmax %s, %g at dst acc f32 : tensor<?x8xf32>, !gnn.graph<?x?x?>
    %b = gnn.segment_softmax %s, %offsets acc f32 : tensor<?xf32>, tensor<?xi64>
    ```
  }];
  let arguments = (ins Gnn_RowTensor:$scores, AnyTypeOf<[Gnn_GraphType, Gnn_IndexTensor]>:$segments,
                       OptionalAttr<Gnn_EndAttr>:$end, TypeAttr:$acc);
  let results = (outs Gnn_RowTensor:$result);
  let assemblyFormat = [{
    $scores `,` $segments (`at` $end^)? `acc` $acc attr-dict `:` type($scores) `,` qualified(type($segments))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The graph whose edges the scores belong to; null with a row pointer.
    ::mlir::TypedValue<::gnnc::gnn::GnnGraphType> getGraph() {
      return ::llvm::dyn_cast<::mlir::TypedValue<::gnnc::gnn::GnnGraphType>>(getSegments());
    }
  }];
}

//===----------------------------------------------------------------------===//
// Fused forms
//===----------------------------------------------------------------------===//

class Gnn_RowOp<string mnemonic, list<Trait> traits> : Gnn_Op<mnemonic,
    [Pure, AttrSizedOperandSegments, IsolatedFromAbove] # traits>;

def Gnn_AggregateOp : Gnn_RowOp<"aggregate", []> {
  let summary = "One traversal: per-edge message, reduction, per-node epilogue";
  let description = [{
    For every destination v, in the order of its edges:
    ```
    acc_r = reduce_r over edges e = (u, v) of message(src[u], dst[v], edge[e], param)_r
    out[v] = epilogue(acc, dst[v], param)
    ```
    A region argument stands for one row: a scalar for a tensor of rank 1, a
    vector of the static feature extents otherwise; a `param` operand is the
    same for all rows and appears whole. The regions use `arith`, `math` and
    `vector` on those. `message` yields one value per entry of `reduce`, of the
    accumulation type's element, and each entry gives one accumulator of that
    type; the epilogue yields one value per result. An absent epilogue means that
    the accumulators are the results.

    `softmax` takes two values, a score and a message whose shape begins with the
    score's (one score for a whole row, or one per head), and gives three
    accumulators, in this order, with m = max over e of score(e):
    ```
    weighted sum  = sum over e of exp(score(e) - m) * message(e)
    denominator   = sum over e of exp(score(e) - m)
    maximum       = m
    ```
    They are computed in one traversal. Nothing is added to the denominator: an
    epilogue that wants the weights to add up to one divides by it, plus 1e-16.

    Numerics are those of `gnn.scatter`; for `softmax` no edge gives 0, 0 and
    -inf, and a score of NaN makes all three NaN. The graph is csr once kernels
    are formed; before, either layout.

    C1 rows(src[i]) = src(graph). C2 rows(dst[i]) = dst(graph).
    C3 rows(edge[i]) = E(graph). C4 rows(result[i]) = dst(graph).
    C5 message arguments are the rows of src, dst, edge, then param.
    C6 message yields one value per reduction, of which there is at least one, a
    scalar or vector with element type `acc`; two for `softmax`.
    C7 epilogue arguments are the accumulators, the rows of dst, then param.
    C8 the epilogue (or, without one, the message) yields the rows of the
    results. C9 `acc` is f32 or f64. C10 a cuda or cpu `schedule`, where present,
    fits the module's target. C11 the score of `softmax` is a scalar or a vector of
    rank 1, and the shape of its message begins with that of the score.

    Examples:
    ```mlir
    %o = gnn.aggregate %g src(%h : tensor<?x16xf32>) edge(%w : tensor<?xf32>) param(%b : tensor<16xf32>)
        reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?x16xf32> message {
    ^bb0(%x: vector<16xf32>, %c: f32, %bias: vector<16xf32>):
      %cv = vector.broadcast %c : f32 to vector<16xf32>
      %m = arith.mulf %x, %cv : vector<16xf32>
      gnn.yield %m : vector<16xf32>
    } epilogue {
    ^bb0(%sum: vector<16xf32>, %bias: vector<16xf32>):
      %y = arith.addf %sum, %bias : vector<16xf32>
      gnn.yield %y : vector<16xf32>
    }
    %a = gnn.aggregate %g src(%h, %s : tensor<?x8x16xf32>, tensor<?x8xf32>) dst(%t : tensor<?x8xf32>)
        reduce [softmax] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?x8x16xf32> message {
    ^bb0(%x: vector<8x16xf32>, %su: vector<8xf32>, %tv: vector<8xf32>):
      %score = arith.addf %su, %tv : vector<8xf32>
      gnn.yield %score, %x : vector<8xf32>, vector<8x16xf32>
    } epilogue {
    ^bb0(%sum: vector<8x16xf32>, %den: vector<8xf32>, %max: vector<8xf32>, %tv: vector<8xf32>):
      %tiny = arith.constant dense<1.0e-16> : vector<8xf32>
      %d = arith.addf %den, %tiny : vector<8xf32>
      %c = vector.shape_cast %d : vector<8xf32> to vector<8x1xf32>
      %w = vector.broadcast %c : vector<8x1xf32> to vector<8x16xf32>
      %y = arith.divf %sum, %w : vector<8x16xf32>
      gnn.yield %y : vector<8x16xf32>
    }
    ```
  }];
  let arguments = (ins Gnn_GraphType:$graph, Variadic<Gnn_RowTensor>:$src, Variadic<Gnn_RowTensor>:$dst,
                       Variadic<Gnn_RowTensor>:$edge, Variadic<Gnn_RowTensor>:$param,
                       TypedArrayAttrBase<Gnn_ReduceKindAttr, "reductions">:$reduce, TypeAttr:$acc,
                       OptionalAttr<AnyAttr>:$schedule);
  let results = (outs Variadic<Gnn_RowTensor>:$outs);
  let regions = (region SizedRegion<1>:$message, MaxSizedRegion<1>:$epilogue);
  let assemblyFormat = [{
    $graph (`src` `(` $src^ `:` type($src) `)`)? (`dst` `(` $dst^ `:` type($dst) `)`)?
    (`edge` `(` $edge^ `:` type($edge) `)`)? (`param` `(` $param^ `:` type($param) `)`)?
    `reduce` custom<ReduceKinds>($reduce) `acc` $acc (`schedule` `(` $schedule^ `)`)? attr-dict
    `:` qualified(type($graph)) `->` type($outs) `message` $message (`epilogue` $epilogue^)?
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::gnnc::gnn::ReduceKind getReduceKind(unsigned i) {
      return ::llvm::cast<::gnnc::gnn::ReduceKindAttr>(getReduce()[i]).getValue();
    }
    bool hasEpilogue() { return !getEpilogue().empty(); }
    /// Types of the accumulators of all reductions, in order: what the epilogue
    /// gets first, or what the results are rows of.
    ::llvm::SmallVector<::mlir::Type> getAccumulatorTypes();
    unsigned getNumAccumulators();
  }];
}

def Gnn_MapOp : Gnn_RowOp<"map", [SingleBlock]> {
  let summary = "A row-wise computation over nodes or edges, without reduction";
  let description = [{
    Without a graph: out[i] = body(rows[i], param), over rows that all have the
    same count. With one: out[e] = body(src[u], dst[v], rows[e], param) for every
    edge e = (u, v), in the graph's order of edges. What fusion could not put
    into an aggregate ends here, as does the graph-only arithmetic of `prepare`.

    C1 rows(src[i]) = src(graph), rows(dst[i]) = dst(graph); both need a graph.
    C2 rows(rows[i]) = rows(result[i]) = one count, E(graph) where there is a
    graph; without one there is at least one of `rows`.
    C3 body arguments are the rows of src, dst, rows, then param. C4 the body
    yields the rows of the results. C5 a cuda or cpu `schedule`, where present,
    fits the module's target.

    Example:
    ```mlir
    %y = gnn.map rows(%x : tensor<?xf32>) -> tensor<?xf32> {
    ^bb0(%a: f32):
      %s = math.sqrt %a : f32
      gnn.yield %s : f32
    }
    ```
  }];
  let arguments = (ins Optional<Gnn_GraphType>:$graph, Variadic<Gnn_RowTensor>:$src, Variadic<Gnn_RowTensor>:$dst,
                       Variadic<Gnn_RowTensor>:$rows, Variadic<Gnn_RowTensor>:$param, OptionalAttr<AnyAttr>:$schedule);
  let results = (outs Variadic<Gnn_RowTensor>:$outs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`over` $graph^ `:` qualified(type($graph)))? (`src` `(` $src^ `:` type($src) `)`)? (`dst` `(` $dst^ `:` type($dst) `)`)?
    (`rows` `(` $rows^ `:` type($rows) `)`)? (`param` `(` $param^ `:` type($param) `)`)?
    (`schedule` `(` $schedule^ `)`)? attr-dict `->` type($outs) $body
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
}

def Gnn_YieldOp : Gnn_Op<"yield", [Pure, Terminator, ParentOneOf<["AggregateOp", "MapOp"]>]> {
  let summary = "The values of one row";
  let description = [{
    Ends a region of `gnn.aggregate` or `gnn.map`.

    Example: `gnn.yield %m : vector<16xf32>`
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

#endif // GNNC_DIALECTS_GNN_GNNOPS_TD
