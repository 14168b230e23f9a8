#!/usr/bin/env python3
"""Run every test of one build and close with one line that counts them.

usage: run.py BUILD LLVM [--sanitized] [--only unit|lit]

Check programs (BUILD/tests/check_*) first, then the files with RUN lines
through lit.  The last line is "N passed, N failed, N skipped"; the exit
status is 1 when anything failed or nothing ran."""
import argparse
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CHECK_LINE = re.compile(r"Checks: (\d+), Failures: (\d+), Errors: (\d+)")
SKIPPED = {"UNSUPPORTED", "EXCLUDED", "SKIPPED"}
PASSED = {"PASS", "XFAIL", "FLAKYPASS"}


def run_unit(build, environment):
    """Passed and failed checks of all unit programs."""
    passed = failed = 0
    for program in sorted(glob.glob(os.path.join(build, "tests", "check_*"))):
        if program.endswith(".d"):
            continue
        done = subprocess.run([program], env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        counts = CHECK_LINE.search(done.stdout)
        bad = int(counts[2]) + int(counts[3]) if counts else 1
        if done.returncode and not bad:
            bad = 1
        passed += int(counts[1]) - bad if counts else 0
        failed += bad
        summary = counts[0] if counts else "did not finish"
        print(f"{os.path.basename(program)}: {summary}")
        if bad:
            print(done.stdout)
    return passed, failed


def run_lit(arguments, environment):
    """Passed, failed and skipped files."""
    lit = os.path.join(arguments.llvm, "build", "utils", "lit", "lit.py")
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "lit.json")
        command = [sys.executable, lit, "-v", "--output", report,
                   "--order", "lexical", "-j", str(os.cpu_count() or 1),
                   "-D", f"build={arguments.build}",
                   "-D", f"llvm={arguments.llvm}",
                   "-D", f"python={sys.executable}"]
        if arguments.sanitized:
            command += ["-D", "sanitized=1"]
        subprocess.run(command + [HERE], env=environment, check=False)
        with open(report, encoding="utf-8") as file:
            codes = [test["code"] for test in json.load(file)["tests"]]
    passed = sum(code in PASSED for code in codes)
    skipped = sum(code in SKIPPED for code in codes)
    return passed, len(codes) - passed - skipped, skipped


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("llvm")
    parser.add_argument("--sanitized", action="store_true")
    parser.add_argument("--only", choices=["unit", "lit"])
    arguments = parser.parse_args()
    environment = dict(os.environ)
    if arguments.sanitized:
        environment["CK_FORK"] = "no"
        environment.setdefault("UBSAN_OPTIONS", "halt_on_error=1")
    passed = failed = skipped = 0
    if arguments.only != "lit":
        passed, failed = run_unit(arguments.build, environment)
    if arguments.only != "unit":
        lit_passed, lit_failed, skipped = run_lit(arguments, environment)
        passed += lit_passed
        failed += lit_failed
    sys.stdout.flush()
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
