// RUN: gnn-opt %s | gnn-opt | FileCheck %s

// Equal formulas are printed the same way, however they were written.
gnn_plan.program @canonical target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  gnn_plan.symbol e graph_edges
  // CHECK: max(2*e + 3*n + 1)
  gnn_plan.guard max(n + e + 1 + 2*n + e) limit 1 "sum of like terms"
  // CHECK: max(0)
  gnn_plan.guard max(n - n) limit 1 "terms that vanish"
  // CHECK: max(-3*n - 2)
  gnn_plan.guard max(-(2 + 3*n)) limit 1 "negative"
  // CHECK: max(n ceildiv 4)
  gnn_plan.guard max((n + 3) floordiv 4) limit 1 "rounding up"
  // CHECK: max((n + 1) floordiv 4 + 2)
  gnn_plan.guard max((n + 9) floordiv 4) limit 1 "whole units leave the fraction"
  // CHECK: max(256*(7*n ceildiv 64))
  gnn_plan.guard max((28*n + 255) floordiv 256 * 256) limit 1 "reduced fraction"
  // CHECK: max(256*n)
  gnn_plan.guard max((256*n + 255) floordiv 256 * 256) limit 1 "nothing to round"
  // CHECK: max(e + n floordiv 4)
  gnn_plan.guard max((n + 4*e) floordiv 4) limit 1 "multiples are not divided"
  // CHECK: max((n + 1) floordiv 4 - 1)
  gnn_plan.guard max((n - 3) floordiv 4) limit 1 "negative offset"
  gnn_plan.forward {}
}
