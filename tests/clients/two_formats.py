#!/usr/bin/env python3
"""One program in two formats: StableHLO and the HLO that XLA makes of it.

usage: two_formats.py REMAT READ_ALL FOLDER

For every pair step.stablehlo.mlir and step.hlo in FOLDER's folders: arguments
and results have the same bytes, and the ops that do the work (products,
convolutions, reductions, gathers, scatters, loops, random bits) are as many,
kind by kind.  Peaks are printed beside each other; they differ where the order
differs, for HLO's printer lists operands first, from the root down, and where
StableHLO writes a whole splat constant for HLO's broadcast of a scalar.  Fails
where bytes or work differ, or where there is no pair."""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

KINDS = {
    "dot_general": "dot", "dot": "dot", "convolution": "convolution",
    "reduce": "reduce", "gather": "gather", "scatter": "scatter",
    "while": "while", "sort": "sort", "rng_bit_generator": "random",
    "rng-bit-generator": "random", "dynamic_update_slice": "update",
    "dynamic-update-slice": "update", "dynamic_slice": "slice",
    "dynamic-slice": "slice", "select_and_scatter": "select-and-scatter",
    "select-and-scatter": "select-and-scatter", "reduce_window": "window",
    "reduce-window": "window", "cholesky": "cholesky", "fft": "fft",
    "triangular_solve": "solve", "triangular-solve": "solve",
    "exponential": "exp", "tanh": "tanh", "optimization_barrier": "barrier",
    "opt-barrier": "barrier",
}


def work(read_all, name):
    if name.endswith(".mlir"):
        with open(name, encoding="utf-8") as file:
            ops = re.findall(r"(?<!#)\bstablehlo\.(\w+)", file.read())
    else:
        done = subprocess.run([read_all, "-v", name], text=True,
                              stdout=subprocess.PIPE, check=True)
        ops = re.findall(r"^\s+\d+ ([\w-]+)", done.stdout, re.M)
    return collections.Counter(KINDS[op] for op in ops if op in KINDS)


def figures(remat, name):
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        subprocess.run([remat, "--target=generic", "--memory-model=live",
                        "--analyze", "--report=" + report, name, "-o",
                        os.path.join(folder, "out")], check=True,
                       stderr=subprocess.DEVNULL)
        with open(report, encoding="utf-8") as file:
            functions = json.load(file)["functions"]
    return next(f for f in functions if f.get("entry"))


def main():
    remat, read_all, folder = sys.argv[1:]
    pairs = wrong = 0
    for name in sorted(os.listdir(folder)):
        first = os.path.join(folder, name, "step.stablehlo.mlir")
        second = os.path.join(folder, name, "step.hlo")
        if not os.path.exists(first) or not os.path.exists(second):
            continue
        pairs += 1
        a, b = figures(remat, first), figures(remat, second)
        works = work(read_all, first), work(read_all, second)
        faults = [key for key in ("argument_bytes", "result_bytes")
                  if a[key] != b[key]]
        faults += [f"{kind} {works[0][kind]}/{works[1][kind]}"
                   for kind in sorted(set(works[0]) | set(works[1]))
                   if works[0][kind] != works[1][kind]]
        wrong += bool(faults)
        print(f"{name:22} ops {a['ops_in']:5}/{b['ops_in']:5} temp "
              f"{a['peak_before_temp_bytes']:11}/"
              f"{b['peak_before_temp_bytes']:11} {', '.join(faults)}")
    print(f"{pairs} pairs, {wrong} differ")
    sys.exit(1 if wrong or not pairs else 0)


main()
