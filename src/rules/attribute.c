/* attribute.c - attributes of the dump as texts, numbers and lists.
 *
 * The formats spell one thing in many ways: "[0, 1]", "{0,1}",
 * "array<i64: 0, 1>", "dense<[0, 1]> : tensor<2xi64>", "3x3".  What is read
 * here is the least that they have in common. */
#include "rules/evaluate.h"

#include <stdlib.h>
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

bool
attribute_number(struct text text, double *number) {
  char digits[48];
  uint32_t size = 0, at = 0;
  if (text_starts(text, "true") || text_starts(text, "false")) {
    *number = text.data[0] == 't';
    return true;
  }
  if (text_starts(text, "dense<"))
    at = 6;
  while (at < text.size && size + 1 < sizeof digits &&
         strchr("0123456789+-.eE", text.data[at]))
    digits[size++] = text.data[at++];
  digits[size] = '\0';
  char *end;
  *number = strtod(digits, &end);
  return size && end == digits + size && end > digits && *number - *number == 0;
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
