// RUN: gnn-opt %s --split-input-file --verify-diagnostics

gnn_plan.program @c1 target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  // expected-error @+1 {{'gnn_plan.symbol' op symbol 'n' is declared twice}}
  gnn_plan.symbol n graph_src
  gnn_plan.forward {}
}

// -----

gnn_plan.program @c2 target(<cpu, "generic">) {
  // expected-error @+1 {{'gnn_plan.buffer' op uses symbol 'n' in 2*n, which is not declared before it}}
  %x = gnn_plan.buffer input "x" f32[2*n, 3]
  gnn_plan.symbol n graph_dst
  gnn_plan.forward {}
}

// -----

gnn_plan.program @guard_c2 target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  gnn_plan.symbol l prepare bound(2*n)
  // expected-error @+1 {{'gnn_plan.guard' op uses symbol 'l' in l + 1, which is known only once prepare has run}}
  gnn_plan.guard max(l + 1) limit 7 "few"
  gnn_plan.forward {}
}

// -----

gnn_plan.program @symbol_bound target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  gnn_plan.symbol l prepare bound(2*n)
  // expected-error @+1 {{'gnn_plan.symbol' op uses symbol 'l' in l, which is known only once prepare has run}}
  gnn_plan.symbol k prepare bound(l)
  gnn_plan.forward {}
}

// -----

gnn_plan.program @prepare_arena target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  gnn_plan.symbol l prepare bound(2*n)
  // expected-error @+1 {{'gnn_plan.prepare' op uses symbol 'l' in 256*l, which is known only once prepare has run}}
  gnn_plan.prepare arena(256*l) {}
  gnn_plan.forward {}
}

// -----

gnn_plan.program @c3 target(<cpu, "generic">) {
  %x = gnn_plan.buffer input "x" f32[3]
  // expected-error @+1 {{'gnn_plan.buffer' op buffer 'x' is declared twice}}
  %y = gnn_plan.buffer weight "x" f32[3]
  gnn_plan.forward {}
}

// -----

// expected-error @+1 {{'gnn_plan.program' op has no forward}}
gnn_plan.program @c4_none target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
}

// -----

gnn_plan.program @c4_twice target(<cpu, "generic">) {
  gnn_plan.forward {}
  // expected-error @+1 {{'gnn_plan.forward' op appears twice}}
  gnn_plan.forward {}
}

// -----

gnn_plan.program @c4_order target(<cpu, "generic">) {
  gnn_plan.forward {}
  // expected-error @+1 {{'gnn_plan.prepare' op stands behind forward, it runs before it}}
  gnn_plan.prepare {}
}

// -----

gnn_plan.program @c4_foreign target(<cpu, "generic">) {
  // expected-error @+1 {{'arith.constant' op does not belong in a plan}}
  %c = arith.constant 1 : i64
  gnn_plan.forward {}
}

// -----

gnn_plan.program @c5_never_set target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  // expected-error @+1 {{'gnn_plan.symbol' op 'l' is set by no graph call of prepare}}
  gnn_plan.symbol l prepare bound(2*n)
  gnn_plan.forward {}
}

// -----

gnn_plan.program @c5_too_early target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  gnn_plan.symbol l prepare bound(2*n)
  %p = gnn_plan.buffer persistent "p" f32[l]
  gnn_plan.prepare {
    // expected-error @+1 {{'gnn_plan.launch' op uses symbol 'l' before a graph call sets it}}
    gnn_plan.launch @k(out %p) items(l)
  }
  gnn_plan.forward {}
}

// -----

gnn_plan.program @c5_not_of_prepare target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  gnn_plan.symbol e graph_edges
  %src = gnn_plan.buffer graph_index "src" i64[e]
  %dst = gnn_plan.buffer graph_index "dst" i64[e]
  %s = gnn_plan.buffer transient "s" i64[e]
  %d = gnn_plan.buffer transient "d" i64[e]
  gnn_plan.prepare {
    // expected-error @+1 {{'gnn_plan.graph_call' op sets 'e', which is not declared as a symbol of prepare}}
    gnn_plan.graph_call add_self_loops in(%src, %dst) out(%s, %d) nodes(n, n) edges(e) sets(e) fill 1.0
  }
  gnn_plan.forward {}
}

// -----

gnn_plan.program @c5_twice target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  gnn_plan.symbol e graph_edges
  gnn_plan.symbol l prepare bound(e + n)
  %src = gnn_plan.buffer graph_index "src" i64[e]
  %dst = gnn_plan.buffer graph_index "dst" i64[e]
  %s = gnn_plan.buffer transient "s" i64[l]
  %d = gnn_plan.buffer transient "d" i64[l]
  gnn_plan.prepare {
    gnn_plan.graph_call add_self_loops in(%src, %dst) out(%s, %d) nodes(n, n) edges(e) sets(l) fill 1.0
    // expected-error @+1 {{'gnn_plan.graph_call' op sets symbol 'l' a second time}}
    gnn_plan.graph_call add_self_loops in(%src, %dst) out(%s, %d) nodes(n, n) edges(e) sets(l) fill 1.0
  }
  gnn_plan.forward {}
}

// -----

gnn_plan.program @c6 target(<cpu, "generic">) {
  %w = gnn_plan.buffer weight "w" f32[3]
  gnn_plan.forward {
    // expected-error @+1 {{'gnn_plan.launch' op writes weight 'w', which belongs to the caller}}
    gnn_plan.launch @k(out %w) items(3)
  }
}

// -----

gnn_plan.program @c7 target(<cpu, "generic">) {
  %a = gnn_plan.buffer transient "a" f32[3]
  %y = gnn_plan.buffer output "y" f32[3]
  gnn_plan.forward {
    // expected-error @+1 {{'gnn_plan.launch' op reads transient 'a' before a command writes it}}
    gnn_plan.launch @k(%a, out %y) items(3)
  }
}

// -----

gnn_plan.program @c8_input target(<cpu, "generic">) {
  %x = gnn_plan.buffer input "x" f32[3]
  %p = gnn_plan.buffer persistent "p" f32[3]
  gnn_plan.prepare {
    // expected-error @+1 {{'gnn_plan.launch' op reads input 'x' in prepare, which runs before inputs are there}}
    gnn_plan.launch @k(%x, out %p) items(3)
  }
  gnn_plan.forward {}
}

// -----

gnn_plan.program @c8_output target(<cpu, "generic">) {
  %y = gnn_plan.buffer output "y" f32[3]
  gnn_plan.prepare {
    // expected-error @+1 {{'gnn_plan.launch' op writes output 'y' in prepare; outputs are passed to forward}}
    gnn_plan.launch @k(out %y) items(3)
  }
  gnn_plan.forward {}
}

// -----

gnn_plan.program @c8_persistent target(<cpu, "generic">) {
  %x = gnn_plan.buffer input "x" f32[3]
  %p = gnn_plan.buffer persistent "p" f32[3]
  gnn_plan.forward {
    // expected-error @+1 {{'gnn_plan.launch' op writes persistent 'p' in forward, which only reads what prepare made}}
    gnn_plan.launch @k(%x, out %p) items(3)
  }
}

// -----

gnn_plan.program @c8_transient target(<cpu, "generic">) {
  %a = gnn_plan.buffer transient "a" f32[3]
  %y = gnn_plan.buffer output "y" f32[3]
  gnn_plan.prepare {
    gnn_plan.launch @k(out %a) items(3)
  }
  gnn_plan.forward {
    // expected-error @+1 {{'gnn_plan.launch' op uses transient 'a' of prepare in forward; it must be persistent}}
    gnn_plan.launch @k(%a, out %y) items(3)
  }
}

// -----

gnn_plan.program @c9 target(<cpu, "generic">) {
  // expected-error @+1 {{'gnn_plan.buffer' op output 'y' is written by no command}}
  %y = gnn_plan.buffer output "y" f32[3]
  gnn_plan.forward {}
}

// -----

// expected-error @+1 {{'gnn_plan.program' op mode is default, reduce-overhead, max-autotune-no-cudagraphs or max-autotune, found 'fast'}}
gnn_plan.program @c10_mode target(<cpu, "generic">) attributes {mode = "fast"} {
  gnn_plan.forward {}
}

// -----

// expected-error @+1 {{'gnn_plan.program' op dynamic is true, false or auto, found 'maybe'}}
gnn_plan.program @c10_dynamic target(<cpu, "generic">) attributes {dynamic = "maybe"} {
  gnn_plan.forward {}
}
