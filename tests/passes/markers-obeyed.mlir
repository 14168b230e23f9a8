// A marked op is computed again for each reader, once where it is read twice by
// one, whatever the budget; no marker stays, and what it leaves is clean.
//
// RUN: %remat --target=generic --strategy=greedy --no-annotate %s | grep -v // | FileCheck %s --implicit-check-not=recompute

// CHECK-LABEL: func.func @f
// CHECK-NEXT: %far = arith.negf %x : tensor<4xf32>
// CHECK-NEXT: %a_remat = arith.mulf %x, %x : tensor<4xf32>
// CHECK-NEXT: %b = arith.addf %a_remat, %a_remat : tensor<4xf32>
// CHECK-NEXT: %a_remat2 = arith.mulf %x, %x : tensor<4xf32>
// CHECK-NEXT: %c = arith.subf %a_remat2, %far : tensor<4xf32>
// CHECK-NEXT: "test.use"(%b) {a, b = 1 : i32} : (tensor<4xf32>) -> ()
// CHECK-NEXT: return %c
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = arith.mulf %x, %x {remat.recompute} : tensor<4xf32>
  %far = arith.negf %x : tensor<4xf32>
  %b = arith.addf %a, %a : tensor<4xf32>
  %c = arith.subf %a, %far : tensor<4xf32>
  "test.use"(%b) {a, tessera.recompute = false, b = 1 : i32} : (tensor<4xf32>) -> ()
  return %c : tensor<4xf32>
}

// Marked chains go together; the producer that is first in the program stands
// next to the clone that reads it.
// CHECK-LABEL: func.func @chain
// CHECK-NEXT: %far = arith.negf %x
// CHECK-NEXT: %a_remat = arith.mulf %x, %x
// CHECK-NEXT: %b_remat = arith.addf %a_remat, %x
// CHECK-NEXT: arith.subf %b_remat, %far
func.func @chain(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = arith.mulf %x, %x {tessera.recompute} : tensor<4xf32>
  %b = arith.addf %a, %x {tessera.recompute} : tensor<4xf32>
  %far = arith.negf %x : tensor<4xf32>
  %d = arith.subf %b, %far : tensor<4xf32>
  return %d : tensor<4xf32>
}
