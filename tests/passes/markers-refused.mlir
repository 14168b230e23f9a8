// Markers are orders: what may not be done ends the run.
//
// RUN: not %remat --target=generic --strategy=greedy %s -o %t 2> %t.messages
// RUN: FileCheck %s < %t.messages

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: markers-refused.mlir:[[@LINE+1]]:3: error: 'test.dropout' is marked tessera.recompute, but is not known to be pure{{.*}} [REMAT_EFFECTFUL]
  %v = "test.dropout"(%x) {tessera.recompute} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: markers-refused.mlir:[[@LINE+1]]:3: error: 'test.loop' is marked remat.recompute, but has regions that are not known to be pure{{.*}} [REMAT_NON_CLONABLE]
  %w = "test.loop"() ({
    "test.yield"() : () -> ()
  }) {remat.recompute} : () -> tensor<4xf32>
  // CHECK: markers-refused.mlir:[[@LINE+1]]:3: error: 'arith.negf' is marked both remat.recompute and remat.keep [REMAT_INPUT]
  %k = arith.negf %x {remat.keep, remat.recompute} : tensor<4xf32>
  %s = arith.addf %v, %w : tensor<4xf32>
  %t = arith.addf %s, %k : tensor<4xf32>
  return %t : tensor<4xf32>
}
