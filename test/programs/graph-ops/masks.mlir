// Choices that nodes make for their edges: a mask of features at each end chooses between
// the two rows, and one bit a node is counted at its neighbours.
func.func @forward(%g: !gnn.graph<?x?x?>, %x: tensor<?x5xf32> {gnn.input = "x"}) -> (tensor<?x5xf32> {gnn.output = "out"}) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x5xf32>
  %n1 = tensor.empty(%n) : tensor<?xf32>
  %n5 = tensor.empty(%n) : tensor<?x5xf32>
  %none = linalg.fill ins(%zero : f32) outs(%n1 : tensor<?xf32>) -> tensor<?xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%n5 : tensor<?x5xf32>) -> tensor<?x5xf32>
  %total = linalg.reduce { arith.addf } ins(%x : tensor<?x5xf32>) outs(%none : tensor<?xf32>) dimensions = [1]
  %wide = linalg.broadcast ins(%total : tensor<?xf32>) outs(%n5 : tensor<?x5xf32>) dimensions = [1]
  %positive = arith.cmpf ogt, %x, %zeros : tensor<?x5xf32>
  %high = arith.cmpf ogt, %wide, %x : tensor<?x5xf32>
  %loud = arith.cmpf ogt, %total, %none : tensor<?xf32>

  %ps = gnn.gather %positive, %g at src : tensor<?x5xi1>, !gnn.graph<?x?x?> -> tensor<?x5xi1>
  %hd = gnn.gather %high, %g at dst : tensor<?x5xi1>, !gnn.graph<?x?x?> -> tensor<?x5xi1>
  %both = arith.andi %ps, %hd : tensor<?x5xi1>
  %xs = gnn.gather %x, %g at src : tensor<?x5xf32>, !gnn.graph<?x?x?> -> tensor<?x5xf32>
  %xd = gnn.gather %x, %g at dst : tensor<?x5xf32>, !gnn.graph<?x?x?> -> tensor<?x5xf32>
  %message = arith.select %both, %xs, %xd : tensor<?x5xi1>, tensor<?x5xf32>
  %sum = gnn.scatter sum %message, %g at dst acc f32 : tensor<?x5xf32>, !gnn.graph<?x?x?> -> tensor<?x5xf32>

  %ls = gnn.gather %loud, %g at src : tensor<?xi1>, !gnn.graph<?x?x?> -> tensor<?xi1>
  %vote = arith.uitofp %ls : tensor<?xi1> to tensor<?xf32>
  %votes = gnn.scatter mean %vote, %g at dst acc f32 : tensor<?xf32>, !gnn.graph<?x?x?> -> tensor<?xf32>
  %share = linalg.broadcast ins(%votes : tensor<?xf32>) outs(%n5 : tensor<?x5xf32>) dimensions = [1]
  %out = arith.addf %sum, %share : tensor<?x5xf32>
  return %out : tensor<?x5xf32>
}
