// RUN: gnn-opt %s --gnn-lower-to-cpu --split-input-file --verify-diagnostics

// expected-error @+1 {{gnn-lower-to-cpu needs the module attribute gnn.target = #gnn.target<cpu, ...>}}
module attributes {gnn.target = #gnn.target<cuda, "sm_90">} {}

// -----

module attributes {gnn.target = #gnn.target<cpu, "x86-64-v4">} {
  func.func private @no_schedule(%x: tensor<?xf32>) -> tensor<?xf32> attributes {gnn.kernel = "map"} {
    // expected-error @+1 {{'gnn.map' op has no #gnn.cpu_schedule; run gnn-assign-schedules first}}
    %s = gnn.map rows(%x : tensor<?xf32>) -> tensor<?xf32> {
    ^bb0(%a: f32):
      gnn.yield %a : f32
    }
    return %s : tensor<?xf32>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "x86-64-v4">} {
  // expected-error @+1 {{'func.func' op is still called on tensors; run gnn-build-plan before gnn-lower-to-cpu}}
  func.func private @called(%x: tensor<?xf32>) -> tensor<?xf32> attributes {gnn.kernel = "map"} {
    %s = gnn.map rows(%x : tensor<?xf32>) schedule(#gnn.cpu_schedule<tile = 256, prefetch = 0>) -> tensor<?xf32> {
    ^bb0(%a: f32):
      gnn.yield %a : f32
    }
    return %s : tensor<?xf32>
  }
  func.func @forward(%x: tensor<?xf32>) -> tensor<?xf32> {
    %s = call @called(%x) : (tensor<?xf32>) -> tensor<?xf32>
    return %s : tensor<?xf32>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "x86-64-v4">} {
  // expected-error @+1 {{'func.func' op a kernel follows a csr graph, found '!gnn.graph<?x?x?>'; run gnn-hoist-graph-invariants first}}
  func.func private @coo(%g: !gnn.graph<?x?x?>, %x: tensor<?xf32>) -> tensor<?xf32> attributes {gnn.kernel = "aggregate"} {
    %s = gnn.aggregate %g src(%x : tensor<?xf32>) reduce [sum] acc f32 schedule(#gnn.cpu_schedule<tile = 256, prefetch = 0>) : !gnn.graph<?x?x?> -> tensor<?xf32> message {
    ^bb0(%a: f32):
      gnn.yield %a : f32
    }
    return %s : tensor<?xf32>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "x86-64-v4">} {
  func.func private @constant_row(%x: tensor<?x2xf32>) -> tensor<?x2xf32> attributes {gnn.kernel = "map"} {
    %s = gnn.map rows(%x : tensor<?x2xf32>) schedule(#gnn.cpu_schedule<tile = 256, prefetch = 0>) -> tensor<?x2xf32> {
    ^bb0(%a: vector<2xf32>):
      // expected-error @+1 {{'arith.constant' op a vector constant in a row region must be a splat; pass others as a param operand}}
      %c = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
      %y = arith.addf %a, %c : vector<2xf32>
      gnn.yield %y : vector<2xf32>
    }
    return %s : tensor<?x2xf32>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "x86-64-v4">} {
  func.func private @no_row_form(%x: tensor<?x2xf32>) -> tensor<?x2xf32> attributes {gnn.kernel = "map"} {
    %s = gnn.map rows(%x : tensor<?x2xf32>) schedule(#gnn.cpu_schedule<tile = 256, prefetch = 0>) -> tensor<?x2xf32> {
    ^bb0(%a: vector<2xf32>):
      // expected-error @+1 {{'vector.shuffle' op has no row-wise form in a kernel region}}
      %y = vector.shuffle %a, %a [1, 0] : vector<2xf32>, vector<2xf32>
      gnn.yield %y : vector<2xf32>
    }
    return %s : tensor<?x2xf32>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "x86-64-v4">} {
  func.func private @picked(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x3xf32>, %y: tensor<?x3xf32>) -> tensor<?x3xf32> attributes {gnn.kernel = "aggregate"} {
    // expected-error @+1 {{'gnn.aggregate' op takes single numbers of epilogue argument #1 in one region and its row in the other}}
    %s = gnn.aggregate %g src(%x : tensor<?x3xf32>) dst(%y : tensor<?x3xf32>) reduce [sum] acc f32 schedule(#gnn.cpu_schedule<tile = 256, prefetch = 0>) : !gnn.graph<?x?x?, i32, csr> -> tensor<?x3xf32> message {
    ^bb0(%a: vector<3xf32>, %b: vector<3xf32>):
      %n = vector.extract %b[1] : f32 from vector<3xf32>
      %r = vector.broadcast %n : f32 to vector<3xf32>
      %m = arith.mulf %a, %r : vector<3xf32>
      gnn.yield %m : vector<3xf32>
    } epilogue {
    ^bb0(%sum: vector<3xf32>, %b: vector<3xf32>):
      %o = arith.addf %sum, %b : vector<3xf32>
      gnn.yield %o : vector<3xf32>
    }
    return %s : tensor<?x3xf32>
  }
}
