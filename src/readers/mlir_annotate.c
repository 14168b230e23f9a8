/* mlir_annotate.c - attributes that are added to functions.
 *
 *   attributes {a = 1 : i64, c}             annotated with b: in its place
 *   -> tensor<4xf32> {                      " attributes {b}" put in
 *
 * What was there stays as it was spelled, in its order; each attribute that is
 * added stands before the first whose key is greater, or in the place of one
 * with its key.  O(size of the dictionary). */
#include "readers/mlir.h"

#include "support/buffer.h"

#include <string.h>

static bool
is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Behind blanks and comments, at END at most. */
static uint32_t
behind_blank(const char *text, uint32_t at, uint32_t end) {
  while (at < end) {
    if (is_blank(text[at])) {
      at++;
    } else if (text[at] == '/' && at + 1 < end && text[at + 1] == '/') {
      while (at < end && text[at] != '\n')
        at++;
    } else {
      break;
    }
  }
  return at;
}

/* Behind the string that begins at AT. */
static uint32_t
behind_string(const char *text, uint32_t at, uint32_t end) {
  for (at++; at < end && text[at] != '"'; at++)
    at += text[at] == '\\';
  return at < end ? at + 1 : end;
}

/* Where the entry that begins at AT ends: at its comma, or at END.  *SOLID is
 * the end of what is no blank or comment. */
static uint32_t
entry_end(const char *text, uint32_t at, uint32_t end, uint32_t *solid) {
  uint32_t depth = 0;
  *solid = at;
  while (at < end) {
    char c = text[at];
    if (c == '"') {
      *solid = at = behind_string(text, at, end);
      continue;
    }
    if (c == '/' && at + 1 < end && text[at + 1] == '/') {
      at = behind_blank(text, at, end);
      continue;
    }
    if (c == '-' && at + 1 < end && text[at + 1] == '>')
      at++;
    else if (c == '(' || c == '[' || c == '{' || c == '<')
      depth++;
    else if (c == ')' || c == ']' || c == '}' || c == '>')
      depth -= depth > 0;
    else if (c == ',' && depth == 0)
      return at;
    at++;
    *solid = is_blank(c) ? *solid : at;
  }
  return end;
}

/* One entry of a dictionary: LEAD is what stands before it, TAIL between it and
 * its comma, which is where comments may be. */
struct dictionary_entry {
  struct text lead, key, text, tail;
};

struct merger {
  struct buffer *out;
  const struct ir_annotation *added;
  uint32_t left;    /* of ADDED */
  uint32_t done;    /* before ADDED */
  bool any;         /* something was written */
  struct text tail; /* of what was written last */
};

/* Begin an entry with LEAD before it. */
static void
begin_entry(struct merger *merger, struct text lead) {
  if (merger->any)
    buffer_string(merger->out, ",");
  buffer_text(merger->out, merger->tail);
  merger->tail.size = 0;
  if (merger->any && !lead.size)
    buffer_string(merger->out, " ");
  buffer_text(merger->out, lead);
  merger->any = true;
}

static void
put_annotation(struct merger *merger, struct text lead) {
  begin_entry(merger, lead);
  buffer_string(merger->out, merger->added->key);
  if (merger->added->value)
    buffer_printf(merger->out, " = %s", merger->added->value);
  merger->added++;
  merger->left--;
  merger->done++;
}

/* Put ENTRY, after what sorts before it or in the place of which it goes. */
static void
put_entry(struct merger *merger, const struct dictionary_entry *entry) {
  while (merger->left) {
    int order = text_order(text_of(merger->added->key), entry->key);
    if (order > 0)
      break;
    put_annotation(merger, entry->lead);
    if (order == 0)
      return;
  }
  for (uint32_t i = 1; i <= merger->done; i++)
    if (text_is(entry->key, merger->added[-(int32_t)i].key))
      return; /* the dictionary is not sorted */
  begin_entry(merger, entry->lead);
  buffer_text(merger->out, entry->text);
  merger->tail = entry->tail;
}

/* The entry that begins at AT; *AT is set to its end. */
static struct dictionary_entry
read_entry(const char *text, uint32_t *at, uint32_t end) {
  uint32_t begin = behind_blank(text, *at, end), behind, key = begin;
  uint32_t comma = entry_end(text, begin, end, &behind);
  struct dictionary_entry entry = {.lead = {text + *at, begin - *at},
                                   .tail = {text + behind, comma - behind}};
  *at = comma;
  entry.text = (struct text){text + begin, behind - begin};
  if (begin < behind && text[begin] == '"') {
    key = behind_string(text, begin, behind);
    entry.key = (struct text){text + begin + 1, key - begin - 2};
    return entry;
  }
  while (key < behind && !is_blank(text[key]) && text[key] != '=')
    key++;
  entry.key = (struct text){text + begin, key - begin};
  return entry;
}

static void
merge(struct merger *merger, const char *text, struct span inside) {
  struct text lead = {NULL, 0};
  uint32_t at = inside.begin, end = inside.end;
  while (end > at && is_blank(text[end - 1]))
    end--;
  if (memchr(text + at, '/', end - at))
    end = inside.end;
  while (at < end) {
    struct dictionary_entry entry = read_entry(text, &at, end);
    at += at < end;
    if (entry.text.size)
      put_entry(merger, &entry);
    lead = entry.lead;
  }
  while (merger->left)
    put_annotation(merger, lead);
  buffer_text(merger->out, merger->tail);
  buffer_add(merger->out, text + end, inside.end - end);
}

void
mlir_annotate(struct buffer *out, const struct ir_module *module,
              function_id function, const struct ir_annotation *added,
              uint32_t count) {
  const struct ir_function *f = &module->functions.data[function];
  struct merger merger = {.out = out, .added = added, .left = count};
  if (f->has_attributes) {
    merge(&merger, module->source->text, f->attributes);
    return;
  }
  bool generic = module->op_flags[f->op] & OP_GENERIC;
  buffer_string(out, generic ? " {" : " attributes {");
  merge(&merger, module->source->text, (struct span){0, 0});
  buffer_string(out, "}");
}
