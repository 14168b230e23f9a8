"""Our ops against those of mlir-opt, one by one.

usage: same_as_mlir_opt.py READ_ALL MLIR_OPT FILE...

mlir-opt prints each file that it accepts in generic form, where every op
begins its line with its quoted name and all results, operands and regions
stand in the open; a few regular expressions read that.  In textual order our
ops must have the same name (default dialects filled in), number of results,
successors and depth; the same result types where mlir-opt prints them on the
op's line; and as many operands where the op's text shows all of them.

mlir-opt adds what the text does not have, and this is passed over: a module
around a file without one, terminators without operands that a pretty form
leaves out, and the bodies of named linalg ops.  The counts of such ops are
printed."""
import os
import re
import subprocess
import sys

OP = re.compile(r'^ *((?:%[^"=]*= )?)"([\w.$-]+)"\(([^()]*)\)(\[[^\]]*\])?')
# Pretty forms whose operands are not all in the text, or there twice.
HIDDEN = re.compile(r"^(affine|vector|gpu|async|llvm)\.|^scf\.forall|"
                    r"^linalg\.")
DEFAULTS = {"module": "builtin.module", "func": "func.func"}


def result_types(line):
    """What stands behind the last "->" outside of brackets, bare."""
    if line.endswith("({"):
        return None
    depth, at = 0, None
    for i, c in enumerate(line):
        if c in "(<[{":
            depth += 1
        elif c in ")]}" or (c == ">" and line[i - 1] != "-"):
            depth -= 1
        elif c == ">" and depth == 0:
            at = i + 1
    if at is None:
        return None
    return bare(line[at:])


def bare(types):
    types = re.sub(r"\d+\.\d+(e[+-]\d+)?", lambda m: repr(float(m[0])), types)
    return re.sub(r"[ \n()]", "", types)


def generic(mlir_opt, path):
    """mlir-opt's generic print of PATH, or None where it refuses."""
    done = subprocess.run(
        [mlir_opt, "--allow-unregistered-dialect", "--split-input-file",
         "--mlir-print-op-generic", "--mlir-print-local-scope", path],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        errors="replace", timeout=120)
    return done.stdout if done.returncode == 0 else None


def their_ops(text):
    """(name, results, operands, successors, depth, types) of each op."""
    ops = []
    for line in text.split("\n"):
        found = OP.match(line)
        if not found:
            continue
        names, name, operands, successors = found.groups()
        results = sum(int((re.search(r":(\d+)", part) or [0, 1])[1])
                      for part in names.split(",")) if names else 0
        depth = (len(line) - len(line.lstrip(" "))) // 2
        ops.append((name, results, len(re.findall("%", operands)),
                    (successors or "").count("^"), depth, result_types(line)))
    return ops


def our_ops(read_all, path):
    done = subprocess.run([read_all, "-t", path], stdout=subprocess.PIPE,
                          text=True, errors="replace")
    if done.returncode or "\nrefused " in "\n" + done.stdout:
        return done.stdout
    ops = []
    for line in done.stdout.splitlines():
        name, *rest = line.split(" ", 6)
        results, operands, successors, regions, depth = map(int, rest[:5])
        types = bare(rest[5]) if rest[5:] else ""
        if "." not in name:
            name = DEFAULTS.get(name, "func." + name)
        ops.append((name, results, operands, successors, depth, types,
                    regions))
    return ops


def is_implied(op, shorts):
    """Could OP be one that a pretty form leaves out?"""
    name, results, operands, successors, depth, _ = op
    if name == "builtin.module" and depth == 0:
        return True
    if depth - 1 in shorts:
        return True
    return results == 0 and successors == 0 and operands == 0 and (
        name.endswith((".yield", ".terminator", ".in_parallel", ".return",
                       ".reduce", "_end")))


def compare(ours, theirs):
    """(what differs or None, ops that mlir-opt added)."""
    added, at, shift = 0, 0, 0
    shorts = set()
    for op in theirs:
        name, results, operands, successors, depth, types = op
        shorts = {d for d in shorts if d < depth}
        mine = ours[at] if at < len(ours) else None
        if mine and mine[0] == name and mine[1] == results and \
                mine[3] == successors and mine[4] + shift == depth:
            if mine[2] != operands and not HIDDEN.match(name):
                return f"operands of {mine}, here {op}", added
            if types is not None and mine[5] != types and mine[5]:
                return f"types of {mine}, here {op}", added
            if name.startswith("linalg.") and mine[6] == 0:
                shorts.add(depth)
            at += 1
        elif is_implied(op, shorts):
            added += 1
            if name == "builtin.module" and depth == 0:
                shift = 1
        else:
            return f"ours {mine}, here {op} at {at}", added
        if name == "builtin.module" and depth == 0 and mine and \
                mine[0] == name:
            shift = 0
    if at < len(ours):
        return f"ours {ours[at]}, here no more ops", added
    return None, added


def main():
    read_all, mlir_opt, *paths = sys.argv[1:]
    compared = wrong = refused = ops = results = implied = 0
    for path in paths:
        text = generic(mlir_opt, path)
        if text is None:
            refused += 1
            continue
        ours = our_ops(read_all, path)
        compared += 1
        if isinstance(ours, str):
            print(f"{os.path.basename(path)}: mlir-opt accepts it\n{ours}")
            wrong += 1
            continue
        theirs = their_ops(text)
        difference, added = compare(ours, theirs)
        if difference:
            print(f"{os.path.basename(path)}: {difference}")
            wrong += 1
        ops += len(ours)
        results += sum(op[1] for op in ours)
        implied += added
    print(f"{compared} files, {wrong} differ, {ops} ops, {results} results, "
          f"{implied} implied ops; mlir-opt refuses {refused}")
    sys.exit(1 if wrong or not compared else 0)


if __name__ == "__main__":
    main()
