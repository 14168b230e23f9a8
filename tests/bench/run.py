#!/usr/bin/env python3
"""Times of remat, as ratios against a peer in the same run.

usage: run.py BUILD LLVM [--quick] [NAME...]

Each row runs its command and its peer in turn and prints the medians of time
and the largest memory, and by how much both grow with the size.  Nothing passes
or fails here.  --quick divides sizes
by ten; NAMEs choose rows."""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def run(command):
    """Seconds and KiB that COMMAND took; its output is thrown away."""
    begin = time.perf_counter()
    with open(os.devnull, "w", encoding="utf-8") as null:
        child = subprocess.Popen(command, stdout=null, stderr=null)
        _, _, usage = os.wait4(child.pid, 0)
    return time.perf_counter() - begin, usage.ru_maxrss


def measure(command, rounds):
    runs = [run(command) for _ in range(rounds)]
    return statistics.median(r[0] for r in runs), max(r[1] for r in runs)


class Bench:
    def __init__(self, arguments, folder):
        self.remat = os.path.join(arguments.build, "remat")
        self.planner = os.path.join(arguments.build, "tests", "plan_bench")
        self.mlir_opt = os.path.join(arguments.llvm, "bin", "mlir-opt")
        self.scale = 10 if arguments.quick else 1
        self.folder = folder
        self.wanted = arguments.names

    def program(self, kind, count):
        path = os.path.join(self.folder, f"{kind}{count}.mlir")
        if not os.path.exists(path):
            with open(path, "w", encoding="utf-8") as file:
                subprocess.run([sys.executable,
                                os.path.join(HERE, "generate.py"),
                                kind, str(count)], stdout=file, check=True)
        return path

    def row(self, name, command, peer=None, rounds=3, smaller=None):
        """Returns what it took; SMALLER is that of a tenth of the size."""
        if self.wanted and not any(w in name for w in self.wanted):
            return None
        ours = measure(command, rounds)
        text = f"{name:<44} {ours[0]:8.3f} s {ours[1] / 1024:8.0f} MiB"
        if peer:
            theirs = measure(peer, 1 if self.scale == 1 else rounds)
            text += (f"   peer {theirs[0]:8.3f} s {theirs[1] / 1024:8.0f} MiB"
                     f"   time 1/{theirs[0] / ours[0]:.1f}"
                     f" memory 1/{theirs[1] / ours[1]:.1f}")
        if smaller:
            text += (f"   for 10 times the ops: time x{ours[0] / smaller[0]:.1f}"
                     f" memory x{ours[1] / smaller[1]:.1f}")
        print(text, flush=True)
        return ours

    def reading(self):
        million = self.program("mixed", 1000000 // self.scale)
        peer = [self.mlir_opt, "--allow-unregistered-dialect", million]
        self.row("read and analyze 1M ops / mlir-opt",
                 [self.remat, "--analyze", million], peer)
        self.row("read and print 1M ops / mlir-opt",
                 [self.remat, "--strategy=none", million], peer)

    def seed(self):
        options = ["--target=generic", "--strategy=greedy",
                   "--memory-model=candidates", "--no-annotate",
                   "-Wno-budget", "-Wno-clone-bound"]
        small = self.program("chain", 4001)
        budget = "--budget=" + str(4 * 128 * 128 * 4)
        self.row("seed's chain of 2000, no bound",
                 [self.remat, *options, "--max-clone-expansion=0", budget,
                  small])
        self.row("seed's chain of 2000, trimmed",
                 [self.remat, *options, "--trim=midpoint", budget, small])
        for count in (10000, 100000, 1000000):
            chain = self.program("chain", count // self.scale + 1)
            self.row(f"chain of {count // self.scale} ops, trimmed",
                     [self.remat, *options, budget, chain])

    def planning(self):
        ours = None
        for count in (10000, 100000, 1000000):
            step = self.program("mixed", count // self.scale)
            ours = self.row(
                f"best plan at 50%, {count // self.scale} ops",
                [self.remat, "--target=generic", "--memory-model=live",
                 "--budget=50%peak", "-Wno-budget", step],
                rounds=1, smaller=ours)

    def shapes(self):
        """Users' case P35: a planner must not be felt on these either."""
        for shape in ("train", "fan", "layers"):
            ours = None
            for count in (10000, 100000):
                path = self.program(shape, count // self.scale)
                ours = self.row(
                    f"{shape} at 60%, {count // self.scale} ops",
                    [self.remat, "--target=generic", "--memory-model=live",
                     "--budget=60%peak", "-Wno-budget", "-Wno-unknown-ops",
                     path],
                    rounds=3, smaller=ours)

    def planners(self):
        """Single planners on shapes made in memory: what they take without
        reading and printing."""
        for shape, percent, planner in (("transformer", 50, "gap"),
                                        ("transformer", 50, "walk"),
                                        ("chain", 50, "gap"),
                                        ("training", 50, "walk"),
                                        ("random", 50, "gap"),
                                        ("transformer", 50, "best")):
            ours = None
            for count in (10000, 100000, 1000000):
                ours = self.row(f"{planner} on {shape} at {percent}%, "
                                f"{count // self.scale} ops",
                                [self.planner, shape, str(count // self.scale),
                                 str(percent), planner],
                                rounds=1, smaller=ours)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("llvm")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_intermixed_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(arguments, folder)
        bench.reading()
        bench.seed()
        bench.planning()
        bench.shapes()
        bench.planners()


if __name__ == "__main__":
    main()
