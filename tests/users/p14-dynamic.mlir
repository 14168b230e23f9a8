// P14: a size that is not known is said, not guessed in silence: generic counts
// 4096 bytes for such a result.  A bound in the type is what is allocated, and is
// counted: 8 x 1024 and 2 x 4 x 1024 floats, 32 KiB each, whichever way it is
// written; `?` without one stays unknown.
//
// RUN: %remat --analyze --target=generic %s > %t.txt
// RUN: FileCheck %s < %t.txt
// RUN: FileCheck %s --check-prefix=SIZES < %t.txt
// CHECK: 4.00 KiB {{.*}}%0  tensor<?x1024xf32>
// SIZES: 3 values of dynamic size, counted as the rules assume

func.func @main(%x: tensor<?x1024xf32>) -> tensor<?x1024xf32> {
  %0 = stablehlo.tanh %x : tensor<?x1024xf32>
  %1 = stablehlo.add %0, %x : tensor<?x1024xf32>
  return %1 : tensor<?x1024xf32>
}

// CHECK: @bounded
// CHECK: no plan below {{ *}}96.0 KiB
// CHECK-DAG: 32.0 KiB {{.*}}%b  tensor<?x1024xf32
// CHECK-DAG: 32.0 KiB {{.*}}%c  tensor<2x?x1024xf32
func.func @bounded(%x: tensor<?x1024xf32, #stablehlo.bounds<8, ?>>) -> tensor<2x?x1024xf32, #mhlo.type_extensions<bounds = [?, 4, ?]>> {
  %b = stablehlo.tanh %x : tensor<?x1024xf32, #stablehlo.bounds<8, ?>>
  %c = "stablehlo.sort"(%b) : (tensor<?x1024xf32, #stablehlo.bounds<8, ?>>) -> tensor<2x?x1024xf32, #mhlo.type_extensions<bounds = [?, 4, ?]>>
  return %c : tensor<2x?x1024xf32, #mhlo.type_extensions<bounds = [?, 4, ?]>>
}
