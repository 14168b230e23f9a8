/* loop_read.c - a loop that reads what is no longer stacked.
 *
 * Before the first use of a slot that is gone, the writer's ops that made it
 * are copied in, for the iteration in which it was written: the writer's
 * counter is that in terms of the reader's, what is stored is read from its
 * stack, what came from outside comes from outside.  Each distinct iteration
 * has copies of its own.  O(ops of both bodies), for each of them. */
#include "passes/loop_frame.h"

/* OUTER applied to INNER. */
static struct affine
compose(struct affine outer, struct affine inner) {
  return (struct affine){true, outer.scale * inner.scale,
                         outer.scale * inner.offset + outer.offset};
}

struct affine
read_iteration(const struct loop *writer, const struct loop *reader,
               const struct loop_stack *stack, struct affine slot) {
  struct affine back = {true, stack->slot.scale,
                        -stack->slot.scale * stack->slot.offset};
  if (writer->trips == 1)
    return (struct affine){true, 0, 0};
  if (reader->trips == 1)
    slot = (struct affine){true, 0, slot.offset};
  return compose(back, slot);
}

/* TARGET, in terms of the reader's iteration, as a value of TYPE. */
static const char *
write_affine(struct reading *g, const struct restore *restore,
             struct affine target, const char *type) {
  struct writing *w = &g->w;
  const char *own = frame_type(w, restore->base);
  frame_bring_in(w, w->loop, restore->base, w->names);
  const char *value = loop_affine(&w->text, w->names[restore->base],
                                  w->loop->affine[restore->base], target, own);
  return loop_convert(&w->text, value, own, type);
}

/* SLOT of STACK, where the reader reads it itself and has done so; or NULL. */
static const char *
read_already(const struct reading *g, const struct loop_stack *stack,
             struct affine slot) {
  const struct writing *w = &g->w;
  for (uint32_t i = 0; i < stack->reads.count; i++) {
    const struct loop_read *read = &stack->reads.data[i];
    if (w->r->loops->list.data[read->loop] != w->loop ||
        read->slot.scale != slot.scale || read->slot.offset != slot.offset)
      continue;
    const char *name = w->names[w->loop->ops.data[read->op].first_result];
    if (name)
      return name;
  }
  return NULL;
}

/* Read store number S at RESTORE's iteration. */
static const char *
read_store(struct reading *g, const struct restore *restore, uint32_t s) {
  struct writing *w = &g->w;
  const struct visible *v = &g->visible[s];
  const struct loop_store *store = &g->plan->stores.data[s];
  const char *type =
      loop_type(&w->r->names, g->writer->values.data[store->value].type);
  struct affine at = compose(v->slot, restore->iteration);
  const char *already =
      store->stack == NONE
          ? NULL
          : read_already(g, &w->r->loops->stacks.data[store->stack], at);
  if (already)
    return frame_reshape(&w->text, already, v->slice_type, type);
  const char *index_type =
      v->index ? v->index_type : frame_type(w, restore->base);
  struct loop_slot slot = {
      .name = loop_capture(&w->text, v->outer, v->type),
      .index = v->index ? v->index : write_affine(g, restore, at, index_type),
      .index_type = index_type,
      .whole_type = v->type,
      .slice_type = v->slice_type,
      .sizes = v->sizes,
      .rank = v->rank,
      .dimension = v->dimension};
  return frame_reshape(&w->text, loop_slice(&w->text, &slot), v->slice_type,
                       type);
}

/* Let VALUE of the writer have a name in RESTORE, or its op be wanted. */
static void
want(struct reading *g, struct restore *restore, flat_id value) {
  const struct flat_value *v = &g->writer->values.data[value];
  if (restore->names[value])
    return;
  if (g->plan->store_of[value]) {
    restore->names[value] =
        read_store(g, restore, g->plan->store_of[value] - 1);
  } else if (v->kind == FLAT_OUTSIDE) {
    frame_bring_in(&g->w, g->writer, value, restore->names);
  } else if (v->kind == FLAT_CARRY) {
    restore->names[value] = write_affine(
        g, restore, compose(g->writer->affine[value], restore->iteration),
        loop_type(&g->w.r->names, v->type));
  } else if (!g->wanted[v->number]) {
    g->wanted[v->number] = true;
    vector_push(g->w.r->arena, &g->list, v->number);
  }
}

const char *
read_value(struct reading *g, struct restore *restore, flat_id value) {
  const struct loop *writer = g->writer;
  uint32_t least = writer->ops.count;
  g->list.count = 0;
  want(g, restore, value);
  for (uint32_t i = 0; i < g->list.count; i++) {
    const struct flat_op *op = &writer->ops.data[g->list.data[i]];
    least = g->list.data[i] < least ? g->list.data[i] : least;
    for (uint32_t u = 0; u < op->use_count; u++)
      want(g, restore, flat_operand(writer, op, u));
  }
  for (uint32_t o = least; o < writer->ops.count; o++) {
    if (g->wanted[o])
      loop_copy(&g->w.text, writer, &writer->ops.data[o], restore->names);
    g->wanted[o] = false;
  }
  return restore->names[value];
}

struct restore *
read_restore(struct reading *g, struct affine iteration, flat_id base) {
  for (uint32_t i = 0; i < g->restores.count; i++)
    if (g->restores.data[i].iteration.scale == iteration.scale &&
        g->restores.data[i].iteration.offset == iteration.offset)
      return &g->restores.data[i];
  struct arena *arena = g->w.r->arena;
  struct restore *restore = vector_add(arena, &g->restores);
  restore->iteration = iteration;
  restore->base = base;
  restore->names = ARENA_ARRAY(arena, const char *, g->writer->values.count);
  return restore;
}

/* Let VALUE of the reader have a name where it is a slot that is gone. */
static void
restore_value(struct reading *g, flat_id value) {
  struct writing *w = &g->w;
  const struct flat_value *v = &w->loop->values.data[value];
  if (v->kind != FLAT_RESULT || !w->gone[v->number] || w->names[value])
    return;
  const struct loop_stack *stack =
      &w->r->loops->stacks.data[w->gone[v->number] - 1];
  flat_id base = frame_read_index(w, v->number);
  struct affine iteration =
      read_iteration(g->writer, w->loop, stack, w->loop->affine[base]);
  w->names[value] =
      read_value(g, read_restore(g, iteration, base), stack->stored);
}

struct reading
read_begin(struct rewriter *r, const struct loop_plan *plan,
           const struct visible *visible, const struct loop *loop) {
  struct reading g = {.plan = plan,
                      .visible = visible,
                      .writer = r->loops->list.data[plan->writer]};
  g.w = frame_begin(r, loop);
  g.wanted = ARENA_ARRAY(r->arena, bool, g.writer->ops.count);
  return g;
}

void
read_find_gone(struct reading *g, uint32_t number) {
  const struct loops *loops = g->w.r->loops;
  for (uint32_t s = 0; s < loops->stacks.count; s++)
    for (uint32_t i = 0; i < loops->stacks.data[s].reads.count; i++) {
      const struct loop_read *read = &loops->stacks.data[s].reads.data[i];
      if (g->plan->dropped[s] && read->loop == number)
        g->w.gone[read->op] = s + 1;
    }
}

void
read_body(struct reading *g) {
  const struct loop *loop = g->w.loop;
  for (uint32_t o = loop->condition_ops; o < loop->ops.count; o++) {
    const struct flat_op *op = &loop->ops.data[o];
    if (!g->w.needed[o] || g->w.gone[o])
      continue;
    for (uint32_t i = 0; i < op->use_count; i++)
      restore_value(g, flat_operand(loop, op, i));
    frame_copy(&g->w, loop, op, g->w.names);
  }
  for (uint32_t i = 0; i < loop->carry_count; i++)
    restore_value(g, loop->carries[i].yield);
}

void
frame_write_reader(struct rewriter *r, const struct loop_plan *plan,
                   const struct visible *visible, uint32_t number) {
  const struct loop *loop = r->loops->list.data[number];
  struct reading g = read_begin(r, plan, visible, loop);
  read_find_gone(&g, number);
  for (uint32_t i = 0; i < loop->carry_count; i++)
    if (!loop->carries[i].invariant)
      frame_carry_on(&g.w, i);
  struct text condition = frame_begin_body(&g.w);
  read_body(&g);
  frame_close_carries(&g.w);
  frame_name_results(&g.w);
  frame_finish(&g.w, (struct text){"", 0}, condition);
}
