// Unroll=2: several slots are written in one iteration; left alone with a remark, or rewritten.
module @unroll {
  func.func public @main(%arg0: tensor<8x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<6x4x8xf32>) -> (tensor<8x8xf32>) {
    %0 = stablehlo.reshape %arg2 : (tensor<6x4x8xf32>) -> tensor<3x2x4x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x2x4x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x2x4x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x2x4x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3x2x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5:8 = stablehlo.while(%iterArg = %0, %iterArg_6 = %arg0, %iterArg_7 = %c, %iterArg_8 = %arg1, %iterArg_9 = %1, %iterArg_10 = %2, %iterArg_11 = %3, %iterArg_12 = %4) : tensor<3x2x4x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<3x2x4x8xf32>, tensor<3x2x4x8xf32>, tensor<3x2x4x8xf32>, tensor<3x2x4x8xf32>
    cond {
      %c_13 = stablehlo.constant dense<3> : tensor<i32>
      %17 = stablehlo.compare LT, %iterArg_7, %c_13, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %17 : tensor<i1>
    } do {
      %17 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_7) : (tensor<3x2x4x8xf32>, tensor<i32>) -> tensor<2x4x8xf32>
      %18 = stablehlo.slice %17 [0:1, 0:4, 0:8] : (tensor<2x4x8xf32>) -> tensor<1x4x8xf32>
      %19 = stablehlo.reshape %18 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %20:5 = func.call @closed_call(%iterArg_6, %iterArg_8, %19) : (tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
      %21 = stablehlo.slice %17 [1:2, 0:4, 0:8] : (tensor<2x4x8xf32>) -> tensor<1x4x8xf32>
      %22 = stablehlo.reshape %21 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %23:5 = func.call @closed_call(%iterArg_6, %20#0, %22) : (tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
      %24 = stablehlo.broadcast_in_dim %20#1, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
      %25 = stablehlo.broadcast_in_dim %23#1, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
      %26 = stablehlo.concatenate %24, %25, dim = 0 : (tensor<1x4x8xf32>, tensor<1x4x8xf32>) -> tensor<2x4x8xf32>
      %27 = stablehlo.broadcast_in_dim %20#2, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
      %28 = stablehlo.broadcast_in_dim %23#2, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
      %29 = stablehlo.concatenate %27, %28, dim = 0 : (tensor<1x4x8xf32>, tensor<1x4x8xf32>) -> tensor<2x4x8xf32>
      %30 = stablehlo.broadcast_in_dim %20#3, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
      %31 = stablehlo.broadcast_in_dim %23#3, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
      %32 = stablehlo.concatenate %30, %31, dim = 0 : (tensor<1x4x8xf32>, tensor<1x4x8xf32>) -> tensor<2x4x8xf32>
      %33 = stablehlo.broadcast_in_dim %20#4, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
      %34 = stablehlo.broadcast_in_dim %23#4, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
      %35 = stablehlo.concatenate %33, %34, dim = 0 : (tensor<1x4x8xf32>, tensor<1x4x8xf32>) -> tensor<2x4x8xf32>
      %36 = func.call @dynamic_update_index_in_dim(%iterArg_9, %26, %iterArg_7) : (tensor<3x2x4x8xf32>, tensor<2x4x8xf32>, tensor<i32>) -> tensor<3x2x4x8xf32>
      %37 = func.call @dynamic_update_index_in_dim(%iterArg_10, %29, %iterArg_7) : (tensor<3x2x4x8xf32>, tensor<2x4x8xf32>, tensor<i32>) -> tensor<3x2x4x8xf32>
      %38 = func.call @dynamic_update_index_in_dim(%iterArg_11, %32, %iterArg_7) : (tensor<3x2x4x8xf32>, tensor<2x4x8xf32>, tensor<i32>) -> tensor<3x2x4x8xf32>
      %39 = func.call @dynamic_update_index_in_dim(%iterArg_12, %35, %iterArg_7) : (tensor<3x2x4x8xf32>, tensor<2x4x8xf32>, tensor<i32>) -> tensor<3x2x4x8xf32>
      %c_13 = stablehlo.constant dense<1> : tensor<i32>
      %40 = stablehlo.add %iterArg_7, %c_13 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_6, %40, %23#0, %36, %37, %38, %39 : tensor<3x2x4x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<3x2x4x8xf32>, tensor<3x2x4x8xf32>, tensor<3x2x4x8xf32>, tensor<3x2x4x8xf32>
    }
    %6 = stablehlo.reshape %5#4 : (tensor<3x2x4x8xf32>) -> tensor<6x4x8xf32>
    %7 = stablehlo.reshape %5#5 : (tensor<3x2x4x8xf32>) -> tensor<6x4x8xf32>
    %8 = stablehlo.reshape %5#6 : (tensor<3x2x4x8xf32>) -> tensor<6x4x8xf32>
    %9 = stablehlo.reshape %5#7 : (tensor<3x2x4x8xf32>) -> tensor<6x4x8xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %12 = stablehlo.reshape %6 : (tensor<6x4x8xf32>) -> tensor<3x2x4x8xf32>
    %13 = stablehlo.reshape %7 : (tensor<6x4x8xf32>) -> tensor<3x2x4x8xf32>
    %14 = stablehlo.reshape %8 : (tensor<6x4x8xf32>) -> tensor<3x2x4x8xf32>
    %15 = stablehlo.reshape %9 : (tensor<6x4x8xf32>) -> tensor<3x2x4x8xf32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %16:8 = stablehlo.while(%iterArg = %12, %iterArg_6 = %13, %iterArg_7 = %14, %iterArg_8 = %15, %iterArg_9 = %arg0, %iterArg_10 = %c_5, %iterArg_11 = %11, %iterArg_12 = %10) : tensor<3x2x4x8xf32>, tensor<3x2x4x8xf32>, tensor<3x2x4x8xf32>, tensor<3x2x4x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<4x8xf32>
    cond {
      %c_13 = stablehlo.constant dense<3> : tensor<i32>
      %17 = stablehlo.compare LT, %iterArg_10, %c_13, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %17 : tensor<i1>
    } do {
      %c_13 = stablehlo.constant dense<3> : tensor<i32>
      %17 = stablehlo.subtract %c_13, %iterArg_10 : tensor<i32>
      %c_14 = stablehlo.constant dense<1> : tensor<i32>
      %18 = stablehlo.subtract %17, %c_14 : tensor<i32>
      %19 = func.call @dynamic_index_in_dim(%iterArg, %18) : (tensor<3x2x4x8xf32>, tensor<i32>) -> tensor<2x4x8xf32>
      %20 = func.call @dynamic_index_in_dim(%iterArg_6, %18) : (tensor<3x2x4x8xf32>, tensor<i32>) -> tensor<2x4x8xf32>
      %21 = func.call @dynamic_index_in_dim(%iterArg_7, %18) : (tensor<3x2x4x8xf32>, tensor<i32>) -> tensor<2x4x8xf32>
      %22 = func.call @dynamic_index_in_dim(%iterArg_8, %18) : (tensor<3x2x4x8xf32>, tensor<i32>) -> tensor<2x4x8xf32>
      %23 = stablehlo.slice %19 [1:2, 0:4, 0:8] : (tensor<2x4x8xf32>) -> tensor<1x4x8xf32>
      %24 = stablehlo.reshape %23 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %25 = stablehlo.slice %20 [1:2, 0:4, 0:8] : (tensor<2x4x8xf32>) -> tensor<1x4x8xf32>
      %26 = stablehlo.reshape %25 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %27 = stablehlo.slice %21 [1:2, 0:4, 0:8] : (tensor<2x4x8xf32>) -> tensor<1x4x8xf32>
      %28 = stablehlo.reshape %27 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %29 = stablehlo.slice %22 [1:2, 0:4, 0:8] : (tensor<2x4x8xf32>) -> tensor<1x4x8xf32>
      %30 = stablehlo.reshape %29 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %31:2 = func.call @closed_call_0(%iterArg_9, %iterArg_11, %iterArg_12, %24, %26, %28, %30) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<4x8xf32>)
      %32 = stablehlo.slice %19 [0:1, 0:4, 0:8] : (tensor<2x4x8xf32>) -> tensor<1x4x8xf32>
      %33 = stablehlo.reshape %32 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %34 = stablehlo.slice %20 [0:1, 0:4, 0:8] : (tensor<2x4x8xf32>) -> tensor<1x4x8xf32>
      %35 = stablehlo.reshape %34 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %36 = stablehlo.slice %21 [0:1, 0:4, 0:8] : (tensor<2x4x8xf32>) -> tensor<1x4x8xf32>
      %37 = stablehlo.reshape %36 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %38 = stablehlo.slice %22 [0:1, 0:4, 0:8] : (tensor<2x4x8xf32>) -> tensor<1x4x8xf32>
      %39 = stablehlo.reshape %38 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %40:2 = func.call @closed_call_0(%iterArg_9, %31#0, %31#1, %33, %35, %37, %39) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<4x8xf32>)
      %c_15 = stablehlo.constant dense<1> : tensor<i32>
      %41 = stablehlo.add %iterArg_10, %c_15 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_6, %iterArg_7, %iterArg_8, %iterArg_9, %41, %40#0, %40#1 : tensor<3x2x4x8xf32>, tensor<3x2x4x8xf32>, tensor<3x2x4x8xf32>, tensor<3x2x4x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<4x8xf32>
    }
    return %16#6 : tensor<8x8xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<3x2x4x8xf32>, %arg1: tensor<i32>) -> tensor<2x4x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 2, 4, 8] : (tensor<3x2x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x4x8xf32>) -> tensor<2x4x8xf32>
    return %1 : tensor<2x4x8xf32>
  }
  func.func private @closed_call(%arg0: tensor<8x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
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
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<3x2x4x8xf32>, %arg1: tensor<2x4x8xf32>, %arg2: tensor<i32>) -> tensor<3x2x4x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<2x4x8xf32>) -> tensor<1x2x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<3x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x2x4x8xf32>
    return %1 : tensor<3x2x4x8xf32>
  }
  func.func private @closed_call_0(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<4x8xf32>, %arg3: tensor<4x8xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<4x8xf32>, %arg6: tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<4x8xf32>) {
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
