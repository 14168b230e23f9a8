// Operands and results are there together; the argument is the caller's to the
// end, what is returned is needed to the end.  U is 4096 bytes.
// RUN: %remat %s --target=generic --strategy=none -o /dev/null -fdump-liveness -fverify-each 2>&1 | FileCheck %s
// RUN: %remat %s --target=generic --strategy=none -o /dev/null -fdump-liveness -fverify-each --arguments=dead 2>&1 | FileCheck --check-prefix=DEAD %s

// At the multiply: %a, %0, %1 and %2, which is 4 U.
// CHECK: @chain: peak 16384 at {{[0-9]+}}, temporaries 8192 at {{[0-9]+}},
// With dead arguments %a ends at the add, and at each op 3 U are live.
// DEAD: @chain: peak 12288 at {{[0-9]+}}, temporaries 8192 at {{[0-9]+}},
func.func @chain(%a: tensor<1024xf32>) -> tensor<1024xf32> {
  %0 = stablehlo.tanh %a : tensor<1024xf32>
  %1 = stablehlo.add %0, %a : tensor<1024xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<1024xf32>
  return %2 : tensor<1024xf32>
}

// Nobody reads %0: it is there while it is made, and gone at the next op.
// CHECK: @unread: peak 8192 at {{[0-9]+}}, temporaries 4096 at {{[0-9]+}},
// DEAD: @unread: peak 8192 at {{[0-9]+}},
func.func @unread(%a: tensor<1024xf32>) -> tensor<1024xf32> {
  %0 = stablehlo.tanh %a : tensor<1024xf32>
  %1 = stablehlo.tanh %a : tensor<1024xf32>
  return %1 : tensor<1024xf32>
}

// Scalars and tokens occupy nothing, so only the argument is there.
// CHECK: @scalars: peak 4096 at {{[0-9]+}}, temporaries 0 at {{[0-9]+}},
func.func @scalars(%a: tensor<1024xf32>) -> f32 {
  %c = arith.constant 1.0 : f32
  %d = arith.addf %c, %c : f32
  %t = stablehlo.create_token : !stablehlo.token
  return %d : f32
}

// A constant is a value from its op to its last use, but no temporary.
// CHECK: @constant: peak 12288 at {{[0-9]+}}, temporaries 0 at {{[0-9]+}},
func.func @constant(%a: tensor<1024xf32>) -> tensor<1024xf32> {
  %c = stablehlo.constant dense<1.0> : tensor<1024xf32>
  %0 = stablehlo.add %c, %a : tensor<1024xf32>
  return %0 : tensor<1024xf32>
}
