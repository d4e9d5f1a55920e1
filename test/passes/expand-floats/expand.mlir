// RUN: gnn-opt %s --gnn-expand-floats --split-input-file | FileCheck %s

// Without instructions for either: integers only.
module attributes {gnn.target = #gnn.target<cpu, "x86-64-v2">} {
  // CHECK-LABEL: func @v2(
  // CHECK-NOT:     arith.extf
  // CHECK-NOT:     arith.truncf
  // CHECK:         arith.bitcast %{{.*}} : vector<8xf16> to vector<8xi16>
  // CHECK:         arith.shrui
  // CHECK:         arith.bitcast %{{.*}} : i16 to bf16
  func.func @v2(%x: vector<8xf16>, %b: f32) -> (vector<8xf32>, vector<8xf16>, bf16) {
    %w = arith.extf %x : vector<8xf16> to vector<8xf32>
    %n = arith.truncf %w : vector<8xf32> to vector<8xf16>
    %c = arith.truncf %b : f32 to bf16
    return %w, %n, %c : vector<8xf32>, vector<8xf16>, bf16
  }
}

// -----

// f16 has instructions, bf16 is an integer in memory.
module attributes {gnn.target = #gnn.target<cpu, "x86-64-v3">} {
  // CHECK-LABEL: func @v3(
  // CHECK:         arith.extf %{{.*}} : vector<8xf16>
  // CHECK:         llvm.load %{{.*}} : !llvm.ptr -> vector<8xi16>
  // CHECK:         llvm.store %{{.*}} : vector<8xi16>, !llvm.ptr
  func.func @v3(%x: vector<8xf16>, %p: !llvm.ptr) -> (vector<8xf32>, vector<8xf32>) {
    %w = arith.extf %x : vector<8xf16> to vector<8xf32>
    %l = llvm.load %p : !llvm.ptr -> vector<8xbf16>
    %e = arith.extf %l : vector<8xbf16> to vector<8xf32>
    llvm.store %l, %p : vector<8xbf16>, !llvm.ptr
    return %w, %e : vector<8xf32>, vector<8xf32>
  }
}

// -----

// A GPU converts both.
module attributes {gnn.target = #gnn.target<cuda, "sm_90">} {
  // CHECK-LABEL: func @gpu(
  // CHECK:         arith.extf %{{.*}} : vector<8xbf16>
  func.func @gpu(%x: vector<8xbf16>) -> vector<8xf32> {
    %w = arith.extf %x : vector<8xbf16> to vector<8xf32>
    return %w : vector<8xf32>
  }
}

// -----

// f32 and f64 are no business of the pass.
module attributes {gnn.target = #gnn.target<cpu, "x86-64-v2">} {
  // CHECK-LABEL: func @wider(
  // CHECK:         arith.extf %{{.*}} : f32 to f64
  // CHECK:         arith.truncf %{{.*}} : f64 to f32
  func.func @wider(%x: f32, %y: f64) -> (f64, f32) {
    %w = arith.extf %x : f32 to f64
    %n = arith.truncf %y : f64 to f32
    return %w, %n : f64, f32
  }
}
