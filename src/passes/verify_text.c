/* verify_text.c - what was printed, read again, is what was meant.
 *
 * Both modules number ops and blocks as they stand in the text, so they are the
 * same if their columns are; values are told by op or block and place.  Beside
 * structure and types, the text of each op is compared with that of its origin,
 * names of values left out, so that an edit in the wrong place is seen.  O(ops
 * + uses + bytes). */
#include "passes/verify.h"

#include "support/buffer.h"

#include <string.h>

struct texts {
  const struct ir_module *made, *again;
  struct arena *arena;
};

static const char *
fault_at(const struct texts *t, op_id op, const char *what) {
  struct text name = ir_op_name(t->made, op);
  return arena_printf(t->arena,
                      "the printed text reads otherwise: %.*s (op %u "
                      "of the new program): %s",
                      (int)name.size, name.data, op, what);
}

/* The value of AGAIN that stands where VALUE stands in MADE. */
static value_id
counterpart(const struct texts *t, value_id value) {
  uint32_t index = ir_value_index(t->made, value);
  op_id op = ir_value_op(t->made, value);
  if (op != NONE)
    return t->again->op_first_result[op] + index;
  return t->again->block_first_argument[ir_value_block(t->made, value)] + index;
}

/* Have the values of MADE their types and places in groups?  Ops and blocks
 * have as many values in both. */
static bool
same_values(const struct texts *t) {
  const struct ir_module *a = t->made, *b = t->again;
  for (value_id value = 0; value < a->value_count; value++) {
    value_id other = counterpart(t, value);
    if (a->value_number[value] != b->value_number[other])
      return false;
    type_id x = a->value_type[value], y = b->value_type[other];
    if ((x == TYPE_NONE) != (y == TYPE_NONE) ||
        (x != TYPE_NONE && !text_equal(type_get(a->types, x)->spelling,
                                       type_get(b->types, y)->spelling)))
      return false;
  }
  return true;
}

/* Is VALUE named in the text as it was meant to be? */
static bool
same_name(const struct texts *t, value_id value) {
  struct buffer name = {.arena = t->arena};
  struct text text = source_text(t->again->source,
                                 t->again->value_name[counterpart(t, value)]);
  if (!t->made->base || !t->made->value_copy[value])
    return text_equal(text,
                      source_text(t->made->source, t->made->value_name[value]));
  t->made->format->spell_copy(
      &name, source_text(t->made->source, t->made->value_name[value]),
      t->made->value_copy[value]);
  return text_equal(text, (struct text){name.data, (uint32_t)name.size});
}

static const char *
check_op(const struct texts *t, op_id op) {
  const struct ir_module *a = t->made, *b = t->again;
  if (!text_equal(ir_op_name(a, op), ir_op_name(b, op)))
    return fault_at(t, op, "is another op");
  if (a->op_block[op] != b->op_block[op] ||
      a->op_region[op] != b->op_region[op])
    return fault_at(t, op, "stands in another block");
  if (a->op_use_count[op] != b->op_use_count[op])
    return fault_at(t, op, "has other operands");
  for (uint32_t i = 0; i < a->op_use_count[op]; i++)
    if (counterpart(t, ir_operand(a, op, i)) != ir_operand(b, op, i))
      return fault_at(t, op, "reads another value");
  for (uint32_t i = 0; i < a->op_result_count[op]; i++)
    if (!same_name(t, ir_result(a, op, i)))
      return fault_at(t, op, "has a result of another name");
  return NULL;
}

static bool
same_blocks(const struct texts *t) {
  const struct ir_module *a = t->made, *b = t->again;
  for (region_id region = 0; region < a->region_count; region++)
    if (a->region_op[region] != b->region_op[region] ||
        a->region_next[region] != b->region_next[region] ||
        a->region_block[region] != b->region_block[region])
      return false;
  for (block_id block = 0; block < a->block_count; block++)
    if (a->block_region[block] != b->block_region[block] ||
        a->block_next[block] != b->block_next[block] ||
        a->block_argument_count[block] != b->block_argument_count[block] ||
        a->block_op_count[block] != b->block_op_count[block])
      return false;
  return true;
}

/* --- the text of one op, names left out --- */

/* The places of names in an op's text up to its first region. */
struct places {
  VECTOR(struct span) spans;
};

static void
add_place(const struct texts *t, struct places *places, struct span span,
          uint32_t end) {
  if (span.begin < end && span.begin < span.end)
    vector_push(t->arena, &places->spans, span);
}

/* In the order of the text, each once: the condition and the body of a loop
 * name their arguments in one place. */
static void
sort_places(struct places *places) {
  struct span *spans = places->spans.data;
  for (uint32_t i = 1; i < places->spans.count; i++) {
    struct span moving = spans[i];
    uint32_t to = i;
    for (; to > 0 && spans[to - 1].begin > moving.begin; to--)
      spans[to] = spans[to - 1];
    spans[to] = moving;
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < places->spans.count; i++)
    if (i == 0 || spans[i].begin != spans[i - 1].begin)
      spans[kept++] = spans[i];
  places->spans.count = kept;
}

/* OP's text up to its first region. */
static struct span
head_of(const struct ir_module *m, op_id op) {
  struct span span = ir_op_span(m, op);
  region_id region = m->op_region[op];
  if (region != NONE)
    span.end = m->region_text[region].begin;
  return span;
}

static void
find_places(const struct texts *t, const struct ir_module *m, op_id op,
            struct places *places) {
  uint32_t end = head_of(m, op).end;
  places->spans.count = 0;
  for (uint32_t i = 0; i < m->op_result_count[op]; i++)
    if (i == 0 || m->value_name[ir_result(m, op, i)].begin !=
                      m->value_name[ir_result(m, op, i - 1)].begin)
      add_place(t, places, m->value_name[ir_result(m, op, i)], end);
  for (uint32_t i = 0; i < m->op_use_count[op]; i++)
    add_place(t, places, m->use_text[m->op_first_use[op] + i], end);
  for (region_id r = m->op_region[op]; r != NONE; r = m->region_next[r]) {
    block_id block = m->region_block[r];
    uint32_t count = block == NONE ? 0 : m->block_argument_count[block];
    for (uint32_t i = 0; i < count; i++)
      add_place(t, places, m->value_name[m->block_first_argument[block] + i],
                end);
  }
  sort_places(places);
}

/* Is OP's text that of its origin, names left out?  Ops with marks or
 * references to copied functions may lose some. */
static bool
same_text(const struct texts *t, op_id op, struct places *before,
          struct places *after) {
  const struct ir_module *a = t->made, *b = t->again;
  struct span from = head_of(a, op), to = head_of(b, op);
  const char *old = a->source->text, *new = b->source->text;
  find_places(t, a, op, before);
  find_places(t, b, op, after);
  if (before->spans.count != after->spans.count)
    return false;
  for (uint32_t i = 0; i <= before->spans.count; i++) {
    bool last = i == before->spans.count;
    uint32_t end = last ? from.end : before->spans.data[i].begin;
    uint32_t stop = last ? to.end : after->spans.data[i].begin;
    if (end - from.begin != stop - to.begin ||
        memcmp(old + from.begin, new + to.begin, end - from.begin) != 0)
      return false;
    if (!last) {
      from.begin = before->spans.data[i].end;
      to.begin = after->spans.data[i].end;
    }
  }
  return true;
}

static bool
is_edited(const struct ir_module *m, op_id op) {
  return m->op_flags[op] &
             (OP_HAS_MARKS | OP_BACKWARD | OP_FUNCTION | OP_MODULE) ||
         m->calls.count || m->controls.count;
}

const char *
verify_text(const struct ir_module *made, const struct ir_module *reread,
            struct arena *arena) {
  struct texts t = {made, reread, arena};
  struct places before = {0}, after = {0};
  if (made->op_count != reread->op_count ||
      made->value_count != reread->value_count ||
      made->region_count != reread->region_count ||
      made->block_count != reread->block_count ||
      made->functions.count != reread->functions.count)
    return "the printed text has other ops or values";
  if (!same_blocks(&t))
    return "the printed text has other blocks";
  for (op_id op = 0; op < made->op_count; op++)
    if (made->op_result_count[op] != reread->op_result_count[op])
      return fault_at(&t, op, "has other results");
  if (!same_values(&t))
    return "the printed text has other types";
  for (op_id op = 0; op < made->op_count; op++) {
    const char *fault = check_op(&t, op);
    if (!fault && !is_edited(made, op) && !(made->op_flags[op] & OP_ADDED) &&
        !same_text(&t, op, &before, &after))
      fault = fault_at(&t, op, "its text is not that of its origin");
    if (fault)
      return fault;
  }
  return NULL;
}
