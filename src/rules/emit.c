/* emit.c - tables as a C file of constant data.
 *
 * Doubles are written in hexadecimal, bit for bit; nothing here depends on
 * the machine, the date or a path. */
#include "rules/emit.h"

#include <math.h>
#include <string.h>

static void
emit_double(struct buffer *out, double value) {
  if (isnan(value))
    buffer_string(out, "NAN");
  else
    buffer_printf(out, "%a", value);
}

/* A C string; '?' is escaped for trigraphs. */
static void
emit_string(struct buffer *out, const char *string) {
  if (!string) {
    buffer_string(out, "NULL");
    return;
  }
  buffer_string(out, "\"");
  for (const char *at = string; *at; at++) {
    unsigned char c = (unsigned char)*at;
    if (c == '"' || c == '\\' || c == '?')
      buffer_printf(out, "\\%c", c);
    else if (c < 0x20 || c >= 0x7f)
      buffer_printf(out, "\\%03o", c);
    else
      buffer_add(out, at, 1);
  }
  buffer_string(out, "\"");
}

static void
emit_number(struct buffer *out, uint32_t number) {
  if (number == NONE)
    buffer_string(out, "NONE");
  else
    buffer_printf(out, "%u", number);
}

static void
emit_code(struct buffer *out, struct code code) {
  buffer_printf(out, "{%u, %u}", code.count ? code.first : 0, code.count);
}

static void
emit_place(struct buffer *out, struct place place) {
  buffer_printf(out, "{%u, %u}", place.file, place.line);
}

/* Begin the array NAME of TYPE with COUNT elements; an empty one has one that
 * is never looked at. */
static void
begin(struct buffer *out, const char *type, const char *name, uint32_t count) {
  buffer_printf(out, "\nstatic %s%s[%u] = {\n", type, name, count ? count : 1);
}

static void
end(struct buffer *out) {
  buffer_string(out, "};\n");
}

static void
emit_texts(struct buffer *out, const char *name, const char *const *texts,
           uint32_t count) {
  begin(out, "const char *const ", name, count);
  for (uint32_t i = 0; i < count; i++) {
    buffer_string(out, "  ");
    emit_string(out, texts[i]);
    buffer_string(out, ",\n");
  }
  if (!count)
    buffer_string(out, "  NULL\n");
  end(out);
}

static void
emit_doubles(struct buffer *out, const char *name, const double *values,
             uint32_t count) {
  begin(out, "const double ", name, count);
  for (uint32_t i = 0; i < count; i++) {
    buffer_string(out, i % 6 == 0 ? "  " : " ");
    emit_double(out, values[i]);
    buffer_string(out, i % 6 == 5 ? ",\n" : ",");
  }
  buffer_string(out, count ? "\n" : "  0\n");
  end(out);
}

static void
emit_numbers(struct buffer *out, const char *name, const uint32_t *numbers,
             uint32_t count) {
  begin(out, "const uint32_t ", name, count);
  for (uint32_t i = 0; i < count; i++) {
    buffer_string(out, i % 8 == 0 ? "  " : " ");
    emit_number(out, numbers[i]);
    buffer_string(out, i % 8 == 7 ? ",\n" : ",");
  }
  buffer_string(out, count ? "\n" : "  0\n");
  end(out);
}

static void
emit_integers(struct buffer *out, const struct rules *r) {
  begin(out, "const int64_t ", "integers", r->integer_count);
  for (uint32_t i = 0; i < r->integer_count; i++)
    buffer_printf(out, "  %lld,\n", (long long)r->integers[i]);
  buffer_string(out, r->integer_count ? "" : "  0\n");
  end(out);
  begin(out, "const struct integers ", "lists", r->list_count);
  for (uint32_t i = 0; i < r->list_count; i++)
    buffer_printf(out, "  {%u, %u},\n", r->lists[i].first, r->lists[i].count);
  buffer_string(out, r->list_count ? "" : "  {0, 0}\n");
  end(out);
}

/* --- facts --- */

static void
emit_facts(struct buffer *out, const struct rules *r) {
  begin(out, "const struct type_row ", "types", r->type_count);
  for (uint32_t i = 0; i < r->type_count; i++) {
    const struct type_row *t = &r->types[i];
    buffer_printf(out, "  {%u, %u, %u, %u, %u, %u, %d, %u, ", t->base,
                  t->element, t->real, t->complex, t->tensor, t->silent,
                  t->index, t->dtype);
    emit_number(out, t->spelling);
    buffer_string(out, "},\n");
  }
  buffer_string(out, r->type_count ? "" : "  {0, 0, 0, 0, 0, 0, 0, 0, 0}\n");
  end(out);
  begin(out, "const struct fact_row ", "facts", r->fact_count);
  for (uint32_t i = 0; i < r->fact_count; i++) {
    const struct fact_row *f = &r->facts[i];
    buffer_printf(out, "  {%u, %u, %u, %d, %d, ", f->key, f->value, f->negated,
                  f->first, f->second);
    emit_number(out, f->reason);
    buffer_printf(out, ", %uu, ", f->mask);
    emit_code(out, f->code);
    buffer_printf(out, ", %u, %u, ", f->first_type, f->type_count);
    emit_place(out, f->place);
    buffer_string(out, "},\n");
  }
  if (!r->fact_count)
    buffer_string(out, "  {0, 0, 0, 0, 0, 0, 0, {0, 0}, 0, 0, {0, 0}}\n");
  end(out);
}

static void
emit_classes(struct buffer *out, const struct rules *r) {
  begin(out, "const struct class_row ", "classes", r->class_count);
  for (uint32_t i = 0; i < r->class_count; i++) {
    const struct class_row *k = &r->classes[i];
    buffer_printf(out, "  {%u, %u, %u, %u, ", k->name, k->meaning,
                  k->first_fact, k->fact_count);
    emit_place(out, k->place);
    buffer_string(out, "},\n");
  }
  end(out);
  begin(out, "const struct statement_row ", "statements", r->statement_count);
  for (uint32_t i = 0; i < r->statement_count; i++) {
    const struct statement_row *s = &r->statements[i];
    buffer_string(out, "  {");
    emit_number(out, s->class_id);
    buffer_string(out, ", ");
    emit_code(out, s->guard);
    buffer_printf(out, ", %u, %u, ", s->first_fact, s->fact_count);
    emit_place(out, s->place);
    buffer_string(out, "},\n");
  }
  buffer_string(out, r->statement_count ? "" : "  {0, {0, 0}, 0, 0, {0, 0}}\n");
  end(out);
}

static void
emit_names(struct buffer *out, const struct rules *r) {
  begin(out, "const struct name_row ", "names", r->name_count);
  for (uint32_t i = 0; i < r->name_count; i++)
    buffer_printf(out, "  {%u, %u, %u, %u},\n", r->names[i].name,
                  r->names[i].format, r->names[i].first, r->names[i].count);
  buffer_string(out, r->name_count ? "" : "  {0, 0, 0, 0}\n");
  end(out);
  emit_numbers(out, "name_statements", r->name_statements,
               r->name_statement_count);
  begin(out, "const struct glob_row ", "globs", r->glob_count);
  for (uint32_t i = 0; i < r->glob_count; i++)
    buffer_printf(out, "  {%u, %u, %u},\n", r->globs[i].pattern,
                  r->globs[i].format, r->globs[i].statement);
  buffer_string(out, r->glob_count ? "" : "  {0, 0, 0}\n");
  end(out);
}

/* --- rules --- */

static void
emit_rules(struct buffer *out, const struct rules *r) {
  begin(out, "const struct item_row ", "items", r->item_count);
  for (uint32_t i = 0; i < r->item_count; i++)
    buffer_printf(out, "  {%u, %u, %u},\n", r->items[i].kind,
                  r->items[i].format, r->items[i].value);
  buffer_string(out, r->item_count ? "" : "  {0, 0, 0}\n");
  end(out);
  begin(out, "const struct rule_row ", "rules", r->rule_count);
  for (uint32_t i = 0; i < r->rule_count; i++) {
    const struct rule_row *rule = &r->rules[i];
    buffer_printf(out, "  {%u, %u, ", rule->first_item, rule->item_count);
    emit_code(out, rule->guard);
    buffer_string(out, ", ");
    emit_code(out, rule->value);
    buffer_string(out, ", ");
    emit_code(out, rule->workspace);
    buffer_string(out, ", ");
    emit_code(out, rule->carry);
    buffer_printf(out, ", %u, %u, %d, ", rule->action, rule->is_default,
                  rule->operand);
    emit_number(out, rule->reason);
    buffer_string(out, ", ");
    emit_place(out, rule->place);
    buffer_string(out, "},\n");
  }
  end(out);
}

/* --- devices --- */

static void
emit_curves(struct buffer *out, const struct rules *r) {
  uint32_t ranges = r->device_count * r->curve_count;
  emit_numbers(out, "curves", r->curves, r->curve_count);
  begin(out, "const struct integers ", "curve_ranges", ranges);
  for (uint32_t i = 0; i < ranges; i++)
    buffer_printf(out, "  {%u, %u},\n", r->curve_ranges[i].first,
                  r->curve_ranges[i].count);
  buffer_string(out, ranges ? "" : "  {0, 0}\n");
  end(out);
  begin(out, "const struct curve_point ", "points", r->point_count);
  for (uint32_t i = 0; i < r->point_count; i++) {
    buffer_string(out, "  {");
    emit_double(out, r->points[i].x);
    buffer_string(out, ", ");
    emit_double(out, r->points[i].y);
    buffer_string(out, "},\n");
  }
  buffer_string(out, r->point_count ? "" : "  {0, 0}\n");
  end(out);
}

static void
emit_devices(struct buffer *out, const struct rules *r) {
  begin(out, "const struct device_row ", "devices", r->device_count);
  for (uint32_t i = 0; i < r->device_count; i++) {
    const struct device_row *d = &r->devices[i];
    buffer_printf(out, "  {%u, %u, %u, ", d->name, d->description, d->complete);
    emit_place(out, d->place);
    buffer_string(out, "},\n");
  }
  buffer_string(out, r->device_count ? "" : "  {0, 0, 0, {0, 0}}\n");
  end(out);
  begin(out, "const struct figure_row ", "figures", r->figure_count);
  for (uint32_t i = 0; i < r->figure_count; i++) {
    const struct figure_row *f = &r->figures[i];
    buffer_printf(out, "  {%u, {%d, %d, %d}},\n", f->name, f->dimension.bytes,
                  f->dimension.time, f->dimension.work);
  }
  buffer_string(out, r->figure_count ? "" : "  {0, {0, 0, 0}}\n");
  end(out);
  emit_doubles(out, "figure_values", r->figure_values,
               r->device_count * r->figure_count);
  emit_numbers(out, "tables", r->tables, r->table_count);
  begin(out, "const struct dimension ", "table_dimensions", r->table_count);
  for (uint32_t i = 0; i < r->table_count; i++)
    buffer_printf(out, "  {%d, %d, %d},\n", r->table_dimensions[i].bytes,
                  r->table_dimensions[i].time, r->table_dimensions[i].work);
  buffer_string(out, r->table_count ? "" : "  {0, 0, 0}\n");
  end(out);
  emit_doubles(out, "table_values", r->table_values,
               r->device_count * r->table_count * TABLE_WIDTH);
  emit_curves(out, r);
  emit_numbers(out, "features", r->features, r->feature_count);
  uint32_t cells = r->device_count * r->feature_count;
  begin(out, "const uint8_t ", "feature_values", cells);
  for (uint32_t i = 0; i < cells; i++)
    buffer_printf(out, "  %u,\n", r->feature_values[i]);
  buffer_string(out, cells ? "" : "  0\n");
  end(out);
}

static void
emit_measured(struct buffer *out, const struct rules *r) {
  begin(out, "const struct measured_row ", "measured", r->measured_count);
  for (uint32_t i = 0; i < r->measured_count; i++) {
    const struct measured_row *m = &r->measured[i];
    buffer_printf(out, "  {%u, %u, %u, %u, %u, {%u, %u}, ", m->device, m->name,
                  m->source, m->signature, m->dtype, m->shape.first,
                  m->shape.count);
    emit_double(out, m->ns);
    buffer_string(out, ", ");
    emit_place(out, m->place);
    buffer_string(out, "},\n");
  }
  if (!r->measured_count)
    buffer_string(out, "  {0, 0, 0, 0, 0, {0, 0}, 0, {0, 0}}\n");
  end(out);
}

/* --- the struct --- */

static void
emit_struct(struct buffer *out, const struct rules *r) {
  buffer_printf(out,
                "\nextern const struct rules rules_table_%s;\n"
                "const struct rules rules_table_%s = {\n  .name = ",
                r->name, r->name);
  emit_string(out, r->name);
  buffer_string(out, ",\n  .description = ");
  emit_string(out, r->description);
  buffer_string(out, ",\n");
#define ARRAY(member) buffer_string(out, "  ." #member " = " #member ",\n")
#define COUNTED(member, count)                                                 \
  ARRAY(member);                                                               \
  buffer_printf(out, "  ." #count " = %u,\n", r->count)
  COUNTED(files, file_count);
  COUNTED(strings, string_count);
  COUNTED(constants, constant_count);
  COUNTED(code, code_count);
  COUNTED(integers, integer_count);
  COUNTED(lists, list_count);
  COUNTED(types, type_count);
  COUNTED(facts, fact_count);
  COUNTED(classes, class_count);
  COUNTED(statements, statement_count);
  COUNTED(names, name_count);
  COUNTED(name_statements, name_statement_count);
  COUNTED(globs, glob_count);
  COUNTED(items, item_count);
  COUNTED(rules, rule_count);
  COUNTED(byte_attributes, byte_attribute_count);
  COUNTED(time_attributes, time_attribute_count);
  COUNTED(devices, device_count);
  COUNTED(figures, figure_count);
  COUNTED(tables, table_count);
  COUNTED(curves, curve_count);
  COUNTED(points, point_count);
  COUNTED(features, feature_count);
  COUNTED(measured, measured_count);
  ARRAY(storage);
  ARRAY(figure_values);
  ARRAY(table_values);
  ARRAY(table_dimensions);
  ARRAY(curve_ranges);
  ARRAY(feature_values);
#undef COUNTED
#undef ARRAY
  buffer_string(out, "  .lists_of_rules = {");
  for (int i = 0; i < RULE_LISTS; i++)
    buffer_printf(out, "{%u, %u}, ", r->lists_of_rules[i].first,
                  r->lists_of_rules[i].count);
  buffer_printf(out, "},\n  .fusion = {%u, %lluu, ", r->fusion.depth,
                (unsigned long long)r->fusion.reduce_length);
  emit_double(out, r->fusion.slack);
  buffer_printf(out, ", %u},\n  .dynamic = ", r->fusion.operands);
  emit_code(out, r->dynamic);
  buffer_string(out, ",\n  .dynamic_place = ");
  emit_place(out, r->dynamic_place);
  buffer_printf(out, ",\n  .dynamic_policy = %u,\n  .default_device = ",
                r->dynamic_policy);
  emit_number(out, r->default_device);
  buffer_string(out, ",\n};\n");
}

void
rules_emit(const struct rules *r, struct buffer *out) {
  buffer_printf(out,
                "/* Made by rulesc from the rules of target %s. */\n"
                "#include \"rules/tables.h\"\n\n#include <math.h>\n",
                r->name);
  emit_texts(out, "files", r->files, r->file_count);
  emit_texts(out, "strings", r->strings, r->string_count);
  emit_doubles(out, "constants", r->constants, r->constant_count);
  emit_numbers(out, "code", r->code, r->code_count);
  emit_integers(out, r);
  emit_facts(out, r);
  emit_classes(out, r);
  emit_names(out, r);
  emit_rules(out, r);
  emit_doubles(out, "storage", r->storage, DTYPE_COUNT);
  emit_numbers(out, "byte_attributes", r->byte_attributes,
               r->byte_attribute_count);
  emit_numbers(out, "time_attributes", r->time_attributes,
               r->time_attribute_count);
  emit_devices(out, r);
  emit_measured(out, r);
  emit_struct(out, r);
}
