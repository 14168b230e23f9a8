// What a callee needs beside its arguments, which are the caller's, is added
// where it is called.  U is 4096 bytes.
// RUN: %remat %s --target=generic --memory-model=live --strategy=none -o /dev/null -fdump-liveness -fverify-each 2>&1 | FileCheck %s
// RUN: %remat %s --target=generic --memory-model=live --analyze | FileCheck --check-prefix=TEXT %s

// %p, %0, %1 at its multiply, of which 2 U are its own.
// CHECK: @callee: peak 12288 at {{[0-9]+}},
func.func private @callee(%p: tensor<1024xf32>) -> tensor<1024xf32> {
  %0 = stablehlo.tanh %p : tensor<1024xf32>
  %1 = stablehlo.multiply %0, %0 : tensor<1024xf32>
  return %1 : tensor<1024xf32>
}

// %a, %x, which is read behind the call, and 2 U inside of it; at the add %a,
// %x, %y, %z, as many.
// CHECK: @caller: peak 16384 at {{[0-9]+}},
func.func @caller(%a: tensor<1024xf32>) -> tensor<1024xf32> {
  %x = stablehlo.tanh %a : tensor<1024xf32>
  %y = call @callee(%x) : (tensor<1024xf32>) -> tensor<1024xf32>
  %z = stablehlo.add %x, %y : tensor<1024xf32>
  return %z : tensor<1024xf32>
}

// A function that calls itself: the inner call is not counted, and that is
// said.
// TEXT: @recursive, 3 ops
// TEXT-NEXT: calls itself: what the inner calls need is not counted
func.func @recursive(%a: tensor<1024xf32>) -> tensor<1024xf32> {
  %x = stablehlo.tanh %a : tensor<1024xf32>
  %y = call @recursive(%x) : (tensor<1024xf32>) -> tensor<1024xf32>
  return %y : tensor<1024xf32>
}
