// What passes between the blocks of a region is counted in all blocks that it
// is live in, and planned around.  U is 16 KiB.  All through ^mid %a and %b are
// there from outside, and %c, %k, %d1 and %d2 at its peak: 6 U.  With %c made
// again where it is read last there are never more than 3 of its own: 5 U.
// RUN: %remat --memory-model=fused --target=x86 --budget=90%%temp %s -o %t.mlir --report=%t.json
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: %remat --strategy=none %t.mlir -o %t2.mlir

// CHECK: ^mid:
// CHECK: "stablehlo.optimization_barrier"(
// CHECK: %c_remat{{[0-9]*}} = stablehlo.dot
// CHECK: cf.br ^end
// JSON-DAG: "fused_peak_before_temp_bytes": 98304
// JSON-DAG: "claimed_peak_after_bytes": 81920
func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %a = stablehlo.dot %x, %x : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %b = stablehlo.dot %a, %x : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  cf.br ^mid
^mid:
  %c = stablehlo.dot %x, %x : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %k = stablehlo.dot %c, %x : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %d1 = stablehlo.dot %k, %x : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %d2 = stablehlo.dot %d1, %x : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %d3 = stablehlo.dot %d2, %k : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %e = stablehlo.dot %d3, %c : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  cf.br ^end
^end:
  %f = stablehlo.dot %a, %b : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %g = stablehlo.dot %f, %e : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %g : tensor<64x64xf32>
}
