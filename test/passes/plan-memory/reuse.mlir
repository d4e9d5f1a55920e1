// RUN: gnn-opt %s --gnn-plan-memory --split-input-file | FileCheck %s
// RUN: gnn-opt %s --gnn-plan-memory --gnn-plan-memory --split-input-file | FileCheck %s
// RUN: gnn-opt %s --gnn-plan-memory=reuse=false --split-input-file | FileCheck %s --check-prefix=APART

// Dead buffers give their slot to the next one, also to a smaller one; the slot
// of 28 bytes a row is a multiple of 256 only after rounding. Large ones lie in front.
// CHECK-LABEL: gnn_plan.program @chain
// CHECK:      %a = gnn_plan.buffer transient "a" f32[n, 7] at(256*(n ceildiv 4))
// CHECK-NEXT: %b = gnn_plan.buffer transient "b" f32[n, 16] at(0)
// CHECK-NEXT: %c = gnn_plan.buffer transient "c" f32[n, 7] at(256*(n ceildiv 4))
// CHECK-NEXT: %d = gnn_plan.buffer transient "d" f32[n, 3] at(0)
// CHECK:      gnn_plan.forward arena(256*(n ceildiv 4) + 256*(7*n ceildiv 64)) {
// APART-LABEL: gnn_plan.program @chain
// APART:      gnn_plan.forward arena(256*(n ceildiv 4) + 256*(3*n ceildiv 64) + 512*(7*n ceildiv 64)) {
gnn_plan.program @chain target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  %x = gnn_plan.buffer input "x" f32[n, 7]
  %a = gnn_plan.buffer transient "a" f32[n, 7]
  %b = gnn_plan.buffer transient "b" f32[n, 16]
  %c = gnn_plan.buffer transient "c" f32[n, 7]
  %d = gnn_plan.buffer transient "d" f32[n, 3]
  %y = gnn_plan.buffer output "y" f32[n, 3]
  gnn_plan.forward {
    gnn_plan.launch @k0(%x, out %a) items(n)
    gnn_plan.launch @k1(%a, out %b) items(n)
    gnn_plan.launch @k2(%b, out %c) items(n)
    gnn_plan.launch @k3(%c, out %d) items(n)
    gnn_plan.launch @k4(%d, out %y) items(n)
  }
}

// -----

// A free slot grows where formulas have no order and that is cheaper than a new one.
// CHECK-LABEL: gnn_plan.program @slot_grows
// CHECK:      %rows = gnn_plan.buffer transient "rows" f32[n + 64, 64] at(0)
// CHECK-NEXT: %kept = gnn_plan.buffer transient "kept" f32[n, 32] at(256*n + 32256)
// CHECK-NEXT: %more = gnn_plan.buffer transient "more" f32[n + 128, 63] at(0)
// CHECK:      gnn_plan.forward arena(256*n + 256*(n ceildiv 2) + 32256) {
gnn_plan.program @slot_grows target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  %x = gnn_plan.buffer input "x" f32[n, 64]
  %rows = gnn_plan.buffer transient "rows" f32[n + 64, 64]
  %kept = gnn_plan.buffer transient "kept" f32[n, 32]
  %more = gnn_plan.buffer transient "more" f32[n + 128, 63]
  %y = gnn_plan.buffer output "y" f32[n, 64]
  gnn_plan.forward {
    gnn_plan.launch @k0(%x, out %rows) items(n)
    gnn_plan.launch @k1(%rows, out %kept) items(n)
    gnn_plan.launch @k2(%kept, out %more) items(n)
    gnn_plan.launch @k3(%kept, %more, out %y) items(n)
  }
}

// -----

// Large buffers choose first: "late" would find the slot of "early" taken by "small",
// which comes before it and needs little.
// CHECK-LABEL: gnn_plan.program @small_before_large
// CHECK:      %early = gnn_plan.buffer transient "early" f32[n, 128] at(0)
// CHECK-NEXT: %kept = gnn_plan.buffer transient "kept" f32[n, 128] at(512*n)
// CHECK-NEXT: %small = gnn_plan.buffer transient "small" f32[n, 1] at(1024*n)
// CHECK-NEXT: %late = gnn_plan.buffer transient "late" f32[n, 128] at(0)
// CHECK:      gnn_plan.forward arena(1024*n + 256*(n ceildiv 64)) {
gnn_plan.program @small_before_large target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  %x = gnn_plan.buffer input "x" f32[n, 128]
  %early = gnn_plan.buffer transient "early" f32[n, 128]
  %kept = gnn_plan.buffer transient "kept" f32[n, 128]
  %small = gnn_plan.buffer transient "small" f32[n, 1]
  %late = gnn_plan.buffer transient "late" f32[n, 128]
  %y = gnn_plan.buffer output "y" f32[n, 128]
  gnn_plan.forward {
    gnn_plan.launch @k0(%x, out %early) items(n)
    gnn_plan.launch @k1(%early, out %kept) items(n)
    gnn_plan.launch @k2(%kept, out %small) items(n)
    gnn_plan.launch @k3(%kept, %small, out %late) items(n)
    gnn_plan.launch @k4(%late, out %y) items(n)
  }
}

// -----

// Of two free slots the one that fits is taken, not the larger one.
// CHECK-LABEL: gnn_plan.program @tightest_slot
// CHECK:      %wide = gnn_plan.buffer transient "wide" f32[n, 128] at(0)
// CHECK-NEXT: %narrow = gnn_plan.buffer transient "narrow" f32[n, 64] at(512*n)
// CHECK-NEXT: %mid = gnn_plan.buffer transient "mid" f32[n, 64] at(768*n)
// CHECK-NEXT: %late = gnn_plan.buffer transient "late" f32[n, 64] at(512*n)
gnn_plan.program @tightest_slot target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  %x = gnn_plan.buffer input "x" f32[n, 64]
  %wide = gnn_plan.buffer transient "wide" f32[n, 128]
  %narrow = gnn_plan.buffer transient "narrow" f32[n, 64]
  %mid = gnn_plan.buffer transient "mid" f32[n, 64]
  %late = gnn_plan.buffer transient "late" f32[n, 64]
  %y = gnn_plan.buffer output "y" f32[n, 64]
  gnn_plan.forward {
    gnn_plan.launch @k0(%x, out %wide, out %narrow) items(n)
    gnn_plan.launch @k1(%wide, %narrow, out %mid) items(n)
    gnn_plan.launch @k2(%mid, out %late) items(n)
    gnn_plan.launch @k3(%late, out %y) items(n)
  }
}

// -----

// Node and edge sizes have no larger one: sharing would need their sum.
// CHECK-LABEL: gnn_plan.program @no_common_size
// CHECK:      %nodes = gnn_plan.buffer transient "nodes" f32[n, 64] at(0)
// CHECK:      %edges = gnn_plan.buffer transient "edges" f32[e] at(512*n)
// CHECK:      gnn_plan.forward arena(256*(e ceildiv 64) + 512*n) {
gnn_plan.program @no_common_size target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  gnn_plan.symbol e graph_edges
  %x = gnn_plan.buffer input "x" f32[n, 64]
  %nodes = gnn_plan.buffer transient "nodes" f32[n, 64]
  %more = gnn_plan.buffer transient "more" f32[n, 64]
  %edges = gnn_plan.buffer transient "edges" f32[e]
  %y = gnn_plan.buffer output "y" f32[n, 64]
  gnn_plan.forward {
    gnn_plan.launch @k0(%x, out %nodes) items(n)
    gnn_plan.launch @k1(%nodes, out %more) items(n)
    gnn_plan.launch @k2(%more, out %edges) items(n)
    gnn_plan.launch @k3(%edges, out %y) items(n)
  }
}

// -----

// What must be zero before its first use shares with nobody.
// CHECK-LABEL: gnn_plan.program @zeroed
// CHECK:      %a = gnn_plan.buffer transient "a" f32[n, 64] at(0)
// CHECK-NEXT: %b = gnn_plan.buffer transient "b" f32[n, 64] at(256*n)
// CHECK-NEXT: %c = gnn_plan.buffer transient "c" f32[n, 64] at(512*n) zeroed
gnn_plan.program @zeroed target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  %x = gnn_plan.buffer input "x" f32[n, 64]
  %a = gnn_plan.buffer transient "a" f32[n, 64]
  %b = gnn_plan.buffer transient "b" f32[n, 64]
  %c = gnn_plan.buffer transient "c" f32[n, 64] zeroed
  %y = gnn_plan.buffer output "y" f32[n, 64]
  gnn_plan.forward {
    gnn_plan.launch @k0(%x, out %a) items(n)
    gnn_plan.launch @k1(%a, out %b) items(n)
    gnn_plan.launch @k2(%b, out %c) items(n)
    gnn_plan.launch @k3(%c, out %y) items(n)
  }
}

// -----

// The arena of prepare is there before the edges with loops are counted: its
// formulas use the bound e + n. Static extents need no symbol; prepare and forward
// each start at 0.
// CHECK-LABEL: gnn_plan.program @prepare_uses_bounds
// CHECK:      %src1 = gnn_plan.buffer transient "src1" i64[e.loops] at(0)
// CHECK-NEXT: %dst1 = gnn_plan.buffer transient "dst1" i64[e.loops] at(256*(e ceildiv 32) + 256*(n ceildiv 32))
// CHECK-NEXT: %rowptr = gnn_plan.buffer persistent "rowptr" i32[n + 1]{{$}}
// CHECK:      %a = gnn_plan.buffer transient "a" f32[100, 3] at(0)
// CHECK:      gnn_plan.prepare arena(512*(e ceildiv 32) + 512*(n ceildiv 32)) {
// CHECK:      gnn_plan.forward arena(1280) {
gnn_plan.program @prepare_uses_bounds target(<cpu, "generic">) {
  gnn_plan.symbol n graph_dst
  gnn_plan.symbol e graph_edges
  gnn_plan.symbol e.loops prepare bound(e + n)
  %src = gnn_plan.buffer graph_index "src" i64[e]
  %dst = gnn_plan.buffer graph_index "dst" i64[e]
  %src1 = gnn_plan.buffer transient "src1" i64[e.loops]
  %dst1 = gnn_plan.buffer transient "dst1" i64[e.loops]
  %rowptr = gnn_plan.buffer persistent "rowptr" i32[n + 1]
  %col = gnn_plan.buffer persistent "col" i32[e.loops]
  %a = gnn_plan.buffer transient "a" f32[100, 3]
  %y = gnn_plan.buffer output "y" f32[n]
  gnn_plan.prepare {
    gnn_plan.graph_call add_self_loops in(%src, %dst) out(%src1, %dst1) nodes(n, n) edges(e) sets(e.loops) fill 1.0
    gnn_plan.graph_call to_csr in(%src1, %dst1) out(%rowptr, %col) nodes(n, n) edges(e.loops)
  }
  gnn_plan.forward {
    gnn_plan.launch @k0(%rowptr, out %a) items(100)
    gnn_plan.launch @k1(%col, %a, out %y) items(n)
  }
}
