// P18: what was read from memory that is written later is never read again.
// %c is made of the old contents of %m; it is kept although it is large and
// cheap.  The loads, the store and their order stay.
//
// RUN: not %remat --target=generic --memory-model=live --no-annotate \
// RUN:   --budget=9MiB %s -o %t.mlir
// RUN: diff %s %t.mlir

func.func @main(%m: memref<512x512xf32>, %v: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %a = bufferization.to_tensor %m : memref<512x512xf32>
  %s = bufferization.to_memref %v : memref<512x512xf32>
  memref.copy %s, %m : memref<512x512xf32> to memref<512x512xf32>
  %u = arith.negf %a : tensor<512x512xf32>
  %b = "tessera.gelu"(%u) : (tensor<512x512xf32>) -> tensor<4x512x512xf32>
  %c = "tessera.gelu"(%b) : (tensor<4x512x512xf32>) -> tensor<4x512x512xf32>
  %d = "tessera.layer_norm"(%c) : (tensor<4x512x512xf32>) -> tensor<512x512xf32>
  %e = arith.addf %d, %a : tensor<512x512xf32>
  return %e : tensor<512x512xf32>
}
