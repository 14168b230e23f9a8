/* facts_made.c - facts of a module that a pass made.
 *
 * Its ops are those of the input, some of them several times, so all that is
 * known of an op or value is known from its origin.  O(ops + values). */
#include "passes/facts.h"

#include <string.h>

enum { ADDED_BARRIER, ADDED_TUPLE, ADDED_ELEMENT, ADDED_COUNT };

static uint32_t
class_named(const struct rules *rules, const char *name) {
  for (uint32_t i = 0; i < rules_class_count(rules); i++)
    if (strcmp(rules_class_name(rules, i), name) == 0)
      return i;
  return 0;
}

/* The kinds of FROM, and behind them those of ops that passes add. */
static void
carry_kinds(const struct program *program, const struct facts *from,
            struct facts *to) {
  static const uint32_t shows[ADDED_COUNT] = {
      1u << FACT_BIT_FORWARDS | 1u << FACT_BIT_BARRIER,
      1u << FACT_BIT_TUPLE | 1u << FACT_BIT_FUSES | 1u << FACT_BIT_FREE,
      1u << FACT_BIT_ELEMENT | 1u << FACT_BIT_FUSES | 1u << FACT_BIT_FREE};
  to->kind_count = from->kind_count + ADDED_COUNT;
  to->kinds = ARENA_ARRAY(program->arena, struct op_facts, to->kind_count);
  memcpy(to->kinds, from->kinds, from->kind_count * sizeof *to->kinds);
  for (uint32_t i = 0; i < ADDED_COUNT; i++)
    to->kinds[from->kind_count + i] = (struct op_facts){
        .class_id = class_named(program->rules, i ? "view" : "barrier"),
        .flags = FACT_PURE | FACT_SAME_BITS | shows[i],
        .alias = OPERAND_NONE,
        .inplace = OPERAND_NONE,
        .reuses = OPERAND_NONE,
        .carries_operand = OPERAND_NONE,
        .counts = UINT32_MAX};
}

/* Which of them OP, which was added, is. */
static uint32_t
added_kind(const struct ir_module *made, op_id op) {
  struct text name = ir_op_name(made, op);
  return text_is(name, "tuple")               ? ADDED_TUPLE
         : text_is(name, "get-tuple-element") ? ADDED_ELEMENT
                                              : ADDED_BARRIER;
}

static void
carry_ops(const struct facts *from, struct facts *to,
          const struct ir_module *made, struct arena *arena) {
  to->op_kind = ARENA_ARRAY(arena, uint32_t, made->op_count);
  to->op_cost_ns = ARENA_ARRAY(arena, uint64_t, made->op_count);
  to->op_policy = ARENA_ARRAY(arena, uint8_t, made->op_count);
  to->op_repeatable = ARENA_ARRAY(arena, bool, made->op_count);
  if (from->op_workspace)
    to->op_workspace = ARENA_ARRAY(arena, uint64_t, made->op_count);
  if (from->op_folded)
    to->op_folded = ARENA_ARRAY(arena, bool, made->op_count);
  for (op_id op = 0; op < made->op_count; op++) {
    op_id origin = made->op_origin[op];
    if (origin == NONE) {
      to->op_kind[op] = from->kind_count + added_kind(made, op);
      to->op_repeatable[op] = true;
      continue;
    }
    to->op_kind[op] = from->op_kind[origin];
    to->op_cost_ns[op] = from->op_cost_ns[origin];
    to->op_policy[op] = from->op_policy[origin];
    to->op_repeatable[op] = from->op_repeatable[origin];
    if (from->op_workspace)
      to->op_workspace[op] = from->op_workspace[origin];
    if (from->op_folded)
      to->op_folded[op] = from->op_folded[origin];
  }
}

/* Is VALUE a tuple that was added? */
static bool
is_tuple(const struct ir_module *made, value_id value) {
  op_id op = ir_value_op(made, value);
  return op != NONE && (made->op_flags[op] & OP_ADDED) &&
         ir_value_type(made, value)->kind == TYPE_TUPLE;
}

/* Is there a tuple among what was added to MADE? */
static bool
adds_tuples(const struct ir_module *made) {
  for (op_id op = 0; op < made->op_count; op++)
    if ((made->op_flags[op] & OP_ADDED) && made->op_result_count[op] &&
        is_tuple(made, made->op_first_result[op]))
      return true;
  return false;
}

/* Leaves follow the values: each has as many as its origin, and a tuple that
 * was added as many as its type. */
static void
number_leaves(const struct facts *from, struct facts *to,
              const struct ir_module *made, struct arena *arena) {
  to->leaf_count = made->value_count;
  if (!from->value_first_leaf && !adds_tuples(made))
    return;
  to->value_first_leaf =
      ARENA_ARRAY(arena, uint32_t, (size_t)made->value_count + 1);
  uint32_t count = 0;
  for (value_id value = 0; value < made->value_count; value++) {
    value_id origin = made->value_origin[value];
    to->value_first_leaf[value] = count;
    count += is_tuple(made, value) ? ir_value_type(made, value)->leaves
                                   : facts_first_leaf(from, origin + 1) -
                                         facts_first_leaf(from, origin);
  }
  to->value_first_leaf[made->value_count] = count;
  to->leaf_count = count;
}

/* The leaves of VALUE, a tuple that was added, are those of what goes in. */
static void
carry_tuple(struct facts *to, const struct ir_module *made, value_id value) {
  op_id op = ir_value_op(made, value);
  uint32_t leaf = facts_first_leaf(to, value);
  for (uint32_t i = 0; i < made->op_use_count[op]; i++) {
    value_id operand = ir_operand(made, op, i);
    for (uint32_t l = facts_first_leaf(to, operand);
         l < facts_first_leaf(to, operand + 1); l++)
      to->leaf_bytes[leaf++] = to->leaf_bytes[l];
  }
}

static void
carry_values(const struct facts *from, struct facts *to,
             const struct ir_module *made, struct arena *arena) {
  number_leaves(from, to, made, arena);
  to->leaf_bytes = ARENA_ARRAY(arena, uint64_t, to->leaf_count);
  to->value_known = ARENA_ARRAY(arena, uint8_t, made->value_count);
  for (value_id value = 0; value < made->value_count; value++) {
    value_id origin = made->value_origin[value];
    uint32_t first = facts_first_leaf(to, value);
    if (is_tuple(made, value)) {
      carry_tuple(to, made, value);
      continue;
    }
    uint32_t count = facts_first_leaf(to, value + 1) - first;
    uint32_t source = facts_first_leaf(from, origin);
    for (uint32_t i = 0; i < count; i++)
      to->leaf_bytes[first + i] = from->leaf_bytes[source + i];
    to->value_known[value] = from->value_known[origin];
  }
}

struct facts *
facts_of_made(struct program *program, const struct ir_module *made) {
  const struct facts *from = program->facts;
  struct arena *arena = program->arena;
  struct facts *to = ARENA_NEW(arena, struct facts);
  carry_kinds(program, from, to);
  carry_ops(from, to, made, arena);
  carry_values(from, to, made, arena);
  to->block_stored = ARENA_ARRAY(arena, bool, made->block_count);
  for (block_id block = 0; block < made->block_count; block++)
    to->block_stored[block] = from->block_stored[made->block_origin[block]];
  to->function_stored = ARENA_ARRAY(arena, bool, made->functions.count);
  for (function_id i = 0; i < made->functions.count; i++)
    to->function_stored[i] =
        from->function_stored[made->functions.data[i].origin];
  return to;
}
