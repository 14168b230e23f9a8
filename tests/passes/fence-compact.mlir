// %a, 4 MiB, is read by two selections, each of which computes the mask %m of it
// again: so %a lives on to the second, and with %y and %d there are 12 MiB.  A plan
// keeps %m, 1 MiB of i1, which a fence hands on, and computes nothing again.
// RUN: %remat %s --target=x86 --memory-model=fused --budget=9MiBtemp -o %t.mlir --report=%t.json
// RUN: FileCheck %s --input-file=%t.json --check-prefix=REPORT
// RUN: FileCheck %s --input-file=%t.mlir
// REPORT: "fused_peak_before_temp_bytes": 12582912,
// REPORT-SAME: "fused_peak_after_temp_bytes": 9437184,
// CHECK-NOT: _remat{{[0-9]*}} = stablehlo.dot_general
// CHECK: stablehlo.optimization_barrier{{.*}}tensor<1024x1024xi1>
// CHECK-NOT: _remat{{[0-9]*}} = stablehlo.dot_general
func.func @main(%x: tensor<1024x1024xf32>, %v: tensor<1024xf32>) -> tensor<1024xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<1024x1024xf32>
  %a = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %m = stablehlo.compare GT, %a, %zero : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xi1>
  %y = stablehlo.select %m, %x, %zero : tensor<1024x1024xi1>, tensor<1024x1024xf32>
  %d = stablehlo.dot_general %y, %x, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %f = stablehlo.dot_general %d, %x, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %z = stablehlo.select %m, %f, %zero : tensor<1024x1024xi1>, tensor<1024x1024xf32>
  %r = stablehlo.dot_general %z, %v, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  return %r : tensor<1024xf32>
}
