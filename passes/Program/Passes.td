#ifndef GNNC_PASSES_PROGRAM_PASSES_TD
#define GNNC_PASSES_PROGRAM_PASSES_TD

include "mlir/Pass/PassBase.td"

def GnnSetPrecisionPass : Pass<"gnn-set-precision", "::mlir::ModuleOp"> {
  let summary = "Compute in f32 what a program has in f16 or bf16";
  let description = [{
    Needs: a program as written, before any other pass.

    Does: where the program has tensors of f16 or bf16 (`storage=program`), or where
    `storage` asks for it, makes every 16-bit value f32 and drops the conversions
    between them. The type that tensors in memory get back (gnn-narrow-storage) is the
    module attribute `gnn.storage`; arguments and results that had it carry
    `gnn.stored`.

    Leaves: programs of f32 and f64. Fails where f16 and bf16, or f64 and one of them,
    are mixed, and on arith.bitcast of 16-bit values.

    Numerics: values are rounded where they are stored, not after each op; sums were
    f32 before.
  }];
  let options = [Option<"storage", "storage", "std::string", "\"program\"",
                        "program: as the tensors of the program; bf16, f16: store f32 tensors so">];
  let dependentDialects = ["::gnnc::gnn::GnnDialect"];
}

def GnnAddSelfLoopsPass : Pass<"gnn-add-self-loops", "::mlir::func::FuncOp"> {
  let summary = "Add the self loops that a graph argument asks for";
  let description = [{
    Needs: graph ops; run before gnn-normalize, since loops count in a norm.

    Does: where a graph argument carries `gnn.self_loops = fill`, everything that
    follows its edges follows `gnn.add_self_loops` of it instead: one loop at each
    node, existing ones keep their weight, missing ones get `fill`. Edge weights go
    along. With `loops=all`, graph arguments that do not ask get loops too, which
    changes what models like GIN and GraphSAGE compute; with `none` nobody does.
    The attribute goes away.

    Leaves: graphs that only `gnn.add_self_loops` and the like read, so that a second
    run changes nothing. Fails on a graph whose ends have different nodes, whose
    number of edges is fixed, or with edge features, which have no row for a new loop.

    Numerics: those of `gnn.add_self_loops`. `scope` decides how often the loops are
    added, not what is computed.
  }];
  let options = [Option<"loops", "loops", "std::string", "\"marked\"",
                        "marked: graphs that carry gnn.self_loops; all: those that do not, too; none: drop the attribute">,
                 Option<"fill", "fill", "double", "1.0",
                        "Weight of a missing loop where the graph does not say it">,
                 Option<"scope", "scope", "std::string", "\"graph\"",
                        "graph: once for all layers; layer: each layer adds its own">];
  let statistics = [Statistic<"numAdded", "num-added", "gnn.add_self_loops written">];
  let dependentDialects = ["::gnnc::gnn::GnnDialect"];
}

def GnnNormalizePass : Pass<"gnn-normalize", "::mlir::func::FuncOp"> {
  let summary = "Multiply messages by the norm that a graph argument asks for";
  let description = [{
    Needs: graph ops, and no `gnn.self_loops` left on an argument.

    Does: where a graph argument carries `gnn.normalize`, each message that is
    scattered at dst along it, or along the graph with loops added, is multiplied by
    deg(src)^-1/2 deg(dst)^-1/2 (`symmetric`) or 1/deg(dst) (`row`). deg adds up the
    edge weights, where the graph has any, and counts otherwise; infinite powers
    are 0. `kind` asks for one norm on all graph arguments, or for `none`. The
    attribute goes away.

    Leaves: with `kind`, graphs that do not carry the attribute and whose degrees the
    program computes itself (they are normalised already: a second run changes
    nothing) or that an edge softmax runs over, each with a remark. On a graph that
    does carry it the same is an error, and so are scatters at src, a symmetric norm
    between different nodes, and two tensors that could be the weights.

    Numerics: as PyG's gcn_norm; messages are multiplied by the product of the two
    powers.
  }];
  let options = [Option<"kind", "kind", "std::string", "\"marked\"",
                        "marked: what each graph carries; symmetric, row: that for all; none: drop the attribute">,
                 Option<"scope", "scope", "std::string", "\"graph\"",
                        "graph: coefficients once for all layers; layer: each layer computes its own">];
  let statistics = [Statistic<"numNormalized", "num-normalized", "messages multiplied">];
  let dependentDialects = ["::gnnc::gnn::GnnDialect", "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def GnnHoistGraphInvariantsPass : Pass<"gnn-hoist-graph-invariants", "::mlir::ModuleOp"> {
  let summary = "Move what depends on graph and weights alone to @prepare";
  let description = [{
    Needs: one function `@forward` whose arguments say where they come from
    (`gnn.input`, `gnn.weight`, `gnn.graph_data`; graphs carry none).

    Does: turns graphs whose edges are reduced at src around (`gnn.transpose`), so
    that all reductions are at dst; where a graph's edges are reduced at both
    ends, what is reduced at src is computed over the transpose once more (a
    softmax that one end's edges need of the other is spelt out). Puts the edges of every graph that messages
    follow in csr order, once, right after the graph is made (after added self loops); edge tensors that
    were bound or made in the old order follow through `gnn.to_csr`. Then moves
    every op that depends on no `gnn.input`, directly or not, to `@prepare`,
    which runs once per bound graph. What `@forward` still needs of it is
    returned by `@prepare` and becomes an argument `gnn.prepared = i` of
    `@forward`. Fills, broadcasts, constants, sizes and gathers are repeated
    where they are used instead of being kept in memory between the two.

    Leaves: unused arguments are dropped, except inputs, which callers pass by
    name. A module that has `@prepare` already is left alone. Fails when an
    edge tensor cannot follow the new order: it is an input, a result, is used
    with two graphs, or is read by an op that mixes rows.

    Numerics: every value is computed by the same ops. The order of edges is
    stable within a destination, so sums at destinations add up in the same
    order.
  }];
  let options = [Option<"index", "index", "std::string", "\"i32\"",
                        "Index type of csr graphs, i32 or i64; a graph with i32 indices is never widened">];
  let statistics = [Statistic<"numHoisted", "num-hoisted", "ops moved to @prepare">,
                    Statistic<"numPrepared", "num-prepared", "values returned by @prepare">];
  let dependentDialects = ["::gnnc::gnn::GnnDialect", "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

def GnnScaleRowsPass : Pass<"gnn-scale-rows", "::mlir::func::FuncOp"> {
  let summary = "Scale rows of nodes instead of every edge's message";
  let description = [{
    Needs: graph ops; run before gnn-hoist-graph-invariants, which would store the
    product as a coefficient per edge, and before fusion.

    Does: in a message summed (or averaged) at dst, takes apart the coefficient that
    multiplies a row: x[src] * (s[src] * w * d[dst]). Numbers of the destination
    become a factor of the sum, numbers of the source one of its row; only w, what
    really differs from edge to edge, stays a number per edge. GCN's symmetric norm
    without edge weights then has no edge tensor at all. d is 0 where no edge
    arrives, unless the graph has loops at all nodes.

    Leaves: numbers that depend on a `gnn.input`, coefficients that are no product of
    node scalars, rows of one number, other reductions; each pattern says why.

    Numerics: products and sums in another order. A row of messages that are all
    infinite with both signs is infinite or NaN in another place.
  }];
  let statistics = [Statistic<"numScaled", "num-scaled", "sums whose coefficients were taken apart">];
  let dependentDialects = ["::gnnc::gnn::GnnDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def GnnMoveRowScalesPass : Pass<"gnn-move-row-scales", "::mlir::func::FuncOp"> {
  let summary = "Move row scalings into the epilogue that makes the rows";
  let description = [{
    Needs: fused aggregates with their epilogues; run gnn-fuse-epilogue before, so
    that what an aggregate makes is its result, and after, to take the scalings in.

    Does: aggregate(h W) { x * s[src] } -> aggregate((h * s) W) { x }, and
    (h W) * d -> (h * d) W, where h is the result of an aggregate and the matrix
    product in between may be missing: a number per node is multiplied in an
    epilogue, for nothing, instead of for every edge or in a pass over memory of
    its own.

    Leaves: rows that no aggregate makes (the scaling stays a factor of the message,
    one number read per edge), rows with other readers, messages that are no product
    of one source row and numbers; each pattern says why.

    Numerics: products in another order.
  }];
  let statistics = [Statistic<"numMoved", "num-moved", "scalings moved to the epilogue before">];
  let dependentDialects = ["::gnnc::gnn::GnnDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def GnnFuseAggregatePass : Pass<"gnn-fuse-aggregate", "::mlir::func::FuncOp"> {
  let summary = "Turn gather, elementwise, scatter into one traversal";
  let description = [{
    Needs: graph ops over tensors with static features; csr or coo.

    Does: replaces each `gnn.scatter` at `dst` by a `gnn.aggregate` whose message
    region computes what led to the scattered tensor, row by row: elementwise
    `arith` and `math` ops, broadcasts of edge scalars or parameters, fills,
    constants, reductions over features (`linalg.reduce`), reshapes of features,
    elementwise `linalg.generic`, and gathers at either end. Tensors the chain
    does not explain stay operands, one row per edge.

    A sum of rows times a `gnn.segment_softmax` over the same graph at `dst` takes
    the scores along: it becomes the reduction `softmax`, and an epilogue divides
    by the denominator + 1e-16, so that attention is one traversal.

    A reduction over features of another width than the message's (scores of wide keys,
    narrow values) becomes a `gnn.map` over the edges: it stores a number for each, and
    the rows that it reduces are never stored.

    Then aggregates over one graph that read a common source tensor and have rows of
    one width (mean and max of neighbours) become one with several results.

    Leaves: `tensor.empty`, fills and sizes without use (run canonicalize and
    cse). Not fused: scatter at `src`; a message that something other than
    scatters over the same graph reads. A chain value with a use elsewhere stays
    an edge tensor, and so does a softmax that is read elsewhere, occurs twice in
    the product, or has scores of more than one extent behind the edge. Row
    counts are taken from arguments where possible, so that they keep no edge
    tensor alive.

    Numerics: reduction, `acc` and the order of operations per edge are kept; the
    division of a softmax comes after the sum instead of before.
  }];
  let options = [Option<"maxResults", "max-results", "unsigned", "4",
                        "Results that aggregates over the same rows may have when they share a traversal; 1 keeps them apart">];
  let statistics = [Statistic<"numFused", "num-fused", "scatters fused">,
                    Statistic<"numShared", "num-shared", "aggregates that joined another's traversal">];
  let dependentDialects = ["::gnnc::gnn::GnnDialect", "::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect"];
}

def GnnMultiplyInMessagesPass : Pass<"gnn-multiply-in-messages", "::mlir::ModuleOp"> {
  let summary = "Multiply the features of an edge by a weight where the edge is walked";
  let description = [{
    Needs: `@prepare` and `@forward` behind gnn-hoist-graph-invariants, before
    gnn-fuse-aggregate.

    Does: where `@forward` reads a product of edge rows and a weight that `@prepare`
    made, passes the rows and the weight instead (transposed, so that it has a row per
    feature) and multiplies in `@forward`, as a linalg.contract. Fusion computes that in
    the message, so that no tensor of edges x width is stored (GATv2 with edge features).

    Leaves: products with no more numbers an edge than it has features, where nothing
    adds those up (GAT's scores, one per head); --explain says so.

    Numerics: the products of an edge are added in the order of its features.
  }];
  let statistics = [Statistic<"numProducts", "num-products", "products that messages compute">];
  let dependentDialects = ["::gnnc::gnn::GnnDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def GnnReorderLinearPass : Pass<"gnn-reorder-linear", "::mlir::func::FuncOp"> {
  let summary = "Transform before or after aggregating, whichever gathers less";
  let description = [{
    Needs: `gnn.aggregate` without epilogue next to a `linalg.matmul`; run after
    gnn-fuse-aggregate and before gnn-fuse-epilogue.

    Does: aggregate(x W) <-> aggregate(x) W, where the message is the source row
    times factors that are the same for all of its features (edge weights, norm
    coefficients), and the reduction is sum or mean. `auto` compares the bytes
    gathered and stored, and the work of the product where the graph's extents
    are known and its ends differ; equal costs leave the program as written. What
    stands between aggregate and product goes behind both: a number per row
    (gnn-scale-rows), and the row itself times one (GIN), which shares the product:
    (aggregate(x) + x c) W -> aggregate(x W) + (x W) c.

    Leaves: everything else; each pattern says why in its match failure: several
    users of the product, factors per feature, max, min or mul, an epilogue, an
    accumulator that is not zero.

    Numerics: products and sums are exchanged, so results differ by rounding.
  }];
  let options = [Option<"order", "order", "std::string", "\"auto\"",
                        "auto (by cost), transform-first or aggregate-first (wherever legal)">];
  let statistics = [Statistic<"numAggregateFirst", "num-aggregate-first", "products moved behind their aggregate">,
                    Statistic<"numTransformFirst", "num-transform-first", "products moved before their aggregate">];
  let dependentDialects = ["::gnnc::gnn::GnnDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def GnnReorderAttentionPass : Pass<"gnn-reorder-attention", "::mlir::func::FuncOp"> {
  let summary = "Sum the rows of attention before their product, for all heads at once";
  let description = [{
    Needs: attention as written, a sum over edges of the heads of a product,
    each weighed by a `gnn.segment_softmax`; run before
    gnn-hoist-graph-invariants and gnn-fuse-aggregate.

    Does: sum_e alpha_eh (x[u] W_h) -> (sum_e alpha_eh x[u]) W_h. The row of x is
    read once for all heads; a head's sum meets the head's part of W in a
    `linalg.contract`. Scores that are dot products with the heads of x W become
    x (W_h a_h), so that x W is not computed; a scale behind the products goes
    into W. `auto` does so where rows of x are a quarter of those of x W or less
    and fewer bytes are moved (degree 8 where it is not known).

    Leaves: a product that something else reads, messages that are more than
    weighed heads, several element types; `transform-first` leaves everything.

    Numerics: products and sums are exchanged, so results differ by rounding.
  }];
  let options = [Option<"order", "order", "std::string", "\"auto\"",
                        "auto (by cost), transform-first (as written) or aggregate-first (wherever legal)">];
  let statistics = [Statistic<"numAggregateFirst", "num-aggregate-first", "attentions whose product moved behind the sums">,
                    Statistic<"numScores", "num-scores", "scores taken from rows before their product">];
  let dependentDialects = ["::gnnc::gnn::GnnDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def GnnFuseEpiloguePass : Pass<"gnn-fuse-epilogue", "::mlir::func::FuncOp"> {
  let summary = "Compute what follows an aggregate on its row while it is in registers";
  let description = [{
    Needs: `gnn.aggregate` with one result (run gnn-fuse-aggregate first).

    Does: takes the largest group of ops behind the result that compute row by row
    and from which a single value leaves (bias, activation, residual, scaling by
    node scalars, batch norm, heads side by side, mean of heads; branches that
    join again are one group) and puts it into the epilogue region. Other node
    tensors that the group reads become `dst` operands, parameters `param`
    operands; elementwise ops that only feed the group come along.

    Leaves: groups from which more than one value leaves, beyond the point where
    one does. Tails of matrix products are left to gnn-form-kernels.

    Numerics: the same operations in the same order.
  }];
  let statistics = [Statistic<"numFused", "num-fused", "ops moved into epilogues">];
  let dependentDialects = ["::gnnc::gnn::GnnDialect", "::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect"];
}

def GnnFoldInferencePass : Pass<"gnn-fold-inference", "::mlir::func::FuncOp"> {
  let summary = "Fold what is known before the first run into weights and biases";
  let description = [{
    Needs: a function whose arguments say which are weights; run before
    gnn-hoist-graph-invariants, which moves the new weights to @prepare.

    Does: a batch norm in inference mode is a scale and a shift per feature, as are
    biases and constant factors. Products of scales are merged, and so are sums of
    shifts, also a shift with one inside of the sum that it shifts; a scale behind a
    matrix product, behind a sum of such products, or in front of one goes into its
    weight. So do dot products with weights, one per head, that are all that is read of
    a product (GAT's edge features): one number per row and head is left of it. Subtraction and division of per-feature weights are rewritten to those;
    a factor of 1 goes away.

    Leaves: values that something else reads too; scales that depend on an input;
    scales and shifts behind an aggregate, where gnn-fuse-epilogue puts them.

    Numerics: equal in exact arithmetic, other roundings.
  }];
  let statistics = [Statistic<"numFolded", "num-folded", "rewrites">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def GnnRaiseToGraphPass : Pass<"gnn-raise-to-graph", "::mlir::func::FuncOp"> {
  let summary = "Turn gathers and scatters by index tensors into graph ops";
  let description = [{
    Needs: one SSA value per index tensor (run canonicalize and cse first).

    Does: finds index tensors that belong together, because what is gathered by one
    is scattered by another, row by row. Two of them are the ends of one edge list:
    `gnn.gather_at` and `gnn.scatter_at` over them become `gnn.gather` and
    `gnn.scatter` over one graph, whose destinations are what the first scatter
    writes to. The graph is built by `gnn.graph`; where the two are rows 0 and 1 of
    a `[2, E]` argument `gnn.graph_data = "edge_index"` of `@forward`, it is a graph
    argument instead, and `edge_index` goes when nothing else reads it.

    Leaves: index tensors that nothing is reduced by (a look-up), a single one
    (pooling by a batch vector), more than two in one group, rows that have an order
    of their own (nodes that are pooled in two ways), and ends whose node counts are
    not known to be the same everywhere; each is a remark.

    Numerics: the same rows in the same order.
  }];
  let statistics = [Statistic<"numRaised", "num-raised", "edge lists that became graphs">];
  let dependentDialects = ["::gnnc::gnn::GnnDialect", "::mlir::tensor::TensorDialect"];
}

def GnnIndexToGraphPass : Pass<"gnn-index-to-graph", "::mlir::func::FuncOp"> {
  let summary = "Give look-ups, pooling and segments graphs of their own";
  let description = [{
    Needs: gnn-raise-to-graph before it, which finds the index tensors that are
    edge lists.

    Does: `gnn.gather_at`, `gnn.scatter_at`, `gnn.segment_reduce`, and
    `gnn.segment_softmax` over a row pointer become gather, scatter and softmax over
    a `gnn.index_graph`. What is scattered is gathered at the graph's sources first:
    rows are nodes of it, so edges may be sorted.

    Leaves: everything else. Whether the index tensor is one that can be bound is
    looked at when kernels are formed.

    Numerics: the same rows; sums in the order of the rows.
  }];
  let options = [Option<"index", "index", "std::string", "\"i32\"",
                        "Index type of the graphs: i32, or i64 for more than 2^31 rows; "
                        "i32 stays i32">];
  let statistics = [Statistic<"numRewritten", "num-rewritten", "ops that follow a graph now">];
  let dependentDialects = ["::gnnc::gnn::GnnDialect", "::mlir::tensor::TensorDialect"];
}

def GnnSimplifyDensePass : Pass<"gnn-simplify-dense", "::mlir::func::FuncOp"> {
  let summary = "Write dense ops as rows times a matrix and as ops on rows";
  let description = [{
    Needs: nothing.

    Does: a product takes the matrix that a linalg.transpose of its own turned; a
    product onto something else is one onto zeros and a sum (bias, residual); a
    product of concatenated features is the sum of products with parts of the
    matrix; linalg.matvec is an elementwise product and a sum over features; a
    linalg.generic that multiplies matrices is linalg.matmul; named elementwise
    linalg ops are linalg.generic, and linalg.copy is what it copies; masks (i1)
    are gathered as bytes, for memory has no single bits.

    Leaves: everything else; products of integers onto something.

    Numerics: what a product accumulated onto is added after it instead of before;
    parts of a concatenation are summed on their own.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect", "::mlir::arith::ArithDialect"];
}

def GnnRaiseSoftmaxPass : Pass<"gnn-raise-softmax", "::mlir::func::FuncOp"> {
  let summary = "Recognise the five steps of an edge softmax as gnn.segment_softmax";
  let description = [{
    Needs: graph ops.

    Does: replaces exp(s - max) / (sum + 1e-16), where max and sum are scattered
    and gathered over one graph at one end, by `gnn.segment_softmax`. The small
    number may be added to the nodes' sums or to what edges gather, or be absent:
    sums are at least 1, so its bits are lost anyway.

    Leaves: steps that are read elsewhere too stay beside it. Other numbers added,
    several graphs or ends in one chain, no maximum subtracted: not a softmax that
    the dialect's numerics allow.

    Numerics: for f32 and f64 the same; 16 bit values are rounded once instead of
    after each step.
  }];
  let statistics = [Statistic<"numRaised", "num-raised", "chains raised">];
  let dependentDialects = ["::gnnc::gnn::GnnDialect"];
}

def GnnCleanUpPass : Pass<"gnn-clean-up"> {
  let summary = "Fold ops, merge equal ones, erase those that nobody reads";
  let description = [{
    Needs: nothing.

    Does: what upstream's canonicalize and cse do, one after the other; the op
    that takes the place of another gets its location too.

    Leaves: ops with effects.

    Numerics: unchanged.
  }];
}

def GnnExpandSoftmaxPass : Pass<"gnn-expand-softmax", "::mlir::func::FuncOp"> {
  let summary = "Write what is left of gnn.segment_softmax as scatters and gathers";
  let description = [{
    Needs: run after gnn-fuse-aggregate, which takes along every softmax that only
    weighs sums; kernels have no form for the op itself.

    Does: replaces `gnn.segment_softmax` over a graph by its definition: scatter
    max, gather, subtract, exp, scatter sum, gather, add 1e-16, divide. Run
    gnn-fuse-aggregate again to make traversals of the two scatters.

    Leaves: the form over a row pointer, which has no kernel.

    Numerics: those of the op; computed in `acc` and rounded once.
  }];
  let statistics = [Statistic<"numExpanded", "num-expanded", "softmaxes expanded">];
  let dependentDialects = ["::gnnc::gnn::GnnDialect", "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def GnnVerifyFusedPass : Pass<"gnn-verify-fused", "::mlir::func::FuncOp"> {
  let summary = "Check that no tensor has one row per edge and several features";
  let description = [{
    Needs: to be run behind fusion; changes nothing.

    Does: fails at the first op whose result has the rows of a graph's edges and
    more than `features` elements in each of them, and names both. A coefficient
    per edge (one number, or one per head with `features`) is what fusion leaves.

    Leaves: function arguments (edge features that were bound with the graph) and what
    ops on graphs make of them (their order, without or with rows for loops); functions with `gnn.kernel`;
    tensors that no op reads.
  }];
  let options = [Option<"features", "features", "int64_t", "1",
                        "Elements that an edge's row may have">];
}

def GnnVirtualSelfLoopsPass : Pass<"gnn-virtual-self-loops", "::mlir::ModuleOp"> {
  let summary = "Compute what added self loops send in epilogues, and store no loop";
  let description = [{
    Needs: `@prepare` and `@forward` behind gnn-hoist-graph-invariants and fusion.

    Does: where `@prepare` adds self loops without weights and only aggregates and
    counts follow the result, the loops are removed instead (those that the graph
    came with), and each aggregate's epilogue begins with the message of its node to
    itself. It joins a sum by addition, a mean by one division for all, a maximum or
    minimum unless there is no other edge, and a softmax by the step of an online
    softmax: all three accumulators move to the larger maximum. Counts add 1.

    Leaves: loops as edges, with a remark that says why, where loops have weights
    (an existing one keeps its own, which no node tensor holds), where messages read
    a tensor with a row per edge, where one is made in `@prepare`, where
    something other than an aggregate follows the edges, and where a kernel could not
    tell heads from features any more.

    Numerics: the loop's term is added last; otherwise the same.
  }];
  let statistics = [Statistic<"numGraphs", "num-graphs", "graphs whose added loops are not stored">,
                    Statistic<"numAggregates", "num-aggregates", "aggregates that add what a loop sends">];
  let dependentDialects = ["::gnnc::gnn::GnnDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect", "::mlir::vector::VectorDialect"];
}

def GnnSpecializeShapesPass : Pass<"gnn-specialize-shapes", "::mlir::ModuleOp"> {
  let summary = "Make extents of the bound graph constants";
  let description = [{
    Needs: `@forward`, with `@prepare` behind gnn-hoist-graph-invariants.

    Does: gives the graph argument, and the graphs that are made of it, the extents
    `dst`, `src` and `edges`. gnn-build-plan then finds numbers where it found
    symbols: sizes, grids and offsets are constants, each extent is a guard, and an index
    of 32 bits is proven, or refused, when the program is compiled.

    Leaves: extents that are not asked for (-1), which stay run-time values; edge
    counts that `@prepare` finds; rows of tensors, which the graph's extents give; graphs of
    index tensors. Fails where the program has another number.

    Numerics: unchanged.
  }];
  let options = [Option<"dst", "dst", "int64_t", "-1", "destination nodes; -1: any number">,
                 Option<"src", "src", "int64_t", "-1", "source nodes; -1: any number">,
                 Option<"edges", "edges", "int64_t", "-1", "edges; -1: any number">];
  let statistics = [Statistic<"numGraphs", "num-graphs", "graph values whose extents became numbers">];
  let dependentDialects = ["::gnnc::gnn::GnnDialect"];
}

#endif // GNNC_PASSES_PROGRAM_PASSES_TD
