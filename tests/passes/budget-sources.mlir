// Who sets the budget: --budget, then the function's own attribute, then what
// the model leaves of the device, then the device; the first that is there.
//
// RUN: %remat --target=generic --strategy=greedy -Wno-budget -fdump-budget %s -o %t 2>&1 | FileCheck %s
// RUN: %remat --target=generic --strategy=greedy -Wno-budget -fdump-budget --budget=1.5KiB %s -o %t 2>&1 | FileCheck %s --check-prefix=CLI
// RUN: %remat --target=generic --strategy=greedy -Wno-budget -fdump-budget --budget=50%%peak %s -o %t 2>&1 | FileCheck %s --check-prefix=PEAK
// RUN: %remat --target=generic --strategy=greedy -Wno-budget -fdump-budget --budget=25%%temp %s -o %t 2>&1 | FileCheck %s --check-prefix=TEMP
// RUN: %remat --target=generic --strategy=greedy -Wno-budget -fdump-budget --budget=75%% %s -o %t 2>&1 | FileCheck %s --check-prefix=SHARE
// RUN: %remat --target=generic --strategy=none -fdump-budget --budget=1 %s | cmp - %s
// CLI-COUNT-6: 1536 bytes, explicit_cli
// The generic device has 16 GiB, three quarters of which are 12884901888.
// SHARE-COUNT-6: 12884901888 bytes, explicit_cli

// Peaks are 3072 bytes: the argument, what is made of it, what is returned;
// only %0 is a temporary.
// CHECK: @device: 17179869184 bytes, device
// PEAK: @device: 1536 bytes, explicit_cli
// TEMP: @device: 256 bytes of temporaries, explicit_cli
func.func @device(%x: tensor<256xf32>) -> tensor<256xf32> {
  %0 = arith.negf %x : tensor<256xf32>
  %1 = arith.addf %0, %0 : tensor<256xf32>
  return %1 : tensor<256xf32>
}

// CHECK: @megabytes: 3145728 bytes, explicit_function
func.func @megabytes(%x: tensor<256xf32>) -> tensor<256xf32>
    attributes {tessera.device_memory_capacity_bytes = -1 : i64, tessera.remat_budget_mb = 3 : i32} {
  return %x : tensor<256xf32>
}

// CHECK: @size: 2000000 bytes, explicit_function
func.func @size(%x: tensor<256xf32>) -> tensor<256xf32> attributes {remat.budget = "2MB"} {
  return %x : tensor<256xf32>
}

// CHECK: @bytes: 77 bytes, explicit_function
func.func @bytes(%x: tensor<256xf32>) -> tensor<256xf32> attributes {remat.budget = 77 : i64} {
  return %x : tensor<256xf32>
}

// 10000 bytes less 10 % are 9000; the parameter's 1024 bytes count four times
// (itself, a gradient, two states of the optimizer): 4904 are left.
// CHECK: @model: 4904 bytes, model_device_envelope, parameters 1024, state 4096
func.func @model(%w: tensor<256xf32> {tessera.model.parameter}, %x: tensor<256xf32>) -> tensor<256xf32>
    attributes {tessera.device_memory_capacity_bytes = 10000 : i64} {
  return %x : tensor<256xf32>
}

// More state than memory leaves nothing, which is a budget all the same.
// CHECK: @nothing: 0 bytes, model_device_envelope, parameters 1024, state 4097
func.func @nothing(%w: tensor<?xf32> {tessera.model.parameter, tessera.model.parameter_bytes_bound = 1024 : i64}) -> tensor<?xf32>
    attributes {tessera.device_memory_capacity_bytes = 4000 : i64, tessera.model_persistent_bytes = 1 : i64} {
  return %w : tensor<?xf32>
}
