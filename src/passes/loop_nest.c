/* loop_nest.c - segments: a writer that stacks what it carries only every few
 * iterations, and readers that make the carries between again.
 *
 *   A: c = f(c, xs[i])   A': n[k] = c             for each segment k of s
 *                              c = f(c, xs[k s + u])       s times
 *   B: ... g(c at i)     B': d = n[k]                 for each segment k
 *                              r[u] = d, d = f(d, xs[k s + u])      s times
 *                              ... g(r[u])                           s times
 *
 * Both loops become nests: an outer loop over the segments, of which the trip
 * count is a multiple, and an inner one over the iterations of one.  Before the
 * reader's inner loop stands the one that fills r.  What counts in step is
 * computed of the two counters.
 *
 * Whether all of this can be is looked at before (loop_segment.c).  O(ops of
 * the bodies) for each loop. */
#include "passes/loop_frame.h"

#include <string.h>

/* A loop on its way to being a nest. */
struct nest {
  struct writing *w;      /* the inner loop; in the end the outer one */
  struct loop_text outer; /* the body of the outer one */
  struct loop_text before;
  VECTOR(struct new_carry) carries; /* of the outer one */
  VECTOR(const char *)
  locals; /* names of the outer body that inner loops take
             as they are */
  uint64_t length, rounds;
  const char *type;         /* of counters */
  const char *round, *step; /* counters: in the outer body, in the inner one */
  const char *time;         /* in the inner one: both together */
};

static const struct affine identity = {true, 1, 0};

/* A carry of LOOP that counts, or NONE. */
static uint32_t
counter_of(const struct loop *loop) {
  for (uint32_t i = 0; i < loop->carry_count; i++)
    if (loop->carries[i].affine.known && !loop->carries[i].invariant)
      return i;
  return NONE;
}

/* ROUND * LENGTH + STEP in TEXT. */
static const char *
flat_time(struct loop_text *text, const char *round, uint64_t length,
          const char *step, const char *type) {
  const char *begin =
      loop_binary(text, NEW_MULTIPLY, round,
                  loop_number(text, (int64_t)length, type), type);
  return loop_binary(text, NEW_ADD, begin, step, type);
}

/* W as a nest of PLAN's segments: its counters, and nothing else. */
static struct nest
nest_begin(struct writing *w, const struct loop_plan *plan) {
  struct rewriter *r = w->r;
  struct nest n = {.w = w, .length = plan->segment};
  n.outer = loop_text_new(&r->names);
  n.before = loop_text_new(&r->names);
  n.rounds = w->loop->trips / n.length;
  n.type = frame_type(w, w->loop->carries[counter_of(w->loop)].argument);
  n.round = loop_name(&r->names);
  n.step = loop_name(&r->names);
  struct new_carry outer = {.type = n.type, .argument = n.round};
  struct new_carry inner = {.type = n.type, .argument = n.step};
  outer.init = loop_number(&n.before, 0, n.type);
  inner.init = loop_number(&n.outer, 0, n.type);
  vector_push(r->arena, &n.carries, outer);
  vector_push(r->arena, &w->carries, inner);
  vector_push(r->arena, &n.locals, n.round);
  return n;
}

/* Let the outer loop carry what the inner one got last. */
static void
adopt_carry(struct nest *n) {
  struct new_carry *inner = &n->w->carries.data[n->w->carries.count - 1];
  struct new_carry outer = {.type = inner->type, .init = inner->init};
  outer.argument = loop_name(&n->w->r->names);
  inner->init = outer.argument;
  vector_push(n->w->r->arena, &n->carries, outer);
}

/* Carry on what changes in N's loop and does not count. */
static void
carry_on_changing(struct nest *n, const struct loop_plan *plan) {
  const struct loop *loop = n->w->loop;
  bool writes = loop == n->w->r->loops->list.data[plan->writer];
  for (uint32_t i = 0; i < loop->carry_count; i++) {
    const struct loop_carry *carry = &loop->carries[i];
    if (carry->invariant || carry->affine.known ||
        (writes && writer_drops(n->w->r, plan, i)))
      continue;
    frame_carry_on(n->w, i);
    adopt_carry(n);
  }
}

/* TARGET, an affine form of the iteration called TIME, as one of TYPE. */
static const char *
write_form(struct loop_text *text, const char *time, const char *time_type,
           struct affine target, const char *type) {
  const char *value = loop_affine(text, time, identity, target, time_type);
  return loop_convert(text, value, time_type, type);
}

/* Does anything that W needs, or hands on, use VALUE? */
static bool
is_needed(const struct writing *w, flat_id value) {
  const struct loop *loop = w->loop;
  for (uint32_t o = loop->condition_ops; o < loop->ops.count; o++)
    for (uint32_t i = 0; w->needed[o] && i < loop->ops.data[o].use_count; i++)
      if (flat_operand(loop, &loop->ops.data[o], i) == value)
        return true;
  for (uint32_t i = 0; i < loop->carry_count; i++)
    if (w->now.carry[i] != NONE && loop->carries[i].yield == value)
      return true;
  return false;
}

/* Names for what counts in the inner body: the one that all is computed of in
 * any case, others where they are used. */
static void
name_counters(struct nest *n) {
  struct writing *w = n->w;
  uint32_t counter = counter_of(w->loop);
  const char *round = loop_capture(&w->text, n->round, n->type);
  n->time = flat_time(&w->text, round, n->length, n->step, n->type);
  for (uint32_t i = 0; i < w->loop->carry_count; i++) {
    const struct loop_carry *carry = &w->loop->carries[i];
    if (carry->invariant || !carry->affine.known ||
        (i != counter && !is_needed(w, carry->argument)))
      continue;
    w->names[carry->argument] =
        write_form(&w->text, n->time, n->type, carry->affine,
                   frame_type(w, carry->argument));
  }
}

/* --- loops in the outer body --- */

static bool
is_local(const struct nest *n, const char *name) {
  for (uint32_t i = 0; i < n->locals.count; i++)
    if (n->locals.data[i] == name)
      return true;
  return false;
}

/* What CAPTURES name before the nest comes in through the outer loop. */
static void
bring_through(struct nest *n, struct new_carry *carry) {
  if (!is_local(n, carry->init))
    carry->init = loop_capture(&n->outer, carry->init, carry->type);
}

/* "counter < bound" as a condition; its value's name goes to *TEST. */
static struct text
write_bound(struct nest *n, const char *counter, uint64_t bound,
            const char **test) {
  struct loop_text text = loop_text_new(&n->w->r->names);
  const struct type truth = {.kind = TYPE_TENSOR, .dtype = DTYPE_I1};
  const char *operands[] = {counter,
                            loop_number(&text, (int64_t)bound, n->type)};
  const char *types[] = {n->type, n->type};
  struct buffer type = {.arena = n->w->r->arena};
  n->w->r->m->format->spelling->type(&type, &truth, NULL, 0);
  *test = loop_op(&text, (struct new_op){.kind = NEW_LESS,
                                         .type = buffer_finish(&type),
                                         .operands = operands,
                                         .types = types,
                                         .count = 2});
  return (struct text){buffer_finish(&text.out), (uint32_t)text.out.size};
}

/* Write the loop over one segment with CARRIES (COUNT of them, the counter
 * first) and the body TEXT into the outer body; by carry, RESULTS gets what the
 * first RESULT_COUNT are called behind it. */
static void
write_inner(struct nest *n, struct new_carry *carries, uint32_t count,
            struct loop_text *text, const char **results,
            uint32_t result_count) {
  struct rewriter *r = n->w->r;
  const struct ir_spelling *spelling = r->m->format->spelling;
  struct new_result *named =
      ARENA_ARRAY(r->arena, struct new_result, result_count);
  struct new_loop loop = {.name = loop_name(&r->names),
                          .carries = carries,
                          .carry_count = count,
                          .results = named};
  carries[0].yield = loop_binary(text, NEW_ADD, carries[0].argument,
                                 loop_number(text, 1, n->type), n->type);
  for (uint32_t c = 1; c < result_count; c++) {
    struct buffer out = {.arena = r->arena};
    if (spelling->result) {
      spelling->result(&out, loop.name, c, count);
      results[c] = buffer_finish(&out);
      continue;
    }
    results[c] = loop_name(&r->names);
    named[loop.result_count++] = (struct new_result){c, results[c]};
  }
  loop.condition = write_bound(n, carries[0].argument, n->length, &loop.test);
  loop.body =
      (struct text){buffer_finish(&text->out), (uint32_t)text->out.size};
  buffer_string(&n->outer.out, spelling->result ? "      " : "  ");
  spelling->loop(&n->outer.out, &r->beside, &loop);
}

/* The inner loop's end: what it hands on is what the outer one does. */
static void
close_inner(struct nest *n) {
  struct writing *w = n->w;
  uint32_t own = w->carries.count;
  const char **results = ARENA_ARRAY(w->r->arena, const char *, own);
  frame_close_carries(w);
  for (uint32_t c = own; c < w->carries.count; c++)
    bring_through(n, &w->carries.data[c]);
  write_inner(n, w->carries.data, w->carries.count, &w->text, results, own);
  for (uint32_t c = 1; c < own; c++)
    n->carries.data[c].yield = results[c];
}

/* The outer loop's end, where W becomes that loop. */
static void
close_outer(struct nest *n) {
  struct writing *w = n->w;
  struct arena *arena = w->r->arena;
  n->carries.data[0].yield =
      loop_binary(&n->outer, NEW_ADD, n->round,
                  loop_number(&n->outer, 1, n->type), n->type);
  for (uint32_t i = 0; i < n->outer.captures.count; i++) {
    const struct loop_capture *capture = &n->outer.captures.data[i];
    struct new_carry carry = {.type = capture->type,
                              .init = capture->outer,
                              .argument = capture->inner,
                              .yield = capture->inner};
    for (uint32_t c = 0; c < w->loop->carry_count; c++)
      if (w->loop->carries[c].invariant && w->loop->carries[c].used &&
          strcmp(capture->outer,
                 frame_outer_name(w->r, w->loop->carries[c].init)) == 0)
        w->now.carry[c] = n->carries.count;
    vector_push(arena, &n->carries, carry);
  }
  w->carries.data = n->carries.data;
  w->carries.count = n->carries.count;
  w->carries.capacity = n->carries.capacity;
  w->text = n->outer;
  w->now.count = n->carries.count;
}

static void
finish(struct nest *n) {
  struct writing *w = n->w;
  struct text condition =
      write_bound(n, n->round, n->rounds, &w->names[w->loop->condition]);
  frame_finish(w,
               (struct text){buffer_finish(&n->before.out),
                             (uint32_t)n->before.out.size},
               condition);
}

/* --- the writer --- */

/* Is STORE one slot for each segment? */
static bool
is_segmented(const struct loop *writer, const struct loop_store *store) {
  return store->stack == NONE &&
         writer->values.data[store->value].kind == FLAT_CARRY;
}

/* What the outer loop of N carries for what VALUE, a carry of the writer, is.
 */
static const char *
outer_argument(const struct nest *n, flat_id value) {
  const struct loop *loop = n->w->loop;
  for (uint32_t i = 0; i < loop->carry_count; i++)
    if (loop->carries[i].argument == value && n->w->now.carry[i] != NONE)
      return n->carries.data[n->w->now.carry[i]].argument;
  return NULL;
}

/* Slot INDEX of the stack V, called NAME. */
static struct loop_slot
slot_of(const struct visible *v, const char *name, const char *index,
        const char *index_type) {
  return (struct loop_slot){.name = name,
                            .index = index,
                            .index_type = index_type,
                            .whole_type = v->type,
                            .slice_type = v->slice_type,
                            .sizes = v->sizes,
                            .rank = v->rank,
                            .dimension = v->dimension};
}

/* Stack STORE, which V describes, as a segment of N begins. */
static void
stack_segment(struct nest *n, const struct loop_store *store,
              const struct visible *v) {
  struct rewriter *r = n->w->r;
  const struct type *type =
      type_get(r->m->types, n->w->loop->values.data[store->value].type);
  struct loop_slot slot = slot_of(v, loop_name(&r->names), n->round, n->type);
  struct new_carry carry = {.type = v->type, .argument = slot.name};
  carry.init = loop_op(
      &n->before,
      (struct new_op){.kind = NEW_ZEROS, .type = v->type, .like = type});
  const char *value =
      frame_reshape(&n->outer, outer_argument(n, store->value),
                    frame_type(n->w, store->value), v->slice_type);
  carry.yield = loop_update(&n->outer, &slot, value);
  vector_push(r->arena, &n->carries, carry);
}

/* Name what is behind the nest of each new store of PLAN: of those with a slot
 * for each iteration from carry FIRST on, of the others from SEGMENTED on. */
static void
name_stores(struct nest *n, const struct loop_plan *plan, uint32_t first,
            uint32_t segmented, struct visible *visible) {
  struct writing *w = n->w;
  for (uint32_t s = 0; s < plan->stores.count; s++) {
    const struct loop_store *store = &plan->stores.data[s];
    uint32_t carry =
        store->stack != NONE
            ? w->now.carry[w->r->loops->stacks.data[store->stack].carry]
        : is_segmented(w->loop, store) ? segmented++
                                       : first++;
    visible[s].outer = frame_result(w, carry);
  }
}

void
nest_write_writer(struct rewriter *r, const struct loop_plan *plan,
                  struct visible *visible) {
  const struct loop *loop = r->loops->list.data[plan->writer];
  const struct loop_stack *like = writer_reference(r->loops, plan->writer);
  const struct loop_store *stores = plan->stores.data;
  struct writing w = frame_begin(r, loop);
  struct nest n = nest_begin(&w, plan);
  carry_on_changing(&n, plan);
  frame_need(&w, writer_slot_index(loop, like));
  for (uint32_t s = 0; s < plan->stores.count; s++)
    if (stores[s].stack == NONE && !is_segmented(loop, &stores[s]))
      frame_need(&w, stores[s].value);
  frame_close_needed(&w);
  name_counters(&n);
  for (uint32_t o = loop->condition_ops; o < loop->ops.count; o++)
    if (w.needed[o])
      frame_copy(&w, loop, &loop->ops.data[o], w.names);
  uint32_t first = w.carries.count;
  for (uint32_t s = 0; s < plan->stores.count; s++) {
    bool one = is_segmented(loop, &stores[s]);
    visible[s] =
        writer_see_store(&w, &stores[s], like, one ? n.rounds : like->slots);
    if (one || stores[s].stack != NONE)
      continue;
    writer_write_stack(&w, &stores[s], like, &visible[s], &n.before);
    adopt_carry(&n);
  }
  uint32_t segmented = n.carries.count;
  for (uint32_t s = 0; s < plan->stores.count; s++)
    if (is_segmented(loop, &stores[s]))
      stack_segment(&n, &stores[s], &visible[s]);
  close_inner(&n);
  close_outer(&n);
  frame_name_results(&w);
  name_stores(&n, plan, first, segmented, visible);
  finish(&n);
}

/* --- readers --- */

/* The loop that makes what is carried in one segment again. */
struct refill {
  struct nest *nest;
  struct reading g; /* its loop is the writer */
  VECTOR(struct new_carry) carries;
  const char *segment, *start; /* in the outer body: which one, and its first
                                  iteration */
};

/* Which segment the outer loop is at, where the writer's iteration is SCALE
 * times the reader's, and more. */
static void
name_segment(struct refill *f, int64_t scale) {
  struct nest *n = f->nest;
  struct loop_text *text = &n->outer;
  f->segment = n->round;
  if (scale != 1)
    f->segment = loop_binary(text, NEW_SUBTRACT,
                             loop_number(text, (int64_t)n->rounds - 1, n->type),
                             n->round, n->type);
  f->start =
      loop_binary(text, NEW_MULTIPLY, f->segment,
                  loop_number(text, (int64_t)n->length, n->type), n->type);
  vector_push(n->w->r->arena, &n->locals, f->start);
}

/* Carry STORE, of which V is the stack, from the segment's beginning on. */
static void
begin_carry(struct refill *f, struct restore *restore,
            const struct loop_store *store, const struct visible *v) {
  struct nest *n = f->nest;
  struct new_carry carry = {.type = frame_type(&f->g.w, store->value)};
  struct loop_slot slot = slot_of(v, loop_capture(&n->outer, v->outer, v->type),
                                  f->segment, n->type);
  carry.init = frame_reshape(&n->outer, loop_slice(&n->outer, &slot),
                             v->slice_type, carry.type);
  carry.argument = loop_name(&n->w->r->names);
  restore->names[store->value] = carry.argument;
  vector_push(n->w->r->arena, &f->carries, carry);
}

/* Carry a buffer, V, for STORE. */
static void
begin_buffer(struct refill *f, const struct loop_store *store,
             const struct visible *v) {
  struct rewriter *r = f->nest->w->r;
  const struct type *type =
      type_get(r->m->types, f->g.writer->values.data[store->value].type);
  struct new_carry carry = {.type = v->type, .argument = loop_name(&r->names)};
  carry.init = loop_op(
      &f->nest->outer,
      (struct new_op){.kind = NEW_ZEROS, .type = v->type, .like = type});
  vector_push(r->arena, &f->carries, carry);
}

/* What the carry VALUE of LOOP becomes in an iteration. */
static flat_id
yield_of(const struct loop *loop, flat_id value) {
  uint32_t i = 0;
  while (loop->carries[i].argument != value)
    i++;
  return loop->carries[i].yield;
}

/* One iteration of the writer: the COUNT stores in LIST go to their buffers,
 * and become what is carried next. */
static void
write_step(struct refill *f, struct restore *restore, const uint32_t *list,
           uint32_t count, const struct visible *seen) {
  const struct loop_store *stores = f->g.plan->stores.data;
  struct new_carry *carries = f->carries.data;
  struct loop_text *text = &f->g.w.text;
  for (uint32_t k = 0; k < count; k++) {
    const struct visible *v = &seen[list[k]];
    struct new_carry *buffer = &carries[1 + count + k];
    struct loop_slot slot =
        slot_of(v, buffer->argument, carries[0].argument, f->nest->type);
    const char *type = frame_type(&f->g.w, stores[list[k]].value);
    buffer->yield = loop_update(
        text, &slot,
        frame_reshape(text, carries[1 + k].argument, type, v->slice_type));
  }
  for (uint32_t k = 0; k < count; k++)
    carries[1 + k].yield = read_value(
        &f->g, restore, yield_of(f->g.writer, stores[list[k]].value));
}

/* Let the loop be one of N's outer body; LIST's buffers are then SEEN. */
static void
end_refill(struct refill *f, const uint32_t *list, uint32_t count,
           struct visible *seen) {
  struct nest *n = f->nest;
  struct arena *arena = n->w->r->arena;
  uint32_t own = f->carries.count;
  const char **results = ARENA_ARRAY(arena, const char *, own);
  for (uint32_t i = 0; i < f->g.w.text.captures.count; i++) {
    const struct loop_capture *capture = &f->g.w.text.captures.data[i];
    struct new_carry carry = {.type = capture->type,
                              .init = capture->outer,
                              .argument = capture->inner,
                              .yield = capture->inner};
    bring_through(n, &carry);
    vector_push(arena, &f->carries, carry);
  }
  write_inner(n, f->carries.data, f->carries.count, &f->g.w.text, results, own);
  for (uint32_t k = 0; k < count; k++) {
    seen[list[k]].outer = results[1 + count + k];
    vector_push(arena, &n->locals, results[1 + count + k]);
  }
}

/* Write what fills a buffer for each segmented store of PLAN, of which VISIBLE
 * are the stacks, where N's outer loop is at one of the writer's segments: they
 * follow each other as SCALE says.  The buffers go to SEEN. */
static void
write_refill(struct nest *n, const struct loop_plan *plan,
             const struct visible *visible, int64_t scale,
             struct visible *seen) {
  struct rewriter *r = n->w->r;
  const struct loop *writer = r->loops->list.data[plan->writer];
  const struct loop_stack *like = writer_reference(r->loops, plan->writer);
  struct refill f = {.nest = n, .g = read_begin(r, plan, visible, writer)};
  uint32_t *list = ARENA_ARRAY(r->arena, uint32_t, plan->stores.count);
  uint32_t count = 0, counter = counter_of(writer);
  flat_id base = writer->carries[counter].argument;
  struct restore *restore = read_restore(&f.g, identity, base);
  struct new_carry step = {.type = n->type, .argument = loop_name(&r->names)};
  name_segment(&f, scale);
  step.init = loop_number(&n->outer, 0, n->type);
  vector_push(r->arena, &f.carries, step);
  for (uint32_t s = 0; s < plan->stores.count; s++)
    if (is_segmented(writer, &plan->stores.data[s]))
      list[count++] = s;
  for (uint32_t k = 0; k < count; k++)
    begin_carry(&f, restore, &plan->stores.data[list[k]], &visible[list[k]]);
  for (uint32_t k = 0; k < count; k++) {
    const struct loop_store *store = &plan->stores.data[list[k]];
    seen[list[k]] = writer_see_store(&f.g.w, store, like, n->length);
    begin_buffer(&f, store, &seen[list[k]]);
  }
  const char *time = loop_binary(&f.g.w.text, NEW_ADD,
                                 loop_capture(&f.g.w.text, f.start, n->type),
                                 step.argument, n->type);
  f.g.w.names[base] =
      write_form(&f.g.w.text, time, n->type, writer->carries[counter].affine,
                 frame_type(&f.g.w, base));
  write_step(&f, restore, list, count, seen);
  end_refill(&f, list, count, seen);
}

/* By how much the writer's iteration grows with that of G's loop, where it
 * reads what is gone. */
static int64_t
scale_of(const struct reading *g) {
  const struct writing *w = &g->w;
  uint32_t o = 0;
  while (!w->gone[o])
    o++;
  const struct loop_stack *stack = &w->r->loops->stacks.data[w->gone[o] - 1];
  return read_iteration(g->writer, w->loop, stack,
                        w->loop->affine[frame_read_index(w, o)])
      .scale;
}

void
nest_write_reader(struct rewriter *r, const struct loop_plan *plan,
                  const struct visible *visible, uint32_t number) {
  uint32_t count = plan->stores.count;
  struct visible *seen = ARENA_ARRAY(r->arena, struct visible, count);
  struct reading g = read_begin(r, plan, seen, r->loops->list.data[number]);
  struct nest n = nest_begin(&g.w, plan);
  read_find_gone(&g, number);
  carry_on_changing(&n, plan);
  frame_close_needed(&g.w);
  name_counters(&n);
  memcpy(seen, visible, count * sizeof *seen);
  int64_t scale = scale_of(&g);
  write_refill(&n, plan, visible, scale, seen);
  const char *slot = n.step;
  if (scale != 1)
    slot = loop_binary(&g.w.text, NEW_SUBTRACT,
                       loop_number(&g.w.text, (int64_t)n.length - 1, n.type),
                       slot, n.type);
  for (uint32_t s = 0; s < count; s++)
    if (is_segmented(g.writer, &plan->stores.data[s])) {
      seen[s].index = slot;
      seen[s].index_type = n.type;
    }
  read_body(&g);
  close_inner(&n);
  close_outer(&n);
  frame_name_results(&g.w);
  finish(&n);
}
