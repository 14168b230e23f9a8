// An element whose place stands in brackets reads its tuple, wherever that was
// made: %p lives until the last product, and so does what it is an element of.
// RUN: %remat %s --target=generic --memory-model=fused --budget=80%%temp -Wno-budget -o %t.mlir || test $? = 2
// RUN: %remat --compare %s %t.mlir | FileCheck %s
// CHECK: the same program
func.func @main(%x: tensor<1024x1024xf32>, %g: tensor<1024xf32>) -> tensor<1024x1024xf32> {
  %a = "mhlo.dot"(%x, %x) : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %t = "mhlo.batch_norm_training"(%a, %g, %g) {epsilon = 1.0e-05 : f32, feature_index = 1 : i64} : (tensor<1024x1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> tuple<tensor<1024x1024xf32>, tensor<1024xf32>, tensor<1024xf32>>
  %p = mhlo.get_tuple_element %t[0] : (tuple<tensor<1024x1024xf32>, tensor<1024xf32>, tensor<1024xf32>>) -> tensor<1024x1024xf32>
  %b = "mhlo.dot"(%p, %x) : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %c = "mhlo.dot"(%b, %b) : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %d = "mhlo.dot"(%c, %b) : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %e = "mhlo.dot"(%d, %p) : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %e : tensor<1024x1024xf32>
}
