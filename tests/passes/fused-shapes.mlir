// A view that reads more than the value it shows, a shape that is computed: what
// it reads is there whenever it is made again.  %0, %1 and %2 live at the last
// but two; %1 is made again for its second reader.
// RUN: %remat %s --target=generic --memory-model=fused --budget=25MiB -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// CHECK: %v1_remat{{[0-9]*}} = stablehlo.dynamic_reshape %v0_remat{{[0-9]*}}, %s_remat{{[0-9]*}} 
// RUN: %remat --compare %s %t.mlir | FileCheck --check-prefix=SAME %s
// SAME: the same program
func.func @main(%x: tensor<1024x1024xf32>, %w: tensor<1024x1024xf32>, %n: tensor<2xi64>, %m: tensor<2x2xi64>) -> tensor<1024x1024xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %s = stablehlo.dot_general %m, %n, contracting_dims = [1] x [0] : (tensor<2x2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %1 = stablehlo.dynamic_reshape %0, %s : (tensor<1024x1024xf32>, tensor<2xi64>) -> tensor<1024x1024xf32>
  %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %3 = stablehlo.dot_general %2, %w, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %4 = stablehlo.dot_general %3, %3, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %5 = stablehlo.dot_general %4, %2, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %6 = stablehlo.dot_general %5, %1, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %7 = stablehlo.dot_general %6, %0, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %7 : tensor<1024x1024xf32>
}
