// Three stacks of 8 x 64 bytes are 1536.  Two of them can be made again from the
// third: the loop that reads gets slot 7 - j of %v, which stays, and runs the
// exponential and the product again.
// RUN: %remat --target=x86 --memory-model=live --budget=1500 -fno-barriers -fopt-info -fdump-loop-residuals %s -o %t.mlir 2>&1 | FileCheck --check-prefix=SAID %s
// RUN: grep -v '^//' %t.mlir | FileCheck %s
// SAID: loop-residuals.mlir:[[@LINE+42]]:5: missed: stack %v, 8 times 64 B: what is made again is made of it, or it is dear
// SAID: loop-residuals.mlir:[[@LINE+42]]:5: optimized: do not stack %e, 8 times 64 B: made again in the loop at line [[@LINE+54]]
// SAID: stacks 1536 bytes: cost 0 ns, {{[0-9]+}} bytes over
// SAID: kept: 512 bytes
//
// CHECK:      [[A:%.*]]:4 = stablehlo.while(
// CHECK-SAME: ) : tensor<i32>, tensor<16xf32>, tensor<8x16xf32>, tensor<8x16xf32>{{$}}
// CHECK:      stablehlo.while(
// CHECK-SAME: [[S:%[^ ]*]] = [[A]]#2)
// CHECK:      do {
// CHECK:      [[SLOT:%.*]] = stablehlo.dynamic_slice [[S]], [[M:%[^,]*]],
// CHECK:      [[W:%.*]] = stablehlo.reshape [[SLOT]]
// CHECK-NOT:  {{stablehlo.tanh|dynamic_slice}}
// CHECK:      [[X:%.*]] = stablehlo.reshape [[SLOT]]
// CHECK:      stablehlo.exponential [[X]]
// CHECK-NOT:  {{stablehlo.tanh|dynamic_slice}}
// CHECK:      stablehlo.return
//
// Nothing is done where it fits, where the pass is disabled, or by a planner
// that was asked for by name.
// RUN: %remat --target=x86 --memory-model=live --budget=1MiB %s -o - | grep -v '^//' | FileCheck --check-prefix=SAME %s
// RUN: %remat --target=x86 --memory-model=live --budget=1500 -Wno-budget -fdisable-loop-residuals %s -o - | grep -v '^//' | FileCheck --check-prefix=SAME %s
// RUN: %remat --target=x86 --memory-model=live --budget=1500 -Wno-budget --param loop-trials=0 %s -o - | grep -v '^//' | FileCheck --check-prefix=SAME %s
// RUN: %remat --target=x86 --memory-model=live --budget=1500 -Wno-budget --strategy=gap %s -o - | grep -v '^//' | FileCheck --check-prefix=SAME %s
// SAME: tensor<16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>{{$}}
// SAME-NOT: stacked
func.func @main(%c: tensor<16xf32>, %g: tensor<16xf32>, %xs: tensor<8x16xf32>) -> tensor<16xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %z0 = stablehlo.broadcast_in_dim %z, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
  %z1 = stablehlo.broadcast_in_dim %z, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
  %z2 = stablehlo.broadcast_in_dim %z, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
  %a:5 = stablehlo.while(%i = %zero, %h = %c, %s = %z0, %t = %z1, %r = %z2) : tensor<i32>, tensor<16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
  cond {
    %n = stablehlo.constant dense<8> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %k = stablehlo.constant dense<0> : tensor<i32>
    %x1 = stablehlo.dynamic_slice %xs, %i, %k, sizes = [1, 16] : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
    %x = stablehlo.reshape %x1 : (tensor<1x16xf32>) -> tensor<16xf32>
    %sum = stablehlo.add %h, %x : tensor<16xf32>
    %v = stablehlo.tanh %sum : tensor<16xf32>
    %e = stablehlo.exponential %v : tensor<16xf32>
    %v1 = stablehlo.reshape %v : (tensor<16xf32>) -> tensor<1x16xf32>
    %s1 = stablehlo.dynamic_update_slice %s, %v1, %i, %k : (tensor<8x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
    %e1 = stablehlo.reshape %e : (tensor<16xf32>) -> tensor<1x16xf32>
    %t1 = stablehlo.dynamic_update_slice %t, %e1, %i, %k : (tensor<8x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
    %q = stablehlo.multiply %v, %e : tensor<16xf32>
    %q1 = stablehlo.reshape %q : (tensor<16xf32>) -> tensor<1x16xf32>
    %r1 = stablehlo.dynamic_update_slice %r, %q1, %i, %k : (tensor<8x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %i1, %e, %s1, %t1, %r1 : tensor<i32>, tensor<16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
  }
  %b:2 = stablehlo.while(%j = %zero, %d = %g) : tensor<i32>, tensor<16xf32>
  cond {
    %n = stablehlo.constant dense<8> : tensor<i32>
    %p = stablehlo.compare LT, %j, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %k = stablehlo.constant dense<0> : tensor<i32>
    %last = stablehlo.constant dense<7> : tensor<i32>
    %m = stablehlo.subtract %last, %j : tensor<i32>
    %w1 = stablehlo.dynamic_slice %a#2, %m, %k, sizes = [1, 16] : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
    %w = stablehlo.reshape %w1 : (tensor<1x16xf32>) -> tensor<16xf32>
    %u1 = stablehlo.dynamic_slice %a#3, %m, %k, sizes = [1, 16] : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
    %u = stablehlo.reshape %u1 : (tensor<1x16xf32>) -> tensor<16xf32>
    %f1 = stablehlo.dynamic_slice %a#4, %m, %k, sizes = [1, 16] : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
    %f = stablehlo.reshape %f1 : (tensor<1x16xf32>) -> tensor<16xf32>
    %dw = stablehlo.multiply %d, %w : tensor<16xf32>
    %df = stablehlo.add %dw, %f : tensor<16xf32>
    %du = stablehlo.add %df, %u : tensor<16xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j1 = stablehlo.add %j, %one : tensor<i32>
    stablehlo.return %j1, %du : tensor<i32>, tensor<16xf32>
  }
  return %b#1 : tensor<16xf32>
}
