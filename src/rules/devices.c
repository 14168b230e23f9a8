/* devices.c - figures of devices, worked out.
 *
 * A figure's formula belongs to the device that states it and to all that are
 * like it, and is evaluated with the figures of each: `usable` of a family
 * follows the `memory` of its members.  A figure is evaluated when another
 * one asks for it, so their order in the file does not matter. */
#include "rules/compile.h"

#include <math.h>
#include <string.h>

/* --- values --- */

enum { VALUE_NEW, VALUE_BUSY, VALUE_READY };

/* How far each value is: by device, figure and column (a dtype, or the
 * fallback; only tables have more than column 0). */
struct evaluation_state {
  struct compilation *c;
  uint8_t *marks;
};

static void evaluate_figure(struct evaluation_state *state, uint32_t device,
                            uint32_t index, uint32_t column);

/* The number of the figure that instruction WORD reads, or NONE. */
static uint32_t
figure_read(const struct compilation *c, uint32_t word) {
  enum opcode opcode = (enum opcode)(word & 0xff);
  enum figure_kind kind = opcode == OPCODE_FIGURE  ? FIGURE_SCALAR
                          : opcode == OPCODE_CURVE ? FIGURE_CURVE
                                                   : FIGURE_TABLE;
  if (kind == FIGURE_TABLE && opcode != OPCODE_TABLE &&
      opcode != OPCODE_TABLE_OR)
    return NONE;
  for (uint32_t i = 0; i < c->figures.count; i++)
    if (c->figures.data[i].kind == kind &&
        c->figures.data[i].number == word >> 8)
      return i;
  return NONE;
}

/* Evaluate what the table look-up at CODE[I] may find: the columns that the
 * constants before it name, and the fallback where one of them is empty. */
static void
evaluate_columns(struct evaluation_state *state, uint32_t device,
                 uint32_t index, const uint32_t *code, uint32_t i) {
  const struct compilation *c = state->c;
  uint32_t count = (code[i] & 0xff) == OPCODE_TABLE ? 1 : 2;
  uint32_t columns[2] = {0, 0};
  for (uint32_t k = 0; k < count && k < i; k++)
    columns[k] = (uint32_t)c->constants.data[code[i - 1 - k] >> 8];
  bool fallback = true;
  for (uint32_t k = 0; k < count; k++) {
    fallback &= !definition_of(c, &c->figures.data[index], device, columns[k]);
    evaluate_figure(state, device, index, columns[k]);
  }
  if (fallback)
    evaluate_figure(state, device, index, DTYPE_COUNT);
}

/* Evaluate what CODE asks for.  Nested evaluation adds to the code, so it is
 * copied first. */
static void
evaluate_needs(struct evaluation_state *state, uint32_t device,
               struct code code) {
  struct compilation *c = state->c;
  uint32_t *copy = ARENA_ARRAY(c->arena, uint32_t, code.count + 1);
  memcpy(copy, c->code.data + code.first, code.count * sizeof *copy);
  for (uint32_t i = 0; i < code.count; i++) {
    uint32_t index = figure_read(c, copy[i]);
    if (index == NONE)
      continue;
    if (c->figures.data[index].kind == FIGURE_TABLE)
      evaluate_columns(state, device, index, copy, i);
    else
      evaluate_figure(state, device, index, 0);
  }
}

/* The value of NODE for DEVICE; NaN after a message or where it is not
 * known. */
static double
value_for(struct evaluation_state *state, uint32_t device, struct node *node,
          const struct expected *expected) {
  struct compilation *c = state->c;
  struct code code;
  if (!compile_number(c, node, IN_DEVICE, expected, &code))
    return NAN;
  evaluate_needs(state, device, code);
  struct rules rules = tables_now(c);
  struct evaluation evaluation = {.rules = &rules, .device = device};
  double value = evaluate(&evaluation, code);
  c->code.count = code.first;
  if (evaluation.error == EVALUATION_FINE && value < 0)
    evaluation.error = EVALUATION_NEGATIVE;
  if (evaluation.error != EVALUATION_FINE) {
    struct text name = c->devices.data[device].statement->name.text;
    complain(c, node->where, "for device '%.*s': %s", (int)name.size, name.data,
             evaluation_error_text(evaluation.error));
    return NAN;
  }
  return value;
}

static void
evaluate_curve(struct evaluation_state *state, uint32_t device,
               const struct figure *figure, struct definition *definition) {
  struct compilation *c = state->c;
  size_t at = (size_t)device * c->curves.count + figure->number;
  struct expected x = {figure->argument, false, "a point of the curve"};
  struct expected y = {figure->dimension, false, "a value of the curve"};
  VECTOR(struct curve_point) points = {NULL, 0, 0};
  for (struct node *n = definition->statement->expression; n;
       n = n->next->next) {
    struct curve_point point = {value_for(state, device, n, &x),
                                value_for(state, device, n->next, &y)};
    if (points.count && point.x <= points.data[points.count - 1].x) {
      complain(c, n->where, "the points of a curve must grow");
      definition->bad = true;
    }
    vector_push(c->arena, &points, point);
  }
  c->curve_ranges[at] = (struct integers){c->points.count, points.count};
  for (uint32_t i = 0; i < points.count; i++)
    vector_push(c->arena, &c->points, points.data[i]);
}

/* Evaluate DEFINITION, which counts for COLUMN of figure number INDEX. */
static void
evaluate_definition(struct evaluation_state *state, uint32_t device,
                    uint32_t index, uint32_t column,
                    struct definition *definition) {
  struct compilation *c = state->c;
  struct figure figure = c->figures.data[index];
  struct expected expected = {figure.dimension, false, figure.name};
  if (figure.kind == FIGURE_CURVE) {
    evaluate_curve(state, device, &figure, definition);
    return;
  }
  double value =
      value_for(state, device, definition->statement->expression, &expected);
  if (figure.kind == FIGURE_SCALAR)
    c->figure_values[(size_t)device * c->figure_rows.count + figure.number] =
        value;
  else
    c->table_values[((size_t)device * c->tables.count + figure.number) *
                        TABLE_WIDTH +
                    column] = value;
}

static void
evaluate_figure(struct evaluation_state *state, uint32_t device, uint32_t index,
                uint32_t column) {
  struct compilation *c = state->c;
  struct text name = c->devices.data[device].statement->name.text;
  uint8_t *mark =
      &state->marks[((size_t)device * c->figures.count + index) * TABLE_WIDTH +
                    column];
  struct definition *definition =
      definition_of(c, &c->figures.data[index], device, column);
  if (*mark == VALUE_BUSY && has_memory(c, device))
    complain(c, definition->statement->where,
             "'%s' of device '%.*s' is defined by itself",
             c->figures.data[index].name, (int)name.size, name.data);
  if (*mark != VALUE_NEW || !definition ||
      figure_type(c, &c->figures.data[index]).type == VALUE_ERROR)
    return;
  *mark = VALUE_BUSY;
  evaluate_definition(state, device, index, column, definition);
  *mark = VALUE_READY;
}

static void
make_room(struct compilation *c) {
  size_t devices = c->devices.count;
  size_t scalars = devices * c->figure_rows.count;
  size_t cells = devices * c->tables.count * TABLE_WIDTH;
  c->figure_values = ARENA_ARRAY(c->arena, double, scalars + 1);
  c->table_values = ARENA_ARRAY(c->arena, double, cells + 1);
  c->curve_ranges =
      ARENA_ARRAY(c->arena, struct integers, devices * c->curves.count + 1);
  for (size_t i = 0; i < scalars; i++)
    c->figure_values[i] = NAN;
  for (size_t i = 0; i < cells; i++)
    c->table_values[i] = NAN;
}

static void
note_dimensions(struct compilation *c) {
  c->table_dimensions =
      ARENA_ARRAY(c->arena, struct dimension, c->tables.count + 1);
  for (uint32_t i = 0; i < c->figures.count; i++) {
    const struct figure *figure = &c->figures.data[i];
    if (figure->kind == FIGURE_SCALAR)
      c->figure_rows.data[figure->number].dimension = figure->dimension;
    else if (figure->kind == FIGURE_TABLE)
      c->table_dimensions[figure->number] = figure->dimension;
  }
}

static void
evaluate_all(struct compilation *c) {
  struct evaluation_state state = {.c = c};
  state.marks = ARENA_ARRAY(
      c->arena, uint8_t,
      (size_t)c->devices.count * c->figures.count * TABLE_WIDTH + 1);
  make_room(c);
  for (uint32_t device = 0; device < c->devices.count; device++)
    for (uint32_t i = 0; i < c->figures.count; i++) {
      bool table = c->figures.data[i].kind == FIGURE_TABLE;
      for (uint32_t column = 0; column < (table ? TABLE_WIDTH : 1); column++)
        evaluate_figure(&state, device, i, column);
    }
  note_dimensions(c);
}

/* --- rows --- */

/* Note which features DEVICE, and those that it is like, have. */
static void
set_features(struct compilation *c, uint32_t device) {
  uint8_t *row = c->feature_values + (size_t)device * c->features.count;
  for (uint32_t at = device; at != NONE; at = c->devices.data[at].like)
    for (const struct statement *s = c->devices.data[at].statement->body; s;
         s = s->next)
      for (const struct words *w = s->kind == STATEMENT_FEATURES ? s->words
                                                                 : NULL;
           w; w = w->next)
        for (uint32_t i = 0; i < c->features.count; i++)
          row[i] |= c->features.data[i] == intern(c, w->word.text);
}

static void
make_rows(struct compilation *c) {
  c->feature_values = ARENA_ARRAY(
      c->arena, uint8_t, (size_t)c->devices.count * c->features.count + 1);
  for (uint32_t i = 0; i < c->devices.count; i++) {
    const struct statement *statement = c->devices.data[i].statement;
    struct device_row row = {.name = intern(c, statement->name.text),
                             .description =
                                 statement->string.text.data
                                     ? intern(c, statement->string.text)
                                     : intern_string(c, ""),
                             .complete = has_memory(c, i),
                             .place = place_of(c, statement->where)};
    vector_push(c->arena, &c->device_rows, row);
    set_features(c, i);
  }
}

static void
find_default(struct compilation *c) {
  if (!c->default_device)
    return;
  uint32_t device = device_named(c, c->default_device->name);
  if (device == NONE)
    return;
  c->tables_so_far.default_device = device;
  if (!c->device_rows.data[device].complete)
    complain(c, c->default_device->where,
             "'%.*s' gives no memory: it is a family, not a device",
             (int)c->default_device->name.text.size,
             c->default_device->name.text.data);
}

void
compile_devices(struct compilation *c) {
  resolve_likeness(c);
  for (uint32_t i = 0; i < c->devices.count; i++)
    collect_figures(c, i, "", c->devices.data[i].statement->body);
  check_columns(c);
  warn_unsourced(c);
  check_types(c);
  evaluate_all(c);
  make_rows(c);
  find_default(c);
}

/* Is there, for DEVICE, a value that rules which use FIGURE need? */
static bool
is_given(const struct compilation *c, const struct figure *figure,
         uint32_t device) {
  size_t at = device;
  switch (figure->kind) {
  case FIGURE_SCALAR:
    return !isnan(c->figure_values[at * c->figure_rows.count + figure->number]);
  case FIGURE_TABLE:
    at = at * c->tables.count + figure->number;
    return !isnan(c->table_values[at * TABLE_WIDTH + DTYPE_COUNT]);
  default:
    return c->curve_ranges[at * c->curves.count + figure->number].count;
  }
}

void
check_figures(struct compilation *c) {
  for (uint32_t i = 0; i < c->figures.count; i++) {
    const struct figure *figure = &c->figures.data[i];
    for (uint32_t device = 0; device < c->devices.count; device++) {
      const struct statement *statement = c->devices.data[device].statement;
      if (!figure->used.source || !c->device_rows.data[device].complete ||
          is_given(c, figure, device))
        continue;
      complain(c, statement->where, "device '%.*s' gives no '%s%s'",
               (int)statement->name.text.size, statement->name.text.data,
               figure->name, figure->kind == FIGURE_TABLE ? " default" : "");
      diagnose_note(c->diagnostics, figure->used, "which is used here");
    }
  }
}
