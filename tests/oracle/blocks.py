"""Peaks of random functions of many blocks, value by value.

    blocks.py REMAT COUNT [SEED]

For each storage the moments at which it is live are found by walking from
each of its reads backwards, over every way that control may have come, to
where it is made.  No sets of blocks, no fixpoint."""
import json
import random
import subprocess
import sys
import tempfile


class Block:
    def __init__(self, number):
        self.number, self.args, self.ops = number, [], []
        self.next, self.passed, self.before = [], [], []


class Maker:
    """Values are (name, size); a view has the storage of its base."""

    def __init__(self, rng):
        self.rng, self.count, self.base = rng, 0, {}

    def value(self, size):
        self.count += 1
        return ("%%v%d" % self.count, size)

    def function(self):
        rng = self.rng
        blocks = [Block(i) for i in range(rng.randint(2, 7))]
        for block in blocks:
            later = blocks[1:]
            for _ in range(rng.choice([0, 1, 1, 2, 2])):
                block.next.append(rng.choice(later))
            if not block.next and block.number + 1 < len(blocks):
                block.next.append(blocks[block.number + 1])
            block.args = [self.value(8) for _ in range(rng.choice([0, 1, 2]))]
            for target in block.next:
                target.before.append(block)
        blocks[0].args = [self.value(8), self.value(40)]
        self.fill(blocks)
        return blocks

    def fill(self, blocks):
        rng, made = self.rng, {}
        ruled = dominators(blocks)
        # A block that rules another stands before it in this order.
        order = sorted(blocks, key=lambda b: (len(ruled[b]), b.number))
        for block in order:
            scope = [v for r in sorted(ruled[block], key=lambda b: b.number)
                     if r is not block for v in made.get(r, [])] + block.args
            for _ in range(rng.randint(1, 5)):
                operands = [rng.choice(scope) for _ in
                            range(rng.randint(0, 2))] if scope else []
                result = self.value(rng.choice([4, 8, 8, 16]))
                kind = "make"
                if operands and rng.random() < .2:
                    kind, operands = "view", operands[:1]
                    result = self.value(operands[0][1])
                    self.base[result] = self.base.get(operands[0],
                                                      operands[0])
                block.ops.append((kind, operands, result))
                scope.append(result)
            made[block] = block.args + [op[2] for op in block.ops]
            fitting = [v for v in scope if v[1] == 8] or None
            block.scope8 = fitting
        for block in blocks:
            for target in block.next:
                if len(target.args) and block.scope8 is None:
                    extra = self.value(8)
                    block.ops.append(("make", [], extra))
                    block.scope8 = [extra]
                block.passed.append([rng.choice(block.scope8)
                                     for _ in target.args])


def reachable(blocks, without=None):
    seen, stack = set(), [blocks[0]] if blocks[0] is not without else []
    while stack:
        block = stack.pop()
        if block not in seen:
            seen.add(block)
            stack += [n for n in block.next if n is not without]
    return seen


def dominators(blocks):
    """By block: the blocks without which it cannot be reached, and itself."""
    all_ = reachable(blocks)
    ruled = {b: {b} for b in blocks}
    for b in blocks:
        kept = reachable(blocks, b)
        for other in all_:
            if other not in kept and b in all_:
                ruled[other].add(b)
    return ruled


def text_of(blocks):
    names = lambda vs: ", ".join(v[0] for v in vs)
    types = lambda vs: ", ".join("tensor<%dxi8>" % v[1] for v in vs)
    pair = lambda v: "%s: tensor<%dxi8>" % v
    out = ['"func.func"() ({']
    for block in blocks:
        out.append("^bb%d(%s):" % (block.number,
                                   ", ".join(map(pair, block.args))))
        for kind, operands, result in block.ops:
            name = "stablehlo.reshape" if kind == "view" else \
                "stablehlo.concatenate"
            out.append('  %s = "%s"(%s) : (%s) -> %s' %
                       (result[0], name, names(operands), types(operands),
                        types([result])))
        ends = []
        for target, passed in zip(block.next, block.passed):
            ends.append("^bb%d%s" % (target.number, "(%s : %s)" % (
                names(passed), types(passed)) if passed else ""))
        if len(ends) == 2:
            out.append('  %%c%d = "test.bool"() : () -> i1' % block.number)
            out.append("  cf.cond_br %%c%d, %s, %s" %
                       (block.number, ends[0], ends[1]))
        elif ends:
            out.append("  cf.br " + ends[0])
        else:
            out.append('  "func.return"() : () -> ()')
    out.append('}) {sym_name = "f", function_type = (%s) -> ()} : () -> ()' %
               types(blocks[0].args))
    return "\n".join(out) + "\n"


def moments_of(block):
    """What happens in BLOCK, in order: (read, made)."""
    moments = [([], block.args)]
    for _, operands, result in block.ops:
        moments.append((operands, [result]))
    if len(block.next) == 2:
        moments.append(([], []))
    moments.append(([v for p in block.passed for v in p], []))
    return moments


def peak_of(maker, blocks):
    moments = {b: moments_of(b) for b in blocks}
    live = {}
    storage = lambda v: maker.base.get(v, v)
    size = {}
    for block in blocks:
        for at, (read, made) in enumerate(moments[block]):
            for v in made:
                size.setdefault(storage(v), v[1])
                live.setdefault(storage(v), set()).add((block, at))
            for v in read:
                walk_back(moments, live.setdefault(storage(v), set()),
                          storage(v), block, at)
    for v in blocks[0].args:
        live[v] = {(b, at) for b in blocks for at in range(len(moments[b]))}
    return max(sum(size[v] for v in live if (b, at) in live[v])
               for b in blocks for at in range(len(moments[b])))


def walk_back(moments, seen, value, block, at):
    seen_here, stack = set(), [(block, at)]
    while stack:
        block, at = stack.pop()
        if (block, at) in seen_here:
            continue
        seen_here.add((block, at))
        if value in moments[block][at][1]:
            continue
        if at:
            stack.append((block, at - 1))
        else:
            stack += [(b, len(moments[b]) - 1) for b in block.before]
    seen |= seen_here


def reported(remat, text):
    with tempfile.TemporaryDirectory() as folder:
        source, report = folder + "/random.mlir", folder + "/report.json"
        with open(source, "w") as file:
            file.write(text)
        subprocess.run([remat, "--analyze", "--target=generic",
                        "-fverify-each", "--report=" + report,
                        "-o", "/dev/null", source], check=True)
        with open(report) as file:
            return json.load(file)["functions"][0]["peak_before_bytes"]


def main():
    remat, count = sys.argv[1], int(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    for number in range(seed, seed + count):
        maker = Maker(random.Random(number))
        blocks = maker.function()
        text = text_of(blocks)
        found, true = reported(remat, text), peak_of(maker, blocks)
        if found != true:
            sys.exit("%sseed %d: reported %d, true %d" %
                     (text, number, found, true))
    print("%d peaks agree, seeds %d to %d" % (count, seed, seed + count - 1))


if __name__ == "__main__":
    main()
