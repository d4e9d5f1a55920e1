#ifndef GNNC_DIALECTS_GNN_GNNOPSONGRAPHS_TD
#define GNNC_DIALECTS_GNN_GNNOPSONGRAPHS_TD

include "dialects/Gnn/GnnOpBase.td"

//===----------------------------------------------------------------------===//
// Graph construction
//===----------------------------------------------------------------------===//

def Gnn_GraphOp : Gnn_Op<"graph", [Pure]> {
  let summary = "Build a graph value from index tensors";
  let description = [{
    Layout `coo`: `first` holds the source and `second` the destination of each
    edge. Layout `csr`: `first` is the row pointer over destinations (dst + 1
    entries), `second` the source of each edge.

    The node counts are operands where the type has `?`, in the order
    destination, source.

    C1 the element type of both tensors is the graph's index type.
    C2 coo: both tensors have E(graph) rows. C3 csr: `first` has dst(graph) + 1
    rows, `second` E(graph). C4 one `nodes` operand for each `?` among dst, src.

    Example:
    ```mlir
    %g = gnn.graph %src, %dst nodes(%n, %n) : tensor<?xi64>, tensor<?xi64> -> !gnn.graph<?x?x?>
    ```
  }];
  let arguments = (ins Gnn_IndexTensor:$first, Gnn_IndexTensor:$second, Variadic<Index>:$nodes);
  let results = (outs Gnn_GraphType:$graph);
  let assemblyFormat = [{
    $first `,` $second (`nodes` `(` $nodes^ `)`)? attr-dict `:` type($first) `,` type($second) `->` qualified(type($graph))
  }];
  let hasVerifier = 1;
}

def Gnn_IndexGraphOp : Gnn_Op<"index_graph", [Pure]> {
  let summary = "Build the graph that one index tensor describes";
  let description = [{
    One end of each edge is the number of a row, the other what `index` says of
    that row. With R rows:
    * `gather`: edge i runs from index[i] to i, so that a row of the result reads
      one edge. csr, R destinations.
    * `scatter`: edge i runs from i to index[i]. coo, R sources.
    * `segments`: `index` is a row pointer (it begins with 0, never falls, ends with
      R), edge i runs from i to the segment that row i lies in. csr, R sources.

    gnn-index-to-graph makes it of gnn.gather_at, scatter_at, segment_reduce and
    segment_softmax. `nodes` is how many nodes the other end has; with `segments`
    the row pointer says it. An index that is no node of that end is an error.

    C1 the graph is coo for `scatter` and csr otherwise. C2 E(graph) and the end of
    the rows have one extent each, rows(index) for gather and scatter; with
    `segments` dst(graph) is rows(index) - 1. C3 `nodes` is there when the other end
    of a gather or scatter is `?`, and only then. C4 the graph's index type is no
    wider than that of `index`.

    Example:
    ```mlir
    %r = gnn.index_graph gather %index nodes(%n) : tensor<?xi64> -> !gnn.graph<?x?x?, i32, csr>
    %p = gnn.index_graph scatter %batch : tensor<?xi64> -> !gnn.graph<8x?x?>
    %s = gnn.index_graph segments %offsets : tensor<9xi64> -> !gnn.graph<8x?x?, i32, csr>
    ```
  }];
  let arguments = (ins Gnn_IndexFormAttr:$form, Gnn_IndexTensor:$index, Optional<Index>:$nodes);
  let results = (outs Gnn_GraphType:$graph);
  let assemblyFormat = [{
    $form $index (`nodes` `(` $nodes^ `)`)? attr-dict `:` type($index) `->` qualified(type($graph))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The end whose nodes are the rows; the other one is what `index` names.
    End rowEnd() { return getForm() == IndexForm::Gather ? End::Dst : End::Src; }
    End namedEnd() { return getForm() == IndexForm::Gather ? End::Src : End::Dst; }
  }];
}

def Gnn_NodeCountOp : Gnn_Op<"node_count", [Pure]> {
  let summary = "How many nodes one end of a graph has";
  let description = [{
    Programs take counts from tensors (tensor.dim). Passes write this op where no
    tensor has the count: `@prepare` sees graphs, but no input.

    Example:
    ```mlir
    %n = gnn.node_count %g at dst : !gnn.graph<?x?x?>
    ```
  }];
  let arguments = (ins Gnn_GraphType:$graph, Gnn_EndAttr:$end);
  let results = (outs Index:$result);
  let assemblyFormat = "$graph `at` $end attr-dict `:` qualified(type($graph))";
  let hasFolder = 1;
}

def Gnn_AddSelfLoopsOp : Gnn_Op<"add_self_loops", [Pure]> {
  let summary = "Give every node exactly one self loop";
  let description = [{
    The edges that are no self loops, in their order, then one self loop per
    node in rising order. With `weights`, an existing loop keeps its weight (of
    several at one node the last one's, as PyG does) and a new one gets `fill`;
    without, `loop_weights` of the result does not exist.

    C1 dst(graph) = src(graph). C2 rows(weights) = E(graph). C3 the result graph
    is coo, with the node counts and index type of `graph` and an edge count that
    is `?`. C4 `loop_weights` exists when `weights` does, has its element type and
    one row per edge of the result.

    Example:
    ```mlir
    %l, %w = gnn.add_self_loops %g weights(%ew) fill 1.0 : !gnn.graph<?x?x?>, tensor<?xf32> -> !gnn.graph<?x?x?>, tensor<?xf32>
    %l1 = gnn.add_self_loops %g fill 1.0 : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
    ```
  }];
  let arguments = (ins Gnn_GraphType:$graph, Optional<1DTensorOf<[AnyFloat]>>:$weights, F64Attr:$fill);
  let results = (outs Gnn_GraphType:$looped, Optional<1DTensorOf<[AnyFloat]>>:$loop_weights);
  let assemblyFormat = [{
    $graph (`weights` `(` $weights^ `)`)? `fill` $fill attr-dict
    `:` qualified(type($graph)) (`,` type($weights)^)? `->` qualified(type($looped)) (`,` type($loop_weights)^)?
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Gnn_RemoveSelfLoopsOp : Gnn_Op<"remove_self_loops", [Pure]> {
  let summary = "Drop every edge from a node to itself";
  let description = [{
    The edges that are no self loops, in their order, and their rows of each edge
    tensor given as `edges`.

    C1 dst(graph) = src(graph). C2 rows(edges[i]) = E(graph). C3 the result graph
    is coo, with the node counts and index type of `graph` and an edge count that
    is `?`. C4 each of `kept` has its operand's type but for the rows, one per edge
    of the result.

    Example:
    ```mlir
    %l, %w = gnn.remove_self_loops %g edges(%ew : tensor<?xf32>) : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>, tensor<?xf32>
    ```
  }];
  let arguments = (ins Gnn_GraphType:$graph, Variadic<Gnn_RowTensor>:$edges);
  let results = (outs Gnn_GraphType:$loopless, Variadic<Gnn_RowTensor>:$kept);
  let assemblyFormat = [{
    $graph (`edges` `(` $edges^ `:` type($edges) `)`)? attr-dict `:` qualified(type($graph)) `->` qualified(type($loopless)) (`,` type($kept)^)?
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Gnn_AppendSelfLoopsOp : Gnn_Op<"append_self_loops", [Pure, AttrSizedOperandSegments]> {
  let summary = "Put an edge from each node to itself behind the others";
  let description = [{
    The edges of `graph` in their order, whatever loops are among them, then one
    loop for each node in rising order. `loops` has the new edges' rows of each edge
    tensor given as `edges`.

    C1 dst(graph) = src(graph). C2 rows(edges[i]) = E(graph). C3 there are as many
    `loops` as `edges`; loops[i] has the type of edges[i] but for its rows, one per
    node. C4 the result graph is coo, with the node counts and index type of `graph`
    and an edge count that is `?`. C5 each of `appended` has its operand's type but
    for the rows, one per edge of the result.

    Example:
    ```mlir
    %l, %f = gnn.append_self_loops %g edges(%ef : tensor<?x4xf32>) loops(%lf : tensor<?x4xf32>) : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>, tensor<?x4xf32>
    ```
  }];
  let arguments = (ins Gnn_GraphType:$graph, Variadic<Gnn_RowTensor>:$edges, Variadic<Gnn_RowTensor>:$loops);
  let results = (outs Gnn_GraphType:$looped, Variadic<Gnn_RowTensor>:$appended);
  let assemblyFormat = [{
    $graph (`edges` `(` $edges^ `:` type($edges) `)` `loops` `(` $loops `:` type($loops) `)`)? attr-dict
    `:` qualified(type($graph)) `->` qualified(type($looped)) (`,` type($appended)^)?
  }];
  let hasVerifier = 1;
}

def Gnn_LoopWeightsOp : Gnn_Op<"loop_weights", [Pure]> {
  let summary = "The weight of each node's self loop";
  let description = [{
    out[v] = the weight of the last edge from v to itself, `fill` where there is none:
    what the loops weigh that `gnn.add_self_loops` makes, as a tensor of nodes.

    C1 dst(graph) = src(graph). C2 rows(weights) = E(graph). C3 rows(result) = the
    nodes of `graph`. C4 the result's element type is that of `weights`.

    Example:
    ```mlir
    %lw = gnn.loop_weights %g weights(%ew : tensor<?xf32>) fill 1.0 : !gnn.graph<?x?x?> -> tensor<?xf32>
    ```
  }];
  let arguments = (ins Gnn_GraphType:$graph, 1DTensorOf<[AnyFloat]>:$weights, F64Attr:$fill);
  let results = (outs 1DTensorOf<[AnyFloat]>:$result);
  let assemblyFormat = [{
    $graph `weights` `(` $weights `:` type($weights) `)` `fill` $fill attr-dict `:` qualified(type($graph)) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Gnn_TransposeOp : Gnn_Op<"transpose", [Pure]> {
  let summary = "The same edges in the other direction";
  let description = [{
    Edge e of the result runs from dst(e) to src(e). The order of edges stays, and
    with it every edge tensor: a scatter at src is a scatter at dst of the
    transpose.

    C1 the result is coo with the index type of `graph`; its destinations are the
    sources of `graph`, its sources the destinations, and E is the same.

    Example:
    ```mlir
    %t = gnn.transpose %g : !gnn.graph<?x100x?> -> !gnn.graph<100x?x?>
    ```
  }];
  let arguments = (ins Gnn_GraphType:$graph);
  let results = (outs Gnn_GraphType:$transposed);
  let assemblyFormat = "$graph attr-dict `:` qualified(type($graph)) `->` qualified(type($transposed))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Gnn_ToCsrOp : Gnn_Op<"to_csr", [Pure]> {
  let summary = "Group the edges of a graph by destination";
  let description = [{
    A stable sort of the edges by destination; edge tensors given as `edges` are
    put into the same order. The index type may narrow from i64 to i32: the
    runtime proves that it fits when a graph is bound and refuses it otherwise.

    C1 the result's layout is csr and its extents are those of `graph`.
    C2 rows(edges[i]) = E(graph). C3 each permuted tensor has its operand's type.
    C4 the index type does not widen.

    Example:
    ```mlir
    %c, %w = gnn.to_csr %g edges(%ew : tensor<?xf32>) : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>
    ```
  }];
  let arguments = (ins Gnn_GraphType:$graph, Variadic<Gnn_RowTensor>:$edges);
  let results = (outs Gnn_GraphType:$csr, Variadic<Gnn_RowTensor>:$permuted);
  let assemblyFormat = [{
    $graph (`edges` `(` $edges^ `:` type($edges) `)`)? attr-dict `:` qualified(type($graph)) `->` qualified(type($csr)) (`,` type($permuted)^)?
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Gnn_DegreeOp : Gnn_InferredOp<"degree"> {
  let summary = "Count the edges, or add up their weights, at each node";
  let description = [{
    out[v] = number of edges whose `end` is v, or the sum of their weights.
    Accumulates in f32 (f64 for f64 weights).

    C1 rows(weights) = E(graph). C2 rows(result) = extent of `end`. C3 the
    result's element type is that of `weights`, f32 without weights.

    Example:
    ```mlir
    %d = gnn.degree %g weights(%w : tensor<?xf32>) at dst : !gnn.graph<?x?x?> -> tensor<?xf32>
    ```
  }];
  let arguments = (ins Gnn_GraphType:$graph, Optional<1DTensorOf<[AnyFloat]>>:$weights, Gnn_EndAttr:$end);
  let results = (outs 1DTensorOf<[AnyFloat]>:$result);
  let assemblyFormat = [{
    $graph (`weights` `(` $weights^ `:` type($weights) `)`)? `at` $end attr-dict `:` qualified(type($graph)) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

#endif // GNNC_DIALECTS_GNN_GNNOPSONGRAPHS_TD
