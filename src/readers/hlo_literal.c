/* hlo_literal.c - is the value of a constant one of its type?
 *
 * Braces as deep as the type's rank, as many values as it has elements, each
 * in the range of the element type.  "..." stands for values that the printer
 * left out, anywhere.  O(text of the literal). */
#include "readers/hlo.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The largest magnitude that rounds to a finite value, 0 where it is not
 * checked. */
static double
largest(enum dtype dtype) {
  switch (dtype) {
  case DTYPE_F16:
    return 65520.0;
  case DTYPE_BF16:
    return 3.3961775e38;
  case DTYPE_F32:
  case DTYPE_C64:
    return 3.4028235678e38;
  case DTYPE_F64:
  case DTYPE_C128:
    return 1.7976931348623157e308;
  default:
    return 0;
  }
}

/* Does DTYPE have more than one NaN, so that a payload means something? */
static bool
has_payloads(enum dtype dtype) {
  switch (dtype) {
  case DTYPE_F8E5M2:
  case DTYPE_F8E4M3:
  case DTYPE_F8E3M4:
  case DTYPE_F16:
  case DTYPE_BF16:
  case DTYPE_F32:
  case DTYPE_F64:
  case DTYPE_C64:
  case DTYPE_C128:
    return true;
  default:
    return false;
  }
}

static bool
integer_fits(const char *number, enum dtype dtype) {
  uint32_t bits = dtype_infos[dtype].bits;
  bool negative = number[0] == '-';
  char *end;
  unsigned long long magnitude = strtoull(number + negative, &end, 10);
  if (*end || bits == 0 || bits > 64)
    return *end == '\0';
  if (strlen(number + negative) > 20 || (magnitude == ULLONG_MAX && bits < 64))
    return false;
  bool is_signed = dtype_infos[dtype].class == DTYPE_CLASS_INTEGER;
  if (negative && !is_signed)
    return bits >= 32; /* read as its two's complement */
  uint64_t limit = is_signed    ? ((uint64_t)1 << (bits - 1)) - !negative
                   : bits == 64 ? UINT64_MAX
                                : ((uint64_t)1 << bits) - 1;
  return magnitude <= limit;
}

static bool
float_fits(const char *number, enum dtype dtype) {
  char *end;
  double value = strtod(number, &end);
  double limit = largest(dtype);
  return *end == '\0' && end != number && (limit == 0 || fabs(value) <= limit);
}

/* "nan", "inf", "-nan(0x1)". */
static bool
read_special(struct hlo_reader *reader, enum dtype dtype) {
  struct hlo_cursor *cursor = &reader->cursor;
  uint32_t begin = cursor->at;
  if (!hlo_accept_word(cursor, "nan"))
    return hlo_accept_word(cursor, "inf") || hlo_expected(reader, "a number");
  if (hlo_peek(cursor) == '(' && hlo_group(cursor) && !has_payloads(dtype))
    return hlo_fail(reader, (struct span){begin, cursor->at},
                    "this element type has one NaN, without payload");
  return true;
}

/* A number of DTYPE: one part of a complex one. */
static bool
read_number(struct hlo_reader *reader, enum dtype dtype) {
  struct hlo_cursor *cursor = &reader->cursor;
  char copy[400];
  hlo_blanks(cursor);
  uint32_t begin = cursor->at, at = begin, size;
  at +=
      at < cursor->end && (cursor->text[at] == '-' || cursor->text[at] == '+');
  if (at < cursor->end &&
      (cursor->text[at] == 'n' || cursor->text[at] == 'i')) {
    cursor->at = at;
    return read_special(reader, dtype);
  }
  while (at < cursor->end &&
         strchr("0123456789.eE+-xXabcdefABCDEFpP", cursor->text[at]) &&
         cursor->text[at])
    at++;
  size = at - begin;
  if (size == 0 || size >= sizeof copy)
    return hlo_expected(reader, "a number");
  memcpy(copy, cursor->text + begin, size);
  copy[size] = '\0';
  cursor->at = at;
  enum dtype_class class = dtype_infos[dtype].class;
  bool whole = class == DTYPE_CLASS_INTEGER || class == DTYPE_CLASS_UNSIGNED;
  if (whole ? integer_fits(copy, dtype) : float_fits(copy, dtype))
    return true;
  return hlo_fail(reader, (struct span){begin, at},
                  "'%s' is not a value of the constant's type", copy);
}

static bool
read_value(struct hlo_reader *reader, enum dtype dtype) {
  struct hlo_cursor *cursor = &reader->cursor;
  if (hlo_accept_word(cursor, "true") || hlo_accept_word(cursor, "false"))
    return true;
  if (hlo_peek(cursor) != '(')
    return read_number(reader, dtype);
  return hlo_accept(cursor, '(') && read_number(reader, dtype) &&
         hlo_expect(reader, ',') && read_number(reader, dtype) &&
         hlo_expect(reader, ')');
}

static bool
accept_dots(struct hlo_cursor *cursor) {
  hlo_blanks(cursor);
  if (cursor->end - cursor->at < 3 ||
      memcmp(cursor->text + cursor->at, "...", 3) != 0)
    return false;
  cursor->at += 3;
  return true;
}

/* The braces of dimension DEPTH of TYPE, or a value below the last. */
static bool
read_dimension(struct hlo_reader *reader, const struct type *type,
               uint32_t depth) {
  struct hlo_cursor *cursor = &reader->cursor;
  if (accept_dots(cursor))
    return true;
  if (depth == type->rank)
    return read_value(reader, type->dtype);
  uint32_t begin = cursor->at;
  uint64_t count = 0;
  if (!hlo_expect(reader, '{'))
    return false;
  while (!hlo_accept(cursor, '}')) {
    if (accept_dots(cursor))
      count = type->dims[depth];
    else if (!read_dimension(reader, type, depth + 1))
      return false;
    else
      count++;
    if (hlo_peek(cursor) != '}' && !hlo_expect(reader, ','))
      return false;
  }
  if (count == type->dims[depth] || type->dims[depth] == DIMENSION_DYNAMIC)
    return true;
  return hlo_fail(reader, (struct span){begin, cursor->at},
                  "%llu values where dimension %u has %llu",
                  (unsigned long long)count, depth,
                  (unsigned long long)type->dims[depth]);
}

static bool
read_literal(struct hlo_reader *reader, type_id id) {
  struct hlo_cursor *cursor = &reader->cursor;
  const struct type *type = type_get(reader->module->types, id);
  struct span skipped;
  if (hlo_peek(cursor) != '(' && hlo_looks_like_type(cursor))
    hlo_type_extent(cursor, &skipped);
  if (type->kind == TYPE_TENSOR)
    return type->rank > HLO_DEPTH || read_dimension(reader, type, 0);
  if (type->kind != TYPE_TUPLE) {
    cursor->at = cursor->end;
    return true;
  }
  if (accept_dots(cursor))
    return true;
  if (!hlo_expect(reader, '('))
    return false;
  for (uint32_t i = 0; i < type->part_count; i++)
    if ((i && !hlo_expect(reader, ',')) ||
        !read_literal(reader, type->parts[i]))
      return false;
  return hlo_expect(reader, ')');
}

bool
hlo_check_literal(struct hlo_reader *reader, struct span literal,
                  type_id type) {
  struct hlo_cursor outer = reader->cursor;
  reader->cursor.at = literal.begin;
  reader->cursor.end = literal.end;
  bool read = read_literal(reader, type);
  if (read &&
      (hlo_peek(&reader->cursor) || reader->cursor.at != reader->cursor.end))
    read = hlo_expected(reader, "the end of the literal");
  reader->cursor = outer;
  return read;
}
