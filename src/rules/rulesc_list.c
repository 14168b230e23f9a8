/* rulesc_list.c - what rulesc tells of a compiled file. */
#include "rules/rulesc.h"
#include "rules/tables.h"

#include <math.h>
#include <string.h>

/* VALUE in the unit that makes it readable. */
static void
add_value(struct buffer *out, double value, struct dimension dimension) {
  static const struct {
    struct dimension dimension;
    const char *unit;
    double scale;
  } units[] = {{{1, 0, 0}, "B", 1},           {{1, 0, 0}, "KiB", 1024.0},
               {{1, 0, 0}, "MiB", 1048576.0}, {{1, 0, 0}, "GiB", 1073741824.0},
               {{0, 1, 0}, "ns", 1},          {{0, 1, 0}, "us", 1e3},
               {{0, 1, 0}, "ms", 1e6},        {{1, -1, 0}, "GB/s", 1},
               {{1, -1, 0}, "TB/s", 1e3},     {{0, -1, 1}, "GFLOP/s", 1},
               {{0, -1, 1}, "TFLOP/s", 1e3},  {{0, -1, 0}, "GHz", 1},
               {{0, 0, 1}, "FLOP", 1}};
  const char *unit = "";
  double scale = 1;
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (dimension_equal(units[i].dimension, dimension) &&
        (!*unit || value >= units[i].scale)) {
      unit = units[i].unit;
      scale = units[i].scale;
    }
  if (!*unit && !dimension_equal(dimension, DIMENSION_PLAIN))
    unit = dimension_text(out->arena, dimension);
  buffer_printf(out, "%.6g%s%s", value / scale, *unit ? " " : "", unit);
}

static void
list_tables(const struct rules *rules, uint32_t device, struct buffer *out) {
  for (uint32_t t = 0; t < rules->table_count; t++) {
    const double *row = rules->table_values +
                        ((size_t)device * rules->table_count + t) * TABLE_WIDTH;
    for (uint32_t i = 0; i < TABLE_WIDTH; i++) {
      if (isnan(row[i]))
        continue;
      const char *column = i == DTYPE_COUNT ? "default" : dtype_infos[i].name;
      buffer_printf(out, "  %s %s = ", rules->strings[rules->tables[t]],
                    column ? column : "?");
      add_value(out, row[i], rules->table_dimensions[t]);
      buffer_string(out, "\n");
    }
  }
}

static void
list_device(const struct rules *rules, uint32_t device, struct buffer *out) {
  const char *words = rules_device_description(rules, device);
  buffer_printf(out, "%s%s%s%s\n", rules_device_name(rules, device),
                *words ? ": " : "", words,
                device == rules->default_device ? " (default)" : "");
  for (uint32_t i = 0; i < rules->figure_count; i++) {
    const struct figure_row *figure = &rules->figures[i];
    double value;
    if (!rules_figure(rules, device, rules->strings[figure->name], &value))
      continue;
    buffer_printf(out, "  %s = ", rules->strings[figure->name]);
    add_value(out, value, figure->dimension);
    buffer_string(out, "\n");
  }
  list_tables(rules, device, out);
  for (uint32_t i = 0; i < rules->feature_count; i++)
    if (rules->feature_values[(size_t)device * rules->feature_count + i])
      buffer_printf(out, "  feature %s\n", rules->strings[rules->features[i]]);
}

void
list_devices(const struct rules *rules, struct buffer *out) {
  for (uint32_t i = 0; i < rules->device_count; i++)
    if (rules->devices[i].complete)
      list_device(rules, i, out);
}

/* Ops by exact name that are of class CLASS_ID. */
static uint32_t
count_names(const struct rules *rules, uint32_t class_id) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < rules->name_count; i++)
    for (uint32_t k = 0; k < rules->names[i].count; k++) {
      uint32_t row = rules->name_statements[rules->names[i].first + k];
      if (rules->statements[row].class_id == class_id) {
        count++;
        break;
      }
    }
  return count;
}

void
list_classes(const struct rules *rules, struct buffer *out) {
  for (uint32_t i = 0; i < rules->class_count; i++) {
    const struct class_row *row = &rules->classes[i];
    struct rule_place place = rules_place(rules, row->place);
    buffer_printf(out, "%s: %s; %u ops", rules_class_name(rules, i),
                  rules_class_meaning(rules, i), count_names(rules, i));
    if (place.file)
      buffer_printf(out, " (%s:%u)", place.file, place.line);
    buffer_string(out, "\n");
  }
}

bool
price_op(struct command *command, const struct rules *rules,
         struct buffer *out) {
  op_id op;
  const struct ir_module *module =
      rules_sample(&command->arena, &command->diagnostics, command->price, &op);
  uint32_t device = rules_device_find(rules, command->device);
  if (!module)
    return false;
  if (command->device && device == NONE) {
    diagnose(&command->diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION,
             "unknown device '%s'; --devices lists them", command->device);
    return false;
  }
  uint32_t errors = command->diagnostics.errors;
  struct rules_binding *binding =
      rules_bind(&command->arena, &command->diagnostics, rules, device, module);
  rules_explain(binding, op, out);
  return command->diagnostics.errors == errors;
}
