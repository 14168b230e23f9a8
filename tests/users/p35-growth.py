#!/usr/bin/env python3
"""Work and memory of planning grow about as the program does (P35).

usage: p35-growth.py REMAT GENERATE

Three shapes, each of N and of 4 N ops, planned at 60 % of their peak: a training
chain, one op that reads everything, and layers of a hundred ops.  What is linear
up to a logarithm grows by 4 to 5, what is quadratic by 16; 9 is between the two
and far from both.  Work is what the planners count (planner_work, the same on
any machine), not time, which `make bench` prints.  Memory is what the system
gave at most: it hardly varies."""
import json
import os
import subprocess
import sys
import tempfile

TIMES, MOST_WORK, MOST_MEMORY = 4, 9.0, 5.0


def run(remat, path, folder):
    """Executions that planners handled and KiB of one run, in a process of its
    own."""
    code = ("import resource, subprocess, sys; "
            "done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, "
            "stderr=subprocess.DEVNULL, check=False); "
            "used = resource.getrusage(resource.RUSAGE_CHILDREN); "
            "assert done.returncode in (0, 2), done; "
            "print(used.ru_maxrss)")
    report = os.path.join(folder, "report.json")
    memory = subprocess.run(
        [sys.executable, "-c", code, remat, "--target=generic",
         "--memory-model=live", "--budget=60%peak", "-Wno-unknown-ops",
         "-fno-verify-text", "--report=" + report,
         "-o", os.path.join(folder, "out"), path],
        check=True, capture_output=True, text=True).stdout
    with open(report, encoding="utf-8") as file:
        work = json.load(file)["functions"][0]["planner_work"]
    return work, int(memory)


def measure(remat, generate, shape, count, folder):
    path = os.path.join(folder, "in.mlir")
    with open(path, "w", encoding="utf-8") as file:
        subprocess.run([sys.executable, generate, shape, str(count)],
                       stdout=file, check=True)
    return run(remat, path, folder)


def main():
    remat, generate = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        for shape, count in (("train", 25000), ("fan", 25000),
                             ("layers", 25000)):
            few = measure(remat, generate, shape, count, folder)
            many = measure(remat, generate, shape, TIMES * count, folder)
            print(f"{shape}: {few[0]} executions and {few[1]} KiB, then "
                  f"{many[0]} and {many[1]}")
            # nothing but arguments and results fits a fan: that is proved
            assert (few[0] > 0) == (shape != "fan"), (shape, few)
            assert many[0] <= MOST_WORK * few[0], (shape, few, many)
            assert many[1] < MOST_MEMORY * few[1], (shape, few, many)


main()
