// The trip count is an argument, so that nobody knows which slots are written:
// left alone.
module @dyn {
  func.func public @main(%arg0: tensor<8x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<i32>) -> (tensor<4x8xf32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %cst = stablehlo.constant dense<0.0> : tensor<6x4x8xf32>
    %0:5 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %c, %iterArg_1 = %arg2, %iterArg_2 = %arg1, %iterArg_3 = %cst) : tensor<8x8xf32>, tensor<i32>, tensor<i32>, tensor<4x8xf32>, tensor<6x4x8xf32>
    cond {
      %1 = stablehlo.compare LT, %iterArg_0, %iterArg_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %c_3 = stablehlo.constant dense<1> : tensor<i32>
      %c_4 = stablehlo.constant dense<0> : tensor<i32>
      %1 = stablehlo.add %iterArg_0, %c_3 : tensor<i32>
      %2 = stablehlo.dot_general %iterArg_2, %iterArg, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
      %3 = stablehlo.tanh %2 : tensor<4x8xf32>
      %4 = stablehlo.sine %3 : tensor<4x8xf32>
      %5 = stablehlo.reshape %3 : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
      %6 = stablehlo.dynamic_update_slice %iterArg_3, %5, %iterArg_0, %c_4, %c_4 : (tensor<6x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x4x8xf32>
      stablehlo.return %iterArg, %1, %iterArg_1, %4, %6 : tensor<8x8xf32>, tensor<i32>, tensor<i32>, tensor<4x8xf32>, tensor<6x4x8xf32>
    }
    %7:3 = stablehlo.while(%iterArg = %c, %iterArg_1 = %0#3, %iterArg_2 = %0#4) : tensor<i32>, tensor<4x8xf32>, tensor<6x4x8xf32>
    cond {
      %c_5 = stablehlo.constant dense<6> : tensor<i32>
      %8 = stablehlo.compare LT, %iterArg, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %8 : tensor<i1>
    } do {
      %c_3 = stablehlo.constant dense<1> : tensor<i32>
      %c_4 = stablehlo.constant dense<0> : tensor<i32>
      %8 = stablehlo.add %iterArg, %c_3 : tensor<i32>
      %9 = stablehlo.dynamic_slice %iterArg_2, %iterArg, %c_4, %c_4, sizes = [1, 4, 8] : (tensor<6x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
      %10 = stablehlo.reshape %9 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %11 = stablehlo.multiply %iterArg_1, %10 : tensor<4x8xf32>
      stablehlo.return %8, %11, %iterArg_2 : tensor<i32>, tensor<4x8xf32>, tensor<6x4x8xf32>
    }
    return %7#1 : tensor<4x8xf32>
  }
}
