// Fields by hand take the place of those chosen or written in the IR; the rest stays.
// RUN: gnn-opt %s --gnn-assign-schedules="overrides=agg_*:chunk=64:group=16,agg_1:unroll=2:order=row" | FileCheck %s
// RUN: gnn-opt %s --gnn-assign-schedules="overrides=agg_*:chunk=64:group=16,agg_1:unroll=2:order=row" --gnn-assign-schedules="overrides=agg_*:chunk=64:group=16,agg_1:unroll=2:order=row" | FileCheck %s
// RUN: sed 's/<cuda, "sm_90">/<cpu, "x86-64-v3">/; s/schedule(.*longest>)//' %s | gnn-opt --gnn-assign-schedules="overrides=agg_1:prefetch=3" | FileCheck %s --check-prefix=CPU
// What cannot be says why, each at its place.
// RUN: not gnn-opt %s --gnn-assign-schedules="overrides=agg_0" 2>&1 | FileCheck %s --check-prefix=FORM
// FORM: error: schedule override 'agg_0': it sets no field; write KERNEL:field=value, for example agg_0:chunk=64:group=16
// RUN: not gnn-opt %s --gnn-assign-schedules="overrides=agg_0:chunk" 2>&1 | FileCheck %s --check-prefix=PART
// PART: error: schedule override 'agg_0:chunk': 'chunk' is no field=value
// RUN: not gnn-opt %s --gnn-assign-schedules="overrides=[:chunk=1" 2>&1 | FileCheck %s --check-prefix=GLOB
// GLOB: error: schedule override '[:chunk=1': the kernel's pattern is wrong
// RUN: not gnn-opt %s --gnn-assign-schedules="overrides=sum_*:chunk=64" 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: schedule override 'sum_*:chunk=64': no kernel is named 'sum_*'; there are agg_0, agg_1
// RUN: not gnn-opt %s --gnn-assign-schedules="overrides=agg_0:tile=64" 2>&1 | FileCheck %s --check-prefix=FIELD
// FIELD: [[@LINE+22]]:{{.*}}error: schedule override 'agg_0:tile=64': a schedule of this target has no field 'tile'; it has chunk, group, vector, regs, unroll, block, min_blocks, order, tiles
// RUN: not gnn-opt %s --gnn-assign-schedules="overrides=agg_0:chunk=many" 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: schedule override 'agg_0:chunk=many': chunk is a number, found 'many'
// RUN: not gnn-opt %s --gnn-assign-schedules="overrides=agg_0:order=random" 2>&1 | FileCheck %s --check-prefix=ORDER
// ORDER: error: schedule override 'agg_0:order=random': order is row, longest or windows, found 'random'
// RUN: not gnn-opt %s --gnn-assign-schedules="overrides=agg_0:group=64" 2>&1 | FileCheck %s --check-prefix=WARP
// WARP: error: gpu schedule: group is 1, 2, 4, 8, 16 or 32 lanes of a warp, found 64
// RUN: not gnn-opt %s --gnn-assign-schedules="overrides=agg_0:block=2048" 2>&1 | FileCheck %s --check-prefix=BLOCK
// BLOCK: error: gpu schedule: block is a multiple of 32 threads up to 1024, found 2048
// RUN: not gnn-opt %s --gnn-assign-schedules="overrides=agg_0:min_blocks=17" 2>&1 | FileCheck %s --check-prefix=BLOCKS
// BLOCKS: error: gpu schedule: a multiprocessor has room for 32 blocks and 2048 threads; min_blocks = 17 of 128 threads is more
// RUN: gnn-opt %s --gnn-assign-schedules="overrides=agg_0:min_blocks=16" | FileCheck %s --check-prefix=HINT
// HINT: block = 128, min_blocks = 16, order = windows
// RUN: not gnn-opt %s --gnn-assign-schedules="overrides=agg_1:vector=4" 2>&1 | FileCheck %s --check-prefix=VECTOR
// VECTOR: error: 'gnn.aggregate' op gpu schedule: vector = 4 does not divide the 6 features

// CHECK-LABEL: func.func private @agg_0
// CHECK: schedule(#gnn.gpu_schedule<chunk = 64, group = 16, vector = 4, regs = 1, unroll = 8, block = 128, order = windows>)
// CPU-LABEL: func.func private @agg_0
// CPU: schedule(#gnn.cpu_schedule<tile = 64, prefetch = 8>)
module attributes {gnn.target = #gnn.target<cuda, "sm_90">} {
  func.func private @agg_0(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x256xf32>) -> tensor<?x256xf32> attributes {gnn.kernel = "aggregate"} {
    %s = gnn.aggregate %g src(%x : tensor<?x256xf32>) reduce [sum] acc f32 : !gnn.graph<?x?x?, i32, csr> -> tensor<?x256xf32> message {
    ^bb0(%a: vector<256xf32>):
      gnn.yield %a : vector<256xf32>
    }
    return %s : tensor<?x256xf32>
  }
  // CHECK-LABEL: func.func private @agg_1
  // CHECK: schedule(#gnn.gpu_schedule<chunk = 64, group = 16, vector = 2, regs = 1, unroll = 2, block = 64, order = row>)
  // CPU-LABEL: func.func private @agg_1
  // CPU: schedule(#gnn.cpu_schedule<tile = 64, prefetch = 3>)
  func.func private @agg_1(%g: !gnn.graph<?x?x?, i32, csr>, %x: tensor<?x6xf32>) -> tensor<?x6xf32> attributes {gnn.kernel = "aggregate"} {
    %s = gnn.aggregate %g src(%x : tensor<?x6xf32>) reduce [sum] acc f32 schedule(#gnn.gpu_schedule<chunk = 32, group = 4, vector = 2, regs = 1, unroll = 8, block = 64, order = longest>) : !gnn.graph<?x?x?, i32, csr> -> tensor<?x6xf32> message {
    ^bb0(%a: vector<6xf32>):
      gnn.yield %a : vector<6xf32>
    }
    return %s : tensor<?x6xf32>
  }
}
