/* mlir_canonical.c - what an op says, however it is written.
 *
 *   %7 = "a.b"(%3) {y = 2, x = #m, remat.keep} : (f32) -> f32 loc(#loc4)
 *   "a.b" ( % ) { x = affine_map ... , y = 2 , } : ( f32 ) -> f32
 *
 * The header token by token with one blank behind each, so that layout does
 * not matter; names of values and labels by their sigils alone; entries of
 * dictionaries sorted; aliases and blobs spelled out, for the same name may
 * mean something else in another file.  The generic and the pretty form of an
 * op stay different.  Linear in the header, and for each alias or blob in the
 * text before its definition. */
#include "readers/mlir.h"
#include "support/buffer.h"

#include <stdlib.h>

enum { ALIASES_DEEPEST = 32 };

struct canonical {
  struct buffer *out;
  struct arena *scratch;
  const struct ir_module *module;
  op_id op;
  uint32_t aliases; /* inside each other here */
};

static void put_range(struct canonical *c, const char *p, const char *end);

static const char *
skip_blank(const char *p, const char *end) {
  bool newline;
  return mlir_skip_space(p, end, &newline);
}

static void
put(struct canonical *c, const char *begin, const char *end) {
  buffer_add(c->out, begin, (size_t)(end - begin));
  buffer_add(c->out, " ", 1);
}

/* --- dictionaries --- */

struct sorted_entry {
  struct text key;
  const char *spelled;
};

static int
compare_entries(const void *a, const void *b) {
  const struct sorted_entry *x = a, *y = b;
  return text_order(x->key, y->key);
}

/* The entries of the dictionary INSIDE, without marks of ours. */
static void
put_dictionary(struct canonical *c, struct text inside) {
  VECTOR(struct sorted_entry) entries = {0};
  const char *p = inside.data, *end = p + inside.size;
  struct buffer *out = c->out;
  struct mlir_entry entry;
  while (mlir_next_entry(&p, end, &entry)) {
    if (text_starts(entry.key, "remat.") || text_starts(entry.key, "tessera."))
      continue;
    struct buffer value = {.arena = c->scratch};
    c->out = &value;
    put_range(c, entry.value.data, entry.value.data + entry.value.size);
    struct sorted_entry row = {entry.key, buffer_finish(&value)};
    vector_push(c->scratch, &entries, row);
  }
  c->out = out;
  if (!entries.count)
    return;
  qsort(entries.data, entries.count, sizeof *entries.data, compare_entries);
  buffer_string(out, "{ ");
  for (uint32_t i = 0; i < entries.count; i++) {
    buffer_text(out, entries.data[i].key);
    buffer_string(out, " = ");
    buffer_string(out, entries.data[i].spelled);
    buffer_string(out, ", ");
  }
  buffer_string(out, "} ");
}

/* --- what stands elsewhere in the text --- */

/* What is behind NAME and SIGN at the beginning of a line, blanks apart; NULL
 * where there is no such line. */
static const char *
find_line(const struct canonical *c, struct text name, char sign) {
  struct text text = source_text(c->module->source, c->module->text);
  const char *p = text.data, *end = p + text.size;
  for (; p < end; p++) {
    const char *at = skip_blank(p, end);
    if ((size_t)(end - at) > name.size &&
        memcmp(at, name.data, name.size) == 0) {
      at = skip_blank(at + name.size, end);
      if (at < end && *at == sign)
        return at + 1;
    }
    p = memchr(p, '\n', (size_t)(end - p));
    if (!p)
      return NULL;
  }
  return NULL;
}

/* "#map" or "!t" at P: what it stands for.  False where P is no alias. */
static bool
put_alias(struct canonical *c, const char *p, const char *behind) {
  if (memchr(p, '.', (size_t)(behind - p)) || *behind == '<' ||
      c->aliases == ALIASES_DEEPEST)
    return false;
  const char *meaning = find_line(c, mlir_text(p, behind), '=');
  if (!meaning)
    return false;
  const char *end = c->module->source->text + c->module->text.end;
  meaning = skip_blank(meaning, end);
  const char *line = memchr(meaning, '\n', (size_t)(end - meaning));
  c->aliases++;
  put_range(c, meaning, line ? line : end);
  c->aliases--;
  return true;
}

/* "dense_resource<NAME>", whose name is at P: the blob, where it is there. */
static bool
put_blob(struct canonical *c, const char *p, const char *end) {
  struct text name = mlir_text(p + 1, end - 1);
  const char *text_end = c->module->source->text + c->module->text.end;
  const char *blob = find_line(c, name, ':');
  blob = blob ? skip_blank(blob, text_end) : NULL;
  const char *behind =
      blob && *blob == '"' ? mlir_skip_string(blob, text_end, NULL) : NULL;
  if (behind)
    put(c, blob, behind);
  return behind != NULL;
}

/* --- tokens --- */

/* Is the symbol at P what the op calls? */
static bool
is_callee(const struct canonical *c, const char *p) {
  uint32_t count, at = (uint32_t)(p - c->module->source->text);
  const struct ir_call *calls = ir_op_calls(c->module, c->op, &count);
  for (uint32_t i = 0; i < count; i++)
    if (calls[i].text.begin == at)
      return true;
  return false;
}

/* Behind the region of the op that begins at P, or NULL. */
static const char *
skip_region(const struct canonical *c, const char *p) {
  const struct ir_module *m = c->module;
  uint32_t at = (uint32_t)(p - m->source->text);
  for (region_id r = m->op_region[c->op]; r != NONE; r = m->region_next[r])
    if (m->region_text[r].begin == at && m->region_text[r].end > at)
      return m->source->text + m->region_text[r].end;
  return NULL;
}

/* Behind "%a", "%a#1" or "%a:2" at P. */
static const char *
skip_value(const char *p, const char *end) {
  p = mlir_skip_name(p);
  if (p + 1 < end && (*p == '#' || *p == ':') && mlir_is(p[1], CHAR_DIGIT))
    for (p++; p < end && mlir_is(*p, CHAR_DIGIT);)
      p++;
  return p < end ? p : end;
}

/* A bracket at P and all inside of it; behind it. */
static const char *
put_group(struct canonical *c, const char *p, const char *end) {
  const char *behind = mlir_skip_group(p, end, NULL);
  struct text inside;
  if (!behind || behind > end) {
    put(c, p, p + 1);
    return p + 1;
  }
  if (mlir_dictionary_at(p, end, &inside) &&
      (!inside.size ||
       mlir_is_dictionary(inside.data, inside.data + inside.size))) {
    put_dictionary(c, inside);
    return behind;
  }
  put(c, p, p + 1);
  put_range(c, p + 1, behind - 1);
  put(c, behind - 1, behind);
  return behind;
}

/* The word at P, or a location, which is left out; behind it. */
static const char *
put_word(struct canonical *c, const char *p, const char *end) {
  const char *behind = mlir_skip_word(p);
  behind = behind < end ? behind : end;
  struct text word = mlir_text(p, behind);
  const char *group = behind < end && (*behind == '(' || *behind == '<')
                          ? mlir_skip_group(behind, end, NULL)
                          : NULL;
  if (group && *behind == '(' && text_is(word, "loc"))
    return group;
  put(c, p, behind);
  if (group && text_is(word, "dense_resource") && put_blob(c, behind, group))
    return group;
  return behind;
}

/* The token at P; behind it. */
static const char *
put_token(struct canonical *c, const char *p, const char *end) {
  const char *behind = skip_region(c, p);
  if (behind)
    return behind;
  if (*p == '%' || *p == '^') {
    put(c, p, p + 1);
    return *p == '%' ? skip_value(p, end) : mlir_skip_name(p);
  }
  if (memchr("([{<", *p, 4))
    return put_group(c, p, end);
  if (mlir_is(*p, CHAR_ALPHA))
    return put_word(c, p, end);
  if (*p == '#' || *p == '!') {
    behind = mlir_skip_name(p);
    if (!put_alias(c, p, behind))
      put(c, p, behind);
    return behind;
  }
  behind = mlir_skip_token(p, end);
  if (*p == '@' && is_callee(c, p))
    put(c, p, p + 1);
  else
    put(c, p, behind);
  return behind;
}

/* All tokens from P to END. */
static void
put_range(struct canonical *c, const char *p, const char *end) {
  for (p = skip_blank(p, end); p < end; p = skip_blank(p, end)) {
    const char *behind = put_token(c, p, end);
    p = behind > p ? behind : p + 1;
  }
}

void
mlir_canonical(struct buffer *out, const struct ir_module *module, op_id op) {
  struct arena scratch = {0};
  struct canonical c = {
      .out = out, .scratch = &scratch, .module = module, .op = op};
  const char *text = module->source->text;
  const char *p = text + module->op_text[op].begin;
  const char *end = text + module->op_text[op].end;
  /* The results are known by their number. */
  if (*p == '%') {
    while (p < end && *p == '%') {
      p = skip_blank(skip_value(p, end), end);
      if (p < end && *p == ',')
        p = skip_blank(p + 1, end);
    }
    p += p < end && *p == '=';
  }
  put_range(&c, p, end);
  arena_empty(&scratch);
}
