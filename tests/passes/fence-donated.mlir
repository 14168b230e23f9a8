// The new %w is written over the old one, which the backward product reads: a
// compiler that finds no fence between has to copy the old one for it.  A value
// has 16 KiB.
// RUN: %remat --memory-model=fused --target=x86 --budget=80%%temp %s | FileCheck %s

// CHECK: stablehlo.dot_general {{.*}}, %w, contracting_dims = [1] x [1]
// CHECK: "stablehlo.optimization_barrier"
// CHECK: %n = stablehlo.subtract %w
// CHECK: return
func.func @main(%w: tensor<64x64xf32> {tf.aliasing_output = 0 : i32}, %u: tensor<64x64xf32>, %x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %d0 = stablehlo.dot %x, %u : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %a0 = stablehlo.tanh %d0 : tensor<64x64xf32>
  %d1 = stablehlo.dot %a0, %u : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %a1 = stablehlo.tanh %d1 : tensor<64x64xf32>
  %d2 = stablehlo.dot %a1, %w : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %a2 = stablehlo.tanh %d2 : tensor<64x64xf32>
  %r2 = stablehlo.multiply %a2, %a2 : tensor<64x64xf32>
  %gw = stablehlo.dot_general %a1, %r2, contracting_dims = [0] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %g2 = stablehlo.dot_general %r2, %w, contracting_dims = [1] x [1] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %r1 = stablehlo.multiply %g2, %a1 : tensor<64x64xf32>
  %g1 = stablehlo.dot %r1, %u : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %r0 = stablehlo.multiply %g1, %a0 : tensor<64x64xf32>
  %g0 = stablehlo.dot %r0, %u : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %n = stablehlo.subtract %w, %gw : tensor<64x64xf32>
  return %n, %g0 : tensor<64x64xf32>, tensor<64x64xf32>
}
