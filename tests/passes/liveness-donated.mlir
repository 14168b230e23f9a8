// An argument that the caller gives away is free after its last use; any other
// is held.  U is 4096 bytes: held, the multiply sees %a, %0 and %1; given
// away, %a ends at the first op and there are never more than 2.
// RUN: %remat %s --target=generic --strategy=none -o /dev/null -fdump-liveness -fverify-each 2>&1 | FileCheck %s

// CHECK: @held: peak 12288 at {{[0-9]+}}, temporaries 4096 at {{[0-9]+}}, no less than 12288
func.func @held(%a: tensor<1024xf32>) -> tensor<1024xf32> {
  %0 = stablehlo.tanh %a : tensor<1024xf32>
  %1 = stablehlo.multiply %0, %0 : tensor<1024xf32>
  return %1 : tensor<1024xf32>
}

// CHECK: @donor: peak 8192 at {{[0-9]+}}, temporaries 4096 at {{[0-9]+}}, no less than 8192
func.func @donor(%a: tensor<1024xf32> {jax.buffer_donor = true}) -> tensor<1024xf32> {
  %0 = stablehlo.tanh %a : tensor<1024xf32>
  %1 = stablehlo.multiply %0, %0 : tensor<1024xf32>
  return %1 : tensor<1024xf32>
}

// CHECK: @output: peak 8192 at {{[0-9]+}}, temporaries 4096 at {{[0-9]+}}, no less than 8192
func.func @output(%a: tensor<1024xf32> {tf.aliasing_output = 0 : i32}) -> tensor<1024xf32> {
  %0 = stablehlo.tanh %a : tensor<1024xf32>
  %1 = stablehlo.multiply %0, %0 : tensor<1024xf32>
  return %1 : tensor<1024xf32>
}
