#!/usr/bin/env python3
"""Random pairs of programs, judged by remat --compare and by an evaluator here.

usage: compare_random.py REMAT SEED COUNT

A program is a list of ops on values; the second of a pair is the first with
ops moved, cloned, put into private functions and behind barriers, and values
renamed.  In every other pair one operand, attribute, result, or the order of
two ops with effects is then changed too.  What is true is found out by
evaluating both here, with hash functions for ops: remat must say the same, and
point into both files where they differ."""
import hashlib
import random
import subprocess
import sys
import tempfile

TYPE = "tensor<8x8xf32>"
PURE = [("tessera.gelu", 1), ("tessera.add", 2), ("tessera.matmul", 2),
        ("stablehlo.tanh", 1), ("stablehlo.subtract", 2)]
EFFECT = ("test.write", 1)


class Op:
    def __init__(self, name, operands, key, result):
        self.name, self.operands = name, list(operands)
        self.key, self.result = key, result

    def copy(self):
        return Op(self.name, self.operands, self.key, self.result)


def program(rng):
    """Arguments a0 a1 a2, then ops; some write."""
    values, ops = ["a0", "a1", "a2"], []
    for i in range(rng.randrange(4, 14)):
        name, arity = EFFECT if rng.random() < .15 else rng.choice(PURE)
        ops.append(Op(name, rng.choices(values, k=arity), rng.randrange(3),
                      f"v{i}"))
        values.append(f"v{i}")
    return ops, rng.choices(values[3:], k=2)


def evaluate(ops, returned):
    """Hashes of what is returned, and of what is written, in order."""
    value = {f"a{i}": f"a{i}" for i in range(3)}
    written = []
    for op in ops:
        if op.name == "barrier":
            value[op.result] = value[op.operands[0]]
            continue
        text = repr((op.name, op.key, [value[o] for o in op.operands]))
        if op.name == EFFECT[0]:
            text += str(len(written))
            written.append(text)
        value[op.result] = hashlib.sha256(text.encode()).hexdigest()
    return [value[r] for r in returned], written


def shuffled(rng, ops):
    """Another order in which operands are defined first and writes stay."""
    left, done, out = [o.copy() for o in ops], {"a0", "a1", "a2"}, []
    while left:
        first = next((o for o in left if o.name == EFFECT[0]), None)
        ready = [o for o in left if all(x in done for x in o.operands)
                 and (o.name != EFFECT[0] or o is first)]
        op = rng.choice(ready)
        left.remove(op)
        out.append(op)
        done.add(op.result)
    return out


def cloned(rng, ops, returned):
    """Each pure op perhaps a second time, perhaps behind a barrier; later
    readers take either."""
    out, names, count = [], {f"a{i}": [f"a{i}"] for i in range(3)}, 0
    for op in ops:
        for again in range(2 if op.name != EFFECT[0] and rng.random() < .4
                           else 1):
            new = op.copy()
            new.operands = [rng.choice(names[o]) for o in op.operands]
            new.result = f"r{count}"
            count += 1
            if again and new.operands and rng.random() < .5:
                out.append(Op("barrier", [new.operands[0]], 0, f"r{count}"))
                new.operands[0] = f"r{count}"
                count += 1
            out.append(new)
            names.setdefault(op.result, []).append(new.result)
    return out, [rng.choice(names[r]) for r in returned]


def changed(rng, ops, returned):
    """One small fault, which may turn out to be none."""
    ops, returned = [o.copy() for o in ops], list(returned)
    real = [i for i, o in enumerate(ops) if o.name != "barrier"]
    kind = rng.randrange(4)
    at = rng.choice(real)
    before = ["a0", "a1", "a2"] + [o.result for o in ops[:at]]
    if kind == 0:
        ops[at].operands[-1] = rng.choice(before)
    elif kind == 1:
        ops[at].key = rng.randrange(3)
    elif kind == 2:
        returned[rng.randrange(2)] = rng.choice([o.result for o in ops])
    else:
        writes = [o for o in ops if o.name == EFFECT[0]]
        if len(writes) > 1:
            a, b = rng.sample(writes, 2)
            if all(x[0] == "a" for x in a.operands + b.operands):
                a.operands, b.operands = b.operands, a.operands
            else:
                a.key, b.key = b.key, a.key
    return ops, returned


def line(op, name):
    """OP as text; NAME spells values."""
    operands = ", ".join(name(o) for o in op.operands)
    types = ", ".join([TYPE] * len(op.operands))
    if op.name == "barrier":
        return (f'{name(op.result)} = "stablehlo.optimization_barrier"'
                f"({operands}) : ({types}) -> {TYPE}")
    return (f'{name(op.result)} = "{op.name}"({operands}) '
            f"{{k = {op.key} : i64, remat.x}} : ({types}) -> {TYPE}")


def text(rng, ops, returned, outline):
    """The program as MLIR; some ops in private functions if OUTLINE."""
    arguments = ", ".join(f"%a{i}: {TYPE}" for i in range(3))
    lines, functions = [], []
    for op in ops:
        if outline and op.name != "barrier" and rng.random() < .3:
            inner = Op(op.name, [f"p{i}" for i in range(len(op.operands))],
                       op.key, "q")
            head = ", ".join(f"%{p}: {TYPE}" for p in inner.operands)
            number = len(functions)
            functions.append(
                f"func.func private @f{number}({head}) -> {TYPE} {{\n  "
                + line(inner, lambda v: "%" + v)
                + f"\n  return %q : {TYPE}\n}}\n")
            uses = ", ".join("%" + o for o in op.operands)
            types = ", ".join([TYPE] * len(op.operands))
            lines.append(f"%{op.result} = call @f{number}({uses}) : ({types})"
                         f" -> {TYPE}")
        else:
            lines.append(line(op, lambda v: "%" + v))
    return (f"func.func @main({arguments}) -> ({TYPE}, {TYPE}) {{\n  "
            + "\n  ".join(lines)
            + f"\n  return %{returned[0]}, %{returned[1]} : {TYPE}, {TYPE}\n"
            "}\n" + "".join(functions))


def judge(remat, first, second):
    with tempfile.TemporaryDirectory() as folder:
        paths = [f"{folder}/before.mlir", f"{folder}/after.mlir"]
        for path, content in zip(paths, (first, second)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(content)
        done = subprocess.run([remat, "--compare", *paths], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode not in (0, 2):
        sys.exit(f"status {done.returncode}\n{done.stderr}")
    if done.returncode and ("after.mlir:" not in done.stderr
                            or "before.mlir" not in done.stderr):
        sys.exit(f"no places: {done.stderr}\n{first}\n{second}")
    if (done.returncode == 0) != ("main: the same program" in done.stdout):
        sys.exit(f"text and status disagree\n{done.stdout}")
    return done.returncode == 0


def main():
    remat, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    seen = {True: 0, False: 0}
    for number in range(count):
        rng = random.Random(seed * 100003 + number)
        ops, returned = program(rng)
        other, back = cloned(rng, shuffled(rng, ops), returned)
        if evaluate(other, back) != evaluate(ops, returned):
            sys.exit("the generator is at fault")
        if number % 2:
            other, back = changed(rng, other, back)
        truth = evaluate(other, back) == evaluate(ops, returned)
        first = text(rng, ops, returned, False)
        second = text(rng, other, back, True)
        if judge(remat, first, second) != truth:
            sys.exit(f"seed {seed}, program {number}: they are "
                     f"{'the same' if truth else 'different'}\n"
                     f"{first}\n{second}")
        seen[truth] += 1
    print(f"{seen[True]} the same, {seen[False]} different")
    if min(seen.values()) == 0:
        sys.exit("only one kind of pair was made")


if __name__ == "__main__":
    main()
