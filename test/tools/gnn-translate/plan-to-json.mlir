// RUN: gnn-opt %S/../../passes/build-plan/host.mlir --gnn-build-plan --gnn-plan-memory | gnn-translate --gnn-plan-to-json | FileCheck %s

// CHECK:      "version": 3,
// CHECK-NEXT: "producer": "gnnc {{[0-9.]+}}",
// CHECK-NEXT: "program": "gcn",
// CHECK-NEXT: "target": "cpu",
// CHECK-NEXT: "chip": "x86-64-v4",
// CHECK-NEXT: "mode": "default",
// CHECK-NEXT: "dynamic": "true",
// CHECK:      "name": "e.loops",
// CHECK-NEXT: "source": "prepare",
// CHECK:      "kernel": "aggregate_1",
// CHECK-NEXT: "arguments": [
// CHECK-NEXT: {
// CHECK-NEXT: "buffer": "csr.rowptr"
// CHECK:      "row_pointer": "csr.rowptr"
// CHECK:      "arena_bytes": {
// CHECK-NEXT: "constant": 0,
// CHECK-NEXT: "terms": [
// CHECK-NEXT: {
// CHECK-NEXT: "symbol": "n",
// CHECK-NEXT: "factor": 512,
// CHECK-NEXT: "divisor": 4,
// CHECK-NEXT: "offset": 3
