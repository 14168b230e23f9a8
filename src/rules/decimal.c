/* decimal.c - see decimal.h.
 *
 * The C library rounds correctly, but reads the fraction as the locale has it.
 * So the point is taken out: "13.5" is read as "135e-1". */
#include "rules/decimal.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_DIGITS = 40, MOST_EXPONENT = 100000 };

/* Digits of a number without its point. */
struct digits {
  char text[MOST_DIGITS + 24];
  uint32_t count;
  int32_t exponent; /* of ten, that they are multiplied by */
  bool any;
};

/* Read digits of TEXT from AT on; behind the point each one lowers the
 * exponent, and what is too small to count raises it before. */
static uint32_t
read_digits(struct text text, uint32_t at, bool fraction,
            struct digits *digits) {
  for (; at < text.size; at++) {
    char c = text.data[at];
    if (c == '_' && digits->any)
      continue;
    if (c < '0' || c > '9')
      break;
    digits->any = true;
    if (c == '0' && digits->count == 0) {
      digits->exponent -= fraction; /* a zero in front says no more */
    } else if (digits->count < MOST_DIGITS) {
      digits->text[digits->count++] = c;
      digits->exponent -= fraction;
    } else if (digits->exponent < MOST_EXPONENT) {
      digits->exponent += !fraction;
    }
  }
  return at;
}

/* Read "e-12" of TEXT at AT, if it is there. */
static uint32_t
read_exponent(struct text text, uint32_t at, int32_t *exponent) {
  uint32_t i = at + 1;
  int32_t value = 0;
  if (at >= text.size || (text.data[at] != 'e' && text.data[at] != 'E'))
    return at;
  bool negative = i < text.size && text.data[i] == '-';
  i += i < text.size && (text.data[i] == '-' || text.data[i] == '+');
  uint32_t first = i;
  for (; i < text.size && text.data[i] >= '0' && text.data[i] <= '9'; i++)
    if (value < MOST_EXPONENT)
      value = value * 10 + (text.data[i] - '0');
  if (i == first)
    return at;
  *exponent += negative ? -value : value;
  return i;
}

uint32_t
decimal_read(struct text text, double *number) {
  struct digits digits = {.count = 0, .exponent = 0, .any = false};
  bool negative = text.size && text.data[0] == '-';
  uint32_t at = text.size && (negative || text.data[0] == '+') ? 1 : 0;
  at = read_digits(text, at, false, &digits);
  if (!digits.any)
    return 0;
  if (at + 1 < text.size && text.data[at] == '.' && text.data[at + 1] >= '0' &&
      text.data[at + 1] <= '9')
    at = read_digits(text, at + 1, true, &digits);
  at = read_exponent(text, at, &digits.exponent);
  if (digits.count == 0)
    digits.text[digits.count++] = '0';
  snprintf(digits.text + digits.count, sizeof digits.text - digits.count, "e%d",
           digits.exponent);
  *number = strtod(digits.text, NULL);
  if (negative)
    *number = -*number;
  return at;
}
