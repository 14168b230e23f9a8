"""A program before and after remat, lowered, run and compared.

usage: execute.py REMAT LLVM_BIN FILE [--fresh] [--function=NAME] -- OPTIONS

remat rewrites FILE with OPTIONS (the generic target, the live model).  The
Debian mlir tools turn both programs into machine code: tensors into buffers,
freed behind their last use, each buffer on the heap and counted (meter.c).
With --fresh no buffer is written over in place; then the heap's peak is that
of liveness, of values, to the byte.

Both run on the same inputs, each twice, with fresh and freed memory filled
with other bytes.  Prints whether all results are equal bit for bit, and the
bytes: the peak of the heap before and after, and what remat says of the same
(its peaks less the arguments, which are not on the heap).

Tensors of static shape and scalars, f32 f64 i32 i64 index."""
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TO_BUFFERS = (
    "builtin.module("
    "func.func(convert-elementwise-to-linalg),"
    "one-shot-bufferize{bufferize-function-boundaries "
    "function-boundary-type-conversion=identity-layout-map "
    "allow-return-allocs-from-loops%s},"
    "func.func(buffer-deallocation,convert-bufferization-to-memref))")
TO_LLVM = (
    "builtin.module("
    "func.func(convert-linalg-to-loops,convert-scf-to-cf),"
    "expand-strided-metadata,lower-affine,"
    "func.func(llvm-request-c-wrappers),"
    "convert-math-to-llvm,convert-math-to-libm,arith-expand,"
    "convert-arith-to-llvm,"
    "finalize-memref-to-llvm{use-generic-functions use-aligned-alloc},"
    "convert-func-to-llvm,convert-cf-to-llvm,convert-index-to-llvm,"
    "reconcile-unrealized-casts)")
C_TYPES = {"f32": "float", "f64": "double", "i32": "int32_t",
           "i64": "int64_t", "index": "int64_t"}


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=300)
    if done.returncode:
        sys.exit(f"{os.path.basename(command[0])}: exit status "
                 f"{done.returncode}\n{done.stderr}")
    return done.stdout


class Type:
    """"tensor<4x8xf32>" or "f32"."""

    def __init__(self, text):
        inside = re.fullmatch(r"tensor<((?:\d+x)*)(\w+)>", text)
        self.is_tensor = inside is not None
        sizes, element = inside.groups() if inside else ("", text)
        self.shape = [int(size) for size in sizes.split("x")[:-1]]
        self.c = C_TYPES[element]
        self.count = 1
        for size in self.shape:
            self.count *= size

    def declare(self, name):
        rank = len(self.shape)
        places = f" int64_t sizes[{rank}], strides[{rank}];" if rank else ""
        if not self.is_tensor:
            return f"typedef {self.c} {name};"
        return (f"typedef struct {{ {self.c} *base, *data; int64_t offset;"
                f"{places} }} {name};")

    def make(self, number):
        """Argument NUMBER, filled."""
        if not self.is_tensor:
            return f"  argument{number} a{number} = 3;"
        strides, stride = [], 1
        for size in reversed(self.shape):
            strides.insert(0, stride)
            stride *= size
        places = ", ".join("{" + ", ".join(map(str, row)) + "}"
                           for row in (self.shape, strides) if row)
        return (f"  {self.c} *m{number} = calloc({self.count}, "
                f"sizeof *m{number});\n"
                f"  for (int64_t i = 0; i < {self.count}; i++)\n"
                f"    m{number}[i] = ({self.c})meter_input({number}, i);\n"
                f"  argument{number} a{number} = {{m{number}, m{number}, 0"
                f"{', ' if places else ''}{places}}};")

    def show(self, name):
        if not self.is_tensor:
            return f"  meter_result(&{name}, sizeof {name});"
        return (f"  meter_result({name}.data + {name}.offset, "
                f"{self.count} * sizeof *{name}.data);")


def signature(mlir_opt, path, function):
    """The types of the arguments and results of FUNCTION."""
    text = run(mlir_opt, "--mlir-print-op-generic", "--mlir-print-local-scope",
               path)
    line = next(line for line in text.splitlines()
                if f'sym_name = "{function}"' in line)
    inputs, outputs = re.search(
        r"function_type = \((.*?)\) -> (\(.*?\)|.*?)[,}]", line).groups()
    return [[Type(one) for one in side.strip("()").split(", ") if one]
            for side in (inputs, outputs)]


def caller(inputs, outputs, function):
    """A C program that calls FUNCTION once."""
    lines = ["#include <stdint.h>", "#include <stdio.h>",
             "#include <stdlib.h>",
             "extern uint64_t meter_live, meter_peak;",
             "extern int meter_fill;",
             "double meter_input(uint64_t, uint64_t);",
             "void meter_result(const void *, uint64_t);"]
    lines += [t.declare(f"argument{i}") for i, t in enumerate(inputs)]
    lines += [t.declare(f"returned{i}") for i, t in enumerate(outputs)]
    given = [f"{'&' if t.is_tensor else ''}a{i}" for i, t in enumerate(inputs)]
    taken = [f"argument{i}{' *' if t.is_tensor else ''}"
             for i, t in enumerate(inputs)]
    by_value = len(outputs) == 1 and not outputs[0].is_tensor
    if by_value:
        lines.append("typedef struct { returned0 r0; } results;")
        kind, call = "returned0", f"r.r0 = _mlir_ciface_{function}"
    else:
        fields = " ".join(f"returned{i} r{i};" for i in range(len(outputs)))
        lines.append(f"typedef struct {{ {fields} }} results;")
        kind, call = "void", f"_mlir_ciface_{function}"
        given.insert(0, "&r")
        taken.insert(0, "results *")
    lines += [f"{kind} _mlir_ciface_{function}({', '.join(taken)});",
              "int main(int count, char **words) {",
              "  meter_fill = count > 1 ? atoi(words[1]) : 0;",
              "  results r;"]
    lines += [t.make(i) for i, t in enumerate(inputs)]
    lines.append(f"  {call}({', '.join(given)});")
    lines += [t.show(f"r.r{i}") for i, t in enumerate(outputs)]
    lines += ['  printf("heap %llu\\n", (unsigned long long)meter_peak);',
              "  return 0;", "}"]
    return "\n".join(lines) + "\n"


def build(llvm, path, function, folder, fresh):
    """Machine code for the program at PATH."""
    opt = os.path.join(llvm, "mlir-opt")
    types = signature(opt, path, function)
    stem = os.path.join(folder, os.path.basename(path))
    passes = TO_BUFFERS % (" copy-before-write" if fresh else "")
    run(opt, path, "-o", stem + ".buffers", "--pass-pipeline=" + passes)
    run(opt, stem + ".buffers", "-o", stem + ".llvm",
        "--pass-pipeline=" + TO_LLVM)
    run(os.path.join(llvm, "mlir-translate"), "--mlir-to-llvmir",
        stem + ".llvm", "-o", stem + ".ll")
    with open(stem + ".c", "w", encoding="utf-8") as file:
        file.write(caller(*types, function))
    run(os.path.join(llvm, "clang"), "-O1", "-w", stem + ".c", stem + ".ll",
        os.path.join(HERE, "Inputs", "meter.c"), "-lm", "-o", stem + ".exe")
    return stem + ".exe"


def execute(program):
    """(results, peak bytes of the heap) of PROGRAM."""
    first, second = run(program, "90"), run(program, "165")
    if first != second:
        sys.exit(f"{os.path.basename(program)} reads memory that is not its")
    *results, heap = first.splitlines()
    return results, int(heap.split()[1])


def main():
    split = sys.argv.index("--")
    remat, llvm, path, *own = sys.argv[1:split]
    function = next((word[11:] for word in own
                     if word.startswith("--function=")), "step")
    with tempfile.TemporaryDirectory() as folder:
        after = os.path.join(folder, "after.mlir")
        report = os.path.join(folder, "report.json")
        run(remat, "--target=generic", "--memory-model=live", path, "-o",
            after, "--report=" + report, *sys.argv[split + 1:])
        runs = [execute(build(llvm, one, function, folder, "--fresh" in own))
                for one in (path, after)]
        with open(report, encoding="utf-8") as file:
            said = next(f for f in json.load(file)["functions"]
                        if f["name"] == function)
    (results, heap), (new_results, new_heap) = runs
    equal = results == new_results
    print(f"results {'equal' if equal else 'DIFFERENT'} {len(results)}")
    print(f"clones {said['emitted_clones']}")
    print(f"heap {heap} to {new_heap}")
    claims = [said[f"peak_{when}_bytes"] - said["argument_bytes"]
              for when in ("before", "after")]
    print(f"said {claims[0]} to {claims[1]}")
    within = heap <= claims[0] and new_heap <= claims[1]
    print(f"the heap is {'within' if within else 'ABOVE'} what was said")
    return not equal


if __name__ == "__main__":
    sys.exit(main())
