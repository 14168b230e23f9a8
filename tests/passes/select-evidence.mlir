// What the dump says of bytes and cost decides: measured backward work before
// recomputation cost before rules, retained bytes before the type's.
//
// RUN: %remat --target=generic --strategy=greedy --memory-model=candidates -Wno-budget -fdump-select -fdump-project %s -o %t 2>&1 | FileCheck %s

// The cheap one of two alike.
// CHECK: %cheap selected
// CHECK-NOT: %dear selected
// CHECK: %fast selected
// CHECK-NOT: %slow selected
// CHECK: %later selected
// CHECK-NOT: %short selected
// CHECK: @cost: 1 selected, 0 marked, 0 given back, 1 clones, 1 erased, 25 ns, claimed peak 8192 to 4096 bytes
// CHECK: @work: 1 selected, {{.*}} 40 ns, claimed peak 1400 to 700 bytes
// CHECK: @length: 1 selected
func.func @cost(%x: tensor<1024xf32>) -> tensor<1024xf32> attributes {remat.budget = 4096 : i64} {
  %dear = arith.mulf %x, %x {tessera.remat_cost_ns = 900 : i64} : tensor<1024xf32>
  %cheap = arith.negf %x {tessera.remat_cost_ns = 25 : i64} : tensor<1024xf32>
  %s = arith.addf %dear, %cheap : tensor<1024xf32>
  return %s : tensor<1024xf32>
}
func.func @work(%x: tensor<1024xf32>) -> tensor<1024xf32> attributes {remat.budget = 700 : i64} {
  %slow = arith.mulf %x, %x {tessera.backward_work_ns = 900 : i64, tessera.remat_cost_ns = 1 : i64, tessera.residual.retained_bytes = 700 : i64} : tensor<1024xf32>
  %fast = arith.negf %x {tessera.backward_work_ns = 40 : i64, tessera.remat_cost_ns = 9999 : i64, tessera.residual.retained_bytes = 700 : i64} : tensor<1024xf32>
  %s = arith.addf %slow, %fast : tensor<1024xf32>
  return %s : tensor<1024xf32>
}
// Bytes and cost are equal: the one that is needed longer goes.
func.func @length(%x: tensor<1024xf32>) -> tensor<1024xf32> attributes {remat.budget = 8192 : i64} {
  %later = arith.negf %x : tensor<1024xf32>
  %short = arith.mulf %x, %x : tensor<1024xf32>
  %a = arith.addf %short, %x : tensor<1024xf32>
  %s = arith.addf %a, %later : tensor<1024xf32>
  return %s : tensor<1024xf32>
}
