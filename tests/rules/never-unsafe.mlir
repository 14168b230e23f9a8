// A target that calls everything free cannot make remat run anything unsafe
// twice, whatever the budget; it does run what is safe twice.
//
// RUN: %remat --rules=%tests/rules/never-unsafe.rules --budget=20KiB \
// RUN:   --memory-model=live -Wno-budget %s | grep -v '^//' | FileCheck %s
// CHECK-LABEL: @unsafe
// CHECK-COUNT-1: stablehlo.rng"
// CHECK-NOT: stablehlo.rng"
// CHECK-COUNT-1: stablehlo.all_reduce
// CHECK-NOT: stablehlo.all_reduce
// CHECK-COUNT-1: stablehlo.custom_call @foo
// CHECK-NOT: stablehlo.custom_call @foo
// CHECK-COUNT-1: nobody.knows
// CHECK-NOT: nobody.knows
// CHECK-LABEL: @safe
// CHECK-COUNT-2: stablehlo.tanh
//
// And where the dump asks for it, the message cites the fact.
//
// RUN: sed 's/{once}/{remat.recompute}/' %s > %t.mlir
// RUN: not %remat --rules=%tests/rules/never-unsafe.rules %t.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FACT
// FACT: 'stablehlo.all_reduce' is marked remat.recompute, but {{.*}}: collective: all devices must take part
//
// RUN: %rulesc --price 'stablehlo.rng (tensor<f32>) -> tensor<8xf32>' \
// RUN:   %tests/rules/never-unsafe.rules | FileCheck %s --check-prefix=PRICE
// PRICE: may not be recomputed: random: each run draws new numbers from hidden state ({{.*}}ops/classes.rules:

func.func @unsafe(%a: tensor<f32>, %s: tensor<1xi64>)
    -> tensor<1024xf32> {
  %0 = "stablehlo.rng"(%a, %a, %s)
    {rng_distribution = #stablehlo<rng_distribution NORMAL>}
    : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<1024xf32>
  %1 = "stablehlo.all_reduce"(%0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) {once} : (tensor<1024xf32>) -> tensor<1024xf32>
  %2 = stablehlo.custom_call @foo(%1)
    : (tensor<1024xf32>) -> tensor<1024xf32>
  %3 = "nobody.knows"(%2) : (tensor<1024xf32>) -> tensor<1024xf32>
  %4 = stablehlo.add %3, %2 : tensor<1024xf32>
  %5 = stablehlo.add %4, %1 : tensor<1024xf32>
  %6 = stablehlo.add %5, %0 : tensor<1024xf32>
  return %6 : tensor<1024xf32>
}

func.func @safe(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %0 = stablehlo.tanh %x : tensor<1024xf32>
  %1 = stablehlo.concatenate %0, %0, dim = 0
    : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<2048xf32>
  %2 = stablehlo.sine %1 : tensor<2048xf32>
  %3 = stablehlo.slice %2 [0:1024] : (tensor<2048xf32>) -> tensor<1024xf32>
  %4 = stablehlo.add %3, %0 : tensor<1024xf32>
  return %4 : tensor<1024xf32>
}
