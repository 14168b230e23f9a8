module @jit_loss attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x64xf32>, %arg1: tensor<6x64x192xf32>, %arg2: tensor<6x64x64xf32>, %arg3: tensor<6x64xf32>, %arg4: tensor<6x64x256xf32>, %arg5: tensor<6x256x64xf32>, %arg6: tensor<2x64x64xf32>) -> (tensor<6x64xf32> {jax.result_info = "result[0]"}, tensor<6x64x192xf32> {jax.result_info = "result[1]"}, tensor<6x64x64xf32> {jax.result_info = "result[2]"}, tensor<6x64xf32> {jax.result_info = "result[3]"}, tensor<6x64x256xf32> {jax.result_info = "result[4]"}, tensor<6x256x64xf32> {jax.result_info = "result[5]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x2x64x64xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6x2x64x1xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<6x2x64x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<6x2x64x64xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<6x1x1x64xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<6x2x64x64xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<6x2x64x64xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<6x2x4x16x64xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<6x2x4x64x16xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<6x2x4x64x64xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<6x2x4x64x1xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<6x2x4x64x1xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<6x2x4x64x16xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<6x2x4x64x64xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<6x2x64x64xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<6x2x64x64xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<6x2x64x1xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<6x2x64x1xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<6x2x64x64xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<6x1x1x64xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<6x2x64x64xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<6x2x64x64xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<6x2x64x256xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<6x2x64x256xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %24:32 = stablehlo.while(%iterArg = %arg0, %iterArg_31 = %arg1, %iterArg_32 = %arg2, %iterArg_33 = %arg3, %iterArg_34 = %arg4, %iterArg_35 = %arg5, %iterArg_36 = %c, %iterArg_37 = %arg6, %iterArg_38 = %0, %iterArg_39 = %1, %iterArg_40 = %2, %iterArg_41 = %3, %iterArg_42 = %4, %iterArg_43 = %5, %iterArg_44 = %6, %iterArg_45 = %7, %iterArg_46 = %8, %iterArg_47 = %9, %iterArg_48 = %10, %iterArg_49 = %11, %iterArg_50 = %12, %iterArg_51 = %13, %iterArg_52 = %14, %iterArg_53 = %15, %iterArg_54 = %16, %iterArg_55 = %17, %iterArg_56 = %18, %iterArg_57 = %19, %iterArg_58 = %20, %iterArg_59 = %21, %iterArg_60 = %22, %iterArg_61 = %23) : tensor<6x64xf32>, tensor<6x64x192xf32>, tensor<6x64x64xf32>, tensor<6x64xf32>, tensor<6x64x256xf32>, tensor<6x256x64xf32>, tensor<i32>, tensor<2x64x64xf32>, tensor<6x2x64x64xf32>, tensor<6x2x64x1xf32>, tensor<6x2x64x1xf32>, tensor<6x2x64x64xf32>, tensor<6x1x1x64xf32>, tensor<6x2x64x64xf32>, tensor<6x2x64x64xf32>, tensor<6x2x4x16x64xf32>, tensor<6x2x4x64x16xf32>, tensor<6x2x4x64x64xf32>, tensor<6x2x4x64x1xf32>, tensor<6x2x4x64x1xf32>, tensor<6x2x4x64x16xf32>, tensor<6x2x4x64x64xf32>, tensor<6x2x64x64xf32>, tensor<6x2x64x64xf32>, tensor<6x2x64x1xf32>, tensor<6x2x64x1xf32>, tensor<6x2x64x64xf32>, tensor<6x1x1x64xf32>, tensor<6x2x64x64xf32>, tensor<6x2x64x64xf32>, tensor<6x2x64x256xf32>, tensor<6x2x64x256xf32>
    cond {
      %c_62 = stablehlo.constant dense<6> : tensor<i32>
      %36 = stablehlo.compare LT, %iterArg_36, %c_62, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %36 : tensor<i1>
    } do {
      %36 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_36) : (tensor<6x64xf32>, tensor<i32>) -> tensor<64xf32>
      %37 = func.call @dynamic_index_in_dim_0(%iterArg_31, %iterArg_36) : (tensor<6x64x192xf32>, tensor<i32>) -> tensor<64x192xf32>
      %38 = func.call @dynamic_index_in_dim_1(%iterArg_32, %iterArg_36) : (tensor<6x64x64xf32>, tensor<i32>) -> tensor<64x64xf32>
      %39 = func.call @dynamic_index_in_dim(%iterArg_33, %iterArg_36) : (tensor<6x64xf32>, tensor<i32>) -> tensor<64xf32>
      %40 = func.call @dynamic_index_in_dim_2(%iterArg_34, %iterArg_36) : (tensor<6x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %41 = func.call @dynamic_index_in_dim_3(%iterArg_35, %iterArg_36) : (tensor<6x256x64xf32>, tensor<i32>) -> tensor<256x64xf32>
      %42:25 = func.call @closed_call(%iterArg_37, %36, %37, %38, %39, %40, %41) : (tensor<2x64x64xf32>, tensor<64xf32>, tensor<64x192xf32>, tensor<64x64xf32>, tensor<64xf32>, tensor<64x256xf32>, tensor<256x64xf32>) -> (tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<2x64x1xf32>, tensor<2x64x1xf32>, tensor<2x64x64xf32>, tensor<1x1x64xf32>, tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<2x4x16x64xf32>, tensor<2x4x64x16xf32>, tensor<2x4x64x64xf32>, tensor<2x4x64x1xf32>, tensor<2x4x64x1xf32>, tensor<2x4x64x16xf32>, tensor<2x4x64x64xf32>, tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<2x64x1xf32>, tensor<2x64x1xf32>, tensor<2x64x64xf32>, tensor<1x1x64xf32>, tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<2x64x256xf32>, tensor<2x64x256xf32>)
      %43 = func.call @dynamic_update_index_in_dim(%iterArg_38, %42#1, %iterArg_36) : (tensor<6x2x64x64xf32>, tensor<2x64x64xf32>, tensor<i32>) -> tensor<6x2x64x64xf32>
      %44 = func.call @dynamic_update_index_in_dim_4(%iterArg_39, %42#2, %iterArg_36) : (tensor<6x2x64x1xf32>, tensor<2x64x1xf32>, tensor<i32>) -> tensor<6x2x64x1xf32>
      %45 = func.call @dynamic_update_index_in_dim_4(%iterArg_40, %42#3, %iterArg_36) : (tensor<6x2x64x1xf32>, tensor<2x64x1xf32>, tensor<i32>) -> tensor<6x2x64x1xf32>
      %46 = func.call @dynamic_update_index_in_dim(%iterArg_41, %42#4, %iterArg_36) : (tensor<6x2x64x64xf32>, tensor<2x64x64xf32>, tensor<i32>) -> tensor<6x2x64x64xf32>
      %47 = func.call @dynamic_update_index_in_dim_5(%iterArg_42, %42#5, %iterArg_36) : (tensor<6x1x1x64xf32>, tensor<1x1x64xf32>, tensor<i32>) -> tensor<6x1x1x64xf32>
      %48 = func.call @dynamic_update_index_in_dim(%iterArg_43, %42#6, %iterArg_36) : (tensor<6x2x64x64xf32>, tensor<2x64x64xf32>, tensor<i32>) -> tensor<6x2x64x64xf32>
      %49 = func.call @dynamic_update_index_in_dim(%iterArg_44, %42#7, %iterArg_36) : (tensor<6x2x64x64xf32>, tensor<2x64x64xf32>, tensor<i32>) -> tensor<6x2x64x64xf32>
      %50 = func.call @dynamic_update_index_in_dim_6(%iterArg_45, %42#8, %iterArg_36) : (tensor<6x2x4x16x64xf32>, tensor<2x4x16x64xf32>, tensor<i32>) -> tensor<6x2x4x16x64xf32>
      %51 = func.call @dynamic_update_index_in_dim_7(%iterArg_46, %42#9, %iterArg_36) : (tensor<6x2x4x64x16xf32>, tensor<2x4x64x16xf32>, tensor<i32>) -> tensor<6x2x4x64x16xf32>
      %52 = func.call @dynamic_update_index_in_dim_8(%iterArg_47, %42#10, %iterArg_36) : (tensor<6x2x4x64x64xf32>, tensor<2x4x64x64xf32>, tensor<i32>) -> tensor<6x2x4x64x64xf32>
      %53 = func.call @dynamic_update_index_in_dim_9(%iterArg_48, %42#11, %iterArg_36) : (tensor<6x2x4x64x1xf32>, tensor<2x4x64x1xf32>, tensor<i32>) -> tensor<6x2x4x64x1xf32>
      %54 = func.call @dynamic_update_index_in_dim_9(%iterArg_49, %42#12, %iterArg_36) : (tensor<6x2x4x64x1xf32>, tensor<2x4x64x1xf32>, tensor<i32>) -> tensor<6x2x4x64x1xf32>
      %55 = func.call @dynamic_update_index_in_dim_7(%iterArg_50, %42#13, %iterArg_36) : (tensor<6x2x4x64x16xf32>, tensor<2x4x64x16xf32>, tensor<i32>) -> tensor<6x2x4x64x16xf32>
      %56 = func.call @dynamic_update_index_in_dim_8(%iterArg_51, %42#14, %iterArg_36) : (tensor<6x2x4x64x64xf32>, tensor<2x4x64x64xf32>, tensor<i32>) -> tensor<6x2x4x64x64xf32>
      %57 = func.call @dynamic_update_index_in_dim(%iterArg_52, %42#15, %iterArg_36) : (tensor<6x2x64x64xf32>, tensor<2x64x64xf32>, tensor<i32>) -> tensor<6x2x64x64xf32>
      %58 = func.call @dynamic_update_index_in_dim(%iterArg_53, %42#16, %iterArg_36) : (tensor<6x2x64x64xf32>, tensor<2x64x64xf32>, tensor<i32>) -> tensor<6x2x64x64xf32>
      %59 = func.call @dynamic_update_index_in_dim_4(%iterArg_54, %42#17, %iterArg_36) : (tensor<6x2x64x1xf32>, tensor<2x64x1xf32>, tensor<i32>) -> tensor<6x2x64x1xf32>
      %60 = func.call @dynamic_update_index_in_dim_4(%iterArg_55, %42#18, %iterArg_36) : (tensor<6x2x64x1xf32>, tensor<2x64x1xf32>, tensor<i32>) -> tensor<6x2x64x1xf32>
      %61 = func.call @dynamic_update_index_in_dim(%iterArg_56, %42#19, %iterArg_36) : (tensor<6x2x64x64xf32>, tensor<2x64x64xf32>, tensor<i32>) -> tensor<6x2x64x64xf32>
      %62 = func.call @dynamic_update_index_in_dim_5(%iterArg_57, %42#20, %iterArg_36) : (tensor<6x1x1x64xf32>, tensor<1x1x64xf32>, tensor<i32>) -> tensor<6x1x1x64xf32>
      %63 = func.call @dynamic_update_index_in_dim(%iterArg_58, %42#21, %iterArg_36) : (tensor<6x2x64x64xf32>, tensor<2x64x64xf32>, tensor<i32>) -> tensor<6x2x64x64xf32>
      %64 = func.call @dynamic_update_index_in_dim(%iterArg_59, %42#22, %iterArg_36) : (tensor<6x2x64x64xf32>, tensor<2x64x64xf32>, tensor<i32>) -> tensor<6x2x64x64xf32>
      %65 = func.call @dynamic_update_index_in_dim_10(%iterArg_60, %42#23, %iterArg_36) : (tensor<6x2x64x256xf32>, tensor<2x64x256xf32>, tensor<i32>) -> tensor<6x2x64x256xf32>
      %66 = func.call @dynamic_update_index_in_dim_10(%iterArg_61, %42#24, %iterArg_36) : (tensor<6x2x64x256xf32>, tensor<2x64x256xf32>, tensor<i32>) -> tensor<6x2x64x256xf32>
      %c_62 = stablehlo.constant dense<1> : tensor<i32>
      %67 = stablehlo.add %iterArg_36, %c_62 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_31, %iterArg_32, %iterArg_33, %iterArg_34, %iterArg_35, %67, %42#0, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66 : tensor<6x64xf32>, tensor<6x64x192xf32>, tensor<6x64x64xf32>, tensor<6x64xf32>, tensor<6x64x256xf32>, tensor<6x256x64xf32>, tensor<i32>, tensor<2x64x64xf32>, tensor<6x2x64x64xf32>, tensor<6x2x64x1xf32>, tensor<6x2x64x1xf32>, tensor<6x2x64x64xf32>, tensor<6x1x1x64xf32>, tensor<6x2x64x64xf32>, tensor<6x2x64x64xf32>, tensor<6x2x4x16x64xf32>, tensor<6x2x4x64x16xf32>, tensor<6x2x4x64x64xf32>, tensor<6x2x4x64x1xf32>, tensor<6x2x4x64x1xf32>, tensor<6x2x4x64x16xf32>, tensor<6x2x4x64x64xf32>, tensor<6x2x64x64xf32>, tensor<6x2x64x64xf32>, tensor<6x2x64x1xf32>, tensor<6x2x64x1xf32>, tensor<6x2x64x64xf32>, tensor<6x1x1x64xf32>, tensor<6x2x64x64xf32>, tensor<6x2x64x64xf32>, tensor<6x2x64x256xf32>, tensor<6x2x64x256xf32>
    }
    %cst_23 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<2x64x64xf32>
    %26 = stablehlo.multiply %24#7, %25 : tensor<2x64x64xf32>
    %27 = stablehlo.multiply %25, %24#7 : tensor<2x64x64xf32>
    %28 = stablehlo.add %26, %27 : tensor<2x64x64xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<6x64xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<6x64x192xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<6x64x64xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<6x64xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<6x64x256xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<6x256x64xf32>
    %c_30 = stablehlo.constant dense<0> : tensor<i32>
    %35:36 = stablehlo.while(%iterArg = %24#8, %iterArg_31 = %24#9, %iterArg_32 = %24#10, %iterArg_33 = %24#11, %iterArg_34 = %24#12, %iterArg_35 = %24#13, %iterArg_36 = %arg1, %iterArg_37 = %24#14, %iterArg_38 = %24#15, %iterArg_39 = %24#16, %iterArg_40 = %24#17, %iterArg_41 = %24#18, %iterArg_42 = %24#19, %iterArg_43 = %24#20, %iterArg_44 = %24#21, %iterArg_45 = %arg2, %iterArg_46 = %24#22, %iterArg_47 = %24#23, %iterArg_48 = %24#24, %iterArg_49 = %24#25, %iterArg_50 = %24#26, %iterArg_51 = %24#27, %iterArg_52 = %24#28, %iterArg_53 = %arg4, %iterArg_54 = %24#29, %iterArg_55 = %24#30, %iterArg_56 = %24#31, %iterArg_57 = %arg5, %iterArg_58 = %c_30, %iterArg_59 = %28, %iterArg_60 = %29, %iterArg_61 = %30, %iterArg_62 = %31, %iterArg_63 = %32, %iterArg_64 = %33, %iterArg_65 = %34) : tensor<6x2x64x64xf32>, tensor<6x2x64x1xf32>, tensor<6x2x64x1xf32>, tensor<6x2x64x64xf32>, tensor<6x1x1x64xf32>, tensor<6x2x64x64xf32>, tensor<6x64x192xf32>, tensor<6x2x64x64xf32>, tensor<6x2x4x16x64xf32>, tensor<6x2x4x64x16xf32>, tensor<6x2x4x64x64xf32>, tensor<6x2x4x64x1xf32>, tensor<6x2x4x64x1xf32>, tensor<6x2x4x64x16xf32>, tensor<6x2x4x64x64xf32>, tensor<6x64x64xf32>, tensor<6x2x64x64xf32>, tensor<6x2x64x64xf32>, tensor<6x2x64x1xf32>, tensor<6x2x64x1xf32>, tensor<6x2x64x64xf32>, tensor<6x1x1x64xf32>, tensor<6x2x64x64xf32>, tensor<6x64x256xf32>, tensor<6x2x64x64xf32>, tensor<6x2x64x256xf32>, tensor<6x2x64x256xf32>, tensor<6x256x64xf32>, tensor<i32>, tensor<2x64x64xf32>, tensor<6x64xf32>, tensor<6x64x192xf32>, tensor<6x64x64xf32>, tensor<6x64xf32>, tensor<6x64x256xf32>, tensor<6x256x64xf32>
    cond {
      %c_66 = stablehlo.constant dense<6> : tensor<i32>
      %36 = stablehlo.compare LT, %iterArg_58, %c_66, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %36 : tensor<i1>
    } do {
      %c_66 = stablehlo.constant dense<6> : tensor<i32>
      %36 = stablehlo.subtract %c_66, %iterArg_58 : tensor<i32>
      %c_67 = stablehlo.constant dense<1> : tensor<i32>
      %37 = stablehlo.subtract %36, %c_67 : tensor<i32>
      %38 = func.call @dynamic_index_in_dim_11(%iterArg, %37) : (tensor<6x2x64x64xf32>, tensor<i32>) -> tensor<2x64x64xf32>
      %39 = func.call @dynamic_index_in_dim_12(%iterArg_31, %37) : (tensor<6x2x64x1xf32>, tensor<i32>) -> tensor<2x64x1xf32>
      %40 = func.call @dynamic_index_in_dim_12(%iterArg_32, %37) : (tensor<6x2x64x1xf32>, tensor<i32>) -> tensor<2x64x1xf32>
      %41 = func.call @dynamic_index_in_dim_11(%iterArg_33, %37) : (tensor<6x2x64x64xf32>, tensor<i32>) -> tensor<2x64x64xf32>
      %42 = func.call @dynamic_index_in_dim_13(%iterArg_34, %37) : (tensor<6x1x1x64xf32>, tensor<i32>) -> tensor<1x1x64xf32>
      %43 = func.call @dynamic_index_in_dim_11(%iterArg_35, %37) : (tensor<6x2x64x64xf32>, tensor<i32>) -> tensor<2x64x64xf32>
      %44 = func.call @dynamic_index_in_dim_0(%iterArg_36, %37) : (tensor<6x64x192xf32>, tensor<i32>) -> tensor<64x192xf32>
      %45 = func.call @dynamic_index_in_dim_11(%iterArg_37, %37) : (tensor<6x2x64x64xf32>, tensor<i32>) -> tensor<2x64x64xf32>
      %46 = func.call @dynamic_index_in_dim_14(%iterArg_38, %37) : (tensor<6x2x4x16x64xf32>, tensor<i32>) -> tensor<2x4x16x64xf32>
      %47 = func.call @dynamic_index_in_dim_15(%iterArg_39, %37) : (tensor<6x2x4x64x16xf32>, tensor<i32>) -> tensor<2x4x64x16xf32>
      %48 = func.call @dynamic_index_in_dim_16(%iterArg_40, %37) : (tensor<6x2x4x64x64xf32>, tensor<i32>) -> tensor<2x4x64x64xf32>
      %49 = func.call @dynamic_index_in_dim_17(%iterArg_41, %37) : (tensor<6x2x4x64x1xf32>, tensor<i32>) -> tensor<2x4x64x1xf32>
      %50 = func.call @dynamic_index_in_dim_17(%iterArg_42, %37) : (tensor<6x2x4x64x1xf32>, tensor<i32>) -> tensor<2x4x64x1xf32>
      %51 = func.call @dynamic_index_in_dim_15(%iterArg_43, %37) : (tensor<6x2x4x64x16xf32>, tensor<i32>) -> tensor<2x4x64x16xf32>
      %52 = func.call @dynamic_index_in_dim_16(%iterArg_44, %37) : (tensor<6x2x4x64x64xf32>, tensor<i32>) -> tensor<2x4x64x64xf32>
      %53 = func.call @dynamic_index_in_dim_1(%iterArg_45, %37) : (tensor<6x64x64xf32>, tensor<i32>) -> tensor<64x64xf32>
      %54 = func.call @dynamic_index_in_dim_11(%iterArg_46, %37) : (tensor<6x2x64x64xf32>, tensor<i32>) -> tensor<2x64x64xf32>
      %55 = func.call @dynamic_index_in_dim_11(%iterArg_47, %37) : (tensor<6x2x64x64xf32>, tensor<i32>) -> tensor<2x64x64xf32>
      %56 = func.call @dynamic_index_in_dim_12(%iterArg_48, %37) : (tensor<6x2x64x1xf32>, tensor<i32>) -> tensor<2x64x1xf32>
      %57 = func.call @dynamic_index_in_dim_12(%iterArg_49, %37) : (tensor<6x2x64x1xf32>, tensor<i32>) -> tensor<2x64x1xf32>
      %58 = func.call @dynamic_index_in_dim_11(%iterArg_50, %37) : (tensor<6x2x64x64xf32>, tensor<i32>) -> tensor<2x64x64xf32>
      %59 = func.call @dynamic_index_in_dim_13(%iterArg_51, %37) : (tensor<6x1x1x64xf32>, tensor<i32>) -> tensor<1x1x64xf32>
      %60 = func.call @dynamic_index_in_dim_11(%iterArg_52, %37) : (tensor<6x2x64x64xf32>, tensor<i32>) -> tensor<2x64x64xf32>
      %61 = func.call @dynamic_index_in_dim_2(%iterArg_53, %37) : (tensor<6x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %62 = func.call @dynamic_index_in_dim_11(%iterArg_54, %37) : (tensor<6x2x64x64xf32>, tensor<i32>) -> tensor<2x64x64xf32>
      %63 = func.call @dynamic_index_in_dim_18(%iterArg_55, %37) : (tensor<6x2x64x256xf32>, tensor<i32>) -> tensor<2x64x256xf32>
      %64 = func.call @dynamic_index_in_dim_18(%iterArg_56, %37) : (tensor<6x2x64x256xf32>, tensor<i32>) -> tensor<2x64x256xf32>
      %65 = func.call @dynamic_index_in_dim_3(%iterArg_57, %37) : (tensor<6x256x64xf32>, tensor<i32>) -> tensor<256x64xf32>
      %66:7 = func.call @closed_call_19(%iterArg_59, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65) : (tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<2x64x1xf32>, tensor<2x64x1xf32>, tensor<2x64x64xf32>, tensor<1x1x64xf32>, tensor<2x64x64xf32>, tensor<64x192xf32>, tensor<2x64x64xf32>, tensor<2x4x16x64xf32>, tensor<2x4x64x16xf32>, tensor<2x4x64x64xf32>, tensor<2x4x64x1xf32>, tensor<2x4x64x1xf32>, tensor<2x4x64x16xf32>, tensor<2x4x64x64xf32>, tensor<64x64xf32>, tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<2x64x1xf32>, tensor<2x64x1xf32>, tensor<2x64x64xf32>, tensor<1x1x64xf32>, tensor<2x64x64xf32>, tensor<64x256xf32>, tensor<2x64x64xf32>, tensor<2x64x256xf32>, tensor<2x64x256xf32>, tensor<256x64xf32>) -> (tensor<2x64x64xf32>, tensor<64xf32>, tensor<64x192xf32>, tensor<64x64xf32>, tensor<64xf32>, tensor<64x256xf32>, tensor<256x64xf32>)
      %67 = func.call @dynamic_update_index_in_dim_20(%iterArg_60, %66#1, %37) : (tensor<6x64xf32>, tensor<64xf32>, tensor<i32>) -> tensor<6x64xf32>
      %68 = func.call @dynamic_update_index_in_dim_21(%iterArg_61, %66#2, %37) : (tensor<6x64x192xf32>, tensor<64x192xf32>, tensor<i32>) -> tensor<6x64x192xf32>
      %69 = func.call @dynamic_update_index_in_dim_22(%iterArg_62, %66#3, %37) : (tensor<6x64x64xf32>, tensor<64x64xf32>, tensor<i32>) -> tensor<6x64x64xf32>
      %70 = func.call @dynamic_update_index_in_dim_20(%iterArg_63, %66#4, %37) : (tensor<6x64xf32>, tensor<64xf32>, tensor<i32>) -> tensor<6x64xf32>
      %71 = func.call @dynamic_update_index_in_dim_23(%iterArg_64, %66#5, %37) : (tensor<6x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<6x64x256xf32>
      %72 = func.call @dynamic_update_index_in_dim_24(%iterArg_65, %66#6, %37) : (tensor<6x256x64xf32>, tensor<256x64xf32>, tensor<i32>) -> tensor<6x256x64xf32>
      %c_68 = stablehlo.constant dense<1> : tensor<i32>
      %73 = stablehlo.add %iterArg_58, %c_68 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_31, %iterArg_32, %iterArg_33, %iterArg_34, %iterArg_35, %iterArg_36, %iterArg_37, %iterArg_38, %iterArg_39, %iterArg_40, %iterArg_41, %iterArg_42, %iterArg_43, %iterArg_44, %iterArg_45, %iterArg_46, %iterArg_47, %iterArg_48, %iterArg_49, %iterArg_50, %iterArg_51, %iterArg_52, %iterArg_53, %iterArg_54, %iterArg_55, %iterArg_56, %iterArg_57, %73, %66#0, %67, %68, %69, %70, %71, %72 : tensor<6x2x64x64xf32>, tensor<6x2x64x1xf32>, tensor<6x2x64x1xf32>, tensor<6x2x64x64xf32>, tensor<6x1x1x64xf32>, tensor<6x2x64x64xf32>, tensor<6x64x192xf32>, tensor<6x2x64x64xf32>, tensor<6x2x4x16x64xf32>, tensor<6x2x4x64x16xf32>, tensor<6x2x4x64x64xf32>, tensor<6x2x4x64x1xf32>, tensor<6x2x4x64x1xf32>, tensor<6x2x4x64x16xf32>, tensor<6x2x4x64x64xf32>, tensor<6x64x64xf32>, tensor<6x2x64x64xf32>, tensor<6x2x64x64xf32>, tensor<6x2x64x1xf32>, tensor<6x2x64x1xf32>, tensor<6x2x64x64xf32>, tensor<6x1x1x64xf32>, tensor<6x2x64x64xf32>, tensor<6x64x256xf32>, tensor<6x2x64x64xf32>, tensor<6x2x64x256xf32>, tensor<6x2x64x256xf32>, tensor<6x256x64xf32>, tensor<i32>, tensor<2x64x64xf32>, tensor<6x64xf32>, tensor<6x64x192xf32>, tensor<6x64x64xf32>, tensor<6x64xf32>, tensor<6x64x256xf32>, tensor<6x256x64xf32>
    }
    return %35#30, %35#31, %35#32, %35#33, %35#34, %35#35 : tensor<6x64xf32>, tensor<6x64x192xf32>, tensor<6x64x64xf32>, tensor<6x64xf32>, tensor<6x64x256xf32>, tensor<6x256x64xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<6x64xf32>, %arg1: tensor<i32>) -> tensor<64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 64] : (tensor<6x64xf32>, tensor<i32>, tensor<i32>) -> tensor<1x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x64xf32>) -> tensor<64xf32>
    return %1 : tensor<64xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<6x64x192xf32>, %arg1: tensor<i32>) -> tensor<64x192xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 64, 192] : (tensor<6x64x192xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x192xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x64x192xf32>) -> tensor<64x192xf32>
    return %1 : tensor<64x192xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<6x64x64xf32>, %arg1: tensor<i32>) -> tensor<64x64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 64, 64] : (tensor<6x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    return %1 : tensor<64x64xf32>
  }
  func.func private @dynamic_index_in_dim_2(%arg0: tensor<6x64x256xf32>, %arg1: tensor<i32>) -> tensor<64x256xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 64, 256] : (tensor<6x64x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x256xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x64x256xf32>) -> tensor<64x256xf32>
    return %1 : tensor<64x256xf32>
  }
  func.func private @dynamic_index_in_dim_3(%arg0: tensor<6x256x64xf32>, %arg1: tensor<i32>) -> tensor<256x64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 256, 64] : (tensor<6x256x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x256x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x256x64xf32>) -> tensor<256x64xf32>
    return %1 : tensor<256x64xf32>
  }
  func.func private @closed_call(%arg0: tensor<2x64x64xf32>, %arg1: tensor<64xf32>, %arg2: tensor<64x192xf32>, %arg3: tensor<64x64xf32>, %arg4: tensor<64xf32>, %arg5: tensor<64x256xf32>, %arg6: tensor<256x64xf32>) -> (tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<2x64x1xf32>, tensor<2x64x1xf32>, tensor<2x64x64xf32>, tensor<1x1x64xf32>, tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<2x4x16x64xf32>, tensor<2x4x64x16xf32>, tensor<2x4x64x64xf32>, tensor<2x4x64x1xf32>, tensor<2x4x64x1xf32>, tensor<2x4x64x16xf32>, tensor<2x4x64x64xf32>, tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<2x64x1xf32>, tensor<2x64x1xf32>, tensor<2x64x64xf32>, tensor<1x1x64xf32>, tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<2x64x256xf32>, tensor<2x64x256xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x64x64xf32>, tensor<f32>) -> tensor<2x64xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<2x64xf32>) -> tensor<2x64x1xf32>
    %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x64x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<2x64x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x64x1xf32>) -> tensor<2x64x64xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<2x64x64xf32>
    %6 = stablehlo.multiply %5, %5 : tensor<2x64x64xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x64x64xf32>
    %8 = stablehlo.multiply %7, %5 : tensor<2x64x64xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x64x64xf32>, tensor<f32>) -> tensor<2x64xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<2x64xf32>) -> tensor<2x64x1xf32>
    %cst_3 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x64x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<2x64x1xf32>
    %13 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x64x1xf32>) -> tensor<2x64x64xf32>
    %14 = stablehlo.subtract %arg0, %13 : tensor<2x64x64xf32>
    %cst_4 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x64x1xf32>
    %16 = stablehlo.add %12, %15 : tensor<2x64x1xf32>
    %17 = stablehlo.rsqrt %16 : tensor<2x64x1xf32>
    %18 = stablehlo.divide %17, %16 : tensor<2x64x1xf32>
    %cst_5 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x64x1xf32>
    %20 = stablehlo.multiply %19, %18 : tensor<2x64x1xf32>
    %21 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<2x64x1xf32>) -> tensor<2x64x64xf32>
    %22 = stablehlo.multiply %14, %21 : tensor<2x64x64xf32>
    %23 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<2x64x64xf32>
    %25 = stablehlo.multiply %22, %24 : tensor<2x64x64xf32>
    %26 = stablehlo.dot_general %25, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x64x64xf32>, tensor<64x192xf32>) -> tensor<2x64x192xf32>
    %27 = stablehlo.slice %26 [0:2, 0:64, 0:64] : (tensor<2x64x192xf32>) -> tensor<2x64x64xf32>
    %28 = stablehlo.slice %26 [0:2, 0:64, 64:128] : (tensor<2x64x192xf32>) -> tensor<2x64x64xf32>
    %29 = stablehlo.slice %26 [0:2, 0:64, 128:192] : (tensor<2x64x192xf32>) -> tensor<2x64x64xf32>
    %30 = stablehlo.reshape %27 : (tensor<2x64x64xf32>) -> tensor<2x64x4x16xf32>
    %31 = stablehlo.transpose %30, dims = [0, 2, 1, 3] : (tensor<2x64x4x16xf32>) -> tensor<2x4x64x16xf32>
    %32 = stablehlo.reshape %28 : (tensor<2x64x64xf32>) -> tensor<2x64x4x16xf32>
    %33 = stablehlo.transpose %32, dims = [0, 2, 1, 3] : (tensor<2x64x4x16xf32>) -> tensor<2x4x64x16xf32>
    %34 = stablehlo.reshape %29 : (tensor<2x64x64xf32>) -> tensor<2x64x4x16xf32>
    %35 = stablehlo.transpose %34, dims = [0, 2, 1, 3] : (tensor<2x64x4x16xf32>) -> tensor<2x4x64x16xf32>
    %36 = stablehlo.transpose %33, dims = [0, 1, 3, 2] : (tensor<2x4x64x16xf32>) -> tensor<2x4x16x64xf32>
    %37 = stablehlo.dot_general %31, %36, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x64x16xf32>, tensor<2x4x16x64xf32>) -> tensor<2x4x64x64xf32>
    %cst_6 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x4x64x64xf32>
    %39 = stablehlo.divide %37, %38 : tensor<2x4x64x64xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %40 = stablehlo.reduce(%39 init: %cst_7) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x64x64xf32>, tensor<f32>) -> tensor<2x4x64xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x4x64xf32>
    %42 = stablehlo.maximum %41, %40 : tensor<2x4x64xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2] : (tensor<2x4x64xf32>) -> tensor<2x4x64x1xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2, 3] : (tensor<2x4x64x1xf32>) -> tensor<2x4x64x64xf32>
    %45 = stablehlo.subtract %39, %44 : tensor<2x4x64x64xf32>
    %46 = stablehlo.exponential %45 : tensor<2x4x64x64xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.reduce(%46 init: %cst_9) applies stablehlo.add across dimensions = [3] : (tensor<2x4x64x64xf32>, tensor<f32>) -> tensor<2x4x64xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2] : (tensor<2x4x64xf32>) -> tensor<2x4x64x1xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2, 3] : (tensor<2x4x64x1xf32>) -> tensor<2x4x64x64xf32>
    %50 = stablehlo.divide %46, %49 : tensor<2x4x64x64xf32>
    %51 = stablehlo.multiply %48, %48 : tensor<2x4x64x1xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x4x64x1xf32>
    %53 = stablehlo.divide %52, %51 : tensor<2x4x64x1xf32>
    %54 = stablehlo.dot_general %50, %35, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x64x64xf32>, tensor<2x4x64x16xf32>) -> tensor<2x4x64x16xf32>
    %55 = stablehlo.transpose %54, dims = [0, 2, 1, 3] : (tensor<2x4x64x16xf32>) -> tensor<2x64x4x16xf32>
    %56 = stablehlo.reshape %55 : (tensor<2x64x4x16xf32>) -> tensor<2x64x64xf32>
    %57 = stablehlo.dot_general %56, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x64x64xf32>, tensor<64x64xf32>) -> tensor<2x64x64xf32>
    %58 = stablehlo.add %arg0, %57 : tensor<2x64x64xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %59 = stablehlo.reduce(%58 init: %cst_11) applies stablehlo.add across dimensions = [2] : (tensor<2x64x64xf32>, tensor<f32>) -> tensor<2x64xf32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [0, 1] : (tensor<2x64xf32>) -> tensor<2x64x1xf32>
    %cst_12 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x64x1xf32>
    %62 = stablehlo.divide %60, %61 : tensor<2x64x1xf32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [0, 1, 2] : (tensor<2x64x1xf32>) -> tensor<2x64x64xf32>
    %64 = stablehlo.subtract %58, %63 : tensor<2x64x64xf32>
    %65 = stablehlo.multiply %64, %64 : tensor<2x64x64xf32>
    %cst_13 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x64x64xf32>
    %67 = stablehlo.multiply %66, %64 : tensor<2x64x64xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %68 = stablehlo.reduce(%65 init: %cst_14) applies stablehlo.add across dimensions = [2] : (tensor<2x64x64xf32>, tensor<f32>) -> tensor<2x64xf32>
    %69 = stablehlo.broadcast_in_dim %68, dims = [0, 1] : (tensor<2x64xf32>) -> tensor<2x64x1xf32>
    %cst_15 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2x64x1xf32>
    %71 = stablehlo.divide %69, %70 : tensor<2x64x1xf32>
    %72 = stablehlo.broadcast_in_dim %62, dims = [0, 1, 2] : (tensor<2x64x1xf32>) -> tensor<2x64x64xf32>
    %73 = stablehlo.subtract %58, %72 : tensor<2x64x64xf32>
    %cst_16 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2x64x1xf32>
    %75 = stablehlo.add %71, %74 : tensor<2x64x1xf32>
    %76 = stablehlo.rsqrt %75 : tensor<2x64x1xf32>
    %77 = stablehlo.divide %76, %75 : tensor<2x64x1xf32>
    %cst_17 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<2x64x1xf32>
    %79 = stablehlo.multiply %78, %77 : tensor<2x64x1xf32>
    %80 = stablehlo.broadcast_in_dim %76, dims = [0, 1, 2] : (tensor<2x64x1xf32>) -> tensor<2x64x64xf32>
    %81 = stablehlo.multiply %73, %80 : tensor<2x64x64xf32>
    %82 = stablehlo.broadcast_in_dim %arg4, dims = [2] : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<2x64x64xf32>
    %84 = stablehlo.multiply %81, %83 : tensor<2x64x64xf32>
    %85 = stablehlo.dot_general %84, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x64x64xf32>, tensor<64x256xf32>) -> tensor<2x64x256xf32>
    %86 = stablehlo.tanh %85 : tensor<2x64x256xf32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2x64x256xf32>
    %88 = stablehlo.subtract %87, %86 : tensor<2x64x256xf32>
    %89 = stablehlo.dot_general %86, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x64x256xf32>, tensor<256x64xf32>) -> tensor<2x64x64xf32>
    %90 = stablehlo.add %58, %89 : tensor<2x64x64xf32>
    return %90, %8, %20, %17, %14, %23, %22, %25, %36, %31, %46, %48, %53, %35, %50, %56, %67, %79, %76, %73, %82, %81, %84, %86, %88 : tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<2x64x1xf32>, tensor<2x64x1xf32>, tensor<2x64x64xf32>, tensor<1x1x64xf32>, tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<2x4x16x64xf32>, tensor<2x4x64x16xf32>, tensor<2x4x64x64xf32>, tensor<2x4x64x1xf32>, tensor<2x4x64x1xf32>, tensor<2x4x64x16xf32>, tensor<2x4x64x64xf32>, tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<2x64x1xf32>, tensor<2x64x1xf32>, tensor<2x64x64xf32>, tensor<1x1x64xf32>, tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<2x64x256xf32>, tensor<2x64x256xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<6x2x64x64xf32>, %arg1: tensor<2x64x64xf32>, %arg2: tensor<i32>) -> tensor<6x2x64x64xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<2x64x64xf32>) -> tensor<1x2x64x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<6x2x64x64xf32>, tensor<1x2x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x2x64x64xf32>
    return %1 : tensor<6x2x64x64xf32>
  }
  func.func private @dynamic_update_index_in_dim_4(%arg0: tensor<6x2x64x1xf32>, %arg1: tensor<2x64x1xf32>, %arg2: tensor<i32>) -> tensor<6x2x64x1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<2x64x1xf32>) -> tensor<1x2x64x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<6x2x64x1xf32>, tensor<1x2x64x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x2x64x1xf32>
    return %1 : tensor<6x2x64x1xf32>
  }
  func.func private @dynamic_update_index_in_dim_5(%arg0: tensor<6x1x1x64xf32>, %arg1: tensor<1x1x64xf32>, %arg2: tensor<i32>) -> tensor<6x1x1x64xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<1x1x64xf32>) -> tensor<1x1x1x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<6x1x1x64xf32>, tensor<1x1x1x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x1x1x64xf32>
    return %1 : tensor<6x1x1x64xf32>
  }
  func.func private @dynamic_update_index_in_dim_6(%arg0: tensor<6x2x4x16x64xf32>, %arg1: tensor<2x4x16x64xf32>, %arg2: tensor<i32>) -> tensor<6x2x4x16x64xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<2x4x16x64xf32>) -> tensor<1x2x4x16x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<6x2x4x16x64xf32>, tensor<1x2x4x16x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x2x4x16x64xf32>
    return %1 : tensor<6x2x4x16x64xf32>
  }
  func.func private @dynamic_update_index_in_dim_7(%arg0: tensor<6x2x4x64x16xf32>, %arg1: tensor<2x4x64x16xf32>, %arg2: tensor<i32>) -> tensor<6x2x4x64x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<2x4x64x16xf32>) -> tensor<1x2x4x64x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<6x2x4x64x16xf32>, tensor<1x2x4x64x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x2x4x64x16xf32>
    return %1 : tensor<6x2x4x64x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_8(%arg0: tensor<6x2x4x64x64xf32>, %arg1: tensor<2x4x64x64xf32>, %arg2: tensor<i32>) -> tensor<6x2x4x64x64xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<2x4x64x64xf32>) -> tensor<1x2x4x64x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<6x2x4x64x64xf32>, tensor<1x2x4x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x2x4x64x64xf32>
    return %1 : tensor<6x2x4x64x64xf32>
  }
  func.func private @dynamic_update_index_in_dim_9(%arg0: tensor<6x2x4x64x1xf32>, %arg1: tensor<2x4x64x1xf32>, %arg2: tensor<i32>) -> tensor<6x2x4x64x1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<2x4x64x1xf32>) -> tensor<1x2x4x64x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<6x2x4x64x1xf32>, tensor<1x2x4x64x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x2x4x64x1xf32>
    return %1 : tensor<6x2x4x64x1xf32>
  }
  func.func private @dynamic_update_index_in_dim_10(%arg0: tensor<6x2x64x256xf32>, %arg1: tensor<2x64x256xf32>, %arg2: tensor<i32>) -> tensor<6x2x64x256xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<2x64x256xf32>) -> tensor<1x2x64x256xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<6x2x64x256xf32>, tensor<1x2x64x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x2x64x256xf32>
    return %1 : tensor<6x2x64x256xf32>
  }
  func.func private @dynamic_index_in_dim_11(%arg0: tensor<6x2x64x64xf32>, %arg1: tensor<i32>) -> tensor<2x64x64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 2, 64, 64] : (tensor<6x2x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x64x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x64x64xf32>) -> tensor<2x64x64xf32>
    return %1 : tensor<2x64x64xf32>
  }
  func.func private @dynamic_index_in_dim_12(%arg0: tensor<6x2x64x1xf32>, %arg1: tensor<i32>) -> tensor<2x64x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 2, 64, 1] : (tensor<6x2x64x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x64x1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x64x1xf32>) -> tensor<2x64x1xf32>
    return %1 : tensor<2x64x1xf32>
  }
  func.func private @dynamic_index_in_dim_13(%arg0: tensor<6x1x1x64xf32>, %arg1: tensor<i32>) -> tensor<1x1x64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 1, 1, 64] : (tensor<6x1x1x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x1x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x1x1x64xf32>) -> tensor<1x1x64xf32>
    return %1 : tensor<1x1x64xf32>
  }
  func.func private @dynamic_index_in_dim_14(%arg0: tensor<6x2x4x16x64xf32>, %arg1: tensor<i32>) -> tensor<2x4x16x64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 2, 4, 16, 64] : (tensor<6x2x4x16x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4x16x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x4x16x64xf32>) -> tensor<2x4x16x64xf32>
    return %1 : tensor<2x4x16x64xf32>
  }
  func.func private @dynamic_index_in_dim_15(%arg0: tensor<6x2x4x64x16xf32>, %arg1: tensor<i32>) -> tensor<2x4x64x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 2, 4, 64, 16] : (tensor<6x2x4x64x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4x64x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x4x64x16xf32>) -> tensor<2x4x64x16xf32>
    return %1 : tensor<2x4x64x16xf32>
  }
  func.func private @dynamic_index_in_dim_16(%arg0: tensor<6x2x4x64x64xf32>, %arg1: tensor<i32>) -> tensor<2x4x64x64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 2, 4, 64, 64] : (tensor<6x2x4x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4x64x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x4x64x64xf32>) -> tensor<2x4x64x64xf32>
    return %1 : tensor<2x4x64x64xf32>
  }
  func.func private @dynamic_index_in_dim_17(%arg0: tensor<6x2x4x64x1xf32>, %arg1: tensor<i32>) -> tensor<2x4x64x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 2, 4, 64, 1] : (tensor<6x2x4x64x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4x64x1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x4x64x1xf32>) -> tensor<2x4x64x1xf32>
    return %1 : tensor<2x4x64x1xf32>
  }
  func.func private @dynamic_index_in_dim_18(%arg0: tensor<6x2x64x256xf32>, %arg1: tensor<i32>) -> tensor<2x64x256xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 2, 64, 256] : (tensor<6x2x64x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x64x256xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x64x256xf32>) -> tensor<2x64x256xf32>
    return %1 : tensor<2x64x256xf32>
  }
  func.func private @closed_call_19(%arg0: tensor<2x64x64xf32>, %arg1: tensor<2x64x64xf32>, %arg2: tensor<2x64x1xf32>, %arg3: tensor<2x64x1xf32>, %arg4: tensor<2x64x64xf32>, %arg5: tensor<1x1x64xf32>, %arg6: tensor<2x64x64xf32>, %arg7: tensor<64x192xf32>, %arg8: tensor<2x64x64xf32>, %arg9: tensor<2x4x16x64xf32>, %arg10: tensor<2x4x64x16xf32>, %arg11: tensor<2x4x64x64xf32>, %arg12: tensor<2x4x64x1xf32>, %arg13: tensor<2x4x64x1xf32>, %arg14: tensor<2x4x64x16xf32>, %arg15: tensor<2x4x64x64xf32>, %arg16: tensor<64x64xf32>, %arg17: tensor<2x64x64xf32>, %arg18: tensor<2x64x64xf32>, %arg19: tensor<2x64x1xf32>, %arg20: tensor<2x64x1xf32>, %arg21: tensor<2x64x64xf32>, %arg22: tensor<1x1x64xf32>, %arg23: tensor<2x64x64xf32>, %arg24: tensor<64x256xf32>, %arg25: tensor<2x64x64xf32>, %arg26: tensor<2x64x256xf32>, %arg27: tensor<2x64x256xf32>, %arg28: tensor<256x64xf32>) -> (tensor<2x64x64xf32>, tensor<64xf32>, tensor<64x192xf32>, tensor<64x64xf32>, tensor<64xf32>, tensor<64x256xf32>, tensor<256x64xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg26, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x64x64xf32>, tensor<2x64x256xf32>) -> tensor<64x256xf32>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<64x256xf32>) -> tensor<256x64xf32>
    %2 = stablehlo.dot_general %arg0, %arg28, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x64x64xf32>, tensor<256x64xf32>) -> tensor<2x64x256xf32>
    %3 = stablehlo.multiply %2, %arg27 : tensor<2x64x256xf32>
    %4 = stablehlo.multiply %3, %arg26 : tensor<2x64x256xf32>
    %5 = stablehlo.add %3, %4 : tensor<2x64x256xf32>
    %6 = stablehlo.dot_general %5, %arg25, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x64x256xf32>, tensor<2x64x64xf32>) -> tensor<256x64xf32>
    %7 = stablehlo.transpose %6, dims = [1, 0] : (tensor<256x64xf32>) -> tensor<64x256xf32>
    %8 = stablehlo.dot_general %5, %arg24, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x64x256xf32>, tensor<64x256xf32>) -> tensor<2x64x64xf32>
    %9 = stablehlo.multiply %arg23, %8 : tensor<2x64x64xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x64x64xf32>, tensor<f32>) -> tensor<64xf32>
    %11 = stablehlo.reshape %10 : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %12 = stablehlo.broadcast_in_dim %arg22, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<2x64x64xf32>
    %13 = stablehlo.multiply %8, %12 : tensor<2x64x64xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%11 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %15 = stablehlo.multiply %arg21, %13 : tensor<2x64x64xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x64x64xf32>, tensor<f32>) -> tensor<2x64xf32>
    %17 = stablehlo.reshape %16 : (tensor<2x64xf32>) -> tensor<2x64x1xf32>
    %18 = stablehlo.broadcast_in_dim %arg20, dims = [0, 1, 2] : (tensor<2x64x1xf32>) -> tensor<2x64x64xf32>
    %19 = stablehlo.multiply %13, %18 : tensor<2x64x64xf32>
    %20 = stablehlo.multiply %17, %arg19 : tensor<2x64x1xf32>
    %21 = stablehlo.negate %19 : tensor<2x64x64xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.reduce(%21 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x64x64xf32>, tensor<f32>) -> tensor<2x64xf32>
    %23 = stablehlo.reshape %22 : (tensor<2x64xf32>) -> tensor<2x64x1xf32>
    %24 = stablehlo.add %arg0, %19 : tensor<2x64x64xf32>
    %cst_3 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x64x1xf32>
    %26 = stablehlo.divide %20, %25 : tensor<2x64x1xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.reduce(%26 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<2x64x1xf32>, tensor<f32>) -> tensor<2x64xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1] : (tensor<2x64xf32>) -> tensor<2x64x64xf32>
    %29 = stablehlo.multiply %28, %arg18 : tensor<2x64x64xf32>
    %30 = stablehlo.negate %29 : tensor<2x64x64xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.reduce(%30 init: %cst_5) applies stablehlo.add across dimensions = [2] : (tensor<2x64x64xf32>, tensor<f32>) -> tensor<2x64xf32>
    %32 = stablehlo.reshape %31 : (tensor<2x64xf32>) -> tensor<2x64x1xf32>
    %33 = stablehlo.add %24, %29 : tensor<2x64x64xf32>
    %34 = stablehlo.add %23, %32 : tensor<2x64x1xf32>
    %cst_6 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x64x1xf32>
    %36 = stablehlo.divide %34, %35 : tensor<2x64x1xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.reduce(%36 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<2x64x1xf32>, tensor<f32>) -> tensor<2x64xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1] : (tensor<2x64xf32>) -> tensor<2x64x64xf32>
    %39 = stablehlo.add %33, %38 : tensor<2x64x64xf32>
    %40 = stablehlo.dot_general %39, %arg17, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x64x64xf32>, tensor<2x64x64xf32>) -> tensor<64x64xf32>
    %41 = stablehlo.transpose %40, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %42 = stablehlo.dot_general %39, %arg16, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x64x64xf32>, tensor<64x64xf32>) -> tensor<2x64x64xf32>
    %43 = stablehlo.reshape %42 : (tensor<2x64x64xf32>) -> tensor<2x64x4x16xf32>
    %44 = stablehlo.transpose %43, dims = [0, 2, 1, 3] : (tensor<2x64x4x16xf32>) -> tensor<2x4x64x16xf32>
    %45 = stablehlo.dot_general %44, %arg15, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x64x16xf32>, tensor<2x4x64x64xf32>) -> tensor<2x4x16x64xf32>
    %46 = stablehlo.transpose %45, dims = [0, 1, 3, 2] : (tensor<2x4x16x64xf32>) -> tensor<2x4x64x16xf32>
    %47 = stablehlo.dot_general %44, %arg14, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x64x16xf32>, tensor<2x4x64x16xf32>) -> tensor<2x4x64x64xf32>
    %48 = stablehlo.broadcast_in_dim %arg13, dims = [0, 1, 2, 3] : (tensor<2x4x64x1xf32>) -> tensor<2x4x64x64xf32>
    %49 = stablehlo.multiply %47, %48 : tensor<2x4x64x64xf32>
    %50 = stablehlo.multiply %49, %arg11 : tensor<2x4x64x64xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = stablehlo.reduce(%50 init: %cst_8) applies stablehlo.add across dimensions = [3] : (tensor<2x4x64x64xf32>, tensor<f32>) -> tensor<2x4x64xf32>
    %52 = stablehlo.reshape %51 : (tensor<2x4x64xf32>) -> tensor<2x4x64x1xf32>
    %53 = stablehlo.negate %52 : tensor<2x4x64x1xf32>
    %54 = stablehlo.broadcast_in_dim %arg12, dims = [0, 1, 2, 3] : (tensor<2x4x64x1xf32>) -> tensor<2x4x64x64xf32>
    %55 = stablehlo.divide %47, %54 : tensor<2x4x64x64xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.reduce(%53 init: %cst_9) applies stablehlo.add across dimensions = [3] : (tensor<2x4x64x1xf32>, tensor<f32>) -> tensor<2x4x64xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2] : (tensor<2x4x64xf32>) -> tensor<2x4x64x64xf32>
    %58 = stablehlo.add %55, %57 : tensor<2x4x64x64xf32>
    %59 = stablehlo.multiply %58, %arg11 : tensor<2x4x64x64xf32>
    %cst_10 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x4x64x64xf32>
    %61 = stablehlo.divide %59, %60 : tensor<2x4x64x64xf32>
    %62 = stablehlo.dot_general %61, %arg10, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x64x64xf32>, tensor<2x4x64x16xf32>) -> tensor<2x4x64x16xf32>
    %63 = stablehlo.transpose %62, dims = [0, 1, 3, 2] : (tensor<2x4x64x16xf32>) -> tensor<2x4x16x64xf32>
    %64 = stablehlo.dot_general %61, %arg9, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x64x64xf32>, tensor<2x4x16x64xf32>) -> tensor<2x4x64x16xf32>
    %65 = stablehlo.transpose %63, dims = [0, 1, 3, 2] : (tensor<2x4x16x64xf32>) -> tensor<2x4x64x16xf32>
    %66 = stablehlo.transpose %46, dims = [0, 2, 1, 3] : (tensor<2x4x64x16xf32>) -> tensor<2x64x4x16xf32>
    %67 = stablehlo.reshape %66 : (tensor<2x64x4x16xf32>) -> tensor<2x64x64xf32>
    %68 = stablehlo.transpose %65, dims = [0, 2, 1, 3] : (tensor<2x4x64x16xf32>) -> tensor<2x64x4x16xf32>
    %69 = stablehlo.reshape %68 : (tensor<2x64x4x16xf32>) -> tensor<2x64x64xf32>
    %70 = stablehlo.transpose %64, dims = [0, 2, 1, 3] : (tensor<2x4x64x16xf32>) -> tensor<2x64x4x16xf32>
    %71 = stablehlo.reshape %70 : (tensor<2x64x4x16xf32>) -> tensor<2x64x64xf32>
    %72 = stablehlo.concatenate %71, %69, %67, dim = 2 : (tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<2x64x64xf32>) -> tensor<2x64x192xf32>
    %73 = stablehlo.dot_general %72, %arg8, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x64x192xf32>, tensor<2x64x64xf32>) -> tensor<192x64xf32>
    %74 = stablehlo.transpose %73, dims = [1, 0] : (tensor<192x64xf32>) -> tensor<64x192xf32>
    %75 = stablehlo.dot_general %72, %arg7, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x64x192xf32>, tensor<64x192xf32>) -> tensor<2x64x64xf32>
    %76 = stablehlo.multiply %arg6, %75 : tensor<2x64x64xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %77 = stablehlo.reduce(%76 init: %cst_11) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x64x64xf32>, tensor<f32>) -> tensor<64xf32>
    %78 = stablehlo.reshape %77 : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %79 = stablehlo.broadcast_in_dim %arg5, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<2x64x64xf32>
    %80 = stablehlo.multiply %75, %79 : tensor<2x64x64xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %81 = stablehlo.reduce(%78 init: %cst_12) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %82 = stablehlo.multiply %arg4, %80 : tensor<2x64x64xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %83 = stablehlo.reduce(%82 init: %cst_13) applies stablehlo.add across dimensions = [2] : (tensor<2x64x64xf32>, tensor<f32>) -> tensor<2x64xf32>
    %84 = stablehlo.reshape %83 : (tensor<2x64xf32>) -> tensor<2x64x1xf32>
    %85 = stablehlo.broadcast_in_dim %arg3, dims = [0, 1, 2] : (tensor<2x64x1xf32>) -> tensor<2x64x64xf32>
    %86 = stablehlo.multiply %80, %85 : tensor<2x64x64xf32>
    %87 = stablehlo.multiply %84, %arg2 : tensor<2x64x1xf32>
    %88 = stablehlo.negate %86 : tensor<2x64x64xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %89 = stablehlo.reduce(%88 init: %cst_14) applies stablehlo.add across dimensions = [2] : (tensor<2x64x64xf32>, tensor<f32>) -> tensor<2x64xf32>
    %90 = stablehlo.reshape %89 : (tensor<2x64xf32>) -> tensor<2x64x1xf32>
    %91 = stablehlo.add %39, %86 : tensor<2x64x64xf32>
    %cst_15 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2x64x1xf32>
    %93 = stablehlo.divide %87, %92 : tensor<2x64x1xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %94 = stablehlo.reduce(%93 init: %cst_16) applies stablehlo.add across dimensions = [2] : (tensor<2x64x1xf32>, tensor<f32>) -> tensor<2x64xf32>
    %95 = stablehlo.broadcast_in_dim %94, dims = [0, 1] : (tensor<2x64xf32>) -> tensor<2x64x64xf32>
    %96 = stablehlo.multiply %95, %arg1 : tensor<2x64x64xf32>
    %97 = stablehlo.negate %96 : tensor<2x64x64xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %98 = stablehlo.reduce(%97 init: %cst_17) applies stablehlo.add across dimensions = [2] : (tensor<2x64x64xf32>, tensor<f32>) -> tensor<2x64xf32>
    %99 = stablehlo.reshape %98 : (tensor<2x64xf32>) -> tensor<2x64x1xf32>
    %100 = stablehlo.add %91, %96 : tensor<2x64x64xf32>
    %101 = stablehlo.add %90, %99 : tensor<2x64x1xf32>
    %cst_18 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2x64x1xf32>
    %103 = stablehlo.divide %101, %102 : tensor<2x64x1xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %104 = stablehlo.reduce(%103 init: %cst_19) applies stablehlo.add across dimensions = [2] : (tensor<2x64x1xf32>, tensor<f32>) -> tensor<2x64xf32>
    %105 = stablehlo.broadcast_in_dim %104, dims = [0, 1] : (tensor<2x64xf32>) -> tensor<2x64x64xf32>
    %106 = stablehlo.add %100, %105 : tensor<2x64x64xf32>
    return %106, %81, %74, %41, %14, %7, %1 : tensor<2x64x64xf32>, tensor<64xf32>, tensor<64x192xf32>, tensor<64x64xf32>, tensor<64xf32>, tensor<64x256xf32>, tensor<256x64xf32>
  }
  func.func private @dynamic_update_index_in_dim_20(%arg0: tensor<6x64xf32>, %arg1: tensor<64xf32>, %arg2: tensor<i32>) -> tensor<6x64xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<6x64xf32>, tensor<1x64xf32>, tensor<i32>, tensor<i32>) -> tensor<6x64xf32>
    return %1 : tensor<6x64xf32>
  }
  func.func private @dynamic_update_index_in_dim_21(%arg0: tensor<6x64x192xf32>, %arg1: tensor<64x192xf32>, %arg2: tensor<i32>) -> tensor<6x64x192xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<64x192xf32>) -> tensor<1x64x192xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x64x192xf32>, tensor<1x64x192xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x64x192xf32>
    return %1 : tensor<6x64x192xf32>
  }
  func.func private @dynamic_update_index_in_dim_22(%arg0: tensor<6x64x64xf32>, %arg1: tensor<64x64xf32>, %arg2: tensor<i32>) -> tensor<6x64x64xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x64x64xf32>, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x64x64xf32>
    return %1 : tensor<6x64x64xf32>
  }
  func.func private @dynamic_update_index_in_dim_23(%arg0: tensor<6x64x256xf32>, %arg1: tensor<64x256xf32>, %arg2: tensor<i32>) -> tensor<6x64x256xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<64x256xf32>) -> tensor<1x64x256xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x64x256xf32>, tensor<1x64x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x64x256xf32>
    return %1 : tensor<6x64x256xf32>
  }
  func.func private @dynamic_update_index_in_dim_24(%arg0: tensor<6x256x64xf32>, %arg1: tensor<256x64xf32>, %arg2: tensor<i32>) -> tensor<6x256x64xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<256x64xf32>) -> tensor<1x256x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x256x64xf32>, tensor<1x256x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x256x64xf32>
    return %1 : tensor<6x256x64xf32>
  }
}
