// A marker that changes nothing is reported with the reason, and goes too.
//
// RUN: %remat --target=generic --strategy=greedy --no-annotate %s -o %t 2> %t.messages
// RUN: FileCheck %s < %t.messages
// RUN: grep -v // %t | not grep recompute
// RUN: not %remat --target=generic --strategy=greedy -Werror=markers %s -o %t

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: markers-unused.mlir:[[@LINE+1]]:3: warning: the marker on this op has no effect: nothing reads its results [REMAT_MARKER_UNUSED, -Wmarkers]
  %a = arith.mulf %x, %x {remat.recompute} : tensor<4xf32>
  // CHECK: markers-unused.mlir:[[@LINE+1]]:3: warning: the marker on this op has no effect: no backward op reads its results
  %b = arith.mulf %x, %x {remat.recompute, remat.recompute_scope = "backward"} : tensor<4xf32>
  %c = arith.negf %b : tensor<4xf32>
  return %c : tensor<4xf32>
}
