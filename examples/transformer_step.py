#!/usr/bin/env python3
"""The training step that examples/transformer_step.mlir holds.

A GPT-like language model of LAYERS blocks: loss, gradients and SGD update in
one function, parameters donated.  Run it where jax is installed to make the
file anew:

    python3 transformer_step.py > transformer_step.mlir
"""
import os

import jax
import jax.numpy as jnp

LAYERS, WIDTH, HEADS = 6, 256, 4
BATCH, LENGTH, VOCABULARY = 8, 256, 4096


def normalize(x, scale):
    mean = x.mean(-1, keepdims=True)
    centered = x - mean
    variance = (centered * centered).mean(-1, keepdims=True)
    return centered * jax.lax.rsqrt(variance + 1e-5) * scale


def attention(x, w_qkv, w_out):
    qkv = (x @ w_qkv).reshape(BATCH, LENGTH, 3, HEADS, WIDTH // HEADS)
    q, k, v = (qkv[:, :, i].swapaxes(1, 2) for i in range(3))
    scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / (WIDTH // HEADS) ** 0.5
    mask = jnp.tril(jnp.ones((LENGTH, LENGTH), bool))
    weights = jax.nn.softmax(jnp.where(mask, scores, -1e9), axis=-1)
    mixed = jnp.einsum("bhqk,bhkd->bhqd", weights, v)
    return mixed.swapaxes(1, 2).reshape(BATCH, LENGTH, WIDTH) @ w_out


def block(x, p):
    x = x + attention(normalize(x, p["norm1"]), p["qkv"], p["out"])
    hidden = jax.nn.gelu(normalize(x, p["norm2"]) @ p["up"])
    return x + hidden @ p["down"]


def loss(parameters, tokens):
    x = parameters["embedding"][tokens]
    for p in parameters["blocks"]:
        x = block(x, p)
    logits = x @ parameters["embedding"].T
    picked = jax.nn.log_softmax(logits[:, :-1])
    target = tokens[:, 1:, None]
    return -jnp.take_along_axis(picked, target, axis=-1).mean()


def step(parameters, tokens):
    value, gradients = jax.value_and_grad(loss)(parameters, tokens)
    update = jax.tree.map(lambda p, g: p - 1e-3 * g, parameters, gradients)
    return update, value


def shape(*dimensions):
    return jax.ShapeDtypeStruct(dimensions, jnp.float32)


def main():
    one = {"norm1": shape(WIDTH), "norm2": shape(WIDTH),
           "qkv": shape(WIDTH, 3 * WIDTH), "out": shape(WIDTH, WIDTH),
           "up": shape(WIDTH, 4 * WIDTH), "down": shape(4 * WIDTH, WIDTH)}
    parameters = {"embedding": shape(VOCABULARY, WIDTH),
                  "blocks": [one] * LAYERS}
    tokens = jax.ShapeDtypeStruct((BATCH, LENGTH), jnp.int32)
    lowered = jax.jit(step, donate_argnums=0).lower(parameters, tokens)
    text = lowered.as_text(debug_info=True)
    folder = os.path.dirname(os.path.abspath(__file__)) + os.sep
    print(text.replace(folder, ""), end="")


if __name__ == "__main__":
    main()
