#!/usr/bin/env python3
"""MLIR tensor programs are run before and after remat: bit for bit the same
results, and a heap whose peak falls as the report says.

usage: execute.py REMAT LLVM_BIN PROGRAM.mlir...

Comments of a program say how: "// BUDGET: 60%temp" (one budget or several),
"// MODE: fresh" where every op gets a buffer of its own, so that the measured
peak must be the reported one to the byte, or "// MODE: inplace" where results
take the place of operands that die, so that it must fall and stay within what
is reported.  Public functions take and return tensors; each is
run by itself.  Lowering is one-shot bufferization with frees at last use,
loops, LLVM; execute.c counts bytes and fills new and freed memory with two
different bytes in two runs."""
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
BUFFERIZE = ("builtin.module(func.func(convert-elementwise-to-linalg),"
             "one-shot-bufferize{{bufferize-function-boundaries "
             "function-boundary-type-conversion=identity-layout-map "
             "allow-return-allocs-from-loops{mode}}},func.func("
             "buffer-deallocation,convert-bufferization-to-memref))")
LOWER = ("builtin.module(func.func(convert-linalg-to-loops,convert-scf-to-cf),"
         "expand-strided-metadata,lower-affine,func.func("
         "llvm-request-c-wrappers,math-legalize-to-f32),convert-math-to-llvm,"
         "convert-math-to-libm,arith-expand,convert-arith-to-llvm,"
         "finalize-memref-to-llvm{use-generic-functions use-aligned-alloc},"
         "convert-func-to-llvm,convert-cf-to-llvm,convert-index-to-llvm,"
         "reconcile-unrealized-casts)")
ELEMENT = {"f32": ("f", "float", 4), "f64": ("d", "double", 8),
           "i32": ("i", "int32_t", 4), "i64": ("l", "int64_t", 8)}
FUNCTION = re.compile(r"func\.func @(\w+)\((.*?)\)\s*->\s*(\(.*?\)|[^\s{]+)",
                      re.S)


def run(*command, **options):
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, **options)
    if done.returncode:
        sys.exit(f"{' '.join(command)[:300]}: {done.returncode}\n"
                 f"{done.stderr[:3000]}")
    return done


def shapes(types, aliases):
    """(element, dimensions) of each tensor in a list of types."""
    for name, meaning in aliases.items():
        types = types.replace(name, meaning)
    return [(dims.split("x")[-1], [int(d) for d in dims.split("x")[:-1]])
            for dims in re.findall(r"tensor<([^>]*)>", types)]


def functions(text):
    """Public functions: name, argument and result shapes."""
    aliases = dict(re.findall(r"^(!\w+) = (\S+)$", text, re.M))
    return [(name, shapes(arguments, aliases), shapes(results, aliases))
            for name, arguments, results in FUNCTION.findall(text)]


def kept(text):
    """The caller's buffers are not to be written."""
    return FUNCTION.sub(
        lambda m: re.sub(r"(%\w+: [^,()\s]+)",
                         r"\1 {bufferization.writable = false}", m[0]), text)


def count(shape):
    product = 1
    for dimension in shape[1]:
        product *= dimension
    return product


def descriptor(shape, name):
    rank = len(shape[1])
    return (f"struct {{ {ELEMENT[shape[0]][1]} *base, *data; int64_t offset, "
            f"sizes[{max(rank, 1)}], strides[{max(rank, 1)}]; }} {name};")


def driver(function):
    """C that calls FUNCTION with filled arguments and prints its results."""
    name, arguments, results = function
    lines = ["#include <stdint.h>", "#include <stdio.h>", "#include <stdlib.h>",
             "void fill_argument(void *, uint64_t, int, uint32_t);",
             "void print_result(const void *, uint64_t);",
             f"extern void _mlir_ciface_{name}();", "void run_program(void);",
             "void run_program(void) {", "  struct { "
             + " ".join(descriptor(s, f"r{i}") for i, s in enumerate(results))
             + " } result;"]
    for i, shape in enumerate(arguments):
        kind, c_type, size = ELEMENT[shape[0]]
        dims = shape[1]
        strides = [count((0, dims[k + 1:])) for k in range(len(dims))]
        lines += [f"  {c_type} *p{i} = aligned_alloc(64, "
                  f"{(count(shape) * size + 63) // 64 * 64});",
                  f"  fill_argument(p{i}, {count(shape)}, '{kind}', {i + 1});",
                  "  " + descriptor(shape, f"a{i} = {{p{i}, p{i}, 0, {{"
                                    + ", ".join(map(str, dims)) + "}, {"
                                    + ", ".join(map(str, strides)) + "}}")]
    pointers = ", ".join(["&result"]
                         + [f"&a{i}" for i in range(len(arguments))])
    lines.append(f"  _mlir_ciface_{name}({pointers});")
    for i, shape in enumerate(results):
        size = ELEMENT[shape[0]][2]
        lines.append(f"  print_result(result.r{i}.data + result.r{i}.offset, "
                     f"{count(shape) * size});")
    return "\n".join(lines + ["}"])


def measure(llvm, path, function, mode, folder):
    """What FUNCTION of the program at PATH returns, and its peak in bytes."""
    base = os.path.join(folder, "lowered")
    with open(path, encoding="utf-8") as file:
        text = kept(file.read())
    with open(base + ".mlir", "w", encoding="utf-8") as file:
        file.write(text)
    with open(base + ".c", "w", encoding="utf-8") as file:
        file.write(driver(function))
    tool = os.path.join(llvm, "mlir-opt")
    fresh = " copy-before-write" if mode == "fresh" else ""
    run(tool, base + ".mlir", "-o", base + ".buf",
        "--pass-pipeline=" + BUFFERIZE.format(mode=fresh))
    run(tool, base + ".buf", "-o", base + ".low", "--pass-pipeline=" + LOWER)
    run(os.path.join(llvm, "mlir-translate"), "--mlir-to-llvmir",
        base + ".low", "-o", base + ".ll")
    run(os.path.join(llvm, "clang"), "-O1", "-w", base + ".ll", base + ".c",
        os.path.join(HERE, "execute.c"), "-lm", "-o", base)
    runs = [run(base, fill) for fill in ("165", "0")]
    if runs[0].stdout != runs[1].stdout:
        sys.exit(f"{path}: reads memory that holds nothing")
    return runs[0].stdout, int(runs[0].stderr.split()[0])


def directives(text, key):
    return re.findall(rf"^// {key}: (.*)$", text, re.M)


def check(remat, llvm, path, budget, folder):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    mode = directives(text, "MODE")[0]
    after = os.path.join(folder, "after.mlir")
    report = os.path.join(folder, "report.json")
    run(remat, "--target=generic", "--memory-model=live",
        f"--budget={budget}", path, "-o", after, f"--report={report}")
    with open(report, encoding="utf-8") as file:
        figures = {f["name"]: f for f in json.load(file)["functions"]}
    good = True
    for function in functions(text):
        name, figure = function[0], figures[function[0]]
        results, peak = measure(llvm, path, function, mode, folder)
        results2, peak2 = measure(llvm, after, function, mode, folder)
        said, said2 = [figure[f"peak_{k}_bytes"] - figure["argument_bytes"]
                       for k in ("before", "after")]
        exact = mode == "fresh"
        fault = ("other results" if results != results2 else
                 "nothing is computed again" if not figure["emitted_clones"]
                 else "the heap did not shrink" if peak2 >= peak else
                 "the peak is not the one reported" if exact and
                 (peak, peak2) != (said, said2) else
                 "more than reported" if peak > said or peak2 > said2 else "")
        print(f"{os.path.basename(path)} @{name} {budget} {mode}: measured "
              f"{peak} -> {peak2}, reported {said} -> {said2}, "
              f"{figure['emitted_clones']} clones {fault}")
        good &= not fault
    return good


def sees_faults(llvm, path, folder):
    """Another op makes another result; one that nobody reads does not."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    mode, function = directives(text, "MODE")[0], functions(text)[0]
    wrong = os.path.join(folder, "wrong.mlir")
    seen = [measure(llvm, path, function, mode, folder)]
    for old, new in (("math.tanh", "math.cos"),
                     ("  return", "  %idle = math.tanh %x : !t\n  return")):
        with open(wrong, "w", encoding="utf-8") as file:
            file.write(text.replace(old, new, 1))
        seen.append(measure(llvm, wrong, function, mode, folder))
    return seen[0][0] != seen[1][0] and seen[0] == seen[2]


def main():
    remat, llvm, paths = sys.argv[1], sys.argv[2], sys.argv[3:]
    good = True
    with tempfile.TemporaryDirectory() as folder:
        if not sees_faults(llvm, paths[0], folder):
            sys.exit("a wrong program passes")
        for path in paths:
            with open(path, encoding="utf-8") as file:
                budgets = directives(file.read(), "BUDGET")[0].split()
            for budget in budgets:
                good &= check(remat, llvm, path, budget, folder)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
