// What is called from several places is planned too, once, for the call that
// leaves it least.  At %c @body has %p, %b and %c beside its argument: 9 MiB, and
// 8 without %p, which is read again at the end.  @main holds %x and %y while it
// calls for the second time: 11 MiB, and 10 are all that it may have.
//
// RUN: %remat --target=generic --memory-model=live --no-annotate \
// RUN:   --budget=10MiB %s --report=%t.json -o %t.mlir
// RUN: grep -v '^//' %t.mlir | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// JSON: "name": "body"{{.*}}"emitted_clones": 1,
// JSON: "name": "main"{{.*}}"peak_before_bytes": 11534336, "peak_after_bytes": 10485760,
// JSON-SAME: "fits": true
// The callee is changed, not its calls.
// CHECK-LABEL: func.func private @body
// CHECK: %d = "tessera.layer_norm"(%c)
// CHECK-NEXT: %p_remat = "tessera.gelu"(%a)
// CHECK-NEXT: %r = arith.addf %d, %p_remat
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %y = call @body(%x)
// CHECK-NEXT: %z = call @body(%y)
// CHECK-NEXT: %w = arith.addf %y, %z

func.func private @body(%a: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %p = "tessera.gelu"(%a) : (tensor<512x512xf32>) -> tensor<512x512xf32>
  %q = "tessera.layer_norm"(%p) : (tensor<512x512xf32>) -> tensor<512x512xf32>
  %b = "tessera.gelu"(%q) : (tensor<512x512xf32>) -> tensor<4x512x512xf32>
  %c = "tessera.gelu"(%b) : (tensor<4x512x512xf32>) -> tensor<4x512x512xf32>
  %d = "tessera.layer_norm"(%c) : (tensor<4x512x512xf32>) -> tensor<512x512xf32>
  %r = arith.addf %d, %p : tensor<512x512xf32>
  return %r : tensor<512x512xf32>
}
func.func @main(%x: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %y = call @body(%x) : (tensor<512x512xf32>) -> tensor<512x512xf32>
  %z = call @body(%y) : (tensor<512x512xf32>) -> tensor<512x512xf32>
  %w = arith.addf %y, %z : tensor<512x512xf32>
  return %w : tensor<512x512xf32>
}
