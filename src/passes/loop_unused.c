/* loop_unused.c - what a rewritten loop leaves behind it without use.
 *
 * Where a stack is gone, so is the only reader of the zeros that it began
 * with; a body is copied flat, and the functions that it called may have no
 * other caller.  What nobody used before stays: it was not of our making.
 *
 * Ops are looked at from the last to the first, so that what only feeds one
 * that goes, goes too.  O(uses + calls * depth of calls). */
#include "passes/loop_frame.h"

#include <string.h>

/* --- ops --- */

/* Count, by value, the uses by ops that are still there. */
static void
count_uses(const struct rewriter *r, uint32_t *uses) {
  for (op_id op = 0; op < r->m->op_count; op++)
    for (uint32_t i = 0; !r->gone[op] && i < r->m->op_use_count[op]; i++)
      uses[ir_operand(r->m, op, i)]++;
}

/* Values that have to stay though no op may use them: arguments. */
static void
name_arguments(struct rewriter *r) {
  for (function_id f = 0; f < r->m->functions.count; f++) {
    const struct ir_function *function = &r->m->functions.data[f];
    for (uint32_t i = 0; i < function->argument_count; i++)
      if (function->arguments[i] != NONE)
        r->named[function->arguments[i]] = true;
  }
}

/* Is OP of no use any more, though one of its results WAS used? */
static bool
is_unused(const struct rewriter *r, op_id op, const uint32_t *uses,
          const bool *was) {
  const struct ir_module *m = r->m;
  bool any = false;
  if (r->gone[op] || !r->facts->op_repeatable[op] ||
      m->op_flags[op] & OP_ROOT || m->controls.count)
    return false;
  for (uint32_t i = 0; i < m->op_result_count[op]; i++) {
    value_id result = ir_result(m, op, i);
    if (uses[result] || r->named[result])
      return false;
    any |= was[result];
  }
  return any;
}

static void
erase_ops(struct rewriter *r) {
  const struct ir_module *m = r->m;
  uint32_t *uses = ARENA_ARRAY(r->arena, uint32_t, m->value_count);
  bool *was = ARENA_ARRAY(r->arena, bool, m->value_count);
  for (uint32_t u = 0; u < m->use_count; u++)
    was[m->use_value[u]] = true;
  count_uses(r, uses);
  for (op_id op = m->op_count; op-- > 0;) {
    if (!is_unused(r, op, uses, was))
      continue;
    for (op_id inner = op; inner < op + r->sizes[op]; inner++)
      for (uint32_t i = 0; i < m->op_use_count[inner]; i++)
        uses[ir_operand(m, inner, i)]--;
    frame_erase(r, op);
  }
}

/* --- functions --- */

/* By function: can it still be called? */
static bool *
find_live(const struct rewriter *r) {
  const struct ir_module *m = r->m;
  const function_id *of = ir_functions_of_ops(m, r->arena);
  const bool *called = ir_called_functions(m, r->arena);
  bool *live = ARENA_ARRAY(r->arena, bool, m->functions.count);
  bool more = true;
  for (function_id f = 0; f < m->functions.count; f++)
    live[f] = !m->functions.data[f].hidden || !called[f] || r->names.called[f];
  while (more) {
    more = false;
    for (uint32_t i = 0; i < m->calls.count; i++) {
      const struct ir_call *call = &m->calls.data[i];
      if (r->gone[call->op] || live[call->callee] ||
          (of[call->op] != NONE && !live[of[call->op]]))
        continue;
      live[call->callee] = more = true;
    }
  }
  return live;
}

/* Take FUNCTION out, with the lines that it has to itself and an empty one
 * behind it. */
static void
erase_function(struct rewriter *r, function_id function) {
  const struct ir_module *m = r->m;
  const char *text = m->source->text;
  struct span span = m->functions.data[function].text;
  while (span.begin > m->text.begin && text[span.begin - 1] == ' ')
    span.begin--;
  for (uint32_t lines = 0; lines < 2 && span.end < m->text.end; lines++)
    span.end += text[span.end] == '\n';
  frame_edit(r, span, (struct text){"", 0});
}

void
frame_erase_unused(struct rewriter *r) {
  name_arguments(r);
  erase_ops(r);
  const bool *live = find_live(r);
  for (function_id f = 0; f < r->m->functions.count; f++)
    if (!live[f])
      erase_function(r, f);
}
