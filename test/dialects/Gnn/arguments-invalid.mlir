// RUN: gnn-opt %s --verify-diagnostics --split-input-file

// expected-error @below {{'func.func' op argument #0: 'gnn.input' is a name (a string that is not empty), found 3 : i64 (A1)}}
func.func private @a1_number(tensor<?xf32> {gnn.input = 3})

// -----

// expected-error @below {{'func.func' op argument #1: 'gnn.weight' is a name (a string that is not empty), found "" (A1)}}
func.func private @a1_empty(tensor<?xf32>, tensor<?xf32> {gnn.weight = ""})

// -----

// expected-error @below {{'func.func' op argument #0: 'gnn.graph_data' stands on a ranked tensor, found !gnn.graph<?x?x?> (A1)}}
func.func private @a1_graph(!gnn.graph<?x?x?> {gnn.graph_data = "g"})

// -----

// expected-error @below {{'func.func' op result #0: 'gnn.output' stands on a ranked tensor, found index (A1)}}
func.func private @a1_output() -> (index {gnn.output = "out"})

// -----

// expected-error @below {{'func.func' op argument #0: 'gnn.prepared' is the number (>= 0) of a result of @prepare, found "norm" (A2)}}
func.func private @a2_name(tensor<?xf32> {gnn.prepared = "norm"})

// -----

// expected-error @below {{'func.func' op argument #0: 'gnn.prepared' is the number (>= 0) of a result of @prepare, found -1 : i64 (A2)}}
func.func private @a2_negative(tensor<?xf32> {gnn.prepared = -1})

// -----

// expected-error @below {{'func.func' op argument #0: has both 'gnn.input' and 'gnn.weight', one is allowed (A3)}}
func.func private @a3_two(tensor<?xf32> {gnn.input = "x", gnn.weight = "w"})

// -----

// expected-error @below {{'func.func' op argument #2 (tensor<4xf32>) does not say where it comes from: give it gnn.input, gnn.weight, gnn.graph_data, gnn.index or gnn.prepared (A3)}}
func.func private @forward(!gnn.graph<?x?x?>, tensor<?x4xf32> {gnn.input = "x"}, tensor<4xf32>)

// -----

// expected-error @below {{'func.func' op argument #1: 'gnn.weight = "w"' repeats 'gnn.weight = "w"' of argument #0 (A4)}}
func.func private @a4_arguments(tensor<?xf32> {gnn.weight = "w"}, tensor<?xf32> {gnn.weight = "w"})

// -----

// expected-error @below {{'func.func' op result #1: 'gnn.output = "out"' repeats that of result #0 (A4)}}
func.func private @a4_results() -> (tensor<?xf32> {gnn.output = "out"}, tensor<?xf32> {gnn.output = "out"})

// -----

// expected-error @below {{'func.func' op 'gnn.target' stands on a module, found on 'func.func' (A5)}}
func.func private @a5_place() attributes {gnn.target = #gnn.target<cuda, "sm_90">}

// -----

// expected-error @below {{'gnn.target' is a #gnn.target attribute, found "cuda" (A5)}}
module attributes {gnn.target = "cuda"} {}

// -----

// expected-error @below {{'func.func' op 'gnn.kernel' is "aggregate", "map" or "gemm", found "conv" (A6)}}
func.func private @a6_kind() attributes {gnn.kernel = "conv"}

// -----

// expected-error @below {{'gnn.kernel' stands on a function, found on 'builtin.module' (A6)}}
module attributes {gnn.kernel = "map"} {}

// -----

// expected-error @below {{'func.func' op argument #0: unknown attribute 'gnn.weights', expected gnn.input, gnn.weight, gnn.graph_data, gnn.index, gnn.prepared, gnn.self_loops, gnn.normalize or gnn.stored (A7)}}
func.func private @a7_argument(tensor<?xf32> {gnn.weights = "w"})

// -----

// expected-error @below {{'func.func' op result #0: unknown attribute 'gnn.out', expected gnn.output or gnn.stored (A7)}}
func.func private @a7_result() -> (tensor<?xf32> {gnn.out = "out"})

// -----

// expected-error @below {{'func.func' op argument #0: 'gnn.self_loops' is the weight of a loop (a finite number) on a graph with equally many nodes at both ends, found 1.000000e+00 : f64 on !gnn.graph<5x4x?> (A8)}}
func.func private @a8_bipartite(!gnn.graph<5x4x?> {gnn.self_loops = 1.0 : f64})

// -----

// expected-error @below {{'func.func' op argument #0: 'gnn.self_loops' is the weight of a loop (a finite number) on a graph with equally many nodes at both ends, found true on !gnn.graph<?x?x?> (A8)}}
func.func private @a8_number(!gnn.graph<?x?x?> {gnn.self_loops = true})

// -----

// expected-error @below {{'func.func' op argument #0: 'gnn.normalize' is "symmetric" or "row" on a graph, found "columns" on !gnn.graph<?x?x?> (A9)}}
func.func private @a9_kind(!gnn.graph<?x?x?> {gnn.normalize = "columns"})

// -----

// expected-error @below {{'func.func' op argument #0: 'gnn.normalize' is "symmetric" or "row" on a graph, found "row" on tensor<?xf32> (A9)}}
func.func private @a9_tensor(tensor<?xf32> {gnn.normalize = "row"})

// -----

// expected-error @below {{'func.func' op argument #0: 'gnn.index' stands on a tensor of rank 1 of i32 or i64, found tensor<?xf32> (A11)}}
func.func private @a11_floats(tensor<?xf32> {gnn.index = "batch"})

// -----

// expected-error @below {{'func.func' op argument #0: 'gnn.index' stands on a tensor of rank 1 of i32 or i64, found tensor<2x?xi64> (A11)}}
func.func private @a11_rank(tensor<2x?xi64> {gnn.index = "batch"})
