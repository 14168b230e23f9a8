// A gradient of a gradient: loops that read stacks and write stacks; rewritten where it can be, else a remark.
module @second {
  func.func public @main(%arg0: tensor<8x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<6x4x8xf32>) -> (tensor<8x8xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %9:13 = stablehlo.while(%iterArg = %arg2, %iterArg_26 = %arg0, %iterArg_27 = %c, %iterArg_28 = %arg1, %iterArg_29 = %0, %iterArg_30 = %1, %iterArg_31 = %2, %iterArg_32 = %3, %iterArg_33 = %4, %iterArg_34 = %5, %iterArg_35 = %6, %iterArg_36 = %7, %iterArg_37 = %8) : tensor<6x4x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>
    cond {
      %c_38 = stablehlo.constant dense<6> : tensor<i32>
      %32 = stablehlo.compare LT, %iterArg_27, %c_38, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %32 : tensor<i1>
    } do {
      %32 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_27) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %33:10 = func.call @closed_call(%iterArg_26, %iterArg_28, %32) : (tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
      %34 = func.call @dynamic_update_index_in_dim(%iterArg_29, %33#1, %iterArg_27) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %35 = func.call @dynamic_update_index_in_dim(%iterArg_30, %33#2, %iterArg_27) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %36 = func.call @dynamic_update_index_in_dim(%iterArg_31, %33#3, %iterArg_27) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %37 = func.call @dynamic_update_index_in_dim(%iterArg_32, %33#4, %iterArg_27) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %38 = func.call @dynamic_update_index_in_dim(%iterArg_33, %33#5, %iterArg_27) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %39 = func.call @dynamic_update_index_in_dim(%iterArg_34, %33#6, %iterArg_27) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %40 = func.call @dynamic_update_index_in_dim(%iterArg_35, %33#7, %iterArg_27) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %41 = func.call @dynamic_update_index_in_dim(%iterArg_36, %33#8, %iterArg_27) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %42 = func.call @dynamic_update_index_in_dim(%iterArg_37, %33#9, %iterArg_27) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %c_38 = stablehlo.constant dense<1> : tensor<i32>
      %43 = stablehlo.add %iterArg_27, %c_38 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_26, %43, %33#0, %34, %35, %36, %37, %38, %39, %40, %41, %42 : tensor<6x4x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>
    }
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %16:12 = stablehlo.while(%iterArg = %9#4, %iterArg_26 = %9#5, %iterArg_27 = %9#6, %iterArg_28 = %9#7, %iterArg_29 = %arg0, %iterArg_30 = %c_14, %iterArg_31 = %11, %iterArg_32 = %10, %iterArg_33 = %12, %iterArg_34 = %13, %iterArg_35 = %14, %iterArg_36 = %15) : tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>
    cond {
      %c_37 = stablehlo.constant dense<6> : tensor<i32>
      %32 = stablehlo.compare LT, %iterArg_30, %c_37, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %32 : tensor<i1>
    } do {
      %c_37 = stablehlo.constant dense<6> : tensor<i32>
      %32 = stablehlo.subtract %c_37, %iterArg_30 : tensor<i32>
      %c_38 = stablehlo.constant dense<1> : tensor<i32>
      %33 = stablehlo.subtract %32, %c_38 : tensor<i32>
      %34 = func.call @dynamic_index_in_dim(%iterArg, %33) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %35 = func.call @dynamic_index_in_dim(%iterArg_26, %33) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %36 = func.call @dynamic_index_in_dim(%iterArg_27, %33) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %37 = func.call @dynamic_index_in_dim(%iterArg_28, %33) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %38:6 = func.call @closed_call_0(%iterArg_29, %iterArg_31, %iterArg_32, %34, %35, %36, %37) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
      %39 = func.call @dynamic_update_index_in_dim(%iterArg_33, %38#2, %33) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %40 = func.call @dynamic_update_index_in_dim(%iterArg_34, %38#3, %33) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %41 = func.call @dynamic_update_index_in_dim(%iterArg_35, %38#4, %33) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %42 = func.call @dynamic_update_index_in_dim(%iterArg_36, %38#5, %33) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %c_39 = stablehlo.constant dense<1> : tensor<i32>
      %43 = stablehlo.add %iterArg_30, %c_39 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_26, %iterArg_27, %iterArg_28, %iterArg_29, %43, %38#0, %38#1, %39, %40, %41, %42 : tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>
    }
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %18 = stablehlo.multiply %16#6, %17 : tensor<8x8xf32>
    %19 = stablehlo.multiply %17, %16#6 : tensor<8x8xf32>
    %20 = stablehlo.add %18, %19 : tensor<8x8xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %c_22 = stablehlo.constant dense<0> : tensor<i32>
    %27:17 = stablehlo.while(%iterArg = %9#7, %iterArg_26 = %16#8, %iterArg_27 = %9#6, %iterArg_28 = %16#9, %iterArg_29 = %9#5, %iterArg_30 = %16#10, %iterArg_31 = %9#4, %iterArg_32 = %16#11, %iterArg_33 = %arg0, %iterArg_34 = %c_22, %iterArg_35 = %22, %iterArg_36 = %20, %iterArg_37 = %21, %iterArg_38 = %23, %iterArg_39 = %24, %iterArg_40 = %25, %iterArg_41 = %26) : tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>
    cond {
      %c_42 = stablehlo.constant dense<6> : tensor<i32>
      %32 = stablehlo.compare LT, %iterArg_34, %c_42, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %32 : tensor<i1>
    } do {
      %32 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_34) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %33 = func.call @dynamic_index_in_dim(%iterArg_26, %iterArg_34) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %34 = func.call @dynamic_index_in_dim(%iterArg_27, %iterArg_34) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %35 = func.call @dynamic_index_in_dim(%iterArg_28, %iterArg_34) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %36 = func.call @dynamic_index_in_dim(%iterArg_29, %iterArg_34) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %37 = func.call @dynamic_index_in_dim(%iterArg_30, %iterArg_34) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %38 = func.call @dynamic_index_in_dim(%iterArg_31, %iterArg_34) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %39 = func.call @dynamic_index_in_dim(%iterArg_32, %iterArg_34) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %40:7 = func.call @closed_call_1(%iterArg_33, %iterArg_35, %iterArg_36, %iterArg_37, %32, %33, %34, %35, %36, %37, %38, %39) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
      %41 = func.call @dynamic_update_index_in_dim(%iterArg_38, %40#3, %iterArg_34) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %42 = func.call @dynamic_update_index_in_dim(%iterArg_39, %40#4, %iterArg_34) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %43 = func.call @dynamic_update_index_in_dim(%iterArg_40, %40#5, %iterArg_34) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %44 = func.call @dynamic_update_index_in_dim(%iterArg_41, %40#6, %iterArg_34) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %c_42 = stablehlo.constant dense<1> : tensor<i32>
      %45 = stablehlo.add %iterArg_34, %c_42 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_26, %iterArg_27, %iterArg_28, %iterArg_29, %iterArg_30, %iterArg_31, %iterArg_32, %iterArg_33, %45, %40#0, %40#1, %40#2, %41, %42, %43, %44 : tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>
    }
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %c_25 = stablehlo.constant dense<0> : tensor<i32>
    %30:13 = stablehlo.while(%iterArg = %27#13, %iterArg_26 = %27#14, %iterArg_27 = %27#15, %iterArg_28 = %27#16, %iterArg_29 = %9#8, %iterArg_30 = %9#9, %iterArg_31 = %9#10, %iterArg_32 = %9#11, %iterArg_33 = %9#12, %iterArg_34 = %arg0, %iterArg_35 = %c_25, %iterArg_36 = %29, %iterArg_37 = %28) : tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<4x8xf32>
    cond {
      %c_38 = stablehlo.constant dense<6> : tensor<i32>
      %32 = stablehlo.compare LT, %iterArg_35, %c_38, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %32 : tensor<i1>
    } do {
      %c_38 = stablehlo.constant dense<6> : tensor<i32>
      %32 = stablehlo.subtract %c_38, %iterArg_35 : tensor<i32>
      %c_39 = stablehlo.constant dense<1> : tensor<i32>
      %33 = stablehlo.subtract %32, %c_39 : tensor<i32>
      %34 = func.call @dynamic_index_in_dim(%iterArg, %33) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %35 = func.call @dynamic_index_in_dim(%iterArg_26, %33) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %36 = func.call @dynamic_index_in_dim(%iterArg_27, %33) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %37 = func.call @dynamic_index_in_dim(%iterArg_28, %33) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %38 = func.call @dynamic_index_in_dim(%iterArg_29, %33) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %39 = func.call @dynamic_index_in_dim(%iterArg_30, %33) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %40 = func.call @dynamic_index_in_dim(%iterArg_31, %33) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %41 = func.call @dynamic_index_in_dim(%iterArg_32, %33) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %42 = func.call @dynamic_index_in_dim(%iterArg_33, %33) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %43:2 = func.call @closed_call_2(%iterArg_34, %iterArg_36, %iterArg_37, %34, %35, %36, %37, %38, %39, %40, %41, %42) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<4x8xf32>)
      %c_40 = stablehlo.constant dense<1> : tensor<i32>
      %44 = stablehlo.add %iterArg_35, %c_40 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_26, %iterArg_27, %iterArg_28, %iterArg_29, %iterArg_30, %iterArg_31, %iterArg_32, %iterArg_33, %iterArg_34, %44, %43#0, %43#1 : tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<4x8xf32>
    }
    %31 = stablehlo.add %27#10, %30#11 : tensor<8x8xf32>
    return %31 : tensor<8x8xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<6x4x8xf32>, %arg1: tensor<i32>) -> tensor<4x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 8] : (tensor<6x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    return %1 : tensor<4x8xf32>
  }
  func.func private @closed_call(%arg0: tensor<8x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
    %0 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %1 = stablehlo.add %0, %arg2 : tensor<4x8xf32>
    %2 = stablehlo.tanh %1 : tensor<4x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %4 = stablehlo.subtract %3, %2 : tensor<4x8xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %6 = stablehlo.subtract %5, %2 : tensor<4x8xf32>
    %7 = stablehlo.sine %2 : tensor<4x8xf32>
    %8 = stablehlo.cosine %2 : tensor<4x8xf32>
    %9 = stablehlo.cosine %2 : tensor<4x8xf32>
    %10 = stablehlo.sine %2 : tensor<4x8xf32>
    return %7, %arg1, %2, %6, %9, %arg1, %2, %4, %8, %10 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<6x4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<i32>) -> tensor<6x4x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x4x8xf32>
    return %1 : tensor<6x4x8xf32>
  }
  func.func private @closed_call_0(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<4x8xf32>, %arg3: tensor<4x8xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<4x8xf32>, %arg6: tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
    %0 = stablehlo.multiply %arg2, %arg6 : tensor<4x8xf32>
    %1 = stablehlo.multiply %0, %arg5 : tensor<4x8xf32>
    %2 = stablehlo.multiply %1, %arg4 : tensor<4x8xf32>
    %3 = stablehlo.add %1, %2 : tensor<4x8xf32>
    %4 = stablehlo.dot_general %3, %arg3, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %6 = stablehlo.add %arg1, %5 : tensor<8x8xf32>
    %7 = stablehlo.dot_general %3, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    return %6, %7, %arg2, %0, %1, %3 : tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
  }
  func.func private @closed_call_1(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32>, %arg3: tensor<4x8xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<4x8xf32>, %arg6: tensor<4x8xf32>, %arg7: tensor<4x8xf32>, %arg8: tensor<4x8xf32>, %arg9: tensor<4x8xf32>, %arg10: tensor<4x8xf32>, %arg11: tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
    %0 = stablehlo.dot_general %arg3, %arg11, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %1 = stablehlo.add %arg1, %0 : tensor<8x8xf32>
    %2 = stablehlo.dot_general %arg3, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %3 = stablehlo.transpose %arg2, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %4 = stablehlo.dot_general %3, %arg11, contracting_dims = [0] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<4x8xf32>) -> tensor<8x4xf32>
    %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
    %6 = stablehlo.dot_general %3, %arg10, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<4x8xf32>) -> tensor<8x4xf32>
    %7 = stablehlo.transpose %6, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
    %8 = stablehlo.add %2, %7 : tensor<4x8xf32>
    %9 = stablehlo.multiply %arg9, %8 : tensor<4x8xf32>
    %10 = stablehlo.multiply %8, %arg8 : tensor<4x8xf32>
    %11 = stablehlo.add %8, %10 : tensor<4x8xf32>
    %12 = stablehlo.multiply %arg7, %11 : tensor<4x8xf32>
    %13 = stablehlo.multiply %11, %arg6 : tensor<4x8xf32>
    %14 = stablehlo.multiply %arg5, %13 : tensor<4x8xf32>
    %15 = stablehlo.multiply %13, %arg4 : tensor<4x8xf32>
    return %1, %arg2, %15, %5, %9, %12, %14 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
  }
  func.func private @closed_call_2(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<4x8xf32>, %arg3: tensor<4x8xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<4x8xf32>, %arg6: tensor<4x8xf32>, %arg7: tensor<4x8xf32>, %arg8: tensor<4x8xf32>, %arg9: tensor<4x8xf32>, %arg10: tensor<4x8xf32>, %arg11: tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<4x8xf32>) {
    %0 = stablehlo.negate %arg6 : tensor<4x8xf32>
    %1 = stablehlo.multiply %0, %arg11 : tensor<4x8xf32>
    %2 = stablehlo.add %arg4, %1 : tensor<4x8xf32>
    %3 = stablehlo.multiply %arg2, %arg10 : tensor<4x8xf32>
    %4 = stablehlo.add %2, %3 : tensor<4x8xf32>
    %5 = stablehlo.negate %arg5 : tensor<4x8xf32>
    %6 = stablehlo.add %4, %5 : tensor<4x8xf32>
    %7 = stablehlo.multiply %6, %arg9 : tensor<4x8xf32>
    %8 = stablehlo.multiply %7, %arg8 : tensor<4x8xf32>
    %9 = stablehlo.add %7, %8 : tensor<4x8xf32>
    %10 = stablehlo.dot_general %9, %arg7, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %11 = stablehlo.transpose %10, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %12 = stablehlo.add %arg1, %11 : tensor<8x8xf32>
    %13 = stablehlo.dot_general %9, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %14 = stablehlo.add %arg3, %13 : tensor<4x8xf32>
    return %12, %14 : tensor<8x8xf32>, tensor<4x8xf32>
  }
}
