"""Does each shipped target's parity.md have a row for everything?

usage: parity.py ROOT

Everything is: each diagnostic code, plan attribute and figure of the .def
tables in src/support, and each rule class of rules/ops/classes.rules.  A row
is `| name | state | by what or why |`; its state is validated, follow-up
required, or not applicable; files of the project that it names must exist.
Rows of things that are gone are errors too.  Prints what is wrong and ends
with 1, or prints how many rows were looked at."""
import glob
import os
import re
import sys

STATES = {"validated", "follow-up required", "not applicable"}
ENTRY = re.compile(r"^([A-Z][A-Z_]*) \(\"?([\w.-]+)\"?,", re.M)
CLASS = re.compile(r"^class (\w+)", re.M)
ROW = re.compile(r"^\| `([^`]+)` \| ([^|]+) \| ([^|]*) \|$", re.M)
FILE = re.compile(r"`((?:tests|rules|targets|doc|src)/[\w./-]+)`")


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def entry_name(kind, name):
    """What a row calls an entry of a .def table."""
    return "REMAT_" + name if kind == "DIAGNOSTIC" else name


def wanted(root):
    names = set(CLASS.findall(read(root, "rules", "ops", "classes.rules")))
    for path in glob.glob(os.path.join(root, "src", "support", "*.def")):
        text = re.sub(r"/\*.*?\*/", "", read(path), flags=re.S)
        names.update(entry_name(*entry) for entry in ENTRY.findall(text))
    return names


def check(root, target, names):
    """Complaints about one target's table, and how many rows it has."""
    where = os.path.join("targets", target, "parity.md")
    if not os.path.exists(os.path.join(root, where)):
        return [f"{where}: missing"], 0
    rows = ROW.findall(read(root, where))
    listed = [name for name, _, _ in rows]
    bad = [f"no row for {name}" for name in sorted(names - set(listed))]
    bad += [f"{name} is gone" for name in sorted(set(listed) - names)]
    bad += [f"{name} has {listed.count(name)} rows"
            for name in sorted(set(listed)) if listed.count(name) > 1]
    for name, state, reason in rows:
        if state.strip() not in STATES:
            bad.append(f"{name}: unknown state '{state.strip()}'")
        if not reason.strip():
            bad.append(f"{name}: no reason")
        if state.strip() == "validated" and not FILE.search(reason):
            bad.append(f"{name}: validated by no file")
        bad += [f"{name}: there is no {path}" for path in FILE.findall(reason)
                if not os.path.exists(os.path.join(root, path))]
    return [f"{where}: {text}" for text in bad], len(rows)


def main():
    root = sys.argv[1]
    names = wanted(root)
    targets = sorted(os.listdir(os.path.join(root, "targets")))
    complaints, rows = [], 0
    for target in targets:
        found, count = check(root, target, names)
        complaints += found
        rows += count
    print("\n".join(complaints) or
          f"{len(targets)} targets, {len(names)} names, {rows} rows")
    return 1 if complaints or not targets or not names else 0


if __name__ == "__main__":
    sys.exit(main())
