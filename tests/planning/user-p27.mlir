// What nested regions hold and what is live across them counts: u is 32 KiB.
// At the addition in the branch there are %big, which lives across the loop,
// with 4 u, the carried value with 1 u, and three times 8 u.
// RUN: %remat --target=generic --analyze --report=%t.json %s -o %t.out
// RUN: FileCheck %s < %t.json
// 4 + 1 + 24 = 29 u = 950272 bytes of temporaries
// CHECK: "name": "step"{{.*}}"peak_before_temp_bytes": 950272,
func.func @step(%x: tensor<64x128xf32>, %p: tensor<256x128xf32>, %a: tensor<256x256xf32>, %b: tensor<256x256xf32>, %c: i1, %n: index) -> (tensor<64x128xf32>, tensor<256x128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %big = math.exp %p : tensor<256x128xf32>
  %first = math.exp %x : tensor<64x128xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %first) -> (tensor<64x128xf32>) {
    %w = scf.if %c -> (tensor<64x128xf32>) {
      %l0 = math.exp %a : tensor<256x256xf32>
      %l1 = math.tanh %b : tensor<256x256xf32>
      %s = arith.addf %l0, %l1 : tensor<256x256xf32>
      %t = tensor.extract_slice %s[0, 0] [64, 128] [1, 1] : tensor<256x256xf32> to tensor<64x128xf32>
      %y = arith.mulf %t, %v : tensor<64x128xf32>
      scf.yield %y : tensor<64x128xf32>
    } else {
      scf.yield %v : tensor<64x128xf32>
    }
    scf.yield %w : tensor<64x128xf32>
  }
  %q = math.tanh %big : tensor<256x128xf32>
  return %r, %q : tensor<64x128xf32>, tensor<256x128xf32>
}
