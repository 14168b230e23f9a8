"""Many small inputs in one file, each with the message it must get.

usage: cases.py TOOL FILE

FILE holds cases: "=== what it is about", the text, "--- LINE:COLUMN: error:
MESSAGE".  TOOL reads each from standard input's place, a file, and its first
message must be exactly that."""
import os
import re
import subprocess
import sys
import tempfile


def main():
    tool, name = sys.argv[1:]
    with open(name, encoding="utf-8") as file:
        text = file.read()
    cases = re.findall(r"^=== (.*)\n((?:.*\n)*?)^--- (.*)\n", text, re.M)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, (title, body, expected) in enumerate(cases):
            path = os.path.join(folder, f"{number}.hlo")
            with open(path, "w", encoding="utf-8") as file:
                file.write(body)
            done = subprocess.run([tool, path], text=True,
                                  stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT)
            first = done.stdout.split("\n", 1)[0]
            got = re.sub(r" \[REMAT_\w+\]$", "", first[len(path) + 1:])
            if got != expected:
                failed += 1
                print(f"{title}:\n  expected {expected}\n  got      {got}")
    if failed or not cases:
        sys.exit(f"{failed} of {len(cases)} cases are wrong")
    print(f"{len(cases)} cases")


main()
