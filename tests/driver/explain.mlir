// --explain says for one value what it is, what it occupies, what it costs,
// each with the rule, and how long it lives.
// RUN: %remat --explain=%0 --analyze --target=generic %s | FileCheck %s
// RUN: %remat --explain=0 --analyze --target=generic %s | FileCheck %s
// RUN: %remat --explain=both#1 --analyze --target=generic %s | FileCheck --check-prefix=PAIR %s
// RUN: not %remat --explain=%none --analyze --target=generic %s 2>&1 | FileCheck --check-prefix=NONE %s
// CHECK: %0 of @main, line [[@LINE+9]]: stablehlo.tanh
// CHECK: class transcendental
// CHECK: may be recomputed
// CHECK: recomputing it costs 4096 ns (generic.rules:
// CHECK: lives from line [[@LINE+5]] to line [[@LINE+7]] in 4.00 KiB, also at the peak
// PAIR: %both#1 of @main, line [[@LINE+5]]: test.two
// PAIR-NOT: %both#0
// NONE: error: no value is called '%none'
func.func @main(%a: tensor<1024xf32>) -> tensor<1024xf32> {
  %0 = stablehlo.tanh %a : tensor<1024xf32>
  %both:2 = "test.two"(%0) : (tensor<1024xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return %0 : tensor<1024xf32>
}
