// Each function is what it was.
// RUN: gnn-opt %s --canonicalize --split-input-file > %t.before
// RUN: gnn-opt %s --gnn-move-row-scales --canonicalize --split-input-file | diff %t.before -
// Each scaling that stays says why.
// RUN: gnn-opt %s --gnn-move-row-scales --split-input-file --remarks-filter-missed=gnn-move-row-scales --remark-policy=all -o /dev/null 2>&1 | FileCheck %s

// No aggregate makes the rows.
// CHECK: Reason="no aggregate makes the rows, in whose epilogue the scaling would be free"
func.func @rows_of_an_argument(%g: !gnn.graph<5x5x9>, %x: tensor<5x4xf32>, %s: tensor<5xf32>, %w: tensor<4x4xf32>) -> tensor<5x4xf32> {
  %o = gnn.aggregate %g src(%x, %s : tensor<5x4xf32>, tensor<5xf32>) reduce [sum] acc f32 : !gnn.graph<5x5x9> -> tensor<5x4xf32> message {
  ^bb0(%r: vector<4xf32>, %f: f32):
    %fs = vector.broadcast %f : f32 to vector<4xf32>
    %m = arith.mulf %fs, %r : vector<4xf32>
    gnn.yield %m : vector<4xf32>
  }
  return %o : tensor<5x4xf32>
}

// -----

// The rows are returned, too.
// CHECK: Reason="the rows are read elsewhere, too"
func.func @rows_read_elsewhere(%g: !gnn.graph<5x5x9>, %x: tensor<5x4xf32>, %s: tensor<5xf32>, %w: tensor<4x4xf32>) -> (tensor<5x4xf32>, tensor<5x4xf32>) {
  %a = gnn.aggregate %g src(%x : tensor<5x4xf32>) reduce [sum] acc f32 : !gnn.graph<5x5x9> -> tensor<5x4xf32> message {
  ^bb0(%r: vector<4xf32>):
    gnn.yield %r : vector<4xf32>
  }
  %o = gnn.aggregate %g src(%a, %s : tensor<5x4xf32>, tensor<5xf32>) reduce [sum] acc f32 : !gnn.graph<5x5x9> -> tensor<5x4xf32> message {
  ^bb0(%r: vector<4xf32>, %f: f32):
    %fs = vector.broadcast %f : f32 to vector<4xf32>
    %m = arith.mulf %fs, %r : vector<4xf32>
    gnn.yield %m : vector<4xf32>
  }
  return %o, %a : tensor<5x4xf32>, tensor<5x4xf32>
}

// -----

// What the product reads is returned, too.
// CHECK: Reason="what the product reads is read elsewhere, too"
func.func @product_rows_read_elsewhere(%g: !gnn.graph<5x5x9>, %x: tensor<5x4xf32>, %s: tensor<5xf32>, %w: tensor<4x4xf32>) -> (tensor<5x4xf32>, tensor<5x4xf32>) {
  %a = gnn.aggregate %g src(%x : tensor<5x4xf32>) reduce [sum] acc f32 : !gnn.graph<5x5x9> -> tensor<5x4xf32> message {
  ^bb0(%r: vector<4xf32>):
    gnn.yield %r : vector<4xf32>
  }
  %zeros = arith.constant dense<0.0> : tensor<5x4xf32>
  %h = linalg.matmul ins(%a, %w : tensor<5x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<5x4xf32>) -> tensor<5x4xf32>
  %o = gnn.aggregate %g src(%h, %s : tensor<5x4xf32>, tensor<5xf32>) reduce [sum] acc f32 : !gnn.graph<5x5x9> -> tensor<5x4xf32> message {
  ^bb0(%r: vector<4xf32>, %f: f32):
    %fs = vector.broadcast %f : f32 to vector<4xf32>
    %m = arith.mulf %fs, %r : vector<4xf32>
    gnn.yield %m : vector<4xf32>
  }
  return %o, %a : tensor<5x4xf32>, tensor<5x4xf32>
}

// -----

// The product adds to what is not zero.
// CHECK: Reason="the product adds to something, or its rows are not those of its first operand"
func.func @product_adds(%g: !gnn.graph<5x5x9>, %x: tensor<5x4xf32>, %s: tensor<5xf32>, %w: tensor<4x4xf32>) -> tensor<5x4xf32> {
  %a = gnn.aggregate %g src(%x : tensor<5x4xf32>) reduce [sum] acc f32 : !gnn.graph<5x5x9> -> tensor<5x4xf32> message {
  ^bb0(%r: vector<4xf32>):
    gnn.yield %r : vector<4xf32>
  }
  %ones = arith.constant dense<1.0> : tensor<5x4xf32>
  %h = linalg.matmul ins(%a, %w : tensor<5x4xf32>, tensor<4x4xf32>) outs(%ones : tensor<5x4xf32>) -> tensor<5x4xf32>
  %o = gnn.aggregate %g src(%h, %s : tensor<5x4xf32>, tensor<5xf32>) reduce [sum] acc f32 : !gnn.graph<5x5x9> -> tensor<5x4xf32> message {
  ^bb0(%r: vector<4xf32>, %f: f32):
    %fs = vector.broadcast %f : f32 to vector<4xf32>
    %m = arith.mulf %fs, %r : vector<4xf32>
    gnn.yield %m : vector<4xf32>
  }
  return %o : tensor<5x4xf32>
}

// -----

// The rows of the product are those of its second operand.
// CHECK: Reason="the product adds to something, or its rows are not those of its first operand"
func.func @product_of_other_rows(%g: !gnn.graph<5x5x9>, %x: tensor<5x4xf32>, %s: tensor<5xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %a = gnn.aggregate %g src(%x : tensor<5x4xf32>) reduce [sum] acc f32 : !gnn.graph<5x5x9> -> tensor<5x4xf32> message {
  ^bb0(%r: vector<4xf32>):
    gnn.yield %r : vector<4xf32>
  }
  %zeros = arith.constant dense<0.0> : tensor<4x4xf32>
  %t = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
      ins(%a, %x : tensor<5x4xf32>, tensor<5x4xf32>) outs(%zeros : tensor<4x4xf32>) -> tensor<4x4xf32>
  %init = tensor.empty() : tensor<4x4xf32>
  %f = tensor.extract_slice %s[0] [4] [1] : tensor<5xf32> to tensor<4xf32>
  %rows = linalg.broadcast ins(%f : tensor<4xf32>) outs(%init : tensor<4x4xf32>) dimensions = [1]
  %o = arith.mulf %t, %rows : tensor<4x4xf32>
  return %o : tensor<4x4xf32>
}

// -----

// Several source rows.
// CHECK: Reason="the message multiplies several source rows"
func.func @two_rows(%g: !gnn.graph<5x5x9>, %x: tensor<5x4xf32>, %s: tensor<5xf32>, %w: tensor<4x4xf32>) -> tensor<5x4xf32> {
  %a = gnn.aggregate %g src(%x : tensor<5x4xf32>) reduce [sum] acc f32 : !gnn.graph<5x5x9> -> tensor<5x4xf32> message {
  ^bb0(%r: vector<4xf32>):
    gnn.yield %r : vector<4xf32>
  }
  %o = gnn.aggregate %g src(%a, %x, %s : tensor<5x4xf32>, tensor<5x4xf32>, tensor<5xf32>) reduce [sum] acc f32 : !gnn.graph<5x5x9> -> tensor<5x4xf32> message {
  ^bb0(%r: vector<4xf32>, %q: vector<4xf32>, %f: f32):
    %fs = vector.broadcast %f : f32 to vector<4xf32>
    %p = arith.mulf %q, %r : vector<4xf32>
    %m = arith.mulf %fs, %p : vector<4xf32>
    gnn.yield %m : vector<4xf32>
  }
  return %o : tensor<5x4xf32>
}

// -----

// No product.
func.func @a_sum(%g: !gnn.graph<5x5x9>, %x: tensor<5x4xf32>, %s: tensor<5xf32>, %w: tensor<4x4xf32>) -> tensor<5x4xf32> {
  %a = gnn.aggregate %g src(%x : tensor<5x4xf32>) reduce [sum] acc f32 : !gnn.graph<5x5x9> -> tensor<5x4xf32> message {
  ^bb0(%r: vector<4xf32>):
    gnn.yield %r : vector<4xf32>
  }
  %o = gnn.aggregate %g src(%a, %s : tensor<5x4xf32>, tensor<5xf32>) reduce [sum] acc f32 : !gnn.graph<5x5x9> -> tensor<5x4xf32> message {
  ^bb0(%r: vector<4xf32>, %f: f32):
    %fs = vector.broadcast %f : f32 to vector<4xf32>
    %m = arith.addf %fs, %r : vector<4xf32>
    gnn.yield %m : vector<4xf32>
  }
  return %o : tensor<5x4xf32>
}

// -----

// The row weighs a score, too.
func.func @several_values(%g: !gnn.graph<5x5x9>, %x: tensor<5x4xf32>, %s: tensor<5xf32>, %w: tensor<4x4xf32>) -> tensor<5x4xf32> {
  %a = gnn.aggregate %g src(%x : tensor<5x4xf32>) reduce [sum] acc f32 : !gnn.graph<5x5x9> -> tensor<5x4xf32> message {
  ^bb0(%r: vector<4xf32>):
    gnn.yield %r : vector<4xf32>
  }
  %o = gnn.aggregate %g src(%a, %s : tensor<5x4xf32>, tensor<5xf32>) reduce [softmax] acc f32 : !gnn.graph<5x5x9> -> tensor<5x4xf32> message {
  ^bb0(%r: vector<4xf32>, %f: f32):
    %fs = vector.broadcast %f : f32 to vector<4xf32>
    %m = arith.mulf %fs, %r : vector<4xf32>
    gnn.yield %f, %m : f32, vector<4xf32>
  } epilogue {
  ^bb0(%sum: vector<4xf32>, %den: f32, %max: f32):
    gnn.yield %sum : vector<4xf32>
  }
  return %o : tensor<5x4xf32>
}

// -----

// The destination reads the rows, too.
// CHECK: Reason="the rows are read at the other end, too"
func.func @both_ends(%g: !gnn.graph<5x5x9>, %x: tensor<5x4xf32>, %s: tensor<5xf32>, %w: tensor<4x4xf32>) -> tensor<5x4xf32> {
  %a = gnn.aggregate %g src(%x : tensor<5x4xf32>) reduce [sum] acc f32 : !gnn.graph<5x5x9> -> tensor<5x4xf32> message {
  ^bb0(%r: vector<4xf32>):
    gnn.yield %r : vector<4xf32>
  }
  %o = gnn.aggregate %g src(%a, %s : tensor<5x4xf32>, tensor<5xf32>) dst(%a : tensor<5x4xf32>) reduce [sum] acc f32 : !gnn.graph<5x5x9> -> tensor<5x4xf32> message {
  ^bb0(%r: vector<4xf32>, %f: f32, %v: vector<4xf32>):
    %fs = vector.broadcast %f : f32 to vector<4xf32>
    %m = arith.mulf %fs, %r : vector<4xf32>
    gnn.yield %m : vector<4xf32>
  } epilogue {
  ^bb0(%sum: vector<4xf32>, %v: vector<4xf32>):
    %y = arith.addf %sum, %v : vector<4xf32>
    gnn.yield %y : vector<4xf32>
  }
  return %o : tensor<5x4xf32>
}

// -----

// The numbers come after the rows.
// CHECK: Reason="the numbers are not known when the rows are made"
func.func @late_numbers(%g: !gnn.graph<5x5x9>, %x: tensor<5x4xf32>, %s: tensor<5xf32>, %w: tensor<4x4xf32>) -> tensor<5x4xf32> {
  %a = gnn.aggregate %g src(%x : tensor<5x4xf32>) reduce [sum] acc f32 : !gnn.graph<5x5x9> -> tensor<5x4xf32> message {
  ^bb0(%r: vector<4xf32>):
    gnn.yield %r : vector<4xf32>
  }
  %late = math.sqrt %s : tensor<5xf32>
  %o = gnn.aggregate %g src(%a, %late : tensor<5x4xf32>, tensor<5xf32>) reduce [sum] acc f32 : !gnn.graph<5x5x9> -> tensor<5x4xf32> message {
  ^bb0(%r: vector<4xf32>, %f: f32):
    %fs = vector.broadcast %f : f32 to vector<4xf32>
    %m = arith.mulf %fs, %r : vector<4xf32>
    gnn.yield %m : vector<4xf32>
  }
  return %o : tensor<5x4xf32>
}
