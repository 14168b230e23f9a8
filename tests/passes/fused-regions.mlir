// What a region reads from outside is read with the op that it belongs to: a pad
// that is computed inside of its readers wants %v, which its region spreads, and
// a generic that extracts from %x.  Whatever less is asked for, the plan runs.
// RUN: %remat %s --target=generic --memory-model=fused --budget=70%%temp -Wno-budget -o %t.70.mlir || test $? = 2
// RUN: %remat --compare %s %t.70.mlir | FileCheck --check-prefix=SAME %s
// RUN: %remat %s --target=generic --memory-model=fused --budget=10%%temp -Wno-budget -o %t.10.mlir || test $? = 2
// RUN: %remat --compare %s %t.10.mlir | FileCheck --check-prefix=SAME %s
// RUN: mlir-opt-19 %t.10.mlir -o /dev/null
// SAME: the same program
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%x: tensor<100x100xf32>, %w: tensor<128x128xf32>, %s: f32) -> tensor<128x128xf32> {
  %e = tensor.empty() : tensor<128x128xf32>
  %c0 = arith.constant 0 : index
  %a = linalg.matmul ins(%w, %w : tensor<128x128xf32>, tensor<128x128xf32>) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  %v = arith.negf %s : f32
  %p = tensor.pad %x low[0, 0] high[28, 28] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<100x100xf32> to tensor<128x128xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<128x128xf32>) outs(%e : tensor<128x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = tensor.extract %a[%c0, %c0] : tensor<128x128xf32>
    %z = arith.addf %in, %y : f32
    linalg.yield %z : f32
  } -> tensor<128x128xf32>
  %b = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%q, %a : tensor<128x128xf32>, tensor<128x128xf32>) outs(%e : tensor<128x128xf32>) {
  ^bb0(%in: f32, %other: f32, %out: f32):
    %z = arith.mulf %in, %other : f32
    linalg.yield %z : f32
  } -> tensor<128x128xf32>
  %c = linalg.matmul ins(%b, %w : tensor<128x128xf32>, tensor<128x128xf32>) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  %d = linalg.matmul ins(%c, %b : tensor<128x128xf32>, tensor<128x128xf32>) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  %r = linalg.matmul ins(%d, %a : tensor<128x128xf32>, tensor<128x128xf32>) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %r : tensor<128x128xf32>
}
