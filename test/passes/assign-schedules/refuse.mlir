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
