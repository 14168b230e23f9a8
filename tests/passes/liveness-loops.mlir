// Loop-carried values move from turn to turn; what a body reads from outside
// is kept until the loop ends.  U is 4096 bytes.
// RUN: %remat %s --target=generic --strategy=none -o /dev/null -fdump-liveness -fverify-each 2>&1 | FileCheck %s

// %0 moves into %s.  In the body %a, which is held, %k, which is read from
// outside, %s and %t, then %k, %t and %n: 4 U.
// CHECK: @carried: peak 16384 at {{[0-9]+}},
func.func @carried(%a: tensor<1024xf32>, %lo: index, %hi: index, %by: index) -> tensor<1024xf32> {
  %k = stablehlo.tanh %a : tensor<1024xf32>
  %0 = stablehlo.exponential %a : tensor<1024xf32>
  %r = scf.for %i = %lo to %hi step %by iter_args(%s = %0) -> (tensor<1024xf32>) {
    %t = stablehlo.tanh %s : tensor<1024xf32>
    %n = stablehlo.add %t, %k : tensor<1024xf32>
    scf.yield %n : tensor<1024xf32>
  }
  return %r : tensor<1024xf32>
}

// %0 is read behind the loop, so the loop works on a copy: one more.
// CHECK: @copied: peak 16384 at {{[0-9]+}},
func.func @copied(%a: tensor<1024xf32>, %lo: index, %hi: index, %by: index) -> tensor<1024xf32> {
  %0 = stablehlo.exponential %a : tensor<1024xf32>
  %r = scf.for %i = %lo to %hi step %by iter_args(%s = %0) -> (tensor<1024xf32>) {
    %n = stablehlo.tanh %s : tensor<1024xf32>
    scf.yield %n : tensor<1024xf32>
  }
  %1 = stablehlo.add %r, %0 : tensor<1024xf32>
  return %1 : tensor<1024xf32>
}

// %w goes round unchanged: it is the argument %a all the time and never
// copied.  %a, %s and %n in the body.
// CHECK: @unchanged: peak 12288 at {{[0-9]+}},
func.func @unchanged(%a: tensor<1024xf32>) -> tensor<1024xf32> {
  %0 = stablehlo.tanh %a : tensor<1024xf32>
  %r:2 = stablehlo.while(%s = %0, %w = %a) : tensor<1024xf32>, tensor<1024xf32>
   cond {
    %c = "test.more"() : () -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %n = stablehlo.add %s, %w : tensor<1024xf32>
    stablehlo.return %n, %w : tensor<1024xf32>, tensor<1024xf32>
  }
  return %r#0 : tensor<1024xf32>
}
