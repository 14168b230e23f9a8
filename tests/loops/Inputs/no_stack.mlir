// Nothing is stacked.
module @dyn {
  func.func public @main(%arg0: tensor<8x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<i32>) -> (tensor<4x8xf32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:4 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %c, %iterArg_1 = %arg2, %iterArg_2 = %arg1) : tensor<8x8xf32>, tensor<i32>, tensor<i32>, tensor<4x8xf32>
    cond {
      %1 = stablehlo.compare LT, %iterArg_0, %iterArg_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %c_3 = stablehlo.constant dense<1> : tensor<i32>
      %1 = stablehlo.add %iterArg_0, %c_3 : tensor<i32>
      %2 = stablehlo.dot_general %iterArg_2, %iterArg, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
      %3 = stablehlo.tanh %2 : tensor<4x8xf32>
      %4 = stablehlo.sine %3 : tensor<4x8xf32>
      stablehlo.return %iterArg, %1, %iterArg_1, %4 : tensor<8x8xf32>, tensor<i32>, tensor<i32>, tensor<4x8xf32>
    }
    return %0#3 : tensor<4x8xf32>
  }
}
