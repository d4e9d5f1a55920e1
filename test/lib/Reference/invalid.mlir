// RUN: not gnn-eval --entry @unknown_op %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not gnn-eval --entry @source_out_of_range %s 2>&1 | FileCheck %s --check-prefix=SOURCE
// RUN: not gnn-eval --entry @negative_destination %s 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not gnn-eval --entry @row_pointer %s 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not gnn-eval --entry @counts_differ %s 2>&1 | FileCheck %s --check-prefix=COUNTS
// RUN: not gnn-eval --entry @wrong_cast %s 2>&1 | FileCheck %s --check-prefix=CAST
// RUN: not gnn-eval --entry @recursion %s 2>&1 | FileCheck %s --check-prefix=RECURSION
// RUN: not gnn-eval --entry @takes_argument %s 2>&1 | FileCheck %s --check-prefix=ARGUMENT

// UNKNOWN: gnn-eval: {{.*}}invalid.mlir:[[#@LINE+3]]:8: 'tensor.pad' op is not known to the reference evaluator (docs/reference-evaluator.md lists what is)
func.func @unknown_op() -> tensor<3xf32> {
  %x = arith.constant dense<1.0> : tensor<2xf32>
  %y = tensor.pad %x low[0] high[1] {
  ^bb0(%i: index):
    %zero = arith.constant 0.0 : f32
    tensor.yield %zero : f32
  } : tensor<2xf32> to tensor<3xf32>
  return %y : tensor<3xf32>
}

// SOURCE: gnn-eval: {{.*}}invalid.mlir:{{[0-9]+:[0-9]+}}: 'gnn.graph' op edge 1: source 3 is not in [0, 3); were ids counted from 1?
func.func @source_out_of_range() {
  %src = arith.constant dense<[0, 3]> : tensor<2xi64>
  %dst = arith.constant dense<[0, 1]> : tensor<2xi64>
  %g = gnn.graph %src, %dst : tensor<2xi64>, tensor<2xi64> -> !gnn.graph<3x3x2>
  return
}

// NEGATIVE: gnn-eval: {{.*}}invalid.mlir:{{[0-9]+:[0-9]+}}: 'gnn.graph' op edge 0: destination -1 is not in [0, 3); were ids counted from 1?
func.func @negative_destination() {
  %src = arith.constant dense<[0, 1]> : tensor<2xi64>
  %dst = arith.constant dense<[-1, 1]> : tensor<2xi64>
  %g = gnn.graph %src, %dst : tensor<2xi64>, tensor<2xi64> -> !gnn.graph<3x3x2>
  return
}

// ROWS: gnn-eval: {{.*}}invalid.mlir:{{[0-9]+:[0-9]+}}: 'gnn.graph' op row pointer goes from 2 to 1 at row 1; it rises to 2
func.func @row_pointer() {
  %rows = arith.constant dense<[0, 2, 1, 2]> : tensor<4xi64>
  %src = arith.constant dense<[0, 1]> : tensor<2xi64>
  %g = gnn.graph %rows, %src : tensor<4xi64>, tensor<2xi64> -> !gnn.graph<3x3x2, csr>
  return
}

// COUNTS: gnn-eval: {{.*}}invalid.mlir:{{[0-9]+:[0-9]+}}: 'gnn.gather' op operand 'nodes' has 4 rows, the graph has 3 sources
func.func @counts_differ() {
  %c3 = arith.constant 3 : index
  %src = arith.constant dense<[0, 1]> : tensor<2xi64>
  %g = gnn.graph %src, %src nodes(%c3, %c3) : tensor<2xi64>, tensor<2xi64> -> !gnn.graph<?x?x2>
  %x = arith.constant dense<1.0> : tensor<4xf32>
  %m = gnn.gather %x, %g at src : tensor<4xf32>, !gnn.graph<?x?x2> -> tensor<2xf32>
  return
}

// CAST: gnn-eval: {{.*}}invalid.mlir:{{[0-9]+:[0-9]+}}: 'tensor.cast' op result #0 has type 'tensor<4xf32>', evaluated it is 3xf64
func.func @wrong_cast() -> tensor<4xf32> {
  %c3 = arith.constant 3 : index
  %x = tensor.empty(%c3) : tensor<?xf32>
  %y = tensor.cast %x : tensor<?xf32> to tensor<4xf32>
  return %y : tensor<4xf32>
}

// RECURSION: gnn-eval: {{.*}}invalid.mlir:{{[0-9]+:[0-9]+}}: 'func.call' op calls nest deeper than 64; is this recursion?
func.func @recursion() {
  call @recursion() : () -> ()
  return
}

// ARGUMENT: gnn-eval: {{.*}}invalid.mlir:{{[0-9]+:[0-9]+}}: 'func.func' op takes 1 arguments, 0 were given
func.func @takes_argument(%x: f32) {
  return
}
