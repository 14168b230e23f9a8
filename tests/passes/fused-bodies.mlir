// Bodies of ops are planned under the fused model too, with what is left to
// them: here a loop's.  A value has 16 KiB.  Where the way back begins, a0 to a4
// are live, r5 in the place of a5, and g5, which is made of it: 7 values.  Three
// fifths of that are room for 4.  What the loop carries is the result's.
// RUN: %remat --memory-model=fused --target=x86 --budget=60%%temp %s -o %t.mlir --report=%t.json
// RUN: FileCheck %s < %t.mlir
// RUN: %remat --strategy=none %t.mlir -o %t2.mlir
// RUN: FileCheck %s --check-prefix=JSON < %t.json

// CHECK: stablehlo.while
// CHECK: } do {
// CHECK: "stablehlo.optimization_barrier"(
// CHECK: _remat{{[0-9]*}} = stablehlo.
// CHECK: stablehlo.return
// JSON-DAG: "fused_peak_before_temp_bytes": 114{{[0-9][0-9][0-9]}}
// JSON-DAG: "claimed_peak_after_bytes": 65{{[0-9][0-9][0-9]}}
// JSON-DAG: "fits": true
func.func @main(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %s = %x) : tensor<i32>, tensor<64x64xf32>
  cond {
    %n = stablehlo.constant dense<10> : tensor<i32>
    %more = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %d0 = stablehlo.dot %s, %w : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %a0 = stablehlo.tanh %d0 : tensor<64x64xf32>
    %d1 = stablehlo.dot %a0, %w : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %a1 = stablehlo.tanh %d1 : tensor<64x64xf32>
    %d2 = stablehlo.dot %a1, %w : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %a2 = stablehlo.tanh %d2 : tensor<64x64xf32>
    %d3 = stablehlo.dot %a2, %w : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %a3 = stablehlo.tanh %d3 : tensor<64x64xf32>
    %d4 = stablehlo.dot %a3, %w : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %a4 = stablehlo.tanh %d4 : tensor<64x64xf32>
    %d5 = stablehlo.dot %a4, %w : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %a5 = stablehlo.tanh %d5 : tensor<64x64xf32>
    %r5 = stablehlo.multiply %a5, %a5 : tensor<64x64xf32>
    %g5 = stablehlo.dot %r5, %w : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %r4 = stablehlo.multiply %g5, %a4 : tensor<64x64xf32>
    %g4 = stablehlo.dot %r4, %w : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %r3 = stablehlo.multiply %g4, %a3 : tensor<64x64xf32>
    %g3 = stablehlo.dot %r3, %w : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %r2 = stablehlo.multiply %g3, %a2 : tensor<64x64xf32>
    %g2 = stablehlo.dot %r2, %w : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %r1 = stablehlo.multiply %g2, %a1 : tensor<64x64xf32>
    %g1 = stablehlo.dot %r1, %w : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %r0 = stablehlo.multiply %g1, %a0 : tensor<64x64xf32>
    %g0 = stablehlo.dot %r0, %w : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    stablehlo.return %j, %g0 : tensor<i32>, tensor<64x64xf32>
  }
  return %0#1 : tensor<64x64xf32>
}
