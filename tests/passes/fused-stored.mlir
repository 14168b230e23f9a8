// What a fusing compiler keeps of a program.  Each value has 256 bytes.  The
// tanh takes the place of the first product, which dies there; what is returned
// is the caller's.  So at the second product two values are live: 512 bytes.
// RUN: %remat --memory-model=fused --target=x86 --analyze -fdump-fused %s 2>&1 | FileCheck %s

// CHECK: @main: 512 bytes of temporaries
// CHECK-NEXT: peak at stablehlo.dot, workspace 0
// CHECK-NEXT: live %1 256 stablehlo.tanh: is dear and has several readers
// CHECK-NEXT: live %3 256 stablehlo.dot: its op does not fuse with its readers
// CHECK: %c {{[0-9]+}} is written where it is read
// CHECK-NEXT: %b 256 is spread out or counted where it is read
// CHECK-NEXT: %0 256 its op does not fuse with its readers
// CHECK-NEXT: %1 256 is dear and has several readers
// CHECK-NEXT: %2 256 is computed inside of its readers
// CHECK-NEXT: %3 256 its op does not fuse with its readers
// CHECK-NEXT: %4 256 is computed inside of its readers; stored for readers that do not fuse
func.func @main(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
  %0 = stablehlo.dot %x, %w : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.tanh %0 : tensor<8x8xf32>
  %2 = stablehlo.multiply %1, %b : tensor<8x8xf32>
  %3 = stablehlo.dot %1, %w : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %4 = stablehlo.add %2, %3 : tensor<8x8xf32>
  return %4 : tensor<8x8xf32>
}
