// Attention whose scores come of rows of 5 and of 2 features, and whose values have 3:
// a traversal is of one width, so both scores have a traversal of their own, which
// stores one number per edge.
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?x5xf32> {gnn.input = "x"}) -> (tensor<?x3xf32> {gnn.output = "out"}) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x5xf32>
  %n1 = tensor.empty(%n) : tensor<?xf32>
  %n2 = tensor.empty(%n) : tensor<?x2xf32>
  %n3 = tensor.empty(%n) : tensor<?x3xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%n1 : tensor<?xf32>) -> tensor<?xf32>
  %total = linalg.reduce { arith.addf } ins(%x : tensor<?x5xf32>) outs(%zeros : tensor<?xf32>) dimensions = [1]
  %two = linalg.broadcast ins(%total : tensor<?xf32>) outs(%n2 : tensor<?x2xf32>) dimensions = [1]
  %three = linalg.broadcast ins(%total : tensor<?xf32>) outs(%n3 : tensor<?x3xf32>) dimensions = [1]
  %keys = math.exp %two : tensor<?x2xf32>
  %values = math.tanh %three : tensor<?x3xf32>

  %xs = gnn.gather %x, %g at src : tensor<?x5xf32>, !gnn.graph<?x?x?> -> tensor<?x5xf32>
  %xd = gnn.gather %x, %g at dst : tensor<?x5xf32>, !gnn.graph<?x?x?> -> tensor<?x5xf32>
  %product = arith.mulf %xs, %xd : tensor<?x5xf32>
  %e = tensor.dim %product, %c0 : tensor<?x5xf32>
  %e1 = tensor.empty(%e) : tensor<?xf32>
  %e3 = tensor.empty(%e) : tensor<?x3xf32>
  %none = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?xf32>) -> tensor<?xf32>
  %dot = linalg.reduce { arith.addf } ins(%product : tensor<?x5xf32>) outs(%none : tensor<?xf32>) dimensions = [1]
  %ks = gnn.gather %keys, %g at src : tensor<?x2xf32>, !gnn.graph<?x?x?> -> tensor<?x2xf32>
  %kd = gnn.gather %keys, %g at dst : tensor<?x2xf32>, !gnn.graph<?x?x?> -> tensor<?x2xf32>
  %sum = arith.addf %ks, %kd : tensor<?x2xf32>
  %gate = math.tanh %sum : tensor<?x2xf32>
  %more = linalg.reduce { arith.addf } ins(%gate : tensor<?x2xf32>) outs(%none : tensor<?xf32>) dimensions = [1]
  %score = arith.addf %dot, %more : tensor<?xf32>
  %alpha = gnn.segment_softmax %score, %g at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?>
  %vs = gnn.gather %values, %g at src : tensor<?x3xf32>, !gnn.graph<?x?x?> -> tensor<?x3xf32>
  %wide = linalg.broadcast ins(%alpha : tensor<?xf32>) outs(%e3 : tensor<?x3xf32>) dimensions = [1]
  %message = arith.mulf %vs, %wide : tensor<?x3xf32>
  %out = gnn.scatter sum %message, %g at dst acc f32 : tensor<?x3xf32>, !gnn.graph<?x?x?> -> tensor<?x3xf32>
  return %out : tensor<?x3xf32>
}
