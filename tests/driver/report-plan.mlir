// After a plan the report says what it reaches and what it costs; the figures
// of JSON are those of the program that is printed.  The fixture of the seed,
// 12 deep, one unit of 1 MiB: 22 selected, 88 clones, 91 ops.
// RUN: %python %tests/driver/Inputs/chain.py 12 > %t.mlir
// RUN: %remat %t.mlir --target=generic --strategy=greedy --memory-model=candidates --budget=1MiB --max-clone-expansion=0 -Wno-budget -o %t.out.mlir --report=%t.json --report=%t.txt --report=%t.html
// RUN: FileCheck --check-prefix=JSON --input-file=%t.json %s
// JSON: "memory_model": "candidates"
// JSON: "ops_in": 25, "ops_out": 91,
// JSON-SAME: "peak_after_bytes": {{[0-9]+}},
// JSON-SAME: "claimed_peak_before_bytes": {{[0-9]+}}, "claimed_peak_after_bytes": {{[0-9]+}}, "packed_after_bytes": {{[0-9]+}}, "budget_bytes": 1048576, "budget_source": "explicit_cli",
// JSON-SAME: "selected": 22, "dropped": 0, "projected_clones": 88, "emitted_clones": 88, "erased": 22,
// JSON-SAME: "strategy": "greedy"
// JSON: "decisions": [
// JSON: {"taken": true, "clones":
// RUN: FileCheck --check-prefix=TEXT --input-file=%t.txt %s
// TEXT: plan {{ *}}greedy   22 selected, 88 clones, 22 ops gone
// TEXT-NEXT: peak after
// TEXT: budget {{ *}}1.00 MiB   explicit_cli:
// TEXT: recomputed: saves
// RUN: FileCheck --check-prefix=HTML --input-file=%t.html %s
// HTML: <path class="before"
// HTML-SAME: <path class="after"
// HTML: emitted_clones</code><td class="n">88
