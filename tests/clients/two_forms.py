"""One program in two forms must be read as the same ops.

usage: two_forms.py READ_ALL FOLDER...

In each FOLDER that has step.generic.mlir, step.stablehlo.mlir and step.loc.mlir
are the same program in pretty form, without and with locations.
The short form of stablehlo.reduce ("applies") has no body in the text, so
that body's ops are passed over in the generic form; all others must have the
same name, results, operands, edges, depth and result types in this order."""
import os
import sys

from same_as_mlir_opt import our_ops


def differ(pretty, generic):
    """What differs first, or None."""
    at, inside = 0, None
    for op in generic:
        if inside is not None and op[4] > inside:
            continue
        inside = None
        if at == len(pretty):
            return f"one form ends before {op}"
        mine = pretty[at]
        if mine[:6] != op[:6]:
            return f"{mine} and {op}"
        if mine[6] == 0 and op[6] and op[0] == "stablehlo.reduce":
            inside = op[4]
        at += 1
    return None if at == len(pretty) else f"one form ends before {pretty[at]}"


def main():
    read_all, *folders = sys.argv[1:]
    compared = wrong = ops = 0
    for folder in folders:
        generic = os.path.join(folder, "step.generic.mlir")
        if not os.path.exists(generic):
            continue
        second = our_ops(read_all, generic)
        for form in ("step.stablehlo.mlir", "step.loc.mlir"):
            first = our_ops(read_all, os.path.join(folder, form))
            found = "not read" if str in (type(first), type(second)) else \
                differ(first, second)
            if found:
                print(f"{folder}/{form}: {found}")
                wrong += 1
            compared += 1
            ops += len(first)
    print(f"{compared} pairs, {wrong} differ, {ops} ops")
    sys.exit(1 if wrong or not compared else 0)


main()
