// A forward loop that stacks what a backward loop reads, and two more stacks:
// one whose slots run backwards, one that is returned.
func.func @main(%w: tensor<8x8xf32>, %c0: tensor<4x8xf32>, %d0: tensor<4x8xf32>, %xs: tensor<6x4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<6x4x8xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %nil = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %e = stablehlo.broadcast_in_dim %nil, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
  %f:7 = stablehlo.while(%i = %zero, %c = %c0, %d = %d0, %sa = %e, %sb = %e, %sk = %e, %sr = %e) : tensor<i32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>
  cond {
    %t = stablehlo.constant dense<6> : tensor<i32>
    %p = stablehlo.compare LT, %i, %t, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %z = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %five = stablehlo.constant dense<5> : tensor<i32>
    %x1 = stablehlo.dynamic_slice %xs, %i, %z, %z, sizes = [1, 4, 8] : (tensor<6x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %x = stablehlo.reshape %x1 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    %m = stablehlo.dot_general %c, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %h = stablehlo.add %m, %x : tensor<4x8xf32>
    %g = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %gb = stablehlo.broadcast_in_dim %g, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %a = stablehlo.multiply %h, %gb : tensor<4x8xf32>
    %b = stablehlo.tanh %a : tensor<4x8xf32>
    %k = stablehlo.dot_general %b, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %r = stablehlo.sine %k : tensor<4x8xf32>
    %dn = stablehlo.add %d, %r : tensor<4x8xf32>
    %back = stablehlo.subtract %five, %i : tensor<i32>
    %a1 = stablehlo.broadcast_in_dim %a, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %sa1 = stablehlo.dynamic_update_slice %sa, %a1, %back, %z, %z : (tensor<6x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x4x8xf32>
    %b1 = stablehlo.broadcast_in_dim %b, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %sb1 = stablehlo.dynamic_update_slice %sb, %b1, %i, %z, %z : (tensor<6x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x4x8xf32>
    %k1 = stablehlo.broadcast_in_dim %k, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %sk1 = stablehlo.dynamic_update_slice %sk, %k1, %i, %z, %z : (tensor<6x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x4x8xf32>
    %r1 = stablehlo.broadcast_in_dim %r, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %sr1 = stablehlo.dynamic_update_slice %sr, %r1, %i, %z, %z : (tensor<6x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x4x8xf32>
    %i1 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %i1, %r, %dn, %sa1, %sb1, %sk1, %sr1 : tensor<i32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>
  }
  %u:2 = stablehlo.while(%j = %zero, %q = %c0) : tensor<i32>, tensor<4x8xf32>
  cond {
    %t = stablehlo.constant dense<6> : tensor<i32>
    %p = stablehlo.compare LT, %j, %t, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %z = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %five = stablehlo.constant dense<5> : tensor<i32>
    %n = stablehlo.subtract %five, %j : tensor<i32>
    %ra1 = stablehlo.dynamic_slice %f#3, %j, %z, %z, sizes = [1, 4, 8] : (tensor<6x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %ra = stablehlo.reshape %ra1 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    %rb1 = stablehlo.dynamic_slice %f#4, %n, %z, %z, sizes = [1, 4, 8] : (tensor<6x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %rb = stablehlo.reshape %rb1 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    %rk1 = stablehlo.dynamic_slice %f#5, %n, %z, %z, sizes = [1, 4, 8] : (tensor<6x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %rk = stablehlo.reshape %rk1 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    %y0 = stablehlo.multiply %q, %ra : tensor<4x8xf32>
    %y1 = stablehlo.subtract %y0, %rb : tensor<4x8xf32>
    %y2 = stablehlo.divide %y1, %rk : tensor<4x8xf32>
    %j1 = stablehlo.add %j, %one : tensor<i32>
    stablehlo.return %j1, %y2 : tensor<i32>, tensor<4x8xf32>
  }
  return %u#1, %f#2, %f#6 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<6x4x8xf32>
}
