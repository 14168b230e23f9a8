#!/usr/bin/env python3
"""The seed's command line on our tool, so that its own tests run on it.

    tessera_opt.py REMAT MLIR_OPT FILE [--verify-diagnostics] [--TESSERA-...]

Plans FILE as the seed does (greedy, midpoint, candidate sums) and prints what
the tool printed once more with mlir-opt, which is how the seed prints: one
line a function, attributes sorted, no comments.

With --verify-diagnostics nothing is printed: every message must be announced
by an `expected-error @+N {{text}}` comment on its line, where text is part of
"CODE: message", and every announced one must come."""
import json
import re
import subprocess
import sys

OPTIONS = ["--target=generic", "--strategy=greedy", "--trim=midpoint",
           "--memory-model=candidates", "-Wno-budget"]
EXPECTED = re.compile(r"expected-error(?: @([+-]\d+))? \{\{(.*?)\}\}")


def expected(path):
    found = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            for offset, text in EXPECTED.findall(line):
                found.append((number + int(offset or 0), text))
    return found


def verify(remat, path):
    done = subprocess.run([remat, *OPTIONS, "--diagnostics=json",
                           "-o", "/dev/null", path],
                          stderr=subprocess.PIPE, text=True)
    wanted, good = expected(path), done.returncode == 1
    for line in done.stderr.splitlines():
        message = json.loads(line)
        if message["severity"] != "error":
            continue
        text = f"{message['code']}: {message['message']}"
        match = [w for w in wanted if w[0] == message["line"] and w[1] in text]
        if not match:
            print(f"{path}:{message['line']}: unexpected: {text}")
            good = False
        else:
            wanted.remove(match[0])
    for number, text in wanted:
        print(f"{path}:{number}: did not come: {text}")
    return 0 if good and not wanted else 1


def main():
    remat, mlir_opt, path, *flags = sys.argv[1:]
    if "--verify-diagnostics" in flags:
        return verify(remat, path)
    planned = subprocess.run([remat, *OPTIONS, path], check=True,
                             stdout=subprocess.PIPE, text=True)
    printed = subprocess.run([mlir_opt, "--allow-unregistered-dialect"],
                             input=planned.stdout, text=True)
    return printed.returncode


if __name__ == "__main__":
    sys.exit(main())
