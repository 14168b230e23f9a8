// What is written over a donated argument that is read again later needs a
// place of its own: %g and %n have 256 bytes each, and both are live at %n.
// With the reader in front, %n is written over %w.
// RUN: %remat --memory-model=fused --target=x86 --analyze -fdump-fused %s 2>&1 | FileCheck %s
// RUN: sed -e /LATE/d -e s/^.*EARLY// %s | %remat --memory-model=fused --target=x86 --analyze -fdump-fused - 2>&1 | FileCheck %s --check-prefix=FIRST

// CHECK: @main: 512 bytes of temporaries
// FIRST: @main: 256 bytes of temporaries
func.func @main(%w: tensor<8x8xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<8x8xf32>, %v: tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<4x8xf32>) {
  // EARLY  %y = stablehlo.dot %v, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %g = stablehlo.dot %x, %w : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %n = stablehlo.subtract %w, %g : tensor<8x8xf32>
  %y = stablehlo.dot %v, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32> // LATE
  return %n, %y : tensor<8x8xf32>, tensor<4x8xf32>
}
