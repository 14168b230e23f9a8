// A chain forward whose early values are all read again at its end.
// MODE: fresh
// BUDGET: 50%peak 70%peak
!t = tensor<64x64xf64>
func.func @step(%x: !t, %y: !t) -> (!t, !t) {
  %v0 = arith.addf %x, %x : !t
  %v1 = arith.mulf %v0, %y : !t
  %v2 = arith.subf %v1, %x : !t
  %v3 = arith.addf %v2, %y : !t
  %v4 = arith.mulf %v3, %x : !t
  %v5 = arith.subf %v4, %y : !t
  %v6 = arith.addf %v5, %x : !t
  %v7 = arith.mulf %v6, %y : !t
  %v8 = arith.subf %v7, %x : !t
  %v9 = arith.addf %v8, %y : !t
  %v10 = arith.mulf %v9, %x : !t
  %v11 = arith.subf %v10, %y : !t
  %s0 = arith.addf %v11, %v0 : !t
  %s1 = arith.addf %s0, %v1 : !t
  %s2 = arith.addf %s1, %v2 : !t
  %s3 = arith.addf %s2, %v3 : !t
  %s4 = arith.addf %s3, %v4 : !t
  %s5 = arith.addf %s4, %v5 : !t
  %s6 = arith.addf %s5, %v6 : !t
  %s7 = arith.addf %s6, %v7 : !t
  %s8 = arith.addf %s7, %v8 : !t
  %s9 = arith.addf %s8, %v9 : !t
  return %s9, %v11 : !t, !t
}
