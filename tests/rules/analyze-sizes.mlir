// What a target says of bytes is in the peak that --analyze reports.
//
// @rounding, where %3 is made: %x, %0 (in which %2 is another view) and %3 have
// 516 bytes each, %1 has 129; %x is held and %3 returned.
// @workspace: %x and %0 have 16,900 bytes, a factorization takes as much again
// for itself.  Workspace is not rounded.
// @unknown: three values of ?x4 floats; where a dimension is assumed it is 512.
//
// RUN: %remat --analyze --target=generic --report=%t.json %s
// RUN: FileCheck %s --check-prefix=GENERIC < %t.json
// As typed: 3 x 516 + 129; 2 x 16900; 3 x 4096.
// GENERIC: "rounding"
// GENERIC: "peak_before_bytes": 1677,
// GENERIC: "workspace"
// GENERIC: "peak_before_bytes": 33800,
// GENERIC: "unknown"
// GENERIC: "peak_before_bytes": 12288,
//
// RUN: %remat --analyze --target=nvidia --report=%t.json %s
// RUN: FileCheck %s --check-prefix=GPU < %t.json
// RUN: %remat --analyze --target=amd --report=%t.json %s
// RUN: FileCheck %s --check-prefix=GPU < %t.json
// Multiples of 512: 3 x 1024 + 512; 2 x 17408 + 16900; 3 x 8192.
// GPU: "rounding"
// GPU: "peak_before_bytes": 3584,
// GPU: "workspace"
// GPU: "peak_before_bytes": 51716,
// GPU: "unknown"
// GPU: "peak_before_bytes": 24576,
//
// RUN: %remat --analyze --target=x86 --report=%t.json %s
// RUN: FileCheck %s --check-prefix=CPU < %t.json
// Multiples of 64: 3 x 576 + 192; 2 x 16960 + 16900; 3 x 8192.
// CPU: "rounding"
// CPU: "peak_before_bytes": 1920,
// CPU: "workspace"
// CPU: "peak_before_bytes": 50820,
// CPU: "unknown"
// CPU: "peak_before_bytes": 24576,
//
// RUN: %remat --analyze --target=apple --report=%t.json %s
// RUN: FileCheck %s --check-prefix=METAL < %t.json
// Multiples of 256, and of 16 KiB above that: 3 x 768 + 256; 2 x 32768 + 16900;
// 3 x 8192.
// METAL: "rounding"
// METAL: "peak_before_bytes": 2560,
// METAL: "workspace"
// METAL: "peak_before_bytes": 82436,
// METAL: "unknown"
// METAL: "peak_before_bytes": 24576,

func.func @rounding(%x: tensor<129xf32>) -> tensor<129xf32> {
  %0 = stablehlo.exponential %x : tensor<129xf32>
  %1 = stablehlo.compare GT, %0, %x
    : (tensor<129xf32>, tensor<129xf32>) -> tensor<129xi1>
  %2 = stablehlo.reshape %0 : (tensor<129xf32>) -> tensor<129xf32>
  %3 = stablehlo.select %1, %2, %x : tensor<129xi1>, tensor<129xf32>
  return %3 : tensor<129xf32>
}

func.func @workspace(%x: tensor<65x65xf32>) -> tensor<65x65xf32> {
  %0 = stablehlo.cholesky %x : tensor<65x65xf32>
  return %0 : tensor<65x65xf32>
}

func.func @unknown(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.exponential %x : tensor<?x4xf32>
  %1 = stablehlo.exponential %0 : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
