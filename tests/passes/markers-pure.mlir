// tessera.effect = "pure" on an op says what no rules file knows.
//
// RUN: %remat --target=generic --strategy=greedy --no-annotate -Wno-unknown-ops %s | grep -v // | FileCheck %s
// CHECK: %far = arith.negf
// CHECK-NEXT: %v_remat = "test.mine"(%x) {tessera.effect = "pure"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: arith.addf %v_remat, %far
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %v = "test.mine"(%x) {tessera.effect = "pure", tessera.recompute} : (tensor<4xf32>) -> tensor<4xf32>
  %far = arith.negf %x : tensor<4xf32>
  %s = arith.addf %v, %far : tensor<4xf32>
  return %s : tensor<4xf32>
}
