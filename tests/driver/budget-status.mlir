// Status 2 says that the budget was not reached, though the program is printed
// and proved; -Wno-budget makes it 0.  The add reads and makes three values of
// 4 KiB, so nothing fits in 8.
// RUN: %python %tests/driver/Inputs/status.py 2 %remat --memory-model=live --budget=8KiB %s -o %t.mlir
// RUN: %python %tests/driver/Inputs/status.py 0 %remat --memory-model=live --budget=8KiB -Wno-budget %s -o %t.mlir
// RUN: %python %tests/driver/Inputs/status.py 0 %remat --memory-model=live --budget=12KiB %s -o %t.mlir
// RUN: %python %tests/driver/Inputs/status.py 1 %remat --memory-model=live --budget=8KiB -Werror=budget %s -o %t.mlir
// RUN: %python %tests/driver/Inputs/status.py 0 %remat --analyze --budget=8KiB %s -o %t.txt
// RUN: %python %tests/driver/Inputs/status.py 0 %remat --strategy=none --budget=8KiB %s -o %t.txt
// RUN: %python %tests/driver/Inputs/status.py 1 %remat --memory-model=live --budget=8KiB %t.missing
func.func @main(%a: tensor<1024xf32>) -> tensor<1024xf32> {
  %0 = stablehlo.tanh %a : tensor<1024xf32>
  %1 = stablehlo.add %0, %a : tensor<1024xf32>
  return %1 : tensor<1024xf32>
}
