"""usage: rewritten.py REMAT INPUTS SCRATCH

For each program: does its loop stack as many arrays as it should, before and
after?  A stack is a value that a loop carries, is no argument of the program
and has the loop's trip count as its first dimension; they are counted in the
text of all loops' states, by this file's own few lines.
"""
import os
import re
import subprocess
import sys

REMAT, INPUTS, SCRATCH = sys.argv[1:]

# program: trip count, remark that must be given, rewritten?
PROGRAMS = {
    "scan": (6, "do not stack", True),
    "reverse": (6, "do not stack", True),
    "fori": (6, "do not stack", True),
    "two_readers": (6, "do not stack", True),
    "accumulated": (6, "do not stack", True),
    "outlined": (6, "do not stack", True),
    "branches": (6, "do not stack", True),
    "nested": (3, "do not stack", True),
    "random_keys": (6, "do not stack", True),
    "second_order": (6, "do not stack", True),
    "one_trip": (1, "do not stack", True),
    "unroll": (3, "it is used outside of loops that only read slots", False),
    "early_exit": (6, "the number of its iterations is not a constant", False),
    "dynamic_trips": (6, None, False),
}


def states(text, trips):
    """Carried arrays whose first dimension is TRIPS, in all loops together."""
    count = 0
    for line in text.splitlines():
        if "stablehlo.while(" in line:
            types = line.split(") :")[-1]
            count += len(re.findall(r"tensor<%dx" % trips, types))
        elif " while(" in line:
            state = line.split(" while(")[0]
            count += len(re.findall(r"\w\[%d," % trips, state))
    return count


def check(name, trips, remark, rewritten):
    source = os.path.join(INPUTS, name)
    target = os.path.join(SCRATCH, name)
    if os.path.exists(target):
        os.remove(target)
    run = subprocess.run(
        [REMAT, "--target=x86", "--memory-model=fused", "--budget=40%temp",
         "-Wno-budget", "-fno-barriers", "-fopt-info", source, "-o", target],
        capture_output=True, text=True)
    if run.returncode != 0:
        return "status %d: %s" % (run.returncode, run.stderr[:400])
    if remark and remark not in run.stderr:
        return "no remark '%s'" % remark
    before = states(open(source).read(), trips)
    after = states(open(target).read(), trips)
    if rewritten != (after < before):
        return "%d arrays in loop states, %d before" % (after, before)
    return None


os.makedirs(SCRATCH, exist_ok=True)
faults = 0
for name, expected in PROGRAMS.items():
    for suffix in (".mlir", ".hlo"):
        if os.path.exists(os.path.join(INPUTS, name + suffix)):
            fault = check(name + suffix, *expected)
            print("%-20s %s" % (name + suffix, fault or "fine"))
            faults += fault is not None
sys.exit(faults > 0)
