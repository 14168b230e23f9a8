#!/usr/bin/env python3
"""Ask remat for a share of XLA's memory, and see what XLA allocates.

usage: xla_table.py REMAT CORPUS [--steps A,B] [--budgets 50,25]
                    [--formats stablehlo,hlo] [--no-run] [--pairs N]
                    [--output FILE.md]

For each step of CORPUS (folders with step.stablehlo.mlir and step.hlo), format
and budget: remat plans for that share of the fused model's temporaries on the
target x86; XLA, through jaxlib on the CPU, compiles the program before and
after, under its default and its memory-optimized scheduler.  Optimization
barriers are kept until code generation, as accelerators keep them
(xla_disable_hlo_passes=cse_barrier_expander), and YNNPACK fusions are off.

A row: asked and got in MiB, got / asked under both schedulers, flops after /
before, what the model predicts, whether results are equal bit for bit ("equal"),
equal with XLA's fusion off ("unfused"), or within rounding ("rounding"), and
the medians of step times of N pairs of runs.

Exit status 1 where XLA refuses a program, results differ by more than
rounding, or a plan that remat says fits needs more than the program without
one.  Needs jax and jaxlib."""
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
    return "rounding" if difference(one, two) < 1e-4 else "DIFFERENT"


def plan(remat, source, budget, folder):
    """remat's output, its report on the entry, and its exit status."""
    out = os.path.join(folder, "after" + os.path.splitext(source)[1])
    report = os.path.join(folder, "report.json")
    done = subprocess.run(
        [remat, "--target=x86", "--memory-model=fused",
         f"--budget={budget}%temp", source, "-o", out,
         f"--report={report}"], capture_output=True, text=True, timeout=600)
    if done.returncode not in (0, 2):
        sys.exit(f"{source} at {budget} %: {done.stderr}")
    with open(report, encoding="utf-8") as file:
        functions = json.load(file)["functions"]
    return out, next(f for f in functions if f["entry"]), done.returncode


def measure(arguments, source, budget, befores, folder):
    """One row of the table, and what is wrong with it."""
    out, report, status = plan(arguments.remat, source, budget, folder)
    afters = [Program(out, delaying) for delaying in (False, True)]
    asked = report["budget_bytes"]
    faults = []
    for before, after in zip(befores, afters):
        if status == 0 and after.temp > before.temp:
            faults.append("more than without a plan")
    row = {"asked": asked / MIB, "got": afters[0].temp / MIB,
           "ratios": [a.temp / asked for a in afters],
           "shares": [a.temp / b.temp for a, b in zip(afters, befores)],
           "flops": afters[0].flops / max(1.0, befores[0].flops),
           "predicted": report["fused_peak_after_temp_bytes"] / MIB,
           "fits": status == 0, "equal": "", "times": ""}
    if arguments.run:
        row["equal"] = equality(befores[0], afters[0], (source, out))
        if row["equal"] == "DIFFERENT":
            faults.append("results differ")
        pairs = [(befores[0].run()[1], afters[0].run()[1])
                 for _ in range(arguments.pairs)]
        row["times"] = " → ".join(
            f"{statistics.median(column):.3f}" for column in zip(*pairs))
    return row, faults


HEAD = """| step | form | share | asked MiB | got MiB | got / asked | memory-optimized | flops | predicted MiB | results | step s |
|---|---|---|---|---|---|---|---|---|---|---|
"""


def line(step, form, budget, row):
    mark = "" if row["fits"] else " (no plan)"
    return (f"| {step} | {form} | {budget} %{mark} | {row['asked']:.1f} | "
            f"{row['got']:.1f} | {row['ratios'][0]:.3f} | "
            f"{row['ratios'][1]:.3f} | {row['flops']:.3f} | "
            f"{row['predicted']:.1f} | {row['equal']} | {row['times']} |\n")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1]
                                     .split("\n\n", maxsplit=1)[0])
    parser.add_argument("remat")
    parser.add_argument("corpus")
    parser.add_argument("--steps", default="mlp200,ode_unrolled,gnn_scatter")
    parser.add_argument("--budgets", default="50,25")
    parser.add_argument("--formats", default="stablehlo,hlo")
    parser.add_argument("--no-run", dest="run", action="store_false")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--output")
    arguments = parser.parse_args()
    load_jax()
    text, bad = HEAD, 0
    names = {"stablehlo": "step.stablehlo.mlir", "hlo": "step.hlo"}
    print(HEAD, end="")
    for step in arguments.steps.split(","):
        for form in arguments.formats.split(","):
            source = os.path.join(arguments.corpus, step, names[form])
            befores = [Program(source, delaying)
                       for delaying in (False, True)]
            for budget in arguments.budgets.split(","):
                with tempfile.TemporaryDirectory() as folder:
                    row, faults = measure(arguments, source, budget, befores,
                                          folder)
                print(line(step, form, budget, row), end="", flush=True)
                text += line(step, form, budget, row)
                for fault in faults:
                    print(f"{source} at {budget} %: {fault}")
                bad += len(faults)
    if arguments.output:
        with open(arguments.output, "w", encoding="utf-8") as file:
            file.write(text)
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
