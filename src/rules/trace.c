/* trace.c - what a formula was worked out from, for --explain.
 *
 *     flops = 524288 FLOP
 *     dtype(operand 0) = bf16
 *     peak(bf16) = 14100 GFLOP/s
 *
 * Each once, in the order in which they are asked. */
#include "rules/evaluate.h"

#include <math.h>
#include <string.h>

static const char *
unit_of(struct arena *arena, struct dimension dimension) {
  if (dimension_equal(dimension, DIMENSION_TIME))
    return "ns";
  if (dimension_equal(dimension, DIMENSION_BANDWIDTH))
    return "GB/s";
  if (dimension_equal(dimension, DIMENSION_RATE))
    return "GFLOP/s";
  if (dimension_equal(dimension, DIMENSION_FREQUENCY))
    return "GHz";
  if (dimension_equal(dimension, DIMENSION_PLAIN))
    return "";
  return dimension_text(arena, dimension);
}

static const char *
dtype_name(double dtype) {
  const char *name = isnan(dtype) ? NULL : dtype_infos[(int)dtype].name;
  return name ? name : "?";
}

/* Append LINE, unless it stands there already. */
static void
add_line(struct evaluation *e, const char *line) {
  buffer_finish(e->trace);
  if (!strstr(e->trace->data + e->trace_begin, line))
    buffer_string(e->trace, line);
}

/* "    WHAT = VALUE UNIT" */
static void
add_number(struct evaluation *e, const char *what, double value,
           struct dimension dimension) {
  struct arena *arena = e->trace->arena;
  const char *unit = unit_of(arena, dimension);
  if (isnan(value))
    add_line(e, arena_printf(arena, "    %s is not known\n", what));
  else
    add_line(e, arena_printf(arena, "    %s = %.15g%s%s\n", what, value,
                             *unit ? " " : "", unit));
}

void
trace_quantity(struct evaluation *e, enum quantity quantity,
               enum value_kind kind, int32_t index, double value) {
  const struct quantity_info *info = &quantity_infos[quantity];
  struct arena *arena = e->trace->arena;
  const char *what = info->name;
  if (kind != VALUE_CURRENT)
    what = arena_printf(arena, "%s(%s %d)", info->name,
                        kind == VALUE_OPERAND ? "operand" : "result", index);
  if (info->type == QUANTITY_DTYPE_TYPE)
    add_line(e, arena_printf(arena, "    %s = %s\n", what, dtype_name(value)));
  else
    add_number(e, what, value, info->dimension);
}

void
trace_figure(struct evaluation *e, uint32_t figure, double value) {
  const struct figure_row *row = &e->rules->figures[figure];
  if (!e->tracing)
    add_number(e, e->rules->strings[row->name], value, row->dimension);
}

void
trace_table(struct evaluation *e, uint32_t table, double dtype, double value) {
  const char *name = e->rules->strings[e->rules->tables[table]];
  if (!e->tracing)
    add_number(e,
               arena_printf(e->trace->arena, "%s(%s)", name, dtype_name(dtype)),
               value, e->rules->table_dimensions[table]);
}
