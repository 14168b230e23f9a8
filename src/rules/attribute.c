/* attribute.c - attributes of the dump as texts, numbers and lists.
 *
 * The formats spell one thing in many ways: "[0, 1]", "{0,1}",
 * "array<i64: 0, 1>", "dense<[0, 1]> : tensor<2xi64>", "3x3".  What is read
 * here is the least that they have in common. */
#include "rules/decimal.h"
#include "rules/evaluate.h"

#include <ctype.h>
#include <string.h>

bool
attribute_text(struct evaluation *evaluation, const char *name,
               struct text *text) {
  if (!evaluation->module || evaluation->op == NONE ||
      !ir_attribute(evaluation->module, evaluation->op, name, text))
    return false;
  if (text->size > 1 && text->data[0] == '"' &&
      text->data[text->size - 1] == '"') {
    text->data++;
    text->size -= 2;
  }
  return true;
}

static bool
is_key_character(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '-';
}

/* Note every word before a '=' in the op's text; give up where there are
 * many, or regions, whose text is not the op's own. */
static void
find_keys(struct evaluation *e) {
  struct text text =
      source_text(e->module->source, ir_op_span(e->module, e->op));
  const char *at = text.data, *end = text.data + text.size;
  e->keys_known = true;
  e->key_count = 0;
  if (e->module->op_region[e->op] != NONE) {
    e->key_count = MOST_KEYS;
    return;
  }
  while (e->key_count < MOST_KEYS &&
         (at = memchr(at, '=', (size_t)(end - at))) != NULL) {
    const char *last = at;
    while (last > text.data && (last[-1] == ' ' || last[-1] == '"'))
      last--;
    const char *first = last;
    while (first > text.data && is_key_character(first[-1]))
      first--;
    e->keys[e->key_count++] = (struct text){first, (uint32_t)(last - first)};
    at++;
  }
}

bool
attribute_valued(struct evaluation *e, const char *name, struct text *text) {
  if (!e->module || e->op == NONE)
    return false;
  if (!e->keys_known)
    find_keys(e);
  bool possible = e->key_count == MOST_KEYS;
  for (uint32_t i = 0; i < e->key_count && !possible; i++)
    possible = e->keys[i].size && e->keys[i].data[0] == name[0] &&
               text_is(e->keys[i], name);
  return possible && attribute_text(e, name, text);
}

bool
attribute_possible(struct evaluation *e, const char *const *names,
                   uint32_t count) {
  if (!e->keys_known)
    find_keys(e);
  if (e->key_count == MOST_KEYS)
    return true;
  for (uint32_t i = 0; i < e->key_count; i++)
    for (uint32_t k = 0; k < count; k++)
      if (e->keys[i].size && e->keys[i].data[0] == names[k][0] &&
          text_is(e->keys[i], names[k]))
        return true;
  return false;
}

bool
attribute_number(struct text text, double *number) {
  if (text_starts(text, "true") || text_starts(text, "false")) {
    *number = text.data[0] == 't';
    return true;
  }
  if (text_starts(text, "dense<"))
    text = (struct text){text.data + 6, text.size - 6};
  return decimal_read(text, number) && *number - *number == 0;
}

/* Behind the prefix of TEXT that only says what kind of list it is. */
static uint32_t
list_prefix(struct text text) {
  const char *colon;
  if (text_starts(text, "dense<"))
    return 6;
  if (!text_starts(text, "array<"))
    return 0;
  colon = memchr(text.data, ':', text.size);
  return colon ? (uint32_t)(colon - text.data) + 1 : text.size;
}

int
attribute_list(struct text text, int64_t *numbers, int capacity) {
  int count = 0;
  for (uint32_t i = list_prefix(text); i < text.size;) {
    char c = text.data[i];
    if (c == '>' || c == ':')
      break;
    if (strchr(" ,[]{}x_\n", c)) {
      i++;
      continue;
    }
    bool negative = c == '-';
    uint64_t value = 0;
    i += negative;
    if (i == text.size || text.data[i] < '0' || text.data[i] > '9')
      return -1;
    for (; i < text.size && text.data[i] >= '0' && text.data[i] <= '9'; i++) {
      if (value > INT64_MAX / 16)
        return -1;
      value = value * 10 + (uint64_t)(text.data[i] - '0');
    }
    if (count == capacity)
      return -1;
    numbers[count++] = negative ? -(int64_t)value : (int64_t)value;
  }
  return count;
}
