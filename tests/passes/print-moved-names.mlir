// A name may be used inside of an op and again behind it.  When the op behind
// moves before it, the inner name gives way.
//
// RUN: echo "remat-plan 1" > %t.plan
// RUN: echo "function @f" >> %t.plan
// RUN: echo "move %%1 before %%0" >> %t.plan
// RUN: %remat --target=generic --no-annotate -Wno-unknown-ops --plan=%t.plan %s | grep -v // | FileCheck %s
// CHECK-LABEL: func.func @f
// CHECK-NEXT: %1 = arith.negf %x : tensor<4xf32>
// CHECK-NEXT: %0 = "test.region"() ({
// CHECK-NEXT:   %v1_remat = "test.in"() : () -> tensor<4xf32>
// CHECK-NEXT:   "test.yield"(%v1_remat) : (tensor<4xf32>) -> ()
// CHECK-NEXT: }) : () -> tensor<4xf32>
// CHECK-NEXT: %2 = arith.addf %0, %1 : tensor<4xf32>
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "test.region"() ({
    %1 = "test.in"() : () -> tensor<4xf32>
    "test.yield"(%1) : (tensor<4xf32>) -> ()
  }) : () -> tensor<4xf32>
  %1 = arith.negf %x : tensor<4xf32>
  %2 = arith.addf %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
