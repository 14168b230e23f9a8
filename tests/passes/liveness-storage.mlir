// Values that share storage are counted once.  U is 4096 bytes.
// RUN: %remat %s --target=generic --strategy=none -o /dev/null -fdump-liveness -fdump-alias -fverify-each 2>&1 | FileCheck %s

// CHECK: : %view0, %view1, %view2
// CHECK: : %base, %updated
// CHECK: : %kept{{$}}
// CHECK: : %copy
// CHECK: : %x, %fenced
// CHECK: : %buffer, %seen

// A view keeps its base: at the add %a, the views' one buffer and %sum.
// CHECK: @views: peak 12288 at {{[0-9]+}},
func.func @views(%a: tensor<1024xf32>) -> tensor<1024xf32> {
  %view0 = stablehlo.tanh %a : tensor<1024xf32>
  %view1 = stablehlo.reshape %view0 : (tensor<1024xf32>) -> tensor<32x32xf32>
  %view2 = stablehlo.reshape %view1 : (tensor<32x32xf32>) -> tensor<1024xf32>
  %sum = stablehlo.add %view2, %a : tensor<1024xf32>
  return %sum : tensor<1024xf32>
}

// %base dies at the update, which happens in its place: %a, %u and %i (8 bytes),
// and one buffer.
// CHECK: @in_place: peak 8200 at {{[0-9]+}},
func.func @in_place(%a: tensor<1024xf32>, %u: tensor<1xf32>, %i: tensor<i32>) -> tensor<1024xf32> {
  %base = stablehlo.tanh %a : tensor<1024xf32>
  %updated = stablehlo.dynamic_update_slice %base, %u, %i : (tensor<1024xf32>, tensor<1xf32>, tensor<i32>) -> tensor<1024xf32>
  return %updated : tensor<1024xf32>
}

// %kept is read afterwards, so the update needs a place of its own: 4 U and
// the 8 bytes of %u and %i at the add.
// CHECK: @not_in_place: peak 16392 at {{[0-9]+}},
func.func @not_in_place(%a: tensor<1024xf32>, %u: tensor<1xf32>, %i: tensor<i32>) -> tensor<1024xf32> {
  %kept = stablehlo.tanh %a : tensor<1024xf32>
  %copy = stablehlo.dynamic_update_slice %kept, %u, %i : (tensor<1024xf32>, tensor<1xf32>, tensor<i32>) -> tensor<1024xf32>
  %sum = stablehlo.add %kept, %copy : tensor<1024xf32>
  return %sum : tensor<1024xf32>
}

// A barrier is the identity: %a, one buffer, and the result at the tanh.
// CHECK: @forwarded: peak 12288 at {{[0-9]+}},
func.func @forwarded(%a: tensor<1024xf32>) -> tensor<1024xf32> {
  %x = stablehlo.tanh %a : tensor<1024xf32>
  %fenced = stablehlo.optimization_barrier %x : tensor<1024xf32>
  %y = stablehlo.tanh %fenced : tensor<1024xf32>
  return %y : tensor<1024xf32>
}

// A buffer lives from its allocation to its last use, through its views.
// CHECK: @memory: peak 8192 at {{[0-9]+}},
func.func @memory(%a: memref<1024xf32>) {
  %buffer = memref.alloc() : memref<1024xf32>
  %seen = memref.cast %buffer : memref<1024xf32> to memref<?xf32>
  "test.use"(%seen) : (memref<?xf32>) -> ()
  memref.dealloc %buffer : memref<1024xf32>
  %later = memref.alloc() : memref<1024xf32>
  memref.dealloc %later : memref<1024xf32>
  return
}
