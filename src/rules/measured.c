/* measured.c - measured rows, each for exactly one shape.
 *
 * A row gives either the result's element type and extents (and behind them
 * the contracted extent), or the types of all operands and results.  Rows are
 * sorted by op name. */
#include "rules/compile.h"

#include <stdlib.h>
#include <string.h>

static void
push_integer(struct compilation *c, struct measured_row *row, int64_t value) {
  vector_push(c->arena, &c->integers, value);
  row->shape.count++;
}

static void
add_extents(struct compilation *c, const struct statement *statement,
            struct measured_row *row) {
  row->dtype = (uint8_t)dtype_named(c, statement->words->word);
  for (const struct node *n = statement->workspace->first; n; n = n->next) {
    if (n->kind != NODE_NUMBER || n->number != (double)(int64_t)n->number ||
        !dimension_equal(n->dimension, DIMENSION_PLAIN)) {
      if (n->kind != NODE_ERROR)
        complain(c, n->where, "an extent is a whole number");
      return;
    }
    push_integer(c, row, (int64_t)n->number);
  }
}

static void
add_types(struct compilation *c, struct type_table *types,
          const struct type_text *list, struct measured_row *row) {
  for (; list; list = list->next) {
    type_id id = sample_type(types, list->word.text);
    if (id == TYPE_NONE || type_get(types, id)->dynamic) {
      complain(c, list->word.where, "'%.*s' is no type of known extents",
               (int)list->word.text.size, list->word.text.data);
      return;
    }
    const struct type *type = type_get(types, id);
    push_integer(c, row, type->dtype);
    push_integer(c, row, type->rank);
    for (uint32_t i = 0; i < type->rank; i++)
      push_integer(c, row, (int64_t)type->dims[i]);
  }
}

static void
add_row(struct compilation *c, const struct statement *block,
        const struct statement *statement, uint32_t device) {
  static const struct expected time = {{0, 1, 0}, false, "a measured time"};
  struct measured_row row = {.device = device,
                             .name = intern(c, statement->name.text),
                             .source = intern(c, block->string.text),
                             .signature = statement->words == NULL,
                             .shape = {c->integers.count, 0},
                             .place = place_of(c, statement->where)};
  if (!constant_number(c, statement->expression, &time, &row.ns))
    return;
  if (row.ns < 0)
    complain(c, statement->expression->where, "must not be negative");
  if (row.signature) {
    struct type_table *types = type_table_new(c->arena, STORAGE_PADDED);
    add_types(c, types, statement->signature.operands, &row);
    push_integer(c, &row, NONE);
    add_types(c, types, statement->signature.results, &row);
  } else {
    add_extents(c, statement, &row);
  }
  vector_push(c->arena, &c->measured, row);
}

static int
by_name(const void *left, const void *right) {
  const struct measured_row *a = left, *b = right;
  if (a->name != b->name)
    return a->name < b->name ? -1 : 1;
  if (a->place.file != b->place.file)
    return a->place.file < b->place.file ? -1 : 1;
  return a->place.line < b->place.line ? -1 : a->place.line > b->place.line;
}

void
compile_measured(struct compilation *c) {
  for (uint32_t f = 0; f < c->files.count; f++)
    for (const struct statement *s = c->files.data[f]->statements; s;
         s = s->next) {
      if (s->kind != STATEMENT_MEASURED)
        continue;
      uint32_t device = device_named(c, s->name);
      for (const struct statement *row = s->body; row && device != NONE;
           row = row->next)
        if (row->kind == STATEMENT_ROW)
          add_row(c, s, row, device);
    }
  if (c->measured.count)
    qsort(c->measured.data, c->measured.count, sizeof *c->measured.data,
          by_name);
}
