/* hlo_format.c - attributes of an instruction, names of clones.
 *
 * A key is looked for among the instruction's own attributes, then inside of
 * `metadata` (op_name), `frontend_attributes` (where markers stand; numbers and
 * truth values lose their quotes) and `backend_config` (known_trip_count, as a
 * number). */
#include "ir/print.h"
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

/* SPAN, a value in quotes, without them where they hold a number or a truth
 * value: HLO writes all of those as strings. */
static struct span
unquoted(const char *text, struct span span) {
  if (span.end - span.begin < 2 || text[span.begin] != '"')
    return span;
  struct span inner = {span.begin + 1, span.end - 1};
  struct text word = {text + inner.begin, inner.end - inner.begin};
  int64_t number;
  return word.size == 0 || ir_parse_integer(word, &number) ? inner : span;
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
  /* Most ops have no such attribute, and most lines are long. */
  if (!memmem(text + scope.begin, scope.end - scope.begin, key.data, key.size))
    return false;
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

/* --- barriers --- */

/* A new op of BLOCK called NAME, with one result of type TYPE, whose name is a
 * copy of that of LIKE. */
static value_id
add_op(struct ir_module *made, block_id block, const char *name, type_id type,
       value_id like) {
  op_id op = ir_add_op(made, string_intern(made->names, text_of(name)), block);
  made->op_flags[op] = OP_ADDED;
  made->op_origin[op] = NONE;
  value_id result = ir_add_results(made, op, 1);
  made->value_type[result] = type;
  made->value_origin[result] = like;
  return result;
}

/* The type of a tuple of the COUNT values VALUES. */
static type_id
tuple_type(struct ir_module *made, const value_id *values, uint32_t count) {
  struct buffer spelling = {.arena = made->types->arena};
  type_id *parts = ARENA_ARRAY(made->types->arena, type_id, count);
  for (uint32_t i = 0; i < count; i++) {
    parts[i] = made->value_type[values[i]];
    buffer_string(&spelling, i ? ", " : "(");
    buffer_text(&spelling, type_get(made->types, parts[i])->spelling);
  }
  buffer_string(&spelling, ")");
  struct text text = {spelling.data, (uint32_t)spelling.size};
  type_id known = type_find(made->types, text);
  if (known != TYPE_NONE)
    return known;
  struct type type = {.kind = TYPE_TUPLE,
                      .spelling = text,
                      .part_count = count,
                      .parts = parts};
  return type_enter(made->types, &type);
}

static bool
has_barrier(const struct ir_module *module) {
  return module != NULL;
}

/* A tuple, an opt-barrier over it, and its elements again. */
static bool
add_barrier(struct ir_module *made, block_id block, const value_id *values,
            uint32_t count, value_id *results) {
  value_id like = made->value_origin[values[0]];
  type_id type = tuple_type(made, values, count);
  struct span none = {0, 0};
  value_id tuple = add_op(made, block, "tuple", type, like);
  for (uint32_t i = 0; i < count; i++)
    ir_add_use(made, ir_value_op(made, tuple), values[i], none);
  value_id barrier = add_op(made, block, "opt-barrier", type, like);
  ir_add_use(made, ir_value_op(made, barrier), tuple, none);
  for (uint32_t i = 0; i < count; i++) {
    results[i] =
        add_op(made, block, "get-tuple-element", made->value_type[values[i]],
               made->value_origin[values[i]]);
    ir_add_use(made, ir_value_op(made, results[i]), barrier, none);
  }
  return true;
}

static void
spell_added(struct buffer *out, const struct ir_module *made, op_id op) {
  value_id result = ir_result(made, op, 0);
  int64_t index;
  ir_spell_value(out, made, result);
  buffer_string(out, " = ");
  buffer_text(out, ir_value_type(made, result)->spelling);
  buffer_string(out, " ");
  buffer_text(out, ir_op_name(made, op));
  for (uint32_t i = 0; i < made->op_use_count[op]; i++) {
    buffer_string(out, i ? ", " : "(");
    ir_spell_value(out, made, ir_operand(made, op, i));
  }
  buffer_string(out, ")");
  if (text_is(ir_op_name(made, op), "get-tuple-element") &&
      ir_attribute_integer(made, op, "index", &index)) {
    buffer_string(out, ", index=");
    buffer_number(out, (uint64_t)index);
  }
}

const struct ir_format hlo_format = {
    .name = "hlo",
    .attribute = find_attribute,
    .spell_copy = spell_copy,
    .cut = cut_attribute,
    .has_barrier = has_barrier,
    .add_barrier = add_barrier,
    .spell_added = spell_added,
    .spelling = &hlo_spelling,
    .canonical = hlo_canonical,
};
