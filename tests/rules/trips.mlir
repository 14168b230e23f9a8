// How often a loop runs that does not say so: its counter begins at a constant,
// takes constant steps and is compared with a constant, or its bounds are
// written out.  The weights of target generic: 4096 of the hyperbolic tangent
// and one each of the sum and the comparison, for 2, 5, 8 and 11; nothing is
// known where the end is an argument.  A tangent of one float weighs 4, a load
// 1 and a store, which counts as all of its buffer, 4096: 16 times; then
// loads for -4, 1, 6, 11 and 16, and for 8, 10, ... 18.
// RUN: %remat --target=generic --analyze -fdump-facts %s 2>&1 | FileCheck %s
// CHECK: stablehlo.while: loop {{.*}} 16392 ns
// CHECK: stablehlo.while: loop {{.*}} 0 ns unknown
// CHECK: affine.for: loop {{.*}}, 65616 ns
// CHECK: affine.for: loop {{.*}}, 5 ns
// CHECK: affine.for: loop {{.*}}, 0 ns unknown
// CHECK: affine.for: loop {{.*}}, 6 ns
func.func @counted(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %first = stablehlo.constant dense<2> : tensor<i32>
  %end = stablehlo.constant dense<12> : tensor<i32>
  %step = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%i = %first, %a = %x) : tensor<i32>, tensor<1024xf32>
    cond {
    %c = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %n = stablehlo.add %i, %step : tensor<i32>
    %b = stablehlo.tanh %a : tensor<1024xf32>
    stablehlo.return %n, %b : tensor<i32>, tensor<1024xf32>
  }
  return %r#1 : tensor<1024xf32>
}
func.func @open(%x: tensor<1024xf32>, %end: tensor<i32>) -> tensor<1024xf32> {
  %first = stablehlo.constant dense<2> : tensor<i32>
  %step = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%i = %first, %a = %x) : tensor<i32>, tensor<1024xf32>
    cond {
    %c = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %n = stablehlo.add %i, %step : tensor<i32>
    %b = stablehlo.tanh %a : tensor<1024xf32>
    stablehlo.return %n, %b : tensor<i32>, tensor<1024xf32>
  }
  return %r#1 : tensor<1024xf32>
}
func.func @written(%x: memref<1024xf32>, %n: index) {
  affine.for %i = 0 to 16 {
    %a = affine.load %x[%i] : memref<1024xf32>
    %b = math.tanh %a : f32
    affine.store %b, %x[%i] : memref<1024xf32>
  }
  affine.for %i = -4 to 17 step 5 {
    %a = affine.load %x[%i + 4] : memref<1024xf32>
  }
  affine.for %i = 0 to %n {
    %a = affine.load %x[%i] : memref<1024xf32>
  }
  "affine.for"() <{lowerBoundMap = affine_map<() -> (8)>, operandSegmentSizes = array<i32: 0, 0, 0>, step = 2 : index, upperBoundMap = affine_map<() -> (20)>}> ({
  ^bb0(%i: index):
    %a = affine.load %x[%i] : memref<1024xf32>
    "affine.yield"() : () -> ()
  }) : () -> ()
  return
}
