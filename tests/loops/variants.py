"""Each variant of loops that stack residuals: rewritten, or left alone and
said why; what comes out is the same program.

usage: variants.py REMAT LOOPS_SAME SCRATCH FILE...

Says for each file how many stacks were dropped, whether the independent proof
holds (that of the run itself has held, or it would have ended with 3), and,
where nothing was dropped, the first reason given.
"""
import os
import re
import subprocess
import sys

remat, loops_same, scratch, *files = sys.argv[1:]
for path in files:
    name = os.path.basename(path)
    out = os.path.join(scratch, name)
    run = subprocess.run(
        [remat, "--target=generic", "--memory-model=live", "--strategy=best",
         "--param", "loop-trials=10", "--budget=30%temp", "-Wno-budget",
         "-fno-barriers", "--no-annotate", "-fopt-info-optimized",
         "-fopt-info-missed", path, "-o", out],
        capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{name}: ends with {run.returncode}: {run.stderr[:500]}")
    same = subprocess.run([loops_same, path, out], capture_output=True,
                          text=True)
    dropped = run.stderr.count("do not stack")
    why = re.search(r"missed: (?:what this loop stacks stays|stack [^:]*): (.*)",
                    run.stderr)
    print(f"{name}: {dropped} dropped, {same.stdout.strip()}"
          + (f", {why.group(1)}" if why and not dropped else ""))
