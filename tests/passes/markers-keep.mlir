// remat.keep takes an op out of every planner's choice.
//
// RUN: %remat --target=generic --strategy=greedy --memory-model=candidates --budget=2048 -Wno-budget -fdump-select %s -o %t 2>&1 | FileCheck %s
// CHECK-NOT: %a selected
// CHECK: %b selected
func.func @f(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %a = arith.mulf %x, %x {remat.keep} : tensor<1024xf32>
  %b = arith.negf %x : tensor<1024xf32>
  %c = arith.addf %a, %b : tensor<1024xf32>
  return %c : tensor<1024xf32>
}
