// The report that says where the memory goes: the peak and the op there, where
// that op comes from, who is live, by class and by source line, and what no
// plan can go below.  U is 4 KiB.
// RUN: %remat --analyze --target=generic %s | FileCheck %s
// RUN: %remat --analyze --target=generic %s --report=%t.json --report=%t.html --report=%t.txt -o /dev/null
// RUN: %python -m json.tool %t.json %t.pretty
// RUN: FileCheck --check-prefix=JSON --input-file=%t.json %s
// RUN: FileCheck --check-prefix=HTML --input-file=%t.html %s
// RUN: FileCheck --input-file=%t.txt %s

// CHECK: analyze.mlir: @main, 6 ops, the entry
// CHECK-NEXT: peak {{ *}}20.0 KiB   line [[@LINE+41]]: stablehlo.multiply  model.py:9  jit(f)/mul
// CHECK-NEXT: arguments {{ *}}4.00 KiB
// CHECK-NEXT: results {{ *}}4.00 KiB
// CHECK-NEXT: temporaries {{ *}}12.0 KiB   line [[@LINE+37]]: stablehlo.exponential  model.py:8  exp
// CHECK-NEXT: when fused {{.*}} KiB
// CHECK-NEXT: no plan below {{ *}}16.0 KiB   line [[@LINE+36]]: stablehlo.multiply
// CHECK: live at the peak
// CHECK-NEXT: 4.00 KiB  20.0 % start-end %a tensor<1024xf32> argument
// CHECK-NEXT: 4.00 KiB  20.0 % {{[0-9]+-[0-9]+}} %0 tensor<1024xf32> stablehlo.tanh model.py:7 tanh
// CHECK: by class of op
// CHECK-NEXT: 12.0 KiB  60.0 % 3 x transcendental
// CHECK: by source line
// CHECK-NEXT: 8.00 KiB  40.0 % 2 x model.py:7
// RUN: %remat --analyze --target=generic %root/examples/transformer_step.mlir | FileCheck --check-prefix=CHART %s
// CHART: memory over the run
// CHART-NEXT: MiB |{{ +#+}}{{$}}
// CHECK: 1 op that no rules file knows (kept, sized from their types):
// CHECK-NEXT: 1 x  nobody.knows, first at line [[@LINE+25]]

// JSON: {"tool": "remat", "version": "{{.*}}", "target": "generic", "device": "generic", "memory_model": "fused",
// JSON: {"name": "main", "entry": true, "ops_in": 6, "argument_bytes": 4096, "result_bytes": 4096, "peak_before_bytes": 20480, "peak_before_temp_bytes": 12288, "fused_peak_before_temp_bytes":
// JSON-SAME: "lower_bound_bytes": 16384, "lower_bound_temp_bytes": {{[0-9]+}}, "base_cost_ns":
// JSON-NOT: "peak_after_bytes"
// JSON: "peak_at": {"op": "stablehlo.multiply", "line": [[@LINE+18]], "source": "model.py:9", "source_name": "jit(f)/mul"}
// JSON: {"value": "%a", "type": "tensor<1024xf32>", "bytes": 4096,
// JSON: "bytes_by_class": {"transcendental": 12288,
// JSON: "bytes_by_source": {"model.py:7": 8192, "model.py:8": 4096, "model.py:9": 4096}

// HTML: <!doctype html>
// HTML: <h2>@main</h2>
// HTML: <svg
// HTML: peak_before_bytes</code><td class="n">20480
// HTML: tensor&lt;1024xf32&gt;
// HTML-NOT: http

#loc1 = loc("model.py":7:3)
#loc2 = loc("tanh"(#loc1))
func.func @main(%a: tensor<1024xf32>) -> tensor<1024xf32> {
  %0 = stablehlo.tanh %a : tensor<1024xf32> loc(#loc2)
  %1 = stablehlo.tanh %0 : tensor<1024xf32> loc(#loc2)
  %2 = stablehlo.exponential %1 : tensor<1024xf32> loc(callsite("exp"("model.py":8:1) at #loc1))
  %3 = stablehlo.multiply %2, %1 : tensor<1024xf32> loc(fused["jit(f)/mul"(#loc3), #loc1])
  "nobody.knows"(%0) : (tensor<1024xf32>) -> ()
  return %3 : tensor<1024xf32>
}
#loc3 = loc("model.py":9:5)
