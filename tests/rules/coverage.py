"""Which share of real ops do the facts know, by name?

usage: coverage.py REMAT READ_ALL FILE...

Counts ops by dialect (read_all -n), takes off those that `remat --analyze`
lists as known to no rules file, and prints a line for each dialect: ops, the
share that is known, and what is not.  Files that cannot be read are passed
over; refusing them is for other tests.  Ends with 1 where a dialect that the
project answers for is known to less than 99.5 %, or where its facts take it
as a whole."""
import collections
import glob
import os
import re
import subprocess
import sys

OURS = """hlo stablehlo mhlo chlo vhlo arith math tensor linalg tosa scf func cf
memref affine vector bufferization torch tessera shape sparse_tensor sdy ttir
ttnn tf builtin""".split()
LEAST = 0.995
OP = re.compile(r"^ *([\w.$-]+) \d+ ")
HEAD = re.compile(r"^\d+ ops? that no rules file knows")
UNKNOWN = re.compile(r"^ +(\d+) x +([\w.$-]+)")
FACTS = os.path.join(os.path.dirname(__file__), "..", "..", "rules", "ops")


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False,
                          stderr=subprocess.DEVNULL, timeout=300)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def dialect_of(name, is_hlo):
    if is_hlo:
        return "hlo"
    return name.split(".")[0] if "." in name else "builtin"


def takes_all():
    """Files of facts in which one pattern takes a whole dialect."""
    for path in glob.glob(os.path.join(FACTS, "*.rules")):
        with open(path, encoding="utf-8") as file:
            if re.search(r'"\*+"', file.read()):
                yield path


def main():
    remat, read_all, files = sys.argv[1], sys.argv[2], sys.argv[3:]
    total, unknown = collections.Counter(), collections.Counter()
    for path in files:
        is_hlo = not path.endswith(".mlir")
        status, report = run([remat, "--analyze", path])
        if status != 0:
            continue
        for line in run([read_all, "-n", path])[1].splitlines():
            if op := OP.match(line):
                total[dialect_of(op[1], is_hlo)] += 1
        listed = False
        for line in report.splitlines():
            listed = bool(HEAD.match(line)) or (listed and line[:1] == " ")
            if listed and (row := UNKNOWN.match(line)):
                unknown[dialect_of(row[2], is_hlo), row[2]] += int(row[1])
    bad = bool(list(takes_all()))
    for dialect, count in total.most_common():
        missing = {name: n for (d, name), n in unknown.items() if d == dialect}
        share = 1 - sum(missing.values()) / count
        low = dialect in OURS and share < LEAST
        bad |= low
        print(f"{dialect:16} {count:8} {share:8.2%}  "
              f"{' '.join(sorted(missing)[:6])}{' TOO LOW' if low else ''}")
    print(f"{sum(total.values())} ops, {sum(unknown.values())} unknown")
    return 1 if bad or not total else 0


if __name__ == "__main__":
    sys.exit(main())
