// An envelope that gives no budget is refused, with what is wrong with it.
//
// RUN: not %remat --target=generic --strategy=greedy %s -o %t 2> %t.messages
// RUN: FileCheck %s < %t.messages

// CHECK: budget-errors.mlir:[[@LINE+1]]:1: error: model parameter argument 1 has a dynamic or unsupported type and requires a non-negative tessera.model.parameter_bytes_bound [REMAT_MODEL_BUDGET_INVALID]
func.func @unbounded(%x: tensor<4xf32>, %w: tensor<?xf32> {tessera.model.parameter}) attributes {tessera.device_memory_capacity_bytes = 1 : i64} {
  return
}
// CHECK: budget-errors.mlir:[[@LINE+1]]:1: error: model parameter argument 0 has a dynamic
func.func @negative(%w: tensor<4xf32> {tessera.model.parameter, tessera.model.parameter_bytes_bound = -1 : i64}) attributes {tessera.device_memory_capacity_bytes = 1 : i64} {
  return
}
// CHECK: budget-errors.mlir:[[@LINE+1]]:1: error: model-derived memory-budget inputs must be non-negative and reserve basis points must be <= 10000 [REMAT_MODEL_BUDGET_INVALID]
func.func @reserve() attributes {tessera.device_memory_capacity_bytes = 1 : i64, tessera.device_memory_reserve_basis_points = 10001 : i32} {
  return
}
// CHECK: budget-errors.mlir:[[@LINE+1]]:1: error: model-derived memory-budget inputs
func.func @capacity() attributes {tessera.device_memory_capacity_bytes = -1 : i64} {
  return
}
// CHECK: budget-errors.mlir:[[@LINE+1]]:1: error: model-derived memory-budget arithmetic overflows signed i64 [REMAT_MODEL_BUDGET_INVALID]
func.func @copies() attributes {tessera.device_memory_capacity_bytes = 1 : i64, tessera.model_gradient_copies = 9223372036854775807 : i64} {
  return
}
// CHECK: budget-errors.mlir:[[@LINE+1]]:1: error: model-derived memory-budget arithmetic overflows
func.func @state(%w: tensor<4xf32> {tessera.model.parameter}) attributes {tessera.device_memory_capacity_bytes = 1 : i64, tessera.model_optimizer_state_copies = 4611686018427387904 : i64} {
  return
}
// CHECK: budget-errors.mlir:[[@LINE+1]]:1: error: model-derived memory-budget arithmetic overflows
func.func @usable() attributes {tessera.device_memory_capacity_bytes = 9223372036854775807 : i64} {
  return
}
// CHECK: budget-errors.mlir:[[@LINE+1]]:1: error: remat.budget must be a size
func.func @size() attributes {remat.budget = "much"} {
  return
}
// CHECK: budget-errors.mlir:[[@LINE+1]]:1: error: tessera.remat_budget_mb must be a number from 0
func.func @megabytes() attributes {tessera.remat_budget_mb = -1 : i32} {
  return
}
