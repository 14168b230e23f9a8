"""Peaks of random programs, by running them.

    peak.py REMAT COUNT [SEED]

Makes COUNT random programs (views, updates in place, forwarding, loops,
branches, calls), prints each as generic MLIR, lets `REMAT --analyze` say its
peak and compares that with what this file finds in another way: it runs the
program move by move on imaginary storage, every loop twice, every branch in
turn, and asks at each moment which storage is read later.  No clock, no
intervals, no sets of values: only what is created, read and moved.

What the two must agree on is the model: an op's operands and results are
there together; what a body reads from outside is kept until its op ends; a
value that control flow hands on moves if nobody needs it any more and is
copied otherwise; arguments are the caller's to the end."""
import itertools
import json
import random
import subprocess
import sys
import tempfile


class Op:
    def __init__(self, kind, operands=(), results=(), bodies=(), callee=None):
        self.kind, self.operands, self.results = kind, operands, results
        self.bodies, self.callee = bodies, callee


class Body:
    def __init__(self, args, ops, yields):
        self.args, self.ops, self.yields = args, ops, yields


class Value:
    def __init__(self, name, size):
        self.name, self.size = name, size


# --- making programs ---

class Maker:
    def __init__(self, rng):
        self.rng, self.count, self.functions = rng, 0, []

    def value(self, size=None):
        self.count += 1
        if size is None:
            size = self.rng.choice([4, 8, 8, 8, 16, 40])
        return Value("%%v%d" % self.count, size)

    def pick(self, scope, size=None):
        fitting = [v for v in scope if size is None or v.size == size]
        # Late values are read more often, so that many die early.
        if not fitting:
            return None
        return fitting[-1 - min(int(self.rng.expovariate(.3)),
                                len(fitting) - 1)]

    def ops(self, scope, count, depth):
        made = []
        for _ in range(count):
            op = self.op(scope, depth)
            made.append(op)
            scope.extend(op.results)
        return made

    def op(self, scope, depth):
        roll = self.rng.random()
        if roll < .12:
            source = self.pick(scope)
            return Op("view", [source], [self.value(source.size)])
        if roll < .24:
            base = self.pick(scope)
            return Op("update", [base, self.pick(scope)],
                      [self.value(base.size)])
        if roll < .29:
            sources = [self.pick(scope), self.pick(scope)]
            if sources[0] is not sources[1]:
                return Op("forward", sources,
                          [self.value(s.size) for s in sources])
        if roll < .45 and depth < 3:
            return self.rng.choice([self.loop, self.loop, self.branch])(
                scope, depth)
        if roll < .52 and self.functions:
            return self.call(scope)
        operands = [self.pick(scope) for _ in range(self.rng.randint(1, 3))]
        results = [self.value() for _ in range(self.rng.choice([1, 1, 1, 2]))]
        return Op("make", operands, results)

    def yields(self, scope, sizes):
        chosen = []
        for size in sizes:
            chosen.append(self.pick(scope, size))
        return chosen

    def loop(self, scope, depth):
        initial = [self.pick(scope) for _ in range(self.rng.randint(1, 3))]
        args = [self.value(v.size) for v in initial]
        inner = scope + args
        ops = self.ops(inner, self.rng.randint(1, 5), depth + 1)
        yields = self.yields(inner, [v.size for v in initial])
        results = [self.value(v.size) for v in initial]
        bodies = [Body(args, ops, yields)]
        kind = self.rng.choice(["for", "while"])
        if kind == "while":
            tests = [self.value(v.size) for v in initial]
            inner = scope + tests
            ops = self.ops(inner, self.rng.randint(1, 2), depth + 1)
            bodies.insert(0, Body(tests, ops, [self.pick(inner)]))
        return Op(kind, initial, results, bodies)

    def branch(self, scope, depth):
        sizes = [self.pick(scope).size for _ in range(self.rng.randint(1, 2))]
        bodies = []
        for _ in range(2):
            inner = list(scope)
            ops = self.ops(inner, self.rng.randint(1, 4), depth + 1)
            bodies.append(Body([], ops, self.yields(inner, sizes)))
        return Op("if", [], [self.value(s) for s in sizes], bodies)

    def call(self, scope):
        callee = self.rng.choice(self.functions)
        operands = [self.pick(scope, a.size) for a in callee.args]
        if None in operands:
            return Op("make", [self.pick(scope)], [self.value()])
        results = [self.value(v.size) for v in callee.yields]
        return Op("call", operands, results, callee=callee)

    def function(self, count):
        args = [self.value(8), self.value(), self.value(40)]
        scope = list(args)
        ops = self.ops(scope, count, 0)
        yields = [self.pick(scope) for _ in range(self.rng.randint(1, 2))]
        body = Body(args, ops, yields)
        body.name = "f%d" % len(self.functions)
        self.functions.append(body)
        return body


# --- printing them ---

NAMES = {"view": "stablehlo.reshape", "update": "stablehlo.dynamic_update_slice",
         "forward": "stablehlo.optimization_barrier",
         "make": "stablehlo.concatenate", "for": "scf.for",
         "while": "stablehlo.while", "if": "scf.if", "call": "func.call"}


def kind_of(value):
    return "tensor<%dxi8>" % value.size


def names(values):
    return ", ".join(v.name for v in values)


def types(values):
    return ", ".join(kind_of(v) for v in values)


def print_body(body, op, indent, out):
    args = ["%s: %s" % (a.name, kind_of(a)) for a in body.args]
    end = "stablehlo.return" if op == "while" else "scf.yield"
    if op == "for":
        args.insert(0, "%%i%d: index" % len(out))
    if args:
        out.append("%s^bb0(%s):" % (indent, ", ".join(args)))
    print_ops(body.ops, indent + "  ", out)
    out.append('%s  "%s"(%s) : (%s) -> ()' %
               (indent, end, names(body.yields), types(body.yields)))


def print_ops(ops, indent, out):
    for op in ops:
        head = '%s%s = "%s"' % (indent, names(op.results), NAMES[op.kind])
        operands, kinds = names(op.operands), types(op.operands)
        if op.kind == "for":
            operands = "%c, %c, %c, " + operands
            kinds = "index, index, index, " + kinds
        if op.kind == "if":
            operands, kinds = "%t", "i1"
        attributes = ""
        if op.kind == "call":
            attributes = " {callee = @%s}" % op.callee.name
        if not op.bodies:
            out.append("%s(%s)%s : (%s) -> (%s)" %
                       (head, operands, attributes, kinds, types(op.results)))
            continue
        out.append("%s(%s) ({" % (head, operands))
        for i, body in enumerate(op.bodies):
            if i:
                out.append(indent + "}, {")
            print_body(body, op.kind, indent + "  ", out)
        out.append("%s}) : (%s) -> (%s)" % (indent, kinds, types(op.results)))


def text_of(functions):
    out = []
    for body in functions:
        args = ", ".join("%s: %s" % (a.name, kind_of(a)) for a in body.args)
        out.append("func.func @%s(%s) -> (%s) {" %
                   (body.name, args, types(body.yields)))
        out.append('  %c = "test.index"() : () -> index')
        out.append('  %t = "test.bool"() : () -> i1')
        print_ops(body.ops, "  ", out)
        out.append('  "func.return"(%s) : (%s) -> ()' %
                   (names(body.yields), types(body.yields)))
        out.append("}")
    return "\n".join(out) + "\n"


# --- running them ---
#
# First all moments are written down, with the instances of values that are
# read and made there; then storage is given to them in order, for whether one
# may be taken over depends on what is read later.

class Instance:
    def __init__(self, size):
        self.size, self.last, self.storage = size, 0, None


class Storage:
    def __init__(self, size, born, depth, held=False):
        self.size, self.born, self.last = size, born, born
        self.depth, self.held = depth, held


class Trace:
    def __init__(self):
        self.events = []

    def add(self, kind, reads, makes, depth, extra=None):
        moment = len(self.events)
        for instance in reads:
            instance.last = max(instance.last, moment)
        for instance in makes:
            instance.last = max(instance.last, moment)
        self.events.append((kind, reads, makes, depth, extra))


def captured(bodies):
    """Values that BODIES read and do not make."""
    made, read = set(), []

    def look(body):
        made.update(body.args)
        for op in body.ops:
            read.extend(op.operands)
            for inner in op.bodies:
                look(inner)
            made.update(op.results)
        read.extend(body.yields)
    for body in bodies:
        look(body)
    return [v for v in dict.fromkeys(read) if v not in made]


def unchanged(body):
    """Which of BODY's arguments does it hand on as they are?"""
    source = {}

    def root(v):
        while v in source:
            v = source[v]
        return v
    for op in body.ops:
        if op.kind in ("view", "forward"):
            source.update(zip(op.results, op.operands))
        if op.kind in ("for", "while"):
            same = unchanged(op.bodies[-1])
            source.update((r, s) for r, s, keep in
                          zip(op.results, op.operands, same) if keep)
    return [root(y) is a for y, a in zip(body.yields, body.args)]


def run_ops(trace, ops, values, depth):
    for op in ops:
        reads = [values[v] for v in op.operands]
        makes = [Instance(v.size) for v in op.results]
        if op.kind in ("for", "while"):
            run_loop(trace, op, values, depth, reads, makes)
        elif op.kind == "if":
            run_branch(trace, op, values, depth, makes)
        elif op.kind == "call":
            run_call(trace, op, depth, reads, makes)
        else:
            trace.add(op.kind, reads, makes, depth)
        values.update(zip(op.results, makes))


def run_loop(trace, op, values, depth, reads, makes):
    body, keep = op.bodies[-1], unchanged(op.bodies[-1])
    outside = [values[v] for v in captured(op.bodies)]
    trace.add("read", reads, [], depth)
    current, owned = reads, False
    for turn in range(2):
        inner = dict(values)
        args = [Instance(a.size) for a in body.args]
        trace.add("hand", current, args, depth + 1, (keep, owned))
        if op.kind == "while":
            test = op.bodies[0]
            inner.update(zip(test.args, args))
            run_ops(trace, test.ops, inner, depth + 1)
            # What the body, or at last the loop's results, will get.
            trace.add("read", args + [inner[v] for v in test.yields], [],
                      depth + 1)
        inner.update(zip(body.args, args))
        trace.add("read", [], [], depth + 1)
        run_ops(trace, body.ops, inner, depth + 1)
        current, owned = [inner[v] for v in body.yields], True
        trace.add("read", current, [], depth + 1)
    trace.add("leave", current, makes, depth, keep)
    trace.add("read", outside, makes, depth)


def run_branch(trace, op, values, depth, makes):
    outside = [values[v] for v in captured(op.bodies)]
    for body in op.bodies:
        inner = dict(values)
        run_ops(trace, body.ops, inner, depth + 1)
        last = [inner[v] for v in body.yields]
        trace.add("read", last, [], depth + 1)
    trace.add("leave", last, makes, depth, [False] * len(makes))
    trace.add("read", outside, makes, depth)


def run_call(trace, op, depth, reads, makes):
    args = [Instance(a.size) for a in op.callee.args]
    trace.add("lend", reads, args, depth)
    inner = dict(zip(op.callee.args, args))
    run_ops(trace, op.callee.ops, inner, depth + 1)
    last = [inner[v] for v in op.callee.yields]
    trace.add("read", last, [], depth + 1)
    trace.add("leave", last, makes, depth, [False] * len(makes))
    trace.add("read", reads, makes, depth)


def owner(instance, depth):
    """Its storage, where nothing outside of a body of DEPTH has it."""
    storage = instance.storage
    return storage if storage.depth > depth else None


def join(instance, storage):
    instance.storage = storage
    storage.last = max(storage.last, instance.last)


def keep_all(sources, makes, keep):
    """What a loop does not change stays where it is, before all else."""
    for source, made, same in zip(sources, makes, keep):
        if same:
            join(made, source.storage)


class Memory:
    def __init__(self):
        self.all, self.lent = [], []

    def new(self, instance, moment, depth):
        storage = Storage(instance.size, moment, depth)
        self.all.append(storage)
        join(instance, storage)

    def hand(self, sources, makes, moment, depth, keep, owned):
        """Into the next turn of a loop whose body is at DEPTH."""
        taken = []
        keep_all(sources, makes, keep)
        for source, made, same in zip(sources, makes, keep):
            storage = source.storage
            free = (storage.depth >= depth if owned else
                    storage.last <= moment) and not storage.held
            if same:
                continue
            if free and storage not in taken:
                taken.append(storage)
                storage.depth = depth
                join(made, storage)
            else:
                self.new(made, moment, depth)

    def leave(self, sources, makes, moment, depth, keep):
        """Out of a body, to DEPTH."""
        taken = []
        keep_all(sources, makes, keep)
        for source, made, same in zip(sources, makes, keep):
            storage = owner(source, depth)
            if same:
                continue
            if storage and storage not in taken and not storage.held:
                taken.append(storage)
                storage.depth = depth
                join(made, storage)
            else:
                self.new(made, moment, depth)

    def update(self, reads, made, moment, depth):
        base = reads[0].storage
        others = [r.storage for r in reads[1:]]
        if base.last == moment and not base.held and base not in others:
            join(made, base)
        else:
            self.new(made, moment, depth)

    def event(self, moment, kind, reads, makes, depth, extra):
        if kind == "make":
            for made in makes:
                self.new(made, moment, depth)
        elif kind == "view" or kind == "forward":
            for source, made in zip(reads, makes):
                join(made, source.storage)
        elif kind == "update":
            self.update(reads, makes[0], moment, depth)
        elif kind == "hand":
            self.hand(reads, makes, moment, depth, *extra)
        elif kind == "leave":
            self.leave(reads, makes, moment, depth, extra)
        elif kind == "lend":
            for source, made in zip(reads, makes):
                made.storage = Lent(source.storage)


class Lent:
    """A caller's storage as its callee sees it: not to be written over."""

    def __init__(self, storage):
        self.of, self.depth, self.held = storage, -1, True
        self.last = 0


def peak_of(function):
    trace, memory = Trace(), Memory()
    values = {a: Instance(a.size) for a in function.args}
    trace.add("read", list(values.values()), [], 0)
    for instance in values.values():
        memory.new(instance, 0, 0)
        instance.storage.held = True
    args = list(values.values())
    run_ops(trace, function.ops, values, 0)
    trace.add("read", args + [values[v] for v in function.yields], [], 0)
    for a in args:
        a.storage.last = len(trace.events) - 1
    for moment, event in enumerate(trace.events):
        memory.event(moment, *event)
    change = [0] * (len(trace.events) + 1)
    for s in memory.all:
        change[s.born] += s.size
        change[s.last + 1] -= s.size
    return max(itertools.accumulate(change))


# --- comparing ---

def reported(remat, text):
    with tempfile.TemporaryDirectory() as folder:
        source, report = folder + "/random.mlir", folder + "/report.json"
        with open(source, "w") as file:
            file.write(text)
        subprocess.run([remat, "--analyze", "--target=generic",
                        "--memory-model=live",
                        "-fverify-each", "-Wno-unknown-ops",
                        "--report=" + report, "-o", "/dev/null", source],
                       check=True)
        with open(report) as file:
            return {f["name"]: f["peak_before_bytes"]
                    for f in json.load(file)["functions"]}


def main():
    remat, count = sys.argv[1], int(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    compared = 0
    for number in range(seed, seed + count):
        maker = Maker(random.Random(number))
        for size in (4, 6, maker.rng.choice([8, 20])):
            maker.function(size)
        text = text_of(maker.functions)
        found = reported(remat, text)
        for function in maker.functions:
            true = peak_of(function)
            compared += 1
            if found[function.name] != true:
                sys.exit("%sseed %d: @%s: reported %d, true %d" %
                         (text, number, function.name, found[function.name],
                          true))
    print("%d peaks of %d programs agree, seeds %d to %d" %
          (compared, count, seed, seed + count - 1))


if __name__ == "__main__":
    main()
