// Pretty forms that hide arguments of regions, of dialects that mlir-opt does
// not know: each line below is an op with its results, operands, edges,
// regions and depth, counted by hand.
// RUN: %build/tests/read_all -n %s | FileCheck %s --match-full-lines
// RUN: %remat --strategy=none %s | cmp - %s
// CHECK:      module 0 0 0 1 0
module @jit_step attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  // CHECK-NEXT: sdy.mesh 0 0 0 0 1
  // CHECK-NEXT: func.func 0 0 0 1 1
  func.func public @main(%arg0: tensor<8x4xf32> {mhlo.sharding = "{devices=[2,1]<=[2]}"}, %arg1: tensor<i32>) -> (tensor<8x4xf32> {jax.result_info = ""}, tensor<f32>) {
    // CHECK-NEXT: stablehlo.constant 1 0 0 0 2
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    // CHECK-NEXT: stablehlo.while 2 2 0 2 2
    // CHECK-NEXT: stablehlo.compare 1 2 0 0 3
    // CHECK-NEXT: stablehlo.return 0 1 0 0 3
    // CHECK-NEXT: stablehlo.add 1 2 0 0 3
    // CHECK-NEXT: stablehlo.return 0 2 0 0 3
    %0:2 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg1) : tensor<8x4xf32>, tensor<i32>
    cond {
      %c = stablehlo.compare  LT, %iterArg_0, %arg1,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %n = stablehlo.add %iterArg, %arg0 : tensor<8x4xf32>
      stablehlo.return %n, %iterArg_0 : tensor<8x4xf32>, tensor<i32>
    }
    // CHECK-NEXT: stablehlo.reduce 1 2 0 0 2
    %1 = stablehlo.reduce(%0#0 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
    // CHECK-NEXT: stablehlo.reduce 2 4 0 1 2
    // CHECK-NEXT: stablehlo.add 1 2 0 0 3
    // CHECK-NEXT: stablehlo.return 0 2 0 0 3
    %2:2 = stablehlo.reduce(%0#0 init: %cst), (%arg0 init: %cst) across dimensions = [0, 1] : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
     reducer(%arg2: tensor<f32>, %arg3: tensor<f32>) (%arg4: tensor<f32>, %arg5: tensor<f32>)  {
      %s = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %s, %arg5 : tensor<f32>, tensor<f32>
    }
    // CHECK-NEXT: sdy.manual_computation 1 1 0 1 2
    // CHECK-NEXT: sdy.return 0 1 0 0 3
    %3 = sdy.manual_computation(%0#0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg2: tensor<4x4xf32>) {
      sdy.return %arg2 : tensor<4x4xf32>
    } : (tensor<8x4xf32>) -> tensor<8x4xf32>
    // CHECK-NEXT: stablehlo.dot_general 1 2 0 0 2
    %4 = stablehlo.dot_general %3, %arg0,
           contracting_dims = [1] x [1],
           precision = [DEFAULT, DEFAULT]
           : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    // CHECK-NEXT: stablehlo.slice 1 1 0 0 2
    %5 = stablehlo.slice %4 [0:8, 0:4] : (tensor<8x8xf32>) -> tensor<8x4xf32>
    // CHECK-NEXT: stablehlo.is_finite 1 1 0 0 2
    %true = stablehlo.is_finite %1 : (tensor<f32>) -> tensor<i1>
    // CHECK-NEXT: stablehlo.select 1 3 0 0 2
    %6 = stablehlo.select %true, %5, %3 : tensor<i1>, tensor<8x4xf32> loc("a":1:1)
    // CHECK-NEXT: stablehlo.custom_call 1 1 0 0 2
    %7 = stablehlo.custom_call @Sharding(%6) {mhlo.sharding = "{replicated}"} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    // CHECK-NEXT: stablehlo.composite 1 1 0 0 2
    %8 = stablehlo.composite "x.gelu" %7 {decomposition = @gelu} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    // CHECK-NEXT: stablehlo.convolution 1 2 0 0 2
    %9 = stablehlo.convolution(%8, %8) dim_numbers = [b, f]x[o, i]->[b, f],
      window = {stride = [], pad = []} {batch_group_count = 1 : i64} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    // CHECK-NEXT: return 0 2 0 0 2
    return %8, %1 : tensor<8x4xf32>, tensor<f32>
  }
  // CHECK-NEXT: func.func 0 0 0 1 1
  // CHECK-NEXT: return 0 1 0 0 2
  func.func private @gelu(%arg0: tensor<8x4xf32>) -> tensor<8x4xf32> { return %arg0 : tensor<8x4xf32> }
  // CHECK-NEXT: vhlo.func_v1 0 0 0 1 1
  // CHECK-NEXT: vhlo.return_v1 0 1 0 0 2
  vhlo.func_v1 @v(%arg0: !vhlo.tensor_v1<2x!vhlo.f32_v1>) -> (!vhlo.tensor_v1<2x!vhlo.f32_v1>) {
    "vhlo.return_v1"(%arg0) : (!vhlo.tensor_v1<2x!vhlo.f32_v1>) -> ()
  } {arg_attrs = #vhlo.array_v1<[]>}
}
{-# dialect_resources: {x: {y: "0x04"}} #-}
// -----
// Names begin anew; old syntax; a function at the top.
// CHECK-NEXT: func 0 0 0 1 0
func @main(%arg0: !t) -> (tensor<4xf32>, !t) attributes {a} {
  // CHECK-NEXT: constant 1 0 0 0 1
  // CHECK-NEXT: cmpf 1 2 0 0 1
  // CHECK-NEXT: cond_br 0 2 2 0 1
  // CHECK-NEXT: br 0 1 1 0 1
  // CHECK-NEXT: return 0 2 0 0 1
  %0 = constant dense<1.0> : tensor<4xf32>
  %1 = cmpf "ogt", %0, %0 : tensor<4xf32>
  cond_br %1, ^bb1, ^bb2(%0 : tensor<4xf32>)
^bb1:
  br ^bb2(%0 : tensor<4xf32>)
^bb2(%2: tensor<4xf32>):
  return %0, %arg0 : tensor<4xf32>, !t
}
!t = type tuple<i32>
// CHECK-NEXT: func.func 0 0 0 1 0
func.func @torch(%arg0: !torch.vtensor<[?,4],f32>, %arg1: !torch.int) {
  // CHECK-NEXT: torch.constant.bool 1 0 0 0 1
  // CHECK-NEXT: torch.prim.Loop 0 2 0 1 1
  // CHECK-NEXT: torch.prim.If 1 1 0 2 2
  // CHECK-NEXT: torch.prim.If.yield 0 1 0 0 3
  // CHECK-NEXT: torch.prim.RaiseException 0 1 0 0 3
  // CHECK-NEXT: torch.prim.If.yield 0 1 0 0 3
  // CHECK-NEXT: torch.prim.Loop.condition 0 1 0 0 2
  %true = torch.constant.bool true
  torch.prim.Loop %arg1, %true, init() {
  ^bb0(%i: !torch.int):
    %0 = torch.prim.If %true -> (!torch.int) {
      torch.prim.If.yield %i : !torch.int
    } else {
      torch.prim.RaiseException %i : !torch.int
      torch.prim.If.yield %arg1 : !torch.int
    }
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  // CHECK-NEXT: torch.operator 1 1 0 0 1
  %1 = torch.operator "aten.x"(%arg0) : (!torch.vtensor<[?,4],f32>) -> !torch.vtensor<[4],f32>
  // CHECK-NEXT: tensor.dim 1 2 0 0 1
  // CHECK-NEXT: flow.tensor.transfer 1 2 0 0 1
  %dim = tensor.dim %1, %1 : tensor<?xf32>
  %2 = flow.tensor.transfer %1 : tensor<?xi64>{%dim} to #hal.device.promise<@d>
  // CHECK-NEXT: secret.generic 1 2 0 1 1
  // CHECK-NEXT: secret.yield 0 1 0 0 2
  %3 = secret.generic ins(%1, %2 : tensor<?xf32>, tensor<?xi64>) {
  ^bb0(%a: f32, %b: i64):
    secret.yield %a : f32
  } -> !secret.secret<f32>
  // CHECK-NEXT: flow.dispatch.workgroups 1 1 0 1 1
  // CHECK-NEXT: flow.return 0 0 0 0 2
  %4 = flow.dispatch.workgroups(%1) : (tensor<4xf32>) -> tensor<4xf32> =
      (%arg0: !flow.dispatch.tensor<readonly:tensor<4xf32>>) {
    flow.return
  }
  // CHECK-NEXT: mpmd.fragment 1 1 0 1 1
  // CHECK-NEXT: mpmd.return 0 1 0 0 2
  %5 = mpmd.fragment<mesh="m1", origin=["f0"]> (%4) (%arg3: tensor<4xf32>) {
    mpmd.return %arg3 : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: async.execute 2 2 0 1 1
  // CHECK-NEXT: async.yield 0 1 0 0 2
  %6:2 = async.execute [%5] (%5 as %in: !async.value<f32>) -> (!async.token, !async.value<f32>) {
    async.yield %in : f32
  }
  // CHECK-NEXT: gpu.launch 0 6 0 1 1
  // CHECK-NEXT: gpu.terminator 0 0 0 0 2
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %dim, %gy = %dim, %gz = %dim) threads(%tx, %ty, %tz) in (%sx = %dim, %sy = %dim, %sz = %dim) {
    gpu.terminator
  }
  // CHECK-NEXT: return 0 0 0 0 1
  return
}
