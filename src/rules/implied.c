/* implied.c - result types that a pretty form does not print, from facts.
 *
 * Readers ask before there is a module, so only statements without a guard
 * count. */
#include "rules/evaluate.h"
#include "rules/syntax.h"

#include <string.h>

/* The rows of result types for the op NAME, or NULL. */
static const struct fact_row *
find_types(const struct rules *rules, struct text name) {
  uint32_t low = 0, high = rules->name_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    const struct name_row *row = &rules->names[middle];
    const char *string = rules->strings[row->name];
    int order = row->format - (int)FORMAT_MLIR;
    if (order == 0)
      order = strncmp(string, name.data, name.size);
    if (order == 0)
      order = string[name.size] != '\0';
    if (order < 0) {
      low = middle + 1;
      continue;
    }
    if (order > 0) {
      high = middle;
      continue;
    }
    for (uint32_t i = 0; i < row->count; i++) {
      const struct statement_row *statement =
          &rules->statements[rules->name_statements[row->first + i]];
      for (uint32_t k = 0; k < statement->fact_count; k++) {
        const struct fact_row *fact = &rules->facts[statement->first_fact + k];
        if (fact->key == KEY_RESULT_TYPE && statement->guard.count == 0)
          return fact;
      }
    }
    return NULL;
  }
  return NULL;
}

/* A type's words with another element type; SCALAR leaves the shape out. */
static type_id
with_dtype(struct type_table *table, const struct type *base, enum dtype dtype,
           struct text element, bool scalar) {
  struct type type = *base;
  struct buffer spelling = {.arena = table->arena};
  if (scalar) {
    type.kind = TYPE_SCALAR;
    type.rank = 0;
    type.unranked = type.dynamic = false;
    type.layout = TEXT("");
    buffer_text(&spelling, element);
  } else {
    const char *kind = base->kind == TYPE_VECTOR   ? "vector<"
                       : base->kind == TYPE_MEMREF ? "memref<"
                                                   : "tensor<";
    buffer_string(&spelling, kind);
    if (type.unranked)
      buffer_string(&spelling, "*x");
    for (uint32_t i = 0; i < type.rank; i++)
      if (type.dims[i] == DIMENSION_DYNAMIC)
        buffer_string(&spelling, "?x");
      else
        buffer_printf(&spelling, "%llux", (unsigned long long)type.dims[i]);
    buffer_text(&spelling, element);
    if (type.layout.size) {
      buffer_string(&spelling, ", ");
      buffer_text(&spelling, type.layout);
    }
    buffer_string(&spelling, ">");
  }
  const char *text = buffer_finish(&spelling);
  type.spelling = (struct text){text, (uint32_t)spelling.size};
  type_id known = type_find(table, type.spelling);
  if (known != TYPE_NONE)
    return known;
  type.dtype = dtype;
  type.element_bits =
      dtype_infos[dtype].bits ? dtype_infos[dtype].bits : base->element_bits;
  return type_enter(table, &type);
}

/* The element type's own spelling, as it stands in BASE. */
static struct text
element_text(const struct type *base, enum dtype dtype) {
  if (dtype_infos[dtype].name)
    return text_of(dtype_infos[dtype].name);
  const char *begin = base->spelling.data;
  uint32_t size = base->spelling.size, at = size;
  for (uint32_t i = 0; i + 1 < size; i++)
    if (begin[i] == 'x' || begin[i] == '<')
      at = i + 1;
  uint32_t end = at;
  while (end < size && begin[end] != '>' && begin[end] != ',')
    end++;
  return (struct text){begin + at, end - at};
}

static enum dtype
real_of(enum dtype dtype) {
  return dtype == DTYPE_C64    ? DTYPE_F32
         : dtype == DTYPE_C128 ? DTYPE_F64
                               : dtype;
}

static enum dtype
complex_of(enum dtype dtype) {
  return dtype == DTYPE_F32   ? DTYPE_C64
         : dtype == DTYPE_F64 ? DTYPE_C128
                              : dtype;
}

static type_id
scalar_type(struct type_table *table, enum dtype dtype) {
  static const struct type none;
  return with_dtype(table, &none, dtype, text_of(dtype_infos[dtype].name),
                    true);
}

static type_id
type_of_row(const struct type_row *row, struct type_table *table,
            const struct rules_implied_input *input) {
  bool printed = row->base == BASE_PRINTED;
  uint32_t count = printed ? input->printed_count : input->operand_count;
  int32_t index = row->index;
  if (index <= OPERAND_FROM_END)
    index += (int32_t)count - OPERAND_FROM_END;
  if (index < 0 || (uint32_t)index >= count)
    return TYPE_NONE;
  type_id id = printed ? input->printed[index] : input->operands[index];
  if (id == TYPE_NONE)
    return id;
  struct type base = *type_get(table, id);
  enum dtype dtype = base.dtype;
  if (row->dtype != DTYPE_NONE)
    dtype = (enum dtype)row->dtype;
  if (row->real)
    dtype = real_of(dtype);
  if (row->complex)
    dtype = complex_of(dtype);
  bool scalar = row->element || base.kind == TYPE_SCALAR;
  if (dtype == base.dtype && (!row->element || base.kind == TYPE_SCALAR))
    return id;
  return with_dtype(table, &base, dtype, element_text(&base, dtype), scalar);
}

int
rules_implied_types(const struct rules *rules, struct type_table *types,
                    struct text name, const struct rules_implied_input *input,
                    type_id *results, uint32_t capacity) {
  const struct fact_row *fact = find_types(rules, name);
  if (!fact || fact->type_count > capacity)
    return -1;
  for (uint32_t i = 0; i < fact->type_count; i++) {
    const struct type_row *row = &rules->types[fact->first_type + i];
    if (row->base == BASE_NONE)
      return 0;
    results[i] = row->base == BASE_DTYPE
                     ? scalar_type(types, (enum dtype)row->dtype)
                     : type_of_row(row, types, input);
    if (results[i] == TYPE_NONE)
      return -1;
  }
  return (int)fact->type_count;
}
