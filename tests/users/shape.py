#!/usr/bin/env python3
"""A small program from its shape, as MLIR.

usage: shape.py FILE | shape.py fw|bw K  > out.mlir

The lines of FILE that begin with "SHAPE: " say it:

    SHAPE: args x:1 p:4         arguments, with their sizes in units
    SHAPE: v:2 = T(x)           a value of two units
    SHAPE: w:1 = "my.op"(v, x) {a = 1 : i64}
    SHAPE: return w, v

A unit is 1 MiB (tensor<512x512xf32>); E is elementwise (cost 1 an element on
the generic target), T transcendental (4), R a norm (8), M a matmul (32), `rng`
draws random numbers, `call` is opaque.

fw K is v0 = T(x), v1 = T(v0) ... v(K-1); bw K is fw K and then, from the last
to the first, gi = E(g(i+1), v(i-1)): the shape of a training step."""
import re
import sys

OPS = {"E": "tessera.add", "T": "tessera.gelu", "R": "tessera.layer_norm",
       "M": "tessera.matmul", "rng": "stablehlo.rng",
       "gather": "stablehlo.all_gather", "call": "test.opaque"}


def tensor(units):
    return f"tensor<{units}x512x512xf32>"


class Program:
    def __init__(self):
        self.sizes, self.lines, self.arguments = {}, [], []
        self.returned = []

    def argument(self, name, units):
        self.sizes[name] = units
        self.arguments.append(name)

    def add(self, name, units, op, operands, attributes=""):
        self.sizes[name] = units
        op = op.strip('"') if op.startswith('"') else OPS[op]
        types = ", ".join(tensor(self.sizes[o]) for o in operands)
        uses = ", ".join("%" + o for o in operands)
        dictionary = f" {attributes}" if attributes else ""
        self.lines.append(f'  %{name} = "{op}"({uses}){dictionary} : '
                          f"({types}) -> {tensor(units)}")

    def text(self):
        arguments = ", ".join(f"%{a}: {tensor(self.sizes[a])}"
                              for a in self.arguments)
        types = ", ".join(tensor(self.sizes[r]) for r in self.returned)
        values = ", ".join("%" + r for r in self.returned)
        return (f"func.func @main({arguments}) -> ({types}) {{\n"
                + "\n".join(self.lines)
                + f"\n  return {values} : {types}\n}}\n")


def chain(kind, count):
    program = Program()
    program.argument("x", 1)
    last = "x"
    for i in range(count):
        program.add(f"v{i}", 1, "T", [last])
        last = f"v{i}"
    if kind == "bw":
        for i in reversed(range(count)):
            program.add(f"g{i}", 1, "E", [last, f"v{i - 1}" if i else "x"])
            last = f"g{i}"
    program.returned = [last]
    return program


STATEMENT = re.compile(r'(\w+):(\d+) = ("[^"]*"|\w+)\(([^)]*)\)\s*(\{.*\})?$')


def from_file(path):
    program = Program()
    with open(path, encoding="utf-8") as file:
        lines = [line.split("SHAPE: ", 1)[1].strip() for line in file
                 if "SHAPE: " in line]
    for line in lines:
        words = line.replace(",", " ").split()
        if words[0] == "args":
            for word in words[1:]:
                name, units = word.split(":")
                program.argument(name, int(units))
        elif words[0] == "return":
            program.returned = words[1:]
        else:
            name, units, op, operands, attributes = STATEMENT.match(
                line).groups()
            program.add(name, int(units), op,
                        [o.strip() for o in operands.split(",") if o.strip()],
                        attributes or "")
    return program


def main():
    if len(sys.argv) == 3:
        print(chain(sys.argv[1], int(sys.argv[2])).text(), end="")
    elif len(sys.argv) == 2:
        print(from_file(sys.argv[1]).text(), end="")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
