// RUN: not gnn-translate --gnn-plan-to-json %s -o %t.json 2>&1 | FileCheck %s
// RUN: not ls %t.json
// RUN: echo "module {}" | not gnn-translate --gnn-plan-to-json 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not gnn-translate %s 2>&1 | FileCheck %s --check-prefix=USAGE
// RUN: not gnn-translate --gnn-plan-to-json %s.missing 2>&1 | FileCheck %s --check-prefix=MISSING

// NONE: gnn-translate: <stdin>:1:1: gnn-plan-to-json: expected one gnn_plan.program, found 0
// USAGE: gnn-translate: nothing to do; say --gnn-plan-to-json
// MISSING: gnn-translate: {{.*}}.missing: cannot read the program: No such file or directory

gnn_plan.program @not_placed target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  %x = gnn_plan.buffer input "x" f32[n, 7]
  // CHECK: not-placed.mlir:[[@LINE+1]]:8: transient 'a' has no place in the arena; run gnn-plan-memory first
  %a = gnn_plan.buffer transient "a" f32[n, 7]
  %y = gnn_plan.buffer output "y" f32[n, 7]
  gnn_plan.forward {
    gnn_plan.launch @k0(%x, out %a) items(n)
    gnn_plan.launch @k1(%a, out %y) items(n)
  }
}
