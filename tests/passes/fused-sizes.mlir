// A barrier with sizes shows its tensor, but wants the sizes too: it is no view
// that may be made wherever it is read.
// RUN: %remat %s --target=generic --memory-model=fused --budget=40%%temp -Wno-budget -o %t.mlir || test $? = 2
// RUN: %remat --compare %s %t.mlir | FileCheck --check-prefix=SAME %s
// SAME: the same program
func.func @main(%x: tensor<?x256xf32>, %w: tensor<256x256xf32>) -> tensor<?x256xf32> {
  %c0 = arith.constant 0 : index
  %e = "test.empty"() : () -> tensor<?x256xf32>
  %a = "test.multiply"(%x, %w) : (tensor<?x256xf32>, tensor<256x256xf32>) -> tensor<?x256xf32>
  %n = tensor.dim %a, %c0 : tensor<?x256xf32>
  %f = flow.tensor.barrier %a : tensor<?x256xf32>{%n} on #hal.device.promise<@one>
  %b = "test.multiply"(%f, %w) : (tensor<?x256xf32>, tensor<256x256xf32>) -> tensor<?x256xf32>
  %c = "test.multiply"(%b, %w) : (tensor<?x256xf32>, tensor<256x256xf32>) -> tensor<?x256xf32>
  %d = "test.add"(%c, %f) : (tensor<?x256xf32>, tensor<?x256xf32>) -> tensor<?x256xf32>
  return %d : tensor<?x256xf32>
}
