// A clone whose operands are ready early would be merged with its original, or
// run early, by whoever schedules the program again: fences keep it where the
// plan has it.  Six layers, forward and back; a value has 16 KiB.
// RUN: %remat --memory-model=fused --target=x86 --budget=60%%temp %s -o %t.mlir --report=%t.json
// RUN: FileCheck %s < %t.mlir
// RUN: %remat --memory-model=fused --target=x86 --budget=60%%temp -fno-barriers %s | FileCheck %s --check-prefix=BARE
// RUN: %remat --target=x86 --budget=60%%temp %s | FileCheck %s --check-prefix=BARE

// CHECK: "stablehlo.optimization_barrier"(
// CHECK: _remat{{[0-9]*}} = stablehlo.
// CHECK: return
// BARE-NOT: = "stablehlo.optimization
// BARE: return
func.func @main(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %d0 = stablehlo.dot %x, %w : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
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
  return %g0 : tensor<64x64xf32>
}
