"""A function of 4100 values of 2^52 bytes, all read by its last op."""
kind = "tensor<1125899906842624xf32>"
print("func.func @huge(%%v0: %s) {" % kind)
for i in range(1, 4100):
    print("  %%v%d = stablehlo.tanh %%v0 : %s" % (i, kind))
print('  "test.use"(%s) : (%s) -> ()' %
      (", ".join("%%v%d" % i for i in range(4100)), ", ".join([kind] * 4100)))
print("  return\n}")
