#!/usr/bin/env python3
"""Plan one program for budgets from large to small and check what users rely on.

usage: sweep.py REMAT FILE UNITS... [-- OPTION...]

For each budget of UNITS MiB: the emitted peak is never above the input's,
never above that of a larger budget's plan, and within the budget where the
exit status says so.  Prints one line a budget: units, peak in MiB, clones."""
import json
import os
import subprocess
import sys
import tempfile

MIB = 1 << 20


def plan(remat, path, units, options, folder):
    report = os.path.join(folder, "report.json")
    done = subprocess.run(
        [remat, "--target=generic", "--memory-model=live", "-Wno-budget",
         f"--budget={units}MiB", f"--report={report}", "-o",
         os.path.join(folder, "out.mlir"), *options, path], check=False)
    if done.returncode not in (0, 2):
        sys.exit(f"remat ended with {done.returncode}")
    with open(report, encoding="utf-8") as file:
        return json.load(file)["functions"][0]


def main():
    arguments, options = sys.argv[1:], []
    if "--" in arguments:
        at = arguments.index("--")
        arguments, options = arguments[:at], arguments[at + 1:]
    remat, path, budgets = arguments[0], arguments[1], arguments[2:]
    before = None
    with tempfile.TemporaryDirectory() as folder:
        for units in map(int, budgets):
            f = plan(remat, path, units, options, folder)
            after = f["peak_after_bytes"]
            assert after <= f["peak_before_bytes"], (units, f)
            assert before is None or after <= before, (units, after, before)
            assert f["fits"] == (after <= units * MIB), (units, f)
            assert f["emitted_clones"] == f["projected_clones"], (units, f)
            before = after
            print(units, after / MIB, f["emitted_clones"])


if __name__ == "__main__":
    main()
