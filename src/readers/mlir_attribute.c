/* mlir_attribute.c - looking up attributes in the text of a finished module.
 *
 * The text was read without error, so nothing is checked here again.
 * Attributes stand in dictionaries "{key = value}" and "<{...}>", in the header
 * of a pretty form ("dim = 1"), and as parameters of others
 * ("#stablehlo.dot<lhs_contracting_dimensions = [1]>"); a look-up tries them
 * in this order.  Each takes time linear in the header. */
#include "readers/mlir.h"

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

/* What is looked for, and the value once it is found. */
struct lookup {
  struct text key;
  bool nested; /* as a parameter of an attribute too */
  struct text value;
};

static bool find_in_dictionary(struct text inside, struct lookup *lookup);

/* Look among the parameters of ATTRIBUTE, "#name<...>". */
static bool
find_in_parameters(struct text attribute, struct lookup *lookup) {
  const char *open = memchr(attribute.data, '<', attribute.size);
  if (!attribute.size || *attribute.data != '#' || !open)
    return false;
  const char *end = attribute.data + attribute.size;
  const char *close = mlir_skip_group(open, end, NULL);
  return close && find_in_dictionary(mlir_text(open + 1, close - 1), lookup);
}

/* Look among the entries of a dictionary, INSIDE. */
static bool
find_in_dictionary(struct text inside, struct lookup *lookup) {
  const char *p = inside.data, *end = p + inside.size;
  struct mlir_entry entry;
  while (mlir_next_entry(&p, end, &entry)) {
    if (text_equal(entry.key, lookup->key)) {
      lookup->value = unwrapped(entry.value);
      return true;
    }
    if (lookup->nested && find_in_parameters(entry.value, lookup))
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

bool
mlir_is_dictionary(const char *p, const char *end) {
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

const char *
mlir_skip_token(const char *p, const char *end) {
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

bool
mlir_dictionary_at(const char *p, const char *end, struct text *inside) {
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

/* Look at "KEY = VALUE" in a header.  "attrs = {...}" is a dictionary too. */
static bool
find_in_pair(struct text key, struct text value, struct lookup *lookup) {
  struct text inside;
  if (text_equal(key, lookup->key)) {
    lookup->value = value;
    return true;
  }
  return (text_is(key, "attrs") &&
          mlir_dictionary_at(value.data, value.data + value.size, &inside) &&
          find_in_dictionary(inside, lookup)) ||
         (lookup->nested && find_in_parameters(value, lookup));
}

/* Look in the header of an op from P to END. */
static bool
find_in_header(const char *p, const char *end, struct lookup *lookup) {
  struct text inside;
  for (p = skip_blank(p, end); p < end; p = skip_blank(p, end)) {
    const char *behind = mlir_skip_token(p, end);
    if (mlir_dictionary_at(p, end, &inside) &&
        find_in_dictionary(inside, lookup))
      return true;
    if (*p == '@' && is_symbol_key(lookup->key)) {
      lookup->value = mlir_text(p + 1, behind);
      return true;
    }
    const char *next = skip_blank(behind, end);
    if (mlir_is(*p, CHAR_ALPHA) && next < end && *next == '=' &&
        next[1] != '=') {
      struct text value = header_value(next + 1, end);
      if (find_in_pair(mlir_text(p, behind), value, lookup))
        return true;
      behind = value.data + value.size;
    }
    p = behind > p ? behind : p + 1;
  }
  return false;
}

bool
mlir_attribute(const struct ir_module *module, struct span scope,
               struct text key, struct span *value) {
  const char *text = module->source->text;
  const char *p = text + scope.begin, *end = text + scope.end;
  struct lookup lookup = {key, false, {NULL, 0}};
  /* Most ops have none of what is asked for: a look at the letters says so. */
  if (!is_symbol_key(key) && !memmem(p, (size_t)(end - p), key.data, key.size))
    return false;
  bool dictionary = mlir_is_dictionary(p, end), found = false;
  for (int nested = 0; nested < 2 && !found; nested++) {
    lookup.nested = nested;
    found = dictionary ? find_in_dictionary(mlir_text(p, end), &lookup)
                       : find_in_header(p, end, &lookup);
  }
  if (!found)
    return false;
  value->begin = (uint32_t)(lookup.value.data - text);
  value->end = value->begin + lookup.value.size;
  return true;
}
