// RUN: gnn-opt %s --gnn-build-plan --split-input-file --verify-diagnostics

// expected-error @+1 {{gnn-build-plan: the module has no gnn.target attribute, for example #gnn.target<cpu, "generic">}}
module {
  func.func @forward() {
    return
  }
}

// -----

// expected-error @+1 {{gnn-build-plan: the module has no function @forward}}
module attributes {gnn.target = #gnn.target<cpu, "generic">} {
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  // expected-error @+1 {{gnn-build-plan: the function must have a body of one block}}
  func.func private @forward()
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  // expected-error @+1 {{argument 0 is result 0 of @prepare, which has 0 results}}
  func.func @forward(%a: tensor<4xf32> {gnn.prepared = 0 : i64}) {
    return
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func @prepare(%w: tensor<5xf32> {gnn.weight = "w"}) -> tensor<5xf32> {
    return %w : tensor<5xf32>
  }
  // expected-error @+1 {{argument 0 is 'tensor<4xf32>', result 0 of @prepare is 'tensor<5xf32>'}}
  func.func @forward(%a: tensor<4xf32> {gnn.prepared = 0 : i64}) {
    return
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  // expected-error @+1 {{argument 0 is a csr graph ('!gnn.graph<?x?x?, csr>'); a program takes its edge list, a coo graph}}
  func.func @forward(%g: !gnn.graph<?x?x?, csr>) {
    return
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  // expected-error @+1 {{argument 1 is a second graph ('!gnn.graph<?x?x?>'); a plan has one}}
  func.func @forward(%g: !gnn.graph<?x?x?>, %h: !gnn.graph<?x?x?>) {
    return
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func @prepare(%g: !gnn.graph<?x?x?>) {
    return
  }
  // expected-error @+1 {{argument 0 is the graph '!gnn.graph<?x?x?, i32>', in @prepare it is '!gnn.graph<?x?x?>'}}
  func.func @forward(%g: !gnn.graph<?x?x?, i32>) {
    return
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func @prepare(%w: tensor<5xf32> {gnn.weight = "w"}) {
    return
  }
  // expected-error @+1 {{'w' is input 'tensor<5xf32>' here and weight 'tensor<5xf32>' elsewhere}}
  func.func @forward(%a: tensor<5xf32> {gnn.input = "w"}) {
    return
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  // expected-error @+1 {{argument 0 ('tensor<5xf32>') says not where it comes from; it needs gnn.input, gnn.weight, gnn.graph_data, gnn.index or gnn.prepared}}
  func.func @forward(%a: tensor<5xf32>) {
    return
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  // expected-error @+1 {{result 0 of @forward has no gnn.output attribute that names it}}
  func.func @forward(%a: tensor<5xf32> {gnn.input = "x"}) -> tensor<5xf32> {
    return %a : tensor<5xf32>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  // expected-error @+1 {{result 0 ('y') is argument 0 of @forward itself; an output is computed by a kernel, read that tensor where it comes from}}
  func.func @forward(%a: tensor<5xf32> {gnn.input = "x"}) -> (tensor<5xf32> {gnn.output = "y"}) {
    return %a : tensor<5xf32>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func private @product(%a: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {gnn.kernel = "gemm"} {
    %zeros = arith.constant dense<0.0> : tensor<8x8xf32>
    %c = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%zeros : tensor<8x8xf32>) -> tensor<8x8xf32>
    return %c : tensor<8x8xf32>
  }
  // expected-error @+1 {{result 1 ('z') is the same value as output 'y'; return it once}}
  func.func @forward(%x: tensor<8x8xf32> {gnn.input = "x"}) -> (tensor<8x8xf32> {gnn.output = "y"}, tensor<8x8xf32> {gnn.output = "z"}) {
    %y = call @product(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %y, %y : tensor<8x8xf32>, tensor<8x8xf32>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func private @product(%a: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {gnn.kernel = "gemm"} {
    %zeros = arith.constant dense<0.0> : tensor<8x8xf32>
    %c = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%zeros : tensor<8x8xf32>) -> tensor<8x8xf32>
    return %c : tensor<8x8xf32>
  }
  // expected-error @+1 {{result 0 ('x') has the name of an argument or of another output; names are unique}}
  func.func @forward(%x: tensor<8x8xf32> {gnn.input = "x"}) -> (tensor<8x8xf32> {gnn.output = "x"}) {
    %y = call @product(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %y : tensor<8x8xf32>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func @forward(%g: !gnn.graph<?x?x?>) {
    // expected-error @+1 {{runs once per graph; run gnn-hoist-graph-invariants to move it to @prepare}}
    %csr = gnn.to_csr %g : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>
    return
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func @forward(%x: tensor<8xf32> {gnn.input = "x"}) {
    // expected-error @+1 {{cannot be planned: after gnn-form-kernels @prepare and @forward hold calls of kernels, gnn.graph, gnn.index_graph, gnn.add_self_loops, gnn.remove_self_loops, gnn.append_self_loops, gnn.loop_weights, gnn.transpose, gnn.to_csr and parts of weights}}
    %y = arith.negf %x : tensor<8xf32>
    return
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func private @other(tensor<8xf32>)
  func.func @forward(%x: tensor<8xf32> {gnn.input = "x"}) {
    // expected-error @+1 {{@other is no kernel function (attribute gnn.kernel); run gnn-form-kernels first}}
    call @other(%x) : (tensor<8xf32>) -> ()
    return
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  // expected-error @+1 {{the rows of 'tensor<?x4xf32>' follow from no extent of a graph (argument 0); make the extent static}}
  func.func @forward(%x: tensor<?x4xf32> {gnn.input = "x"}) {
    return
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  // expected-error @+1 {{tensor 'tensor<4x?xf32>' has an unknown extent in dimension 1; only rows may be symbolic}}
  func.func @forward(%x: tensor<4x?xf32> {gnn.input = "x"}) {
    return
  }
}

// -----

module attributes {gnn.target = #gnn.target<cuda, "sm_90">} {
  func.func private @sum(%g: !gnn.graph<?x?x?, i32, csr>, %h: tensor<?x16xf32>) -> tensor<?x16xf32> attributes {gnn.kernel = "aggregate"} {
    // expected-error @+1 {{has no #gnn.gpu_schedule; run gnn-assign-schedules first}}
    %o = gnn.aggregate %g src(%h : tensor<?x16xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?x16xf32> message {
    ^bb0(%x: vector<16xf32>):
      gnn.yield %x : vector<16xf32>
    }
    return %o : tensor<?x16xf32>
  }
  func.func @prepare(%g: !gnn.graph<?x?x?>) -> !gnn.graph<?x?x?, i32, csr> {
    %csr = gnn.to_csr %g : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>
    return %csr : !gnn.graph<?x?x?, i32, csr>
  }
  func.func @forward(%x: tensor<?x16xf32> {gnn.input = "x"}, %csr: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64}) -> (tensor<?x16xf32> {gnn.output = "y"}) {
    %y = call @sum(%csr, %x) : (!gnn.graph<?x?x?, i32, csr>, tensor<?x16xf32>) -> tensor<?x16xf32>
    return %y : tensor<?x16xf32>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func private @norm(%g: !gnn.graph<?x?x?, i32, csr>, %a: tensor<10xf32>, %b: tensor<12xf32>) -> tensor<?xf32> attributes {gnn.kernel = "aggregate"} {
    %o = gnn.aggregate %g src(%a, %b : tensor<10xf32>, tensor<12xf32>) reduce [sum] acc f32 schedule(#gnn.cpu_schedule<tile = 16, prefetch = 8>) : !gnn.graph<?x?x?, i32, csr> -> tensor<?xf32> message {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %x, %y : f32
      gnn.yield %s : f32
    }
    return %o : tensor<?xf32>
  }
  func.func @prepare(%g: !gnn.graph<?x?x?>) -> !gnn.graph<?x?x?, i32, csr> {
    %csr = gnn.to_csr %g : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>
    return %csr : !gnn.graph<?x?x?, i32, csr>
  }
  func.func @forward(%a: tensor<10xf32> {gnn.input = "a"}, %b: tensor<12xf32> {gnn.input = "b"}, %csr: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64}) -> (tensor<?xf32> {gnn.output = "y"}) {
    // expected-error @+1 {{extents that must be equal are 10 ('!gnn.graph<?x?x?, i32, csr>') and 12 ('tensor<12xf32>')}}
    %y = call @norm(%csr, %a, %b) : (!gnn.graph<?x?x?, i32, csr>, tensor<10xf32>, tensor<12xf32>) -> tensor<?xf32>
    return %y : tensor<?xf32>
  }
}

// -----

// Edges with self loops are counted by prepare; a guard on them would come too late.
module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func private @scale(%g: !gnn.graph<?x?x?, i32, csr>, %w: tensor<50xf32>) -> tensor<50xf32> attributes {gnn.kernel = "map"} {
    %o = gnn.map over %g : !gnn.graph<?x?x?, i32, csr> rows(%w : tensor<50xf32>) schedule(#gnn.cpu_schedule<tile = 16, prefetch = 8>) -> tensor<50xf32> {
    ^bb0(%x: f32):
      gnn.yield %x : f32
    }
    return %o : tensor<50xf32>
  }
  func.func @prepare(%g: !gnn.graph<?x?x?>) -> !gnn.graph<?x?x?, i32, csr> {
    %l = gnn.add_self_loops %g fill 1.0 : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
    %csr = gnn.to_csr %l : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>
    return %csr : !gnn.graph<?x?x?, i32, csr>
  }
  // expected-error @+1 {{'e.loops' must equal 50, which is not known before prepare has run}}
  func.func @forward(%w: tensor<50xf32> {gnn.input = "w"}, %csr: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64}) -> (tensor<50xf32> {gnn.output = "y"}) {
    %y = call @scale(%csr, %w) : (!gnn.graph<?x?x?, i32, csr>, tensor<50xf32>) -> tensor<50xf32>
    return %y : tensor<50xf32>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func @prepare(%g: !gnn.graph<?x?x3000000000>) -> !gnn.graph<?x?x3000000000, i32, csr> {
    %csr = gnn.to_csr %g : !gnn.graph<?x?x3000000000> -> !gnn.graph<?x?x3000000000, i32, csr>
    return %csr : !gnn.graph<?x?x3000000000, i32, csr>
  }
  // expected-error @+1 {{3000000000 edges do not fit 32-bit indices (at most 2147483647); compile with 64-bit indices}}
  func.func @forward() {
    return
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func @prepare(%i: index) {
    return
  }
  // expected-error @-3 {{argument 0 ('index') says not where it comes from; it needs gnn.input, gnn.weight, gnn.graph_data, gnn.index or gnn.prepared}}
  func.func @forward() {
    return
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func private @k(%x: tensor<8xf32>) attributes {gnn.kernel = "map"} {
    %o = gnn.map rows(%x : tensor<8xf32>) schedule(#gnn.cpu_schedule<tile = 16, prefetch = 8>) -> tensor<8xf32> {
    ^bb0(%a: f32):
      gnn.yield %a : f32
    }
    return
  }
  func.func @forward(%x: tensor<8xf32> {gnn.input = "x"}) {
    // expected-error @+1 {{kernel @k has no result to compute}}
    call @k(%x) : (tensor<8xf32>) -> ()
    return
  }
}

// -----

// A csr graph stores no destination with each edge.
module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func @prepare(%g: !gnn.graph<?x?x?>) -> !gnn.graph<?x?x?> {
    %csr = gnn.to_csr %g : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, csr>
    // expected-error @+1 {{transposes a csr graph ('!gnn.graph<?x?x?, csr>'), whose destinations are not stored edge by edge; transpose the coo graph that it was made of}}
    %t = gnn.transpose %csr : !gnn.graph<?x?x?, csr> -> !gnn.graph<?x?x?>
    return %t : !gnn.graph<?x?x?>
  }
  func.func @forward(%t: !gnn.graph<?x?x?> {gnn.prepared = 0 : i64}) {
    return
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func @forward(%g: !gnn.graph<?x?x?>) {
    // expected-error @+1 {{runs once per graph; run gnn-hoist-graph-invariants to move it to @prepare}}
    %l = gnn.remove_self_loops %g : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
    return
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func @forward(%x: tensor<8x4xf32> {gnn.input = "x"}) {
    // expected-error @+1 {{takes 'tensor<8x2xf32>' out of 'tensor<8x4xf32>', which is not known before each run; only parts of weights, of extents that are numbers, without strides can be planned}}
    %y = tensor.extract_slice %x[0, 0] [8, 2] [1, 1] : tensor<8x4xf32> to tensor<8x2xf32>
    return
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func @forward(%x: tensor<8x4xf32> {gnn.input = "x"}) {
    %e = tensor.empty() : tensor<4x8xf32>
    // expected-error @+1 {{transposes 'tensor<8x4xf32>'; what can be planned is that of a matrix of known extents, in @prepare}}
    %y = linalg.transpose ins(%x : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) permutation = [1, 0]
    return
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func @prepare(%g: !gnn.graph<?x?x?>, %w: tensor<8x4xf32> {gnn.weight = "w"}) -> tensor<4x4xf32> {
    // expected-error @+1 {{takes 'tensor<4x4xf32>' out of 'tensor<8x4xf32>'; only parts of weights, of extents that are numbers, without strides can be planned}}
    %y = tensor.extract_slice %w[0, 0] [4, 4] [2, 1] : tensor<8x4xf32> to tensor<4x4xf32>
    return %y : tensor<4x4xf32>
  }
  func.func @forward(%w: tensor<4x4xf32> {gnn.prepared = 0 : i64}) {
    return
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func @prepare(%i: tensor<?xi64> {gnn.index = "i"}) -> !gnn.graph<?x?x?> {
    %c0 = arith.constant 0 : index
    %d = tensor.dim %i, %c0 : tensor<?xi64>
    %n = arith.addi %d, %d : index
    // expected-error @+1 {{builds a graph with a computed number of nodes; make it a number, or the rows of a tensor (tensor.dim)}}
    %g = gnn.index_graph scatter %i nodes(%n) : tensor<?xi64> -> !gnn.graph<?x?x?>
    return %g : !gnn.graph<?x?x?>
  }
  func.func @forward(%g: !gnn.graph<?x?x?> {gnn.prepared = 0}) { return }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func @prepare(%p: tensor<4xi64> {gnn.index = "p"}, %i: tensor<?xi64> {gnn.index = "i"}) -> !gnn.graph<?x8x?, i64, csr> {
    %c5 = arith.constant 5 : index
    // expected-error @+1 {{builds a graph of 5 nodes whose tensors have 3 rows}}
    %g = gnn.graph %p, %i nodes(%c5) : tensor<4xi64>, tensor<?xi64> -> !gnn.graph<?x8x?, i64, csr>
    return %g : !gnn.graph<?x8x?, i64, csr>
  }
  func.func @forward(%g: !gnn.graph<?x8x?, i64, csr> {gnn.prepared = 0}) { return }
}

// -----

// Rows that no tensor has, cut by a row pointer that is not bound with the graph.
module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func @prepare(%p: tensor<4xi64> {gnn.weight = "p"}) -> !gnn.graph<3x?x?, i64, csr> {
    // expected-error @+1 {{builds a graph whose extent 1 (of dst, src, edges) nothing tells; give it in the graph's type}}
    %g = gnn.index_graph segments %p : tensor<4xi64> -> !gnn.graph<3x?x?, i64, csr>
    return %g : !gnn.graph<3x?x?, i64, csr>
  }
  func.func @forward(%g: !gnn.graph<3x?x?, i64, csr> {gnn.prepared = 0}) { return }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  // expected-error @+1 {{tensor 'tensor<5xi1>' cannot be stored: memory holds f16, bf16, f32, f64, i8, i32 and i64; convert it where it is made, such as by arith.uitofp}}
  func.func @forward(%x: tensor<5xf32> {gnn.input = "x"}) -> (tensor<5xi1> {gnn.output = "y"}) {
    %y = call @map_0(%x) : (tensor<5xf32>) -> tensor<5xi1>
    return %y : tensor<5xi1>
  }
  func.func private @map_0(%x: tensor<5xf32>) -> tensor<5xi1> attributes {gnn.kernel = "map"} {
    %y = gnn.map rows(%x : tensor<5xf32>) -> tensor<5xi1> {
    ^bb0(%a: f32):
      %zero = arith.constant 0.0 : f32
      %c = arith.cmpf ogt, %a, %zero : f32
      gnn.yield %c : i1
    }
    return %y : tensor<5xi1>
  }
}
