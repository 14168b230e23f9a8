/* verify_calls.c - a program with bodies in the place of calls is the same.
 *
 * Functions of one name are evaluated on the same arguments (number.h), which
 * looks into calls: what they return, and what they do, must be the same
 * expressions.  All that stands outside of function bodies must be the same
 * text, but for functions that nobody outside can call and that are gone.
 * Nothing of how calls were chosen, or bodies written, is used here.
 *
 * O(ops after looking into calls). */
#include "passes/verify.h"

#include "passes/number.h"

#include <string.h>

struct sides {
  const struct ir_module *m[SIDES];
  struct numbered *numbered[SIDES];
  struct arena *arena;
};

/* What function F of side S is called, and its text up to its body. */
static struct text
head_text(const struct sides *s, int side, function_id f) {
  const struct ir_module *m = s->m[side];
  const struct ir_function *function = &m->functions.data[f];
  struct span span = function->text;
  if (function->body != NONE) {
    struct span body = m->region_text[function->body];
    span.end = body.begin > span.begin && body.begin < span.end ? body.begin
                                                                : span.begin;
  }
  return source_text(m->source, span);
}

static const char *
fault_of(const struct sides *s, function_id f, const char *what) {
  const struct ir_function *function = &s->m[0]->functions.data[f];
  struct text name = source_text(s->m[0]->source, function->name_text);
  return arena_printf(s->arena, "function %.*s %s", (int)name.size, name.data,
                      what);
}

static bool
equal_nodes(const uint32_t *a, uint32_t count, const uint32_t *b,
            uint32_t other) {
  return count == other && (!count || memcmp(a, b, count * sizeof *a) == 0);
}

static const char *
compare(struct sides *s, function_id f, function_id g) {
  const struct ir_function *was = &s->m[0]->functions.data[f];
  const struct ir_function *is = &s->m[1]->functions.data[g];
  struct outcome a, b;
  if (!text_equal(head_text(s, 0, f), head_text(s, 1, g)) ||
      was->entry != is->entry || (was->body == NONE) != (is->body == NONE))
    return fault_of(s, f, "is declared differently");
  if (was->body == NONE)
    return NULL;
  number_function(s->numbered[0], f, &a);
  number_function(s->numbered[1], g, &b);
  if (!equal_nodes(a.results, a.result_count, b.results, b.result_count))
    return fault_of(s, f, "returns other values");
  if (!equal_nodes(a.effects, a.effect_count, b.effects, b.effect_count))
    return fault_of(s, f, "has other effects");
  return NULL;
}

/* The text of side SIDE around functions, blanks apart. */
static struct text
frame_text(const struct sides *s, int side) {
  const struct ir_module *m = s->m[side];
  bool *inside = ARENA_ARRAY(s->arena, bool, m->source->size + 1);
  struct buffer out = {.arena = s->arena};
  for (function_id f = 0; f < m->functions.count; f++) {
    struct span span = m->functions.data[f].text;
    memset(inside + span.begin, true, span.end - span.begin);
  }
  for (uint32_t at = m->text.begin; at < m->text.end; at++)
    if (!inside[at] && !strchr(" \t\n\r", m->source->text[at]))
      buffer_add(&out, m->source->text + at, 1);
  return (struct text){buffer_finish(&out), (uint32_t)out.size};
}

const char *
verify_calls(const struct ir_module *before, const struct facts *before_facts,
             const struct ir_module *after, const struct facts *after_facts,
             struct arena *arena) {
  struct numbering *numbering = numbering_new(arena, true);
  struct sides s = {.m = {before, after}, .arena = arena};
  s.numbered[0] = numbering_add(numbering, 0, before, before_facts);
  s.numbered[1] = numbering_add(numbering, 1, after, after_facts);
  if (!text_equal(frame_text(&s, 0), frame_text(&s, 1)))
    return "what stands around the functions is not the same";
  const char *fault = NULL;
  for (function_id f = 0; f < before->functions.count && !fault; f++) {
    name_id name = before->functions.data[f].name;
    function_id g =
        name == NONE
            ? NONE
            : ir_find_function(after, string_text(before->names, name));
    if (g != NONE)
      fault = compare(&s, f, g);
    else if (name != NONE && !ir_is_private(before, f))
      fault = fault_of(&s, f, "is missing");
  }
  return fault;
}
