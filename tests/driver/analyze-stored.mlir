// Under the fused model --analyze says for each value whether it is stored, and
// why.  U is 256 B.  The dot's result has its own memory; the tanh's too, for it
// is dear and read twice; what adds to it is computed in its readers, and in
// memory for the dot alone.  At the peak the second dot reads two and makes one,
// which is returned and so is not counted: two are.
// RUN: %remat --analyze --target=x86 %s --report=%t.json | FileCheck %s
// RUN: %python -m json.tool %t.json %t.pretty
// RUN: FileCheck --check-prefix=JSON --input-file=%t.json %s
// RUN: %remat --analyze --memory-model=live --target=x86 %s | FileCheck %s --check-prefix=LIVE

// CHECK: when fused {{ *}}512 B
// CHECK: when fused, live at the peak
// CHECK-DAG: 256 B  %1  is dear and has several readers
// CHECK-DAG: 256 B  %2  is computed inside of its readers; stored for readers that do not fuse
// CHECK: when fused, all values
// CHECK-DAG: 2 x {{ *}}512 B  its op does not fuse with its readers
// CHECK-DAG: 1 x {{ *}}256 B  is computed inside of its readers
// CHECK-DAG: 1 x {{ *}}256 B  is dear and has several readers
// JSON: "memory_model": "fused"
// JSON: "fused_peak_before_temp_bytes": 512
// JSON: "fused_live_at_peak": [
// JSON: "values": [
// JSON: {"value": "%0", "bytes": 256, "stored_for": "all",
// JSON: {"value": "%2", "bytes": 256, "stored_for": "some",
// LIVE-NOT: when fused, all values
func.func @main(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.dot %x, %w : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.tanh %0 : tensor<8x8xf32>
  %2 = stablehlo.add %1, %x : tensor<8x8xf32>
  %3 = stablehlo.dot %2, %1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}
