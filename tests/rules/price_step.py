"""Price a whole training step twice: by remat, and from its text alone.

usage: price_step.py REMAT STEP.mlir

Works out what each op of the step takes on an H100 and on an M3 Max from the
types in the text, with the rates written down here, and holds the sum against
remat's base_cost_ns.  Knows the ops of a transformer and no others; shares
nothing with the rules.

Prints for each device the launches, the time of arithmetic and of memory, each
alone, the time of products, and both sums.  Ends with 1 when the sums differ
by more than one per cent."""
import json
import math
import os
import re
import subprocess
import sys
import tempfile

# Bytes a second that a copy reaches, operations a second of vector and matrix
# units, bytes a second at random places, seconds to launch.
DEVICES = {
    ("nvidia", "h100"): (0.80 * 3352.3e9, 0.80 * 66.9e12, 0.80 * 494.6e12,
                         0.29 * 3352.3e9, 2.5e-6),
    ("apple", "m3-max"): (0.80 * 409.6e9, 0.90 * 14.1e12, 0.72 * 14.1e12,
                          0.25 * 409.6e9, 2.6e-6 + 20e-6 / 50),
}
# A product with fewer rows or columns than the first gets the second.
THIN = {"h100": (64, 0.63), "m3-max": (0, 1.0)}

ONE = {"add", "multiply", "subtract", "negate", "maximum", "compare", "select",
       "and", "convert"}
MANY = {"divide": 8, "rsqrt": 8, "exponential": 16, "log": 16, "tanh": 64}
COPIES = {"broadcast_in_dim", "transpose", "slice", "pad", "iota",
          "concatenate"}
FREE = {"constant", "reshape", "return"}
TYPE = re.compile(r"tensor<((?:\d+x)*)(\w+)>")
OP = re.compile(r"^ +(?:%\S+ = )?\"?stablehlo\.(\w+)\"?(.*)$")
CALL = re.compile(r"^ +%\S+ = call @(\w+)\(")
FUNCTION = re.compile(r"^  func\.func \w+ @(\w+)\(")
WIDTH = {"i1": 1, "i32": 4, "f32": 4}


def types_of(text):
    """Shapes and widths of the tensors that TEXT names."""
    return [([int(d) for d in dims.split("x") if d], WIDTH[element])
            for dims, element in TYPE.findall(text)]


def size(of):
    return math.prod(of[0]) * of[1]


def signature(text, count):
    """Operand and result types behind the last ' : ' of TEXT."""
    text = re.sub(r" loc\(.*$", "", text)
    tail = text.rsplit(" : ", 1)[1]
    if "->" in tail:
        inputs, outputs = tail.split("->")
        return types_of(inputs), types_of(outputs)[0]
    listed = types_of(tail)
    result = listed[-1]
    return listed if len(listed) > 1 else [result] * count, result


def product(text, inputs, result):
    """Operations of a dot_general, and the smaller of its rows and columns."""
    sides = re.search(r"contracting_dims = \[(.*?)\] x \[(.*?)\]", text)
    batch = re.search(r"batching_dims = \[(.*?)\] x", text)
    left = [int(d) for d in sides[1].split(",")]
    first = [int(d) for d in batch[1].split(",")] if batch else []
    depth = math.prod(inputs[0][0][d] for d in left)
    shared = math.prod(inputs[0][0][d] for d in first)
    rows = math.prod(inputs[0][0]) // depth // shared
    columns = math.prod(result[0]) // shared // rows
    return 2 * math.prod(result[0]) * depth, min(rows, columns)


class Pricer:
    def __init__(self, device):
        self.stream, self.vector, self.matrix, self.far, self.launch = \
            DEVICES[device]
        self.tile, self.share = THIN[device[1]]
        self.launches = self.arithmetic = self.memory = self.products = 0.0

    def kernel(self, work, bytes_moved, rate):
        a, b = work / rate, bytes_moved / self.stream
        self.launches += self.launch
        self.arithmetic += a
        self.memory += b
        return self.launch + a + b - 0.95 * min(a, b)

    def price(self, name, text):
        if name in FREE:
            return 0.0
        inputs, result = signature(text, text.split(" : ")[0].count("%"))
        if name == "select":
            inputs = [inputs[0], result, result]
        moved = sum(map(size, inputs)) + size(result)
        elements = math.prod(result[0])
        if name in ONE or name in MANY:
            return self.kernel(MANY.get(name, 1) * elements, moved,
                               self.vector)
        if name == "reduce":
            read = sum(math.prod(i[0]) for i in inputs)
            return self.kernel(read - elements, moved, self.vector)
        if name == "dot_general":
            work, narrow = product(text, inputs, result)
            rate = self.matrix * (self.share if narrow < self.tile else 1)
            cost = self.kernel(work, moved, rate)
            self.products += cost
            return cost
        if name == "gather":
            return self.launch + (2 * size(result)
                                  + size(inputs[1])) / self.far
        if name == "scatter":
            return self.launch + (3 * size(inputs[-1])
                                  + size(inputs[-2])) / self.far
        if name in COPIES:
            if name == "slice":
                moved = 2 * size(result)
            order = [d for d in inputs[0][0] if d > 1] if inputs else []
            same = bool(inputs) and size(inputs[0]) == size(result)
            if name == "broadcast_in_dim" and same:
                return 0.0
            if name == "transpose" and order == [d for d in result[0]
                                                 if d > 1] and \
                    len(set(order)) == len(order):
                return 0.0
            if name == "iota":
                moved = size(result)
            return self.kernel(0, moved, self.vector)
        raise SystemExit(f"price_step.py: no rate for {name}")


def price_functions(lines, pricer):
    """Cost of each function; callees are priced as often as they are called."""
    own, calls, current, pending = {}, {}, None, None
    for line in lines:
        if found := FUNCTION.match(line):
            current = found[1]
            own[current], calls[current] = 0.0, []
        elif found := CALL.match(line):
            calls[current].append(found[1])
        elif pending:
            if line.startswith("    })"):
                own[current] += pricer.price(pending, line)
                pending = None
        elif found := OP.match(line):
            if line.rstrip().endswith("({"):
                pending = found[1]
            else:
                own[current] += pricer.price(found[1], found[2])

    def total(name):
        return own[name] + sum(map(total, calls[name]))
    return total("main")


def ask_remat(remat, device, step):
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        subprocess.run([remat, "--analyze", f"--target={device[0]}",
                        f"--device={device[1]}", f"--report={report}", step],
                       check=True, stdout=subprocess.DEVNULL)
        with open(report, encoding="utf-8") as file:
            functions = json.load(file)["functions"]
    return next(f["base_cost_ns"] for f in functions if f["entry"]) / 1e9


def main():
    remat, step = sys.argv[1:]
    with open(step, encoding="utf-8") as file:
        lines = file.readlines()
    bad = False
    for device in DEVICES:
        pricer = Pricer(device)
        hand = price_functions(lines, pricer)
        said = ask_remat(remat, device, step)
        bad |= abs(said - hand) > 0.01 * hand
        print(f"{device[1]}: launches {pricer.launches * 1e3:.3f} ms, "
              f"arithmetic {pricer.arithmetic * 1e3:.3f} ms, memory "
              f"{pricer.memory * 1e3:.3f} ms; products "
              f"{pricer.products * 1e3:.3f} ms; all {hand * 1e3:.3f} ms, "
              f"remat says {said * 1e3:.3f} ms")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
