// P28, P31: what a loop reads is made again before the loop, never inside of
// it, where it would cost its price a hundred times.  %v is read early and by
// the loop only; at %c there are %x, %v, %b, %c: 10 MiB, 9 without %v.
//
// RUN: %remat --target=generic --memory-model=live --no-annotate \
// RUN:   --budget=9MiB %s | grep -v '^//' | FileCheck %s

// CHECK: %d = arith.negf
// CHECK-NEXT: %v_remat = math.exp %x
// CHECK-NEXT: %z = scf.for
// CHECK-NEXT: arith.addf %t, %v_remat
// CHECK-NOT: math.exp
func.func @main(%x: tensor<512x512xf32>, %n: index, %o: index) -> tensor<512x512xf32> {
  %v = math.exp %x : tensor<512x512xf32>
  %a = arith.addf %v, %x : tensor<512x512xf32>
  %b = "tessera.gelu"(%a) : (tensor<512x512xf32>) -> tensor<4x512x512xf32>
  %c = "tessera.gelu"(%b) : (tensor<4x512x512xf32>) -> tensor<4x512x512xf32>
  %e = "tessera.layer_norm"(%c) : (tensor<4x512x512xf32>) -> tensor<512x512xf32>
  %d = arith.negf %e : tensor<512x512xf32>
  %z = scf.for %i = %o to %n step %o iter_args(%t = %d) -> (tensor<512x512xf32>) {
    %u = arith.addf %t, %v : tensor<512x512xf32>
    scf.yield %u : tensor<512x512xf32>
  }
  return %z : tensor<512x512xf32>
}
