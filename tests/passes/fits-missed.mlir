// What does not fit is printed all the same, ends with 2 unless the warning is
// off, and the user hears how far it is off, what no plan goes below, where the
// peak is and what holds it.
//
// RUN: %python -c "import subprocess, sys; sys.exit(subprocess.call(sys.argv[1:]) != 2)" \
// RUN:   %remat --target=generic --strategy=greedy --budget=5000 %s -o %t 2> %t.messages
// RUN: FileCheck %s < %t.messages
// RUN: %remat --target=generic --strategy=greedy --budget=5000 -Wno-budget %s -o %t 2> %t.quiet
// RUN: not grep . %t.quiet
// RUN: not %remat --target=generic --strategy=greedy --budget=5000 -Werror=budget %s -o %t
// RUN: %remat --target=generic --strategy=greedy --budget=8192 %s -o %t
// CHECK: fits-missed.mlir:[[@LINE+5]]:1: warning: @f needs 8192 bytes, 3192 more than its budget of 5000 (explicit_cli) [REMAT_BUDGET_MISSED, -Wbudget]
// CHECK: fits-missed.mlir:[[@LINE+5]]:3: note: no plan needs less than 8192 bytes, because of this op
// CHECK: fits-missed.mlir:[[@LINE+4]]:3: note: the peak is reached here
// CHECK: fits-missed.mlir:[[@LINE+2]]:14: note: %x, an argument, holds 4096 bytes of it
// CHECK: fits-missed.mlir:[[@LINE+2]]:3: note: %a, a result, holds 4096 bytes of it
func.func @f(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %a = "tessera.gelu"(%x) : (tensor<1024xf32>) -> tensor<1024xf32>
  return %a : tensor<1024xf32>
}
