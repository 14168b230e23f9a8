#!/usr/bin/env python3
"""The seed's pipeline once more, slow and obvious, against REMAT's.

    seed_oracle.py REMAT COUNT [SEED]    random functions (printed seed)
    seed_oracle.py REMAT shapes          chains and diamonds of many depths

Lets REMAT plan each function under a share of its own peak, and compares what
it reports and prints with what this file works out from the text alone, in
another way:

- the peak, before and after: walk the printed text and at each op add up what
  is read later (no intervals, no differences);
- the same program: number every value of both texts by what computes it;
- ops: count names; out = in + clones - originals that are gone;
- with --memory-model=candidates, the plan itself: selection by fractions,
  projection by recursion on readers, trimming by recounting all, emission by
  inserting each clone before its reader, last op first.

No plan that raises the peak may be printed, and what is said to fit must."""
import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from fractions import Fraction

UNIT = 1024  # bytes of tensor<1x256xf32>
EFFECT = os.environ.get("SEED_ORACLE_EFFECT", "test.effect")
LINE = re.compile(r'^\s*(?:(%[\w]+) = )?"([\w.]+)"\(([^)]*)\)\s*(\{[^}]*\})?\s*'
                  r': \(([^)]*)\) -> (\S+)$')


class Op:
    def __init__(self, name, kind, operands, units, attributes=""):
        self.name, self.kind, self.operands = name, kind, operands
        self.units, self.attributes = units, attributes

    def cost(self):
        match = re.search(r"remat_cost_ns = (\d+)", self.attributes)
        return int(match[1]) if match else None


# --- making functions ---

def random_function(rng, index, options):
    """A list of ops and the returned name; sizes of 1 to 4 units."""
    ops, names = [], ["%a"]
    sizes = {"%a": rng.randint(1, 4)}
    count = rng.randint(3, options.most_ops)
    wide = rng.random()
    for i in range(count):
        reach = max(1, int(len(names) * (1 if rng.random() < wide else 0.3)))
        operands = [rng.choice(names[-reach:])
                    for _ in range(rng.choice([1, 1, 2, 2, 3]))]
        kind = rng.choice(["tessera.gelu", "tessera.add", "tessera.silu"])
        attributes = ""
        if rng.random() < 0.05:
            kind = EFFECT
        else:
            attributes = f"tessera.remat_cost_ns = {rng.randint(0, 9)} : i64"
        if options.markers and kind != EFFECT and rng.random() < 0.2:
            attributes += ", tessera.recompute"
        name = f"%v{i}"
        sizes[name] = rng.randint(1, 4)
        ops.append(Op(name, kind, operands, sizes[name],
                      "{" + attributes + "}" if attributes else ""))
        names.append(name)
    read = {o for op in ops for o in op.operands}
    unread = [n for n in names[1:] if n not in read]
    returned = unread[-1] if unread else names[-1]
    return f"f{index}", ops, returned, sizes


def shaped_function(name, depth, shape, marked):
    """gelu chains whose values are all summed up, first or last first; or
    chains of diamonds.  All sizes are one unit."""
    ops, last, made = [], "%a", []
    mark = ", tessera.recompute" if marked else ""

    def add(label, kind, operands, cost, extra):
        text = "{tessera.remat_cost_ns = %d : i64%s}" % (cost, extra)
        ops.append(Op(label, kind, operands, 1, text))
        return label
    for i in range(depth):
        if shape == "diamond":
            left = add(f"%f{i}", "tessera.gelu", [last], 4, mark)
            right = add(f"%g{i}", "tessera.silu", [last], 4, mark)
            last = add(f"%v{i}", "tessera.add", [left, right], 1, mark)
        else:
            last = add(f"%v{i}", "tessera.gelu", [last], 4, mark)
        made.append(last)
    total = last if shape == "diamond" else "%a"
    for k, value in enumerate(made if shape == "fwd" else made[::-1]):
        total = add(f"%s{k}", "tessera.add", [total, value], 1, "")
    return name, ops, total, defaultdict(lambda: 1)


def tensor(units):
    return f"tensor<{units}x256xf32>"


def print_function(function):
    name, ops, returned, sizes = function
    lines = [f"func.func @{name}(%a: {tensor(sizes['%a'])}) -> "
             f"{tensor(sizes[returned])} {{"]
    for op in ops:
        types = ", ".join(tensor(sizes[o]) for o in op.operands)
        attributes = " " + op.attributes if op.attributes else ""
        lines.append(f'  {op.name} = "{op.kind}"({", ".join(op.operands)})'
                     f"{attributes} : ({types}) -> {tensor(op.units)}")
    lines.append(f"  return {returned} : {tensor(sizes[returned])}")
    return "\n".join(lines) + "\n}\n"


# --- reading what was printed ---

def parse_functions(text):
    functions, current = {}, None
    for line in text.splitlines():
        if line.startswith("func.func"):
            name = re.search(r"@(\w+)", line)[1]
            units = int(re.search(r"%a: tensor<(\d+)x", line)[1])
            current = functions[name] = {"ops": [], "argument": units,
                                         "line": line}
        elif line.strip().startswith("return"):
            current["returned"] = re.search(r"return (%\w+)", line)[1]
        elif line.strip() not in ("", "}"):
            found = LINE.match(line)
            assert found, f"cannot read: {line}"
            operands = re.findall(r"%\w+", found[3])
            units = int(re.search(r"tensor<(\d+)x", found[6])[1])
            current["ops"].append(Op(found[1], found[2], operands, units,
                                     found[4] or ""))
    return functions


def peak_of(function, temporaries=False):
    """Most bytes at one op: the argument, and all that exists and is read at
    or after it, or is made by it.  TEMPORARIES: not the argument, nor what is
    returned."""
    ops = function["ops"]
    last = {}
    for at, op in enumerate(ops):
        last[op.name] = at
        for operand in op.operands:
            last[operand] = at
    last[function["returned"]] = len(ops)
    held = 0 if temporaries else function["argument"]
    best = held
    for at in range(len(ops)):
        live = sum(op.units for op in ops[:at + 1] if last[op.name] >= at
                   and not (temporaries and op.name == function["returned"]))
        best = max(best, live + held)
    return best * UNIT


def needed_of(function):
    """Names of what is returned, of effects, and of what these are made of."""
    needed = {function["returned"]}
    for op in reversed(function["ops"]):
        if op.kind == EFFECT or op.name in needed:
            needed |= {op.name, *op.operands}
    return needed


def lower_bound_of(function):
    """The argument and the operands and result of the greediest op that no
    plan can leave out."""
    units = {op.name: op.units for op in function["ops"]}
    needed = needed_of(function)
    return UNIT * (function["argument"] + max(
        op.units + sum(units.get(o, 0) for o in set(op.operands))
        for op in function["ops"] if op.name in needed))


def cost_of(function):
    """What nothing is said of costs 1 ns an element on the generic target."""
    return sum(op.units * 256 if op.cost() is None else op.cost()
               for op in function["ops"])


def numbers_of(function, table):
    """What each value computes, what is returned, and effects in order."""
    number, effects = {"%a": 0}, []
    for op in function["ops"]:
        attributes = re.sub(r",? *tessera\.recompute\b", "", op.attributes)
        key = (op.kind, attributes, op.units,
               tuple(number[o] for o in op.operands))
        if op.kind == EFFECT:
            key += (len(effects),)
            effects.append(key)
        assert op.name not in number, f"{op.name} is defined twice"
        number[op.name] = table.setdefault(key, len(table) + 1)
    return number[function["returned"]], effects


# --- the plan, by the book ---

class Plan:
    """Readers are names, RETURN is not one of them."""

    def __init__(self, ops, returned):
        self.ops = {op.name: op for op in ops}
        self.order = [op.name for op in ops]
        self.place = {name: i for i, name in enumerate(self.order)}
        self.readers = defaultdict(list)
        for op in ops:
            for operand in dict.fromkeys(op.operands):
                self.readers[operand].append(op.name)
        self.returned = returned
        self.selected = set()
        self.marked = set()

    def candidates(self):
        return [n for n in self.order
                if n != self.returned and self.readers[n]
                and self.ops[n].kind != EFFECT]

    def interval(self, name):
        return self.place[name], max(self.place[r] for r in self.readers[name])

    def peak(self):
        load = [0] * len(self.order)
        for name in self.candidates():
            if name not in self.selected:
                first, last = self.interval(name)
                for i in range(first, last + 1):
                    load[i] += self.ops[name].units * UNIT
        return max(load, default=0)

    def select(self, budget):
        def score(name):
            first, last = self.interval(name)
            return Fraction(self.ops[name].units * UNIT * (last - first),
                            max(self.ops[name].cost(), 1))
        rest = [n for n in self.candidates() if n not in self.selected]
        rest.sort(key=lambda n: (-score(n), self.place[n]))
        for name in rest:
            if self.peak() <= budget:
                break
            self.selected.add(name)

    def clones(self):
        """By selected name, by recursion on its readers."""
        memo = {}

        def count(name):
            if name not in memo:
                memo[name] = sum(count(r) if r in self.selected else 1
                                 for r in self.readers[name])
            return memo[name]
        for name in reversed(self.order):
            if name in self.selected:
                count(name)
        return memo

    def trim(self, bound, rule):
        dropped = 0
        while bound is not None:
            counts = self.clones()
            if sum(counts.values()) <= bound:
                break
            free = [n for n in self.order
                    if n in self.selected and n not in self.marked]
            if not free:
                break
            if rule == "segment-midpoint":
                free = self.heaviest_part(counts, free)
                if not free:
                    break
            most = max(counts[n] for n in free)
            target = most if rule == "max" else most // 2
            name = min(free, key=lambda n: (abs(counts[n] - target),
                                            self.place[n]))
            self.selected.discard(name)
            dropped += 1
        return dropped

    def parts(self):
        """Selected names that hang together, each in program order."""
        part = {}
        for name in self.order:
            if name not in self.selected:
                continue
            around = {part[o][0]: part[o] for o in self.ops[name].operands
                      if o in part}
            merged = sorted([n for group in around.values() for n in group]
                            + [name], key=self.place.get)
            for member in merged:
                part[member] = merged
        return list({id(p): p for p in part.values()}.values())

    def heaviest_part(self, counts, free):
        """The members that may go of the part with most clones in all; of
        equal ones that which came to be first: parts keep their age until
        something of them goes."""
        free = set(free)
        born = self.born
        groups = []
        fresh = []
        for part in self.parts():
            key = tuple(part)
            if key not in born:
                fresh.append(key)
            groups.append(part)
        for key in sorted(fresh, key=lambda k: self.place[k[0]]):
            born[key] = len(born)
        groups = [g for g in groups if any(n in free for n in g)]
        if not groups:
            return []
        best = max(groups, key=lambda g: (sum(counts[n] for n in g),
                                          -born[tuple(g)]))
        return [n for n in best if n in free]

    def emit(self):
        """Names in the order in which they run."""
        # Walk selected ops last first: a clone right before each reader.
        sequence = [(n, n) for n in self.order]
        for name in reversed(self.order):
            if name not in self.selected:
                continue
            now = []
            for item, reads in sequence:
                if item == name and reads == name:
                    continue
                if name in self.ops[item].operands:
                    now.append((name, "clone"))
                now.append((item, reads))
            sequence = now
        return [item for item, _ in sequence]


def emitted_function(plan, argument):
    """The plan's sequence as ops with fresh names, each operand the newest."""
    newest, ops = {"%a": "%a"}, []
    for at, name in enumerate(plan.emit()):
        op = plan.ops[name]
        ops.append(Op(f"{name}.{at}", op.kind,
                      [newest[o] for o in op.operands], op.units))
        newest[name] = f"{name}.{at}"
    return {"ops": ops, "argument": argument,
            "returned": newest[plan.returned]}


# --- comparing ---

def check(condition, name, what):
    if not condition:
        raise AssertionError(f"@{name}: {what}")


def expected_figures(source, options, budget):
    plan = Plan(source["ops"], source["returned"])
    plan.born = {}
    before = plan.peak()
    if options.markers:
        plan.marked = {op.name for op in source["ops"]
                       if "tessera.recompute" in op.attributes
                       and plan.readers[op.name]}
        if any(op.name == source["returned"] and
               "tessera.recompute" in op.attributes for op in source["ops"]):
            return None
        plan.selected = set(plan.marked)
    plan.select(budget)
    chosen = len(plan.selected) - len(plan.marked)
    bound = options.expansion * len(source["ops"]) if options.expansion \
        else None
    for part in plan.parts():
        plan.born[tuple(part)] = len(plan.born)
    dropped = plan.trim(bound, options.trim)
    counts = plan.clones()
    return {"cost": sum(plan.ops[n].cost() for n in plan.selected),
            "selected": chosen - dropped + len(plan.marked),
            "dropped": dropped, "clones": sum(counts.values()),
            "claimed_before": before, "claimed_after": plan.peak(),
            "peak": peak_of(emitted_function(plan, source["argument"]))}


def compare(source, printed, report, options):
    name = report["name"]
    peak_before, peak_after = peak_of(source), peak_of(printed)
    clones = sum("_remat" in op.name for op in printed["ops"])
    kept = {op.name for op in printed["ops"]}
    erased = sum(op.name not in kept for op in source["ops"])
    check(report["peak_before_bytes"] == peak_before, name, "peak before")
    check(report["peak_after_bytes"] == peak_after, name,
          f"peak after {report['peak_after_bytes']}, really {peak_after}")
    check(peak_after <= peak_before, name, "the peak went up")
    units = {op.name: op.units for op in source["ops"]}
    for key, value in [
            ("argument_bytes", source["argument"] * UNIT),
            ("result_bytes", units[source["returned"]] * UNIT),
            ("peak_before_temp_bytes", peak_of(source, True)),
            ("peak_after_temp_bytes", peak_of(printed, True)),
            ("lower_bound_bytes", lower_bound_of(source)),
            ("base_cost_ns", cost_of(source)),
            ("extra_cost_ns", cost_of(printed) - cost_of(source)),
            ("budget_source", "explicit_cli"), ("strategy", "greedy")]:
        check(report[key] == value, name, f"{key} is {report[key]}, not {value}")
    check(report["ops_in"] == len(source["ops"]) + 1, name, "ops in")
    check(report["ops_out"] == len(printed["ops"]) + 1, name, "ops out")
    check(report["emitted_clones"] == clones, name, "clones")
    check(report["projected_clones"] == clones, name, "projection")
    check(report["erased"] == erased, name, "erased")
    check(report["fits"] == (peak_after <= report["budget_bytes"]), name,
          "fits")
    table = {}
    check(numbers_of(source, table) == numbers_of(printed, table), name,
          "another program")
    check("tessera.recompute" not in
          "".join(op.attributes for op in printed["ops"]), name,
          "a marker is left")
    if options.model != "candidates":
        return "planned" if clones else "same"
    wanted = expected_figures(source, options, report["budget_bytes"])
    if wanted is None:
        return "skipped"
    if wanted["peak"] > peak_before:
        check(clones == 0 or options.markers, name,
              "a plan that raises the peak was printed")
        return "refused"
    for key, figure in [("selected", "selected"), ("cost", "selected_cost_ns"),
                        ("dropped", "dropped"),
                        ("clones", "emitted_clones"),
                        ("claimed_before", "claimed_peak_before_bytes"),
                        ("claimed_after", "claimed_peak_after_bytes"),
                        ("peak", "peak_after_bytes")]:
        check(wanted[key] == report[figure], name,
              f"{figure} is {report[figure]}, {wanted[key]} by the book")
    return "planned" if clones else "same"


def run(options, folder, functions):
    source = os.path.join(folder, "in.mlir")
    target = os.path.join(folder, "out.mlir")
    figures = os.path.join(folder, "out.json")
    text = "".join(print_function(f) for f in functions)
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    command = [options.remat, "--target=generic", "--strategy=greedy",
               f"--memory-model={options.model}", f"--trim={options.trim}",
               f"--max-clone-expansion={options.expansion}",
               f"--budget={options.share}%peak", f"--report={figures}",
               "-o", target, source]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    assert done.returncode in (0, 2), done.stderr
    with open(target, encoding="utf-8") as file:
        printed = parse_functions(file.read())
    with open(figures, encoding="utf-8") as file:
        reports = json.load(file)["functions"]
    sources = parse_functions(text)
    misses = sum(not r["fits"] for r in reports)
    assert (done.returncode == 2) == (misses > 0), "exit status"
    return [compare(sources[r["name"]], printed[r["name"]], r, options)
            for r in reports]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("remat")
    parser.add_argument("count")
    parser.add_argument("seed", type=int, nargs="?", default=1)
    parser.add_argument("--most-ops", type=int, default=24)
    options = parser.parse_args()
    outcomes = defaultdict(int)
    with tempfile.TemporaryDirectory() as folder:
        if options.count == "shapes":
            run_shapes(options, folder, outcomes)
        else:
            run_random(options, folder, outcomes)
    for key in sorted(outcomes):
        print(*key, outcomes[key])
    return 0


def run_shapes(options, folder, outcomes):
    options.model = "candidates"
    for options.trim in ["midpoint", "segment-midpoint", "max"]:
        for options.expansion in [0, 2, 8]:
            for options.markers in [False, True]:
                options.share = 10
                if options.markers and options.trim != "midpoint":
                    continue
                functions = [
                    shaped_function(f"{shape}{depth}", depth, shape,
                                    options.markers)
                    for depth in [4, 8, 16, 24, 32, 40, 48]
                    for shape in ["fwd", "rev", "diamond"]
                    if shape != "diamond" or depth <= 8
                    or options.expansion and not options.markers]
                for outcome in run(options, folder, functions):
                    outcomes[options.model, outcome] += 1


def run_random(options, folder, outcomes):
    rng = random.Random(options.seed)
    print(f"seed {options.seed}")
    count, done = int(options.count), 0
    while done < count:
        options.model = rng.choice(["candidates", "live"])
        options.trim = rng.choice(["midpoint", "max", "segment-midpoint"])
        options.expansion = rng.choice([0, 1, 2, 3, 8])
        options.share = rng.choice([10, 25, 40, 50, 60, 75, 90])
        options.markers = rng.random() < 0.25
        functions = [random_function(rng, done + i, options)
                     for i in range(min(50, count - done))]
        for outcome in run(options, folder, functions):
            outcomes[options.model, outcome] += 1
        done += len(functions)


if __name__ == "__main__":
    sys.exit(main())
