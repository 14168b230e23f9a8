/* mlir_format.c - what passes and the printer ask of MLIR text: its table.
 *
 * Here are spellings of copies and the cutting of attributes out of the text;
 * the rest stands in files of its own.  Linear in an op's header. */
#include "readers/mlir.h"
#include "support/buffer.h"

#include <string.h>

static const char *
skip_blank(const char *p, const char *end) {
  bool newline;
  return mlir_skip_space(p, end, &newline);
}

/* Where the entry KEY of the dictionary INSIDE stands, with the comma that goes
 * with it.  *ALONE: it is the only one. */
static bool
find_entry(struct text inside, struct text key, struct text *found,
           bool *alone) {
  const char *p = inside.data, *end = p + inside.size;
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
  if (!memmem(begin, scope.end - scope.begin, key.data, key.size))
    return false;
  if (mlir_is_dictionary(begin, end))
    good = find_entry(mlir_text(begin, end), key, &found, &alone);
  for (const char *p = skip_blank(begin, end); !good && p < end;
       p = skip_blank(p, end)) {
    const char *behind = mlir_skip_token(p, end);
    good = mlir_dictionary_at(p, end, &inside) &&
           find_entry(inside, key, &found, &alone);
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

const struct ir_format mlir_format = {
    .name = "mlir",
    .attribute = mlir_attribute,
    .spell_copy = spell_copy,
    .cut = cut_attribute,
    .annotate = mlir_annotate,
    .has_barrier = mlir_has_barrier,
    .add_barrier = mlir_add_barrier,
    .spell_added = mlir_spell_added,
    .spelling = &mlir_spelling,
    .canonical = mlir_canonical,
};
