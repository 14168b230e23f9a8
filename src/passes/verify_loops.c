/* verify_loops.c - a program whose loops were written anew is the same.
 *
 * Both modules are made terms of (denote.h), in one table: their functions
 * return the same if the terms of their results are the same numbers.  A value
 * that was read from a stack and is now computed again has the term of what
 * was stored in that slot, at the time when it was stored; nothing of how the
 * loops were found, chosen or written is used here.
 *
 * O(ops after looking through calls) for each module, and the body of a loop
 * for each of its carries and each slot that is read. */
#include "passes/verify.h"

#include "passes/denote.h"

struct pair {
  struct denoted *before, *after;
  struct arena *arena;
};

/* The text of D's module before its first function, or behind its last. */
static uint32_t
frame_text(struct denoted *d, bool behind) {
  const struct ir_module *m = d->m;
  struct span span = m->text;
  for (function_id f = 0; f < m->functions.count; f++) {
    struct span text = m->functions.data[f].text;
    if (behind)
      span.begin = text.end > span.begin ? text.end : span.begin;
    else
      span.end = text.begin < span.end ? text.begin : span.end;
  }
  return denote_span(d, span);
}

static const char *
compare_results(struct pair *p, function_id before, function_id after) {
  const struct ir_function *f = &p->before->m->functions.data[before];
  const struct ir_function *g = &p->after->m->functions.data[after];
  struct text name = source_text(p->before->m->source, f->name_text);
  uint32_t count = f->root != NONE ? 1 : f->result_count;
  if (f->argument_count != g->argument_count ||
      f->result_count != g->result_count ||
      (f->root == NONE) != (g->root == NONE))
    return arena_printf(p->arena,
                        "function %.*s has other arguments or results",
                        (int)name.size, name.data);
  term_id *was = ARENA_ARRAY(p->arena, term_id, count + 1);
  term_id *is = ARENA_ARRAY(p->arena, term_id, count + 1);
  const char *fault = denote_function(p->before, before, was);
  if (!fault)
    fault = denote_function(p->after, after, is);
  if (fault)
    return arena_printf(p->arena, "function %.*s: %s", (int)name.size,
                        name.data, fault);
  for (uint32_t i = 0; i < count; i++)
    if (was[i] != is[i])
      return arena_printf(p->arena,
                          "result %u of function %.*s is another value", i,
                          (int)name.size, name.data);
  if (was[count] != is[count])
    return arena_printf(p->arena,
                        "what ops with effects do in function %.*s is not the "
                        "same",
                        (int)name.size, name.data);
  return NULL;
}

static const char *
compare_functions(struct pair *p, function_id before, function_id after) {
  if (denote_text(p->before, before) == denote_text(p->after, after))
    return NULL;
  if (denote_head(p->before, before) != denote_head(p->after, after)) {
    struct text name = source_text(
        p->before->m->source, p->before->m->functions.data[before].name_text);
    return arena_printf(p->arena, "function %.*s is declared differently",
                        (int)name.size, name.data);
  }
  return compare_results(p, before, after);
}

/* The function of AFTER that has the name of FUNCTION of BEFORE, or NONE. */
static function_id
namesake(const struct pair *p, function_id function) {
  name_id name = p->before->m->functions.data[function].name;
  return name == NONE
             ? NONE
             : ir_find_function(p->after->m,
                                string_text(p->before->m->names, name));
}

const char *
verify_loops(const struct ir_module *before, const struct ir_module *after,
             const bool *repeatable, struct arena *arena) {
  struct denotation *denotation = denotation_new(arena);
  struct pair p = {denote(denotation, before, repeatable),
                   denote(denotation, after, NULL), arena};
  const char *fault = NULL;
  for (int behind = 0; behind < 2; behind++)
    if (frame_text(p.before, behind) != frame_text(p.after, behind))
      return "what stands around the functions is not the same";
  for (function_id f = 0; f < before->functions.count && !fault; f++) {
    const struct ir_function *function = &before->functions.data[f];
    /* What is called counts there: a computation of HLO, a private function
     * that is gone. */
    if (function->op == NONE && !function->entry)
      continue;
    function_id other = namesake(&p, f);
    if (other == NONE && function->hidden)
      continue;
    fault = other == NONE ? "a function is missing"
                          : compare_functions(&p, f, other);
  }
  return fault;
}
