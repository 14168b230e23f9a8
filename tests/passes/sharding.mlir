// A module that is not yet partitioned has global shapes: sizes are divided by
// the annotation where there is one.  %a is 8x4 floats in 4 rows: 32 bytes a
// device; %b is 8x6 in 2 x 4, and 6 / 4 is rounded up: 4 x 2 floats, 32 bytes;
// %c has no annotation: 128.  %s is annotated by an op, which makes %0, that
// it only looks at, 32 as well.  %1 is returned as a result of 2 columns a
// device: 64 bytes.
// RUN: %remat %s --target=generic --strategy=none -o /dev/null -fdump-alias 2>&1 | FileCheck %s
// CHECK: warning: the module is for 8 partitions and not yet partitioned: {{[0-9]+}} values without a sharding annotation are sized as a whole [REMAT_GLOBAL_SHAPES, -Wglobal-shapes]
// CHECK: 32 B, {{.*}}: %a
// CHECK: 32 B, {{.*}}: %b
// CHECK: 128 B, {{.*}}: %c
// CHECK: 128 B, {{.*}}: %r
// CHECK: 32 B, {{.*}}: %0, %s
// CHECK: 64 B, {{.*}}: %1
// RUN: %remat %s --target=generic --analyze | FileCheck --check-prefix=TEXT %s
// TEXT: 8 partitions, not yet partitioned: 5 values sized by an annotation, as one device holds them; 2 without one, as a whole
module @m attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func @main(%a: tensor<8x4xf32> {mhlo.sharding = "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"},
                  %b: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
                  %c: tensor<8x4xf32>,
                  %r: tensor<8x4xf32> {mhlo.sharding = "{replicated}"}) -> (tensor<8x4xf32> {mhlo.sharding = "{devices=[1,2,4]<=[8] last_tile_dim_replicate}"}) {
    %0 = stablehlo.add %a, %c : tensor<8x4xf32>
    %s = stablehlo.custom_call @Sharding(%0) {mhlo.sharding = "{devices=[1,4,2]<=[8] last_tile_dim_replicate}"} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %1 = stablehlo.add %s, %r : tensor<8x4xf32>
    return %1 : tensor<8x4xf32>
  }
}
