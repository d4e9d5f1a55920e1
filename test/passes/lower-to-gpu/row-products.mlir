// RUN: gnn-opt %s --gnn-lower-to-gpu | FileCheck %s
// RUN: gnn-opt %s --gnn-cuda-lowering-pipeline | gnn-opt | FileCheck %s --check-prefix=LLVM

module attributes {gnn.target = #gnn.target<cuda, "sm_90">} {
  // 4 features of 2 numbers a lane: all terms one behind the other, which lets the weight
  // stay in registers.
  // CHECK-LABEL: gpu.func @short(
  // CHECK:         scf.for
  // CHECK-NOT:     scf.for
  // CHECK-COUNT-4:   arith.addf {{.*}} fastmath<contract> : vector<2xf32>
  // CHECK-NOT:     scf.for
  // CHECK:       gpu.func @short_merge(
  func.func private @short(%g: !gnn.graph<?x?x?, i32, csr>, %f: tensor<?x4xf32>, %w: tensor<4x16xf32>) -> tensor<?x16xf32> attributes {gnn.kernel = "aggregate"} {
    %y = gnn.aggregate %g edge(%f : tensor<?x4xf32>) param(%w : tensor<4x16xf32>) reduce [sum] acc f32 schedule(#gnn.gpu_schedule<chunk = 128, group = 8, vector = 2, regs = 1, unroll = 1, block = 128, order = longest>) : !gnn.graph<?x?x?, i32, csr> -> tensor<?x16xf32> message {
    ^bb0(%row: vector<4xf32>, %weight: vector<4x16xf32>):
      %zero = arith.constant dense<0.0> : vector<16xf32>
      %m = vector.contract {indexing_maps = [affine_map<(c, k) -> (k)>, affine_map<(c, k) -> (k, c)>, affine_map<(c, k) -> (c)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %row, %weight, %zero : vector<4xf32>, vector<4x16xf32> into vector<16xf32>
      gnn.yield %m : vector<16xf32>
    }
    return %y : tensor<?x16xf32>
  }

  // 23 features: a loop over 20 of them, 4 at a time, which stays one down to LLVM; then
  // the last 3. The bf16 numbers are widened as they are read.
  // CHECK-LABEL: gpu.func @long(
  // CHECK:         %[[FROM:.*]] = arith.constant 0 : i64
  // CHECK:         %[[TO:.*]] = arith.constant 20 : i64
  // CHECK:         %[[STEP:.*]] = arith.constant 4 : i64
  // CHECK:         scf.for {{.*}} = %[[FROM]] to %[[TO]] step %[[STEP]] iter_args({{.*}}) -> (vector<2xf32>)
  // CHECK:           llvm.load {{.*}} -> bf16
  // CHECK:           arith.extf {{.*}} : bf16 to f32
  // CHECK:           llvm.load {{.*}} -> vector<2xf32>
  // CHECK:         } {llvm.loop_annotation = #[[HINT:.*]]}
  // CHECK-COUNT-3: llvm.load {{.*}} -> bf16
  // LLVM: #[[NEVER:.*]] = #llvm.loop_unroll<disable = true>
  // LLVM: #[[HINT:.*]] = #llvm.loop_annotation<unroll = #[[NEVER]]>
  // LLVM: llvm.br {{.*}} {llvm.loop_annotation = #[[HINT]]}
  func.func private @long(%g: !gnn.graph<?x?x?, i32, csr>, %f: tensor<?x23xbf16>, %w: tensor<23x16xf32>) -> tensor<?x16xf32> attributes {gnn.kernel = "aggregate"} {
    %y = gnn.aggregate %g edge(%f : tensor<?x23xbf16>) param(%w : tensor<23x16xf32>) reduce [sum] acc f32 schedule(#gnn.gpu_schedule<chunk = 128, group = 8, vector = 2, regs = 1, unroll = 1, block = 128, order = longest>) : !gnn.graph<?x?x?, i32, csr> -> tensor<?x16xf32> message {
    ^bb0(%narrow: vector<23xbf16>, %weight: vector<23x16xf32>):
      %zero = arith.constant dense<0.0> : vector<16xf32>
      %row = arith.extf %narrow : vector<23xbf16> to vector<23xf32>
      %m = vector.contract {indexing_maps = [affine_map<(c, k) -> (k)>, affine_map<(c, k) -> (k, c)>, affine_map<(c, k) -> (c)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %row, %weight, %zero : vector<23xf32>, vector<23x16xf32> into vector<16xf32>
      gnn.yield %m : vector<16xf32>
    }
    return %y : tensor<?x16xf32>
  }
}
