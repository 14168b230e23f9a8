"""What taking back the stacks of loops comes to, as rows of a table.

usage: loop_table.py REMAT BUDGET FILE... [-- JUDGE...]

For each program: the stacks that only loops read, their bytes, and, planned
for BUDGET, how many of them are dropped, what is kept, dot flops (times trips)
as a ratio, and what runs again by the rules, in milliseconds and as a share of
the whole step.  With a JUDGE, a command that takes two programs and prints
"temp=", what XLA allocates for both, and the judge's exit status.
Run by hand; see doc/loops.md.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

TARGET = ["--target=x86", "--device=xla-2core"]  # the judge is XLA on the CPU


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
            stack.pop()  # the condition
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

    return total_of(functions, "main")


def total_of(functions, function):
    return sum(times * (total_of(functions, what) if isinstance(what, str)
                        else what) for times, what in functions[function])


def shape_of(spelling):
    found = re.match(r"\w+\[([\d,]*)\]", spelling)
    return [int(d) for d in found.group(1).split(",") if d] if found else []


def hlo_dot_flops(text):
    """The same, of HLO text; a loop's trips are the number it counts to."""
    functions, numbers, whiles = {}, {}, []
    name, entry, shapes = None, None, {}
    for line in text.splitlines():
        head = re.match(r"(ENTRY )?%?([\w.-]+) (?:\(.*\) -> .* )?\{$", line)
        if head:
            name, shapes = head.group(2), {}
            entry = name if head.group(1) else entry
            functions[name], numbers[name] = [], []
            continue
        op = re.match(r"\s*(?:ROOT )?%?([\w.-]+) = (\(.*?\)|\S+) ([\w-]+)\((.*)",
                      line)
        if not op:
            continue
        shapes[op.group(1)] = shape_of(op.group(2))
        kind, rest = op.group(3), op.group(4)
        if kind == "constant" and re.match(r"\d+\)", rest):
            numbers[name].append(int(rest.split(")")[0]))
        if kind == "dot":
            typed = re.match(r"(\w+\[[\d,]*\])\S* ", rest)
            left = (shape_of(typed.group(1)) if typed else
                    shapes[re.match(r"%?([\w.-]+)", rest).group(1)])
            inner = re.search(r"lhs_contracting_dims=\{([\d,]*)\}", rest)
            inner = [left[int(i)] for i in inner.group(1).split(",") if i]
            functions[name].append((1, 2 * product(inner)
                                    * product(shapes[op.group(1)])))
        called = re.findall(r"(?:to_apply|calls|body|condition)=%?([\w.-]+)",
                            rest)
        for branches in re.findall(r"branch_computations=\{([^}]*)\}", rest):
            called += [b.strip(" %") for b in branches.split(",")]
        if kind == "while":
            whiles.append((name, re.search(r"body=%?([\w.-]+)", rest).group(1),
                           re.search(r"condition=%?([\w.-]+)", rest).group(1)))
        else:
            functions[name] += [(1, other) for other in called]
    for around, body, condition in whiles:
        functions[around].append((max(numbers[condition], default=1), body))
    return total_of(functions, entry)


def all_dot_flops(text):
    if text.lstrip().startswith("HloModule") or "\nENTRY " in text:
        return hlo_dot_flops(text)
    return 0 if '"stablehlo.while"' in text else dot_flops(text)


def run(remat, budget, path, scratch):
    out, report = os.path.join(scratch, "out"), os.path.join(scratch, "r.json")
    subprocess.run([remat, *TARGET, "--analyze", "--report=" + report, path,
                    "-o", out], check=True)
    rows = [row for row in json.load(open(report))["stacks"]
            if not row["stays"]]
    done = subprocess.run(
        [remat, *TARGET, "--strategy=best",
         "--budget=" + budget, "-Wno-budget", "--no-annotate",
         "-fdump-loop-residuals", "-fopt-info-optimized",
         "--report=" + report, path, "-o", out],
        capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{path}: ends with {done.returncode}: {done.stderr[:400]}")
    kept = re.search(r"^kept: (\d+) bytes, .*, cost (\d+) ns", done.stderr,
                     re.M)
    base = sum(f["base_cost_ns"] for f in json.load(open(report))["functions"]
               if f["entry"])
    dropped = done.stderr.count("do not stack")
    stacked = sum(row["bytes"] for row in rows)
    now = int(kept.group(1)) if kept and dropped else stacked
    again = int(kept.group(2)) if kept and dropped else 0
    return rows, stacked, now, dropped, out, again, base


remat, budget, *rest = sys.argv[1:]
files = rest[:rest.index("--")] if "--" in rest else rest
judge = rest[rest.index("--") + 1:] if "--" in rest else []
scratch = tempfile.mkdtemp()
for path in files:
    rows, stacked, now, dropped, out, again, base = run(remat, budget, path,
                                                        scratch)
    cells = [os.path.relpath(path).split("corpus/")[-1], budget, str(len(rows)),
             f"{stacked / 2**20:,.1f}", str(dropped), f"{now / 2**20:,.1f}"]
    before = all_dot_flops(open(path).read())
    after = all_dot_flops(open(out).read())
    cells += [f"{after / before:.3f}" if before else "-",
              f"{again / 1e6:,.3f} ({100 * again / base if base else 0:.1f} %)"]
    if judge:
        said = subprocess.run(judge + [path, out], capture_output=True,
                              text=True)
        temps = re.findall(r"\btemp=(\d+)", said.stdout)
        cells += [f"{int(t):,}" for t in temps] + [str(said.returncode)]
    print("| " + " | ".join(cells) + " |", flush=True)
