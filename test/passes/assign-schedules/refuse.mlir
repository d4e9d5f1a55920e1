// RUN: gnn-opt %s --gnn-assign-schedules --split-input-file --verify-diagnostics

// expected-error @+1 {{gnn-assign-schedules needs the module attribute gnn.target}}
module {
  func.func private @k(%x: tensor<?xf32>) -> tensor<?xf32> attributes {gnn.kernel = "map"}
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "x86-64-v4">} {
  // expected-error @+1 {{'func.func' op a kernel function holds one gnn.aggregate or gnn.map}}
  func.func private @empty(%x: tensor<?xf32>) -> tensor<?xf32> attributes {gnn.kernel = "map"} {
    return %x : tensor<?xf32>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cuda, "sm_90">} {
  func.func private @sum_of_4096(%x: tensor<?x4096xf32>) -> tensor<?xf32> attributes {gnn.kernel = "map"} {
    // expected-error @+1 {{'gnn.map' op reduces over 4096 features; a kernel for cuda reduces over 2048 at most, use narrower rows or compile for cpu}}
    %s = gnn.map rows(%x : tensor<?x4096xf32>) -> tensor<?xf32> {
    ^bb0(%r: vector<4096xf32>):
      %zero = arith.constant 0.0 : f32
      %sum = vector.multi_reduction <add>, %r, %zero [0] : vector<4096xf32> to f32
      gnn.yield %sum : f32
    }
    return %s : tensor<?xf32>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cuda, "sm_90">} {
  // An odd width has loads of one feature.
  func.func private @sum_of_2049(%x: tensor<?x2049xf32>) -> tensor<?xf32> attributes {gnn.kernel = "map"} {
    // expected-error @+1 {{'gnn.map' op reduces over 2049 features; a kernel for cuda reduces over 2048 at most, use narrower rows or compile for cpu}}
    %s = gnn.map rows(%x : tensor<?x2049xf32>) -> tensor<?xf32> {
    ^bb0(%r: vector<2049xf32>):
      %zero = arith.constant 0.0 : f32
      %sum = vector.multi_reduction <add>, %r, %zero [0] : vector<2049xf32> to f32
      gnn.yield %sum : f32
    }
    return %s : tensor<?xf32>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "generic">} {
  func.func private @of_the_gpu(%x: tensor<?x8xf32>) -> tensor<?x8xf32> attributes {gnn.kernel = "map"} {
    // expected-error @+1 {{'gnn.map' op 'schedule' (#gnn.gpu_schedule<chunk = 128, group = 2, vector = 4, regs = 1, unroll = 4, block = 128, order = row>) is for cuda, the module's target (#gnn.target<cpu, "generic">) is cpu (C5)}}
    %s = gnn.map rows(%x : tensor<?x8xf32>) schedule(#gnn.gpu_schedule<chunk = 128, group = 2, vector = 4, regs = 1, unroll = 4, block = 128, order = row>) -> tensor<?x8xf32> {
    ^bb0(%r: vector<8xf32>):
      gnn.yield %r : vector<8xf32>
    }
    return %s : tensor<?x8xf32>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cpu, "x86-64-v3">} {
  func.func private @map_0(%x: tensor<?xf32>) -> tensor<?xf32> attributes {gnn.kernel = "map"} {
    // expected-error @+1 {{'gnn.map' op has "by hand" as its schedule; write a #gnn.cpu_schedule, or leave it out and it gets one}}
    %y = gnn.map rows(%x : tensor<?xf32>) schedule("by hand") -> tensor<?xf32> {
    ^bb0(%a: f32):
      gnn.yield %a : f32
    }
    return %y : tensor<?xf32>
  }
}

// -----

module attributes {gnn.target = #gnn.target<cuda, "sm_90">} {
  func.func private @map_0(%x: tensor<?xf32>) -> tensor<?xf32> attributes {gnn.kernel = "map"} {
    // expected-error @+1 {{'gnn.map' op has 3 : i64 as its schedule; write a #gnn.gpu_schedule, or leave it out and it gets one}}
    %y = gnn.map rows(%x : tensor<?xf32>) schedule(3) -> tensor<?xf32> {
    ^bb0(%a: f32):
      gnn.yield %a : f32
    }
    return %y : tensor<?xf32>
  }
}
