// All that the reader knows of MLIR text, in valid programs; printed back
// without a change, damaged in many ways (mlir-fuzz.test), and compared with
// mlir-opt (clients/mlir-random.test).
// RUN: %build/tests/read_all -v %s | FileCheck %s
// RUN: %remat --strategy=none %s | cmp - %s
#map = affine_map<(d0) -> (d0)>
#set = affine_set<(d0) : (d0 - 1 >= 0, -d0 + 9 >= 0)>
!pair = tuple<tensor<4xf32>, i32>

// CHECK: function @declared 2 arguments
// CHECK-NEXT: entry @main 3 arguments
// CHECK-NEXT: x.two {{[0-9]+}} : tensor<4xf32> 16 bytes : tuple<tensor<4xf32>, i32> 16 bytes
// CHECK-NEXT: x.four {{.*}} : i1 0 bytes : f32 0 bytes : f32 0 bytes : index 0 bytes
// CHECK-NEXT: arith.addf {{.*}} : tensor<4xf32> 16 bytes
// CHECK-NEXT: arith.cmpf {{.*}} : tensor<4xi1> 4 bytes
// CHECK-NEXT: arith.constant : i1 0 bytes
// CHECK-NEXT: arith.constant : tensor<4xf32> 16 bytes
// CHECK-NEXT: tensor.dim {{.*}} : index 0 bytes
// CHECK-NEXT: tensor.extract {{.*}} : f32 0 bytes
// CHECK-NEXT: scf.for {{.*}} : tensor<4xf32> 16 bytes
// CHECK-NEXT: scf.while {{.*}} : f32 0 bytes : tensor<4xf32> 16 bytes
// CHECK-NEXT: tensor.empty : tensor<4xf32> 16 bytes
// CHECK-NEXT: linalg.generic {{.*}} : tensor<4xf32> 16 bytes
// CHECK-NEXT: tensor.extract_slice {{.*}} : tensor<2xf32> 8 bytes
// CHECK-NEXT: tensor.insert_slice {{.*}} : tensor<4xf32> 16 bytes
// CHECK-NEXT: call {{.*}} : tensor<4xf32> 16 bytes runs callee=@branches
// CHECK-NEXT: x.region {{.*}} : tensor<4xf32> 16 bytes
// CHECK: donates 0 to 0
// CHECK-NEXT: donates 2{{$}}
module @all attributes {x.text = "{ } %0 // \22", x.set = #set} {
  func.func private @declared(tensor<4xf32> {x.a}, memref<?x4xi8, 1>) -> (tensor<4xf32> {x.b = 1 : i32})
  func.func @main(%arg0: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %arg1: index,
                  %arg2: i1 {jax.buffer_donor = true}) -> tensor<4xf32> attributes {x.c} {
    %0:2 = "x.two"(%arg0) <{k = 1 : i64}> {l = dense<[[1, 2]]> : tensor<1x2xi8>} : (tensor<4xf32>) -> (tensor<4xf32>, !pair)
    %a, %b:2, %c = "x.four"(%0#0, %0#1) : (tensor<4xf32>, !pair) -> (i1, f32, f32, index) loc("f":1:2)
    %1 = arith.addf %0#0, %arg0 fastmath<contract> : tensor<4xf32>
    %2 = arith.cmpf olt, %1, %arg0 : tensor<4xf32>
    %true = arith.constant true
    %cst = arith.constant dense<"0x00000000000080BF0000004000004040"> : tensor<4xf32>
    %d = tensor.dim %arg0, %arg1 : tensor<4xf32>
    %e = tensor.extract %arg0[%arg1] : tensor<4xf32>
    %3 = scf.for %i = %arg1 to %d step %c iter_args(%acc = %1) -> (tensor<4xf32>) {
      %5 = scf.if %arg2 -> (tensor<4xf32>) {
        scf.yield %acc : tensor<4xf32>
      } else {
        %6 = arith.mulf %acc, %cst : tensor<4xf32>
        scf.yield %6 : tensor<4xf32>
      }
      scf.yield %5 : tensor<4xf32>
    }
    %4:2 = scf.while (%x = %e, %y = %3) : (f32, tensor<4xf32>) -> (f32, tensor<4xf32>) {
      scf.condition(%arg2) %x, %y : f32, tensor<4xf32>
    } do {
    ^bb0(%p: f32, %q: tensor<4xf32>):
      scf.yield %p, %q : f32, tensor<4xf32>
    }
    %7 = tensor.empty() : tensor<4xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%1 : tensor<4xf32>) outs(%7 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %9 = math.exp %in : f32
      linalg.yield %9 : f32
    } -> tensor<4xf32>
    %10 = tensor.extract_slice %8[0] [2] [1] : tensor<4xf32> to tensor<2xf32>
    %11 = tensor.insert_slice %10 into %8[1] [2] [1] : tensor<2xf32> into tensor<4xf32>
    %12 = call @branches(%arg2, %11) : (i1, tensor<4xf32>) -> tensor<4xf32>
    %13 = "x.region"(%12) ({
    ^bb0(%u: tensor<4xf32>):
      "x.done"(%u) : (tensor<4xf32>) -> ()
    }, {
    }) {x.d} : (tensor<4xf32>) -> tensor<4xf32>
    return %13 : tensor<4xf32>
  }
  func.func private @branches(%arg0: i1, %arg1: tensor<4xf32>) -> tensor<4xf32> {
    cf.cond_br %arg0, ^bb1(%arg1 : tensor<4xf32>), ^bb2
  ^bb1(%0: tensor<4xf32>):  // pred: ^bb0
    cf.br ^bb3
  ^bb2:  // pred: ^bb0
    %1 = arith.negf %arg1 : tensor<4xf32>
    "cf.br"(%1)[^bb1] : (tensor<4xf32>) -> ()
  ^bb3:
    return %0 : tensor<4xf32>
  }
  module @inner {
    func.func @"quoted name"(%arg0: memref<4x?xf32, strided<[?, 1], offset: ?>>, %i: index) {
      affine.for %j = 0 to 4 {
        affine.if #set(%j) {
          %0 = affine.load %arg0[%j, symbol(%i) + 1] : memref<4x?xf32, strided<[?, 1], offset: ?>>
          affine.store %0, %arg0[%j, 0] : memref<4x?xf32, strided<[?, 1], offset: ?>>
        }
      }
      scf.parallel (%k) = (%i) to (%i) step (%i) {
      }
      return
    }
  }
}
