// Files that "// -----" divides share nothing: aliases, values and functions
// of one name are others in the next file, and each file has its entry.
// RUN: %build/tests/read_all -v %s | FileCheck %s
// RUN: %remat --strategy=none %s | cmp - %s
// CHECK: function @f 1 arguments
// CHECK-NEXT: return 4294967295
// CHECK-NEXT: entry @main 1 arguments
// CHECK-NEXT: call 4294967295 : tensor<2xf32> 8 bytes runs callee=@f
!t = tensor<2xf32>
!pair = tuple<!t, !t>
func.func private @f(%0: !t) -> !t {
  return %0 : !t
}
func.func @main(%0: !t) -> !pair {
  %1 = call @f(%0) : (!t) -> !t
  // CHECK-NEXT: x.pair {{.*}} : tuple<tensor<2xf32>, tensor<2xf32>> 16 bytes
  %2 = "x.pair"(%1) : (!t) -> !pair
  return %2 : !pair
}
// -----
// CHECK: entry @g 1 arguments
// CHECK-NEXT: call 4294967295 : tensor<9xf32> 36 bytes runs callee=@f
// CHECK-NEXT: x.pair {{.*}} : tuple<tensor<9xf32>, tensor<9xf32>> 72 bytes
func.func @g(%0: !t) -> !pair {
  %1 = call @f(%0) : (!t) -> !t
  %2 = "x.pair"(%1) : (!t) -> !pair
  return %2 : !pair
}
// CHECK: function @f 1 arguments
// CHECK-NEXT: x.other {{[0-9]+}} : tensor<9xf32> 36 bytes
// CHECK-NEXT: return {{[0-9]+}}
func.func @f(%0: !t) -> !t {
  %1 = x.other %0 : !t
  return %1 : !t
}
!t = tensor<9xf32>
!pair = tuple<!t, !t>
// -----
module {
  func.func private @f(%0: i32) {
    return
  }
// -----
// Inside of a module such a line is a comment.
  // CHECK: entry @main
  // CHECK-NEXT: call {{[0-9]+}} runs callee=@f
  func.func @main(%0: i32) {
    call @f(%0) : (i32) -> ()
    return
  }
}
