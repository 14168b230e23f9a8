// Fori_loop: a second counter in step with the first; it is affine, not to be stacked; rewritten.
module @fori {
  func.func public @main(%arg0: tensor<8x8xf32>, %arg1: tensor<4x8xf32>) -> (tensor<8x8xf32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %5:9 = stablehlo.while(%iterArg = %arg0, %iterArg_8 = %c_4, %iterArg_9 = %c, %iterArg_10 = %arg1, %iterArg_11 = %0, %iterArg_12 = %1, %iterArg_13 = %2, %iterArg_14 = %3, %iterArg_15 = %4) : tensor<8x8xf32>, tensor<i32>, tensor<i32>, tensor<4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6xf32>, tensor<6x4x8xf32>
    cond {
      %c_16 = stablehlo.constant dense<6> : tensor<i32>
      %9 = stablehlo.compare LT, %iterArg_8, %c_16, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    } do {
      %9:7 = func.call @closed_call(%iterArg, %iterArg_9, %iterArg_10) : (tensor<8x8xf32>, tensor<i32>, tensor<4x8xf32>) -> (tensor<i32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>, tensor<4x8xf32>)
      %10 = func.call @dynamic_update_index_in_dim(%iterArg_11, %9#2, %iterArg_8) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %11 = func.call @dynamic_update_index_in_dim(%iterArg_12, %9#3, %iterArg_8) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %12 = func.call @dynamic_update_index_in_dim(%iterArg_13, %9#4, %iterArg_8) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %13 = func.call @dynamic_update_index_in_dim_0(%iterArg_14, %9#5, %iterArg_8) : (tensor<6xf32>, tensor<f32>, tensor<i32>) -> tensor<6xf32>
      %14 = func.call @dynamic_update_index_in_dim(%iterArg_15, %9#6, %iterArg_8) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %c_16 = stablehlo.constant dense<1> : tensor<i32>
      %15 = stablehlo.add %iterArg_8, %c_16 : tensor<i32>
      stablehlo.return %iterArg, %15, %9#0, %9#1, %10, %11, %12, %13, %14 : tensor<8x8xf32>, tensor<i32>, tensor<i32>, tensor<4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6xf32>, tensor<6x4x8xf32>
    }
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %8:9 = stablehlo.while(%iterArg = %5#4, %iterArg_8 = %5#5, %iterArg_9 = %5#6, %iterArg_10 = %5#7, %iterArg_11 = %5#8, %iterArg_12 = %arg0, %iterArg_13 = %c_7, %iterArg_14 = %7, %iterArg_15 = %6) : tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6xf32>, tensor<6x4x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<4x8xf32>
    cond {
      %c_16 = stablehlo.constant dense<6> : tensor<i32>
      %9 = stablehlo.compare LT, %iterArg_13, %c_16, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    } do {
      %c_16 = stablehlo.constant dense<6> : tensor<i32>
      %9 = stablehlo.subtract %c_16, %iterArg_13 : tensor<i32>
      %c_17 = stablehlo.constant dense<1> : tensor<i32>
      %10 = stablehlo.subtract %9, %c_17 : tensor<i32>
      %11 = func.call @dynamic_index_in_dim(%iterArg, %10) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %12 = func.call @dynamic_index_in_dim(%iterArg_8, %10) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %13 = func.call @dynamic_index_in_dim(%iterArg_9, %10) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %14 = func.call @dynamic_index_in_dim_1(%iterArg_10, %10) : (tensor<6xf32>, tensor<i32>) -> tensor<f32>
      %15 = func.call @dynamic_index_in_dim(%iterArg_11, %10) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %16:2 = func.call @closed_call_2(%iterArg_12, %iterArg_14, %iterArg_15, %11, %12, %13, %14, %15) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>, tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<4x8xf32>)
      %c_18 = stablehlo.constant dense<1> : tensor<i32>
      %17 = stablehlo.add %iterArg_13, %c_18 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_8, %iterArg_9, %iterArg_10, %iterArg_11, %iterArg_12, %17, %16#0, %16#1 : tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6xf32>, tensor<6x4x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<4x8xf32>
    }
    return %8#7 : tensor<8x8xf32>
  }
  func.func private @closed_call(%arg0: tensor<8x8xf32>, %arg1: tensor<i32>, %arg2: tensor<4x8xf32>) -> (tensor<i32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>, tensor<4x8xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %1 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %2 = stablehlo.tanh %1 : tensor<4x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %4 = stablehlo.subtract %3, %2 : tensor<4x8xf32>
    %5 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %7 = stablehlo.multiply %2, %6 : tensor<4x8xf32>
    %8 = stablehlo.sine %7 : tensor<4x8xf32>
    %9 = stablehlo.cosine %7 : tensor<4x8xf32>
    return %0, %8, %arg2, %2, %4, %5, %9 : tensor<i32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>, tensor<4x8xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<6x4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<i32>) -> tensor<6x4x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x4x8xf32>
    return %1 : tensor<6x4x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_0(%arg0: tensor<6xf32>, %arg1: tensor<f32>, %arg2: tensor<i32>) -> tensor<6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<6xf32>, tensor<1xf32>, tensor<i32>) -> tensor<6xf32>
    return %1 : tensor<6xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<6x4x8xf32>, %arg1: tensor<i32>) -> tensor<4x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 8] : (tensor<6x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    return %1 : tensor<4x8xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<6xf32>, %arg1: tensor<i32>) -> tensor<f32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<6xf32>, tensor<i32>) -> tensor<1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @closed_call_2(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<4x8xf32>, %arg3: tensor<4x8xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<4x8xf32>, %arg6: tensor<f32>, %arg7: tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<4x8xf32>) {
    %0 = stablehlo.multiply %arg2, %arg7 : tensor<4x8xf32>
    %1 = stablehlo.broadcast_in_dim %arg6, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<4x8xf32>
    %3 = stablehlo.multiply %2, %arg5 : tensor<4x8xf32>
    %4 = stablehlo.multiply %3, %arg4 : tensor<4x8xf32>
    %5 = stablehlo.add %3, %4 : tensor<4x8xf32>
    %6 = stablehlo.dot_general %5, %arg3, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %7 = stablehlo.transpose %6, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %8 = stablehlo.add %arg1, %7 : tensor<8x8xf32>
    %9 = stablehlo.dot_general %5, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    return %8, %9 : tensor<8x8xf32>, tensor<4x8xf32>
  }
}
