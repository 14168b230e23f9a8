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
 * What comes out is text, and is read again: names are new, ops are copies of
 * the text of those that were there.  O(flat ops + uses of the module). */
#include "passes/loop_rewrite.h"
#include "passes/loop_text.h"

#include <stdlib.h>
#include <string.h>

struct edit {
  struct span span;
  struct text with;
};

/* A loop that is written anew. */
struct rewritten {
  const struct loop *loop;
  const char *name;
  uint32_t count;  /* carries that it has now */
  uint32_t *carry; /* by old carry: the new one, or NONE */
};

/* A stack as readers see it, by store of a plan. */
struct visible {
  const char *outer, *type; /* its name behind the writer */
  const char *slice_type;   /* of one slot */
  const uint64_t *sizes;
  uint32_t rank, dimension;
  struct affine slot;
};

struct rewriter {
  struct arena *arena;
  const struct ir_module *m;
  const struct loops *loops;
  const struct facts *facts;
  struct loop_names names;
  VECTOR(struct edit) edits;
  VECTOR(struct rewritten) rewritten;
  struct buffer beside; /* HLO: computations, before the function */
};

/* One loop on its way to text. */
struct writing {
  struct rewriter *r;
  const struct loop *loop;
  const char **names; /* by flat value */
  bool *needed;       /* by flat op */
  uint32_t *gone; /* by flat op: a read of this stack + 1, which is dropped */
  struct loop_text text;
  VECTOR(struct new_carry) carries;
  VECTOR(struct new_result) results;
  struct rewritten now;
};

/* --- names outside --- */

static const struct rewritten *
rewritten_loop(const struct rewriter *r, op_id op) {
  for (uint32_t i = 0; i < r->rewritten.count; i++)
    if (r->rewritten.data[i].loop->op == op)
      return &r->rewritten.data[i];
  return NULL;
}

static const char *
own_name(const struct rewriter *r, value_id value) {
  const struct ir_module *m = r->m;
  struct text name = source_text(m->source, m->value_name[value]);
  const char *own = arena_copy(r->arena, name.data, name.size);
  if (m->value_number[value] == NONE)
    return own;
  return arena_printf(r->arena, "%s#%u", own, m->value_number[value]);
}

/* How VALUE, of the module, is called in the new text. */
static const char *
outer_name(void *user, value_id value) {
  const struct rewriter *r = user;
  op_id op;
  uint32_t carry;
  const struct ir_spelling *spelling = r->m->format->spelling;
  const struct rewritten *now =
      loop_result(r->m, value, &op, &carry) ? rewritten_loop(r, op) : NULL;
  if (!now || !spelling->result || now->carry[carry] == NONE)
    return own_name(r, value);
  struct buffer out = {.arena = r->arena};
  spelling->result(&out, now->name, now->carry[carry], now->count);
  return buffer_finish(&out);
}

/* --- writing flat ops --- */

static const char *
type_of(const struct writing *w, flat_id value) {
  return loop_type(&w->r->names, w->loop->values.data[value].type);
}

/* Let VALUE, of FROM, have a name in NAMES where it comes from outside. */
static void
bring_in(struct writing *w, const struct loop *from, flat_id value,
         const char **names) {
  const struct flat_value *v = &from->values.data[value];
  if (names[value] || v->kind != FLAT_OUTSIDE)
    return;
  names[value] = loop_sink(&w->text, v->value, outer_name, w->r);
  if (!names[value])
    names[value] = loop_capture(&w->text, outer_name(w->r, v->value),
                                loop_type(&w->r->names, v->type));
}

static void
copy_op(struct writing *w, const struct loop *from, const struct flat_op *op,
        const char **names) {
  for (uint32_t i = 0; i < op->use_count; i++)
    bring_in(w, from, flat_operand(from, op, i), names);
  loop_copy(&w->text, from, op, names);
}

/* Which slot the read O, of a stack that is gone, asks for. */
static flat_id
read_index(const struct writing *w, uint32_t o) {
  const struct loop_stack *stack = &w->r->loops->stacks.data[w->gone[o] - 1];
  return flat_operand(w->loop, &w->loop->ops.data[o], 1 + stack->dimension);
}

static void
need(struct writing *w, flat_id value) {
  const struct flat_value *v = &w->loop->values.data[value];
  if (v->kind == FLAT_RESULT)
    w->needed[v->number] = true;
}

/* Everything that needed ops need, and what may not be left out.  Of a read
 * that is gone only the index is. */
static void
close_needed(struct writing *w) {
  for (uint32_t o = w->loop->ops.count; o-- > 0;) {
    const struct flat_op *op = &w->loop->ops.data[o];
    if (!w->r->facts->op_repeatable[op->op] && op->use_count &&
        flat_action(w->r->m, op->op) == ACTION_OTHER)
      w->needed[o] = true;
    if (!w->needed[o])
      continue;
    if (w->gone[o]) {
      need(w, read_index(w, o));
      continue;
    }
    for (uint32_t i = 0; i < op->use_count; i++)
      need(w, flat_operand(w->loop, op, i));
  }
}

/* --- a loop's frame --- */

static struct writing
begin_loop(struct rewriter *r, const struct loop *loop) {
  struct writing w = {.r = r, .loop = loop};
  w.names = ARENA_ARRAY(r->arena, const char *, loop->values.count);
  w.needed = ARENA_ARRAY(r->arena, bool, loop->ops.count);
  w.gone = ARENA_ARRAY(r->arena, uint32_t, loop->ops.count);
  w.text = loop_text_new(&r->names);
  w.now.loop = loop;
  w.now.name = loop_name(&r->names);
  w.now.carry = ARENA_ARRAY(r->arena, uint32_t, loop->carry_count);
  memset(w.now.carry, 0xff, loop->carry_count * sizeof *w.now.carry);
  return w;
}

/* Go on carrying old carry NUMBER, which changes. */
static void
carry_on(struct writing *w, uint32_t number) {
  const struct loop_carry *carry = &w->loop->carries[number];
  struct new_carry *new = vector_add(w->r->arena, &w->carries);
  new->type = type_of(w, carry->argument);
  new->init = outer_name(w->r, carry->init);
  new->argument = loop_name(&w->r->names);
  w->names[carry->argument] = new->argument;
  w->now.carry[number] = w->carries.count - 1;
  need(w, carry->yield);
}

/* The text of the condition; what came in from outside comes in again in the
 * body. */
static struct text
write_condition(struct writing *w) {
  for (uint32_t o = 0; o < w->loop->condition_ops; o++)
    if (w->needed[o])
      copy_op(w, w->loop, &w->loop->ops.data[o], w->names);
  struct text text = {buffer_finish(&w->text.out), (uint32_t)w->text.out.size};
  w->text.out = (struct buffer){.arena = w->r->arena};
  w->text.zero = NULL;
  for (flat_id v = 0; v < w->loop->values.count; v++)
    if (w->loop->values.data[v].kind == FLAT_OUTSIDE)
      w->names[v] = NULL;
  return text;
}

/* What is handed on, and what came in from outside as carries. */
static void
close_carries(struct writing *w) {
  const struct loop *loop = w->loop;
  for (uint32_t i = 0; i < loop->carry_count; i++) {
    const struct loop_carry *carry = &loop->carries[i];
    if (carry->invariant && carry->used)
      w->names[carry->argument] = loop_capture(
          &w->text, outer_name(w->r, carry->init), type_of(w, carry->argument));
    if (w->now.carry[i] == NONE)
      continue;
    bring_in(w, loop, carry->yield, w->names);
    w->carries.data[w->now.carry[i]].yield = w->names[carry->yield];
  }
  uint32_t first = w->carries.count;
  for (uint32_t i = 0; i < w->text.captures.count; i++) {
    const struct loop_capture *capture = &w->text.captures.data[i];
    struct new_carry new = {capture->type, capture->outer, capture->inner,
                            capture->inner};
    vector_push(w->r->arena, &w->carries, new);
  }
  for (uint32_t i = 0; i < loop->carry_count; i++) {
    const struct loop_carry *carry = &loop->carries[i];
    if (!carry->invariant || !carry->used)
      continue;
    for (uint32_t c = first; c < w->carries.count; c++)
      if (w->carries.data[c].argument == w->names[carry->argument])
        w->now.carry[i] = c;
  }
  w->now.count = w->carries.count;
}

/* --- edits --- */

static void
add_edit(struct rewriter *r, struct span span, struct text with) {
  struct edit edit = {span, with};
  vector_push(r->arena, &r->edits, edit);
}

/* Take OP out, with the line that it has to itself. */
static void
erase_op(struct rewriter *r, op_id op) {
  struct span span = r->m->op_text[op];
  const char *text = r->m->source->text;
  while (span.begin > r->m->text.begin && text[span.begin - 1] == ' ')
    span.begin--;
  if (span.begin > r->m->text.begin && text[span.begin - 1] == '\n' &&
      text[span.end] == '\n')
    span.end++;
  add_edit(r, span, (struct text){"", 0});
}

/* HLO: elements of the state have names of their own; what is still there is
 * taken out of the new one. */
static void
name_results(struct writing *w) {
  const struct ir_module *m = w->r->m;
  if (m->format->spelling->result)
    return;
  op_id init = ir_value_op(m, ir_operand(m, w->loop->op, 0)), op;
  uint32_t uses = 0, carry;
  for (uint32_t u = 0; u < m->use_count; u++)
    uses += m->use_value[u] == ir_result(m, init, 0);
  if (uses == 1)
    erase_op(w->r, init);
  for (value_id v = 0; v < m->value_count; v++) {
    op_id element = ir_value_op(m, v);
    if (element == NONE || flat_action(m, element) != ACTION_ELEMENT ||
        !loop_result(m, v, &op, &carry) || op != w->loop->op)
      continue;
    erase_op(w->r, element);
    if (w->now.carry[carry] == NONE)
      continue;
    struct new_result result = {w->now.carry[carry], own_name(w->r, v)};
    vector_push(w->r->arena, &w->results, result);
  }
}

/* Put the new loop where the old one stands. */
static void
finish_loop(struct writing *w, struct text before, struct text condition) {
  struct rewriter *r = w->r;
  struct buffer out = {.arena = r->arena};
  struct new_loop loop = {
      .name = w->now.name,
      .carries = w->carries.data,
      .carry_count = w->carries.count,
      .results = w->results.data,
      .result_count = w->results.count,
      .condition = condition,
      .body = {buffer_finish(&w->text.out), (uint32_t)w->text.out.size},
      .test = w->names[w->loop->condition]};
  uint32_t skip = 0;
  while (skip < before.size && before.data[skip] == ' ')
    skip++;
  buffer_add(&out, before.data + skip, before.size - skip);
  if (before.size)
    buffer_string(&out, "  ");
  r->m->format->spelling->loop(&out, &r->beside, &loop);
  struct text text = {buffer_finish(&out), (uint32_t)out.size - 1};
  add_edit(r, r->m->op_text[w->loop->op], text);
  vector_push(r->arena, &r->rewritten, w->now);
}

/* --- the writer --- */

/* The stack whose slots new ones have too. */
static const struct loop_stack *
reference(const struct loops *loops, uint32_t writer) {
  for (uint32_t s = 0; s < loops->stacks.count; s++)
    if (loops->stacks.data[s].writer == writer)
      return &loops->stacks.data[s];
  return NULL;
}

/* The value that says which slot STACK of LOOP is written in. */
static flat_id
slot_index(const struct loop *loop, const struct loop_stack *stack) {
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

/* How the stack behind STORE of W, a writer, is seen; OUTER comes later. */
static struct visible
see_store(const struct writing *w, const struct loop_store *store,
          const struct loop_stack *like) {
  struct rewriter *r = w->r;
  struct visible v = {.slot = like->slot};
  const struct type *type =
      type_get(r->m->types, w->loop->values.data[store->value].type);
  if (store->stack == NONE) {
    v.rank = type->rank + 1;
    v.sizes = stacked_dims(r->arena, type, 1);
    v.slice_type = spell_type(r, type, v.sizes, v.rank);
    v.type =
        spell_type(r, type, stacked_dims(r->arena, type, like->slots), v.rank);
    return v;
  }
  const struct loop_stack *stack = &r->loops->stacks.data[store->stack];
  const struct type *slice =
      type_get(r->m->types, w->loop->values.data[stack->stored].type);
  v.slot = stack->slot;
  v.dimension = stack->dimension;
  v.rank = slice->rank;
  v.sizes = slice->dims;
  v.slice_type = type_of(w, stack->stored);
  v.type = type_of(w, w->loop->carries[stack->carry].argument);
  return v;
}

static const char *
reshape(struct loop_text *text, const char *value, const char *from,
        const char *to) {
  if (strcmp(from, to) == 0)
    return value;
  return loop_op(text, (struct new_op){.kind = NEW_RESHAPE,
                                       .type = to,
                                       .operands = &value,
                                       .types = &from,
                                       .count = 1});
}

/* Carry a new stack for STORE, which V describes, zeros to begin with, and
 * write its slot at the end of the body. */
static void
write_stack(struct writing *w, const struct loop_store *store,
            const struct loop_stack *like, const struct visible *v,
            struct loop_text *before) {
  struct rewriter *r = w->r;
  const struct type *type =
      type_get(r->m->types, w->loop->values.data[store->value].type);
  flat_id index = slot_index(w->loop, like);
  const char *argument = loop_name(&r->names);
  bring_in(w, w->loop, store->value, w->names);
  bring_in(w, w->loop, index, w->names);
  struct loop_slot slot = {.name = argument,
                           .index = w->names[index],
                           .index_type = type_of(w, index),
                           .whole_type = v->type,
                           .slice_type = v->slice_type,
                           .sizes = v->sizes,
                           .rank = v->rank,
                           .dimension = v->dimension};
  const char *value = reshape(&w->text, w->names[store->value],
                              type_of(w, store->value), v->slice_type);
  struct new_carry carry = {.type = v->type, .argument = argument};
  carry.yield = loop_update(&w->text, &slot, value);
  carry.init = loop_op(
      before,
      (struct new_op){.kind = NEW_ZEROS, .type = v->type, .like = type});
  vector_push(r->arena, &w->carries, carry);
}

static bool
is_dropped(const struct rewriter *r, const struct loop_plan *plan,
           uint32_t carry) {
  for (uint32_t s = 0; s < r->loops->stacks.count; s++) {
    const struct loop_stack *stack = &r->loops->stacks.data[s];
    if (stack->writer == plan->writer && stack->carry == carry)
      return plan->dropped[s];
  }
  return false;
}

/* What W has to compute, and its condition. */
static struct text
begin_body(struct writing *w) {
  need(w, w->loop->condition);
  close_needed(w);
  return write_condition(w);
}

/* How STORE number S of PLAN is called behind W. */
static const char *
name_store(struct writing *w, const struct loop_plan *plan, uint32_t s,
           uint32_t first) {
  struct rewriter *r = w->r;
  const struct loop_store *store = &plan->stores.data[s];
  const struct ir_spelling *spelling = r->m->format->spelling;
  uint32_t carry = first;
  if (store->stack != NONE)
    carry = w->now.carry[r->loops->stacks.data[store->stack].carry];
  else
    for (uint32_t i = 0; i < s; i++)
      carry += plan->stores.data[i].stack == NONE;
  if (spelling->result) {
    struct buffer out = {.arena = r->arena};
    spelling->result(&out, w->now.name, carry, w->now.count);
    return buffer_finish(&out);
  }
  struct new_result result = {carry, loop_name(&r->names)};
  vector_push(r->arena, &w->results, result);
  return result.name;
}

static void
write_writer(struct rewriter *r, const struct loop_plan *plan,
             struct visible *visible) {
  const struct loop *loop = r->loops->list.data[plan->writer];
  const struct loop_stack *like = reference(r->loops, plan->writer);
  struct writing w = begin_loop(r, loop);
  struct loop_text before = loop_text_new(&r->names);
  for (uint32_t i = 0; i < loop->carry_count; i++)
    if (!loop->carries[i].invariant && !is_dropped(r, plan, i))
      carry_on(&w, i);
  need(&w, slot_index(loop, like));
  for (uint32_t s = 0; s < plan->stores.count; s++)
    if (plan->stores.data[s].stack == NONE)
      need(&w, plan->stores.data[s].value);
  struct text condition = begin_body(&w);
  for (uint32_t o = loop->condition_ops; o < loop->ops.count; o++)
    if (w.needed[o])
      copy_op(&w, loop, &loop->ops.data[o], w.names);
  uint32_t first = w.carries.count;
  for (uint32_t s = 0; s < plan->stores.count; s++) {
    visible[s] = see_store(&w, &plan->stores.data[s], like);
    if (plan->stores.data[s].stack == NONE)
      write_stack(&w, &plan->stores.data[s], like, &visible[s], &before);
  }
  close_carries(&w);
  name_results(&w);
  for (uint32_t s = 0; s < plan->stores.count; s++)
    visible[s].outer = name_store(&w, plan, s, first);
  finish_loop(
      &w, (struct text){buffer_finish(&before.out), (uint32_t)before.out.size},
      condition);
}

/* --- readers --- */

/* The writer's ops once more, for one iteration of it. */
struct restore {
  struct affine iteration; /* in terms of the reader's */
  flat_id base;            /* of the reader: what it is computed from */
  const char **names;      /* by flat value of the writer */
};

struct reading {
  struct writing w;
  const struct loop_plan *plan;
  const struct loop *writer;
  const struct visible *visible; /* by store */
  VECTOR(struct restore) restores;
  bool *wanted; /* by flat op of the writer */
  VECTOR(flat_id) list;
};

/* OUTER applied to INNER. */
static struct affine
compose(struct affine outer, struct affine inner) {
  return (struct affine){true, outer.scale * inner.scale,
                         outer.scale * inner.offset + outer.offset};
}

/* The iteration of the writer in which it wrote, of STACK, what SLOT is. */
static struct affine
iteration_of(const struct reading *g, const struct loop_stack *stack,
             struct affine slot) {
  struct affine back = {true, stack->slot.scale,
                        -stack->slot.scale * stack->slot.offset};
  if (g->writer->trips == 1)
    return (struct affine){true, 0, 0};
  if (g->w.loop->trips == 1)
    slot = (struct affine){true, 0, slot.offset};
  return compose(back, slot);
}

/* TARGET, in terms of the reader's iteration, as a value of TYPE. */
static const char *
write_affine(struct reading *g, const struct restore *restore,
             struct affine target, const char *type) {
  struct writing *w = &g->w;
  const char *own = type_of(w, restore->base);
  bring_in(w, w->loop, restore->base, w->names);
  const char *value = loop_affine(&w->text, w->names[restore->base],
                                  w->loop->affine[restore->base], target, own);
  if (strcmp(own, type) == 0)
    return value;
  return loop_op(&w->text, (struct new_op){.kind = NEW_CONVERT,
                                           .type = type,
                                           .operands = &value,
                                           .types = &own,
                                           .count = 1});
}

/* Read store number S at RESTORE's iteration. */
static const char *
read_store(struct reading *g, const struct restore *restore, uint32_t s) {
  struct writing *w = &g->w;
  const struct visible *v = &g->visible[s];
  const char *index_type = type_of(w, restore->base);
  struct loop_slot slot = {
      .name = loop_capture(&w->text, v->outer, v->type),
      .index = write_affine(g, restore, compose(v->slot, restore->iteration),
                            index_type),
      .index_type = index_type,
      .whole_type = v->type,
      .slice_type = v->slice_type,
      .sizes = v->sizes,
      .rank = v->rank,
      .dimension = v->dimension};
  const struct flat_value *value =
      &g->writer->values.data[g->plan->stores.data[s].value];
  return reshape(&w->text, loop_slice(&w->text, &slot), v->slice_type,
                 loop_type(&w->r->names, value->type));
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
    bring_in(&g->w, g->writer, value, restore->names);
  } else if (v->kind == FLAT_CARRY) {
    restore->names[value] = write_affine(
        g, restore, compose(g->writer->affine[value], restore->iteration),
        loop_type(&g->w.r->names, v->type));
  } else if (!g->wanted[v->number]) {
    g->wanted[v->number] = true;
    vector_push(g->w.r->arena, &g->list, v->number);
  }
}

/* What VALUE of the writer was in RESTORE's iteration. */
static const char *
write_restored(struct reading *g, struct restore *restore, flat_id value) {
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

static struct restore *
restore_at(struct reading *g, struct affine iteration, flat_id base) {
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
  flat_id base = read_index(w, v->number);
  struct affine iteration = iteration_of(g, stack, w->loop->affine[base]);
  w->names[value] =
      write_restored(g, restore_at(g, iteration, base), stack->stored);
}

static void
write_reader(struct rewriter *r, const struct loop_plan *plan,
             const struct visible *visible, uint32_t number) {
  const struct loop *loop = r->loops->list.data[number];
  struct reading g = {.plan = plan,
                      .visible = visible,
                      .writer = r->loops->list.data[plan->writer]};
  g.w = begin_loop(r, loop);
  g.wanted = ARENA_ARRAY(r->arena, bool, g.writer->ops.count);
  for (uint32_t s = 0; s < r->loops->stacks.count; s++)
    for (uint32_t i = 0; i < r->loops->stacks.data[s].reads.count; i++) {
      const struct loop_read *read = &r->loops->stacks.data[s].reads.data[i];
      if (plan->dropped[s] && read->loop == number)
        g.w.gone[read->op] = s + 1;
    }
  for (uint32_t i = 0; i < loop->carry_count; i++)
    if (!loop->carries[i].invariant)
      carry_on(&g.w, i);
  struct text condition = begin_body(&g.w);
  for (uint32_t o = loop->condition_ops; o < loop->ops.count; o++) {
    const struct flat_op *op = &loop->ops.data[o];
    if (!g.w.needed[o] || g.w.gone[o])
      continue;
    for (uint32_t i = 0; i < op->use_count; i++)
      restore_value(&g, flat_operand(loop, op, i));
    copy_op(&g.w, loop, op, g.w.names);
  }
  for (uint32_t i = 0; i < loop->carry_count; i++)
    restore_value(&g, loop->carries[i].yield);
  close_carries(&g.w);
  name_results(&g.w);
  finish_loop(&g.w, (struct text){"", 0}, condition);
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
    if (!loop_result(m, m->use_value[u], &op, &carry) || !rewritten_loop(r, op))
      continue;
    const char *name = outer_name(r, m->use_value[u]);
    add_edit(r, m->use_text[u], text_of(name));
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
  write_writer(r, plan, visible);
  for (uint32_t i = 0; i < loops->list.count; i++)
    if (reader[i])
      write_reader(r, plan, visible, i);
  struct span before = r->m->functions.data[function].text;
  before.end = before.begin;
  struct text beside = {buffer_finish(&r->beside), (uint32_t)r->beside.size};
  if (beside.size)
    add_edit(r, before, beside);
}

struct text
loop_rewrite(struct arena *arena, const struct loops *loops,
             const struct facts *facts, const struct loop_plan *plans,
             uint32_t count) {
  struct rewriter r = {
      .arena = arena, .m = loops->module, .loops = loops, .facts = facts};
  loop_names_begin(&r.names, arena, loops->module);
  for (uint32_t i = 0; i < count; i++)
    write_plan(&r, &plans[i]);
  rename_uses(&r);
  return apply(&r);
}
