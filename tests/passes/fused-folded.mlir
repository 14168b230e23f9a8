// A product of three dimensions is made as a matrix, of two: what is made of it
// has another shape, and takes no place of a matrix.  In @three %d and %t live
// together, 4 KiB each; in @two %t takes the place of %d.
// RUN: %remat %s --target=x86 --memory-model=fused --analyze --report=%t.json > /dev/null
// RUN: FileCheck %s --input-file=%t.json
// CHECK: "name": "three", {{.*}}"fused_peak_before_temp_bytes": 8192,
// CHECK: "name": "two", {{.*}}"fused_peak_before_temp_bytes": 4096,
func.func @three(%x: tensor<8x16x8xf32>, %w: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %d = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<8x16x8xf32>, tensor<8x8xf32>) -> tensor<8x16x8xf32>
  %t = stablehlo.tanh %d : tensor<8x16x8xf32>
  %e = stablehlo.dot_general %t, %x, contracting_dims = [0, 1] x [0, 1] : (tensor<8x16x8xf32>, tensor<8x16x8xf32>) -> tensor<8x8xf32>
  %f = stablehlo.dot_general %x, %t, contracting_dims = [0, 1] x [0, 1] : (tensor<8x16x8xf32>, tensor<8x16x8xf32>) -> tensor<8x8xf32>
  return %e, %f : tensor<8x8xf32>, tensor<8x8xf32>
}
func.func @two(%x: tensor<128x8xf32>, %w: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<128x8xf32>, tensor<8x8xf32>) -> tensor<128x8xf32>
  %t = stablehlo.tanh %d : tensor<128x8xf32>
  %e = stablehlo.dot_general %t, %x, contracting_dims = [0] x [0] : (tensor<128x8xf32>, tensor<128x8xf32>) -> tensor<8x8xf32>
  %f = stablehlo.dot_general %x, %t, contracting_dims = [0] x [0] : (tensor<128x8xf32>, tensor<128x8xf32>) -> tensor<8x8xf32>
  return %e, %f : tensor<8x8xf32>, tensor<8x8xf32>
}
