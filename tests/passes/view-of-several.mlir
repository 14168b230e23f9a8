// What shows several values stands behind all of them, and keeps all of them:
// %l shows the numbers %i and %j, and whoever reads it needs both.  The plan
// makes %v again behind the peak: at %c there are %x, %v, %b and %c, 10 MiB.
//
// RUN: %remat --target=generic --memory-model=live --no-annotate \
// RUN:   --budget=9MiB %s | grep -v '^//' | FileCheck %s
// CHECK: %i = torch.constant.int 0
// CHECK: %j = torch.constant.int 1
// CHECK: %l = torch.prim.ListConstruct %i, %j
// CHECK: %a = "tessera.gelu"(%v, %l)
// CHECK: %d = "tessera.layer_norm"
// CHECK-NEXT: %v_remat = "tessera.gelu"(%x)

func.func @main(%x: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %i = torch.constant.int 0
  %j = torch.constant.int 1
  %l = torch.prim.ListConstruct %i, %j : (!torch.int, !torch.int) -> !torch.list<int>
  %v = "tessera.gelu"(%x) : (tensor<512x512xf32>) -> tensor<512x512xf32>
  %a = "tessera.gelu"(%v, %l) : (tensor<512x512xf32>, !torch.list<int>) -> tensor<512x512xf32>
  %b = "tessera.gelu"(%a) : (tensor<512x512xf32>) -> tensor<4x512x512xf32>
  %c = "tessera.gelu"(%b) : (tensor<4x512x512xf32>) -> tensor<4x512x512xf32>
  %d = "tessera.layer_norm"(%c) : (tensor<4x512x512xf32>) -> tensor<512x512xf32>
  %e = "tessera.add"(%d, %v) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  return %e : tensor<512x512xf32>
}
