// Output goes where it was asked for and appears whole or not at all: a run
// that fails leaves an old file as it was and nothing beside it.
// RUN: rm -rf %t && mkdir %t
// RUN: %remat --strategy=none %s | diff %s -
// RUN: %remat --strategy=none - < %s | diff %s -
// RUN: %remat --strategy=none < %s | diff %s -
// RUN: %remat --strategy=none %s -o %t/new.mlir
// RUN: diff %s %t/new.mlir
// RUN: echo old > %t/old.mlir
// RUN: not %remat --strategy=none -o %t/old.mlir %tests/driver/Inputs/broken.mlir 2>&1 | FileCheck --check-prefix=BROKEN %s
// BROKEN: broken.mlir:2:
// RUN: FileCheck --check-prefix=OLD --input-file=%t/old.mlir %s
// OLD: {{^}}old{{$}}
// RUN: %remat --strategy=none --output %t/old.mlir %s
// RUN: diff %s %t/old.mlir
// RUN: ls %t | FileCheck --check-prefix=FILES %s
// FILES: {{^}}new.mlir{{$}}
// FILES-NEXT: {{^}}old.mlir{{$}}
// FILES-NOT: mlir
// RUN: not %remat --strategy=none %s -o %t/no/such/folder.mlir 2>&1 | FileCheck --check-prefix=FOLDER %s
// FOLDER: remat: error: cannot write '{{.*}}/no/such/folder.mlir': No such file or directory [REMAT_OUTPUT]
// RUN: %remat --strategy=none %s -o /dev/null
// RUN: not %remat --strategy=none %s 2>&1 > /dev/full | FileCheck --check-prefix=FULL %s
// RUN: not %remat --help 2>&1 > /dev/full | FileCheck --check-prefix=FULL %s
// FULL: remat: error: cannot write 'standard output': No space left on device [REMAT_OUTPUT]
// A link stays one: what it points to is written.
// RUN: mkdir %t/links && ln -s %t/old.mlir %t/links/link.mlir
// RUN: %remat --strategy=none %s -o %t/links/link.mlir
// RUN: %python -c "import os, sys; sys.exit(not os.path.islink(sys.argv[1]))" %t/links/link.mlir
// RUN: not %remat --strategy=none %t 2>&1 | FileCheck --check-prefix=DIRECTORY %s
// DIRECTORY: remat: error: cannot read '{{.*}}': is a directory [REMAT_INPUT]
// RUN: not %remat --strategy=none %t/nothing.mlir 2>&1 | FileCheck --check-prefix=MISSING %s
// MISSING: remat: error: cannot read '{{.*}}nothing.mlir': No such file or directory [REMAT_INPUT]
// RUN: not %remat --function=g --strategy=none %s 2>&1 | FileCheck --check-prefix=FUNCTION %s
// FUNCTION: remat: error: the input has no function 'g'
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
