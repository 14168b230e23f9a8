// Fences are the fused model's: asked for under another one they are refused,
// not forgotten.
// RUN: not %remat --budget=50%%temp -fbarriers %s -o %t.mlir 2>&1 | FileCheck %s
// RUN: %remat --budget=100%%temp -fno-barriers %s -o %t.mlir
// CHECK: error: -fbarriers needs --memory-model=fused: {{.*}} [REMAT_USAGE]
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = arith.negf %a : tensor<8xf32>
  %1 = arith.negf %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}
