// A chain of elementwise ops and its backward pass, which reads all of it.
// MODE: fresh
// BUDGET: 60%peak 80%peak
!t = tensor<128x128xf32>
func.func @step(%x: !t) -> !t {
  %v0 = math.tanh %x : !t
  %v1 = math.exp %v0 : !t
  %v2 = math.tanh %v1 : !t
  %v3 = math.sqrt %v1 : !t
  %v4 = math.tanh %v3 : !t
  %v5 = arith.mulf %v4, %v2 : !t
  %v6 = math.tanh %v5 : !t
  %v7 = math.cos %v6 : !t
  %g7 = arith.subf %v7, %v6 : !t
  %g6 = arith.addf %g7, %v5 : !t
  %g5 = arith.mulf %g6, %v4 : !t
  %g4 = arith.mulf %g5, %v3 : !t
  %g3 = arith.addf %g4, %v2 : !t
  %g2 = arith.mulf %g3, %v1 : !t
  %g1 = arith.addf %g2, %v0 : !t
  return %g1 : !t
}
