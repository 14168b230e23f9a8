// Two functions in one module, each with its own plan.
// MODE: fresh
// BUDGET: 393216
!t = tensor<128x128xf32>
func.func @first(%x: !t) -> !t {
  %v0 = math.tanh %x : !t
  %v1 = math.cos %v0 : !t
  %v2 = math.exp %v1 : !t
  %v3 = math.tanh %v2 : !t
  %v4 = math.cos %v3 : !t
  %v5 = math.exp %v4 : !t
  %v6 = math.tanh %v5 : !t
  %v7 = math.cos %v6 : !t
  %g6 = arith.mulf %v7, %v6 : !t
  %g5 = arith.subf %g6, %v5 : !t
  %g4 = arith.mulf %g5, %v4 : !t
  %g3 = arith.subf %g4, %v3 : !t
  %g2 = arith.mulf %g3, %v2 : !t
  %g1 = arith.subf %g2, %v1 : !t
  %g0 = arith.mulf %g1, %v0 : !t
  return %g0 : !t
}
func.func @second(%x: !t) -> !t {
  %v0 = math.cos %x : !t
  %v1 = math.exp %v0 : !t
  %v2 = math.tanh %v1 : !t
  %v3 = math.cos %v2 : !t
  %v4 = math.exp %v3 : !t
  %v5 = math.tanh %v4 : !t
  %g4 = arith.mulf %v5, %v4 : !t
  %g3 = arith.subf %g4, %v3 : !t
  %g2 = arith.mulf %g3, %v2 : !t
  %g1 = arith.subf %g2, %v1 : !t
  %g0 = arith.mulf %g1, %v0 : !t
  return %g0 : !t
}
