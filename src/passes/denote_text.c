/* denote_text.c - what an op is, by its text.
 *
 *   %5 = "x.y"(%3, %a) {k = 1} : ... loc(#l)   ==>   ? = "x.y"(?, ?) {k = 1}
 * ...
 *
 * The text of an op, and of all inside of it, with a mark for each value that
 * comes from outside, a number for each that is its own, and without
 * locations, metadata, comments and layout: the copy of an op under other names
 * has the same.  What it calls belongs to it, text and all.  O(text). */
#include "passes/denote.h"

#include "support/buffer.h"

#include <stdlib.h>
#include <string.h>

/* --- clean text --- */

/* Behind the bracketed piece at AT, strings in it seen. */
static const char *
skip_brackets(const char *at, const char *end) {
  uint32_t depth = 0;
  bool quoted = false;
  for (; at < end; at++) {
    if (*at == '"')
      quoted = !quoted;
    else if (quoted && *at == '\\')
      at += at + 1 < end;
    else if (!quoted && strchr("([{", *at))
      depth++;
    else if (!quoted && strchr(")]}", *at) && --depth == 0)
      return at + 1;
  }
  return end;
}

/* Behind the string at AT. */
static const char *
skip_string(const char *at, const char *end) {
  for (at++; at < end && *at != '"'; at++)
    at += *at == '\\' && at + 1 < end;
  return at < end ? at + 1 : end;
}

static bool
begins(const char *at, const char *end, const char *word) {
  size_t size = strlen(word);
  return (size_t)(end - at) >= size && memcmp(at, word, size) == 0;
}

/* Take white space and commas off the end of OUT. */
static void
trim(struct buffer *out) {
  while (out->size &&
         (out->data[out->size - 1] == ' ' || out->data[out->size - 1] == ','))
    out->size--;
}

/* Append TEXT to OUT without what says nothing. */
static void
add_clean(struct buffer *out, struct text text) {
  const char *at = text.data, *end = text.data + text.size;
  while (at < end) {
    const char *from = at;
    if (*at == '"') {
      at = skip_string(at, end);
      buffer_add(out, from, (size_t)(at - from));
    } else if (begins(at, end, "/*")) {
      while (at < end && !begins(at, end, "*/"))
        at++;
      at = at + 2 < end ? at + 2 : end;
    } else if (begins(at, end, "//")) {
      while (at < end && *at != '\n')
        at++;
    } else if (begins(at, end, "loc(") && at > text.data && at[-1] == ' ') {
      at = skip_brackets(at + 3, end);
      trim(out);
    } else if (begins(at, end, "metadata={")) {
      at = skip_brackets(at + 9, end);
      trim(out);
    } else if (strchr(" \n\t\r", *at)) {
      at++;
      if (out->size && out->data[out->size - 1] != ' ')
        buffer_add(out, " ", 1);
    } else {
      buffer_add(out, at++, 1);
    }
  }
  while (out->size && out->data[out->size - 1] == ' ')
    out->size--;
}

static uint32_t
intern(struct denoted *d, struct buffer *out) {
  struct text text = {buffer_finish(out), (uint32_t)out->size};
  return string_intern(d->denotation->keys, text);
}

uint32_t
denote_span(struct denoted *d, struct span span) {
  struct buffer out = {.arena = d->arena};
  add_clean(&out, source_text(d->m->source, span));
  return intern(d, &out);
}

/* --- names --- */

/* A name in a text: of a value, or of a function that is called. */
struct mark {
  struct span span;
  value_id value; /* NONE for a function's */
  function_id function;
};

typedef VECTOR(struct mark) mark_list;

static int
by_place(const void *a, const void *b) {
  const struct mark *x = a, *y = b;
  if (x->span.begin != y->span.begin)
    return x->span.begin < y->span.begin ? -1 : 1;
  return (x->value > y->value) - (x->value < y->value);
}

static void
add_mark(struct arena *arena, mark_list *marks, struct span span,
         value_id value) {
  struct mark mark = {span, value, NONE};
  if (span.begin < span.end)
    vector_push(arena, marks, mark);
}

static void
add_arguments(const struct denoted *d, struct arena *arena, mark_list *marks,
              op_id op) {
  const struct ir_module *m = d->m;
  for (region_id r = m->op_region[op]; r != NONE; r = m->region_next[r])
    for (block_id b = m->region_block[r]; b != NONE; b = m->block_next[b])
      for (uint32_t i = 0; i < m->block_argument_count[b]; i++) {
        value_id value = m->block_first_argument[b] + i;
        add_mark(arena, marks, m->value_name[value], value);
      }
}

static void
add_calls(const struct denoted *d, struct arena *arena, mark_list *marks,
          op_id op) {
  uint32_t count;
  const struct ir_call *calls = ir_op_calls(d->m, op, &count);
  for (uint32_t i = 0; i < count; i++) {
    struct mark mark = {calls[i].text, NONE, calls[i].callee};
    vector_push(arena, marks, mark);
  }
}

/* Add all names in OP, and in what is inside of it. */
static void
add_marks(const struct denoted *d, struct arena *arena, mark_list *marks,
          op_id op) {
  const struct ir_module *m = d->m;
  for (op_id inner = op; inner < op + d->sizes[op]; inner++) {
    for (uint32_t i = 0; i < m->op_use_count[inner]; i++) {
      uint32_t use = m->op_first_use[inner] + i;
      add_mark(arena, marks, m->use_text[use], m->use_value[use]);
    }
    for (uint32_t i = 0; i < m->op_result_count[inner]; i++) {
      value_id value = ir_result(m, inner, i);
      add_mark(arena, marks, m->value_name[value], value);
    }
    add_arguments(d, arena, marks, inner);
    add_calls(d, arena, marks, inner);
  }
}

/* Is VALUE made in OP?  All are, where that is NONE. */
static bool
is_own(const struct denoted *d, op_id op, value_id value) {
  const struct ir_module *m = d->m;
  if (op == NONE)
    return true;
  op_id def = ir_value_op(m, value);
  if (def == NONE)
    def = m->region_op[m->block_region[ir_value_block(m, value)]];
  return def != NONE && def >= op && def < op + d->sizes[op];
}

/* Append SPAN, which is OP's or (NONE) a function's, with MARKS for names. */
static void
write_form(struct denoted *d, struct buffer *out, struct span span, op_id op,
           const mark_list *marks) {
  uint32_t at = span.begin, own = 0;
  if (marks->count)
    qsort(marks->data, marks->count, sizeof *marks->data, by_place);
  for (uint32_t i = 0; i < marks->count; i++) {
    const struct mark *mark = &marks->data[i];
    if (mark->span.begin < at || mark->span.end > span.end)
      continue;
    buffer_text(out,
                source_text(d->m->source, (struct span){at, mark->span.begin}));
    at = mark->span.end;
    if (mark->value == NONE) {
      buffer_printf(out, "@%u", denote_text(d, mark->function));
    } else if (is_own(d, op, mark->value)) {
      if (!d->local[mark->value])
        d->local[mark->value] = ++own;
      buffer_printf(out, "?%u", d->local[mark->value]);
    } else {
      buffer_add(out, "?", 1);
      vector_push(d->arena, &d->reads, mark->value);
    }
  }
  buffer_text(out, source_text(d->m->source, (struct span){at, span.end}));
  for (uint32_t i = 0; i < marks->count; i++)
    if (marks->data[i].value != NONE)
      d->local[marks->data[i].value] = 0;
}

/* --- functions --- */

/* All names in FUNCTION. */
static void
mark_function(const struct denoted *d, struct arena *arena, mark_list *marks,
              function_id function) {
  const struct ir_module *m = d->m;
  const struct ir_function *f = &m->functions.data[function];
  region_id body = f->body;
  if (f->op != NONE)
    add_marks(d, arena, marks, f->op);
  block_id block = body == NONE || f->op != NONE ? NONE : m->region_block[body];
  for (; block != NONE; block = m->block_next[block])
    for (uint32_t i = 0; i < m->block_op_count[block]; i++)
      add_marks(d, arena, marks, ir_block_op(m, block, i));
}

/* The number of SPAN of FUNCTION, whatever names it has in it. */
static uint32_t
span_key(struct denoted *d, function_id function, struct span span) {
  struct arena arena = {0};
  struct buffer raw = {.arena = &arena}, out = {.arena = d->arena};
  mark_list marks = {0};
  mark_function(d, &arena, &marks, function);
  write_form(d, &raw, span, NONE, &marks);
  add_clean(&out, (struct text){buffer_finish(&raw), (uint32_t)raw.size});
  arena_empty(&arena);
  return intern(d, &out);
}

uint32_t
denote_text(struct denoted *d, function_id function) {
  const struct ir_module *m = d->m;
  const struct ir_function *f = &m->functions.data[function];
  struct span span = {f->name_text.end, f->text.end};
  uint32_t *key = &d->function_keys[function];
  if (*key == UINT32_MAX) /* it calls itself: its name has to say that */
    return string_intern(d->denotation->keys,
                         source_text(m->source, f->name_text));
  if (*key)
    return *key - 1;
  *key = UINT32_MAX;
  /* What stands before the body in HLO says names and types again. */
  if (f->op == NONE && f->body != NONE && m->region_block[f->body] != NONE &&
      m->block_op_count[m->region_block[f->body]])
    span.begin = m->op_text[ir_block_op(m, m->region_block[f->body], 0)].begin;
  *key = span_key(d, function, span) + 1;
  return *key - 1;
}

uint32_t
denote_head(struct denoted *d, function_id function) {
  const struct ir_function *f = &d->m->functions.data[function];
  struct span span = f->text;
  if (f->body != NONE)
    span.end = d->m->region_text[f->body].begin;
  return span_key(d, function, span);
}

/* --- ops --- */

const struct op_form *
denote_form(struct denoted *d, op_id op) {
  struct op_form *form = &d->forms[op];
  if (form->known)
    return form;
  struct arena arena = {0};
  struct buffer raw = {.arena = &arena}, out = {.arena = d->arena};
  mark_list marks = {0};
  form->known = true;
  add_marks(d, &arena, &marks, op);
  form->first = d->reads.count;
  write_form(d, &raw, d->m->op_text[op], op, &marks);
  add_clean(&out, (struct text){buffer_finish(&raw), (uint32_t)raw.size});
  form->key = intern(d, &out);
  form->count = d->reads.count - form->first;
  arena_empty(&arena);
  return form;
}
