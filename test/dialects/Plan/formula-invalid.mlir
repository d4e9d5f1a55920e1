// RUN: gnn-opt %s --split-input-file --verify-diagnostics

gnn_plan.program @product target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  gnn_plan.symbol e graph_edges
  // expected-error @+1 {{a formula has no product of symbols, found '2*n' times 'e'}}
  gnn_plan.guard max(2*n*e) limit 10 "few"
}

// -----

gnn_plan.program @quotient_of_sum target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  gnn_plan.symbol e graph_edges
  // expected-error @+1 {{only a multiple of one symbol plus a constant is divided, found 'e + n'}}
  gnn_plan.guard max((n + e) floordiv 4) limit 10 "few"
}

// -----

gnn_plan.program @zero_divisor target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  // expected-error @+1 {{a formula is divided by at least 1, found 0}}
  gnn_plan.guard max(n floordiv 0) limit 10 "few"
}

// -----

gnn_plan.program @nothing target(<cpu, "generic">) {
  // expected-error @+1 {{expected an integer, a symbol or '(' in a formula}}
  gnn_plan.guard max() limit 10 "few"
}
