// What an op reads of several dots is better kept as their sum: with %t, one
// sum and one dot, 3 values of 16 KiB, there is a plan without any clone, and no
// plan needs less.  Where less is asked for, that plan is made all the same.
// RUN: %remat --memory-model=fused --target=x86 --budget=50%%temp %s -o %t.mlir --report=%t.json
// RUN: FileCheck %s --check-prefix=FITS < %t.json
// RUN: FileCheck %s < %t.mlir
// RUN: sh -c '%remat --memory-model=fused --target=x86 --budget=20%%temp %s -o %t2.mlir --report=%t2.json; test $? = 2' 2>&1 | FileCheck %s --check-prefix=LESS
// RUN: FileCheck %s --check-prefix=OVER < %t2.json
// RUN: FileCheck %s < %t2.mlir

// FITS: "fused_peak_before_temp_bytes": 98304, "fused_peak_after_temp_bytes": 49152
// FITS-SAME: "fits": true
// FITS-SAME: "emitted_clones": 0
// OVER: "fused_peak_after_temp_bytes": 49152
// OVER-SAME: "fits": false
// LESS: @main needs 49152 bytes of temporaries, 29492 more than its budget of 19660
// CHECK: {{^}}  %ab = stablehlo.add %a{{(_remat)?}}, %b
// CHECK-NEXT: "stablehlo.optimization_barrier"(%ab, %t{{[a-z0-9_]*}})
func.func @main(%w: tensor<64x64xf32>, %x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %t0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %t = stablehlo.dot_general %t0, %x, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %a = stablehlo.dot_general %t, %w, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %b = stablehlo.dot_general %t, %w, contracting_dims = [0] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %ab = stablehlo.add %a, %b : tensor<64x64xf32>
  %c = stablehlo.dot_general %t, %w, contracting_dims = [1] x [1] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %abc = stablehlo.add %ab, %c : tensor<64x64xf32>
  %d = stablehlo.dot_general %w, %t, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %abcd = stablehlo.add %abc, %d : tensor<64x64xf32>
  %e = stablehlo.dot_general %w, %t, contracting_dims = [0] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %abcde = stablehlo.add %abcd, %e : tensor<64x64xf32>
  %r = stablehlo.subtract %w, %abcde : tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
