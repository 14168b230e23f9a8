#!/usr/bin/env python3
"""Time and memory of planning grow about as the program does (P35).

usage: p35-growth.py REMAT

Three shapes, each of N and of 4 N ops, planned at 60 % of their peak: a training
chain, one op that reads everything, and layers of a hundred ops.  What is linear
up to a logarithm grows by 4 to 5, what is quadratic by 16.  The processor time
of the run alone is taken (not what the machine did meanwhile), the least of
three; 9 is between the two and far from both.  Memory is what the system gave
at most: it hardly varies."""
import os
import resource
import subprocess
import sys
import tempfile

TYPE = "tensor<512x512xf32>"
TIMES, MOST_TIME, MOST_MEMORY = 4, 9.0, 5.0


def op(name, kind, operands):
    uses = ", ".join(operands)
    types = ", ".join([TYPE] * len(operands))
    return f'  {name} = "{kind}"({uses}) : ({types}) -> {TYPE}'


def chain(count):
    lines, last = [], "%x"
    for i in range(count // 2):
        lines.append(op(f"%v{i}", "tessera.gelu", [last]))
        last = f"%v{i}"
    for i in reversed(range(1, count // 2)):
        lines.append(op(f"%g{i}", "tessera.add", [last, f"%v{i - 1}"]))
        last = f"%g{i}"
    return lines, last


def fan(count):
    names = [f"%v{i}" for i in range(count)]
    lines = [op(name, "tessera.gelu", ["%x"]) for name in names]
    lines += [op("%all", "test.opaque", names)]
    lines += [op("%end", "tessera.add", ["%all", names[0]])]
    return lines, "%end"


def layers(count):
    """Layers of a hundred ops: ninety of a stage each, kept for the way back."""
    lines, last, saved = [], "%x", []
    for layer in range(count // 100):
        for i in range(90):
            lines.append(op(f"%l{layer}_{i}", "tessera.gelu", [last]))
            last = f"%l{layer}_{i}"
        saved.append(last)
        for i in range(10):
            lines.append(op(f"%m{layer}_{i}", "tessera.add", [last, last]))
            last = f"%m{layer}_{i}"
    for i, value in enumerate(reversed(saved)):
        lines.append(op(f"%g{i}", "tessera.add", [last, value]))
        last = f"%g{i}"
    return lines, last


def run(remat, path, folder):
    """Processor seconds and KiB of one run, in a process of its own."""
    code = ("import resource, subprocess, sys; "
            "done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, "
            "stderr=subprocess.DEVNULL, check=False); "
            "used = resource.getrusage(resource.RUSAGE_CHILDREN); "
            "assert done.returncode in (0, 2), done; "
            "print(used.ru_utime, used.ru_maxrss)")
    out = subprocess.run(
        [sys.executable, "-c", code, remat, "--target=generic",
         "--memory-model=live", "--budget=60%peak", "-Wno-unknown-ops",
         "-fno-verify-text", "-o", os.path.join(folder, "out"), path],
        check=True, capture_output=True, text=True).stdout.split()
    return float(out[0]), int(out[1])


def measure(remat, shape, count, folder):
    lines, last = shape(count)
    path = os.path.join(folder, "in.mlir")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"func.func @main(%x: {TYPE}) -> {TYPE} {{\n"
                   + "\n".join(lines) + f"\n  return {last} : {TYPE}\n}}\n")
    runs = [run(remat, path, folder) for _ in range(3)]
    return min(r[0] for r in runs), min(r[1] for r in runs)


def main():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory() as folder:
        for shape, count in ((chain, 25000), (fan, 25000), (layers, 25000)):
            few = measure(sys.argv[1], shape, count, folder)
            many = measure(sys.argv[1], shape, TIMES * count, folder)
            time, memory = many[0] / few[0], many[1] / few[1]
            print(f"{shape.__name__}: {few[0]:.2f} s and {few[1]} KiB, then "
                  f"{time:.1f} and {memory:.1f} times that")
            assert time < MOST_TIME, (shape.__name__, few, many)
            assert memory < MOST_MEMORY, (shape.__name__, few, many)


main()
