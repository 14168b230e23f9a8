// A compiler puts bodies in the place of calls, so the fused model does.
// %0#1 is of the argument alone: it does not need %d.  What is live at the peak
// are %0#0, %e and %g, 4 KiB each; %0#1 is computed where %h reads it.
// RUN: %remat %s --target=x86 --memory-model=fused --analyze | FileCheck --check-prefix=MODEL %s
// MODEL: @main, 9 ops, the entry
// MODEL: when fused        12.0 KiB
// MODEL-NOT: @two
// Reports name places of the text that was given: tanh stands in line 43.
// MODEL: 43-{{[0-9]+}} %inlined2_0 {{.*}} stablehlo.tanh

// Where nothing is planned, what is printed is what was given.
// RUN: %remat %s --target=x86 --memory-model=fused --budget=100%%temp --no-annotate -o - | diff - %s

// Where something is, bodies stand in the place of calls; a call with an
// attribute stays, and so does the function that it names.
// RUN: %remat %s --target=x86 --memory-model=fused --budget=75%%temp --no-annotate -fdump-inline -fverify-each -o %t.mlir 2>&1 | FileCheck --check-prefix=DUMP %s
// RUN: FileCheck --check-prefix=OUT %s < %t.mlir
// RUN: %remat --compare %s %t.mlir --target=x86 | FileCheck --check-prefix=SAME %s
// SAME: the same program
// DUMP: 20 ops in 4 functions, 14 in 2 without calls
// OUT: {{^    }}%inlined2_0 = stablehlo.tanh %d{{(_remat)?}} : tensor<32x32xf32>
// OUT: {{^    }}%inlined1_1 = call @stays(%x) {mark}
// OUT: {{^    }}%inlined2_0_remat{{[0-9]*}} = stablehlo.tanh %d_remat2
// OUT: {{^  }}func.func private @stays
// OUT-NOT: {{^  }}func.func
module {
  func.func public @main(%x: tensor<32x32xf32>, %w: tensor<32x32xf32>) -> tensor<32x32xf32> {
    %d = stablehlo.dot %x, %w : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %0:2 = call @two(%d, %x) : (tensor<32x32xf32>, tensor<32x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>)
    %e = stablehlo.dot %0#0, %w : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %g = stablehlo.dot %e, %w : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %f = stablehlo.dot %g, %w : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %h = stablehlo.multiply %f, %0#1 : tensor<32x32xf32>
    %r = stablehlo.dot %h, %0#0 : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    return %r : tensor<32x32xf32>
  }
  func.func private @two(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>) {
    %0 = func.call @one(%a) : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %1 = call @stays(%b) {mark} : (tensor<32x32xf32>) -> tensor<32x32xf32>
    return %0, %1 : tensor<32x32xf32>, tensor<32x32xf32>
  }
  func.func private @one(%a: tensor<32x32xf32>) -> tensor<32x32xf32> {
    %0 = stablehlo.tanh %a : tensor<32x32xf32>
    return %0 : tensor<32x32xf32>
  }
  func.func private @stays(%a: tensor<32x32xf32>) -> tensor<32x32xf32> {
    %0 = stablehlo.negate %a : tensor<32x32xf32>
    return %0 : tensor<32x32xf32>
  }
}
