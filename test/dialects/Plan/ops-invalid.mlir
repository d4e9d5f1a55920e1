// RUN: gnn-opt %s --split-input-file --verify-diagnostics

gnn_plan.program @symbol_c1_missing target(<cpu, "generic">) {
  // expected-error @+1 {{'gnn_plan.symbol' op 'e.loops' of source prepare needs a bound}}
  gnn_plan.symbol e.loops prepare
  gnn_plan.forward {}
}

// -----

gnn_plan.program @symbol_c1_extra target(<cpu, "generic">) {
  // expected-error @+1 {{'gnn_plan.symbol' op 'n' of source graph_dst takes no bound, found bound(4)}}
  gnn_plan.symbol n graph_dst bound(4)
  gnn_plan.forward {}
}

// -----

gnn_plan.program @symbol_c2 target(<cpu, "generic">) {
  // expected-error @+1 {{'gnn_plan.symbol' op 'out' cannot be written in a formula: a name has letters, digits, '_' and '.', and is none of out, floordiv, ceildiv}}
  gnn_plan.symbol out graph_dst
  gnn_plan.forward {}
}

// -----

gnn_plan.program @buffer_c1_offset target(<cpu, "generic">) {
  // expected-error @+1 {{'gnn_plan.buffer' op input 'x' has an offset; only transient buffers live in an arena}}
  %x = gnn_plan.buffer input "x" f32[4] at(0)
  gnn_plan.forward {}
}

// -----

gnn_plan.program @buffer_c1_zeroed target(<cpu, "generic">) {
  // expected-error @+1 {{'gnn_plan.buffer' op weight 'w' is zeroed; only persistent and transient buffers are}}
  %w = gnn_plan.buffer weight "w" f32[4] zeroed
  gnn_plan.forward {}
}

// -----

gnn_plan.program @buffer_c2_name target(<cpu, "generic">) {
  // expected-error @+1 {{'gnn_plan.buffer' op graph_index 'col' must be named src or dst}}
  %x = gnn_plan.buffer graph_index "col" i32[4]
  gnn_plan.forward {}
}

// -----

gnn_plan.program @buffer_c2_type target(<cpu, "generic">) {
  // expected-error @+1 {{'gnn_plan.buffer' op graph_index 'src' must be i32 or i64 of rank 1, found 'f32' of rank 2}}
  %x = gnn_plan.buffer graph_index "src" f32[4, 2]
  gnn_plan.forward {}
}

// -----

gnn_plan.program @buffer_c3_extent target(<cpu, "generic">) {
  // expected-error @+1 {{'gnn_plan.buffer' op input 'x' has extent -4 in dimension 1}}
  %x = gnn_plan.buffer input "x" f32[2, -4]
  gnn_plan.forward {}
}

// -----

gnn_plan.program @buffer_c3_symbolic target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  // expected-error @+1 {{'gnn_plan.buffer' op input 'x' has 2 symbolic extents; its size needs at most one}}
  %x = gnn_plan.buffer input "x" f32[n, n]
  gnn_plan.forward {}
}

// -----

gnn_plan.program @buffer_c3_offset target(<cpu, "generic">) {
  // expected-error @+1 {{'gnn_plan.buffer' op transient 'x' is at byte 100 of its arena; offsets are multiples of 256}}
  %x = gnn_plan.buffer transient "x" f32[2] at(100)
  gnn_plan.forward {}
}

// -----

gnn_plan.program @guard_c1 target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  // expected-error @+1 {{'gnn_plan.guard' op needs a text that says what 2*n against 7 protects}}
  gnn_plan.guard max(2*n) limit 7 ""
  gnn_plan.forward {}
}

// -----

gnn_plan.program @launch_c1_neither target(<cpu, "generic">) {
  gnn_plan.forward {
    // expected-error @+1 {{'gnn_plan.launch' op needs items (cpu) or a grid (cuda), found neither}}
    gnn_plan.launch @k(3)
  }
}

// -----

gnn_plan.program @launch_c1_both target(<cpu, "generic">) {
  gnn_plan.forward {
    // expected-error @+1 {{'gnn_plan.launch' op needs items (cpu) or a grid (cuda), found both}}
    gnn_plan.launch @k(3) items(3) grid[1, 1, 1] block 32
  }
}

// -----

gnn_plan.program @launch_c2 target(<cuda, "sm_90">) {
  gnn_plan.forward {
    // expected-error @+1 {{'gnn_plan.launch' op has a grid of 2 extents, not 3}}
    gnn_plan.launch @k(3) grid[1, 1] block 32
  }
}

// -----

gnn_plan.program @launch_c3 target(<cuda, "sm_90">) {
  gnn_plan.forward {
    // expected-error @+1 {{'gnn_plan.launch' op has a block of 2048 threads; 1 to 1024 are possible}}
    gnn_plan.launch @k(3) grid[1, 1, 1] block 2048
  }
}

// -----

gnn_plan.program @launch_c4 target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  %p = gnn_plan.buffer graph_data "p" i64[n]
  gnn_plan.forward {
    // expected-error @+1 {{'gnn_plan.launch' op balances by 'p', 'i64' [n]; a row pointer is 'i32' [n + 1]}}
    gnn_plan.launch @k(%p) items(n) balance(%p)
  }
}

// -----

gnn_plan.program @gemm_c1_rank target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  %a = gnn_plan.buffer input "a" f32[n, 4]
  %b = gnn_plan.buffer weight "b" f32[4, 2, 4]
  %c = gnn_plan.buffer output "c" f32[n, 8]
  gnn_plan.forward {
    // expected-error @+1 {{'gnn_plan.gemm' op operand 'b' [4, 2, 4] has rank 3, a matrix has 2}}
    gnn_plan.gemm %c = %a, %b
  }
}

// -----

// Rows of any shape are read as they lie in memory, but as many numbers as the matrix has.
gnn_plan.program @gemm_c3_heads target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  %a = gnn_plan.buffer input "a" f32[n, 2, 3]
  %b = gnn_plan.buffer weight "b" f32[4, 8]
  %c = gnn_plan.buffer output "c" f32[n, 8]
  gnn_plan.forward {
    // expected-error @+1 {{'gnn_plan.gemm' op inner extents differ: 'a' [n, 2, 3] times 'b' [4, 8]}}
    gnn_plan.gemm %c = %a, %b
  }
}

// -----

gnn_plan.program @gemm_c7_divides target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  %a = gnn_plan.buffer input "a" f32[n, 2, 3]
  %b = gnn_plan.buffer weight "b" f32[3, 8]
  %c = gnn_plan.buffer output "c" f32[n, 8]
  gnn_plan.forward {
    // expected-error @+1 {{'gnn_plan.gemm' op has 2 heads, which divide the columns of 'a' (6), those of 'c' (8), and the rows of 'b' (3)}}
    gnn_plan.gemm %c = %a, %b heads 2
  }
}

// -----

gnn_plan.program @gemm_c7_none target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  %a = gnn_plan.buffer input "a" f32[n, 2, 3]
  %b = gnn_plan.buffer weight "b" f32[6, 8]
  %c = gnn_plan.buffer output "c" f32[n, 8]
  gnn_plan.forward {
    // expected-error @+1 {{'gnn_plan.gemm' op has 0 heads; a product has 1 or more}}
    gnn_plan.gemm %c = %a, %b heads 0
  }
}

// -----

gnn_plan.program @gemm_c7_windows target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  %a = gnn_plan.buffer input "a" f32[n, 2, 3]
  %b = gnn_plan.buffer weight "b" f32[8, 4]
  %c = gnn_plan.buffer output "c" f32[n, 8]
  gnn_plan.forward {
    // expected-error @+1 {{'gnn_plan.gemm' op multiplies windows of 3 columns with 2 matrices 4 x 4 into windows of 4}}
    gnn_plan.gemm %c = %a, %b heads 2 transpose_b
  }
}

// -----

gnn_plan.program @gemm_c7_bias target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  %a = gnn_plan.buffer input "a" f32[n, 2, 3]
  %b = gnn_plan.buffer weight "b" f32[8, 3]
  %bias = gnn_plan.buffer weight "bias" f32[4]
  %c = gnn_plan.buffer output "c" f32[n, 8]
  gnn_plan.forward {
    // expected-error @+1 {{'gnn_plan.gemm' op with heads adds a bias and a residual of the columns of 'c'}}
    gnn_plan.gemm %c = %a, %b heads 2 transpose_b bias(%bias)
  }
}

// -----

gnn_plan.program @gemm_c7_symbolic target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  %a = gnn_plan.buffer input "a" f32[n, 2, 3]
  %b = gnn_plan.buffer weight "b" f32[n, 3]
  %c = gnn_plan.buffer output "c" f32[n, 8]
  gnn_plan.forward {
    // expected-error @+1 {{'gnn_plan.gemm' op has heads and symbolic features; those of 'b' and 'c' are numbers}}
    gnn_plan.gemm %c = %a, %b heads 2 transpose_b
  }
}

// -----

gnn_plan.program @gemm_c1_bias target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  %a = gnn_plan.buffer input "a" f32[n, 4]
  %b = gnn_plan.buffer weight "b" f32[4, 8]
  %c = gnn_plan.buffer output "c" f32[n, 8]
  gnn_plan.forward {
    // expected-error @+1 {{'gnn_plan.gemm' op bias 'b' [4, 8] has rank 2, not 1}}
    gnn_plan.gemm %c = %a, %b bias(%b)
  }
}

// -----

gnn_plan.program @gemm_c2_result target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  %a = gnn_plan.buffer input "a" f32[n, 4]
  %b = gnn_plan.buffer weight "b" f32[4, 8]
  %c = gnn_plan.buffer output "c" bf16[n, 8]
  gnn_plan.forward {
    // expected-error @+1 {{'gnn_plan.gemm' op mixes 'f32' ('a') and 'bf16' ('c')}}
    gnn_plan.gemm %c = %a, %b
  }
}

// -----

gnn_plan.program @gemm_c2_bias target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  %a = gnn_plan.buffer input "a" bf16[n, 4]
  %b = gnn_plan.buffer weight "b" bf16[4, 8]
  %bias = gnn_plan.buffer weight "bias" bf16[8]
  %c = gnn_plan.buffer output "c" f32[n, 8]
  gnn_plan.forward {
    // expected-error @+1 {{'gnn_plan.gemm' op mixes 'f32' ('c') and 'bf16' ('bias')}}
    gnn_plan.gemm %c = %a, %b bias(%bias)
  }
}

// -----

gnn_plan.program @gemm_c2 target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  %a = gnn_plan.buffer input "a" f32[n, 4]
  %b = gnn_plan.buffer weight "b" bf16[4, 8]
  %c = gnn_plan.buffer output "c" f32[n, 8]
  gnn_plan.forward {
    // expected-error @+1 {{'gnn_plan.gemm' op mixes 'f32' ('a') and 'bf16' ('b')}}
    gnn_plan.gemm %c = %a, %b
  }
}

// -----

gnn_plan.program @gemm_c3_inner target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  %a = gnn_plan.buffer input "a" f32[n, 4]
  %b = gnn_plan.buffer weight "b" f32[4, 8]
  %c = gnn_plan.buffer output "c" f32[n, 4]
  gnn_plan.forward {
    // expected-error @+1 {{'gnn_plan.gemm' op inner extents differ: 'a' [n, 4] times transposed 'b' [4, 8]}}
    gnn_plan.gemm %c = %a, %b transpose_b
  }
}

// -----

gnn_plan.program @gemm_c3_outer target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  gnn_plan.symbol m graph_src
  %a = gnn_plan.buffer input "a" f32[m, 4]
  %b = gnn_plan.buffer weight "b" f32[4, 8]
  %c = gnn_plan.buffer output "c" f32[n, 8]
  gnn_plan.forward {
    // expected-error @+1 {{'gnn_plan.gemm' op result 'c' [n, 8] is not [m, 8]}}
    gnn_plan.gemm %c = %a, %b
  }
}

// -----

gnn_plan.program @gemm_c4 target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  %a = gnn_plan.buffer input "a" f32[n, 4]
  %b = gnn_plan.buffer weight "b" f32[4, 8]
  %bias = gnn_plan.buffer weight "bias" f32[7]
  %c = gnn_plan.buffer output "c" f32[n, 8]
  gnn_plan.forward {
    // expected-error @+1 {{'gnn_plan.gemm' op bias 'bias' [7] does not match the 8 columns of 'c' [n, 8]}}
    gnn_plan.gemm %c = %a, %b bias(%bias)
  }
}

// -----

gnn_plan.program @gemm_c5 target(<cpu, "generic">) {
  %a = gnn_plan.buffer transient "a" f32[4, 4]
  %b = gnn_plan.buffer weight "b" f32[4, 4]
  gnn_plan.forward {
    // expected-error @+1 {{'gnn_plan.gemm' op writes its operand 'a'}}
    gnn_plan.gemm %a = %a, %b
  }
}

// -----

gnn_plan.program @gemm_c5_residual target(<cpu, "generic">) {
  %a = gnn_plan.buffer input "a" f32[4, 4]
  %b = gnn_plan.buffer weight "b" f32[4, 4]
  %c = gnn_plan.buffer transient "c" f32[4, 4]
  gnn_plan.forward {
    // expected-error @+1 {{'gnn_plan.gemm' op writes its operand 'c'}}
    gnn_plan.gemm %c = %a, %b residual(%c)
  }
}

// -----

gnn_plan.program @gemm_c6 target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  gnn_plan.symbol m graph_src
  %a = gnn_plan.buffer input "a" f32[n, 4]
  %b = gnn_plan.buffer weight "b" f32[4, 8]
  %other = gnn_plan.buffer input "other" f32[m, 8]
  %c = gnn_plan.buffer output "c" f32[n, 8]
  gnn_plan.forward {
    // expected-error @+1 {{'gnn_plan.gemm' op residual 'other' [m, 8] is not of the extents of 'c' [n, 8]}}
    gnn_plan.gemm %c = %a, %b residual(%other)
  }
}

// -----

gnn_plan.program @gemm_c6_type target(<cpu, "generic">) {
  %a = gnn_plan.buffer input "a" bf16[4, 4]
  %b = gnn_plan.buffer weight "b" bf16[4, 8]
  %other = gnn_plan.buffer input "other" bf16[4, 8]
  %c = gnn_plan.buffer output "c" f32[4, 8]
  gnn_plan.forward {
    // expected-error @+1 {{'gnn_plan.gemm' op mixes 'f32' ('c') and 'bf16' ('other')}}
    gnn_plan.gemm %c = %a, %b residual(%other)
  }
}

// -----

gnn_plan.program @call_c1 target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  gnn_plan.symbol e graph_edges
  %src = gnn_plan.buffer graph_index "src" i64[e]
  %dst = gnn_plan.buffer graph_index "dst" i64[e]
  %rowptr = gnn_plan.buffer persistent "rowptr" i32[n + 1]
  gnn_plan.prepare {
    // expected-error @+1 {{'gnn_plan.graph_call' op to_csr has 2 in, 1 out and 0 sets, expected in(src, dst, edge tensors...) out(rowptr, col, edge tensors...)}}
    gnn_plan.graph_call to_csr in(%src, %dst) out(%rowptr) nodes(n, n) edges(e)
  }
  gnn_plan.forward {}
}

// -----

gnn_plan.program @call_c1_remove target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  gnn_plan.symbol e graph_edges
  %src = gnn_plan.buffer graph_index "src" i64[e]
  %dst = gnn_plan.buffer graph_index "dst" i64[e]
  %s = gnn_plan.buffer transient "s" i64[e]
  %d = gnn_plan.buffer transient "d" i64[e]
  gnn_plan.prepare {
    // expected-error @+1 {{'gnn_plan.graph_call' op remove_self_loops has 2 in, 2 out and 0 sets, expected in(src, dst, edge tensors...) out(src, dst, edge tensors...) sets(edges)}}
    gnn_plan.graph_call remove_self_loops in(%src, %dst) out(%s, %d) nodes(n, n) edges(e)
  }
  gnn_plan.forward {}
}

// -----

gnn_plan.program @call_c1_slice target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  %w = gnn_plan.buffer weight "w" f32[8, 16]
  %part = gnn_plan.buffer persistent "part" f32[8, 4]
  gnn_plan.prepare {
    // expected-error @+1 {{'gnn_plan.graph_call' op slice has 2 in, 1 out and 0 sets, expected in(tensor) out(part)}}
    gnn_plan.graph_call slice in(%w, %w) out(%part) nodes(0, 0) edges(0) offsets [0, 4] sizes [8, 4]
  }
  gnn_plan.forward {}
}

// -----

gnn_plan.program @call_c2_slice target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  %w = gnn_plan.buffer weight "w" f32[8, 16]
  %part = gnn_plan.buffer persistent "part" f32[8, 4]
  gnn_plan.prepare {
    // expected-error @+1 {{'gnn_plan.graph_call' op slice needs offsets and sizes}}
    gnn_plan.graph_call slice in(%w) out(%part) nodes(0, 0) edges(0) offsets [0, 4]
  }
  gnn_plan.forward {}
}

// -----

gnn_plan.program @call_c1_transpose_matrix target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  %w = gnn_plan.buffer weight "w" f32[8, 16]
  %t = gnn_plan.buffer persistent "t" f32[16, 8]
  gnn_plan.prepare {
    // expected-error @+1 {{'gnn_plan.graph_call' op transpose_matrix has 1 in, 2 out and 0 sets, expected in(matrix) out(matrix)}}
    gnn_plan.graph_call transpose_matrix in(%w) out(%t, %t) nodes(0, 0) edges(0)
  }
  gnn_plan.forward {}
}

// -----

gnn_plan.program @call_c5_transpose_matrix target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  %w = gnn_plan.buffer weight "w" f32[8, 16]
  %t = gnn_plan.buffer persistent "t" f32[8, 16]
  gnn_plan.prepare {
    // expected-error @+1 {{'gnn_plan.graph_call' op 't' is not of the type and extents of 'w' transposed; both are matrices of constant extents}}
    gnn_plan.graph_call transpose_matrix in(%w) out(%t) nodes(0, 0) edges(0)
  }
  gnn_plan.forward {}
}

// -----

gnn_plan.program @call_c5_transpose_symbolic target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  %w = gnn_plan.buffer persistent "w" f32[n, 16]
  %t = gnn_plan.buffer persistent "t" f32[16, n]
  gnn_plan.prepare {
    // expected-error @+1 {{'gnn_plan.graph_call' op 't' is not of the type and extents of 'w' transposed; both are matrices of constant extents}}
    gnn_plan.graph_call transpose_matrix in(%w) out(%t) nodes(0, 0) edges(0)
  }
  gnn_plan.forward {}
}

// -----

gnn_plan.program @call_c5_window target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  %w = gnn_plan.buffer weight "w" f32[8, 16]
  %part = gnn_plan.buffer persistent "part" f32[8, 4]
  gnn_plan.prepare {
    // expected-error @+1 {{'gnn_plan.graph_call' op the window of 8, 4 'f32' at 0, 13 does not lie in 'w', 'f32'[8, 16]}}
    gnn_plan.graph_call slice in(%w) out(%part) nodes(0, 0) edges(0) offsets [0, 13] sizes [8, 4]
  }
  gnn_plan.forward {}
}

// -----

gnn_plan.program @call_c5_symbolic target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  %w = gnn_plan.buffer weight "w" f32[8, 16]
  %w2 = gnn_plan.buffer persistent "w2" f32[n, 16]
  %part = gnn_plan.buffer persistent "part" f32[8, 4]
  gnn_plan.prepare {
    // expected-error @+1 {{'gnn_plan.graph_call' op the window of 8, 4 'f32' at 0, 0 does not lie in 'w2', 'f32'[n, 16]}}
    gnn_plan.graph_call slice in(%w2) out(%part) nodes(0, 0) edges(0) offsets [0, 0] sizes [8, 4]
  }
  gnn_plan.forward {}
}

// -----

gnn_plan.program @call_c5_result target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  %w = gnn_plan.buffer weight "w" f32[8, 16]
  %part = gnn_plan.buffer persistent "part" f32[8, 4]
  gnn_plan.prepare {
    // expected-error @+1 {{'gnn_plan.graph_call' op the window of 8, 5 'f32' at 0, 4 does not fill 'part', 'f32'[8, 4]}}
    gnn_plan.graph_call slice in(%w) out(%part) nodes(0, 0) edges(0) offsets [0, 4] sizes [8, 5]
  }
  gnn_plan.forward {}
}

// -----

gnn_plan.program @call_c2_fill target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  gnn_plan.symbol e graph_edges
  gnn_plan.symbol l prepare bound(e + n)
  %src = gnn_plan.buffer graph_index "src" i64[e]
  %dst = gnn_plan.buffer graph_index "dst" i64[e]
  %s = gnn_plan.buffer transient "s" i64[l]
  %d = gnn_plan.buffer transient "d" i64[l]
  gnn_plan.prepare {
    // expected-error @+1 {{'gnn_plan.graph_call' op add_self_loops needs fill}}
    gnn_plan.graph_call add_self_loops in(%src, %dst) out(%s, %d) nodes(n, n) edges(e) sets(l)
  }
  gnn_plan.forward {}
}

// -----

gnn_plan.program @call_c2_chunk target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  gnn_plan.symbol e graph_edges
  %src = gnn_plan.buffer graph_index "src" i64[e]
  %dst = gnn_plan.buffer graph_index "dst" i64[e]
  %rowptr = gnn_plan.buffer persistent "rowptr" i32[n + 1]
  %col = gnn_plan.buffer persistent "col" i32[e]
  gnn_plan.prepare {
    // expected-error @+1 {{'gnn_plan.graph_call' op to_csr takes no chunk or order}}
    gnn_plan.graph_call to_csr in(%src, %dst) out(%rowptr, %col) nodes(n, n) edges(e) chunk 4 order "row"
  }
  gnn_plan.forward {}
}

// -----

gnn_plan.program @call_c3_chunk target(<cuda, "sm_90">) {
  gnn_plan.symbol n graph_dst
  gnn_plan.symbol i prepare bound(n)
  gnn_plan.symbol s prepare bound(n)
  gnn_plan.symbol t prepare bound(n)
  %rowptr = gnn_plan.buffer graph_data "rowptr" i32[n + 1]
  %items = gnn_plan.buffer persistent "items" i32[i, 4]
  %splits = gnn_plan.buffer persistent "splits" i32[s, 4]
  gnn_plan.prepare {
    // expected-error @+1 {{'gnn_plan.graph_call' op chunk is at least 1 edge, found 0}}
    gnn_plan.graph_call partition_rows in(%rowptr) out(%items, %splits) nodes(n, n) edges(n) sets(i, s, t) chunk 0 order "row"
  }
  gnn_plan.forward {}
}

// -----

gnn_plan.program @call_c3_order target(<cuda, "sm_90">) {
  gnn_plan.symbol n graph_dst
  gnn_plan.symbol i prepare bound(n)
  gnn_plan.symbol s prepare bound(n)
  gnn_plan.symbol t prepare bound(n)
  %rowptr = gnn_plan.buffer graph_data "rowptr" i32[n + 1]
  %items = gnn_plan.buffer persistent "items" i32[i, 4]
  %splits = gnn_plan.buffer persistent "splits" i32[s, 4]
  gnn_plan.prepare {
    // expected-error @+1 {{'gnn_plan.graph_call' op order is row, longest or windows, found 'shortest'}}
    gnn_plan.graph_call partition_rows in(%rowptr) out(%items, %splits) nodes(n, n) edges(n) sets(i, s, t) chunk 4 order "shortest"
  }
  gnn_plan.forward {}
}

// -----

gnn_plan.program @call_c4 target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  gnn_plan.symbol e graph_edges
  %src = gnn_plan.buffer graph_index "src" i64[e]
  %dst = gnn_plan.buffer graph_index "dst" i64[e]
  %w = gnn_plan.buffer graph_data "w" f32[e]
  %rowptr = gnn_plan.buffer persistent "rowptr" i32[n + 1]
  %col = gnn_plan.buffer persistent "col" i32[e]
  %p = gnn_plan.buffer persistent "p" f64[e]
  gnn_plan.prepare {
    // expected-error @+1 {{'gnn_plan.graph_call' op edge tensor 'w' ('f32', rank 1) becomes 'p' ('f64', rank 1)}}
    gnn_plan.graph_call to_csr in(%src, %dst, %w) out(%rowptr, %col, %p) nodes(n, n) edges(e)
  }
  gnn_plan.forward {}
}

// -----

gnn_plan.program @prepare_c1 target(<cpu, "generic">) {
  gnn_plan.prepare {
    // expected-error @+1 {{'arith.constant' op is no command; prepare holds launches, gemms and graph calls}}
    %c = arith.constant 1 : i64
  }
  gnn_plan.forward {}
}

// -----

gnn_plan.program @forward_c1 target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  %src = gnn_plan.buffer graph_index "src" i64[n]
  %dst = gnn_plan.buffer graph_index "dst" i64[n]
  %rowptr = gnn_plan.buffer transient "rowptr" i32[n + 1]
  %col = gnn_plan.buffer transient "col" i32[n]
  gnn_plan.forward {
    // expected-error @+1 {{'gnn_plan.graph_call' op cannot run in forward; it holds launches and gemms}}
    gnn_plan.graph_call to_csr in(%src, %dst) out(%rowptr, %col) nodes(n, n) edges(n)
  }
}

// -----

gnn_plan.program @launch_generic_argument target(<cpu, "generic">) {
  gnn_plan.forward {
    // expected-error @+1 {{'gnn_plan.launch' op argument "both" is neither a buffer nor a formula}}
    "gnn_plan.launch"() <{arguments = ["both"], items = #gnn_plan.formula<1>, kernel = @k, operandSegmentSizes = array<i32: 0, 0>}> : () -> ()
  }
}

// -----

gnn_plan.program @launch_generic_count target(<cpu, "generic">) {
  gnn_plan.forward {
    // expected-error @+1 {{'gnn_plan.launch' op has 0 buffers for 1 buffer arguments}}
    "gnn_plan.launch"() <{arguments = ["out"], items = #gnn_plan.formula<1>, kernel = @k, operandSegmentSizes = array<i32: 0, 0>}> : () -> ()
  }
}

// -----

gnn_plan.program @foreign_buffer target(<cpu, "generic">) {
  %a = builtin.unrealized_conversion_cast to !gnn_plan.buffer
  gnn_plan.forward {
    // expected-error @+1 {{'gnn_plan.gemm' op operand 0 is no result of gnn_plan.buffer}}
    gnn_plan.gemm %a = %a, %a
  }
}

// -----

gnn_plan.program @call_c1_make_graph target(<cpu, "generic">) {
  gnn_plan.symbol e graph_edges
  %i = gnn_plan.buffer graph_data "i" i64[e]
  %a = gnn_plan.buffer persistent "a" i64[e]
  gnn_plan.prepare {
    // expected-error @+1 {{'gnn_plan.graph_call' op make_graph has 1 in, 1 out and 0 sets, expected in(src, dst), in(rowptr, col) or in(index) out(src, dst) or out(rowptr, col)}}
    gnn_plan.graph_call make_graph in(%i) out(%a) nodes(4, e) edges(e) form "scatter"
  }
  gnn_plan.forward {}
}

// -----

gnn_plan.program @call_c2_form target(<cpu, "generic">) {
  gnn_plan.symbol e graph_edges
  %i = gnn_plan.buffer graph_data "i" i64[e]
  %a = gnn_plan.buffer persistent "a" i64[e]
  %b = gnn_plan.buffer persistent "b" i64[e]
  gnn_plan.prepare {
    // expected-error @+1 {{'gnn_plan.graph_call' op make_graph of 1 has form gather, scatter or segments, found 'coo'}}
    gnn_plan.graph_call make_graph in(%i) out(%a, %b) nodes(4, e) edges(e) form "coo"
  }
  gnn_plan.forward {}
}

// -----

gnn_plan.program @call_c2_no_form target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  gnn_plan.symbol e graph_edges
  %src = gnn_plan.buffer graph_index "src" i64[e]
  %dst = gnn_plan.buffer graph_index "dst" i64[e]
  %rowptr = gnn_plan.buffer persistent "rowptr" i32[n + 1]
  %col = gnn_plan.buffer persistent "col" i32[e]
  gnn_plan.prepare {
    // expected-error @+1 {{'gnn_plan.graph_call' op to_csr takes no form}}
    gnn_plan.graph_call to_csr in(%src, %dst) out(%rowptr, %col) nodes(n, n) edges(e) form "csr"
  }
  gnn_plan.forward {}
}

// -----

gnn_plan.program @symbol_c3 target(<cpu, "generic">) {
  // expected-error @+1 {{'gnn_plan.symbol' op 'rows.0' of source index_rows needs the index tensor's name: of "..."}}
  gnn_plan.symbol rows.0 index_rows
  gnn_plan.forward {}
}

// -----

gnn_plan.program @symbol_c3_of_graph target(<cpu, "generic">) {
  // expected-error @+1 {{'gnn_plan.symbol' op 'n' of source graph_dst is of no index tensor, found of "batch"}}
  gnn_plan.symbol n graph_dst of "batch"
  gnn_plan.forward {}
}
