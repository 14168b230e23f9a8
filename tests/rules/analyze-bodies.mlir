// What has a body costs what the body does: a call its callee, a loop its body
// as often as it runs, a branch the dearer of its sides, a region its ops.
//
// An addition of 1 Mi floats moves 12 MiB; an exponential 8 MiB for 16 Mi
// operations.  All of the longer time, a twentieth of the shorter.  The nest
// reads 4 MiB and two times 4 KiB, and does two operations at each of 1 Mi
// points.
//
// RUN: %remat --analyze --target=generic --report=%t.json %s
// RUN: FileCheck %s --check-prefix=GENERIC < %t.json
// Weights: one for each element of a sum, four of an exponential; the loop is
// also charged for its three constants.
// GENERIC: "name": "called"
// GENERIC: "base_cost_ns": 1048576
// GENERIC: "name": "calls"
// GENERIC: "base_cost_ns": 2097152
// GENERIC: "name": "counted"
// GENERIC: "base_cost_ns": 10485763
// GENERIC: "name": "either"
// GENERIC: "base_cost_ns": 4194304
// GENERIC: "name": "within"
// GENERIC: "base_cost_ns": 4194304
// GENERIC: "name": "nest"
// GENERIC: "base_cost_ns": 1024
//
// RUN: %remat --analyze --target=nvidia --report=%t.json %s
// RUN: FileCheck %s --check-prefix=NVIDIA < %t.json
// 4692 ns of memory and 20 of arithmetic at an H100's rates, 2500 to launch.
// NVIDIA: "name": "called"
// NVIDIA: "base_cost_ns": 7193
// NVIDIA: "name": "calls"
// NVIDIA: "base_cost_ns": 14386
// NVIDIA: "name": "counted"
// NVIDIA: "base_cost_ns": 71930
// NVIDIA: "name": "either"
// NVIDIA: "base_cost_ns": 7193
// NVIDIA: "name": "within"
// NVIDIA: "base_cost_ns": 5644
// NVIDIA: "name": "nest"
// NVIDIA: "base_cost_ns": 4069
//
// RUN: %remat --analyze --target=amd --report=%t.json %s
// RUN: FileCheck %s --check-prefix=AMD < %t.json
// 3083 and 11 ns at an MI300X's, 3000 to launch.
// AMD: "name": "called"
// AMD: "base_cost_ns": 6084
// AMD: "name": "calls"
// AMD: "base_cost_ns": 12168
// AMD: "name": "counted"
// AMD: "base_cost_ns": 60840
// AMD: "name": "either"
// AMD: "base_cost_ns": 6084
// AMD: "name": "within"
// AMD: "base_cost_ns": 5064
// AMD: "name": "nest"
// AMD: "base_cost_ns": 4031
//
// RUN: %remat --analyze --target=x86 --report=%t.json %s
// RUN: FileCheck %s --check-prefix=X86 < %t.json
// 74473 and 208 ns at a Xeon 8480+'s, 5000 to fork and join.
// X86: "name": "called"
// X86: "base_cost_ns": 79483
// X86: "name": "calls"
// X86: "base_cost_ns": 158966
// X86: "name": "counted"
// X86: "base_cost_ns": 794830
// X86: "name": "either"
// X86: "base_cost_ns": 79483
// X86: "name": "within"
// X86: "base_cost_ns": 54815
// X86: "name": "nest"
// X86: "base_cost_ns": 29894
//
// RUN: %remat --analyze --target=apple --report=%t.json %s
// RUN: FileCheck %s --check-prefix=APPLE < %t.json
// 38400 and 83 ns at an M3 Max's, 3000 to dispatch.
// APPLE: "name": "called"
// APPLE: "base_cost_ns": 41404
// APPLE: "name": "calls"
// APPLE: "base_cost_ns": 82808
// APPLE: "name": "counted"
// APPLE: "base_cost_ns": 414040
// APPLE: "name": "either"
// APPLE: "base_cost_ns": 41404
// APPLE: "name": "within"
// APPLE: "base_cost_ns": 28666
// APPLE: "name": "nest"
// APPLE: "base_cost_ns": 15833

func.func @called(%x: tensor<1048576xf32>) -> tensor<1048576xf32> {
  %0 = stablehlo.add %x, %x : tensor<1048576xf32>
  return %0 : tensor<1048576xf32>
}

func.func @calls(%x: tensor<1048576xf32>) -> tensor<1048576xf32> {
  %0 = func.call @called(%x) : (tensor<1048576xf32>) -> tensor<1048576xf32>
  %1 = func.call @called(%0) : (tensor<1048576xf32>) -> tensor<1048576xf32>
  return %1 : tensor<1048576xf32>
}

func.func @counted(%x: tensor<1048576xf32>) -> tensor<1048576xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %0 = scf.for %i = %c0 to %c10 step %c1 iter_args(%a = %x)
      -> (tensor<1048576xf32>) {
    %1 = stablehlo.add %a, %x : tensor<1048576xf32>
    scf.yield %1 : tensor<1048576xf32>
  }
  return %0 : tensor<1048576xf32>
}

func.func @either(%p: i1, %x: tensor<1048576xf32>) -> tensor<1048576xf32> {
  %0 = scf.if %p -> (tensor<1048576xf32>) {
    %1 = stablehlo.add %x, %x : tensor<1048576xf32>
    scf.yield %1 : tensor<1048576xf32>
  } else {
    %1 = math.exp %x : tensor<1048576xf32>
    scf.yield %1 : tensor<1048576xf32>
  }
  return %0 : tensor<1048576xf32>
}

func.func @within(%x: tensor<1048576xf32>) -> tensor<1048576xf32> {
  %0 = scf.execute_region -> tensor<1048576xf32> {
    %1 = math.exp %x : tensor<1048576xf32>
    scf.yield %1 : tensor<1048576xf32>
  }
  return %0 : tensor<1048576xf32>
}

func.func @nest(%x: tensor<1024x1024xf32>, %s: tensor<1024xf32>)
    -> tensor<1024xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
                                        affine_map<(d0, d1) -> (d0)>],
                       iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<1024x1024xf32>) outs(%s : tensor<1024xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.mulf %a, %a : f32
    %2 = arith.addf %1, %b : f32
    linalg.yield %2 : f32
  } -> tensor<1024xf32>
  return %0 : tensor<1024xf32>
}
