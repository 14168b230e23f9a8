/* loop_segment.c - plans that stack carries only when a segment begins.
 *
 * What a plan keeps of the carries is stacked for one of LENGTH iterations, and
 * made again from there, by those of the writer's ops that make the next
 * carries: what they need of other carries has to be kept so, too, and what
 * the plan keeps of other values is read.  Slots: one for each segment, and one
 * for each iteration of the segment that the reader is at.
 *
 * This is possible where
 *
 *   the segments are of one length;
 *   each reader goes through all of the writer's iterations, one after the
 *   other, and asks at each for values of that iteration only;
 *   what counts is not used behind the loops, and no loop stands in them (the
 *   proof knows loops by how deep they stand);
 *   the ops that run again may.
 *
 * O(ops + uses of the body, and stacks). */
#include "passes/loop_segment.h"

#include <string.h>

uint64_t
segment_length(uint64_t trips) {
  uint64_t best = 0, least = trips + 1;
  for (uint64_t length = 2; length * length <= trips; length++) {
    if (trips % length != 0 || trips / length + length >= least)
      continue;
    /* The longer one of a pair makes less again that is not needed. */
    best = trips / length;
    least = trips / length + length;
  }
  return best;
}

/* --- whether it can be --- */

/* Why LOOP cannot be a nest of segments of LENGTH, or NULL. */
static const char *
refuse_loop(const struct loop_body *body, const struct loop *loop,
            uint64_t length) {
  bool counts = false;
  if (length < 2 || loop->trips <= length || loop->trips % length != 0)
    return arena_printf(body->arena, "%llu iterations are no segments of %llu",
                        (unsigned long long)loop->trips,
                        (unsigned long long)length);
  for (uint32_t i = 0; i < loop->carry_count; i++) {
    const struct loop_carry *carry = &loop->carries[i];
    if (carry->invariant || !carry->affine.known)
      continue;
    counts = true;
    if (carry->used)
      return "its counter is used behind it";
  }
  for (uint32_t o = 0; o < loop->condition_ops; o++)
    if (!body->facts->op_repeatable[loop->ops.data[o].op] &&
        flat_action(body->loops->module, loop->ops.data[o].op) == ACTION_OTHER)
      return "its condition has effects";
  for (uint32_t o = loop->condition_ops; o < loop->ops.count; o++)
    if (flat_action(body->loops->module, loop->ops.data[o].op) == ACTION_WHILE)
      return "there is a loop in its body";
  return counts ? NULL : "nothing that it carries counts";
}

/* Why READ of STACK, whose writer is WRITER, is not one in step, or NULL: the
 * iteration that is read is *FORM of the reader's, if that is known by now. */
static const char *
refuse_read(const struct loops *loops, const struct loop *writer,
            const struct loop_stack *stack, const struct loop_read *read,
            struct affine *form) {
  const struct loop *reader = loops->list.data[read->loop];
  struct affine now = {true, stack->slot.scale * read->slot.scale,
                       stack->slot.scale *
                           (read->slot.offset - stack->slot.offset)};
  if (reader->trips != writer->trips)
    return "a loop that reads it runs another number of times";
  if (now.scale != 1 && now.scale != -1)
    return "a loop reads it in other steps";
  if (now.offset != (now.scale == 1 ? 0 : (int64_t)writer->trips - 1) ||
      (form->known && form->scale != now.scale))
    return "a loop reads more than one iteration of it at a time";
  *form = now;
  return NULL;
}

/* Why the loops of PLAN cannot be nests of segments of LENGTH, or NULL; to
 * *READERS, how many of them read. */
static const char *
refuse_plan(const struct loop_body *body, const struct loop_plan *plan,
            uint64_t length, uint32_t *readers) {
  const struct loops *loops = body->loops;
  const struct loop *writer = loops->list.data[plan->writer];
  struct affine *forms =
      ARENA_ARRAY(body->arena, struct affine, loops->list.count);
  const char *why = refuse_loop(body, writer, length);
  *readers = 0;
  for (uint32_t s = 0; s < loops->stacks.count && !why; s++) {
    const struct loop_stack *stack = &loops->stacks.data[s];
    for (uint32_t i = 0; i < stack->reads.count && plan->dropped[s]; i++) {
      const struct loop_read *read = &stack->reads.data[i];
      struct affine *form = &forms[read->loop];
      *readers += !form->known;
      if (!why && !form->known)
        why = refuse_loop(body, loops->list.data[read->loop], length);
      if (!why)
        why = refuse_read(loops, writer, stack, read, form);
    }
  }
  return why;
}

/* --- what runs again --- */

struct closing {
  const struct loop_chooser *chooser;
  const struct loop_body *body;
  const struct loop *loop;
  struct loop_plan *plan;
  VECTOR(flat_id) list; /* values that are needed */
  bool *seen;           /* by flat value */
  uint64_t cost_ns;     /* of one iteration */
  const char *why;
};

static void
need(struct closing *c, flat_id value) {
  if (c->seen[value])
    return;
  c->seen[value] = true;
  vector_push(c->body->arena, &c->list, value);
}

static flat_id
yield_of(const struct loop *loop, flat_id argument) {
  uint32_t i = 0;
  while (loop->carries[i].argument != argument)
    i++;
  return loop->carries[i].yield;
}

/* Keep VALUE, a carry, once a segment. */
static void
keep_carry(struct closing *c, flat_id value) {
  struct loop_store store = {value, NONE};
  if (!loop_stackable(c->chooser, value)) {
    c->why = "something that is carried cannot be stacked";
    return;
  }
  if (!c->plan->store_of[value]) {
    vector_push(c->body->arena, &c->plan->stores, store);
    c->plan->store_of[value] = c->plan->stores.count;
  }
  need(c, yield_of(c->loop, value));
}

/* Let all be known that VALUE, which is needed, needs. */
static void
close_value(struct closing *c, flat_id value) {
  const struct flat_value *v = &c->loop->values.data[value];
  uint32_t store = c->plan->store_of[value];
  if (v->kind == FLAT_OUTSIDE || c->loop->affine[value].known)
    return;
  if (v->kind == FLAT_CARRY) {
    if (!store || c->plan->stores.data[store - 1].stack == NONE)
      keep_carry(c, value);
    return;
  }
  if (store)
    return;
  const struct flat_op *op = &c->loop->ops.data[v->number];
  if (!c->body->facts->op_repeatable[op->op] &&
      flat_action(c->body->loops->module, op->op) != ACTION_TUPLE)
    c->why = "what is carried is made by an op that may not run again";
  if (!c->seen[op->first_result] || value == op->first_result)
    c->cost_ns = saturating_add(c->cost_ns, c->body->again_ns[v->number]);
  c->seen[op->first_result] = true;
  for (uint32_t i = 0; i < op->use_count; i++)
    need(c, flat_operand(c->loop, op, i));
}

/* Turn PLAN's stores of carries into ones of segments; true where there are
 * any.  A stack that would stay whatever is planned is read as it is. */
static bool
cut_carries(struct closing *c) {
  bool any = false;
  for (uint32_t s = 0; s < c->plan->stores.count && !c->why; s++) {
    struct loop_store *store = &c->plan->stores.data[s];
    if (c->loop->values.data[store->value].kind != FLAT_CARRY)
      continue;
    if (store->stack != NONE &&
        !loop_droppable(c->body->loops,
                        &c->body->loops->stacks.data[store->stack]))
      continue;
    if (store->stack != NONE)
      c->plan->dropped[store->stack] = true;
    store->stack = NONE;
    any = true;
    keep_carry(c, store->value);
  }
  for (uint32_t i = 0; i < c->list.count && !c->why; i++)
    close_value(c, c->list.data[i]);
  return any;
}

/* --- plans --- */

static struct loop_plan
copy_plan(struct arena *arena, const struct loops *loops,
          const struct loop_plan *plan) {
  const struct loop *loop = loops->list.data[plan->writer];
  struct loop_plan copy = {.writer = plan->writer};
  copy.store_of = ARENA_ARRAY(arena, uint32_t, loop->values.count);
  copy.dropped = ARENA_ARRAY(arena, bool, loops->stacks.count);
  memcpy(copy.store_of, plan->store_of,
         loop->values.count * sizeof *copy.store_of);
  memcpy(copy.dropped, plan->dropped,
         loops->stacks.count * sizeof *copy.dropped);
  for (uint32_t s = 0; s < plan->stores.count; s++)
    vector_push(arena, &copy.stores, plan->stores.data[s]);
  return copy;
}

uint64_t
segment_bytes(const struct loop_chooser *chooser,
              const struct loop_plan *plan) {
  const struct loop_body body = loop_chooser_body(chooser);
  const struct loops *loops = body.loops;
  const struct loop *loop = loops->list.data[plan->writer];
  uint64_t bytes = 0;
  for (uint32_t s = 0; s < plan->stores.count; s++) {
    const struct loop_store *store = &plan->stores.data[s];
    const struct flat_value *v = &loop->values.data[store->value];
    bool segmented = v->kind == FLAT_CARRY && store->stack == NONE;
    if (store->stack != NONE &&
        !loop_droppable(loops, &loops->stacks.data[store->stack]))
      continue;
    uint64_t count = segmented && plan->segment
                         ? loop->trips / plan->segment + plan->segment
                         : body.slots;
    bytes = saturating_add(
        bytes, saturating_multiply(
                   count, type_get(loops->module->types, v->type)->bytes));
  }
  return bytes;
}

struct loop_point
segment_point(const struct loop_chooser *chooser, const struct loop_plan *plan,
              uint64_t length, const char **why) {
  const struct loop_body body = loop_chooser_body(chooser);
  const struct loops *loops = body.loops;
  const struct loop *loop = loops->list.data[plan->writer];
  struct loop_point made = {.plan = copy_plan(body.arena, loops, plan)};
  struct closing c = {
      .chooser = chooser, .body = &body, .loop = loop, .plan = &made.plan};
  uint32_t readers;
  c.seen = ARENA_ARRAY(body.arena, bool, loop->values.count);
  made.possible = cut_carries(&c);
  if (!made.possible && !c.why)
    c.why = "nothing of what it carries is stacked";
  if (!c.why)
    c.why = refuse_plan(&body, &made.plan, length, &readers);
  *why = c.why;
  made.possible = !c.why;
  if (c.why)
    return made;
  made.plan.segment = length;
  made.bytes = segment_bytes(chooser, &made.plan);
  made.cost_ns =
      saturating_multiply(saturating_multiply(c.cost_ns, readers), loop->trips);
  return made;
}
