// RUN: gnn-opt %s --verify-diagnostics --split-input-file

// expected-error @below {{a graph has 3 extents (destinations x sources x edges), found 2}}
func.func private @two_extents(!gnn.graph<3x4>)

// -----

// expected-error @below {{expected i32, i64, coo or csr, found 'i16'}}
func.func private @index_type(!gnn.graph<3x4x5, i16>)

// -----

// expected-error @below {{expected i32, i64, coo or csr, found 'csc'}}
func.func private @layout(!gnn.graph<3x4x5, csc>)

// -----

// expected-error @below {{target: a cuda chip is sm_90 and the like, found 'hopper'}}
module attributes {gnn.target = #gnn.target<cuda, "hopper">} {}

// -----

// expected-error @below {{target: a cpu chip is generic, x86-64, x86-64-v2, x86-64-v3 or x86-64-v4, found 'sm_90'}}
module attributes {gnn.target = #gnn.target<cpu, "sm_90">} {}

// -----

// expected-error @below {{gpu schedule: group is 1, 2, 4, 8, 16 or 32 lanes of a warp, found 12}}
#s = #gnn.gpu_schedule<chunk = 128, group = 12, vector = 4, regs = 1, unroll = 4, block = 128, order = row>

// -----

// expected-error @below {{gpu schedule: block is a multiple of 32 threads up to 1024, found 100}}
#s = #gnn.gpu_schedule<chunk = 128, group = 8, vector = 4, regs = 1, unroll = 4, block = 100, order = row>

// -----

// expected-error @below {{gpu schedule: min_blocks is at least 0, found -1}}
#s = #gnn.gpu_schedule<chunk = 128, group = 8, vector = 4, regs = 1, unroll = 4, block = 128, min_blocks = -1, order = row>

// -----

// expected-error @below {{cpu schedule: tile is 1 to 1024 features, found 0}}
#s = #gnn.cpu_schedule<tile = 0, prefetch = 0>
