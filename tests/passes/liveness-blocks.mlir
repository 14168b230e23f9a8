// Among blocks a value is live only where control may still come to a use of
// it.  U is 4096 bytes.
// RUN: %remat %s --target=generic --strategy=none -o /dev/null -fdump-liveness -fverify-each 2>&1 | FileCheck %s

// %x is read in ^left only, so in ^right there are %a, %p and %q: 3 U; in
// ^left %a, %x, %y: 3 U.  Were %x live in ^right as well, it would be 4.
// CHECK: @diamond: peak 12288 at {{[0-9]+}},
func.func @diamond(%a: tensor<1024xf32>, %c: i1) -> tensor<1024xf32> {
  %x = stablehlo.tanh %a : tensor<1024xf32>
  cf.cond_br %c, ^left, ^right
^left:
  %y = stablehlo.tanh %x : tensor<1024xf32>
  cf.br ^end(%y : tensor<1024xf32>)
^right:
  %p = stablehlo.exponential %a : tensor<1024xf32>
  %q = stablehlo.add %p, %p : tensor<1024xf32>
  cf.br ^end(%q : tensor<1024xf32>)
^end(%r: tensor<1024xf32>):
  return %r : tensor<1024xf32>
}

// %k is read on every turn, so it is live around the loop: %a, %k, %s, %n.
// CHECK: @loop: peak 16384 at {{[0-9]+}},
func.func @loop(%a: tensor<1024xf32>, %c: i1) -> tensor<1024xf32> {
  %k = stablehlo.tanh %a : tensor<1024xf32>
  cf.br ^body(%a : tensor<1024xf32>)
^body(%s: tensor<1024xf32>):
  %n = stablehlo.add %s, %k : tensor<1024xf32>
  cf.cond_br %c, ^body(%n : tensor<1024xf32>), ^end
^end:
  return %a : tensor<1024xf32>
}
