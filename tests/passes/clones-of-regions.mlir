// A clone of an op with a region is as many ops as that holds: the reduce, its
// add and its return.  %r, of 1 MiB, is read before and after the peak, where
// %x, %r, %b and %c are live: 2 + 1 + 4 + 4 MiB; without it 10,
// and four bytes of %z.
//
// RUN: %remat --target=generic --memory-model=live --budget=10485764 %s \
// RUN:   --report=%t.json -o %t.mlir
// RUN: FileCheck %s < %t.json
// CHECK: "ops_in": 10, "ops_out": 13,
// CHECK-SAME: "projected_clones": 3, "emitted_clones": 3, "erased": 0,

func.func @main(%x: tensor<2x512x512xf32>, %z: tensor<f32>) -> tensor<512x512xf32> {
  %r = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x512x512xf32>, tensor<f32>) -> tensor<512x512xf32>
  %a = stablehlo.negate %r : tensor<512x512xf32>
  %b = "tessera.gelu"(%a) : (tensor<512x512xf32>) -> tensor<4x512x512xf32>
  %c = "tessera.gelu"(%b) : (tensor<4x512x512xf32>) -> tensor<4x512x512xf32>
  %d = "tessera.matmul"(%c) : (tensor<4x512x512xf32>) -> tensor<512x512xf32>
  %e = "tessera.add"(%d, %r) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  %f = "tessera.add"(%e, %r) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  return %f : tensor<512x512xf32>
}
