// Messages as text and as JSON lines, warnings as errors, and a limit.
// RUN: %remat %s --strategy=none -o /dev/null 2>&1 | FileCheck --check-prefix=TEXT %s
// TEXT: messages.mlir:[[@LINE+16]]:3: warning: no rules file knows 'nobody.knows' (1 op unknown in all): kept, and sized from its types [REMAT_UNKNOWN_OPS, -Wunknown-ops]
// TEXT: {{[0-9]+}} |   %0 = "nobody.knows"(%a)
// TEXT: | {{ *}}^
// RUN: %remat %s --strategy=none -o /dev/null --diagnostics=json 2>&1 | FileCheck --check-prefix=JSON %s
// JSON: {"severity": "warning", "code": "REMAT_UNKNOWN_OPS", "file": "{{.*}}messages.mlir", "line": [[@LINE+12]], "column": 3,
// RUN: %remat %s --strategy=none -o /dev/null -Wno-unknown-ops 2>&1 | FileCheck --allow-empty --check-prefix=QUIET %s
// QUIET-NOT: warning
// RUN: rm -f %t.mlir
// RUN: not %remat %s --strategy=none -o %t.mlir -Werror=unknown-ops 2>&1 | FileCheck --check-prefix=ERROR %s
// RUN: not cat %t.mlir
// ERROR: error: no rules file knows 'nobody.knows'{{.*}} [REMAT_UNKNOWN_OPS, -Werror=unknown-ops]
// RUN: not %remat %s --strategy=none -o %t.mlir -Werror 2>&1 | FileCheck --check-prefix=ERROR %s
// RUN: %remat %s --strategy=none -o /dev/null -Werror -Wno-error 2>&1 | FileCheck --check-prefix=TEXT %s
// RUN: %remat %s --strategy=none -o /dev/null --color=always 2>&1 | FileCheck --check-prefix=COLOR %s
// COLOR: {{.\[35m}}warning
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "nobody.knows"(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
