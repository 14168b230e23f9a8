// Ops with bodies: summed, run again and again, one of several, called.
//
// RUN: %remat --rules=%tests/rules/Inputs/bodies.rules --explain=%box %s | FileCheck %s --check-prefix=BOX
// Two ops of 1 us, one that reads a constant, 7 us; 3 ops at 100 us; 2 + 2 + 2
// operations at 1 ms: 6,309 us.
// BOX: recomputing it costs 6309000 ns (bodies.rules:[[#]])
// BOX-DAG: body_cost = 9000 ns
// BOX-DAG: body_ops = 3
// BOX-DAG: body_flops = 6 FLOP
//
// RUN: %remat --rules=%tests/rules/Inputs/bodies.rules --explain=%loop %s | FileCheck %s --check-prefix=LOOP
// From 2 to 11 in steps of 3: three times.
// LOOP: recomputing it costs 3000 ns
// LOOP-DAG: trip = 3
//
// RUN: %remat --rules=%tests/rules/Inputs/bodies.rules --explain=%fork %s | FileCheck %s --check-prefix=FORK
// FORK: recomputing it costs 2000 ns
//
// RUN: %remat --rules=%tests/rules/Inputs/bodies.rules --explain=%call %s | FileCheck %s --check-prefix=CALL
// CALL: recomputing it costs 1000 ns
//
// RUN: %remat --rules=%tests/rules/Inputs/bodies.rules --explain=%dyn %s | FileCheck %s --check-prefix=DYN
// DYN: tensor<?xf32>: 4096 B, assumed (bodies.rules:[[#]])
//
// RUN: %remat --rules=%tests/rules/Inputs/bodies.rules --explain=%gone %s | FileCheck %s --check-prefix=GONE
// An op inside of which nobody knows the cost costs nobody knows what.
// GONE: recomputing it costs an unknown time: body_cost is not known

func.func @callee(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = "a.w"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

func.func @main(%x: tensor<2xf32>, %b: i1, %n: tensor<?xf32>) -> tensor<2xf32> {
  %from = arith.constant 2 : index
  %to = arith.constant 11 : index
  %step = arith.constant 3 : index
  %box = "a.box"(%x) ({
    %c = arith.constant dense<1.0> : tensor<2xf32>
    %1 = "a.w"(%x) : (tensor<2xf32>) -> tensor<2xf32>
    %2 = "a.w"(%c) : (tensor<2xf32>) -> tensor<2xf32>
    %3 = arith.addf %1, %2 : tensor<2xf32>
    "scf.yield"(%3) : (tensor<2xf32>) -> ()
  }) : (tensor<2xf32>) -> tensor<2xf32>
  %loop = scf.for %i = %from to %to step %step iter_args(%a = %box) -> (tensor<2xf32>) {
    %4 = "a.w"(%a) : (tensor<2xf32>) -> tensor<2xf32>
    scf.yield %4 : tensor<2xf32>
  }
  %fork = scf.if %b -> (tensor<2xf32>) {
    %5 = "a.w"(%loop) : (tensor<2xf32>) -> tensor<2xf32>
    scf.yield %5 : tensor<2xf32>
  } else {
    %6 = "a.w"(%loop) : (tensor<2xf32>) -> tensor<2xf32>
    %7 = "a.w"(%6) : (tensor<2xf32>) -> tensor<2xf32>
    scf.yield %7 : tensor<2xf32>
  }
  %call = call @callee(%fork) : (tensor<2xf32>) -> tensor<2xf32>
  %dyn = "a.w"(%n) : (tensor<?xf32>) -> tensor<?xf32>
  %gone = "a.box"(%x) ({
    %8 = "nobody.knows"(%x) : (tensor<2xf32>) -> tensor<2xf32>
    "scf.yield"(%8) : (tensor<2xf32>) -> ()
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return %call : tensor<2xf32>
}
