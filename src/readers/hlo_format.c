/* hlo_format.c - attributes of an instruction, names of clones.
 *
 * A key is looked for among the instruction's own attributes, then inside of
 * `metadata` (op_name), `frontend_attributes` (where markers stand; quotes are
 * taken off) and `backend_config` (known_trip_count, as a number). */
#include "readers/hlo.h"
#include "support/buffer.h"

#include <string.h>

struct span
hlo_attributes(const char *text, struct span scope) {
  struct hlo_cursor cursor = {text, scope.begin, scope.end};
  struct span skipped;
  if (!hlo_identifier(&cursor, true, &skipped) || !hlo_accept(&cursor, '='))
    return scope;
  if (hlo_looks_like_type(&cursor) && !hlo_type_extent(&cursor, &skipped))
    return scope;
  if (!hlo_identifier(&cursor, false, &skipped) || hlo_peek(&cursor) != '(' ||
      !hlo_group(&cursor))
    return scope;
  hlo_accept(&cursor, ',');
  hlo_blanks(&cursor);
  return (struct span){cursor.at, scope.end};
}

/* One "key=value" of a list. */
struct entry {
  struct span all, value;
};

/* The entry of KEY in the list "key=value, key=value" at SCOPE. */
static bool
find_entry(const char *text, struct span scope, struct text key,
           struct entry *entry) {
  struct hlo_cursor cursor = {text, scope.begin, scope.end};
  struct span name;
  while (hlo_identifier(&cursor, false, &name)) {
    struct text word = {text + name.begin, name.end - name.begin};
    entry->value = (struct span){cursor.at, cursor.at};
    if (hlo_accept(&cursor, '=') && !hlo_value(&cursor, &entry->value))
      return false;
    entry->all = (struct span){name.begin, entry->value.end};
    if (text_equal(word, key))
      return true;
    hlo_accept(&cursor, ',');
  }
  return false;
}

/* Its value alone. */
static bool
find_in_list(const char *text, struct span scope, struct text key,
             struct span *value) {
  struct entry entry;
  bool found = find_entry(text, scope, key, &entry);
  if (found)
    *value = entry.value;
  return found;
}

/* The value of KEY in "{key="value" key=7}", separated by blanks. */
static bool
find_in_metadata(const char *text, struct span scope, struct text key,
                 struct span *value) {
  struct hlo_cursor cursor = {text, scope.begin, scope.end};
  struct span name;
  hlo_accept(&cursor, '{');
  while (hlo_identifier(&cursor, false, &name) && hlo_accept(&cursor, '=')) {
    struct text word = {text + name.begin, name.end - name.begin};
    hlo_blanks(&cursor);
    uint32_t begin = cursor.at;
    if (!hlo_string(&cursor) && !hlo_group(&cursor))
      while (cursor.at < cursor.end && !strchr(" ,}\n", text[cursor.at]))
        cursor.at++;
    *value = (struct span){begin, cursor.at};
    if (text_equal(word, key))
      return true;
    hlo_accept(&cursor, ',');
  }
  return false;
}

/* SPAN without the quotes around it. */
static struct span
unquoted(const char *text, struct span span) {
  if (span.end - span.begin >= 2 && text[span.begin] == '"' &&
      text[span.end - 1] == '"')
    return (struct span){span.begin + 1, span.end - 1};
  return span;
}

/* The number n of {"known_trip_count":{"n":"4"}} in SCOPE; quotes may be
 * escaped, where all of it is a string. */
static bool
find_trip_count(const char *text, struct span scope, struct span *value) {
  static const char word[] = "known_trip_count";
  const char *end = text + scope.end;
  const char *at = memmem(text + scope.begin, scope.end - scope.begin, word,
                          sizeof word - 1);
  if (!at)
    return false;
  at = memchr(at, '{', (size_t)(end - at));
  while (at && at < end && *at != '}' && (*at < '0' || *at > '9'))
    at++;
  if (!at || at == end || *at == '}')
    return false;
  value->begin = value->end = (uint32_t)(at - text);
  while (value->end < scope.end && text[value->end] >= '0' &&
         text[value->end] <= '9')
    value->end++;
  return true;
}

/* The list inside of the frontend_attributes of SCOPE, which are OUTER. */
static bool
find_frontend(const char *text, struct span scope, struct entry *outer,
              struct span *inner) {
  if (!find_entry(text, scope, TEXT("frontend_attributes"), outer) ||
      outer->value.begin == outer->value.end || text[outer->value.begin] != '{')
    return false;
  *inner = (struct span){outer->value.begin + 1, outer->value.end - 1};
  return true;
}

static bool
find_attribute(const struct ir_module *module, struct span scope,
               struct text key, struct span *value) {
  const char *text = module->source->text;
  struct span list = hlo_attributes(text, scope), outer;
  struct entry frontend;
  if (find_in_list(text, list, key, value))
    return true;
  if (text_is(key, "known_trip_count"))
    return find_in_list(text, list, TEXT("backend_config"), &outer) &&
           find_trip_count(text, outer, value);
  if (find_in_list(text, list, TEXT("metadata"), &outer) &&
      find_in_metadata(text, outer, key, value))
    return true;
  if (!find_frontend(text, list, &frontend, &outer) ||
      !find_in_list(text, outer, key, value))
    return false;
  *value = unquoted(text, *value);
  return true;
}

/* "x", "x.remat", "x.remat3": the part before the suffix that XLA gives. */
static struct text
stem_of(struct text name) {
  static const char suffix[] = ".remat";
  struct text stem = name;
  while (stem.size && stem.data[stem.size - 1] >= '0' &&
         stem.data[stem.size - 1] <= '9')
    stem.size--;
  if (!text_ends(stem, suffix))
    return name;
  stem.size -= sizeof suffix - 1;
  return stem.size ? stem : name;
}

/* As XLA names what its own pass clones: x.remat, x.remat2; a clone of x.remat
 * is x.remat2 too, for whoever asks takes the first copy that is free. */
static void
spell_copy(struct buffer *out, struct text name, uint32_t copy) {
  buffer_text(out, stem_of(name));
  buffer_string(out, ".remat");
  if (copy > 1)
    buffer_number(out, copy);
}

/* Widen what goes to the comma that belongs to it inside of LIST. */
static struct span
with_comma(const char *text, struct span list, struct span item) {
  struct hlo_cursor after = {text, item.end, list.end};
  if (hlo_accept(&after, ',')) {
    hlo_blanks(&after);
    return (struct span){item.begin, after.at};
  }
  while (item.begin > list.begin && text[item.begin - 1] != ',')
    item.begin--;
  item.begin -= item.begin > list.begin;
  return item;
}

/* Markers stand in frontend_attributes; the last one takes it along. */
static bool
cut_attribute(const struct ir_module *module, struct span scope,
              struct text key, struct span *cut) {
  const char *text = module->source->text;
  struct span list = hlo_attributes(text, scope), inner;
  struct entry outer, entry;
  if (!find_frontend(text, list, &outer, &inner) ||
      !find_entry(text, inner, key, &entry))
    return false;
  *cut = with_comma(text, inner, entry.all);
  if (cut->begin == inner.begin && cut->end == inner.end)
    *cut = with_comma(text, scope, outer.all);
  return true;
}

const struct ir_format hlo_format = {
    "hlo", find_attribute, spell_copy, cut_attribute, NULL,
};
