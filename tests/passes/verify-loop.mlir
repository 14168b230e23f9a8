// The text proof takes a loop whose condition and body name their arguments in
// one place: %v is made again behind the peak, the loop stays as it is.  At %c
// there are %x, %v, %b and %c, 10 MiB, and the counters' eight bytes; 9 MiB
// without %v.
//
// RUN: %remat --target=generic --memory-model=live --no-annotate -fverify-text \
// RUN:   --budget=9437192 %s | grep -v '^//' | FileCheck %s
// CHECK: %e = "tessera.layer_norm"
// CHECK-NEXT: %v_remat = stablehlo.tanh %x
// CHECK-NEXT: %z:2 = stablehlo.while(%i = %o, %t = %e)

func.func @main(%x: tensor<512x512xf32>, %o: tensor<i32>, %n: tensor<i32>) -> tensor<512x512xf32> {
  %v = stablehlo.tanh %x : tensor<512x512xf32>
  %a = stablehlo.negate %v : tensor<512x512xf32>
  %b = "tessera.gelu"(%a) : (tensor<512x512xf32>) -> tensor<4x512x512xf32>
  %c = "tessera.gelu"(%b) : (tensor<4x512x512xf32>) -> tensor<4x512x512xf32>
  %e = "tessera.layer_norm"(%c) : (tensor<4x512x512xf32>) -> tensor<512x512xf32>
  %z:2 = stablehlo.while(%i = %o, %t = %e) : tensor<i32>, tensor<512x512xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %u = stablehlo.add %t, %v : tensor<512x512xf32>
    %j = stablehlo.add %i, %n : tensor<i32>
    stablehlo.return %j, %u : tensor<i32>, tensor<512x512xf32>
  }
  return %z#1 : tensor<512x512xf32>
}
