#!/usr/bin/env python3
"""mlir-opt parses and verifies what remat makes of what it knows.

usage: mlir_opt_accepts.py REMAT MLIR_OPT FILE.mlir...

Each file that mlir-opt takes is planned under both memory models, down to what
can be had; the output must be taken with the same options: as it is where all
dialects are registered, with --allow-unregistered-dialect where some are not.
Where a file has several parts ("// -----"), so has the output."""
import subprocess
import sys
import tempfile

PLANS = [["--memory-model=live", "--budget=60%peak"],
         ["--memory-model=live", "--budget=30%temp", "--no-annotate"],
         ["--memory-model=fused", "--budget=50%temp"]]


def accepts(mlir_opt, path, flags):
    done = subprocess.run([mlir_opt, "--split-input-file", *flags, path, "-o",
                           "/dev/null"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, timeout=120)
    return done.returncode == 0, done.stderr


def main():
    remat, mlir_opt, paths = sys.argv[1], sys.argv[2], sys.argv[3:]
    known = unknown = changed = refused = 0
    output = tempfile.NamedTemporaryFile(suffix=".mlir")
    for path in paths:
        flags = []
        if not accepts(mlir_opt, path, flags)[0]:
            flags = ["--allow-unregistered-dialect"]
            if not accepts(mlir_opt, path, flags)[0]:
                continue
        with open(path, encoding="utf-8") as file:
            before = file.read()
        for plan in PLANS:
            done = subprocess.run([remat, "--target=generic", *plan, path, "-o",
                                   output.name], stderr=subprocess.PIPE,
                                  text=True, timeout=300)
            if done.returncode == 1 and "[REMAT_" in done.stderr:
                refused += 1
                continue
            if done.returncode not in (0, 2):
                sys.exit(f"{path} {plan}: {done.stderr}")
            with open(output.name, encoding="utf-8") as file:
                changed += "remat" in file.read().replace(before, "")
            good, why = accepts(mlir_opt, output.name, flags)
            if not good:
                sys.exit(f"{path} {plan}: mlir-opt refuses the output\n{why}")
            known += not flags
            unknown += bool(flags)
    print(f"{known} outputs of known dialects, {unknown} with unknown ones, "
          f"{changed} of them planned, {refused} inputs refused")
    if not known or not changed:
        sys.exit("nothing was looked at")


if __name__ == "__main__":
    main()
