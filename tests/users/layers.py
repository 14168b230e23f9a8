#!/usr/bin/env python3
"""L layers that save a large and a small value each (P03):
h_i:4 = M(r_i); r_(i+1):1 = E(r_i, h_i); then g_i:1 = E(g_(i+1), h_i, r_i).

usage: layers.py L > out.mlir"""
import sys

from shape import Program


def main():
    count = int(sys.argv[1])
    program = Program()
    program.argument("r0", 1)
    for i in range(count):
        program.add(f"h{i}", 4, "M", [f"r{i}"])
        program.add(f"r{i + 1}", 1, "E", [f"r{i}", f"h{i}"])
    last = f"r{count}"
    for i in reversed(range(count)):
        program.add(f"g{i}", 1, "E", [last, f"h{i}", f"r{i}"])
        last = f"g{i}"
    program.returned = [last]
    print(program.text(), end="")


main()
