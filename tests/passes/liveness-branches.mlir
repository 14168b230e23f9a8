// One branch runs: the larger need counts, on top of what is live outside.
// RUN: %remat %s --target=generic --strategy=none -o /dev/null -fdump-liveness -fverify-each 2>&1 | FileCheck %s

// %a and %x, read in the first branch and therefore kept to the end of both;
// in the second %p and %q together: 4 U of 4096 bytes.  With the result behind
// it: %a, %x, %r: 3 U.
// CHECK: @branch: peak 16384 at {{[0-9]+}},
func.func @branch(%a: tensor<1024xf32>, %c: i1) -> tensor<1024xf32> {
  %x = stablehlo.tanh %a : tensor<1024xf32>
  %r = scf.if %c -> (tensor<1024xf32>) {
    %y = stablehlo.tanh %x : tensor<1024xf32>
    scf.yield %y : tensor<1024xf32>
  } else {
    %p = stablehlo.exponential %a : tensor<1024xf32>
    %q = stablehlo.add %p, %p : tensor<1024xf32>
    scf.yield %q : tensor<1024xf32>
  }
  return %r : tensor<1024xf32>
}

// User's case P27: a loop over a small state around a branch that holds two
// large ones, while %live of 4 U is live across.  Bytes: %live 1048576, the
// state %s 32768, %l0 and %l1 262144 each, their sum 262144 more.
// CHECK: @nested: peak 1867776 at {{[0-9]+}},
func.func @nested(%lo: index, %hi: index, %by: index, %c: i1) -> (tensor<64x128xf32>, tensor<4x256x256xf32>) {
  %live = "test.make"() : () -> tensor<4x256x256xf32>
  %0 = "test.make"() : () -> tensor<64x128xf32>
  %r = scf.for %i = %lo to %hi step %by iter_args(%s = %0) -> (tensor<64x128xf32>) {
    scf.if %c {
      %l0 = "test.load"() : () -> tensor<256x256xf32>
      %l1 = "test.load"() : () -> tensor<256x256xf32>
      %sum = stablehlo.add %l0, %l1 : tensor<256x256xf32>
      "test.store"(%sum) : (tensor<256x256xf32>) -> ()
    }
    %n = stablehlo.tanh %s : tensor<64x128xf32>
    scf.yield %n : tensor<64x128xf32>
  }
  return %r, %live : tensor<64x128xf32>, tensor<4x256x256xf32>
}
