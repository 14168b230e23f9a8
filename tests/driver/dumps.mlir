// What passes decided: to standard error, or into a file.
// RUN: %remat %s --target=generic --strategy=none -o /dev/null -fdump-facts -fdump-alias -fdump-liveness 2>&1 | FileCheck %s
// RUN: %remat %s --target=generic --strategy=none -o /dev/null -fdump-alias=%t.txt 2>&1 | FileCheck --allow-empty --check-prefix=NOTHING %s
// NOTHING-NOT: buffer
// RUN: FileCheck --check-prefix=FILE --input-file=%t.txt %s
// FILE: buffer 0: 32 B, 0-5 argument: %a
// RUN: %remat %s --strategy=none -o /dev/null -ftime-report 2>&1 | FileCheck --check-prefix=TIME %s
// TIME: facts {{ *[0-9.]+}} ms
// TIME-NEXT: alias {{ *[0-9.]+}} ms
// TIME-NEXT: liveness {{ *[0-9.]+}} ms

// CHECK: stablehlo.tanh: transcendental pure same_bits {{.*}}repeatable, 32 B, 32 ns
// CHECK: stablehlo.reshape: view pure same_bits {{.*}}repeatable, 32 B
// CHECK: stablehlo.add: elementwise pure same_bits {{.*}}repeatable, 32 B, 8 ns
// CHECK: buffer 0: 32 B, 0-5 argument: %a
// CHECK-NEXT: buffer 1: 32 B, 1-4: %0, %1, %2
// CHECK-NEXT: buffer 2: 32 B, 4-5 result: %3
// CHECK-NEXT: @main: peak 96 at 4, temporaries 32 at 1, no less than 96
// CHECK-NEXT: 0: 32, 0, a block begins
// CHECK-NEXT: 1: 64, 32, line {{[0-9]+}} stablehlo.tanh
// CHECK-NEXT: 2: 64, 32, line {{[0-9]+}} stablehlo.reshape
// CHECK-NEXT: 3: 64, 32, line {{[0-9]+}} stablehlo.reshape
// CHECK-NEXT: 4: 96, 32, line {{[0-9]+}} stablehlo.add
// CHECK-NEXT: 5: 64, 0, line {{[0-9]+}} return
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %a : tensor<8xf32>
  %1 = stablehlo.reshape %0 : (tensor<8xf32>) -> tensor<2x4xf32>
  %2 = stablehlo.reshape %1 : (tensor<2x4xf32>) -> tensor<8xf32>
  %3 = stablehlo.add %2, %a : tensor<8xf32>
  return %3 : tensor<8xf32>
}
