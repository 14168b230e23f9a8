// Loops that read values made before them, inside and after; a branch.
!t = tensor<64x64xf32>
func.func @step(%x: !t, %y: !t) -> (!t, !t) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c3 = arith.constant 3 : index
  %a = math.tanh %x : !t
  %b = math.cos %a : !t
  %p = arith.mulf %b, %y : !t
  %q = math.sin %p : !t
  %r = arith.addf %q, %y : !t
  %t = math.exp %r : !t
  %l = scf.for %i = %c0 to %c5 step %c1 iter_args(%s = %t) -> (!t) {
    %m = arith.mulf %s, %a : !t
    %n = math.tanh %m : !t
    %odd = arith.cmpi ult, %i, %c3 : index
    %o = scf.if %odd -> (!t) {
      %u = arith.addf %n, %a : !t
      scf.yield %u : !t
    } else {
      %u = arith.subf %n, %m : !t
      scf.yield %u : !t
    }
    scf.yield %o : !t
  }
  %d = arith.addf %l, %b : !t
  %e = arith.mulf %d, %p : !t
  %f = arith.subf %e, %q : !t
  %g = arith.addf %f, %r : !t
  return %g, %d : !t, !t
}
