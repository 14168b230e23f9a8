// Annotations of a function's results, in generic form, are those of what is
// returned, unless that has one itself: of 8 x 4 floats %0 has 4 rows a
// device, 64 bytes; %1, annotated by its op, 2 columns, 64 bytes, and not the
// single row that the result says; %2, which %3 is made of, all 128.
// RUN: %remat %s --target=generic --strategy=none -o /dev/null -fdump-alias 2>&1 | FileCheck %s
// RUN: %remat %s --target=generic --strategy=none 2>/dev/null | diff %s -
// CHECK: 64 B, {{.*}}: %0
// CHECK: 64 B, {{.*}}: %1
// CHECK: 128 B, {{.*}}: %2
// CHECK: 16 B, {{.*}}: %3
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>), res_attrs = [{mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"}, {mhlo.sharding = "{devices=[8,1]<=[8]}"}, {mhlo.sharding = "{devices=[8,1]<=[8]}"}], sym_name = "main"}> ({
  ^bb0(%a: tensor<8x4xf32>):
    %0 = "stablehlo.tanh"(%a) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %1 = "stablehlo.exponential"(%a) {mhlo.sharding = "{devices=[1,2,4]<=[8] last_tile_dim_replicate}"} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %2 = "stablehlo.sine"(%a) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %3 = "stablehlo.cosine"(%2) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    "func.return"(%0, %1, %3) : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32} : () -> ()
