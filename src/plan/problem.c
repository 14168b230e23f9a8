/* problem.c - see problem.h.
 *
 * A builder collects flat arrays; plan_finish drops repeated operands, adds
 * the edges that keep fixed nodes in order, and turns the lists around once:
 * readers by value.  All is linear in nodes, values, operands and edges. */
#include "plan/problem.h"
#include "support/checked.h"

#include <assert.h>
#include <string.h>

uint32_t
plan_add_node(struct plan_builder *builder, uint64_t cost_ns,
              uint64_t workspace_bytes, unsigned flags) {
  struct arena *arena = builder->arena;
  vector_push(arena, &builder->cost_ns, cost_ns);
  vector_push(arena, &builder->workspace_bytes, workspace_bytes);
  vector_push(arena, &builder->flags, (uint8_t)flags);
  vector_push(arena, &builder->result_begin, builder->bytes.count);
  vector_push(arena, &builder->operand_begin, builder->operands.count);
  vector_push(arena, &builder->edge_begin, builder->edges.count);
  vector_push(arena, &builder->closed_begin, builder->closed.count);
  return builder->cost_ns.count - 1;
}

uint32_t
plan_add_result(struct plan_builder *builder, uint64_t bytes, bool returned) {
  vector_push(builder->arena, &builder->bytes, bytes);
  vector_push(builder->arena, &builder->returned, returned);
  vector_push(builder->arena, &builder->in_place, PLAN_NONE);
  return builder->bytes.count - 1;
}

void
plan_add_operand(struct plan_builder *builder, uint32_t value) {
  assert(value < builder->result_begin.data[builder->result_begin.count - 1]);
  vector_push(builder->arena, &builder->operands, value);
}

void
plan_add_edge(struct plan_builder *builder, uint32_t node) {
  uint32_t newest = builder->cost_ns.count - 1;
  assert(node < newest);
  builder->flags.data[node] |= PLAN_ONCE;
  builder->flags.data[newest] |= PLAN_ONCE;
  vector_push(builder->arena, &builder->edges, node);
}

void
plan_add_closed(struct plan_builder *builder, uint32_t node) {
  uint32_t newest = builder->cost_ns.count - 1;
  assert(node < newest);
  builder->flags.data[newest] |= PLAN_ONCE;
  vector_push(builder->arena, &builder->closed, node);
}

void
plan_set_in_place(struct plan_builder *builder, uint32_t result,
                  uint32_t value) {
  builder->in_place.data[result] = value;
}

/* Is the sum of all bytes small enough to be counted with? */
static bool
within_limits(const struct plan_builder *builder) {
  uint64_t total = 0;
  for (uint32_t i = 0; i < builder->bytes.count; i++)
    total = saturating_add(total, builder->bytes.data[i]);
  for (uint32_t i = 0; i < builder->workspace_bytes.count; i++)
    total = saturating_add(total, builder->workspace_bytes.data[i]);
  return total <= PLAN_BYTES_MAX;
}

/* Operand lists, each value once per node. */
static void
set_operands(struct plan_problem *problem, const struct plan_builder *builder) {
  struct arena *arena = builder->arena;
  uint32_t nodes = problem->node_count, kept = 0;
  uint32_t *seen = ARENA_ARRAY(arena, uint32_t, problem->value_count);
  problem->operand_begin = ARENA_ARRAY(arena, uint32_t, (size_t)nodes + 1);
  problem->operands = builder->operands.data;
  for (uint32_t node = 0; node < nodes; node++) {
    uint32_t at = builder->operand_begin.data[node];
    uint32_t end = node + 1 < nodes ? builder->operand_begin.data[node + 1]
                                    : builder->operands.count;
    problem->operand_begin[node] = kept;
    for (; at < end; at++) {
      uint32_t value = builder->operands.data[at];
      if (seen[value] == node + 1)
        continue;
      seen[value] = node + 1;
      problem->operands[kept++] = value;
    }
  }
  problem->operand_begin[nodes] = kept;
}

/* Edge lists, with one more for each fixed node: the fixed one before it. */
static void
set_edges(struct plan_problem *problem, const struct plan_builder *builder) {
  struct arena *arena = builder->arena;
  uint32_t nodes = problem->node_count, fixed = PLAN_NONE, count = 0;
  problem->edge_begin = ARENA_ARRAY(arena, uint32_t, (size_t)nodes + 1);
  problem->edges =
      ARENA_ARRAY(arena, uint32_t, (size_t)builder->edges.count + nodes);
  for (uint32_t node = 0; node < nodes; node++) {
    uint32_t at = builder->edge_begin.data[node];
    uint32_t end = node + 1 < nodes ? builder->edge_begin.data[node + 1]
                                    : builder->edges.count;
    problem->edge_begin[node] = count;
    while (at < end)
      problem->edges[count++] = builder->edges.data[at++];
    if (!problem->fixed[node])
      continue;
    if (fixed != PLAN_NONE)
      problem->edges[count++] = fixed;
    fixed = node;
  }
  problem->edge_begin[nodes] = count;
}

/* Which nodes do not run behind which. */
static void
set_closed(struct plan_problem *problem, struct plan_builder *builder) {
  uint32_t nodes = problem->node_count;
  problem->has_closed = builder->closed.count > 0;
  vector_push(builder->arena, &builder->closed_begin, builder->closed.count);
  problem->closed_begin = builder->closed_begin.data;
  problem->closed = builder->closed.data;
  problem->closer = ARENA_ARRAY(builder->arena, uint32_t, nodes);
  memset(problem->closer, 0xff, nodes * sizeof *problem->closer);
  for (uint32_t node = nodes; node-- > 0;)
    for (uint32_t i = problem->closed_begin[node];
         i < problem->closed_begin[node + 1]; i++)
      problem->closer[problem->closed[i]] = node;
}

/* Which nodes read each value. */
static void
set_readers(struct plan_problem *problem, struct arena *arena) {
  uint32_t values = problem->value_count;
  uint32_t reads = problem->operand_begin[problem->node_count];
  uint32_t *begin = ARENA_ARRAY(arena, uint32_t, (size_t)values + 2);
  for (uint32_t i = 0; i < reads; i++)
    begin[problem->operands[i] + 2]++;
  for (uint32_t value = 0; value < values; value++)
    begin[value + 2] += begin[value + 1];
  problem->readers = ARENA_ARRAY(arena, uint32_t, reads);
  for (uint32_t node = 0; node < problem->node_count; node++)
    for (uint32_t i = problem->operand_begin[node];
         i < problem->operand_begin[node + 1]; i++)
      problem->readers[begin[problem->operands[i] + 1]++] = node;
  problem->reader_begin = begin;
}

static void
set_nodes(struct plan_problem *problem, const struct plan_builder *builder) {
  struct arena *arena = builder->arena;
  uint32_t nodes = problem->node_count;
  problem->cost_ns = builder->cost_ns.data;
  problem->workspace_bytes = builder->workspace_bytes.data;
  problem->once = ARENA_ARRAY(arena, bool, nodes);
  problem->fixed = ARENA_ARRAY(arena, bool, nodes);
  problem->result_begin = ARENA_ARRAY(arena, uint32_t, (size_t)nodes + 1);
  for (uint32_t node = 0; node < nodes; node++) {
    problem->once[node] = builder->flags.data[node] != 0;
    problem->fixed[node] = (builder->flags.data[node] & PLAN_FIXED) != 0;
    problem->has_once |= problem->once[node];
    problem->result_begin[node] = builder->result_begin.data[node];
    problem->base_cost_ns =
        saturating_add(problem->base_cost_ns, problem->cost_ns[node]);
  }
  problem->result_begin[nodes] = problem->value_count;
}

static void
set_values(struct plan_problem *problem, const struct plan_builder *builder) {
  problem->bytes = builder->bytes.data;
  problem->returned = builder->returned.data;
  problem->in_place = builder->in_place.data;
  problem->producer =
      ARENA_ARRAY(builder->arena, uint32_t, problem->value_count);
  for (uint32_t node = 0; node < problem->node_count; node++) {
    uint32_t begin = problem->result_begin[node];
    uint32_t end = problem->result_begin[node + 1];
    problem->several_results |= end - begin != 1;
    for (uint32_t value = begin; value < end; value++) {
      problem->producer[value] = node;
      problem->has_in_place |= problem->in_place[value] != PLAN_NONE;
    }
  }
}

/* Which results are made in place of each value, ascending. */
static void
set_takers(struct plan_problem *problem, struct arena *arena) {
  uint32_t values = problem->value_count;
  problem->taker = ARENA_ARRAY(arena, uint32_t, values);
  problem->next_taker = ARENA_ARRAY(arena, uint32_t, values);
  memset(problem->taker, 0xff, values * sizeof *problem->taker);
  for (uint32_t result = values; result-- > 0;) {
    uint32_t value = problem->in_place[result];
    if (value == PLAN_NONE)
      continue;
    problem->next_taker[result] = problem->taker[value];
    problem->taker[value] = result;
  }
}

uint32_t
plan_taker(const struct plan_problem *problem, uint32_t node, uint32_t value) {
  uint32_t result = problem->taker ? problem->taker[value] : PLAN_NONE;
  while (result != PLAN_NONE && problem->producer[result] < node)
    result = problem->next_taker[result];
  return result != PLAN_NONE && problem->producer[result] == node ? result
                                                                  : PLAN_NONE;
}

struct plan_problem *
plan_finish(struct plan_builder *builder) {
  if (!within_limits(builder))
    return NULL;
  struct plan_problem *problem = ARENA_NEW(builder->arena, struct plan_problem);
  problem->node_count = builder->cost_ns.count;
  problem->value_count = builder->bytes.count;
  set_nodes(problem, builder);
  set_values(problem, builder);
  set_operands(problem, builder);
  set_edges(problem, builder);
  set_closed(problem, builder);
  set_readers(problem, builder->arena);
  if (problem->has_in_place)
    set_takers(problem, builder->arena);
  return problem;
}

/* Add the copy of NODE to BUILDER; NODE_OF and VALUE_OF give new numbers. */
static void
copy_node(struct plan_builder *builder, const struct plan_problem *problem,
          uint32_t node, uint32_t *const maps[2]) {
  uint32_t *node_of = maps[0], *value_of = maps[1];
  unsigned flags = (problem->once[node] ? PLAN_ONCE : 0) |
                   (problem->fixed[node] ? PLAN_FIXED : 0);
  node_of[node] = plan_add_node(builder, problem->cost_ns[node],
                                problem->workspace_bytes[node], flags);
  for (uint32_t i = problem->operand_begin[node];
       i < problem->operand_begin[node + 1]; i++)
    plan_add_operand(builder, value_of[problem->operands[i]]);
  for (uint32_t i = problem->edge_begin[node];
       i < problem->edge_begin[node + 1]; i++)
    plan_add_edge(builder, node_of[problem->edges[i]]);
  for (uint32_t i = problem->closed_begin[node];
       i < problem->closed_begin[node + 1]; i++)
    plan_add_closed(builder, node_of[problem->closed[i]]);
  for (uint32_t value = problem->result_begin[node];
       value < problem->result_begin[node + 1]; value++) {
    uint32_t copy = plan_add_result(builder, problem->bytes[value],
                                    problem->returned[value]);
    value_of[value] = copy;
    if (problem->in_place[value] != PLAN_NONE)
      plan_set_in_place(builder, copy, value_of[problem->in_place[value]]);
  }
}

struct plan_problem *
plan_permute(const struct plan_problem *problem, const uint32_t *order,
             struct arena *arena) {
  struct plan_builder builder = {.arena = arena};
  uint32_t *maps[2] = {
      ARENA_ARRAY(arena, uint32_t, problem->node_count),
      ARENA_ARRAY(arena, uint32_t, problem->value_count),
  };
  for (uint32_t i = 0; i < problem->node_count; i++)
    copy_node(&builder, problem, order[i], maps);
  return plan_finish(&builder);
}

struct plan_sequence
plan_program_order(const struct plan_problem *problem, struct arena *arena) {
  struct plan_sequence sequence = {
      ARENA_ARRAY(arena, uint32_t, problem->node_count), problem->node_count};
  for (uint32_t node = 0; node < sequence.count; node++)
    sequence.nodes[node] = node;
  return sequence;
}

struct plan_sequence
plan_copy(struct plan_sequence sequence, struct arena *arena) {
  struct plan_sequence copy = {ARENA_ARRAY(arena, uint32_t, sequence.count),
                               sequence.count};
  if (sequence.count)
    memcpy(copy.nodes, sequence.nodes, sequence.count * sizeof *copy.nodes);
  return copy;
}
