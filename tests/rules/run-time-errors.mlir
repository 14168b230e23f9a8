// An error while a rule is evaluated names the rule and points at the op, once
// for each rule; the value is then unknown, never a number.
//
// RUN: not %remat --rules=%tests/rules/Inputs/zero.rules --analyze %s -o /dev/null 2> %t
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=ONCE < %t
// ONCE-COUNT-3: error:
// ONCE-NOT: error:
// RUN: %remat --rules=%tests/rules/Inputs/whole.rules --analyze %s -o /dev/null

func.func @f(%a: tensor<4x0xf32>) -> tensor<4x0xf32> {
// CHECK-DAG: [[#@LINE+1]]:3: error: zero.rules:9: the cost of 'a.b' cannot be worked out: division by zero
  %b = "a.b"(%a) : (tensor<4x0xf32>) -> tensor<4x0xf32>
  %c = "a.b"(%a) : (tensor<4x0xf32>) -> tensor<4x0xf32>
// CHECK-DAG: [[#@LINE+1]]:3: error: zero.rules:5: the size of 'a.c' cannot be worked out: the value is negative
  %d = "a.c"() : () -> tensor<1x2x3xf32>
// CHECK-DAG: [[#@LINE+1]]:3: error: zero.rules:6: the size of 'a.big' cannot be worked out: the value is too large
  %e = "a.big"() : () -> tensor<1048576xf32>
  return %c : tensor<4x0xf32>
}
