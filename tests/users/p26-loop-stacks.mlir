// P26: a loop stores O(T) residuals.  64 iterations of a body of four tanh, a
// state of 1 MiB: what is stacked is named, slots times bytes, with its source
// and its reader; the state alone would do, and of that fewer: with 4, 8, 16
// slots by hand as Griewank and Walther count (C(8,4) = 70, C(11,8) = 165,
// C(18,16) = 153 are the first that reach 64: 4 * 64 - C(8,5) = 200 steps more,
// 3 * 64 - C(11,9) = 137, 2 * 64 - C(18,17) = 110).
//
// RUN: %remat --analyze --target=generic %s | FileCheck %s
// CHECK: stacked by loops: 256.0 MiB
// CHECK-NEXT: 64 x 1.00 MiB = 64.0 MiB line [[#@LINE+21]]: stablehlo.tanh model.py:7, by the loop at line [[#@LINE+13]], read by that at line [[#@LINE+36]]
// CHECK: line [[#@LINE+12]]: 64 iterations carry 1.00 MiB; kept at 4 of them (4.00 MiB), 200 run again; at 8 of them (8.00 MiB), 137 run again; at 16 of them (16.0 MiB), 110 run again; at all, 63
//
// RUN: %remat --analyze --target=generic --report=%t.json %s -o %t.txt
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// JSON: "stacks": [
// JSON-COUNT-4: {"slots": 64, "bytes": 67108864, "value": "%t{{[1-4]}}"
// JSON: "not_stacks": []

func.func @main(%c0: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %nil = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %e = stablehlo.broadcast_in_dim %nil, dims = [] : (tensor<f32>) -> tensor<64x512x512xf32>
  %f:6 = stablehlo.while(%i = %zero, %c = %c0, %s1 = %e, %s2 = %e, %s3 = %e, %s4 = %e) : tensor<i32>, tensor<512x512xf32>, tensor<64x512x512xf32>, tensor<64x512x512xf32>, tensor<64x512x512xf32>, tensor<64x512x512xf32>
  cond {
    %n = stablehlo.constant dense<64> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %z = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %t1 = stablehlo.tanh %c : tensor<512x512xf32> loc("model.py":7:3)
    %t2 = stablehlo.tanh %t1 : tensor<512x512xf32> loc("model.py":8:3)
    %t3 = stablehlo.tanh %t2 : tensor<512x512xf32> loc("model.py":9:3)
    %t4 = stablehlo.tanh %t3 : tensor<512x512xf32> loc("model.py":10:3)
    %r1 = stablehlo.broadcast_in_dim %t1, dims = [1, 2] : (tensor<512x512xf32>) -> tensor<1x512x512xf32>
    %u1 = stablehlo.dynamic_update_slice %s1, %r1, %i, %z, %z : (tensor<64x512x512xf32>, tensor<1x512x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<64x512x512xf32>
    %r2 = stablehlo.broadcast_in_dim %t2, dims = [1, 2] : (tensor<512x512xf32>) -> tensor<1x512x512xf32>
    %u2 = stablehlo.dynamic_update_slice %s2, %r2, %i, %z, %z : (tensor<64x512x512xf32>, tensor<1x512x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<64x512x512xf32>
    %r3 = stablehlo.broadcast_in_dim %t3, dims = [1, 2] : (tensor<512x512xf32>) -> tensor<1x512x512xf32>
    %u3 = stablehlo.dynamic_update_slice %s3, %r3, %i, %z, %z : (tensor<64x512x512xf32>, tensor<1x512x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<64x512x512xf32>
    %r4 = stablehlo.broadcast_in_dim %t4, dims = [1, 2] : (tensor<512x512xf32>) -> tensor<1x512x512xf32>
    %u4 = stablehlo.dynamic_update_slice %s4, %r4, %i, %z, %z : (tensor<64x512x512xf32>, tensor<1x512x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<64x512x512xf32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %i1, %t4, %u1, %u2, %u3, %u4 : tensor<i32>, tensor<512x512xf32>, tensor<64x512x512xf32>, tensor<64x512x512xf32>, tensor<64x512x512xf32>, tensor<64x512x512xf32>
  }
  %b:2 = stablehlo.while(%j = %zero, %g = %f#1) : tensor<i32>, tensor<512x512xf32>
  cond {
    %n = stablehlo.constant dense<64> : tensor<i32>
    %p = stablehlo.compare LT, %j, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %z = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %last = stablehlo.constant dense<63> : tensor<i32>
    %k = stablehlo.subtract %last, %j : tensor<i32>
    %x4 = stablehlo.dynamic_slice %f#5, %k, %z, %z, sizes = [1, 512, 512] : (tensor<64x512x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x512x512xf32>
    %y4 = stablehlo.reshape %x4 : (tensor<1x512x512xf32>) -> tensor<512x512xf32>
    %g4 = stablehlo.multiply %g, %y4 : tensor<512x512xf32>
    %x3 = stablehlo.dynamic_slice %f#4, %k, %z, %z, sizes = [1, 512, 512] : (tensor<64x512x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x512x512xf32>
    %y3 = stablehlo.reshape %x3 : (tensor<1x512x512xf32>) -> tensor<512x512xf32>
    %g3 = stablehlo.multiply %g4, %y3 : tensor<512x512xf32>
    %x2 = stablehlo.dynamic_slice %f#3, %k, %z, %z, sizes = [1, 512, 512] : (tensor<64x512x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x512x512xf32>
    %y2 = stablehlo.reshape %x2 : (tensor<1x512x512xf32>) -> tensor<512x512xf32>
    %g2 = stablehlo.multiply %g3, %y2 : tensor<512x512xf32>
    %x1 = stablehlo.dynamic_slice %f#2, %k, %z, %z, sizes = [1, 512, 512] : (tensor<64x512x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x512x512xf32>
    %y1 = stablehlo.reshape %x1 : (tensor<1x512x512xf32>) -> tensor<512x512xf32>
    %g1 = stablehlo.multiply %g2, %y1 : tensor<512x512xf32>
    %j1 = stablehlo.add %j, %one : tensor<i32>
    stablehlo.return %j1, %g1 : tensor<i32>, tensor<512x512xf32>
  }
  return %b#1 : tensor<512x512xf32>
}
