// A plan that draws random numbers twice is refused; the fact is named.
//
// RUN: printf 'remat-plan 1\nfunction @main\n  clone %%%%d before %%%%b\n' > %t.plan
// RUN: not %remat --target=generic --budget=1MiB --plan=%t.plan %s 2>&1 | \
// RUN:   FileCheck %s

func.func @main(%x: tensor<8xf32>, %s: tensor<1xi64>) -> tensor<8xf32> {
  // CHECK: plan-file-random.mlir:[[#@LINE+1]]:3: error: the plan runs this op twice, which changes the program (random
  %d = "stablehlo.rng"(%x, %x, %s) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<8xf32>, tensor<8xf32>, tensor<1xi64>) -> tensor<8xf32>
  %a = stablehlo.add %x, %d : tensor<8xf32>
  %b = stablehlo.add %a, %d : tensor<8xf32>
  return %b : tensor<8xf32>
}
