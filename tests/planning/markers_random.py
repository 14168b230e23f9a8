#!/usr/bin/env python3
"""Random programs with markers, planned beyond them.

usage: markers_random.py REMAT COUNT SEED

Some ops are marked remat.recompute, some remat.keep, some programs have phases.
Each is planned with room for everything and then for shares of what its markers
leave.  remat itself proves that the program is the same and that clones are
those that were projected; checked here, from the text that is printed:

- what is marked to be recomputed has no original left where every reader may
  have a clone (there are no phases), and all of its clones are read;
- what is marked to be kept has no clone;
- the peak is not above what markers alone reach, and within the budget where
  the report says that it fits;
- some budgets are met that markers alone do not meet."""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

UNIT = 1 << 20
OPS = [("tessera.gelu", 1), ("tessera.add", 2), ("tessera.layer_norm", 1)]


def tensor(units):
    return f"tensor<{units}x512x512xf32>"


def program(rng):
    """The text of a random program, and which values carry which marker."""
    names, sizes, lines, marks = ["x"], {"x": 1}, [], {}
    count, phases = rng.randrange(8, 40), rng.random() < 0.4
    unread = []
    for i in range(count):
        op, arity = rng.choice(OPS)
        near = names[-6:] if rng.random() < 0.7 else names
        operands = [rng.choice(near) for _ in range(arity)]
        if len(unread) > 3:
            operands[0] = unread[0]
        name, units = f"v{i}", rng.randrange(1, 5)
        attributes = []
        if rng.random() < 0.25:
            marks[name] = rng.choice(["remat.recompute", "remat.keep"])
            attributes.append(marks[name])
        if phases:
            phase = "forward" if i < count * 0.6 else "backward"
            attributes.append(f'tessera.autodiff.phase = "{phase}"')
        dictionary = f" {{{', '.join(attributes)}}}" if attributes else ""
        types = ", ".join(tensor(sizes[o]) for o in operands)
        uses = ", ".join("%" + o for o in operands)
        lines.append(f'  %{name} = "{op}"({uses}){dictionary} : ({types}) '
                     f"-> {tensor(units)}")
        names.append(name)
        sizes[name] = units
        unread = [u for u in unread if u not in operands] + [name]
    uses = ", ".join("%" + u for u in unread)
    types = ", ".join(tensor(sizes[u]) for u in unread)
    lines.append(f'  %sum = "tessera.add"({uses}) : ({types}) -> {tensor(1)}')
    return (f"func.func @main(%x: {tensor(1)}) -> {tensor(1)} {{\n"
            + "\n".join(lines) + f"\n  return %sum : {tensor(1)}\n}}\n",
            marks, phases)


def plan(remat, source, budget, folder):
    report, out = (os.path.join(folder, n) for n in ("r.json", "out.mlir"))
    done = subprocess.run(
        [remat, "--target=generic", "--memory-model=live", "--no-annotate",
         "-Wno-budget", "-Wno-markers", f"--budget={budget}",
         f"--report={report}", "-o", out, source],
        capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    with open(report, encoding="utf-8") as file:
        figures = json.load(file)["functions"][0]
    with open(out, encoding="utf-8") as file:
        return figures, file.read()


def check(text, marks, phases, figures, alone):
    for name, mark in marks.items():
        clones = re.findall(rf"%({name}_remat\d*) =", text)
        if mark == "remat.keep":
            assert not clones, (name, text)
        if mark == "remat.recompute" and not phases and clones:
            assert not re.search(rf"%{name} =", text), (name, text)
        for clone in clones:
            assert len(re.findall(rf"%{clone}\b", text)) > 1, (clone, text)
    assert figures["peak_after_bytes"] <= alone["peak_after_bytes"], figures
    assert figures["fits"] == (figures["peak_after_bytes"]
                               <= figures["budget_bytes"]), figures
    assert figures["emitted_clones"] == figures["projected_clones"], figures


def main():
    remat, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    met = 0
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "in.mlir")
        for _ in range(count):
            text, marks, phases = program(rng)
            with open(source, "w", encoding="utf-8") as file:
                file.write(text)
            alone, _ = plan(remat, source, "1TiB", folder)
            for share in (90, 75, 60):
                budget = alone["peak_after_bytes"] * share // 100
                try:
                    figures, out = plan(remat, source, budget, folder)
                    check(out, marks, phases, figures, alone)
                except AssertionError:
                    print(text)
                    raise
                met += figures["fits"]
    print(f"{met} of {3 * count} budgets met")
    assert met > count, met


main()
