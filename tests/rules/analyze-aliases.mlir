// What shares storage is a fact of the ops, and shows in the peak.
//
// RUN: %remat --analyze --report=%t.json %s
// RUN: FileCheck %s < %t.json
//
// @update: %x (held, 4096), then %0; %1 replaces a part of %0, which dies there,
// in place: with %u (1024) and %i (4) that is 4096 + 1024 + 4 + 4096.
// CHECK: "update"
// CHECK: "peak_before_bytes": 9220,
//
// @views: %0 and four more words for it, and %5 that is returned.
// CHECK: "views"
// CHECK: "peak_before_bytes": 12288,
//
// @destination: what linalg fills lies in the room of tensor.empty: %x, %0 and
// the two results, which are one.
// CHECK: "destination"
// CHECK: "peak_before_bytes": 8192,
//
// @copies: no view and nothing in place: %x, %0 and %1 at once.
// CHECK: "copies"
// CHECK: "peak_before_bytes": 12288,

func.func @update(%x: tensor<1024xf32>, %u: tensor<256xf32>,
                  %i: tensor<i32>) -> tensor<1024xf32> {
  %0 = stablehlo.negate %x : tensor<1024xf32>
  %1 = stablehlo.dynamic_update_slice %0, %u, %i
    : (tensor<1024xf32>, tensor<256xf32>, tensor<i32>) -> tensor<1024xf32>
  return %1 : tensor<1024xf32>
}

func.func @views(%x: tensor<32x32xf32>) -> tensor<1024xf32> {
  %0 = stablehlo.negate %x : tensor<32x32xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]]
    : tensor<32x32xf32> into tensor<1024xf32>
  %2 = stablehlo.reshape %1 : (tensor<1024xf32>) -> tensor<1x1024xf32>
  %3 = stablehlo.transpose %2, dims = [1, 0]
    : (tensor<1x1024xf32>) -> tensor<1024x1xf32>
  %4 = stablehlo.reshape %3 : (tensor<1024x1xf32>) -> tensor<1024xf32>
  %5 = stablehlo.add %4, %1 : tensor<1024xf32>
  return %5 : tensor<1024xf32>
}

func.func @destination(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %0 = tensor.empty() : tensor<1024xf32>
  %1 = linalg.exp ins(%x : tensor<1024xf32>) outs(%0 : tensor<1024xf32>)
    -> tensor<1024xf32>
  return %1 : tensor<1024xf32>
}

func.func @copies(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = stablehlo.negate %x : tensor<32x32xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0]
    : (tensor<32x32xf32>) -> tensor<32x32xf32>
  return %1 : tensor<32x32xf32>
}
