"""chain.py N: v0 = gelu(%a), vi = gelu(v(i-1)), s0 = add(%a, v0), si =
add(s(i-1), vi), return: N deep, every value of 1 MiB."""
import sys

n, kind = int(sys.argv[1]), "tensor<512x512xf32>"
print("func.func @chain(%%a: %s) -> %s {" % (kind, kind))
for i in range(n):
    print('  %%v%d = "tessera.gelu"(%s) : (%s) -> %s' %
          (i, "%%v%d" % (i - 1) if i else "%a", kind, kind))
for i in range(n):
    print("  %%s%d = arith.addf %s, %%v%d : %s" %
          (i, "%%s%d" % (i - 1) if i else "%a", i, kind))
print("  return %%s%d : %s\n}" % (n - 1, kind))
