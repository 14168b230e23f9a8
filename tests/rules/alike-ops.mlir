// Ops with the name and the types of one before are not asked about again, but
// only where nothing else decides: what stands in a reducer's body is neither
// sized nor priced, what is like it outside of it is; a cost that the dump
// gives is that op's alone.
// RUN: %remat --target=generic --analyze -fdump-facts %s 2>&1 | FileCheck %s
// CHECK: line [[#@LINE+10]] stablehlo.add: {{.*}}, 0 B, 0 ns
// CHECK: line [[#@LINE+12]] stablehlo.add: {{.*}}, 4 B, 1 ns
// CHECK: line [[#@LINE+12]] stablehlo.add: {{.*}}, 4 B, 1 ns
// CHECK: line [[#@LINE+12]] stablehlo.add: {{.*}}, 4 B, 7 ns
// CHECK: line [[#@LINE+12]] stablehlo.add: {{.*}}, 4 B, 1 ns
// CHECK: line [[#@LINE+12]] stablehlo.add: {{.*}}, 8 B, 1 ns
// CHECK: line [[#@LINE+12]] stablehlo.add: {{.*}}, 4 B, 1 ns
func.func @main(%x: tensor<8xf32>, %s: tensor<f32>, %d: tensor<f64>) -> tensor<f32> {
  %r = "stablehlo.reduce"(%x, %s) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %0 = stablehlo.add %r, %s : tensor<f32>
  %1 = stablehlo.add %0, %s : tensor<f32>
  %2 = stablehlo.add %1, %s {tessera.remat_cost_ns = 7 : i64} : tensor<f32>
  %3 = stablehlo.add %2, %s : tensor<f32>
  %4 = stablehlo.add %d, %d : tensor<f64>
  %5 = stablehlo.add %3, %s : tensor<f32>
  return %5 : tensor<f32>
}
