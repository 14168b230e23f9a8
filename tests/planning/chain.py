#!/usr/bin/env python3
"""Programs whose plans are known, as MLIR text.

    chain.py DEPTH SHAPE [--extent N] [--marked] [--phases]

    fwd      v_i = gelu(v_{i-1});  s_i = add(s_{i-1}, v_i) in the same order
    rev      the same, the last v is added first, as a backward pass does
    diamond  x_{i+1} = add(gelu(x_i), silu(x_i)); sums read all x, last first
    plain    v_i = gelu(v_{i-1}) alone

--marked puts tessera.recompute on every v; --phases says that the v are
forward and the sums backward.  A value is tensor<NxNxf32>, 512 by default."""
import argparse
import sys


def attributes(options, phase, markable):
    parts = []
    if options.phases:
        parts.append(f'tessera.autodiff.phase = "{phase}"')
    if options.marked and markable:
        parts.append("tessera.recompute")
    return " {" + ", ".join(parts) + "}" if parts else ""


def program(options):
    tensor = f"tensor<{options.extent}x{options.extent}xf32>"
    unary = f": ({tensor}) -> {tensor}\n"
    binary = f": ({tensor}, {tensor}) -> {tensor}\n"
    forward = attributes(options, "forward", True) + " "
    backward = attributes(options, "backward", False) + " "
    yield f"func.func @chain(%a: {tensor}) -> {tensor} {{\n"
    made, last = [], "%a"
    for i in range(options.depth):
        if options.shape == "diamond":
            yield f'  %f{i} = "tessera.gelu"({last}){forward}{unary}'
            yield f'  %g{i} = "tessera.silu"({last}){forward}{unary}'
            yield f'  %v{i} = "tessera.add"(%f{i}, %g{i}){forward}{binary}'
        else:
            yield f'  %v{i} = "tessera.gelu"({last}){forward}{unary}'
        last = f"%v{i}"
        made.append(last)
    order = {"fwd": made, "rev": made[::-1], "diamond": made[::-1],
             "plain": []}[options.shape]
    total = last if options.shape in ("diamond", "plain") else "%a"
    for k, value in enumerate(order):
        yield f'  %s{k} = "tessera.add"({total}, {value}){backward}{binary}'
        total = f"%s{k}"
    yield f"  return {total} : {tensor}\n}}\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("depth", type=int)
    parser.add_argument("shape", choices=["fwd", "rev", "diamond", "plain"])
    parser.add_argument("--extent", type=int, default=512)
    parser.add_argument("--marked", action="store_true")
    parser.add_argument("--phases", action="store_true")
    sys.stdout.writelines(program(parser.parse_args()))


if __name__ == "__main__":
    main()
