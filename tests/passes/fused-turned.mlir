// A weight's gradient contracts two dimensions, which lie in front on the left:
// a fusing compiler lays the operand out anew for the product, 8 x 4 x 16 x 4 B
// = 2,048 bytes.  %g, which is made of arguments alone, waits in the place of
// the result %h of its size.  The zeros have no such place, for their size is
// that of a result that is written over an argument: 1,024 bytes, and 1,024 of
// %d itself.
// RUN: %remat --memory-model=fused --target=x86 --analyze -fdump-fused %s 2>&1 | FileCheck %s

// CHECK: @main: 4096 bytes of temporaries
// CHECK-NEXT: peak at stablehlo.dot_general, workspace 2048
// CHECK-NEXT: live %z 1024
// CHECK-NEXT: live %d 1024
// CHECK-NEXT: %c 64
func.func @main(%p: tensor<16x16xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<8x4x16xf32>) -> (tensor<16x16xf32>, tensor<8x4x16xf32>) {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %z = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
  %g = stablehlo.dot_general %x, %p, contracting_dims = [2] x [0] : (tensor<8x4x16xf32>, tensor<16x16xf32>) -> tensor<8x4x16xf32>
  %d = stablehlo.dot_general %g, %x, contracting_dims = [0, 1] x [0, 1] : (tensor<8x4x16xf32>, tensor<8x4x16xf32>) -> tensor<16x16xf32>
  %h = stablehlo.dot_general %g, %p, contracting_dims = [2] x [1] : (tensor<8x4x16xf32>, tensor<16x16xf32>) -> tensor<8x4x16xf32>
  %s = stablehlo.dot_general %z, %d, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %q = stablehlo.subtract %p, %s : tensor<16x16xf32>
  return %q, %h : tensor<16x16xf32>, tensor<8x4x16xf32>
}
