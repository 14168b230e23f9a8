// Diamonds of products, with values that both sides and the end read.
// MODE: inplace
// BUDGET: 70%peak
!t = tensor<64x64xf32>
func.func @step(%x: !t, %w: !t, %u: !t) -> !t {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : !t
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : !t) -> !t
  %a = linalg.matmul ins(%x, %w : !t, !t) outs(%f0 : !t) -> !t
  %b = math.tanh %a : !t
  %c = math.absf %a : !t
  %e1 = tensor.empty() : !t
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : !t) -> !t
  %d = linalg.matmul ins(%b, %u : !t, !t) outs(%f1 : !t) -> !t
  %e = arith.mulf %c, %d : !t
  %f = math.tanh %e : !t
  %g = math.exp2 %e : !t
  %h = arith.subf %f, %g : !t
  %e2 = tensor.empty() : !t
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : !t) -> !t
  %i = linalg.matmul ins(%h, %w : !t, !t) outs(%f2 : !t) -> !t
  %j = arith.mulf %i, %b : !t
  %k = arith.addf %j, %c : !t
  %l = arith.mulf %k, %f : !t
  %m = arith.subf %l, %g : !t
  %n = arith.addf %m, %d : !t
  return %n : !t
}
