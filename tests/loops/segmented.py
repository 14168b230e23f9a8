"""Programs whose carries are stacked once a segment, as the run prints them.

usage: segmented.py REMAT LOOPS_SAME SCRATCH LENGTH FILE...

For each program: how many loops its text has before and after, by this file's
own count, whether the proof takes it in a run of its own, and what is said of
segments.
"""
import os
import re
import subprocess
import sys

remat, loops_same, scratch, length, *files = sys.argv[1:]


def loops(path):
    return len(re.findall(r"stablehlo\.while\(| while\(", open(path).read()))


os.makedirs(scratch, exist_ok=True)
for path in files:
    name = os.path.basename(path)
    out = os.path.join(scratch, name)
    run = subprocess.run(
        [remat, "--target=x86", "--memory-model=fused", "--budget=40%temp",
         "-Wno-budget", "-fno-barriers", "--no-annotate", "-fopt-info", "--param",
         "loop-segment=" + length, path, "-o", out],
        capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{name}: ends with {run.returncode}: {run.stderr[:400]}")
    judged = subprocess.run([loops_same, path, out], capture_output=True,
                            text=True)
    said = re.search(r"stack what is carried once in \d+ of \d+|"
                     r"no segments.*|is not proved, and left out", run.stderr)
    print(f"{name}: {loops(path)} loops, {loops(out)} after, "
          f"{judged.stdout.strip()}, {said.group(0) if said else 'nothing'}")
