// Markers that would raise the peak are taken back, and the user hears of it:
// recomputing %s (4 bytes from 4096) for the last op keeps %big alive until
// then, beside another 4096 bytes.
//
// RUN: %remat --target=generic --strategy=greedy --no-annotate %s -o %t 2> %t.messages
// RUN: FileCheck %s < %t.messages
// RUN: grep -v // %t | FileCheck %s --check-prefix=OUT
// CHECK: refused-marker.mlir:[[@LINE+2]]:1: warning: the markers of this function are not carried out: its peak is 12292 bytes, that of the input 8200 [REMAT_MARKER_UNUSED, -Wmarkers]
// OUT-NOT: remat
func.func @f(%x: tensor<1024xf32>) -> tensor<1xf32> {
  %big = "tessera.gelu"(%x) : (tensor<1024xf32>) -> tensor<1024xf32>
  %s = "tessera.reduce"(%big) {remat.recompute, tessera.effect = "pure"} : (tensor<1024xf32>) -> tensor<1xf32>
  %other = "tessera.gelu"(%x) : (tensor<1024xf32>) -> tensor<1024xf32>
  %t = "tessera.reduce"(%other) : (tensor<1024xf32>) -> tensor<1xf32>
  %u = "tessera.add"(%s, %t) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}
