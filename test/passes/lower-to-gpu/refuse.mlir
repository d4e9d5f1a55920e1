// RUN: gnn-opt %s --gnn-lower-to-gpu --split-input-file --verify-diagnostics

// expected-error @+1 {{gnn-lower-to-gpu needs the module attribute gnn.target = #gnn.target<cuda, ...>}}
module attributes {gnn.target = #gnn.target<cpu, "generic">} {}

// -----

module attributes {gnn.target = #gnn.target<cuda, "sm_90">} {
  func.func private @weight_by_columns(%f: tensor<?x4xf32>, %w: tensor<16x4xf32>) -> tensor<?x16xf32> attributes {gnn.kernel = "map"} {
    %y = gnn.map rows(%f : tensor<?x4xf32>) param(%w : tensor<16x4xf32>) schedule(#gnn.gpu_schedule<chunk = 128, group = 8, vector = 2, regs = 1, unroll = 1, block = 128, order = row>) -> tensor<?x16xf32> {
    ^bb0(%row: vector<4xf32>, %weight: vector<16x4xf32>):
      %zero = arith.constant dense<0.0> : vector<16xf32>
      // expected-error @+1 {{'vector.contract' op has no form in a kernel region, which adds up the numbers of an operand's row times the rows of a param and uses both for nothing else}}
      %m = vector.contract {indexing_maps = [affine_map<(c, k) -> (k)>, affine_map<(c, k) -> (c, k)>, affine_map<(c, k) -> (c)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %row, %weight, %zero : vector<4xf32>, vector<16x4xf32> into vector<16xf32>
      gnn.yield %m : vector<16xf32>
    }
    return %y : tensor<?x16xf32>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cuda, "sm_90">} {
  func.func private @row_used_twice(%f: tensor<?x16xf32>, %w: tensor<16x16xf32>) -> tensor<?x16xf32> attributes {gnn.kernel = "map"} {
    %y = gnn.map rows(%f : tensor<?x16xf32>) param(%w : tensor<16x16xf32>) schedule(#gnn.gpu_schedule<chunk = 128, group = 8, vector = 2, regs = 1, unroll = 1, block = 128, order = row>) -> tensor<?x16xf32> {
    ^bb0(%row: vector<16xf32>, %weight: vector<16x16xf32>):
      // expected-error @+1 {{'vector.contract' op has no form in a kernel region}}
      %m = vector.contract {indexing_maps = [affine_map<(c, k) -> (k)>, affine_map<(c, k) -> (k, c)>, affine_map<(c, k) -> (c)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %row, %weight, %row : vector<16xf32>, vector<16x16xf32> into vector<16xf32>
      gnn.yield %m : vector<16xf32>
    }
    return %y : tensor<?x16xf32>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cuda, "sm_90">} {
  func.func private @vector_of_seven(%x: tensor<?x7xf32>) -> tensor<?x7xf32> attributes {gnn.kernel = "map"} {
    // expected-error @+1 {{'gnn.map' op gpu schedule: vector = 4 does not divide the 7 features of a row}}
    %s = gnn.map rows(%x : tensor<?x7xf32>) schedule(#gnn.gpu_schedule<chunk = 128, group = 2, vector = 4, regs = 1, unroll = 4, block = 128, order = row>) -> tensor<?x7xf32> {
    ^bb0(%r: vector<7xf32>):
      gnn.yield %r : vector<7xf32>
    }
    return %s : tensor<?x7xf32>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cuda, "sm_90">} {
  func.func private @sum_of_96(%x: tensor<?x96xf32>) -> tensor<?xf32> attributes {gnn.kernel = "map"} {
    // expected-error @+1 {{'gnn.map' op gpu schedule: the kernel reduces over 96 features, group x vector x regs covers 64}}
    %s = gnn.map rows(%x : tensor<?x96xf32>) schedule(#gnn.gpu_schedule<chunk = 128, group = 8, vector = 4, regs = 2, unroll = 4, block = 128, order = row>) -> tensor<?xf32> {
    ^bb0(%r: vector<96xf32>):
      %zero = arith.constant 0.0 : f32
      %sum = vector.multi_reduction <add>, %r, %zero [0] : vector<96xf32> to f32
      gnn.yield %sum : f32
    }
    return %s : tensor<?xf32>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cuda, "sm_90">} {
  func.func private @one_number(%x: tensor<?x8xf32>) -> tensor<?xf32> attributes {gnn.kernel = "map"} {
    %s = gnn.map rows(%x : tensor<?x8xf32>) schedule(#gnn.gpu_schedule<chunk = 128, group = 2, vector = 4, regs = 1, unroll = 4, block = 128, order = row>) -> tensor<?xf32> {
    ^bb0(%r: vector<8xf32>):
      %s8 = arith.negf %r : vector<8xf32>
      // expected-error @+1 {{'vector.extract' op takes some of the values of a row, which has no form in a kernel region}}
      %one = vector.extract %s8[3] : f32 from vector<8xf32>
      gnn.yield %one : f32
    }
    return %s : tensor<?xf32>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cuda, "sm_90">} {
  func.func private @host_schedule(%x: tensor<?xf32>) -> tensor<?xf32> attributes {gnn.kernel = "map"} {
    // expected-error @+1 {{'gnn.map' op has no #gnn.gpu_schedule; run gnn-assign-schedules first}}
    %s = gnn.map rows(%x : tensor<?xf32>) -> tensor<?xf32> {
    ^bb0(%r: f32):
      gnn.yield %r : f32
    }
    return %s : tensor<?xf32>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cuda, "sm_90">} {
  func.func private @heads_of_seven(%x: tensor<?x2x7xf32>) -> tensor<?x2x7xf32> attributes {gnn.kernel = "map"} {
    // expected-error @+1 {{'gnn.map' op gpu schedule: vector = 4 does not divide the 7 features of a head}}
    %s = gnn.map rows(%x : tensor<?x2x7xf32>) schedule(#gnn.gpu_schedule<chunk = 128, group = 4, vector = 4, regs = 1, unroll = 4, block = 128, order = row>) -> tensor<?x2x7xf32> {
    ^bb0(%r: vector<2x7xf32>):
      gnn.yield %r : vector<2x7xf32>
    }
    return %s : tensor<?x2x7xf32>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cuda, "sm_90">} {
  func.func private @sum_of_integers(%x: tensor<?x8xi32>) -> tensor<?xi32> attributes {gnn.kernel = "map"} {
    %s = gnn.map rows(%x : tensor<?x8xi32>) schedule(#gnn.gpu_schedule<chunk = 128, group = 2, vector = 4, regs = 1, unroll = 4, block = 128, order = row>) -> tensor<?xi32> {
    ^bb0(%r: vector<8xi32>):
      %zero = arith.constant 0 : i32
      // expected-error @+1 {{'vector.multi_reduction' op reduces 'vector<8xi32>'; a kernel region reduces rows of floats}}
      %sum = vector.multi_reduction <add>, %r, %zero [0] : vector<8xi32> to i32
      gnn.yield %sum : i32
    }
    return %s : tensor<?xi32>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cuda, "sm_90">} {
  // expected-error @+1 {{'func.func' op a kernel follows the edges of one graph, found a second one}}
  func.func private @two_graphs(%g: !gnn.graph<?x?x?, i32, csr>, %h: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x8xf32>) -> tensor<?x8xf32> attributes {gnn.kernel = "aggregate"} {
    %s = gnn.aggregate %g src(%x : tensor<?x8xf32>) reduce [sum] acc f32 schedule(#gnn.gpu_schedule<chunk = 128, group = 2, vector = 4, regs = 1, unroll = 4, block = 128, order = row>) : !gnn.graph<?x?x?, i32, csr> -> tensor<?x8xf32> message {
    ^bb0(%r: vector<8xf32>):
      gnn.yield %r : vector<8xf32>
    }
    return %s : tensor<?x8xf32>
  }
}
