// RUN: gnn-opt %s --gnn-set-precision=storage=f16 --verify-diagnostics

// expected-error @below {{has elements of 'bf16', the precision asked for is 'f16'; a program stores one 16-bit type}}
func.func @stores_bf16(%x: tensor<?x4xbf16> {gnn.input = "x"}) -> (tensor<?x4xbf16> {gnn.output = "y"}) {
  return %x : tensor<?x4xbf16>
}
