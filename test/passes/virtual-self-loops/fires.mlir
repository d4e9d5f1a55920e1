// RUN: gnn-opt %s --gnn-virtual-self-loops --canonicalize --cse --split-input-file | FileCheck %s
// Twice is once.
// RUN: gnn-opt %s --gnn-virtual-self-loops --canonicalize --cse --split-input-file > %t.once
// RUN: gnn-opt %t.once --gnn-virtual-self-loops --canonicalize --cse --split-input-file | diff %t.once -

// A sum: the loop's message is added before the epilogue that was there. Counts
// (a degree) have one edge more than the graph.
// CHECK-LABEL: func @prepare(
// CHECK-SAME:    %[[G:.*]]: !gnn.graph<?x?x?>)
// CHECK:         %[[R:.*]] = gnn.remove_self_loops %[[G]]
// CHECK:         %[[C:.*]] = gnn.to_csr %[[R]]
// CHECK:         %[[D:.*]] = gnn.degree %[[C]] at dst
// CHECK:         %[[D1:.*]] = arith.addf %[[D]]
// CHECK:         %[[P:.*]] = math.rsqrt %[[D1]]
// CHECK:         return %[[C]], %[[P]]
// CHECK-LABEL: func @forward(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<?x4xf32> {gnn.input = "x"}, %[[B:[^:]*]]: tensor<4xf32> {gnn.weight = "b"}, %[[C:[^:]*]]: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64}, %[[P:[^:]*]]: tensor<?xf32>
// CHECK:         gnn.aggregate %[[C]] src(%[[X]], %[[P]] : tensor<?x4xf32>, tensor<?xf32>) dst(%[[P]], %[[X]] : tensor<?xf32>, tensor<?x4xf32>) param(%[[B]] : tensor<4xf32>) reduce [sum]
// CHECK:         } epilogue {
// CHECK-NEXT:    ^bb0(%[[S:.*]]: vector<4xf32>, %[[PV:.*]]: f32, %[[XV:.*]]: vector<4xf32>, %[[BV:.*]]: vector<4xf32>):
// CHECK-NEXT:      %[[PR:.*]] = vector.broadcast %[[PV]]
// CHECK-NEXT:      %[[M:.*]] = arith.mulf %[[XV]], %[[PR]]
// CHECK-NEXT:      %[[A:.*]] = arith.addf %[[S]], %[[M]]
// CHECK-NEXT:      %[[Y:.*]] = arith.mulf %[[A]], %[[PR]]
// CHECK-NEXT:      %[[Z:.*]] = arith.addf %[[Y]], %[[BV]]
// CHECK-NEXT:      gnn.yield %[[Z]]
func.func @prepare(%g: !gnn.graph<?x?x?>) -> (!gnn.graph<?x?x?, i32, csr>, tensor<?xf32>) {
  %l = gnn.add_self_loops %g fill 1.0 : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  %c = gnn.to_csr %l : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>
  %d = gnn.degree %c at dst : !gnn.graph<?x?x?, i32, csr> -> tensor<?xf32>
  %p = math.rsqrt %d : tensor<?xf32>
  return %c, %p : !gnn.graph<?x?x?, i32, csr>, tensor<?xf32>
}
func.func @forward(%x: tensor<?x4xf32> {gnn.input = "x"}, %b: tensor<4xf32> {gnn.weight = "b"}, %c: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64}, %p: tensor<?xf32> {gnn.prepared = 1 : i64}) -> (tensor<?x4xf32> {gnn.output = "out"}) {
  %o = gnn.aggregate %c src(%x, %p : tensor<?x4xf32>, tensor<?xf32>) dst(%p : tensor<?xf32>) param(%b : tensor<4xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?x4xf32> message {
  ^bb0(%xu: vector<4xf32>, %pu: f32, %pv: f32, %bias: vector<4xf32>):
    %r = vector.broadcast %pu : f32 to vector<4xf32>
    %m = arith.mulf %xu, %r : vector<4xf32>
    gnn.yield %m : vector<4xf32>
  } epilogue {
  ^bb0(%s: vector<4xf32>, %pv: f32, %bias: vector<4xf32>):
    %r = vector.broadcast %pv : f32 to vector<4xf32>
    %y = arith.mulf %s, %r : vector<4xf32>
    %z = arith.addf %y, %bias : vector<4xf32>
    gnn.yield %z : vector<4xf32>
  }
  return %o : tensor<?x4xf32>
}

// -----

// A softmax with a score per head: all accumulators move to the larger maximum. The
// message reads both ends of a loop from one node. i64 indices, static nodes.
// CHECK-LABEL: func @prepare(
// CHECK:         gnn.remove_self_loops %{{.*}} : !gnn.graph<5x5x?> -> !gnn.graph<5x5x?>
// CHECK-LABEL: func @forward(
// CHECK:         } epilogue {
// CHECK-NEXT:    ^bb0(%[[S:.*]]: vector<2x3xf32>, %[[DEN:.*]]: vector<2xf32>, %[[MAX:.*]]: vector<2xf32>, %[[TV:.*]]: vector<2xf32>, %[[XV:.*]]: vector<2x3xf32>):
// CHECK-NEXT:      %[[SCORE:.*]] = arith.addf %[[TV]], %[[TV]]
// CHECK-NEXT:      %[[TOP:.*]] = arith.maximumf %[[MAX]], %[[SCORE]]
// CHECK-DAG:       %[[A0:.*]] = arith.subf %[[MAX]], %[[TOP]]
// CHECK-DAG:       %[[A:.*]] = math.exp %[[A0]]
// CHECK-DAG:       %[[B0:.*]] = arith.subf %[[SCORE]], %[[TOP]]
// CHECK-DAG:       %[[B:.*]] = math.exp %[[B0]]
// CHECK-DAG:       %[[AS:.*]] = vector.shape_cast %[[A]] : vector<2xf32> to vector<2x1xf32>
// CHECK-DAG:       %[[AW:.*]] = vector.broadcast %[[AS]]
// CHECK-DAG:       %[[SA:.*]] = arith.mulf %[[S]], %[[AW]]
// CHECK-DAG:       %[[BS:.*]] = vector.shape_cast %[[B]] : vector<2xf32> to vector<2x1xf32>
// CHECK-DAG:       %[[BW:.*]] = vector.broadcast %[[BS]]
// CHECK-DAG:       %[[XB:.*]] = arith.mulf %[[XV]], %[[BW]]
// CHECK-DAG:       %[[SUM:.*]] = arith.addf %[[SA]], %[[XB]]
// CHECK-DAG:       %[[DA:.*]] = arith.mulf %[[DEN]], %[[A]]
// CHECK-DAG:       %[[D:.*]] = arith.addf %[[DA]], %[[B]]
// CHECK:           vector.shape_cast %[[D]]
// CHECK:           arith.divf %[[SUM]]
func.func @prepare(%g: !gnn.graph<5x5x?>) -> !gnn.graph<5x5x?, i64, csr> {
  %l = gnn.add_self_loops %g fill 1.0 : !gnn.graph<5x5x?> -> !gnn.graph<5x5x?>
  %c = gnn.to_csr %l : !gnn.graph<5x5x?> -> !gnn.graph<5x5x?, i64, csr>
  return %c : !gnn.graph<5x5x?, i64, csr>
}
func.func @forward(%x: tensor<5x2x3xf32> {gnn.input = "x"}, %t: tensor<5x2xf32> {gnn.input = "t"}, %c: !gnn.graph<5x5x?, i64, csr> {gnn.prepared = 0 : i64}) -> (tensor<5x2x3xf32> {gnn.output = "out"}) {
  %o = gnn.aggregate %c src(%x, %t : tensor<5x2x3xf32>, tensor<5x2xf32>) dst(%t : tensor<5x2xf32>) reduce [softmax] acc f32 : !gnn.graph<5x5x?, i64, csr> -> tensor<5x2x3xf32> message {
  ^bb0(%xu: vector<2x3xf32>, %tu: vector<2xf32>, %tv: vector<2xf32>):
    %score = arith.addf %tu, %tv : vector<2xf32>
    gnn.yield %score, %xu : vector<2xf32>, vector<2x3xf32>
  } epilogue {
  ^bb0(%s: vector<2x3xf32>, %den: vector<2xf32>, %max: vector<2xf32>, %tv: vector<2xf32>):
    %d = vector.shape_cast %den : vector<2xf32> to vector<2x1xf32>
    %w = vector.broadcast %d : vector<2x1xf32> to vector<2x3xf32>
    %y = arith.divf %s, %w : vector<2x3xf32>
    gnn.yield %y : vector<2x3xf32>
  }
  return %o : tensor<5x2x3xf32>
}

// -----

// A mean, a maximum and a product in one traversal, without an epilogue so far: the
// first two need the number of edges of each node, which @prepare counts once.
// CHECK-LABEL: func @prepare(
// CHECK:         %[[C:.*]] = gnn.to_csr
// CHECK:         %[[D:.*]] = gnn.degree %[[C]] at dst
// CHECK:         %[[D1:.*]] = arith.addf %[[D]]
// CHECK:         return %[[C]], %[[D1]]
// CHECK-LABEL: func @forward(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<?xf64> {gnn.input = "x"}, %[[C:[^:]*]]: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64}, %[[N:[^:]*]]: tensor<?xf32> {gnn.prepared = 1 : i64}
// CHECK:         gnn.aggregate %[[C]] src(%[[X]] : tensor<?xf64>) dst(%[[X]], %[[N]] : tensor<?xf64>, tensor<?xf32>) reduce [sum, max, mul] acc f64
// CHECK:         ^bb0(%[[S:.*]]: f64, %[[MAX:.*]]: f64, %[[MUL:.*]]: f64, %[[XV:.*]]: f64, %[[NV:.*]]: f32):
// CHECK-DAG:       %[[ONE:.*]] = arith.constant 1.0
// CHECK-DAG:       %[[W:.*]] = arith.extf %[[NV]] : f32 to f64
// CHECK-DAG:       %[[S1:.*]] = arith.addf %[[S]], %[[XV]]
// CHECK-DAG:       %[[MEAN:.*]] = arith.divf %[[S1]], %[[W]]
// CHECK-DAG:       %[[BOTH:.*]] = arith.maximumf %[[MAX]], %[[XV]]
// CHECK-DAG:       %[[ALONE:.*]] = arith.cmpf oeq, %[[W]], %[[ONE]]
// CHECK-DAG:       %[[M:.*]] = arith.select %[[ALONE]], %[[XV]], %[[BOTH]]
// CHECK-DAG:       %[[P:.*]] = arith.mulf %[[MUL]], %[[XV]]
// CHECK:           gnn.yield %[[MEAN]], %[[M]], %[[P]]
func.func @prepare(%g: !gnn.graph<?x?x?>) -> !gnn.graph<?x?x?, i32, csr> {
  %l = gnn.add_self_loops %g fill 1.0 : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>
  %c = gnn.to_csr %l : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>
  return %c : !gnn.graph<?x?x?, i32, csr>
}
func.func @forward(%x: tensor<?xf64> {gnn.input = "x"}, %c: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64}) -> (tensor<?xf64> {gnn.output = "a"}, tensor<?xf64> {gnn.output = "b"}, tensor<?xf64> {gnn.output = "c"}) {
  %o:3 = gnn.aggregate %c src(%x : tensor<?xf64>) reduce [mean, max, mul] acc f64 : !gnn.graph<?x?x?, i32, csr> -> tensor<?xf64>, tensor<?xf64>, tensor<?xf64> message {
  ^bb0(%xu: f64):
    gnn.yield %xu, %xu, %xu : f64, f64, f64
  }
  return %o#0, %o#1, %o#2 : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

// -----

// Weights: those of loops are a tensor of nodes. They count in the degree, and what is
// computed from weights and ends is computed once more for loops.
// CHECK-LABEL: func @prepare(
// CHECK-SAME:    %[[G:[^:]*]]: !gnn.graph<?x?x?>, %[[W:[^:]*]]: tensor<?xf32>
// CHECK-DAG:     %[[LW:.*]] = gnn.loop_weights %[[G]] weights(%[[W]] : tensor<?xf32>) fill 2.0
// CHECK-DAG:     %[[R:.*]], %[[K:.*]] = gnn.remove_self_loops %[[G]] edges(%[[W]]
// CHECK:         %[[C:.*]], %[[P:.*]] = gnn.to_csr %[[R]] edges(%[[K]]
// CHECK:         %[[D0:.*]] = gnn.degree %[[C]] weights(%[[P]]
// CHECK:         %[[D:.*]] = arith.addf %[[D0]], %[[LW]]
// CHECK:         %[[DU:.*]] = gnn.gather %[[D]], %[[C]] at src
// CHECK:         %[[N:.*]] = arith.mulf %[[P]], %[[DU]]
// CHECK:         %[[LN:.*]] = arith.mulf %[[LW]], %[[D]]
// CHECK:         return %[[C]], %[[N]], %[[LN]]
// CHECK-LABEL: func @forward(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<?xf32> {gnn.input = "x"}
// CHECK-SAME:    %[[E:[^:]*]]: tensor<?xf32> {gnn.prepared = 1 : i64}, %[[L:[^:]*]]: tensor<?xf32> {gnn.prepared = 2 : i64}
// CHECK:         gnn.aggregate %{{.*}} src(%[[X]] : tensor<?xf32>) dst(%[[X]], %[[L]] : tensor<?xf32>, tensor<?xf32>) edge(%[[E]] : tensor<?xf32>) reduce [sum]
// CHECK:         } epilogue {
// CHECK-NEXT:    ^bb0(%[[S:.*]]: f32, %[[XV:.*]]: f32, %[[LV:.*]]: f32):
// CHECK-NEXT:      %[[M:.*]] = arith.mulf %[[XV]], %[[LV]]
// CHECK-NEXT:      arith.addf %[[S]], %[[M]]
func.func @prepare(%g: !gnn.graph<?x?x?>, %w: tensor<?xf32> {gnn.graph_data = "edge_weight"}) -> (!gnn.graph<?x?x?, i32, csr>, tensor<?xf32>) {
  %l, %lw = gnn.add_self_loops %g weights(%w) fill 2.0 : !gnn.graph<?x?x?>, tensor<?xf32> -> !gnn.graph<?x?x?>, tensor<?xf32>
  %c, %p = gnn.to_csr %l edges(%lw : tensor<?xf32>) : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>, tensor<?xf32>
  %d = gnn.degree %c weights(%p : tensor<?xf32>) at dst : !gnn.graph<?x?x?, i32, csr> -> tensor<?xf32>
  %du = gnn.gather %d, %c at src : tensor<?xf32>, !gnn.graph<?x?x?, i32, csr> -> tensor<?xf32>
  %n = arith.mulf %p, %du : tensor<?xf32>
  return %c, %n : !gnn.graph<?x?x?, i32, csr>, tensor<?xf32>
}
func.func @forward(%x: tensor<?xf32> {gnn.input = "x"}, %c: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64}, %e: tensor<?xf32> {gnn.prepared = 1 : i64}) -> (tensor<?xf32> {gnn.output = "out"}) {
  %o = gnn.aggregate %c src(%x : tensor<?xf32>) edge(%e : tensor<?xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?xf32> message {
  ^bb0(%r: f32, %q: f32):
    %m = arith.mulf %r, %q : f32
    gnn.yield %m : f32
  }
  return %o : tensor<?xf32>
}

// -----

// Loops with rows of their own: the rows go through the product that makes messages of
// edge features.
// CHECK-LABEL: func @prepare(
// CHECK-SAME:    %[[G:[^:]*]]: !gnn.graph<?x?x?>, %[[F:[^:]*]]: tensor<?x3xf32> {gnn.graph_data = "edge_attr"}, %[[L:[^:]*]]: tensor<?x3xf32>
// CHECK-NOT:     gnn.append_self_loops
// CHECK:         %[[C:.*]], %[[P:.*]] = gnn.to_csr %[[G]] edges(%[[F]]
// CHECK:         %[[E:.*]] = linalg.matmul ins(%[[P]],
// CHECK:         %[[LE:.*]] = linalg.matmul ins(%[[L]],
// CHECK:         return %[[C]], %[[E]], %[[LE]]
func.func @prepare(%g: !gnn.graph<?x?x?>, %f: tensor<?x3xf32> {gnn.graph_data = "edge_attr"}, %r: tensor<?x3xf32> {gnn.graph_data = "loop_attr"}, %w: tensor<3x4xf32> {gnn.weight = "w"}) -> (!gnn.graph<?x?x?, i32, csr>, tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %l, %lf = gnn.append_self_loops %g edges(%f : tensor<?x3xf32>) loops(%r : tensor<?x3xf32>) : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?>, tensor<?x3xf32>
  %c, %p = gnn.to_csr %l edges(%lf : tensor<?x3xf32>) : !gnn.graph<?x?x?> -> !gnn.graph<?x?x?, i32, csr>, tensor<?x3xf32>
  %n = tensor.dim %lf, %c0 : tensor<?x3xf32>
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %m = linalg.matmul ins(%p, %w : tensor<?x3xf32>, tensor<3x4xf32>) outs(%z : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %c, %m : !gnn.graph<?x?x?, i32, csr>, tensor<?x4xf32>
}
func.func @forward(%x: tensor<?x4xf32> {gnn.input = "x"}, %c: !gnn.graph<?x?x?, i32, csr> {gnn.prepared = 0 : i64}, %e: tensor<?x4xf32> {gnn.prepared = 1 : i64}) -> (tensor<?x4xf32> {gnn.output = "out"}) {
  %o = gnn.aggregate %c src(%x : tensor<?x4xf32>) edge(%e : tensor<?x4xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?x4xf32> message {
  ^bb0(%r: vector<4xf32>, %q: vector<4xf32>):
    %m = arith.addf %r, %q : vector<4xf32>
    gnn.yield %m : vector<4xf32>
  }
  return %o : tensor<?x4xf32>
}
