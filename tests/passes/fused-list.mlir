// A list says nothing of what is in it.  It is an op in the order, and who reads
// it reads its parts too: %a and %b, 4 MiB each, live until they are joined, and
// so does %c: with what is joined, 8 MiB, 20 MiB of temporaries.
// RUN: %remat %s --target=generic --memory-model=fused --analyze --report=%t.json > /dev/null
// RUN: FileCheck %s --input-file=%t.json --check-prefix=PEAK
// PEAK: "fused_peak_before_temp_bytes": 20971520,
// A plan for less keeps that order.
// RUN: %remat %s --target=generic --memory-model=fused --budget=4MiB -Wno-budget -o %t.mlir || test $? = 2
// RUN: %remat --compare %s %t.mlir | FileCheck --check-prefix=SAME %s
// SAME: the same program
func.func @main(%x: !torch.vtensor<[1024,1024],f32>) -> !torch.vtensor<[2048,1024],f32> {
  %int0 = torch.constant.int 0
  %c = torch.aten.mm %x, %x : !torch.vtensor<[1024,1024],f32>, !torch.vtensor<[1024,1024],f32> -> !torch.vtensor<[1024,1024],f32>
  %a = torch.aten.mm %x, %c : !torch.vtensor<[1024,1024],f32>, !torch.vtensor<[1024,1024],f32> -> !torch.vtensor<[1024,1024],f32>
  %b = torch.aten.mm %a, %c : !torch.vtensor<[1024,1024],f32>, !torch.vtensor<[1024,1024],f32> -> !torch.vtensor<[1024,1024],f32>
  %l = torch.prim.ListConstruct %a, %b : (!torch.vtensor<[1024,1024],f32>, !torch.vtensor<[1024,1024],f32>) -> !torch.list<vtensor>
  %j = torch.aten.cat %l, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[2048,1024],f32>
  %r = torch.aten.mm %j, %c : !torch.vtensor<[2048,1024],f32>, !torch.vtensor<[1024,1024],f32> -> !torch.vtensor<[2048,1024],f32>
  return %r : !torch.vtensor<[2048,1024],f32>
}
