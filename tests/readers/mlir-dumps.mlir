// A log of a compiler: of its dumps the last is read, or that asked for by
// number or by either name of its pass; only that dump is printed, but lines
// are those of the log.
// RUN: %remat --strategy=none %s | FileCheck %s --check-prefix=LAST
// RUN: %remat --strategy=none --dump=last %s | FileCheck %s --check-prefix=LAST
// RUN: %remat --strategy=none --dump=1 %s | FileCheck %s --check-prefix=FIRST
// RUN: %remat --strategy=none --dump=cse %s | FileCheck %s --check-prefix=SECOND
// RUN: %remat --strategy=none --dump=CSE %s | FileCheck %s --check-prefix=SECOND
// RUN: not %remat --strategy=none --dump=inline %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %remat --strategy=none --dump=3 %s 2>&1 | FileCheck %s --check-prefix=PLACE
// NONE: mlir-dumps.mlir:1:1: error: none of the 4 dumps is 'inline'
// PLACE: mlir-dumps.mlir:37:10: error: '%b' is not defined
// LAST-NOT: {{@first|@second|IR Dump}}
// LAST: func.func @third
// LAST-NOT: {{@first|@second|IR Dump}}
// FIRST-NOT: {{@second|@third|IR Dump}}
// FIRST: func.func @first
// FIRST-NOT: {{@second|@third|IR Dump}}
// SECOND-NOT: {{@first|@third|IR Dump}}
// SECOND: func.func @second
// SECOND-NOT: {{@first|@third|IR Dump}}
warning: this line is of the compiler and not of any dump
// -----// IR Dump After Canonicalizer (canonicalize) //----- //
func.func @first(%a: f32) -> f32 {
  return %a : f32
}

// -----// IR Dump After CSE (cse) ('builtin.module' operation) //----- //
module {
  func.func @second(%a: f32) -> f32 {
    return %a : f32
  }
}

*** IR Dump After Broken ***
func.func @broken(%a: f32) -> f32 {
  return %b : f32
}
// -----// IR Dump Before Last (last) //----- //
func.func @third(%a: f32) -> f32 {
  return %a : f32
}
