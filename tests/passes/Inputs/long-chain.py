#!/usr/bin/env python3
"""A training step of 8 stages, of 256 KiB values, with a chain of N products of
16 bytes each between its two halves."""
import sys

LARGE, SMALL = "tensor<256x256xf32>", "tensor<2x2xf32>"


def product(result, a, b, type_):
    print(f"  %{result} = stablehlo.dot_general %{a}, %{b}, "
          f"contracting_dims = [1] x [0] : ({type_}, {type_}) -> {type_}")


print(f"func.func public @main(%x: {LARGE}, %w: {LARGE}, %s: {SMALL}, "
      f"%u: {SMALL}) -> ({LARGE}, {SMALL}) {{")
large, small = "x", "s"
for i in range(8):
    product(f"d{i}", large, "w", LARGE)
    print(f"  %t{i} = stablehlo.tanh %d{i} : {LARGE}")
    large = f"t{i}"
for i in range(int(sys.argv[1])):
    product(f"s{i}", small, "u", SMALL)
    small = f"s{i}"
for i in reversed(range(8)):
    print(f"  %m{i} = stablehlo.multiply %{large}, %t{i} : {LARGE}")
    product(f"g{i}", f"m{i}", "w", LARGE)
    large = f"g{i}"
print(f"  return %{large}, %{small} : {LARGE}, {SMALL}\n}}")
