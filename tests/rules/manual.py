#!/usr/bin/env python3
"""Every word of the rules language stands in its manual.

usage: manual.py ROOT

Words are those of the scanner's table, the quantities, the flags, the
functions, the units and the figures with a known dimension; the manual is
doc/remat-rules.5 without its mark-up."""
import os
import re
import sys

root = sys.argv[1]


def text(*path):
    with open(os.path.join(root, *path), encoding="utf-8") as file:
        return file.read()


def between(source, begin, end):
    return source.split(begin, 1)[1].split(end, 1)[0]


words = set()
words.update(re.findall(r'\{"(\w+)", \w+\}',
                        between(text("src", "rules", "lexical.c"),
                                "keywords[] = {", "};")))
words.update(re.findall(r'^QUANTITY \(\w+, "(\w+)"',
                        text("src", "rules", "quantities.def"), re.M))
words.update(re.findall(r'^FACT_FLAG \(\w+, "(\w+)"',
                        text("src", "rules", "facts.def"), re.M))
words.update(re.findall(r'\{"(\w+)", \w+, OPCODE_\w+\}',
                        between(text("src", "rules", "functions.c"),
                                "functions[] = {", "};")))
words.update(re.findall(r'\{"([\w%]+)", \{\{',
                        between(text("src", "rules", "units.c"),
                                "units[] = {", "};")))
words.update(re.findall(r'\{"(\w+)", FIGURE_',
                        between(text("src", "rules", "figures.c"),
                                "known_figures[] = {", "};")))
words.update(re.findall(r'"(\w+)"',
                        between(text("src", "rules", "rulesets.c"),
                                "threshold_names[] = {", "};")))
manual = re.sub(r"\\f[BIR]|\\\(dq", " ", text("doc", "remat-rules.5"))
manual = set(re.findall(r"[\w%]+", manual))
missing = sorted(words - manual)
for word in missing:
    print(f"doc/remat-rules.5 does not tell of '{word}'")
print(f"{len(words)} words, {len(missing)} missing")
sys.exit(bool(missing))
