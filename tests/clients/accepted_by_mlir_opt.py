"""Does mlir-opt take what remat makes of programs that it takes?

usage: accepted_by_mlir_opt.py REMAT MLIR_OPT FILE...

Each FILE that mlir-opt parses and verifies is planned for a share of its
peak, and mlir-opt parses, verifies and prints the result: twice, and both
prints must be the same.  Dialects that it does not know pass with
--allow-unregistered-dialect, in whose regions mlir-opt does not look at
dominance; remat's own proof does.  Prints what was counted."""
import os
import subprocess
import sys
import tempfile

SHARES = ("80%peak", "50%peak")


def accepted(mlir_opt, path):
    """What mlir-opt says against the file at PATH, or None."""
    done = subprocess.run(
        [mlir_opt, "--allow-unregistered-dialect", "--split-input-file",
         "--verify-roundtrip", path, "-o", os.devnull],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        errors="replace", timeout=120)
    return done.stderr or "refused" if done.returncode else None


def main():
    remat, mlir_opt, *paths = sys.argv[1:]
    taken = planned = changed = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        after = os.path.join(folder, "after.mlir")
        for path in paths:
            if accepted(mlir_opt, path) is not None:
                continue
            taken += 1
            for share in SHARES:
                done = subprocess.run(
                    [remat, "--target=generic", "--budget=" + share, path,
                     "-o", after], stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE, text=True, errors="replace",
                    timeout=120)
                name = f"{os.path.basename(path)} at {share}"
                if done.returncode not in (0, 2):
                    print(f"{name}: {done.stderr.splitlines()[0]}")
                    wrong += done.returncode != 1
                    continue
                planned += 1
                with open(path, "rb") as a, open(after, "rb") as b:
                    changed += len(a.read().split(b"\n")) < \
                        len(b.read().split(b"\n"))
                against = accepted(mlir_opt, after)
                if against is not None:
                    wrong += 1
                    print(f"{name}: mlir-opt refuses it: "
                          f"{against.splitlines()[0]}")
    print(f"files {taken}, planned {planned}, with clones {changed}, "
          f"wrong {wrong}")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
