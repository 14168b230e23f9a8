/* hlo_type.c - types of HLO text: f32[2,<=8]{1,0:T(8,128)S(5)}, tuples.
 *
 * A spelling is parsed once; the type table knows it afterwards.  Bounded
 * dimensions count as their bounds, which is what XLA allocates.  Tiles are
 * read over: sizes are those of the elements. */
#include "readers/hlo.h"

#include <string.h>

/* N numbers in parentheses, with '*' for a dimension that is combined. */
static bool
skip_tile(struct hlo_cursor *cursor) {
  return hlo_peek(cursor) == '(' && hlo_group(cursor);
}

/* The number in the parentheses that follow. */
static bool
number_in_parentheses(struct hlo_reader *reader, uint64_t *number) {
  return hlo_expect(reader, '(') &&
         (hlo_number(&reader->cursor, number) ||
          hlo_expected(reader, "a number")) &&
         hlo_expect(reader, ')');
}

/* "(D,C+,S)": how each dimension is stored. */
static bool
read_dimension_kinds(struct hlo_reader *reader) {
  struct hlo_cursor *cursor = &reader->cursor;
  if (!hlo_expect(reader, '('))
    return false;
  while (!hlo_accept(cursor, ')')) {
    char c = hlo_peek(cursor);
    if (!c || !strchr("DCSH+~,", c))
      return hlo_expected(reader, "a dimension kind (D, C, S or H)");
    cursor->at++;
  }
  return true;
}

/* What stands behind the ':' of a layout. */
static bool
read_properties(struct hlo_reader *reader, struct type *type) {
  struct hlo_cursor *cursor = &reader->cursor;
  bool tiled = false;
  uint64_t number;
  while (hlo_peek(cursor) != '}') {
    uint32_t begin = cursor->at;
    char property = hlo_peek(cursor);
    cursor->at += cursor->at < cursor->end;
    if (property == 'T') {
      tiled = true;
      while (skip_tile(cursor))
        continue;
    } else if (property == 'S' || property == 'E' || property == 'L') {
      if (!number_in_parentheses(reader, &number))
        return false;
      if (property == 'S')
        type->memory_space = (uint32_t)number;
      if (property == 'E')
        type->packed_bits = (uint32_t)number;
    } else if (property == 'D') {
      if (!read_dimension_kinds(reader))
        return false;
    } else if (property == 'P' && tiled) {
      return hlo_fail(reader, (struct span){begin, begin + 1},
                      "a layout has tiles or a physical shape, not both");
    } else if (property && strchr("PMO#*", property)) {
      if (!hlo_group(cursor))
        return hlo_expected(reader, "'('");
    } else {
      cursor->at = begin;
      return hlo_expected(reader, "a layout property (T, S, E, L, D) or '}'");
    }
  }
  return true;
}

/* {1,0:...}; the minor-to-major order is as long as the type has dims. */
static bool
read_layout(struct hlo_reader *reader, struct type *type) {
  struct hlo_cursor *cursor = &reader->cursor;
  uint32_t begin = cursor->at, count = 0;
  uint64_t number;
  cursor->at++;
  while (hlo_number(cursor, &number)) {
    count++;
    if (number >= type->rank)
      return hlo_fail(reader, (struct span){begin, cursor->at},
                      "the layout names dimension %llu of a rank-%u type",
                      (unsigned long long)number, type->rank);
    if (!hlo_accept(cursor, ','))
      break;
  }
  if (count && count != type->rank)
    return hlo_fail(reader, (struct span){begin, cursor->at},
                    "the layout orders %u dimensions of a rank-%u type", count,
                    type->rank);
  if (hlo_accept(cursor, ':') && !read_properties(reader, type))
    return false;
  if (!hlo_expect(reader, '}'))
    return false;
  type->layout = source_text(reader->source, (struct span){begin, cursor->at});
  return true;
}

/* [2,<=8,?] into TYPE. */
static bool
read_dimensions(struct hlo_reader *reader, struct type *type) {
  struct hlo_cursor *cursor = &reader->cursor;
  VECTOR(uint64_t) dims = {NULL, 0, 0};
  struct arena *arena = reader->module->arena;
  if (!hlo_expect(reader, '['))
    return false;
  while (!hlo_accept(cursor, ']')) {
    uint64_t size = DIMENSION_DYNAMIC;
    if (!hlo_accept(cursor, '?')) {
      if (hlo_accept(cursor, '<') && !hlo_expect(reader, '='))
        return false;
      if (!hlo_number(cursor, &size) || size == DIMENSION_DYNAMIC)
        return hlo_expected(reader, "a dimension");
    }
    vector_push(arena, &dims, size);
    if (hlo_peek(cursor) != ']' && !hlo_expect(reader, ','))
      return false;
  }
  type->dims = dims.data;
  type->rank = dims.count;
  return true;
}

static bool
read_array(struct hlo_reader *reader, struct type *type) {
  struct span name;
  if (!hlo_identifier(&reader->cursor, false, &name))
    return hlo_expected(reader, "a type");
  struct text word = source_text(reader->source, name);
  type->kind = TYPE_TENSOR;
  type->dtype = dtype_by_hlo(word);
  if (text_is(word, "token")) {
    type->kind = TYPE_TOKEN;
  } else if (text_is(word, "opaque")) {
    type->kind = TYPE_UNKNOWN;
  } else if (text_is(word, "s1") || text_is(word, "u1")) {
    type->dtype = DTYPE_OTHER_INTEGER;
    type->element_bits = 1;
  } else if (type->dtype == DTYPE_NONE) {
    const char *names[DTYPE_COUNT];
    uint32_t count = 0;
    for (int i = 0; i < DTYPE_COUNT; i++)
      if (dtype_infos[i].hlo)
        names[count++] = dtype_infos[i].hlo;
    const char *near = text_nearest(word, names, count);
    return hlo_fail(reader, name, "no element type '%.*s'%s%s%s",
                    (int)word.size, word.data, near ? "; did you mean '" : "",
                    near ? near : "", near ? "'?" : "");
  }
  if (!read_dimensions(reader, type))
    return false;
  struct hlo_cursor walk = reader->cursor;
  if (hlo_peek(&walk) != '{' || walk.at >= reader->cursor.end)
    return true;
  reader->cursor.at = walk.at;
  return read_layout(reader, type);
}

static bool
read_tuple(struct hlo_reader *reader, struct type *type) {
  struct hlo_cursor *cursor = &reader->cursor;
  VECTOR(type_id) parts = {NULL, 0, 0};
  type_id part;
  type->kind = TYPE_TUPLE;
  if (++reader->depth > HLO_DEPTH)
    return hlo_fail(reader, (struct span){cursor->at, cursor->at + 1},
                    "tuples are nested more than %d deep", HLO_DEPTH);
  hlo_expect(reader, '(');
  while (!hlo_accept(cursor, ')')) {
    if (!hlo_read_type(reader, &part))
      return false;
    vector_push(reader->module->arena, &parts, part);
    if (hlo_peek(cursor) != ')' && !hlo_expect(reader, ','))
      return false;
  }
  reader->depth--;
  type->parts = parts.data;
  type->part_count = parts.count;
  return true;
}

bool
hlo_read_type(struct hlo_reader *reader, type_id *type) {
  struct span span;
  if (!hlo_type_extent(&reader->cursor, &span))
    return hlo_expected(reader, "a type");
  struct text spelling = source_text(reader->source, span);
  *type = type_find(reader->module->types, spelling);
  if (*type != TYPE_NONE)
    return true;
  uint32_t end = reader->cursor.end;
  struct type parsed;
  memset(&parsed, 0, sizeof parsed);
  parsed.spelling = spelling;
  reader->cursor.at = span.begin;
  reader->cursor.end = span.end;
  bool read = reader->source->text[span.begin] == '('
                  ? read_tuple(reader, &parsed)
                  : read_array(reader, &parsed);
  reader->cursor.end = end;
  if (read)
    *type = type_enter(reader->module->types, &parsed);
  return read;
}

bool
hlo_same_type(const struct type_table *types, type_id a, type_id b) {
  if (a == b)
    return true;
  const struct type *x = type_get(types, a), *y = type_get(types, b);
  if (x->kind != y->kind || x->dtype != y->dtype || x->rank != y->rank ||
      x->part_count != y->part_count)
    return false;
  for (uint32_t i = 0; i < x->rank; i++)
    if (x->dims[i] != y->dims[i])
      return false;
  for (uint32_t i = 0; i < x->part_count; i++)
    if (!hlo_same_type(types, x->parts[i], y->parts[i]))
      return false;
  return true;
}
