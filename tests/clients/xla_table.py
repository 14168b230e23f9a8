#!/usr/bin/env python3
"""Ask remat for a share of XLA's memory, and see what XLA allocates.

usage: xla_table.py REMAT CORPUS [--steps A,B] [--budgets 50,25]
                    [--formats stablehlo,hlo] [--model | --of-xla] [--no-run]
                    [--pairs N] [--write FILE.md]

For each step of CORPUS (folders with step.stablehlo.mlir and step.hlo), format
and budget: remat plans for that share of the fused model's temporaries, on the
device xla-2core of the target x86; XLA, through jaxlib on the CPU, compiles the
program before and after, under its default and its memory-optimized scheduler.
Optimization barriers are kept until code generation, as accelerators keep them
(xla_disable_hlo_passes=cse_barrier_expander), and YNNPACK fusions are off.

A row: asked and got in MiB, got / asked under both schedulers, flops after /
before, what the model predicts, whether results are equal bit for bit ("equal"),
equal with XLA's fusion off ("unfused"), or within rounding ("rounding": 1e-4 of
a result's largest, 1e-2 where a program computes in bf16), and the medians of step times of N pairs of runs (0: none).  --model makes the other
table: what the model says of the program without a plan, over what XLA
allocates.  With --of-xla a share is one of what XLA allocates without a plan,
under its default scheduler.  --write puts rows into FILE.md, between the lines
"<!-- plans -->", "<!-- model -->" or "<!-- of-xla -->" and "<!-- end -->"; rows
of steps that were not run stay.

A row fails where XLA refuses a program, results differ by more than rounding,
a plan that remat says fits needs more than the program without one, or more
than 1.1 times what was asked.  Ends with "N passed, M failed"; exit status 1 if
any failed.  Needs jax and jaxlib."""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("XLA_FLAGS",
                      "--xla_force_host_platform_device_count=8")
MIB = 2.0 ** 20
MOST = 1.1  # of what was asked
ROUNDING, BF16_ROUNDING = 1e-4, 1e-2  # of a result's largest


def load_jax():
    """Imported late, so that --help needs no jax."""
    global jax, np, xc, mlir, ir, xla_bridge, compiler, _hlo, _jax, ml_dtypes
    import jax
    import ml_dtypes
    import numpy as np
    from jax._src import compiler, xla_bridge
    from jax._src.interpreters import mlir
    from jax._src.lib import xla_client as xc
    from jax._src.lib.mlir import ir
    from jaxlib import _hlo, _jax


def read_module(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with mlir.make_ir_context():
        if not text.lstrip().startswith("HloModule"):
            return ir.Module.parse(text)
        proto = _hlo.hlo_module_from_text(text).as_serialized_hlo_module_proto()
        return ir.Module.parse(_jax.mlir.hlo_to_stablehlo(proto))


class Program:
    """One program, compiled."""

    def __init__(self, path, delaying=False, without=()):
        self.module = read_module(path)
        off = ",".join(("cse_barrier_expander",) + tuple(without))
        flags = {"xla_disable_hlo_passes": off,
                 "xla_cpu_experimental_ynn_fusion_type": ""}
        if delaying:
            flags["xla_cpu_scheduler_type"] = (
                "CPU_SCHEDULER_TYPE_MEMORY_OPTIMIZED")
        backend = xla_bridge.get_backend("cpu")
        devices = np.array(backend.local_devices()[:1]).reshape(1, 1)
        options = compiler.get_compile_options(
            num_replicas=1, num_partitions=1, device_assignment=devices,
            env_options_overrides=flags, backend=backend)
        self.executable = compiler.backend_compile_and_load(
            backend, self.module, xc.DeviceList(tuple(devices.ravel())),
            options, [])
        self.device = devices.ravel()[0]
        stats = self.executable.get_compiled_memory_stats()
        self.temp = stats.temp_size_in_bytes
        self.flops = self.executable.cost_analysis().get("flops", 0.0)

    def inputs(self):
        main = next(op for op in self.module.body.operations
                    if op.operation.name == "func.func" and
                    ir.StringAttr(op.attributes["sym_name"]).value == "main")
        kind = ir.FunctionType(
            ir.TypeAttr(main.attributes["function_type"]).value)
        return [ir.RankedTensorType(t) for t in kind.inputs]

    def arguments(self):
        random, made = np.random.default_rng(0), []
        with self.module.context:
            types = [(mlir_dtype(t), tuple(t.shape)) for t in self.inputs()]
        for dtype, shape in types:
            if dtype == np.bool_:
                made.append(random.integers(0, 2, shape).astype(bool))
            elif np.issubdtype(dtype, np.integer):
                made.append(random.integers(0, 8, shape).astype(dtype))
            else:
                made.append(random.uniform(.001, .05, shape).astype(dtype))
        return [np.asarray(value) for value in made]

    def run(self):
        """The results, and the seconds that it took."""
        given = [jax.device_put(a, self.device) for a in self.arguments()]
        jax.block_until_ready(given)
        begin = time.time()
        out = self.executable.execute_sharded(given)
        out = out.disassemble_into_single_device_arrays()
        out = [np.asarray(o[0] if isinstance(o, (list, tuple)) else o)
               for o in out]
        return out, time.time() - begin


def mlir_dtype(kind):
    name = str(kind.element_type)
    names = {"i1": "bool", "f16": "float16", "f32": "float32",
             "f64": "float64"}
    if name == "bf16":
        return np.dtype(ml_dtypes.bfloat16)
    if name in names:
        return np.dtype(names[name])
    return np.dtype(("uint" if name[0] == "u" else "int") +
                    name.lstrip("ui"))


def same(a, b):
    return len(a) == len(b) and all(
        x.dtype == y.dtype and x.shape == y.shape and
        x.tobytes() == y.tobytes() for x, y in zip(a, b))


def difference(a, b):
    """The largest difference, as a share of its result's largest magnitude."""
    worst = 0.0
    for x, y in zip(a, b):
        if x.shape != y.shape:
            return float("inf")
        x, y = x.astype(np.float64), y.astype(np.float64)
        finite = np.isfinite(x)
        if (finite != np.isfinite(y)).any():
            return float("inf")
        largest = np.abs(x[finite]).max(initial=0.0) + 1e-30
        apart = np.abs(x[finite] - y[finite]).max(initial=0.0)
        worst = max(worst, float(apart / largest))
    return worst


def equality(before, after, paths):
    """"equal", "unfused", "rounding" or "DIFFERENT"."""
    one, two = before.run()[0], after.run()[0]
    if same(one, two):
        return "equal"
    plain = [Program(path, without=("fusion",)).run()[0] for path in paths]
    if same(*plain):
        return "unfused"
    with open(paths[0], encoding="utf-8") as file:
        most = BF16_ROUNDING if "bf16" in file.read() else ROUNDING
    return "rounding" if difference(one, two) < most else "DIFFERENT"


def plan(remat, source, budget, folder):
    """remat's output for BUDGET, its report on the entry, and its status."""
    out = os.path.join(folder, "after" + os.path.splitext(source)[1])
    report = os.path.join(folder, "report.json")
    done = subprocess.run(
        [remat, "--target=x86", "--device=xla-2core", "--memory-model=fused",
         f"--budget={budget}", source, "-o", out,
         f"--report={report}"], capture_output=True, text=True, timeout=600)
    if done.returncode not in (0, 2):
        raise RuntimeError(f"remat: {done.stderr.splitlines()[0]}")
    with open(report, encoding="utf-8") as file:
        functions = json.load(file)["functions"]
    return out, next(f for f in functions if f["entry"]), done.returncode


def check(row, befores, afters, asked, equal):
    """What is wrong with a row."""
    faults = []
    if row["fits"] and any(a.temp > b.temp for a, b in zip(afters, befores)):
        faults.append("more than without a plan")
    if row["fits"] and any(a.temp > MOST * asked for a in afters):
        faults.append(f"more than {MOST} times what was asked")
    if equal == "DIFFERENT":
        faults.append("results differ")
    return faults


def measure(arguments, source, budget, befores, folder):
    """One row of the table, and what is wrong with it."""
    share = (f"{befores[0].temp * int(budget) // 100}temp" if arguments.of_xla
             else f"{budget}%temp")
    out, report, status = plan(arguments.remat, source, share, folder)
    afters = [Program(out, delaying) for delaying in (False, True)]
    asked = report["budget_bytes"]
    row = {"asked": asked / MIB, "got": afters[0].temp / MIB,
           "ratios": [a.temp / asked for a in afters],
           "flops": afters[0].flops / max(1.0, befores[0].flops),
           "predicted": report["fused_peak_after_temp_bytes"] / MIB,
           "fits": status == 0, "equal": "not run", "times": ""}
    if arguments.run:
        row["equal"] = equality(befores[0], afters[0], (source, out))
    if arguments.run and arguments.pairs:
        pairs = [(befores[0].run()[1], afters[0].run()[1])
                 for _ in range(arguments.pairs)]
        row["times"] = " → ".join(
            f"{statistics.median(column):.3f}" for column in zip(*pairs))
    return row, check(row, befores, afters, asked, row["equal"])


HEAD = """| step | form | share | asked MiB | got MiB | got / asked | memory-optimized | flops | predicted MiB | results | step s |
|---|---|---|---|---|---|---|---|---|---|---|
"""
MODEL_HEAD = """| step | form | model MiB | over XLA, default | memory-optimized |
|---|---|---|---|---|
"""


def line(step, form, budget, row):
    if not row["fits"]:
        return (f"| {step} | {form} | {budget} % | {row['asked']:.1f} | no plan "
                "| | | | | | |\n")
    return (f"| {step} | {form} | {budget} % | {row['asked']:.1f} | "
            f"{row['got']:.1f} | {row['ratios'][0]:.3f} | "
            f"{row['ratios'][1]:.3f} | {row['flops']:.3f} | "
            f"{row['predicted']:.1f} | {row['equal']} | {row['times']} |\n")


def model_line(remat, step, form, source, befores):
    """What the model says of the program as it is."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        subprocess.run(
            [remat, "--target=x86", "--device=xla-2core",
             "--memory-model=fused", "--budget=100%temp", source, "-o",
             os.devnull, f"--report={report}"], check=True, timeout=600)
        with open(report, encoding="utf-8") as file:
            functions = json.load(file)["functions"]
    said = next(f for f in functions if f["entry"])
    said = said["fused_peak_before_temp_bytes"]
    return (f"| {step} | {form} | {said / MIB:.1f} | "
            f"{said / befores[0].temp:.3f} | {said / befores[1].temp:.3f} |\n")


def key(row, columns):
    """The first columns of a row of a table, which name it."""
    cells = [cell.strip() for cell in row.split("|")[1:columns + 1]]
    return tuple(-int(c.split()[0]) if c.endswith("%") else c for c in cells)


def write(path, mark, head, rows, columns):
    """Put ROWS into the table behind MARK, in the place of older ones."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    begin = text.index(f"<!-- {mark} -->\n") + len(f"<!-- {mark} -->\n")
    end = text.index("<!-- end -->", begin)
    old = [r + "\n" for r in text[begin:end].splitlines()[2:] if r]
    table = {key(r, columns): r for r in old}
    table.update({key(r, columns): r for r in rows})
    body = head + "".join(table[k] for k in sorted(table))
    with open(path, "w", encoding="utf-8") as file:
        file.write(text[:begin] + body + text[end:])


def run_step(arguments, step, form, source):
    """Rows of one step in one form, with their faults, as they come."""
    befores = [Program(source, delaying) for delaying in (False, True)]
    if arguments.model:
        yield model_line(arguments.remat, step, form, source, befores), []
        return
    for budget in arguments.budgets.split(","):
        try:
            with tempfile.TemporaryDirectory() as folder:
                row, faults = measure(arguments, source, budget, befores,
                                      folder)
        except Exception as fault:  # whatever XLA, or remat, refuses
            yield "", [f"{source} at {budget} %: {str(fault)[:300]}"]
            continue
        yield (line(step, form, budget, row),
               [f"{source} at {budget} %: {fault}" for fault in faults])


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1]
                                     .split("\n\n", maxsplit=1)[0])
    parser.add_argument("remat")
    parser.add_argument("corpus")
    parser.add_argument("--steps", default="mlp6,mlp200,gnn_scatter")
    parser.add_argument("--budgets", default="50,25")
    parser.add_argument("--formats", default="stablehlo,hlo")
    parser.add_argument("--model", action="store_true")
    parser.add_argument("--of-xla", action="store_true")
    parser.add_argument("--no-run", dest="run", action="store_false")
    parser.add_argument("--pairs", type=int, default=0)
    parser.add_argument("--write")
    arguments = parser.parse_args()
    load_jax()
    names = {"stablehlo": "step.stablehlo.mlir", "hlo": "step.hlo"}
    mark, head, columns = (("model", MODEL_HEAD, 2) if arguments.model else
                           ("of-xla" if arguments.of_xla else "plans", HEAD, 3))
    passed = failed = 0
    print(head, end="")
    for step in arguments.steps.split(","):
        for form in arguments.formats.split(","):
            source = os.path.join(arguments.corpus, step, names[form])
            for row, faults in run_step(arguments, step, form, source):
                print(row, end="", flush=True)
                print("".join(f"FAIL {fault}\n" for fault in faults), end="",
                      flush=True)
                passed, failed = passed + (not faults), failed + bool(faults)
                if arguments.write and row:
                    write(arguments.write, mark, head, [row], columns)
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
