#map = affine_map<(d0) -> (d0)>
func.func @regions(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %0 = tensor.empty() : tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%0 : tensor<8xf32>) attrs = {remat.recompute} {
  ^bb0(%in: f32, %out: f32):
    // inside
    %5 = arith.mulf %in, %in : f32
    linalg.yield %5 : f32
  } -> tensor<8xf32>
  %2:2 = "tessera.split"(%1) {remat.recompute, tessera.effect = "pure"} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %3 = "test.one"() ({ %5 = "test.in"(%2#1) : (tensor<8xf32>) -> tensor<8xf32> "test.yield"(%5, %2#0) : (tensor<8xf32>, tensor<8xf32>) -> () }) : () -> tensor<8xf32>
  %4 = arith.addf %3, %1 : tensor<8xf32>
  %5 = arith.addf %4, %4 : tensor<8xf32>
  return %5 : tensor<8xf32>
}
func.func @blocks(%x: tensor<8xf32>, %c: i1) -> tensor<8xf32> {
  %a = arith.negf %x {remat.recompute} : tensor<8xf32>
  cf.cond_br %c, ^left(%a : tensor<8xf32>), ^right
^right: // reads from above
  %b = arith.addf %a, %a : tensor<8xf32>
  cf.br ^left(%b : tensor<8xf32>)
^left(%v: tensor<8xf32>):
  %d = arith.addf %v, %a : tensor<8xf32>
  return %d : tensor<8xf32>
}
