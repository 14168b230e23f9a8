#!/usr/bin/env python3
"""K layers and their backward pass in StableHLO; a value is 1 MiB:

    vi = tanh(dot(v(i-1), w))      gi = dot(multiply(g(i+1), vi), w)

usage: stablehlo_chain.py K"""
import sys

TYPE = "tensor<512x512xf32>"
DOT = "contracting_dims = [1] x [0]"


def main():
    count, lines, last = int(sys.argv[1]), [], "x"
    for i in range(count):
        lines += [f"%d{i} = stablehlo.dot_general %{last}, %w, {DOT} : "
                  f"({TYPE}, {TYPE}) -> {TYPE}",
                  f"%v{i} = stablehlo.tanh %d{i} : {TYPE}"]
        last = f"v{i}"
    for i in reversed(range(count)):
        lines += [f"%m{i} = stablehlo.multiply %{last}, %v{i} : {TYPE}",
                  f"%g{i} = stablehlo.dot_general %m{i}, %w, {DOT} : "
                  f"({TYPE}, {TYPE}) -> {TYPE}"]
        last = f"g{i}"
    print(f"func.func @main(%x: {TYPE}, %w: {TYPE}) -> {TYPE} {{\n  "
          + "\n  ".join(lines) + f"\n  return %{last} : {TYPE}\n}}")


if __name__ == "__main__":
    main()
