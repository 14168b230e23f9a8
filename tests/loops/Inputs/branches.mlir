// A conditional in the body whose branches read values of the body; rewritten.
module @branch {
  func.func public @main(%arg0: tensor<8x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<6x4x8xf32>) -> (tensor<8x8xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %7:11 = stablehlo.while(%iterArg = %arg2, %iterArg_9 = %arg0, %iterArg_10 = %c_5, %iterArg_11 = %arg1, %iterArg_12 = %0, %iterArg_13 = %1, %iterArg_14 = %2, %iterArg_15 = %3, %iterArg_16 = %4, %iterArg_17 = %5, %iterArg_18 = %6) : tensor<6x4x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6xi32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>
    cond {
      %c_19 = stablehlo.constant dense<6> : tensor<i32>
      %11 = stablehlo.compare LT, %iterArg_10, %c_19, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    } do {
      %11 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_10) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %12:8 = func.call @closed_call(%iterArg_9, %iterArg_11, %11) : (tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<4x8xf32>)
      %13 = func.call @dynamic_update_index_in_dim(%iterArg_12, %12#1, %iterArg_10) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %14 = func.call @dynamic_update_index_in_dim(%iterArg_13, %12#2, %iterArg_10) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %15 = func.call @dynamic_update_index_in_dim(%iterArg_14, %12#3, %iterArg_10) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %16 = func.call @dynamic_update_index_in_dim(%iterArg_15, %12#4, %iterArg_10) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %17 = func.call @dynamic_update_index_in_dim_0(%iterArg_16, %12#5, %iterArg_10) : (tensor<6xi32>, tensor<i32>, tensor<i32>) -> tensor<6xi32>
      %18 = func.call @dynamic_update_index_in_dim(%iterArg_17, %12#6, %iterArg_10) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %19 = func.call @dynamic_update_index_in_dim(%iterArg_18, %12#7, %iterArg_10) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %c_19 = stablehlo.constant dense<1> : tensor<i32>
      %20 = stablehlo.add %iterArg_10, %c_19 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_9, %20, %12#0, %13, %14, %15, %16, %17, %18, %19 : tensor<6x4x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6xi32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>
    }
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %10:11 = stablehlo.while(%iterArg = %7#4, %iterArg_9 = %7#5, %iterArg_10 = %7#6, %iterArg_11 = %7#7, %iterArg_12 = %7#8, %iterArg_13 = %7#9, %iterArg_14 = %7#10, %iterArg_15 = %arg0, %iterArg_16 = %c_8, %iterArg_17 = %9, %iterArg_18 = %8) : tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6xi32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<4x8xf32>
    cond {
      %c_19 = stablehlo.constant dense<6> : tensor<i32>
      %11 = stablehlo.compare LT, %iterArg_16, %c_19, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    } do {
      %c_19 = stablehlo.constant dense<6> : tensor<i32>
      %11 = stablehlo.subtract %c_19, %iterArg_16 : tensor<i32>
      %c_20 = stablehlo.constant dense<1> : tensor<i32>
      %12 = stablehlo.subtract %11, %c_20 : tensor<i32>
      %13 = func.call @dynamic_index_in_dim(%iterArg, %12) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %14 = func.call @dynamic_index_in_dim(%iterArg_9, %12) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %15 = func.call @dynamic_index_in_dim(%iterArg_10, %12) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %16 = func.call @dynamic_index_in_dim(%iterArg_11, %12) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %17 = func.call @dynamic_index_in_dim_1(%iterArg_12, %12) : (tensor<6xi32>, tensor<i32>) -> tensor<i32>
      %18 = func.call @dynamic_index_in_dim(%iterArg_13, %12) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %19 = func.call @dynamic_index_in_dim(%iterArg_14, %12) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %20:2 = func.call @closed_call_2(%iterArg_15, %iterArg_17, %iterArg_18, %13, %14, %15, %16, %17, %18, %19) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<4x8xf32>)
      %c_21 = stablehlo.constant dense<1> : tensor<i32>
      %21 = stablehlo.add %iterArg_16, %c_21 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_9, %iterArg_10, %iterArg_11, %iterArg_12, %iterArg_13, %iterArg_14, %iterArg_15, %21, %20#0, %20#1 : tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6xi32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<4x8xf32>
    }
    return %10#9 : tensor<8x8xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<6x4x8xf32>, %arg1: tensor<i32>) -> tensor<4x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 8] : (tensor<6x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    return %1 : tensor<4x8xf32>
  }
  func.func private @closed_call(%arg0: tensor<8x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<4x8xf32>) {
    %0 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %1 = stablehlo.add %0, %arg2 : tensor<4x8xf32>
    %2 = stablehlo.tanh %1 : tensor<4x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %4 = stablehlo.subtract %3, %2 : tensor<4x8xf32>
    %5 = stablehlo.sine %2 : tensor<4x8xf32>
    %6 = stablehlo.cosine %2 : tensor<4x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%arg2 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.compare GT, %7, %cst_1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %9 = stablehlo.convert %8 : (tensor<i1>) -> tensor<i32>
    %10:3 = "stablehlo.case"(%9) ({
      %11 = stablehlo.multiply %2, %5 : tensor<4x8xf32>
      stablehlo.return %11, %5, %2 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    }, {
      %11 = stablehlo.exponential %2 : tensor<4x8xf32>
      %12 = stablehlo.multiply %11, %5 : tensor<4x8xf32>
      stablehlo.return %12, %11, %5 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    }) : (tensor<i32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
    return %10#0, %arg1, %2, %4, %6, %9, %10#1, %10#2 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<4x8xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<6x4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<i32>) -> tensor<6x4x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x4x8xf32>
    return %1 : tensor<6x4x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_0(%arg0: tensor<6xi32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<6xi32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<6xi32>, tensor<1xi32>, tensor<i32>) -> tensor<6xi32>
    return %1 : tensor<6xi32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<6xi32>, %arg1: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<6xi32>, tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.reshape %0 : (tensor<1xi32>) -> tensor<i32>
    return %1 : tensor<i32>
  }
  func.func private @closed_call_2(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<4x8xf32>, %arg3: tensor<4x8xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<4x8xf32>, %arg6: tensor<4x8xf32>, %arg7: tensor<i32>, %arg8: tensor<4x8xf32>, %arg9: tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<4x8xf32>) {
    %0:2 = "stablehlo.case"(%arg7) ({
      %10 = stablehlo.multiply %arg9, %arg2 : tensor<4x8xf32>
      %11 = stablehlo.multiply %arg2, %arg8 : tensor<4x8xf32>
      stablehlo.return %10, %11 : tensor<4x8xf32>, tensor<4x8xf32>
    }, {
      %10 = stablehlo.multiply %arg8, %arg2 : tensor<4x8xf32>
      %11 = stablehlo.multiply %arg2, %arg9 : tensor<4x8xf32>
      %12 = stablehlo.multiply %11, %arg8 : tensor<4x8xf32>
      stablehlo.return %10, %12 : tensor<4x8xf32>, tensor<4x8xf32>
    }) : (tensor<i32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
    %1 = stablehlo.multiply %0#0, %arg6 : tensor<4x8xf32>
    %2 = stablehlo.add %0#1, %1 : tensor<4x8xf32>
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
