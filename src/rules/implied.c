/* implied.c - result types that a pretty form does not print, from facts.
 *
 * Readers ask before there is a module, so only statements without a guard
 * count.  A type that follows from another one is spelt, and the reader that
 * asks makes a type of the spelling. */
#include "rules/evaluate.h"
#include "rules/syntax.h"

#include <string.h>

static const struct fact_row *
types_of_statement(const struct rules *rules, uint32_t row) {
  const struct statement_row *statement = &rules->statements[row];
  for (uint32_t i = 0; statement->guard.count == 0 && i < statement->fact_count;
       i++) {
    const struct fact_row *fact = &rules->facts[statement->first_fact + i];
    if (fact->key == KEY_RESULT_TYPE)
      return fact;
  }
  return NULL;
}

/* The fact that says the result types of the op NAME, or NULL. */
static const struct fact_row *
find_types(const struct rules *rules, struct text name) {
  const struct fact_row *fact = NULL;
  const struct name_row *row = find_name(rules, name, FORMAT_MLIR);
  for (uint32_t i = 0; row && i < row->count && !fact; i++)
    fact = types_of_statement(rules, rules->name_statements[row->first + i]);
  for (uint32_t i = 0; i < rules->glob_count && !fact; i++)
    if (rules->globs[i].format == FORMAT_MLIR &&
        text_glob(text_of(rules->strings[rules->globs[i].pattern]), name))
      fact = types_of_statement(rules, rules->globs[i].statement);
  return fact;
}

/* The element type's own spelling, as it stands in BASE: behind the last 'x'
 * or '<' that is not inside of another type. */
static struct text
element_text(const struct type *base) {
  struct text spelling = base->spelling;
  uint32_t at = 0, depth = 0;
  if (base->kind == TYPE_SCALAR)
    return spelling;
  while (at < spelling.size && spelling.data[at] != '<')
    at++;
  at++;
  for (uint32_t i = 0; i < base->rank + base->unranked; i++) {
    while (at < spelling.size && spelling.data[at] != 'x')
      at++;
    at++;
  }
  uint32_t end = at;
  for (; end < spelling.size; end++) {
    char c = spelling.data[end];
    if (depth == 0 && (c == '>' || c == ','))
      break;
    depth += c == '<';
    depth -= c == '>';
  }
  if (at >= spelling.size)
    return TEXT("");
  return (struct text){spelling.data + at, end - at};
}

/* "complex<f32>" without its "complex<>", or with one around. */
static struct text
complex_text(struct arena *arena, struct text element, bool complex) {
  bool is = text_starts(element, "complex<") && text_ends(element, ">");
  if (is == complex)
    return element;
  if (is)
    return (struct text){element.data + 8, element.size - 9};
  return text_of(
      arena_printf(arena, "complex<%.*s>", (int)element.size, element.data));
}

/* BASE's shape with ELEMENT. */
static struct text
shaped_text(struct arena *arena, const struct type *base, struct text element,
            bool tensor) {
  struct buffer out = {.arena = arena};
  buffer_string(&out, base->kind == TYPE_VECTOR              ? "vector<"
                      : base->kind == TYPE_MEMREF && !tensor ? "memref<"
                                                             : "tensor<");
  buffer_string(&out, base->unranked ? "*x" : "");
  for (uint32_t i = 0; i < base->rank; i++)
    if (base->dims[i] == DIMENSION_DYNAMIC)
      buffer_string(&out, "?x");
    else
      buffer_printf(&out, "%llux", (unsigned long long)base->dims[i]);
  buffer_text(&out, element);
  if (base->layout.size && !tensor) {
    buffer_string(&out, ", ");
    buffer_text(&out, base->layout);
  }
  buffer_string(&out, ">");
  const char *text = buffer_finish(&out);
  return (struct text){text, (uint32_t)out.size};
}

/* What ROW makes of the type BASE. */
static type_id
type_from(const struct type_row *row, struct type_table *table, type_id id,
          const struct rules_implied_input *input) {
  if (id == TYPE_NONE)
    return id;
  struct type base = *type_get(table, id);
  struct text element = element_text(&base);
  bool changes = row->dtype != DTYPE_NONE || row->real || row->complex;
  if (!changes && !row->tensor && !(row->element && base.kind != TYPE_SCALAR))
    return id;
  if (row->dtype != DTYPE_NONE)
    element = text_of(dtype_infos[row->dtype].name);
  else if (row->real || row->complex)
    element = complex_text(table->arena, element, row->complex);
  if (!element.size)
    return TYPE_NONE;
  if (row->element || base.kind == TYPE_SCALAR)
    return input->parse(input->user, element);
  return input->parse(input->user,
                      shaped_text(table->arena, &base, element, row->tensor));
}

/* The type that ROW gives result RESULT of COUNT. */
static type_id
type_of_row(const struct rules *rules, const struct type_row *row,
            struct type_table *table, uint32_t result, uint32_t count,
            const struct rules_implied_input *input) {
  bool printed = row->base == BASE_PRINTED;
  const type_id *types = printed ? input->printed : input->operands;
  int32_t known =
      (int32_t)(printed ? input->printed_count : input->operand_count);
  int32_t index = row->index;
  if (row->base == BASE_DTYPE)
    return input->parse(input->user, text_of(dtype_infos[row->dtype].name));
  if (row->base == BASE_SPELLED)
    return input->parse(input->user, text_of(rules->strings[row->spelling]));
  if (row->base == BASE_DESTINATION)
    index = known - (int32_t)count + (int32_t)result;
  else if (index <= OPERAND_FROM_END)
    index += known - OPERAND_FROM_END;
  if (index < 0 || index >= known)
    return TYPE_NONE;
  return type_from(row, table, types[index], input);
}

int
rules_implied_types(const struct rules *rules, struct type_table *types,
                    struct text name, const struct rules_implied_input *input,
                    type_id *results, uint32_t count) {
  const struct fact_row *fact = find_types(rules, name);
  if (!fact || fact->type_count == 0)
    return IMPLIED_NOTHING;
  const struct type_row *rows = &rules->types[fact->first_type];
  if (rows->silent && input->printed_count)
    return IMPLIED_NOTHING;
  if (rows->base == BASE_NONE)
    return 0;
  for (uint32_t i = 0; i < count; i++) {
    const struct type_row *row =
        &rows[i < fact->type_count ? i : fact->type_count - 1];
    results[i] = row->base == BASE_UNKNOWN
                     ? TYPE_NONE
                     : type_of_row(rules, row, types, i, count, input);
    if (results[i] == TYPE_NONE)
      return IMPLIED_UNKNOWN;
  }
  return (int)count;
}
