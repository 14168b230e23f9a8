// Slices, shapes, generic ops of two results, integers.
!t = tensor<64x64xf32>
!h = tensor<32x64xf32>
!v = tensor<4096xf32>
!n = tensor<64x64xi32>
#id = affine_map<(i, j) -> (i, j)>
func.func @step(%x: !t, %k: !n) -> (!t, !n) {
  %a = math.tanh %x : !t
  %b = math.exp %a : !t
  %c = math.cos %b : !t
  %d = math.sin %c : !t
  %top = tensor.extract_slice %d[0, 0] [32, 64] [1, 1] : !t to !h
  %low = tensor.extract_slice %d[32, 0] [32, 64] [1, 1] : !t to !h
  %sum = arith.addf %top, %low : !h
  %n = math.tanh %d : !t
  %in = tensor.insert_slice %sum into %n[16, 0] [32, 64] [1, 1] : !h into !t
  %e = tensor.empty() : !t
  %f = tensor.empty() : !n
  %two, %cast = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%in, %k : !t, !n) outs(%e, %f : !t, !n) {
  ^bb0(%p: f32, %q: i32, %r: f32, %s: i32):
    %1 = arith.sitofp %q : i32 to f32
    %2 = arith.mulf %p, %1 : f32
    %3 = arith.addi %q, %q : i32
    linalg.yield %2, %3 : f32, i32
  } -> (!t, !n)
  %flat = tensor.collapse_shape %two [[0, 1]] : !t into !v
  %g = math.tanh %flat : !v
  %h = tensor.expand_shape %g [[0, 1]] output_shape [64, 64] : !v into !t
  %i = arith.mulf %h, %d : !t
  %j = arith.addf %i, %c : !t
  %l = arith.mulf %j, %b : !t
  %m = arith.subf %l, %a : !t
  %w = arith.muli %cast, %k : !n
  return %m, %w : !t, !n
}
