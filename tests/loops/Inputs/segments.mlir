// before.mlir with three stacks dropped and the carry %c stacked only when a
// segment of two iterations begins; a loop fills a buffer with both of them
// before the backward loop goes through the segment.
func.func @main(%w: tensor<8x8xf32>, %c0: tensor<4x8xf32>, %d0: tensor<4x8xf32>, %xs: tensor<6x4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<6x4x8xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %nil = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %e = stablehlo.broadcast_in_dim %nil, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
  %e3 = stablehlo.broadcast_in_dim %nil, dims = [] : (tensor<f32>) -> tensor<3x4x8xf32>
  %f:5 = stablehlo.while(%fo = %zero, %co = %c0, %do = %d0, %so = %e3, %ro = %e) : tensor<i32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<3x4x8xf32>, tensor<6x4x8xf32>
  cond {
    %t = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %fo, %t, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %z = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %c1 = stablehlo.reshape %co : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %so1 = stablehlo.dynamic_update_slice %so, %c1, %fo, %z, %z : (tensor<3x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x8xf32>
    %fi:5 = stablehlo.while(%u = %z, %c = %co, %d = %do, %sr = %ro, %g0 = %fo) : tensor<i32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<6x4x8xf32>, tensor<i32>
    cond {
      %t = stablehlo.constant dense<2> : tensor<i32>
      %p = stablehlo.compare LT, %u, %t, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %zi = stablehlo.constant dense<0> : tensor<i32>
      %onei = stablehlo.constant dense<1> : tensor<i32>
      %two = stablehlo.constant dense<2> : tensor<i32>
      %first = stablehlo.multiply %g0, %two : tensor<i32>
      %i = stablehlo.add %first, %u : tensor<i32>
      %x1 = stablehlo.dynamic_slice %xs, %i, %zi, %zi, sizes = [1, 4, 8] : (tensor<6x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
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
      %r1 = stablehlo.reshape %r : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
      %sr1 = stablehlo.dynamic_update_slice %sr, %r1, %i, %zi, %zi : (tensor<6x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x4x8xf32>
      %u1 = stablehlo.add %u, %onei : tensor<i32>
      stablehlo.return %u1, %r, %dn, %sr1, %g0 : tensor<i32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<6x4x8xf32>, tensor<i32>
    }
    %fo1 = stablehlo.add %fo, %one : tensor<i32>
    stablehlo.return %fo1, %fi#1, %fi#2, %so1, %fi#3 : tensor<i32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<3x4x8xf32>, tensor<6x4x8xf32>
  }
  %b:2 = stablehlo.while(%bo = %zero, %qo = %c0) : tensor<i32>, tensor<4x8xf32>
  cond {
    %t = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %bo, %t, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %z = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %last = stablehlo.constant dense<2> : tensor<i32>
    %length = stablehlo.constant dense<2> : tensor<i32>
    %seg = stablehlo.subtract %last, %bo : tensor<i32>
    %start = stablehlo.multiply %seg, %length : tensor<i32>
    %begin1 = stablehlo.dynamic_slice %f#3, %seg, %z, %z, sizes = [1, 4, 8] : (tensor<3x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %begin = stablehlo.reshape %begin1 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    %no = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %e2 = stablehlo.broadcast_in_dim %no, dims = [] : (tensor<f32>) -> tensor<2x4x8xf32>
    %rf:3 = stablehlo.while(%v = %z, %rc = %begin, %rbuf = %e2) : tensor<i32>, tensor<4x8xf32>, tensor<2x4x8xf32>
    cond {
      %t = stablehlo.constant dense<2> : tensor<i32>
      %p = stablehlo.compare LT, %v, %t, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %zi = stablehlo.constant dense<0> : tensor<i32>
      %onei = stablehlo.constant dense<1> : tensor<i32>
      %n = stablehlo.add %start, %v : tensor<i32>
      %rc1 = stablehlo.reshape %rc : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
      %rbuf1 = stablehlo.dynamic_update_slice %rbuf, %rc1, %v, %zi, %zi : (tensor<2x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x4x8xf32>
      %rx1 = stablehlo.dynamic_slice %xs, %n, %zi, %zi, sizes = [1, 4, 8] : (tensor<6x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
      %rx = stablehlo.reshape %rx1 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %rm = stablehlo.dot_general %rc, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
      %rh = stablehlo.add %rm, %rx : tensor<4x8xf32>
      %rg = stablehlo.convert %n : (tensor<i32>) -> tensor<f32>
      %rgb = stablehlo.broadcast_in_dim %rg, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
      %ra = stablehlo.multiply %rh, %rgb : tensor<4x8xf32>
      %rb = stablehlo.tanh %ra : tensor<4x8xf32>
      %rk = stablehlo.dot_general %rb, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
      %rr = stablehlo.sine %rk : tensor<4x8xf32>
      %v1 = stablehlo.add %v, %onei : tensor<i32>
      stablehlo.return %v1, %rr, %rbuf1 : tensor<i32>, tensor<4x8xf32>, tensor<2x4x8xf32>
    }
    %bi:2 = stablehlo.while(%s = %z, %q = %qo) : tensor<i32>, tensor<4x8xf32>
    cond {
      %t = stablehlo.constant dense<2> : tensor<i32>
      %p = stablehlo.compare LT, %s, %t, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %zi = stablehlo.constant dense<0> : tensor<i32>
      %onei = stablehlo.constant dense<1> : tensor<i32>
      %two = stablehlo.constant dense<2> : tensor<i32>
      %five = stablehlo.constant dense<5> : tensor<i32>
      %passed = stablehlo.multiply %bo, %two : tensor<i32>
      %j = stablehlo.add %passed, %s : tensor<i32>
      %n = stablehlo.subtract %five, %j : tensor<i32>
      %slot = stablehlo.subtract %onei, %s : tensor<i32>
      %vc1 = stablehlo.dynamic_slice %rf#2, %slot, %zi, %zi, sizes = [1, 4, 8] : (tensor<2x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
      %vc = stablehlo.reshape %vc1 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %vx1 = stablehlo.dynamic_slice %xs, %n, %zi, %zi, sizes = [1, 4, 8] : (tensor<6x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
      %vx = stablehlo.reshape %vx1 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
      %vm = stablehlo.dot_general %vc, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
      %vh = stablehlo.add %vm, %vx : tensor<4x8xf32>
      %vg = stablehlo.convert %n : (tensor<i32>) -> tensor<f32>
      %vgb = stablehlo.broadcast_in_dim %vg, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
      %va = stablehlo.multiply %vh, %vgb : tensor<4x8xf32>
      %vb = stablehlo.tanh %va : tensor<4x8xf32>
      %vk = stablehlo.dot_general %vb, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
      %y0 = stablehlo.multiply %q, %va : tensor<4x8xf32>
      %y1 = stablehlo.subtract %y0, %vb : tensor<4x8xf32>
      %y2 = stablehlo.divide %y1, %vk : tensor<4x8xf32>
      %s1 = stablehlo.add %s, %onei : tensor<i32>
      stablehlo.return %s1, %y2 : tensor<i32>, tensor<4x8xf32>
    }
    %bo1 = stablehlo.add %bo, %one : tensor<i32>
    stablehlo.return %bo1, %bi#1 : tensor<i32>, tensor<4x8xf32>
  }
  return %b#1, %f#2, %f#4 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<6x4x8xf32>
}
