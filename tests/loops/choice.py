"""More memory never costs more: what loops stack, planned for rising budgets.

usage: choice.py LEAST MOST COUNT COMMAND...

COMMAND is run COUNT times, at budgets of temporaries from LEAST to MOST KiB
in equal steps, and says with -fdump-loop-residuals what came of it.  A plan
that fits comes before one that does not, then what costs less.  Prints whether
costs only fall, how many plans there were, and the most of them tried at once.
"""
import re
import subprocess
import sys

least, most, count = map(int, sys.argv[1:4])
plans, tried = [], 0
for i in range(count):
    budget = least + (most - least) * i // (count - 1)
    run = subprocess.run(
        sys.argv[4:] + [f"--budget={budget}KiBtemp", "-Wno-budget",
                        "-fdump-loop-residuals", "-o", "-"],
        capture_output=True, text=True)
    kept = re.search(r"^kept: (\d+) bytes, (fits|does not fit), cost (\d+) ns",
                     run.stderr, re.M)
    if run.returncode or not kept:
        sys.exit(f"{budget} KiB: ends with {run.returncode}: {run.stderr}")
    tried = max(tried, len(re.findall("^  stacks", run.stderr, re.M)))
    plans.append((kept.group(2) != "fits", int(kept.group(3))))
falls = all(a >= b for a, b in zip(plans, plans[1:]))
print(f"{'costs only fall' if falls else plans}, {len(set(plans))} plans, "
      f"{tried} tried at most")
