// Who owns an argument: the argument's own attributes, or its module's list,
// which is of the entry; the index of a result that is a tuple is a leaf.
// RUN: %build/tests/read_all -v %s | grep donates | FileCheck %s
// CHECK: donates 0 to 1
// CHECK-NEXT: donates 2{{$}}
// CHECK-NEXT: donates 1 to 0
// CHECK-NEXT: donates 3{0} to 1
// CHECK-NEXT: donates 0 to 0{2,1}
// CHECK-NOT: donates
module attributes {mhlo.input_output_alias = [{alias = {kind = "may_alias", parameter_index = array<i64>, parameter_number = 1 : i64}, output_index = array<i64: 0>}, {alias = {parameter_index = dense<[0]> : tensor<1xi64>, parameter_number = 3 : i64}, output_index = dense<1> : tensor<1xi64>}]} {
  func.func private @other(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
    return %a : tensor<4xf32>
  }
  func.func @main(%a: tensor<4xf32> {tf.aliasing_output = 1 : i32}, %b: tensor<4xf32>, %c: tensor<4xf32> {jax.buffer_donor = true}, %d: tuple<tensor<4xf32>>) -> (tensor<4xf32>, tensor<4xf32>) {
    return %b, %a : tensor<4xf32>, tensor<4xf32>
  }
}
// -----
module attributes {mhlo.input_output_alias = [{alias = {parameter_index = array<i64>, parameter_number = 0 : i64}, output_index = array<i64: 2, 1>}]} {
  func.func @main(%a: tensor<4xf32>) -> tuple<tensor<4xf32>> {
    %0 = "x.y"(%a) : (tensor<4xf32>) -> tuple<tensor<4xf32>>
    return %0 : tuple<tensor<4xf32>>
  }
}
