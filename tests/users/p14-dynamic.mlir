// P14: a size that is not known is said, not guessed in silence; a bound in the
// rules is used and marked.  generic counts 4096 bytes for such a result.
//
// RUN: %remat --analyze --target=generic %s | FileCheck %s
// CHECK: 4.00 KiB {{.*}}%0  tensor<?x1024xf32>
// CHECK: {{[0-9]+}} values of dynamic size, counted as the rules assume

func.func @main(%x: tensor<?x1024xf32>) -> tensor<?x1024xf32> {
  %0 = stablehlo.tanh %x : tensor<?x1024xf32>
  %1 = stablehlo.add %0, %x : tensor<?x1024xf32>
  return %1 : tensor<?x1024xf32>
}
