/* loop_frame.c - see loop_frame.h.
 *
 * A loop is written in this order: carries that go on, the condition, the ops
 * of the body that are needed, what is handed on, what came in from outside as
 * carries of its own, results.  Linear in ops and uses of the module. */
#include "passes/loop_frame.h"

#include <string.h>

/* --- names outside --- */

const struct rewritten *
frame_rewritten(const struct rewriter *r, op_id op) {
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
const char *
frame_outer_name(void *user, value_id value) {
  const struct rewriter *r = user;
  op_id op;
  uint32_t carry;
  r->named[value] = true;
  const struct ir_spelling *spelling = r->m->format->spelling;
  const struct rewritten *now =
      loop_result(r->m, value, &op, &carry) ? frame_rewritten(r, op) : NULL;
  if (!now || !spelling->result || now->carry[carry] == NONE)
    return own_name(r, value);
  struct buffer out = {.arena = r->arena};
  spelling->result(&out, now->name, now->carry[carry], now->count);
  return buffer_finish(&out);
}

/* --- writing flat ops --- */

const char *
frame_type(const struct writing *w, flat_id value) {
  return loop_type(&w->r->names, w->loop->values.data[value].type);
}

/* Let VALUE, of FROM, have a name in NAMES where it comes from outside. */
void
frame_bring_in(struct writing *w, const struct loop *from, flat_id value,
               const char **names) {
  const struct flat_value *v = &from->values.data[value];
  if (names[value] || v->kind != FLAT_OUTSIDE)
    return;
  names[value] = loop_sink(&w->text, v->value, frame_outer_name, w->r);
  if (!names[value])
    names[value] = loop_capture(&w->text, frame_outer_name(w->r, v->value),
                                loop_type(&w->r->names, v->type));
}

void
frame_copy(struct writing *w, const struct loop *from, const struct flat_op *op,
           const char **names) {
  for (uint32_t i = 0; i < op->use_count; i++)
    frame_bring_in(w, from, flat_operand(from, op, i), names);
  loop_copy(&w->text, from, op, names);
}

/* Which slot the read O, of a stack that is gone, asks for. */
flat_id
frame_read_index(const struct writing *w, uint32_t o) {
  const struct loop_stack *stack = &w->r->loops->stacks.data[w->gone[o] - 1];
  return flat_operand(w->loop, &w->loop->ops.data[o], 1 + stack->dimension);
}

void
frame_need(struct writing *w, flat_id value) {
  const struct flat_value *v = &w->loop->values.data[value];
  if (v->kind == FLAT_RESULT)
    w->needed[v->number] = true;
}

/* Everything that needed ops need, and what may not be left out.  Of a read
 * that is gone only the index is. */
void
frame_close_needed(struct writing *w) {
  for (uint32_t o = w->loop->ops.count; o-- > 0;) {
    const struct flat_op *op = &w->loop->ops.data[o];
    if (!w->r->facts->op_repeatable[op->op] && op->use_count &&
        flat_action(w->r->m, op->op) == ACTION_OTHER)
      w->needed[o] = true;
    if (!w->needed[o])
      continue;
    if (w->gone[o]) {
      frame_need(w, frame_read_index(w, o));
      continue;
    }
    for (uint32_t i = 0; i < op->use_count; i++)
      frame_need(w, flat_operand(w->loop, op, i));
  }
}

/* --- a loop's frame --- */

bool
loop_is_chosen(const struct ir_module *module, const struct loop *loop) {
  uint32_t size = sizeof LOOP_CHOSEN - 1;
  value_id result = ir_result(module, loop->op, 0);
  struct text name = source_text(module->source, module->value_name[result]);
  return name.size > size &&
         memcmp(name.data + name.size - size, LOOP_CHOSEN, size) == 0;
}

void
frame_mark_chosen(struct writing *w) {
  w->now.name = arena_printf(w->r->arena, "%s" LOOP_CHOSEN, w->now.name);
}

struct writing
frame_begin(struct rewriter *r, const struct loop *loop) {
  struct writing w = {.r = r, .loop = loop};
  w.names = ARENA_ARRAY(r->arena, const char *, loop->values.count);
  w.needed = ARENA_ARRAY(r->arena, bool, loop->ops.count);
  w.gone = ARENA_ARRAY(r->arena, uint32_t, loop->ops.count);
  w.text = loop_text_new(&r->names);
  w.shardings = frame_shardings(r, loop);
  w.now.loop = loop;
  w.now.name = loop_name(&r->names);
  if (loop_is_chosen(r->m, loop))
    frame_mark_chosen(&w);
  w.now.carry = ARENA_ARRAY(r->arena, uint32_t, loop->carry_count);
  memset(w.now.carry, 0xff, loop->carry_count * sizeof *w.now.carry);
  return w;
}

/* Go on carrying old carry NUMBER, which changes. */
void
frame_carry_on(struct writing *w, uint32_t number) {
  const struct loop_carry *carry = &w->loop->carries[number];
  struct new_carry *new = vector_add(w->r->arena, &w->carries);
  new->type = frame_type(w, carry->argument);
  new->init = frame_outer_name(w->r, carry->init);
  new->argument = loop_name(&w->r->names);
  new->sharding = w->shardings ? w->shardings[number] : NULL;
  w->names[carry->argument] = new->argument;
  w->now.carry[number] = w->carries.count - 1;
  frame_need(w, carry->yield);
}

/* The text of the condition; what came in from outside comes in again in the
 * body. */
static struct text
write_condition(struct writing *w) {
  for (uint32_t o = 0; o < w->loop->condition_ops; o++)
    if (w->needed[o])
      frame_copy(w, w->loop, &w->loop->ops.data[o], w->names);
  struct text text = {buffer_finish(&w->text.out), (uint32_t)w->text.out.size};
  w->text.out = (struct buffer){.arena = w->r->arena};
  w->text.zero = NULL;
  for (flat_id v = 0; v < w->loop->values.count; v++)
    if (w->loop->values.data[v].kind == FLAT_OUTSIDE)
      w->names[v] = NULL;
  return text;
}

/* What is handed on, and what came in from outside as carries. */
void
frame_close_carries(struct writing *w) {
  const struct loop *loop = w->loop;
  for (uint32_t i = 0; i < loop->carry_count; i++) {
    const struct loop_carry *carry = &loop->carries[i];
    if (carry->invariant && carry->used)
      w->names[carry->argument] =
          loop_capture(&w->text, frame_outer_name(w->r, carry->init),
                       frame_type(w, carry->argument));
    if (w->now.carry[i] == NONE)
      continue;
    frame_bring_in(w, loop, carry->yield, w->names);
    w->carries.data[w->now.carry[i]].yield = w->names[carry->yield];
  }
  uint32_t first = w->carries.count;
  for (uint32_t i = 0; i < w->text.captures.count; i++) {
    const struct loop_capture *capture = &w->text.captures.data[i];
    struct new_carry new = {.type = capture->type,
                            .init = capture->outer,
                            .argument = capture->inner,
                            .yield = capture->inner};
    new.sharding = frame_sharding_of(w->r, capture->outer);
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

void
frame_edit(struct rewriter *r, struct span span, struct text with) {
  struct edit edit = {span, with};
  vector_push(r->arena, &r->edits, edit);
}

void
frame_replace(struct rewriter *r, op_id op, struct text with) {
  memset(r->gone + op, true, r->sizes[op] * sizeof *r->gone);
  frame_edit(r, r->m->op_text[op], with);
}

void
frame_erase(struct rewriter *r, op_id op) {
  struct span span = r->m->op_text[op];
  const char *text = r->m->source->text;
  while (span.begin > r->m->text.begin && text[span.begin - 1] == ' ')
    span.begin--;
  if (span.begin > r->m->text.begin && text[span.begin - 1] == '\n' &&
      text[span.end] == '\n')
    span.end++;
  frame_replace(r, op, (struct text){"", 0});
  r->edits.data[r->edits.count - 1].span = span;
}

/* HLO: elements of the state have names of their own; what is still there is
 * taken out of the new one. */
void
frame_name_results(struct writing *w) {
  const struct ir_module *m = w->r->m;
  if (m->format->spelling->result)
    return;
  op_id init = ir_value_op(m, ir_operand(m, w->loop->op, 0)), op;
  uint32_t uses = 0, carry;
  for (uint32_t u = 0; u < m->use_count; u++)
    uses += m->use_value[u] == ir_result(m, init, 0);
  if (uses == 1)
    frame_erase(w->r, init);
  for (value_id v = 0; v < m->value_count; v++) {
    op_id element = ir_value_op(m, v);
    if (element == NONE || flat_action(m, element) != ACTION_ELEMENT ||
        !loop_result(m, v, &op, &carry) || op != w->loop->op)
      continue;
    struct new_result result = {w->now.carry[carry], own_name(w->r, v)};
    if (m->op_flags[element] & OP_ROOT) {
      vector_push(w->r->arena, &w->roots, result);
      vector_push(w->r->arena, &w->root_ops, element);
      continue;
    }
    frame_erase(w->r, element);
    if (result.carry != NONE)
      vector_push(w->r->arena, &w->results, result);
  }
}

/* Put the new loop where the old one stands. */
void
frame_finish(struct writing *w, struct text before, struct text condition) {
  struct rewriter *r = w->r;
  struct buffer out = {.arena = r->arena};
  struct new_loop loop = {
      .name = w->now.name,
      .carries = w->carries.data,
      .carry_count = w->carries.count,
      .results = w->results.data,
      .result_count = w->results.count,
      .condition = condition,
      .sharded = w->shardings != NULL,
      .body = {buffer_finish(&w->text.out), (uint32_t)w->text.out.size},
      .test = w->names[w->loop->condition]};
  uint32_t skip = 0;
  while (skip < before.size && before.data[skip] == ' ')
    skip++;
  buffer_add(&out, before.data + skip, before.size - skip);
  if (before.size)
    buffer_string(&out, "  ");
  r->m->format->spelling->loop(&out, &r->beside, &loop);
  for (uint32_t i = 0; i < w->roots.count; i++) {
    struct buffer root = {.arena = r->arena};
    r->m->format->spelling->element(&root, &loop, &w->roots.data[i]);
    frame_replace(r, w->root_ops.data[i],
                  (struct text){root.data, (uint32_t)root.size});
  }
  struct text text = {buffer_finish(&out), (uint32_t)out.size - 1};
  frame_replace(r, w->loop->op, text);
  vector_push(r->arena, &r->rewritten, w->now);
}

const char *
frame_result(struct writing *w, uint32_t carry) {
  const struct ir_spelling *spelling = w->r->m->format->spelling;
  if (spelling->result) {
    struct buffer out = {.arena = w->r->arena};
    spelling->result(&out, w->now.name, carry, w->now.count);
    return buffer_finish(&out);
  }
  struct new_result result = {carry, loop_name(&w->r->names)};
  vector_push(w->r->arena, &w->results, result);
  return result.name;
}

const char *
frame_reshape(struct loop_text *text, const char *value, const char *from,
              const char *to) {
  if (strcmp(from, to) == 0)
    return value;
  return loop_op(text, (struct new_op){.kind = NEW_RESHAPE,
                                       .type = to,
                                       .operands = &value,
                                       .types = &from,
                                       .count = 1});
}

/* What W has to compute, and its condition. */
struct text
frame_begin_body(struct writing *w) {
  frame_need(w, w->loop->condition);
  frame_close_needed(w);
  return write_condition(w);
}
