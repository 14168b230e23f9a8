/* xla_place.c - temporaries inside of donated arguments and results.
 *
 * What a donated argument leaves idle between its last reader and its new
 * value, and a result's storage before it is made, can hold temporaries, which
 * then cost nothing.  Groups are tried largest first, then results before
 * others, then in a post-order of the ops that make them; each tries the
 * places of its operands, then all others from the smallest.  The order
 * matters: it is XLA's. */
#include "passes/xla.h"

#include <stdlib.h>
#include <string.h>

/* A group to place. */
struct candidate {
  uint32_t group;
  uint64_t bytes;
  uint32_t position; /* of the first op that makes one of its values */
  function_id host;
  bool returned;
};

struct placing {
  struct xla *xla;
  uint32_t *position;    /* by op */
  uint32_t *first_value; /* by group and one more: into values */
  uint32_t *values;
  VECTOR(struct candidate) candidates;
  VECTOR(struct xla_place) places;
  VECTOR(uint32_t) open; /* places that others may use, smallest last */
  uint32_t *place_of;    /* by group */
  function_id host;
};

/* --- the order --- */

/* Number the ops of FUNCTION, operands before their readers, the first operand
 * first, from *NEXT on. */
static void
number_function(struct placing *placing, function_id function, uint32_t *next) {
  struct xla *xla = placing->xla;
  const struct ir_module *module = xla->module;
  block_id block = module->region_block[module->functions.data[function].body];
  VECTOR(op_id) stack = {NULL, 0, 0};
  for (uint32_t i = 0; i < module->block_op_count[block]; i++) {
    op_id root = ir_block_op(module, block, i);
    value_id result = ir_result(module, root, 0);
    if (xla->first_user[result] != xla->first_user[result + 1])
      continue;
    vector_push(xla->scratch, &stack, root);
    while (stack.count) {
      op_id op = stack.data[stack.count - 1];
      if (placing->position[op] < NONE - 1) {
        stack.count--;
      } else if (placing->position[op] == NONE - 1) {
        placing->position[op] = (*next)++;
        stack.count--;
      } else {
        placing->position[op] = NONE - 1;
        for (uint32_t k = module->op_use_count[op]; k-- > 0;) {
          op_id operand = ir_value_op(module, ir_operand(module, op, k));
          if (placing->position[operand] == NONE)
            vector_push(xla->scratch, &stack, operand);
        }
      }
    }
  }
}

/* Computations from those that nobody calls down, breadth first. */
static void
number_ops(struct placing *placing) {
  const struct ir_module *module = placing->xla->module;
  const struct clock *clock = placing->xla->clock;
  uint32_t count = module->functions.count, next = 0, filled = 0;
  function_id *queue = ARENA_ARRAY(placing->xla->scratch, function_id, count);
  bool *seen = ARENA_ARRAY(placing->xla->scratch, bool, count);
  memset(placing->position, 0xff, module->op_count * sizeof *placing->position);
  for (function_id id = 0; id < count; id++)
    if (clock->function_host[id] == id) {
      queue[filled++] = id;
      seen[id] = true;
    }
  for (uint32_t i = 0; i < filled; i++) {
    number_function(placing, queue[i], &next);
    block_id block =
        module->region_block[module->functions.data[queue[i]].body];
    for (uint32_t k = 0; k < module->block_op_count[block]; k++) {
      uint32_t calls;
      const struct ir_call *call =
          ir_op_calls(module, ir_block_op(module, block, k), &calls);
      for (uint32_t j = 0; j < calls; j++)
        if (clock_inlines(clock, &call[j]) && !seen[call[j].callee]) {
          seen[call[j].callee] = true;
          queue[filled++] = call[j].callee;
        }
    }
  }
}

static int
compare_candidates(const void *a, const void *b) {
  const struct candidate *x = a, *y = b;
  if (x->host != y->host)
    return x->host < y->host ? -1 : 1;
  if (x->bytes != y->bytes)
    return x->bytes > y->bytes ? -1 : 1;
  if (x->returned != y->returned)
    return x->returned ? -1 : 1;
  if (x->position != y->position)
    return x->position < y->position ? -1 : 1;
  return x->group < y->group ? -1 : x->group > y->group;
}

/* --- what is placed --- */

/* Values by group, by counting; what is known of each group. */
static void
collect_groups(struct placing *placing) {
  struct xla *xla = placing->xla;
  struct arena *arena = xla->scratch;
  uint32_t count = xla->leaf_count;
  placing->first_value = ARENA_ARRAY(arena, uint32_t, (size_t)count + 1);
  placing->values = ARENA_ARRAY(arena, uint32_t, count);
  uint32_t *fill = ARENA_ARRAY(arena, uint32_t, count);
  bool *returned = ARENA_ARRAY(arena, bool, count);
  for (uint32_t leaf = 0; leaf < count; leaf++) {
    if (xla->returned[leaf])
      returned[xla_group(xla, leaf)] = true;
    if (xla->source[leaf] == leaf && xla->begin[leaf] != NONE)
      placing->first_value[xla_group(xla, leaf) + 1]++;
  }
  for (uint32_t leaf = 0; leaf < count; leaf++)
    placing->first_value[leaf + 1] += placing->first_value[leaf];
  for (uint32_t leaf = 0; leaf < count; leaf++) {
    uint32_t group = xla_group(xla, leaf);
    if (xla->source[leaf] == leaf && xla->begin[leaf] != NONE)
      placing->values[placing->first_value[group] + fill[group]++] = leaf;
  }
  for (uint32_t group = 0; group < count; group++) {
    uint32_t first = placing->first_value[group];
    if (first == placing->first_value[group + 1])
      continue;
    struct candidate candidate = {group, 0, NONE,
                                  xla->leaf_host[placing->values[first]],
                                  returned[group]};
    for (uint32_t i = first; i < placing->first_value[group + 1]; i++) {
      uint32_t value = placing->values[i];
      uint32_t position = placing->position[xla_definer(xla, value)];
      if (candidate.bytes < xla->facts->leaf_bytes[value])
        candidate.bytes = xla->facts->leaf_bytes[value];
      if (candidate.position > position)
        candidate.position = position;
    }
    vector_push(arena, &placing->candidates, candidate);
  }
}

/* --- where it fits --- */

/* Does VALUE's last reader make AFTER, and may AFTER take its place? */
static bool
hands_over(struct xla *xla, uint32_t value, uint32_t after) {
  const struct ir_module *module = xla->module;
  op_id op = xla_definer(xla, after);
  bool reads = false;
  if (xla->begin[value] >= xla->begin[after] ||
      xla->clock->op_end[op] != xla->end[value])
    return false;
  uint32_t result = after - xla_leaf(xla, ir_result(module, op, 0), 0);
  for (uint32_t i = 0; i < module->op_use_count[op]; i++) {
    value_id operand = ir_operand(module, op, i);
    for (uint32_t k = 0; k < xla_leaves(xla, operand); k++) {
      if (xla->source[xla_leaf(xla, operand, k)] != value)
        continue;
      reads = true;
      if (!xla_can_share(xla, op, result, operand, k))
        return false;
    }
  }
  return reads;
}

static bool
interfere(struct xla *xla, uint32_t a, uint32_t b) {
  if (xla->end[a] < xla->begin[b] || xla->end[b] < xla->begin[a])
    return false;
  if (xla->end[a] == xla->begin[b] && hands_over(xla, a, b))
    return false;
  return !(xla->end[b] == xla->begin[a] && hands_over(xla, b, a));
}

/* Is VALUE made by a copy of OTHER? */
static bool
copies(const struct xla *xla, uint32_t value, uint32_t other) {
  const struct ir_module *module = xla->module;
  op_id op = xla_definer(xla, value);
  if (!text_is(ir_op_name(module, op), "copy"))
    return false;
  uint32_t leaf = value - xla_leaf(xla, ir_result(module, op, 0), 0);
  return xla->source[xla_leaf(xla, ir_operand(module, op, 0), leaf)] == other;
}

static bool
fits(struct placing *placing, const struct xla_place *place,
     const struct candidate *candidate) {
  struct xla *xla = placing->xla;
  const struct type *type =
      type_get(xla->module->types, xla->leaf_type[candidate->group]);
  if (!place->writable || place->space != type->memory_space ||
      candidate->bytes > place->bytes ||
      (candidate->returned && candidate->bytes != place->bytes))
    return false;
  for (uint32_t i = placing->first_value[candidate->group];
       i < placing->first_value[candidate->group + 1]; i++)
    for (uint32_t k = 0; k < place->values.count; k++)
      if (interfere(xla, placing->values[i], place->values.data[k]) ||
          copies(xla, placing->values[i], place->values.data[k]))
        return false;
  return true;
}

static void
put(struct placing *placing, uint32_t place,
    const struct candidate *candidate) {
  for (uint32_t i = placing->first_value[candidate->group];
       i < placing->first_value[candidate->group + 1]; i++)
    vector_push(placing->xla->scratch, &placing->places.data[place].values,
                placing->values[i]);
  placing->place_of[candidate->group] = place;
}

static uint32_t
new_place(struct placing *placing, const struct candidate *candidate,
          bool writable) {
  struct xla *xla = placing->xla;
  struct xla_place *place = vector_add(xla->scratch, &placing->places);
  const struct type *type =
      type_get(xla->module->types, xla->leaf_type[candidate->group]);
  memset(place, 0, sizeof *place);
  place->bytes = candidate->bytes;
  place->space = type->memory_space;
  place->writable = writable;
  uint32_t number = placing->places.count - 1;
  if (writable)
    vector_push(xla->scratch, &placing->open, number);
  put(placing, number, candidate);
  return number;
}

/* The places of what the ops that make CANDIDATE's values read. */
static bool
try_operands(struct placing *placing, const struct candidate *candidate) {
  struct xla *xla = placing->xla;
  const struct ir_module *module = xla->module;
  for (uint32_t i = placing->first_value[candidate->group];
       i < placing->first_value[candidate->group + 1]; i++) {
    op_id op = xla_definer(xla, placing->values[i]);
    for (uint32_t k = 0; k < module->op_use_count[op]; k++) {
      value_id operand = ir_operand(module, op, k);
      if (ir_value_type(module, operand)->kind == TYPE_TUPLE)
        continue;
      uint32_t place =
          placing->place_of[xla_group(xla, xla_leaf(xla, operand, 0))];
      if (place == NONE ||
          !fits(placing, &placing->places.data[place], candidate))
        continue;
      put(placing, place, candidate);
      return true;
    }
  }
  return false;
}

/* Arguments of a host and constants have places of their own. */
static bool
is_given(struct placing *placing, const struct candidate *candidate,
         bool *donated) {
  struct xla *xla = placing->xla;
  bool given = false;
  *donated = false;
  for (uint32_t i = placing->first_value[candidate->group];
       i < placing->first_value[candidate->group + 1]; i++) {
    uint32_t value = placing->values[i];
    op_id op = xla_definer(xla, value);
    bool outermost = xla->clock->block_begin[xla->module->op_block[op]] ==
                     xla->clock->function_begin[xla->leaf_host[value]];
    if (facts_has(xla->facts, op, FACT_CONSTANT) ||
        (facts_has(xla->facts, op, FACT_ARGUMENT) && outermost))
      given = true;
    *donated |= xla->donated[value];
  }
  return given;
}

static void
place_candidate(struct placing *placing, const struct candidate *candidate) {
  bool donated;
  if (placing->host != candidate->host) {
    placing->host = candidate->host;
    placing->open.count = 0;
  }
  if (is_given(placing, candidate, &donated)) {
    new_place(placing, candidate, donated);
    return;
  }
  if (try_operands(placing, candidate))
    return;
  for (uint32_t i = placing->open.count; i-- > 0;) {
    uint32_t place = placing->open.data[i];
    if (fits(placing, &placing->places.data[place], candidate)) {
      put(placing, place, candidate);
      return;
    }
  }
  if (candidate->returned)
    new_place(placing, candidate, true);
}

uint32_t *
xla_place(struct xla *xla, uint32_t *places) {
  struct placing placing;
  memset(&placing, 0, sizeof placing);
  placing.xla = xla;
  placing.host = NONE;
  placing.position = ARENA_ARRAY(xla->scratch, uint32_t, xla->module->op_count);
  placing.place_of = ARENA_ARRAY(xla->scratch, uint32_t, xla->leaf_count);
  for (uint32_t i = 0; i < xla->leaf_count; i++)
    placing.place_of[i] = NONE;
  number_ops(&placing);
  collect_groups(&placing);
  if (placing.candidates.count)
    qsort(placing.candidates.data, placing.candidates.count,
          sizeof *placing.candidates.data, compare_candidates);
  for (uint32_t i = 0; i < placing.candidates.count; i++)
    place_candidate(&placing, &placing.candidates.data[i]);
  *places = placing.places.count;
  return placing.place_of;
}
