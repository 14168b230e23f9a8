#!/usr/bin/env python3
"""Hold remat's peak of temporaries against what XLA itself assigned.

usage: xla_buffers.py [--exact] REMAT FOLDER...

FOLDER holds pairs: a scheduled module NAME.hlo and beside it (or in FOLDER/../
hlo) XLA's buffer assignment NAME.buffers.tsv; folders inside of it are looked
into as well.  XLA's figure is the peak of its heap trace, summed up here from
the events: what is allocated, shared and freed in the device's own memory.
Prints a table; fails where one is off by more than 1 %, with --exact by a
byte, or where there is no pair at all.  A folder that is not there is said to
be skipped."""
import collections
import json
import os
import subprocess
import sys
import tempfile


def rows(name):
    with open(name, encoding="utf-8") as file:
        for line in file:
            if not line.startswith("#"):
                yield line.rstrip("\n").split("\t")


def heap_peak(name):
    """The highest sum of what is allocated at once in memory 0."""
    color = {}
    own = set()
    canonical, users, size = {}, collections.Counter(), {}
    live = peak = 0
    for row in rows(name):
        if row[0] == "allocation":
            color[row[1]] = row[3]
        elif row[0] == "buffer" and color.get(row[1]) == "0":
            own.add((row[4].lstrip("%"), row[5].replace(" ", "")))
        elif row[0] == "event":
            kind, where, number = row[1], row[2:4], row[5]
            if (where[0].lstrip("%"), where[1].replace(" ", "")) not in own:
                continue
            if kind == "SHARE_WITH":
                canonical[number] = row[6]
            while number in canonical:
                number = canonical[number]
            if kind == "FREE":
                users[number] -= 1
                live -= size[number] if users[number] == 0 else 0
                continue
            if users[number] == 0:
                size[number] = int(row[4])
                live += size[number]
            users[number] += 1
            peak = max(peak, live)
    return peak


def pairs(folder):
    """Modules with their assignments, in the order of their names."""
    found = []
    for place, _, files in os.walk(folder):
        for file in files:
            if not file.endswith(".buffers.tsv"):
                continue
            stem = file[:-len(".buffers.tsv")]
            for module in (os.path.join(place, stem + ".hlo"),
                           os.path.join(place, "..", "hlo", stem + ".hlo")):
                if os.path.exists(module):
                    found.append((module, os.path.join(place, file)))
                    break
    return sorted(found)


def analyzed_peak(remat, module):
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        done = subprocess.run(
            [remat, "--target=generic", "--analyze", "--report=" + report,
             module, "-o", os.path.join(folder, "out")],
            stderr=subprocess.PIPE, text=True)
        if done.returncode:
            sys.exit(f"{module}: {done.stderr}")
        with open(report, encoding="utf-8") as file:
            functions = json.load(file)["functions"]
    return sum(f["peak_before_temp_bytes"] for f in functions
               if f.get("entry"))


def main():
    arguments = sys.argv[1:]
    exact = arguments[0] == "--exact"
    remat, *folders = arguments[exact:]
    compared = wrong = equal = 0
    for folder in folders:
        if not os.path.isdir(folder):
            print(f"SKIPPED: {folder} is not there")
            compared += 1
            continue
        for module, assignment in pairs(folder):
            theirs, ours = heap_peak(assignment), analyzed_peak(remat, module)
            apart = abs(ours - theirs) / max(theirs, 1)
            bad = ours != theirs if exact else apart > 0.01
            compared += 1
            equal += ours == theirs
            wrong += bad
            name = os.path.relpath(module, folder)
            print(f"{'WRONG' if bad else 'ok':5} {name:60} XLA {theirs:12} "
                  f"remat {ours:12} {100 * apart:.3f} %")
    print(f"{compared} compared, {equal} equal to the byte, {wrong} wrong")
    sys.exit(1 if wrong or not compared else 0)


main()
