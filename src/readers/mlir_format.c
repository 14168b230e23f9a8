/* mlir_format.c - what passes and the printer ask of MLIR text.
 *
 * The text was read without error, so nothing is checked here again.
 * Attributes stand in dictionaries "{key = value}" and "<{...}>", in the header
 * of a pretty form ("dim = 1"), and as parameters of others
 * ("#stablehlo.dot<lhs_contracting_dimensions = [1]>"); a look-up tries them
 * in this order.  Each takes time linear in the header. */
#include "ir/print.h"
#include "readers/mlir.h"
#include "support/buffer.h"

#include <string.h>

static const char *
skip_blank(const char *p, const char *end) {
  bool newline;
  return mlir_skip_space(p, end, &newline);
}

/* [BEGIN, END) without spaces around it. */
static struct text
trimmed(const char *begin, const char *end) {
  begin = skip_blank(begin, end);
  while (end > begin && (mlir_is(end[-1], CHAR_BLANK) || end[-1] == '\n'))
    end--;
  return mlir_text(begin, end);
}

bool
mlir_next_entry(const char **p, const char *end, struct mlir_entry *entry) {
  const char *key = skip_blank(*p, end), *behind;
  while (key < end && *key == ',')
    key = skip_blank(key + 1, end);
  if (key >= end)
    return false;
  if (*key == '"') {
    behind = mlir_skip_string(key, end, NULL);
    behind = behind ? behind : end;
    entry->key = mlir_text(key + 1, behind - 1);
  } else {
    behind = mlir_skip_word(key);
    behind = behind < end ? behind : end;
    entry->key = mlir_text(key, behind);
  }
  const char *next = skip_blank(behind, end);
  bool valued = next < end && *next == '=';
  next += valued;
  const char *stop = mlir_skip_value(next, end, NULL);
  if (!stop || (stop < end && *stop != ','))
    stop = end;
  entry->value = valued ? trimmed(next, stop) : mlir_text(behind, behind);
  *p = stop < end ? stop + 1 : end;
  return true;
}

/* --- looking up --- */

/* "#vhlo.string_v1<"x">" is "x" to those who ask. */
static struct text
unwrapped(struct text value) {
  const char *open = memchr(value.data, '<', value.size);
  if (!text_starts(value, "#vhlo.") || !open || !text_ends(value, ">"))
    return value;
  return mlir_text(open + 1, value.data + value.size - 1);
}

static bool find_in_dictionary(const char *p, const char *end, struct text key,
                               bool nested, struct text *value);

/* KEY among the parameters of the attribute VALUE "#name<...>". */
static bool
find_in_parameters(struct text attribute, struct text key, struct text *value) {
  const char *open = memchr(attribute.data, '<', attribute.size);
  if (!attribute.size || *attribute.data != '#' || !open)
    return false;
  const char *end = attribute.data + attribute.size;
  const char *close = mlir_skip_group(open, end, NULL);
  return close && find_in_dictionary(open + 1, close - 1, key, true, value);
}

/* KEY in the entries from P to END: as one of them, or, NESTED, as a parameter
 * of one. */
static bool
find_in_dictionary(const char *p, const char *end, struct text key, bool nested,
                   struct text *value) {
  struct mlir_entry entry;
  while (mlir_next_entry(&p, end, &entry)) {
    if (text_equal(entry.key, key)) {
      *value = unwrapped(entry.value);
      return true;
    }
    if (nested && find_in_parameters(entry.value, key, value))
      return true;
  }
  return false;
}

/* Behind one piece of a value: a string, a group, a word, a sign. */
static const char *
skip_piece(const char *p, const char *end) {
  const char *behind = p + 1;
  if (*p == '"')
    behind = mlir_skip_string(p, end, NULL);
  else if (*p == '(' || *p == '[' || *p == '{' || *p == '<')
    behind = mlir_skip_group(p, end, NULL);
  else if (mlir_is(*p, CHAR_WORD))
    behind = mlir_skip_word(p);
  else if (*p == '@')
    behind = mlir_skip_symbol(p, end, NULL);
  else if (*p == '-' && p[1] == '>')
    behind = p + 2;
  return behind && behind < end ? behind : end;
}

/* The value at P of a key in a header: pieces without space between them, and
 * what an 'x' joins ("[2] x [0]"). */
static struct text
header_value(const char *p, const char *end) {
  const char *begin = p = skip_blank(p, end);
  while (p < end && !mlir_is(*p, CHAR_BLANK) && *p != ',' && *p != '\n') {
    p = skip_piece(p, end);
    const char *next = skip_blank(p, end);
    if (next + 1 < end && *next == 'x' && !mlir_is(next[1], CHAR_WORD))
      p = skip_blank(next + 1, end);
  }
  return mlir_text(begin, p);
}

/* Is SCOPE the inside of a dictionary, not the header of an op? */
static bool
is_dictionary(const char *p, const char *end) {
  p = skip_blank(p, end);
  const char *behind = p;
  if (p < end && *p == '"')
    behind = mlir_skip_string(p, end, NULL);
  else if (p < end && mlir_is(*p, CHAR_ALPHA))
    behind = mlir_skip_word(p);
  if (!behind || behind == p || behind > end)
    return false;
  p = skip_blank(behind, end);
  return p >= end || *p == ',' || (*p == '=' && p[1] != '=');
}

/* Behind the token at P of a header. */
static const char *
skip_token(const char *p, const char *end) {
  const char *behind;
  if (*p == '@')
    return skip_piece(p, end);
  if (memchr("%#!^", *p, 4))
    behind = mlir_skip_name(p);
  else
    return skip_piece(p, end);
  if (behind < end && *behind == '<' && (*p == '#' || *p == '!'))
    behind = mlir_skip_group(behind, end, NULL);
  return behind && behind < end ? behind : end;
}

/* Is a dictionary at P: its inside. */
static bool
dictionary_at(const char *p, const char *end, struct text *inside) {
  bool properties = p[0] == '<' && p[1] == '{';
  if (*p != '{' && !properties)
    return false;
  const char *behind = mlir_skip_group(p, end, NULL);
  if (!behind)
    return false;
  *inside = mlir_text(p + 1 + properties, behind - 1 - properties);
  return true;
}

/* The first symbol of a header is what custom calls call. */
static bool
is_symbol_key(struct text key) {
  return text_is(key, "call_target_name") || text_is(key, "callee");
}

/* KEY in the header from P to END. */
static bool
find_in_header(const char *p, const char *end, struct text key, bool nested,
               struct text *value) {
  struct text inside;
  for (p = skip_blank(p, end); p < end; p = skip_blank(p, end)) {
    const char *behind = skip_token(p, end);
    if (dictionary_at(p, end, &inside) &&
        find_in_dictionary(inside.data, inside.data + inside.size, key, nested,
                           value))
      return true;
    if (*p == '@' && is_symbol_key(key)) {
      *value = mlir_text(p + 1, behind);
      return true;
    }
    const char *next = skip_blank(behind, end);
    bool keyed =
        mlir_is(*p, CHAR_ALPHA) && next < end && *next == '=' && next[1] != '=';
    if (keyed) {
      struct text found = header_value(next + 1, end);
      if (text_equal(mlir_text(p, behind), key)) {
        *value = found;
        return true;
      }
      if (text_is(mlir_text(p, behind), "attrs") &&
          dictionary_at(found.data, end, &inside) &&
          find_in_dictionary(inside.data, inside.data + inside.size, key,
                             nested, value))
        return true;
      if (nested && find_in_parameters(found, key, value))
        return true;
      behind = found.data + found.size;
    }
    p = behind > p ? behind : p + 1;
  }
  return false;
}

static bool
find_attribute(const struct ir_module *module, struct span scope,
               struct text key, struct span *value) {
  const char *text = module->source->text;
  const char *p = text + scope.begin, *end = text + scope.end;
  struct text found;
  bool dictionary = is_dictionary(p, end);
  for (int nested = 0; nested < 2; nested++)
    if (dictionary ? find_in_dictionary(p, end, key, nested, &found)
                   : find_in_header(p, end, key, nested, &found)) {
      uint32_t begin = (uint32_t)(found.data - text);
      *value = (struct span){begin, begin + found.size};
      return true;
    }
  return false;
}

/* --- taking out --- */

/* Where the entry KEY of the dictionary from P to END stands, with the comma
 * that goes with it.  *ALONE: it is the only one. */
static bool
find_entry(const char *p, const char *end, struct text key, struct text *found,
           bool *alone) {
  struct mlir_entry entry;
  const char *comma = NULL;
  for (const char *begin = p; mlir_next_entry(&p, end, &entry);) {
    if (text_equal(entry.key, key)) {
      bool quoted = entry.key.data[-1] == '"';
      const char *first = entry.key.data - quoted;
      const char *last = entry.value.size
                             ? entry.value.data + entry.value.size
                             : entry.key.data + entry.key.size + quoted;
      const char *next = skip_blank(last, end);
      bool followed = next < end && *next == ',';
      *alone = !comma && !followed;
      if (followed)
        last = skip_blank(next + 1, end);
      else if (comma)
        first = comma;
      *found = mlir_text(first, last);
      return true;
    }
    comma = p > begin ? p - 1 : NULL;
  }
  return false;
}

/* The dictionary from BEGIN to END, brackets included, with the space or the
 * word "attributes" before it that means nothing without it. */
static struct text
whole_dictionary(const char *scope, const char *begin, const char *end) {
  static const char word[] = "attributes";
  while (begin > scope && mlir_is(begin[-1], CHAR_BLANK))
    begin--;
  size_t size = sizeof word - 1;
  if ((size_t)(begin - scope) > size && memcmp(begin - size, word, size) == 0)
    for (begin -= size; begin > scope && mlir_is(begin[-1], CHAR_BLANK);)
      begin--;
  return mlir_text(begin, end);
}

/* Does "word =" stand between SCOPE and P, so that something must follow? */
static bool
is_wanted(const char *scope, const char *p) {
  while (p > scope && (mlir_is(p[-1], CHAR_BLANK) || p[-1] == '\n'))
    p--;
  return p > scope && p[-1] == '=';
}

static bool
cut_attribute(const struct ir_module *module, struct span scope,
              struct text key, struct span *cut) {
  const char *text = module->source->text;
  const char *begin = text + scope.begin, *end = text + scope.end;
  struct text inside, found;
  bool alone, good = false;
  if (is_dictionary(begin, end))
    good = find_entry(begin, end, key, &found, &alone);
  for (const char *p = skip_blank(begin, end); !good && p < end;
       p = skip_blank(p, end)) {
    const char *behind = skip_token(p, end);
    good =
        dictionary_at(p, end, &inside) &&
        find_entry(inside.data, inside.data + inside.size, key, &found, &alone);
    if (good && alone && !is_wanted(begin, p))
      found = whole_dictionary(begin, p, behind);
    p = behind;
  }
  if (good) {
    uint32_t from = (uint32_t)(found.data - text);
    *cut = (struct span){from, from + found.size};
  }
  return good;
}

/* "%v7" gives "%v7_remat", a number "%0" gives "%v0_remat" because names that
 * begin with a digit are digits only, '@"a b"' gives '@"a b_remat"'. */
static void
spell_copy(struct buffer *out, struct text name, uint32_t copy) {
  bool quoted = name.size && name.data[name.size - 1] == '"';
  uint32_t size = name.size - quoted;
  if (size > 1 && mlir_is(name.data[1], CHAR_DIGIT)) {
    buffer_add(out, name.data, 1);
    buffer_string(out, "v");
    buffer_add(out, name.data + 1, size - 1);
  } else {
    buffer_add(out, name.data, size);
  }
  buffer_string(out, "_remat");
  if (copy > 1)
    buffer_number(out, copy);
  if (quoted)
    buffer_string(out, "\"");
}

/* --- barriers --- */

/* The barrier of the dialect that ops of MADE belong to, or NULL. */
static const char *
barrier_name(const struct ir_module *made) {
  for (op_id op = made->op_count; op-- > 0;) {
    if (text_starts(ir_op_name(made, op), "stablehlo."))
      return "stablehlo.optimization_barrier";
    if (text_starts(ir_op_name(made, op), "mhlo."))
      return "mhlo.optimization_barrier";
  }
  return NULL;
}

/* One op with an operand and a result for each value. */
static bool
add_barrier(struct ir_module *made, block_id block, const value_id *values,
            uint32_t count, value_id *results) {
  const char *name = barrier_name(made);
  if (!name)
    return false;
  op_id op = ir_add_op(made, string_intern(made->names, text_of(name)), block);
  made->op_flags[op] = OP_ADDED | OP_GENERIC;
  made->op_origin[op] = NONE;
  for (uint32_t i = 0; i < count; i++)
    ir_add_use(made, op, values[i], (struct span){0, 0});
  value_id first = ir_add_results(made, op, count);
  for (uint32_t i = 0; i < count; i++) {
    results[i] = first + i;
    made->value_type[first + i] = made->value_type[values[i]];
    made->value_origin[first + i] = made->value_origin[values[i]];
  }
  return true;
}

/* An operand's name, with "#n" where it is one of a group. */
static void
spell_operand(struct buffer *out, const struct ir_module *made,
              value_id value) {
  ir_spell_value(out, made, value);
  if (made->value_number[value] == NONE)
    return;
  buffer_string(out, "#");
  buffer_number(out, made->value_number[value]);
}

/* In generic form, which stands in any module. */
static void
spell_added(struct buffer *out, const struct ir_module *made, op_id op) {
  uint32_t count = made->op_use_count[op];
  struct buffer types = {.arena = out->arena};
  for (uint32_t i = 0; i < count; i++) {
    buffer_string(out, i ? ", " : "");
    ir_spell_value(out, made, ir_result(made, op, i));
    buffer_string(&types, i ? ", " : "(");
    buffer_text(&types, ir_value_type(made, ir_result(made, op, i))->spelling);
  }
  buffer_string(out, " = \"");
  buffer_text(out, ir_op_name(made, op));
  for (uint32_t i = 0; i < count; i++) {
    buffer_string(out, i ? ", " : "\"(");
    spell_operand(out, made, ir_operand(made, op, i));
  }
  buffer_string(out, ") : ");
  for (uint32_t i = 0; i < 2; i++) {
    buffer_add(out, types.data, types.size);
    buffer_string(out, i ? ")" : ") -> ");
  }
}

const struct ir_format mlir_format = {
    .name = "mlir",
    .attribute = find_attribute,
    .spell_copy = spell_copy,
    .cut = cut_attribute,
    .annotate = mlir_annotate,
    .add_barrier = add_barrier,
    .spell_added = spell_added,
};
