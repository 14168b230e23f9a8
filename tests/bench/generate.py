#!/usr/bin/env python3
"""Large programs to time a reader and a planner with.

usage: generate.py mixed|chain|train|fan|layers N > file.mlir

mixed  N ops in pretty and generic form, as training steps mix them: layers of
       a matmul, elementwise ops, a view and constants, forward and backward
chain  v_i = gelu(v_(i-1)), s_i = add(s_(i-1), v_i): N ops, every v_i alive
train  forward f1..fn, backward b_i reads f_(i-1) and b_(i+1): N ops
fan    one op that reads N others
layers of a hundred ops each: ninety to be kept for the way back, ten beside"""
import sys

TENSOR = "tensor<128x128xf32>"
UNARY = f"({TENSOR}) -> {TENSOR}"
BINARY = f"({TENSOR}, {TENSOR}) -> {TENSOR}"


def mixed(count, write):
    write(f"func.func @main(%w: {TENSOR}, %x: {TENSOR}) -> {TENSOR} {{\n")
    layers = max(1, (count - 3) // 10)
    last, kept = "%x", []
    for i in range(layers):
        write(f'  %m{i} = "tessera.matmul"({last}, %w) {{layer = {i} : i64}} '
              f": {BINARY}\n"
              f"  %a{i} = arith.addf %m{i}, {last} : {TENSOR}\n"
              f"  %b{i} = arith.mulf %a{i}, %a{i} fastmath<contract> : "
              f"{TENSOR}\n"
              f"  %e{i} = math.exp %b{i} : {TENSOR}\n"
              f"  %c{i} = arith.constant dense<1.000000e+00> : {TENSOR}\n"
              f'  %g{i} = "tessera.gelu"(%e{i}) : {UNARY}\n')
        last = f"%g{i}"
        kept.append(i)
    for i in reversed(kept):
        write(f'  %d{i} = "tessera.gelu_grad"({last}, %e{i}) : {BINARY}\n'
              f"  %s{i} = arith.subf %d{i}, %c{i} : {TENSOR}\n"
              f'  %t{i} = "tessera.matmul"(%s{i}, %a{i}) : {BINARY}\n'
              f"  %u{i} = arith.addf %t{i}, %s{i} : {TENSOR}\n")
        last = f"%u{i}"
    write(f"  return {last} : {TENSOR}\n}}\n")


def chain(count, write):
    write(f"func.func @chain(%a: {TENSOR}) -> {TENSOR} {{\n")
    steps, last = (count - 1) // 2, "%a"
    for i in range(steps):
        write(f'  %v{i} = "tessera.gelu"({last}) : {UNARY}\n')
        last = f"%v{i}"
    total = "%a"
    for i in range(steps):
        write(f'  %s{i} = "tessera.add"({total}, %v{i}) : {BINARY}\n')
        total = f"%s{i}"
    write(f"  return {total} : {TENSOR}\n}}\n")


def train(count, write):
    write(f"func.func @train(%a: {TENSOR}) -> {TENSOR} {{\n")
    steps, last = (count - 1) // 2, "%a"
    for i in range(steps):
        write(f'  %f{i} = "tessera.gelu"({last}) : {UNARY}\n')
        last = f"%f{i}"
    for i in reversed(range(steps)):
        before = f"%f{i - 1}" if i else "%a"
        write(f'  %b{i} = "tessera.add"({last}, {before}) : {BINARY}\n')
        last = f"%b{i}"
    write(f"  return {last} : {TENSOR}\n}}\n")


def fan(count, write):
    write(f"func.func @fan(%a: {TENSOR}) -> {TENSOR} {{\n")
    for i in range(count):
        write(f'  %v{i} = "tessera.gelu"(%a) : {UNARY}\n')
    uses = ", ".join(f"%v{i}" for i in range(count))
    types = ", ".join([TENSOR] * count)
    write(f'  %all = "test.opaque"({uses}) : ({types}) -> {TENSOR}\n'
          f'  %end = "tessera.add"(%all, %v0) : {BINARY}\n'
          f"  return %end : {TENSOR}\n}}\n")


def layers(count, write):
    write(f"func.func @layers(%a: {TENSOR}) -> {TENSOR} {{\n")
    last, saved = "%a", []
    for layer in range(count // 100):
        for i in range(90):
            write(f'  %l{layer}_{i} = "tessera.gelu"({last}) : {UNARY}\n')
            last = f"%l{layer}_{i}"
        saved.append(last)
        for i in range(10):
            write(f'  %m{layer}_{i} = "tessera.add"({last}, {last}) : '
                  f"{BINARY}\n")
            last = f"%m{layer}_{i}"
    for i, value in enumerate(reversed(saved)):
        write(f'  %g{i} = "tessera.add"({last}, {value}) : {BINARY}\n')
        last = f"%g{i}"
    write(f"  return {last} : {TENSOR}\n}}\n")


def main():
    kinds = {"mixed": mixed, "chain": chain, "train": train,
             "fan": fan, "layers": layers}
    if len(sys.argv) != 3 or sys.argv[1] not in kinds:
        sys.exit(__doc__)
    kinds[sys.argv[1]](int(sys.argv[2]), sys.stdout.write)


if __name__ == "__main__":
    main()
