#!/usr/bin/env python3
"""A training step from JAX through remat to an executable that runs.

usage: jax_step.py REMAT [BUDGET]       BUDGET is 50%temp where none is given

Lowers a step, lets remat plan it, puts the new text in the place of the old,
compiles and runs both, and says what XLA allocates and whether the results are
the same.  doc/guide.md explains each part.  Exit status 1 where they are not,
or where no memory was saved.  Needs jax and jaxlib."""
import dataclasses
import subprocess
import sys

import jax
import jax.numpy as jnp
from jax import export
from jaxlib.mlir.dialects import stablehlo

# XLA's CPU back end strips optimization barriers before its last CSE, which
# then merges every recomputation with its original; accelerators keep them.
OPTIONS = ({"xla_disable_hlo_passes": "cse_barrier_expander"}
           if jax.default_backend() == "cpu" else {})


def loss(weights, x, y):
    for w in weights:
        x = jnp.tanh(x @ w)
    return jnp.mean((x - y) ** 2)


@jax.jit
def step(weights, x, y):
    value, gradients = jax.value_and_grad(loss)(weights, x, y)
    return [w - 0.1 * g for w, g in zip(weights, gradients)], value


def planned(exported, remat, budget):
    """EXPORTED with the program that remat makes of it."""
    done = subprocess.run(
        [remat, "--memory-model=fused", f"--budget={budget}", "-"],
        input=exported.mlir_module(), stdout=subprocess.PIPE, text=True,
        check=False)
    if done.returncode not in (0, 2):
        sys.exit(f"remat: exit status {done.returncode}")
    artifact = stablehlo.serialize_portable_artifact_str(
        done.stdout, stablehlo.get_current_version())
    return dataclasses.replace(exported, mlir_module_serialized=artifact)


def compiled(exported, arguments):
    call = jax.jit(exported.call).lower(*arguments)
    return call.compile(compiler_options=OPTIONS)


def main():
    remat = sys.argv[1]
    budget = sys.argv[2] if len(sys.argv) > 2 else "50%temp"
    keys = jax.random.split(jax.random.key(0), 18)
    weights = [0.1 * jax.random.normal(k, (256, 256)) for k in keys[:16]]
    arguments = (weights, jax.random.normal(keys[16], (2048, 256)),
                 jax.random.normal(keys[17], (2048, 256)))

    exported = export.export(step)(*arguments)
    before = compiled(exported, arguments)
    after = compiled(planned(exported, remat, budget), arguments)

    old, new = [c.memory_analysis().temp_size_in_bytes for c in (before, after)]
    pairs = zip(jax.tree.leaves(before(*arguments)),
                jax.tree.leaves(after(*arguments)))
    error = max(float(jnp.max(jnp.abs(a - b))) for a, b in pairs)
    print(f"temporaries {old / 2**20:.1f} -> {new / 2**20:.1f} MiB "
          f"({new / old:.2f}), largest difference {error:g}")
    sys.exit(0 if new < old and error < 1e-6 else 1)


if __name__ == "__main__":
    main()
