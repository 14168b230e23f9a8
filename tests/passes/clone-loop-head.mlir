// The head of a loop names the arguments of both of its regions at once: in a
// clone of the loop they get one new name, written once.
// RUN: %remat --memory-model=live %s -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: %remat --strategy=none %t.mlir -o %t2.mlir

// CHECK: = stablehlo.while(%[[I:i_remat]] = %c, %[[S:s_remat]] = %x)
// CHECK: compare LT, %[[I]],
// CHECK: } do {
// CHECK: stablehlo.add %[[I]],
// CHECK: stablehlo.tanh %[[S]]
func.func @main(%x: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %c, %s = %x) : tensor<i32>, tensor<256x256xf32> attributes {remat.recompute}
  cond {
    %n = stablehlo.constant dense<10> : tensor<i32>
    %more = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %t = stablehlo.tanh %s : tensor<256x256xf32>
    stablehlo.return %j, %t : tensor<i32>, tensor<256x256xf32>
  }
  %1 = stablehlo.add %0#1, %x : tensor<256x256xf32>
  %2 = stablehlo.dot_general %1, %1, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %3 = stablehlo.dot_general %2, %2, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %4 = stablehlo.dot_general %3, %2, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %5 = stablehlo.dot_general %4, %3, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %6 = stablehlo.add %5, %0#1 : tensor<256x256xf32>
  return %6 : tensor<256x256xf32>
}
