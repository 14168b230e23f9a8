"""Tensor programs to execute, as MLIR text.

usage: programs.py FAMILY [SEED] > FILE

Each is a function @step over tensors of 64 x 64 f32, 16 KiB, whose peak is
worked out by hand in execution.test; those of "mixed" are drawn by SEED."""
import random
import sys

T = "tensor<64x64xf32>"


class Program:
    def __init__(self):
        self.lines, self.count = [], 0

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def op(self, text, result=None):
        """One op with one result."""
        name = result or self.name()
        self.lines.append(f"  {name} = {text}")
        return name

    def math(self, op, *operands):
        return self.op(f"{op} {', '.join(operands)} : {T}")

    def linalg(self, op, *operands):
        """A named linalg op into a buffer of its own."""
        out = self.op(f"tensor.empty() : {T}")
        types = ", ".join([T] * len(operands))
        if op == "linalg.matmul":
            out = self.op(f"linalg.fill ins(%zero : f32) outs({out} : {T}) "
                          f"-> {T}")
        return self.op(f"{op} ins({', '.join(operands)} : {types}) "
                       f"outs({out} : {T}) -> {T}")

    def function(self, results, arguments=2, name="step"):
        inputs = ", ".join(f"%x{i}: {T}" for i in range(arguments))
        types = ", ".join([T] * len(results))
        return "\n".join(
            [f"func.func @{name}({inputs}) -> ({types}) {{",
             "  %zero = arith.constant 0.0 : f32"] + self.lines +
            [f"  return {', '.join(results)} : {types}", "}"]) + "\n"


def chain():
    """Forward eight, backward eight: elementwise."""
    p = Program()
    h = ["%x0"]
    for i in range(8):
        h.append(p.math(("math.sin", "math.cos")[i % 2], h[-1]))
    g = h[-1]
    for value in reversed(h[1:-1]):
        g = p.math("arith.mulf", value, g)
    return p.function([g], 1)


def products():
    """A network of four layers, forward and backward."""
    p = Program()
    h, before = ["%x0"], []
    for _ in range(4):
        before.append(p.linalg("linalg.matmul", h[-1], "%x1"))
        h.append(p.linalg("linalg.tanh", before[-1]))
    g = h[-1]
    for i in reversed(range(4)):
        slope = p.linalg("linalg.square", h[i + 1])
        g = p.linalg("linalg.mul", g, slope)
        g = p.linalg("linalg.matmul", g, "%x1")
        g = p.linalg("linalg.add", g, before[i])
    return p.function([g])


def diamonds():
    """Each value is read by two, that meet again, and once more at the end."""
    p = Program()
    tips = ["%x0"]
    for _ in range(5):
        left = p.math("math.sin", tips[-1])
        right = p.math("math.cos", tips[-1])
        tips.append(p.math("arith.addf", left, right))
    g = tips[-1]
    for tip in reversed(tips[1:-1]):
        g = p.math("arith.mulf", tip, g)
    return p.function([g], 1)


def several():
    """Ops with two results, and a function with three."""
    p = Program()
    pairs = []
    value = "%x0"
    for i in range(4):
        a, b = (p.op(f"tensor.empty() : {T}") for _ in range(2))
        same = "affine_map<(d0, d1) -> (d0, d1)>"
        pair = p.name()
        p.lines.append(
            f"  {pair}:2 = linalg.generic {{indexing_maps = "
            f"[{same}, {same}, {same}], iterator_types = "
            f'["parallel", "parallel"]}} ins({value} : {T}) '
            f"outs({a}, {b} : {T}, {T}) {{\n"
            f"  ^bb0(%in{i}: f32, %o{i}: f32, %p{i}: f32):\n"
            f"    %s{i} = math.sin %in{i} : f32\n"
            f"    %c{i} = math.cos %in{i} : f32\n"
            f"    linalg.yield %s{i}, %c{i} : f32, f32\n"
            f"  }} -> ({T}, {T})")
        pairs.append(pair)
        value = f"{pair}#0"
    g = value
    for pair in reversed(pairs[:-1]):
        g = p.linalg("linalg.mul", g, f"{pair}#1")
    return p.function([g, value, pairs[0] + "#1"], 1)


def loop():
    """A loop that reads what was made before it; a chain around it."""
    p = Program()
    for name, value in ("%from", 0), ("%to", 5), ("%by", 1):
        p.op(f"arith.constant {value} : index", name)
    h = ["%x0"]
    for _ in range(4):
        h.append(p.linalg("linalg.tanh", h[-1]))
    captured = h[1]
    p.lines.append(f"  %loop = scf.for %i = %from to %to step %by "
                   f"iter_args(%carry = {h[-1]}) -> ({T}) {{")
    p.lines.append(f"    %out = tensor.empty() : {T}")
    p.lines.append(f"    %sum = linalg.add ins(%carry, {captured} : {T}, {T}) "
                   f"outs(%out : {T}) -> {T}")
    p.lines.append(f"    scf.yield %sum : {T}")
    p.lines.append("  }")
    g = "%loop"
    for value in reversed(h[2:]):
        g = p.linalg("linalg.mul", g, value)
    return p.function([g], 1)


def branches():
    """A branch that reads what was made before it."""
    p = Program()
    h = ["%x0"]
    for _ in range(4):
        h.append(p.linalg("linalg.exp", h[-1]))
    p.op("arith.constant 3 : index", "%three")
    p.op(f"tensor.extract %x0[%three, %three] : {T}", "%element")
    p.op("arith.cmpf ogt, %element, %zero : f32", "%yes")
    p.lines.append(f"  %which = scf.if %yes -> ({T}) {{")
    for mark, op in ("a", "linalg.add"), ("b", "linalg.mul"):
        p.lines.append(f"    %{mark}0 = tensor.empty() : {T}")
        p.lines.append(f"    %{mark}1 = {op} ins({h[4]}, {h[3]} : {T}, {T}) "
                       f"outs(%{mark}0 : {T}) -> {T}")
        p.lines.append(f"    scf.yield %{mark}1 : {T}")
        p.lines.append("  } else {" if mark == "a" else "  }")
    g = "%which"
    for value in reversed(h[1:3]):
        g = p.linalg("linalg.mul", g, value)
    return p.function([g], 1)


def views():
    """Slices and reshapes between the layers."""
    p = Program()
    flat, half = "tensor<4096xf32>", "tensor<32x64xf32>"
    h = ["%x0"]
    for _ in range(4):
        value = p.linalg("linalg.tanh", h[-1])
        line = p.op(f"tensor.collapse_shape {value} [[0, 1]] : {T} into "
                    f"{flat}")
        h.append(p.op(f"tensor.expand_shape {line} [[0, 1]] output_shape "
                      f"[64, 64] : {flat} into {T}"))
    g = p.linalg("linalg.square", h[-1])
    for value in reversed(h[1:-1]):
        part = p.op(f"tensor.extract_slice {value}[16, 0] [32, 64] [1, 1] : "
                    f"{T} to {half}")
        out = p.op(f"tensor.empty() : {half}")
        part = p.op(f"linalg.exp ins({part} : {half}) outs({out} : {half}) "
                    f"-> {half}")
        g = p.op(f"tensor.insert_slice {part} into {g}[8, 0] [32, 64] [1, 1] "
                 f": {half} into {T}")
    return p.function([g], 1)


def functions():
    """Two functions, one of which calls nothing and is left alone."""
    small = Program()
    doubled = small.linalg("linalg.add", "%x0", "%x0")
    return small.function([doubled], 1, "twice") + products()


def mixed(seed):
    """Thirty ops of any kind on values of any age."""
    p, draw = Program(), random.Random(int(seed))
    values = ["%x0", "%x1"]
    for _ in range(30):
        a, b = (values[-1 - min(int(draw.expovariate(0.3)), len(values) - 1)]
                for _ in range(2))
        values.append(draw.choice([
            lambda: p.linalg("linalg.tanh", a),
            lambda: p.linalg("linalg.matmul", a, b),
            lambda: p.linalg("linalg.add", a, b),
            lambda: p.linalg("linalg.mul", a, b)])())
    return p.function([values[-1], values[-2]])


def main():
    family, *seed = sys.argv[1:]
    sys.stdout.write({f.__name__: f for f in (
        chain, products, diamonds, several, loop, branches, views, functions,
        mixed)}[family](*seed))


if __name__ == "__main__":
    main()
