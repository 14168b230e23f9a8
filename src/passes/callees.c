/* callees.c - see callees.h.
 *
 * How often an op stands in its body is known from the plan, and how often the
 * body does from its own caller, so counts are followed from callers to
 * callees.  O(functions + calls + ops in sequences). */
#include "passes/callees.h"

#include "support/buffer.h"

#include <string.h>

struct work {
  struct callees *callees;
  struct arena *arena;
  uint32_t *instances;    /* by op: in one instance of its body */
  function_id *container; /* by op's block's region: its function, or NONE */
  bool *known;            /* by function: its copies are counted */
  bool *open;             /* by function: they are being counted */
};

/* May FUNCTION be copied: a computation with a name of its own? */
static bool
is_computation(const struct ir_function *function) {
  return function->op == NONE && function->body != NONE &&
         function->name != NONE;
}

static void
find_owners(struct callees *callees, struct arena *arena) {
  const struct ir_module *base = callees->base;
  bool *shared = ARENA_ARRAY(arena, bool, base->functions.count);
  for (uint32_t i = 0; i < base->calls.count; i++) {
    const struct ir_call *call = &base->calls.data[i];
    op_id *owner = &callees->owner[call->callee];
    shared[call->callee] |= *owner != NONE;
    *owner = call->op;
  }
  for (function_id f = 0; f < base->functions.count; f++)
    if (shared[f] || !is_computation(&base->functions.data[f]))
      callees->owner[f] = NONE;
}

static void
count_instances(struct work *work, const struct plan *plan) {
  const struct ir_module *base = work->callees->base;
  for (op_id op = 0; op < base->op_count; op++)
    work->instances[op] = 1;
  for (uint32_t i = 0; i < plan->blocks.count; i++) {
    block_id block = plan->blocks.data[i].block;
    for (uint32_t k = 0; k < base->block_op_count[block]; k++)
      work->instances[ir_block_op(base, block, k)] = 0;
  }
  for (uint32_t i = 0; i < plan->blocks.count; i++)
    for (uint32_t k = 0; k < plan->blocks.data[i].count; k++)
      work->instances[plan->blocks.data[i].ops[k]]++;
}

/* The function that OP stands in, if it is a computation. */
static function_id
container_of(const struct work *work, op_id op) {
  const struct ir_module *base = work->callees->base;
  block_id block = base->op_block[op];
  return block == NONE ? NONE : work->container[base->block_region[block]];
}

/* Count the copies of FUNCTION: follow its owners up to one that is known,
 * then back.  A computation that calls itself is not copied. */
static void
count_copies(struct work *work, function_id function) {
  struct callees *callees = work->callees;
  VECTOR(function_id) way = {NULL, 0, 0};
  while (function != NONE && !work->known[function] && !work->open[function]) {
    op_id owner = callees->owner[function];
    work->open[function] = true;
    vector_push(work->arena, &way, function);
    function = owner == NONE ? NONE : container_of(work, owner);
  }
  while (way.count) {
    function_id f = way.data[--way.count];
    op_id owner = callees->owner[f];
    work->known[f] = true;
    if (owner == NONE)
      continue;
    function_id outer = container_of(work, owner);
    uint64_t bodies = outer == NONE ? 1 : 1 + (uint64_t)callees->copies[outer];
    uint64_t count = bodies * work->instances[owner];
    callees->copies[f] = count > 1 ? (uint32_t)count - 1 : 0;
  }
}

struct callees *
callees_find(struct arena *arena, const struct ir_module *base,
             const struct plan *plan) {
  struct callees *callees = ARENA_NEW(arena, struct callees);
  uint32_t count = base->functions.count;
  struct work work = {.callees = callees,
                      .arena = arena,
                      .instances = ARENA_ARRAY(arena, uint32_t, base->op_count),
                      .container =
                          ARENA_ARRAY(arena, function_id, base->region_count),
                      .known = ARENA_ARRAY(arena, bool, count),
                      .open = ARENA_ARRAY(arena, bool, count)};
  callees->base = base;
  callees->owner = ARENA_ARRAY(arena, op_id, count);
  callees->copies = ARENA_ARRAY(arena, uint32_t, count);
  callees->first_copy = ARENA_ARRAY(arena, function_id, count);
  callees->called = ARENA_ARRAY(arena, uint32_t, count);
  memset(callees->owner, 0xff, count * sizeof *callees->owner);
  memset(work.container, 0xff, base->region_count * sizeof *work.container);
  for (function_id f = 0; f < count; f++)
    if (is_computation(&base->functions.data[f]))
      work.container[base->functions.data[f].body] = f;
  find_owners(callees, arena);
  count_instances(&work, plan);
  for (function_id f = 0; f < count; f++)
    count_copies(&work, f);
  for (function_id f = 0; f < count; f++) {
    callees->first_copy[f] = count + callees->total;
    callees->total += callees->copies[f];
  }
  return callees;
}

function_id
callees_next(struct callees *callees, op_id op, function_id callee) {
  if (callees->owner[callee] != op)
    return callee;
  uint32_t number = callees->called[callee]++;
  if (number == 0 || number > callees->copies[callee])
    return callee;
  return callees->first_copy[callee] + number - 1;
}

void
callees_name(struct callees *callees, struct ir_module *made) {
  const struct ir_module *base = callees->base;
  struct string_table *used = string_table_new(made->arena);
  for (function_id f = 0; f < base->functions.count; f++) {
    struct text name =
        source_text(base->source, base->functions.data[f].name_text);
    uint32_t number = 0;
    for (uint32_t i = 0; i < callees->copies[f]; i++) {
      struct text spelling;
      do {
        struct buffer out = {.arena = made->arena};
        base->format->spell_copy(&out, name, ++number);
        spelling = (struct text){out.data, (uint32_t)out.size};
      } while (ir_name_taken(base, spelling) ||
               string_find(used, spelling) != STRING_NONE);
      string_intern(used, spelling);
      made->functions.data[callees->first_copy[f] + i].copy = number;
    }
  }
}
