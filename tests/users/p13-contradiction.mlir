// P13: two markers that contradict each other are told with their op.
//
// RUN: not %remat --target=generic --budget=1MiB %s 2>&1 | FileCheck %s

func.func @main(%x: tensor<512x512xf32>) -> tensor<512x512xf32> {
  // CHECK: p13-contradiction.mlir:[[#@LINE+1]]:3: error: {{.*}}remat.keep
  %a = arith.mulf %x, %x {remat.keep, remat.recompute} : tensor<512x512xf32>
  %b = arith.addf %a, %x : tensor<512x512xf32>
  return %b : tensor<512x512xf32>
}
