// Where ops have phases, only backward readers get clones, clones that serve
// them are backward themselves, and forward readers keep the original.
//
// RUN: %remat --target=generic --strategy=greedy --no-annotate %s | grep -v // | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK-NEXT: %a = "tessera.gelu"(%x) {tessera.autodiff.phase = "forward"}
// CHECK-NEXT: %b = "tessera.gelu"(%a) {tessera.autodiff.phase = "forward"}
// CHECK-NEXT: %keep = "test.use"(%b)
// CHECK-NEXT: %a_remat = "tessera.gelu"(%x) {tessera.autodiff.phase = "backward"}
// CHECK-NEXT: %b_remat = "tessera.gelu"(%a_remat) {tessera.autodiff.phase = "backward"}
// CHECK-NEXT: %g = "tessera.add"(%b_remat, %keep) {tessera.autodiff.phase = "backward"}
// CHECK-NEXT: %a_remat2 = "tessera.gelu"(%x) {tessera.autodiff.phase = "backward"}
// CHECK-NEXT: %h = "tessera.add"(%g, %a_remat2) {tessera.autodiff.phase = "backward"}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "tessera.gelu"(%x) {tessera.autodiff.phase = "forward", tessera.recompute} : (tensor<4xf32>) -> tensor<4xf32>
  %b = "tessera.gelu"(%a) {tessera.autodiff.phase = "forward", tessera.recompute} : (tensor<4xf32>) -> tensor<4xf32>
  %keep = "test.use"(%b) : (tensor<4xf32>) -> tensor<4xf32>
  %g = "tessera.add"(%b, %keep) {tessera.autodiff.phase = "backward"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %h = "tessera.add"(%g, %a) {tessera.autodiff.phase = "backward"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %h : tensor<4xf32>
}
