// Every figure of a plan as an attribute, tessera.* where the input speaks
// tessera: 20 KiB less 10 % are 18432 bytes, the parameter's 4096 count four
// times and 1024 stay: 1024 are left for two values of 4096 that the last op
// reads.  Both are given up at one ns an element, 1024 each; what is left of
// the candidates' sum is nothing.
//
// RUN: %remat --target=generic --strategy=greedy --memory-model=candidates -Wno-budget %s | grep -v // | FileCheck %s
// RUN: %remat --target=generic --strategy=greedy --memory-model=candidates -Wno-budget --no-annotate %s | grep -v // | FileCheck %s --check-prefix=NONE
// CHECK: func.func @f(
// CHECK: attributes {
// CHECK-SAME: tessera.device_memory_capacity_bytes = 20480 : i64,
// CHECK-SAME: tessera.model_parameter_bytes = 4096 : i64,
// CHECK-SAME: tessera.model_persistent_bytes = 1024 : i64,
// CHECK-SAME: tessera.model_state_bytes = 17408 : i64,
// CHECK-SAME: tessera.remat_auto_selected = 2 : i64,
// CHECK-SAME: tessera.remat_budget_bytes = 1024 : i64,
// CHECK-SAME: tessera.remat_budget_source = "model_device_envelope",
// CHECK-SAME: tessera.remat_peak_after_bytes = 0 : i64,
// CHECK-SAME: tessera.remat_peak_before_bytes = 8192 : i64,
// CHECK-SAME: tessera.remat_projected_clones = 2 : i64,
// CHECK-SAME: tessera.remat_selected_cost_ns = 2048 : i64,
// CHECK-SAME: tessera.rematerialized = 2 : i64} {
// NONE-NOT: tessera.remat
func.func @f(%w: tensor<1024xf32> {tessera.model.parameter}, %x: tensor<1024xf32>) -> tensor<1024xf32>
    attributes {tessera.device_memory_capacity_bytes = 20480 : i64, tessera.model_persistent_bytes = 1024 : i64} {
  %a = arith.mulf %x, %x : tensor<1024xf32>
  %b = arith.negf %x : tensor<1024xf32>
  %c = arith.addf %a, %b : tensor<1024xf32>
  return %c : tensor<1024xf32>
}
