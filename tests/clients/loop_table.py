"""What taking back the stacks of loops comes to, as rows of a table.

usage: loop_table.py REMAT BUDGET FILE... [-- JUDGE...]

For each program: the stacks that only loops read, their bytes, and, planned
for BUDGET, how many of them are dropped, what is kept, and by the pretty text
of StableHLO dot flops (times trips) as a ratio.  With a JUDGE, a command that
takes two programs and prints "temp=", what XLA allocates for both, and the
judge's exit status.
Run by hand; see doc/loops.md.
"""
import json
import os
import re
import subprocess
import sys
import tempfile


def dims(spelling):
    return [int(d) for d in spelling.split("x")[:-1]]


def product(numbers):
    result = 1
    for number in numbers:
        result *= number
    return result


def dot_flops(text):
    """2 m n k of each dot, times the trips of the loops around it."""
    functions = {}
    name, stack, pending = None, [1], 1
    for line in text.splitlines():
        head = re.search(r"func\.func .*?@([\w.]+)", line)
        if head:
            name, stack = head.group(1), [1]
            functions[name] = []
        if "stablehlo.while" in line:
            pending = None
        bound = re.search(r"constant dense<(\d+)> : tensor<i32>", line)
        if pending is None and bound:
            pending = int(bound.group(1))
        if re.search(r"\} do \{\s*$", line):
            stack.append(stack[-1] * (pending or 1))
            pending = 1
            continue
        if line.rstrip().endswith("{") and not head:
            stack.append(stack[-1])
        elif line.strip().startswith("}") and len(stack) > 1:
            stack.pop()
        dot = re.search(r"dot_general.*contracting_dims = \[([\d, ]*)\].*: "
                        r"\(tensor<([^>]*)>.*-> tensor<([^>]*)>", line)
        if dot:
            left = dims(dot.group(2))
            inner = product(left[int(i)] for i in dot.group(1).split(","))
            functions[name].append((stack[-1],
                                    2 * inner * product(dims(dot.group(3)))))
        call = re.search(r"\bcall @([\w.]+)", line)
        if call:
            functions[name].append((stack[-1], call.group(1)))

    def total(function):
        return sum(times * (total(what) if isinstance(what, str) else what)
                   for times, what in functions[function])
    return total("main")


def run(remat, budget, path, scratch):
    out, report = os.path.join(scratch, "out"), os.path.join(scratch, "r.json")
    subprocess.run([remat, "--analyze", "--report=" + report, path, "-o", out],
                   check=True)
    rows = [row for row in json.load(open(report))["stacks"]
            if not row["stays"]]
    done = subprocess.run(
        [remat, "--strategy=best", "--param", "loop-trials=12",
         "--budget=" + budget, "-Wno-budget", "--no-annotate",
         "-fdump-loop-residuals", "-fopt-info-optimized",
         "--report=" + report, path, "-o", out],
        capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{path}: ends with {done.returncode}: {done.stderr[:400]}")
    kept = re.search(r"^kept: (\d+) bytes", done.stderr, re.M)
    dropped = done.stderr.count("do not stack")
    stacked = sum(row["bytes"] for row in rows)
    now = int(kept.group(1)) if kept and dropped else stacked
    return rows, stacked, now, dropped, out


remat, budget, *rest = sys.argv[1:]
files = rest[:rest.index("--")] if "--" in rest else rest
judge = rest[rest.index("--") + 1:] if "--" in rest else []
scratch = tempfile.mkdtemp()
for path in files:
    rows, stacked, now, dropped, out = run(remat, budget, path, scratch)
    cells = [os.path.relpath(path).split("corpus/")[-1], budget, str(len(rows)),
             f"{stacked / 2**20:,.1f}", str(dropped), f"{now / 2**20:,.1f}"]
    text = open(path).read()
    if "stablehlo.dot_general" in text and '"stablehlo.while"' not in text:
        before, after = dot_flops(text), dot_flops(open(out).read())
        cells.append(f"{after / before:.3f}" if before else "-")
    else:
        cells.append("-")
    if judge:
        said = subprocess.run(judge + [path, out], capture_output=True,
                              text=True)
        temps = re.findall(r"\btemp=(\d+)", said.stdout)
        cells += [f"{int(t):,}" for t in temps] + [str(said.returncode)]
    print("| " + " | ".join(cells) + " |", flush=True)
