// P28: a call is as pure as what it calls: @pdf can be made again, and @draw,
// which prints, cannot.  At %c there are %x, %p, %b and %c, 10 MiB, 9 without
// %p; the same in @two with %q.
//
// RUN: not %remat --target=generic --memory-model=live --no-annotate \
// RUN:   -Wno-unknown-ops --budget=9MiB %s 2>/dev/null | grep -v '^//' | FileCheck %s
// CHECK-LABEL: func.func @one
// CHECK: layer_norm
// CHECK-NEXT: %p_remat = call @pdf(%x)
// CHECK-LABEL: func.func @two
// CHECK: layer_norm
// CHECK-NEXT: arith.addf %d, %q

func.func private @pdf(%x: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %0 = math.exp %x : tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}
func.func private @draw(%x: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %0 = "test.print"(%x) : (tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}
func.func @one(%x: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %p = call @pdf(%x) : (tensor<512x512xf32>) -> tensor<512x512xf32>
  %u = arith.negf %p : tensor<512x512xf32>
  %b = "tessera.gelu"(%u) : (tensor<512x512xf32>) -> tensor<4x512x512xf32>
  %c = "tessera.gelu"(%b) : (tensor<4x512x512xf32>) -> tensor<4x512x512xf32>
  %d = "tessera.layer_norm"(%c) : (tensor<4x512x512xf32>) -> tensor<512x512xf32>
  %e = arith.addf %d, %p : tensor<512x512xf32>
  return %e : tensor<512x512xf32>
}
func.func @two(%x: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %q = call @draw(%x) : (tensor<512x512xf32>) -> tensor<512x512xf32>
  %u = arith.negf %q : tensor<512x512xf32>
  %b = "tessera.gelu"(%u) : (tensor<512x512xf32>) -> tensor<4x512x512xf32>
  %c = "tessera.gelu"(%b) : (tensor<4x512x512xf32>) -> tensor<4x512x512xf32>
  %d = "tessera.layer_norm"(%c) : (tensor<4x512x512xf32>) -> tensor<512x512xf32>
  %e = arith.addf %d, %q : tensor<512x512xf32>
  return %e : tensor<512x512xf32>
}
