/* shapes.h - problems of any size in the shapes that matter, for benches and
 * tests: training steps of transformers and chains, the seed's chain, random
 * graphs and random training graphs. */
#ifndef REMAT_TESTS_SHAPES_H
#define REMAT_TESTS_SHAPES_H

#include "plan/problem.h"

#include <string.h>

struct shape_random {
  uint64_t state;
};

static inline uint32_t
shape_below(struct shape_random *random, uint32_t limit) {
  random->state ^= random->state >> 12;
  random->state ^= random->state << 25;
  random->state ^= random->state >> 27;
  return (uint32_t)((random->state * 0x2545f4914f6cdd1du >> 32) * limit >> 32);
}

/* Node with one result, which has the same number; READS ends with
 * PLAN_NONE. */
static inline uint32_t
shape_node(struct plan_builder *builder, uint64_t bytes, uint64_t cost,
           const uint32_t *reads) {
  plan_add_node(builder, cost, 0, 0);
  for (; *reads != PLAN_NONE; reads++)
    plan_add_operand(builder, *reads);
  return plan_add_result(builder, bytes, false);
}

/* 1 to 2 to the power of BITS, small ones as often as large ones. */
static inline uint64_t
shape_size(struct shape_random *random, uint32_t bits) {
  return 1 + shape_below(random, 2u << shape_below(random, bits));
}

#define SHAPE_READS(...) ((const uint32_t[]){__VA_ARGS__, PLAN_NONE})

/* f1 ... fn, bn ... b1, where b(i) reads f(i - 1) and b(i + 1). */
static inline struct plan_problem *
shape_training_chain(uint32_t stages, struct arena *arena) {
  struct plan_builder builder = {.arena = arena};
  for (uint32_t i = 0; i < stages; i++)
    shape_node(&builder, 1, 1, SHAPE_READS(i ? i - 1 : PLAN_NONE));
  for (uint32_t i = stages; i-- > 0;)
    shape_node(&builder, 1, 1,
               SHAPE_READS(builder.bytes.count - 1, i ? i - 1 : PLAN_NONE));
  builder.returned.data[builder.bytes.count - 1] = true;
  return plan_finish(&builder);
}

/* v(i) reads v(i - 1); s(i) reads s(i - 1) and v(i): forward sinks. */
static inline struct plan_problem *
shape_sink_chain(uint32_t stages, struct arena *arena) {
  struct plan_builder builder = {.arena = arena};
  for (uint32_t i = 0; i < stages; i++)
    shape_node(&builder, 1, 4, SHAPE_READS(i ? i - 1 : PLAN_NONE));
  for (uint32_t i = 0; i < stages; i++)
    shape_node(&builder, 1, 1, SHAPE_READS(i, i ? stages + i - 1 : PLAN_NONE));
  builder.returned.data[builder.bytes.count - 1] = true;
  return plan_finish(&builder);
}

/* A layer's ops: what they read is 0 for the layer's input, 1 to 14 for its
 * forward ops, 20 for the gradient that comes in, 21 on for its backward
 * ops.  Attention with softmax, MLP with gelu, layer norms; bytes and costs
 * are those of 1024 tokens in fp16 with 8 heads. */
enum { SHAPE_NO = 255, SHAPE_FORWARD = 14, SHAPE_BACKWARD = 28 };

struct shape_op {
  uint32_t bytes, cost;
  bool returned;
  uint8_t reads[2];
};

#define NO SHAPE_NO
static const struct shape_op shape_layer[SHAPE_FORWARD + SHAPE_BACKWARD] = {
    {16777216, 335, false, {0, NO}},   {16777216, 2221, false, {1, NO}},
    {16777216, 2221, false, {1, NO}},  {16777216, 2221, false, {1, NO}},
    {268435456, 4737, false, {2, 3}},  {268435456, 5368, false, {5, NO}},
    {16777216, 4737, false, {4, 6}},   {16777216, 2221, false, {7, NO}},
    {16777216, 503, false, {0, 8}},    {16777216, 335, false, {9, NO}},
    {67108864, 8885, false, {10, NO}}, {67108864, 1342, false, {11, NO}},
    {16777216, 8885, false, {12, NO}}, {16777216, 503, false, {9, 13}},
    {67108864, 8885, false, {20, NO}}, {8388608, 8885, true, {12, 20}},
    {2048, 167, true, {20, NO}},       {67108864, 2013, false, {11, 21}},
    {16777216, 8885, false, {24, NO}}, {8388608, 8885, true, {10, 24}},
    {8192, 671, true, {24, NO}},       {16777216, 503, false, {9, 25}},
    {4096, 335, true, {9, 25}},        {16777216, 503, false, {20, 28}},
    {16777216, 2221, false, {30, NO}}, {2097152, 2221, true, {7, 30}},
    {268435456, 4737, false, {4, 31}}, {16777216, 4737, false, {6, 31}},
    {268435456, 8053, false, {6, 33}}, {16777216, 4737, false, {3, 35}},
    {16777216, 4737, false, {2, 35}},  {2097152, 2221, true, {1, 36}},
    {2097152, 2221, true, {1, 37}},    {2097152, 2221, true, {1, 34}},
    {16777216, 2221, false, {36, NO}}, {16777216, 2221, false, {37, NO}},
    {16777216, 2221, false, {34, NO}}, {16777216, 503, false, {41, 42}},
    {16777216, 503, false, {43, 44}},  {16777216, 503, false, {0, 45}},
    {4096, 335, true, {0, 45}},        {16777216, 503, false, {30, 46}},
};
#undef NO

/* The forward (FIRST 0) or backward ops of one layer.  BASES are the node
 * numbers of the input, the forward ops, the gradient, the backward ops. */
static inline void
shape_add_layer(struct plan_builder *builder, uint32_t first, uint32_t count,
                const uint32_t bases[4]) {
  for (uint32_t i = first; i < first + count; i++) {
    const struct shape_op *op = &shape_layer[i];
    uint32_t reads[3], n = 0;
    for (uint32_t k = 0; k < 2; k++) {
      uint32_t code = op->reads[k];
      if (code == SHAPE_NO)
        continue;
      reads[n++] = code == 0   ? bases[0]
                   : code < 20 ? bases[1] + code - 1
                   : code < 21 ? bases[2]
                               : bases[3] + code - 21;
    }
    reads[n] = PLAN_NONE;
    uint32_t value = shape_node(builder, op->bytes, op->cost, reads);
    builder->returned.data[value] = op->returned;
  }
}

/* A training step of LAYERS layers: 42 * LAYERS + 3 nodes. */
static inline struct plan_problem *
shape_transformer(uint32_t layers, struct arena *arena) {
  struct plan_builder builder = {.arena = arena};
  uint32_t input = shape_node(&builder, 16777216, 335, SHAPE_READS(PLAN_NONE));
  for (uint32_t layer = 0; layer < layers; layer++) {
    uint32_t bases[4] = {input, builder.bytes.count, 0, 0};
    shape_add_layer(&builder, 0, SHAPE_FORWARD, bases);
    input = builder.bytes.count - 1;
  }
  uint32_t loss = shape_node(&builder, 16777216, 2221, SHAPE_READS(input));
  uint32_t gradient =
      shape_node(&builder, 16777216, 2221, SHAPE_READS(loss, input));
  for (uint32_t layer = layers; layer-- > 0;) {
    uint32_t forward = 1 + layer * SHAPE_FORWARD;
    uint32_t bases[4] = {forward - 1, forward, gradient, builder.bytes.count};
    shape_add_layer(&builder, SHAPE_FORWARD, SHAPE_BACKWARD, bases);
    gradient = builder.bytes.count - 1;
  }
  builder.returned.data[builder.bytes.count - 1] = true;
  return plan_finish(&builder);
}

/* Four fifths of the nodes have up to three operands, twelve of thirteen
 * among the last 16 nodes and the rest anywhere before; the others add up
 * what nothing has read, and some of the rest. */
static inline struct plan_problem *
shape_random_graph(uint32_t nodes, struct arena *arena) {
  struct plan_builder builder = {.arena = arena};
  struct arena scratch = {0};
  struct shape_random random = {nodes * 2u + 1};
  uint32_t body = nodes / 5 * 4;
  bool *read = arena_array(&scratch, nodes, sizeof *read);
  for (uint32_t node = 0; node < body; node++) {
    uint32_t reads[4], n = 0, want = node ? 1 + shape_below(&random, 3) : 0;
    for (; n < want; n++) {
      bool far = node < 16 || !shape_below(&random, 13);
      reads[n] = node - 1 - shape_below(&random, far ? node : 16);
      read[reads[n]] = true;
    }
    reads[n] = PLAN_NONE;
    shape_node(&builder, shape_size(&random, 12), shape_size(&random, 10),
               reads);
  }
  for (uint32_t node = body, next = 0; node < nodes; node++) {
    uint32_t reads[4] = {node - 1, shape_below(&random, body)};
    while (next < body && read[next])
      next++;
    reads[2] = next < body ? next++ : PLAN_NONE;
    reads[3] = PLAN_NONE;
    shape_node(&builder, 16, 8, reads);
  }
  builder.returned.data[nodes - 1] = true;
  arena_empty(&scratch);
  return plan_finish(&builder);
}

/* A random forward graph, then for each of its nodes in reverse one that
 * reads the gradients of its readers and one of its operands. */
static inline struct plan_problem *
shape_random_training(uint32_t forward, uint32_t window, struct arena *arena) {
  struct plan_builder builder = {.arena = arena};
  struct arena scratch = {0};
  struct shape_random random = {forward * 2u + 1};
  uint32_t(*reads)[4] = arena_array(&scratch, forward, sizeof *reads);
  /* The first three readers of every forward node. */
  uint32_t(*readers)[3] = arena_array(&scratch, forward, sizeof *readers);
  memset(readers, 0xff, forward * sizeof *readers);
  for (uint32_t node = 0; node < forward; node++) {
    uint32_t n = 0, reach = node < window ? node : window;
    for (uint32_t k = shape_below(&random, 3); reach && n <= k; n++)
      reads[node][n] = n ? node - 1 - shape_below(&random, reach) : node - 1;
    reads[node][n] = PLAN_NONE;
    shape_node(&builder, shape_size(&random, 12), shape_size(&random, 10),
               reads[node]);
    for (uint32_t i = 0; i < n; i++)
      for (uint32_t k = 0; k < 3; k++)
        if (readers[reads[node][i]][k] == PLAN_NONE) {
          readers[reads[node][i]][k] = node;
          break;
        }
  }
  for (uint32_t node = forward; node-- > 0;) {
    uint32_t operands[6], n = 0;
    for (uint32_t k = 0; k < 3 && readers[node][k] != PLAN_NONE; k++)
      operands[n++] = 2 * forward - 1 - readers[node][k];
    operands[n++] = reads[node][0] != PLAN_NONE ? reads[node][0] : node;
    if (shape_below(&random, 2))
      operands[n++] = node;
    operands[n] = PLAN_NONE;
    shape_node(&builder, shape_size(&random, 12), shape_size(&random, 10),
               operands);
  }
  builder.returned.data[2 * forward - 1] = true;
  arena_empty(&scratch);
  return plan_finish(&builder);
}

/* The shape NAME with about NODES nodes, or NULL. */
static inline struct plan_problem *
shape_named(const char *name, uint32_t nodes, struct arena *arena) {
  if (!strcmp(name, "transformer"))
    return shape_transformer(nodes / 42, arena);
  if (!strcmp(name, "chain"))
    return shape_training_chain(nodes / 2, arena);
  if (!strcmp(name, "sinks"))
    return shape_sink_chain(nodes / 2, arena);
  if (!strcmp(name, "random"))
    return shape_random_graph(nodes, arena);
  if (!strcmp(name, "training"))
    return shape_random_training(nodes / 2, 10, arena);
  return NULL;
}

#endif
