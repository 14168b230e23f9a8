// A scan in a scan: stacks of stacks.
module @nested {
  func.func public @main(%arg0: tensor<8x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<3x6x4x8xf32>) -> (tensor<8x8xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x6x4x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x6x4x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x6x4x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3x6x4x8xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<3x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5:9 = stablehlo.while(%iterArg = %arg2, %iterArg_7 = %arg0, %iterArg_8 = %c, %iterArg_9 = %arg1, %iterArg_10 = %0, %iterArg_11 = %1, %iterArg_12 = %2, %iterArg_13 = %3, %iterArg_14 = %4) : tensor<3x6x4x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<3x6x4x8xf32>, tensor<3x6x4x8xf32>, tensor<3x6x4x8xf32>, tensor<3x6x4x8xf32>, tensor<3x4x8xf32>
    cond {
      %c_15 = stablehlo.constant dense<3> : tensor<i32>
      %9 = stablehlo.compare LT, %iterArg_8, %c_15, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    } do {
      %9 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_8) : (tensor<3x6x4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %10:6 = func.call @closed_call(%iterArg_7, %iterArg_9, %9) : (tensor<8x8xf32>, tensor<4x8xf32>, tensor<6x4x8xf32>) -> (tensor<4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<4x8xf32>)
      %11 = func.call @dynamic_update_index_in_dim_2(%iterArg_10, %10#1, %iterArg_8) : (tensor<3x6x4x8xf32>, tensor<6x4x8xf32>, tensor<i32>) -> tensor<3x6x4x8xf32>
      %12 = func.call @dynamic_update_index_in_dim_2(%iterArg_11, %10#2, %iterArg_8) : (tensor<3x6x4x8xf32>, tensor<6x4x8xf32>, tensor<i32>) -> tensor<3x6x4x8xf32>
      %13 = func.call @dynamic_update_index_in_dim_2(%iterArg_12, %10#3, %iterArg_8) : (tensor<3x6x4x8xf32>, tensor<6x4x8xf32>, tensor<i32>) -> tensor<3x6x4x8xf32>
      %14 = func.call @dynamic_update_index_in_dim_2(%iterArg_13, %10#4, %iterArg_8) : (tensor<3x6x4x8xf32>, tensor<6x4x8xf32>, tensor<i32>) -> tensor<3x6x4x8xf32>
      %15 = func.call @dynamic_update_index_in_dim_3(%iterArg_14, %10#5, %iterArg_8) : (tensor<3x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<3x4x8xf32>
      %c_15 = stablehlo.constant dense<1> : tensor<i32>
      %16 = stablehlo.add %iterArg_8, %c_15 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_7, %16, %10#0, %11, %12, %13, %14, %15 : tensor<3x6x4x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<3x6x4x8xf32>, tensor<3x6x4x8xf32>, tensor<3x6x4x8xf32>, tensor<3x6x4x8xf32>, tensor<3x4x8xf32>
    }
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %8:9 = stablehlo.while(%iterArg = %5#4, %iterArg_7 = %5#5, %iterArg_8 = %5#6, %iterArg_9 = %5#7, %iterArg_10 = %5#8, %iterArg_11 = %arg0, %iterArg_12 = %c_6, %iterArg_13 = %7, %iterArg_14 = %6) : tensor<3x6x4x8xf32>, tensor<3x6x4x8xf32>, tensor<3x6x4x8xf32>, tensor<3x6x4x8xf32>, tensor<3x4x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<4x8xf32>
    cond {
      %c_15 = stablehlo.constant dense<3> : tensor<i32>
      %9 = stablehlo.compare LT, %iterArg_12, %c_15, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    } do {
      %c_15 = stablehlo.constant dense<3> : tensor<i32>
      %9 = stablehlo.subtract %c_15, %iterArg_12 : tensor<i32>
      %c_16 = stablehlo.constant dense<1> : tensor<i32>
      %10 = stablehlo.subtract %9, %c_16 : tensor<i32>
      %11 = func.call @dynamic_index_in_dim(%iterArg, %10) : (tensor<3x6x4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %12 = func.call @dynamic_index_in_dim(%iterArg_7, %10) : (tensor<3x6x4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %13 = func.call @dynamic_index_in_dim(%iterArg_8, %10) : (tensor<3x6x4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %14 = func.call @dynamic_index_in_dim(%iterArg_9, %10) : (tensor<3x6x4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %15 = func.call @dynamic_index_in_dim_4(%iterArg_10, %10) : (tensor<3x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %16:2 = func.call @closed_call_5(%iterArg_11, %iterArg_13, %iterArg_14, %11, %12, %13, %14, %15) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<4x8xf32>)
      %c_17 = stablehlo.constant dense<1> : tensor<i32>
      %17 = stablehlo.add %iterArg_12, %c_17 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_7, %iterArg_8, %iterArg_9, %iterArg_10, %iterArg_11, %17, %16#0, %16#1 : tensor<3x6x4x8xf32>, tensor<3x6x4x8xf32>, tensor<3x6x4x8xf32>, tensor<3x6x4x8xf32>, tensor<3x4x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<4x8xf32>
    }
    return %8#7 : tensor<8x8xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<3x6x4x8xf32>, %arg1: tensor<i32>) -> tensor<6x4x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 6, 4, 8] : (tensor<3x6x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x6x4x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x6x4x8xf32>) -> tensor<6x4x8xf32>
    return %1 : tensor<6x4x8xf32>
  }
  func.func private @closed_call(%arg0: tensor<8x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<6x4x8xf32>) -> (tensor<4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<4x8xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %4:8 = stablehlo.while(%iterArg = %arg2, %iterArg_3 = %arg0, %iterArg_4 = %c, %iterArg_5 = %arg1, %iterArg_6 = %0, %iterArg_7 = %1, %iterArg_8 = %2, %iterArg_9 = %3) : tensor<6x4x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>
    cond {
      %c_10 = stablehlo.constant dense<6> : tensor<i32>
      %7 = stablehlo.compare LT, %iterArg_4, %c_10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %7 : tensor<i1>
    } do {
      %7 = func.call @dynamic_index_in_dim_0(%iterArg, %iterArg_4) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %8:5 = func.call @closed_call_1(%iterArg_3, %iterArg_5, %7) : (tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
      %9 = func.call @dynamic_update_index_in_dim(%iterArg_6, %8#1, %iterArg_4) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %10 = func.call @dynamic_update_index_in_dim(%iterArg_7, %8#2, %iterArg_4) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %11 = func.call @dynamic_update_index_in_dim(%iterArg_8, %8#3, %iterArg_4) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %12 = func.call @dynamic_update_index_in_dim(%iterArg_9, %8#4, %iterArg_4) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %c_10 = stablehlo.constant dense<1> : tensor<i32>
      %13 = stablehlo.add %iterArg_4, %c_10 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_3, %13, %8#0, %9, %10, %11, %12 : tensor<6x4x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>
    }
    %5 = stablehlo.negate %4#3 : tensor<4x8xf32>
    %6 = stablehlo.exponential %5 : tensor<4x8xf32>
    return %6, %4#4, %4#5, %4#6, %4#7, %6 : tensor<4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<4x8xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<6x4x8xf32>, %arg1: tensor<i32>) -> tensor<4x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 8] : (tensor<6x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    return %1 : tensor<4x8xf32>
  }
  func.func private @closed_call_1(%arg0: tensor<8x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
    %0 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %1 = stablehlo.add %0, %arg2 : tensor<4x8xf32>
    %2 = stablehlo.tanh %1 : tensor<4x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %4 = stablehlo.subtract %3, %2 : tensor<4x8xf32>
    %5 = stablehlo.sine %2 : tensor<4x8xf32>
    %6 = stablehlo.cosine %2 : tensor<4x8xf32>
    return %5, %arg1, %2, %4, %6 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<6x4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<i32>) -> tensor<6x4x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x4x8xf32>
    return %1 : tensor<6x4x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_2(%arg0: tensor<3x6x4x8xf32>, %arg1: tensor<6x4x8xf32>, %arg2: tensor<i32>) -> tensor<3x6x4x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<6x4x8xf32>) -> tensor<1x6x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<3x6x4x8xf32>, tensor<1x6x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x6x4x8xf32>
    return %1 : tensor<3x6x4x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_3(%arg0: tensor<3x4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<i32>) -> tensor<3x4x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<3x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x8xf32>
    return %1 : tensor<3x4x8xf32>
  }
  func.func private @dynamic_index_in_dim_4(%arg0: tensor<3x4x8xf32>, %arg1: tensor<i32>) -> tensor<4x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 8] : (tensor<3x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    return %1 : tensor<4x8xf32>
  }
  func.func private @closed_call_5(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<4x8xf32>, %arg3: tensor<6x4x8xf32>, %arg4: tensor<6x4x8xf32>, %arg5: tensor<6x4x8xf32>, %arg6: tensor<6x4x8xf32>, %arg7: tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<4x8xf32>) {
    %0 = stablehlo.multiply %arg2, %arg7 : tensor<4x8xf32>
    %1 = stablehlo.negate %0 : tensor<4x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3:8 = stablehlo.while(%iterArg = %arg3, %iterArg_0 = %arg4, %iterArg_1 = %arg5, %iterArg_2 = %arg6, %iterArg_3 = %arg0, %iterArg_4 = %c, %iterArg_5 = %2, %iterArg_6 = %1) : tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<4x8xf32>
    cond {
      %c_7 = stablehlo.constant dense<6> : tensor<i32>
      %5 = stablehlo.compare LT, %iterArg_4, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %5 : tensor<i1>
    } do {
      %c_7 = stablehlo.constant dense<6> : tensor<i32>
      %5 = stablehlo.subtract %c_7, %iterArg_4 : tensor<i32>
      %c_8 = stablehlo.constant dense<1> : tensor<i32>
      %6 = stablehlo.subtract %5, %c_8 : tensor<i32>
      %7 = func.call @dynamic_index_in_dim_0(%iterArg, %6) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %8 = func.call @dynamic_index_in_dim_0(%iterArg_0, %6) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %9 = func.call @dynamic_index_in_dim_0(%iterArg_1, %6) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %10 = func.call @dynamic_index_in_dim_0(%iterArg_2, %6) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %11:2 = func.call @closed_call_6(%iterArg_3, %iterArg_5, %iterArg_6, %7, %8, %9, %10) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<4x8xf32>)
      %c_9 = stablehlo.constant dense<1> : tensor<i32>
      %12 = stablehlo.add %iterArg_4, %c_9 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_0, %iterArg_1, %iterArg_2, %iterArg_3, %12, %11#0, %11#1 : tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<4x8xf32>
    }
    %4 = stablehlo.add %arg1, %3#6 : tensor<8x8xf32>
    return %4, %3#7 : tensor<8x8xf32>, tensor<4x8xf32>
  }
  func.func private @closed_call_6(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<4x8xf32>, %arg3: tensor<4x8xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<4x8xf32>, %arg6: tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<4x8xf32>) {
    %0 = stablehlo.multiply %arg2, %arg6 : tensor<4x8xf32>
    %1 = stablehlo.multiply %0, %arg5 : tensor<4x8xf32>
    %2 = stablehlo.multiply %1, %arg4 : tensor<4x8xf32>
    %3 = stablehlo.add %1, %2 : tensor<4x8xf32>
    %4 = stablehlo.dot_general %3, %arg3, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %6 = stablehlo.add %arg1, %5 : tensor<8x8xf32>
    %7 = stablehlo.dot_general %3, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    return %6, %7 : tensor<8x8xf32>, tensor<4x8xf32>
  }
}
