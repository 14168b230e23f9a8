#!/usr/bin/env python3
"""Are the clones in unscheduled HLO tied to the backward pass?

usage: tied.py REMAT LAYERS PERCENT

vi = tanh(dot(v(i-1), w)), gi = dot(multiply(g(i+1), vi), w), planned for a
share of the temporaries under the fused model.  A clone is tied where an op of
the backward pass (mi, gi) is among what it is made of, all the way down."""
import re
import subprocess
import sys

TYPE = "f32[512,512]{1,0}"
DOT = ", lhs_contracting_dims={1}, rhs_contracting_dims={0}"
LINE = re.compile(r"^\s*(?:ROOT )?%?([\w.]+) = .*? ([\w-]+)\(([^)]*)\)", re.M)


def program(layers):
    lines, last = [f"x = {TYPE} parameter(0)", f"w = {TYPE} parameter(1)"], "x"
    for i in range(layers):
        lines += [f"d{i} = {TYPE} dot({last}, w){DOT}",
                  f"v{i} = {TYPE} tanh(d{i})"]
        last = f"v{i}"
    for i in reversed(range(layers)):
        lines += [f"m{i} = {TYPE} multiply({last}, v{i})",
                  f"g{i} = {TYPE} dot(m{i}, w){DOT}"]
        last = f"g{i}"
    lines[-1] = "ROOT " + lines[-1]
    return "HloModule layers\n\nENTRY main {\n  " + "\n  ".join(lines) + "\n}\n"


def clones(remat, text, percent, *flags):
    """How many clones of the forward pass there are, and how many are tied."""
    out = subprocess.run(
        [remat, "--target=generic", "--memory-model=fused", "-Wno-budget",
         f"--budget={percent}%temp", *flags, "-"], input=text, text=True,
        stdout=subprocess.PIPE, check=True).stdout
    late, count, tied = {}, 0, 0
    for name, opcode, operands in LINE.findall(out):
        names = re.findall(r"%?([a-z][\w.]*)", operands)
        made_late = any(late.get(n) for n in names)
        late[name] = made_late or re.match(r"[mg]\d", name) is not None
        if ".remat" in name and opcode in ("dot", "tanh") and name[0] in "dv":
            count += 1
            tied += made_late
    return count, tied


def main():
    remat, layers, percent = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    text = program(layers)
    count, tied = clones(remat, text, percent)
    free, none = clones(remat, text, percent, "-fno-barriers")
    print(f"{tied} of {count} clones are tied, {none} of {free} without fences")
    sys.exit(0 if count and tied == count and free and not none else 1)


if __name__ == "__main__":
    main()
