#map = affine_map<(d0) -> (d0)>
func.func @regions(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %0 = tensor.empty() : tensor<8xf32>
  %v1_remat = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%0 : tensor<8xf32>) attrs = {} {
  ^bb0(%in_remat: f32, %out_remat: f32):
    // inside
    %v5_remat = arith.mulf %in_remat, %in_remat : f32
    linalg.yield %v5_remat : f32
  } -> tensor<8xf32>
  %v2_remat:2 = "tessera.split"(%v1_remat) {tessera.effect = "pure"} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %3 = "test.one"() ({ %5 = "test.in"(%v2_remat#1) : (tensor<8xf32>) -> tensor<8xf32> "test.yield"(%5, %v2_remat#0) : (tensor<8xf32>, tensor<8xf32>) -> () }) : () -> tensor<8xf32>
  %v1_remat2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%0 : tensor<8xf32>) attrs = {} {
  ^bb0(%in_remat2: f32, %out_remat2: f32):
    // inside
    %v5_remat2 = arith.mulf %in_remat2, %in_remat2 : f32
    linalg.yield %v5_remat2 : f32
  } -> tensor<8xf32>
  %4 = arith.addf %3, %v1_remat2 : tensor<8xf32>
  %5 = arith.addf %4, %4 : tensor<8xf32>
  return %5 : tensor<8xf32>
}
func.func @blocks(%x: tensor<8xf32>, %c: i1) -> tensor<8xf32> {
  %a_remat = arith.negf %x : tensor<8xf32>
  cf.cond_br %c, ^left(%a_remat : tensor<8xf32>), ^right
^right: // reads from above
  %a_remat2 = arith.negf %x : tensor<8xf32>
  %b = arith.addf %a_remat2, %a_remat2 : tensor<8xf32>
  cf.br ^left(%b : tensor<8xf32>)
^left(%v: tensor<8xf32>):
  %a_remat3 = arith.negf %x : tensor<8xf32>
  %d = arith.addf %v, %a_remat3 : tensor<8xf32>
  return %d : tensor<8xf32>
}
