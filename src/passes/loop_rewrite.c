/* loop_rewrite.c - see loop_rewrite.h.
 *
 *   A: v = f(c, xs[i])         A': (v is not stored; c is)
 *      s[i] = v                    n[i] = c
 *   B: w = s[T-1-j]            B': c = n[T-1-j]
 *      ... g(w)                    v = f(c, xs[T-1-j])
 *                                  ... g(v)
 *
 * The writer loses the stacks that the plan drops, with all ops that only fed
 * them, and gets those that it adds.  Each reader gets what is needed as
 * carries that it hands on unchanged; before the first use of a slot that is
 * gone, the writer's ops that make it are copied in, with the writer's counter
 * in terms of the slot that was asked for.  Each distinct index has copies of
 * its own, which share what they have in common.
 *
 * loop_frame.c has what both kinds of loops share, loop_read.c the readers.
 * What comes out is text, and is read again: names are new, ops are copies of
 * the text of those that were there.  O(flat ops + uses of the module). */
#include "passes/loop_rewrite.h"
#include "passes/loop_frame.h"

#include <stdlib.h>

/* --- the writer --- */

const struct loop_stack *
writer_reference(const struct loops *loops, uint32_t writer) {
  for (uint32_t s = 0; s < loops->stacks.count; s++)
    if (loops->stacks.data[s].writer == writer)
      return &loops->stacks.data[s];
  return NULL;
}

flat_id
writer_slot_index(const struct loop *loop, const struct loop_stack *stack) {
  return flat_operand(loop, &loop->ops.data[stack->update],
                      2 + stack->dimension);
}

/* Dims of a stack of SLOTS of TYPE, the slots first. */
static uint64_t *
stacked_dims(struct arena *arena, const struct type *type, uint64_t slots) {
  uint64_t *dims = ARENA_ARRAY(arena, uint64_t, type->rank + 1);
  dims[0] = slots;
  for (uint32_t d = 0; d < type->rank; d++)
    dims[d + 1] = type->dims[d];
  return dims;
}

static const char *
spell_type(const struct rewriter *r, const struct type *like,
           const uint64_t *dims, uint32_t rank) {
  struct buffer out = {.arena = r->arena};
  r->m->format->spelling->type(&out, like, dims, rank);
  return buffer_finish(&out);
}

struct visible
writer_see_store(const struct writing *w, const struct loop_store *store,
                 const struct loop_stack *like, uint64_t slots) {
  struct rewriter *r = w->r;
  struct visible v = {.slot = like->slot};
  const struct type *type =
      type_get(r->m->types, w->loop->values.data[store->value].type);
  if (store->stack == NONE) {
    v.rank = type->rank + 1;
    v.sizes = stacked_dims(r->arena, type, 1);
    v.slice_type = spell_type(r, type, v.sizes, v.rank);
    v.type = spell_type(r, type, stacked_dims(r->arena, type, slots), v.rank);
    return v;
  }
  const struct loop_stack *stack = &r->loops->stacks.data[store->stack];
  const struct type *slice =
      type_get(r->m->types, w->loop->values.data[stack->stored].type);
  v.slot = stack->slot;
  v.dimension = stack->dimension;
  v.rank = slice->rank;
  v.sizes = slice->dims;
  v.slice_type = frame_type(w, stack->stored);
  v.type = frame_type(w, w->loop->carries[stack->carry].argument);
  return v;
}

/* How the stack behind STORE is spread over devices, or NULL. */
static const char *
place_store(struct writing *w, const struct loop_store *store) {
  if (store->stack == NONE)
    return frame_stack_sharding(w, store->value);
  uint32_t carry = w->r->loops->stacks.data[store->stack].carry;
  return w->shardings ? w->shardings[carry] : NULL;
}

void
writer_write_stack(struct writing *w, const struct loop_store *store,
                   const struct loop_stack *like, const struct visible *v,
                   struct loop_text *before) {
  struct rewriter *r = w->r;
  const struct type *type =
      type_get(r->m->types, w->loop->values.data[store->value].type);
  flat_id index = writer_slot_index(w->loop, like);
  const char *argument = loop_name(&r->names);
  frame_bring_in(w, w->loop, store->value, w->names);
  frame_bring_in(w, w->loop, index, w->names);
  struct loop_slot slot = {.name = argument,
                           .index = w->names[index],
                           .index_type = frame_type(w, index),
                           .whole_type = v->type,
                           .slice_type = v->slice_type,
                           .sizes = v->sizes,
                           .rank = v->rank,
                           .dimension = v->dimension};
  const char *value = frame_reshape(&w->text, w->names[store->value],
                                    frame_type(w, store->value), v->slice_type);
  struct new_carry carry = {
      .type = v->type, .argument = argument, .sharding = v->sharding};
  carry.yield = loop_update(&w->text, &slot, value);
  carry.init = loop_op(
      before,
      (struct new_op){.kind = NEW_ZEROS, .type = v->type, .like = type});
  vector_push(r->arena, &w->carries, carry);
}

bool
writer_drops(const struct rewriter *r, const struct loop_plan *plan,
             uint32_t carry) {
  for (uint32_t s = 0; s < r->loops->stacks.count; s++) {
    const struct loop_stack *stack = &r->loops->stacks.data[s];
    if (stack->writer == plan->writer && stack->carry == carry)
      return plan->dropped[s];
  }
  return false;
}

/* How STORE number S of PLAN is called behind W. */
static const char *
name_store(struct writing *w, const struct loop_plan *plan, uint32_t s,
           uint32_t first) {
  struct rewriter *r = w->r;
  const struct loop_store *store = &plan->stores.data[s];
  uint32_t carry = first;
  if (store->stack != NONE)
    carry = w->now.carry[r->loops->stacks.data[store->stack].carry];
  else
    for (uint32_t i = 0; i < s; i++)
      carry += plan->stores.data[i].stack == NONE;
  return frame_result(w, carry);
}

static void
write_writer(struct rewriter *r, const struct loop_plan *plan,
             struct visible *visible) {
  const struct loop *loop = r->loops->list.data[plan->writer];
  const struct loop_stack *like = writer_reference(r->loops, plan->writer);
  struct writing w = frame_begin(r, loop);
  frame_mark_chosen(&w);
  struct loop_text before = loop_text_new(&r->names);
  for (uint32_t i = 0; i < loop->carry_count; i++)
    if (!loop->carries[i].invariant && !writer_drops(r, plan, i))
      frame_carry_on(&w, i);
  frame_need(&w, writer_slot_index(loop, like));
  for (uint32_t s = 0; s < plan->stores.count; s++)
    if (plan->stores.data[s].stack == NONE)
      frame_need(&w, plan->stores.data[s].value);
  struct text condition = frame_begin_body(&w);
  for (uint32_t o = loop->condition_ops; o < loop->ops.count; o++)
    if (w.needed[o])
      frame_copy(&w, loop, &loop->ops.data[o], w.names);
  uint32_t first = w.carries.count;
  for (uint32_t s = 0; s < plan->stores.count; s++) {
    visible[s] = writer_see_store(&w, &plan->stores.data[s], like, like->slots);
    visible[s].sharding = place_store(&w, &plan->stores.data[s]);
    if (plan->stores.data[s].stack == NONE)
      writer_write_stack(&w, &plan->stores.data[s], like, &visible[s], &before);
  }
  frame_close_carries(&w);
  frame_name_results(&w);
  for (uint32_t s = 0; s < plan->stores.count; s++) {
    visible[s].outer = name_store(&w, plan, s, first);
    frame_note_sharding(r, visible[s].outer, visible[s].sharding);
  }
  frame_finish(
      &w, (struct text){buffer_finish(&before.out), (uint32_t)before.out.size},
      condition);
}

/* --- the whole text --- */

/* Results of rewritten loops are called anew wherever they are used. */
static void
rename_uses(struct rewriter *r) {
  const struct ir_module *m = r->m;
  op_id op;
  uint32_t carry;
  if (!m->format->spelling->result)
    return;
  for (uint32_t u = 0; u < m->use_count; u++) {
    if (!loop_result(m, m->use_value[u], &op, &carry) ||
        !frame_rewritten(r, op))
      continue;
    const char *name = frame_outer_name(r, m->use_value[u]);
    frame_edit(r, m->use_text[u], text_of(name));
  }
}

static int
by_place(const void *a, const void *b) {
  const struct edit *x = a, *y = b;
  if (x->span.begin != y->span.begin)
    return x->span.begin < y->span.begin ? -1 : 1;
  return (x->span.end < y->span.end) - (x->span.end > y->span.end);
}

/* The module's text with the edits; what lies inside of another edit is gone
 * with it. */
static struct text
apply(struct rewriter *r) {
  const struct ir_module *m = r->m;
  struct buffer out = {.arena = r->arena};
  uint32_t at = m->text.begin;
  qsort(r->edits.data, r->edits.count, sizeof *r->edits.data, by_place);
  for (uint32_t i = 0; i < r->edits.count; i++) {
    const struct edit *edit = &r->edits.data[i];
    if (edit->span.begin < at)
      continue;
    buffer_text(&out,
                source_text(m->source, (struct span){at, edit->span.begin}));
    buffer_text(&out, edit->with);
    at = edit->span.end;
  }
  buffer_text(&out, source_text(m->source, (struct span){at, m->text.end}));
  return (struct text){buffer_finish(&out), (uint32_t)out.size};
}

static void
write_plan(struct rewriter *r, const struct loop_plan *plan) {
  const struct loops *loops = r->loops;
  struct visible *visible =
      ARENA_ARRAY(r->arena, struct visible, plan->stores.count);
  bool *reader = ARENA_ARRAY(r->arena, bool, loops->list.count);
  op_id op = loops->list.data[plan->writer]->op;
  function_id function = ir_op_function(r->m, op);
  r->beside = (struct buffer){.arena = r->arena};
  for (uint32_t s = 0; s < loops->stacks.count; s++)
    for (uint32_t i = 0; i < loops->stacks.data[s].reads.count; i++)
      reader[loops->stacks.data[s].reads.data[i].loop] |= plan->dropped[s];
  (plan->segment ? nest_write_writer : write_writer)(r, plan, visible);
  for (uint32_t i = 0; i < loops->list.count; i++)
    if (reader[i])
      (plan->segment ? nest_write_reader : frame_write_reader)(r, plan, visible,
                                                               i);
  struct span before = r->m->functions.data[function].text;
  before.end = before.begin;
  struct text beside = {buffer_finish(&r->beside), (uint32_t)r->beside.size};
  if (beside.size)
    frame_edit(r, before, beside);
}

struct text
loop_rewrite(struct arena *arena, const struct loops *loops,
             const struct facts *facts, const struct loop_plan *plans,
             uint32_t count) {
  struct rewriter r = {
      .arena = arena, .m = loops->module, .loops = loops, .facts = facts};
  loop_names_begin(&r.names, arena, loops->module);
  r.sizes = ir_op_sizes(loops->module, arena);
  r.gone = ARENA_ARRAY(arena, bool, loops->module->op_count);
  r.named = ARENA_ARRAY(arena, bool, loops->module->value_count);
  for (uint32_t i = 0; i < count; i++)
    write_plan(&r, &plans[i]);
  frame_erase_unused(&r);
  rename_uses(&r);
  return apply(&r);
}
