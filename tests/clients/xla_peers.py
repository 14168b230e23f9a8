#!/usr/bin/env python3
"""Is remat better than jax.checkpoint, row by row?

usage: xla_peers.py REMAT CORPUS PEERS.tsv [--steps A,B] [--write FILE.md]

PEERS.tsv has, for programs and policies of jax.checkpoint, what XLA allocated
for temporaries and how many flops it counted: columns program, policy,
temp_bytes, flops; the policy "none" is the program as it is.  Each row whose
program is a folder of CORPUS (step.stablehlo.mlir) is compared as a share of
its own program: remat plans for less and less below the row's share of XLA's
temporaries, until the memory that XLA allocates (its default scheduler) is less
than the row's, at no more flops, or nothing is left to try.

--write puts the rows into FILE.md between "<!-- peers -->" and "<!-- end -->".
Ends with "N beaten, M not"; exit status 1 if any is not.  Needs jax and
jaxlib."""
import argparse
import csv
import os
import sys
import tempfile

from xla_table import Program, load_jax, plan, write

BELOW = (.99, .97, .94, .9, .85, .8, .7)  # what is asked, of the row's share
HEAD = """| step | jax.checkpoint | its share of temp | its flops | remat's share | remat's flops | beaten |
|---|---|---|---|---|---|---|
"""


def read_peers(path):
    """For each program, its rows as (policy, share of temp, flops)."""
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    plain = {r["program"]: r for r in rows if r["policy"] == "none"}
    peers = {}
    for row in rows:
        if row["policy"] != "none":
            own = plain[row["program"]]
            peers.setdefault(row["program"], []).append(
                (row["policy"], int(row["temp_bytes"]) / int(own["temp_bytes"]),
                 float(row["flops"]) / float(own["flops"])))
    return peers


def planned(remat, source, asked, before):
    """Temporaries and flops after a plan for ASKED bytes, as shares."""
    with tempfile.TemporaryDirectory() as folder:
        after = Program(plan(remat, source, f"{asked}temp", folder)[0])
    return after.temp / before.temp, after.flops / before.flops


def compare(remat, source, before, share, flops, seen):
    """The first plan that beats the row, or the nearest, and whether it does.

    SEEN has the plans that were made for other rows."""
    beats = lambda made: made[0] < share and made[1] <= flops
    for made in seen:
        if beats(made):
            return made, True
    tried = []
    for below in BELOW:
        tried.append(planned(remat, source, int(below * share * before.temp),
                             before))
        seen.append(tried[-1])
        if beats(tried[-1]):
            return tried[-1], True
    nearest = min(tried, key=lambda t: max(t[0] / share, t[1] / flops))
    return nearest, False


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1]
                                     .split("\n\n", maxsplit=1)[0])
    parser.add_argument("remat")
    parser.add_argument("corpus")
    parser.add_argument("peers")
    parser.add_argument("--steps")
    parser.add_argument("--write")
    arguments = parser.parse_args()
    load_jax()
    beaten = missed = 0
    print(HEAD, end="")
    for step, rows in read_peers(arguments.peers).items():
        source = os.path.join(arguments.corpus, step, "step.stablehlo.mlir")
        if (not os.path.exists(source) or arguments.steps and
                step not in arguments.steps.split(",")):
            continue
        before = Program(source)
        seen = [(1.0, 1.0)]
        for policy, share, flops in rows:
            made, better = compare(arguments.remat, source, before, share,
                                   flops, seen)
            row = (f"| {step} | {policy} | {share:.3f} | {flops:.3f} | "
                   f"{made[0]:.3f} | {made[1]:.3f} | "
                   f"{'yes' if better else 'no'} |\n")
            print(row, end="", flush=True)
            beaten, missed = beaten + better, missed + (not better)
            if arguments.write:
                write(arguments.write, "peers", HEAD, [row], 2)
    print(f"{beaten} beaten, {missed} not")
    sys.exit(missed > 0)


if __name__ == "__main__":
    main()
