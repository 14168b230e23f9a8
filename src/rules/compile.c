/* compile.c - one target from a file: the steps, and the pools they fill. */
#include "rules/compile.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

uint32_t
intern(struct compilation *c, struct text text) {
  uint32_t known = string_find(c->string_table, text);
  if (known != STRING_NONE)
    return known;
  const char *copy = arena_copy(c->arena, text.data, text.size);
  vector_push(c->arena, &c->strings, copy);
  return string_intern(c->string_table, (struct text){copy, text.size});
}

uint32_t
intern_string(struct compilation *c, const char *string) {
  return intern(c, text_of(string));
}

struct place
place_of(struct compilation *c, struct location where) {
  struct place place = {0, 0};
  uint32_t column;
  if (!where.source)
    return place;
  for (uint32_t i = 0; i < c->files.count; i++)
    if (&c->files.data[i]->source == where.source)
      place.file = (uint16_t)i;
  source_position(where.source, where.begin, &place.line, &column);
  return place;
}

void
complain(struct compilation *c, struct location where, const char *format,
         ...) {
  va_list arguments;
  struct buffer out = {.arena = c->arena};
  va_start(arguments, format);
  va_list again;
  va_copy(again, arguments);
  int size = vsnprintf(NULL, 0, format, arguments);
  vsnprintf(buffer_reserve(&out, (size_t)size + 1), (size_t)size + 1, format,
            again);
  va_end(again);
  va_end(arguments);
  diagnose(c->diagnostics, DIAGNOSTIC_RULES, where, "%s", out.data);
}

const char *
suggestion(struct compilation *c, struct text text, const char *const *names,
           uint32_t count) {
  const char *near = text_nearest(text, names, count);
  return near ? arena_printf(c->arena, "; did you mean '%s'?", near) : "";
}

struct rules
tables_now(struct compilation *c) {
  struct rules r = c->tables_so_far;
  r.files = c->file_names.data;
  r.file_count = c->file_names.count;
  r.storage = c->storage;
  r.figure_values = c->figure_values;
  r.table_values = c->table_values;
  r.table_dimensions = c->table_dimensions;
  r.curve_ranges = c->curve_ranges;
  r.feature_values = c->feature_values;
#define TAKE(member, count_member, vector)                                     \
  r.member = c->vector.data, r.count_member = c->vector.count
  TAKE(strings, string_count, strings);
  TAKE(constants, constant_count, constants);
  TAKE(code, code_count, code);
  TAKE(integers, integer_count, integers);
  TAKE(lists, list_count, lists);
  TAKE(types, type_count, types);
  TAKE(facts, fact_count, facts);
  TAKE(classes, class_count, classes);
  TAKE(statements, statement_count, statements);
  TAKE(names, name_count, names);
  TAKE(name_statements, name_statement_count, name_statements);
  TAKE(globs, glob_count, globs);
  TAKE(items, item_count, items);
  TAKE(rules, rule_count, rules);
  TAKE(byte_attributes, byte_attribute_count, byte_attributes);
  TAKE(time_attributes, time_attribute_count, time_attributes);
  TAKE(devices, device_count, device_rows);
  TAKE(figures, figure_count, figure_rows);
  TAKE(tables, table_count, tables);
  TAKE(curves, curve_count, curves);
  TAKE(points, point_count, points);
  TAKE(features, feature_count, features);
  TAKE(measured, measured_count, measured);
#undef TAKE
  return r;
}

/* The checks that need no step of their own. */
static void
check_whole(struct compilation *c) {
  struct location end = {&c->files.data[0]->source, 0, 0};
  if (!c->target)
    complain(c, end, "no target is named: 'target NAME \"description\";'");
  if (c->devices.count && !c->default_device)
    complain(c, end, "no default device is named: 'default device NAME;'");
}

static struct compilation *
compilation_new(struct arena *arena, struct diagnostics *diagnostics,
                const struct rules_options *options) {
  static const struct rules_options none;
  struct compilation *c = ARENA_NEW(arena, struct compilation);
  c->arena = arena;
  c->diagnostics = diagnostics;
  c->options = options ? options : &none;
  c->string_table = string_table_new(arena);
  for (int i = 0; i < DTYPE_COUNT; i++)
    c->storage[i] = NAN;
  c->tables_so_far.default_device = NONE;
  return c;
}

static void
compile_all(struct compilation *c) {
  declare(c);
  compile_devices(c);
  check_lets(c);
  compile_facts(c);
  compile_rulesets(c);
  compile_measured(c);
  check_figures(c);
  check_whole(c);
}

/* Run the expect lines.  What they add to the pools is left out of RULES. */
static void
check_expectations(struct compilation *c, struct rules *rules) {
  struct rules before = *rules;
  run_expectations(c, rules);
  *rules = tables_now(c);
  rules->string_count = before.string_count;
  rules->constant_count = before.constant_count;
  rules->code_count = before.code_count;
  rules->integer_count = before.integer_count;
  rules->list_count = before.list_count;
}

static void
list_files(struct compilation *c) {
  struct file_list *list = c->options->files;
  if (!list)
    return;
  list->paths = ARENA_ARRAY(c->arena, const char *, c->files.count + 1);
  list->count = c->files.count;
  for (uint32_t i = 0; i < c->files.count; i++)
    list->paths[i] = c->files.data[i]->source.name;
}

/* Compile the file at PATH into C.  False after errors. */
static bool
compile_file(struct compilation *c, const char *path) {
  uint32_t errors = c->diagnostics->errors;
  if (!read_files(c, path))
    return false;
  compile_all(c);
  if (c->diagnostics->errors == errors)
    check_reachable(c);
  return c->diagnostics->errors == errors;
}

const struct rules *
rules_compile_file(struct arena *arena, struct diagnostics *diagnostics,
                   const char *path, const struct rules_options *options) {
  uint32_t errors = diagnostics->errors;
  struct compilation *c = compilation_new(arena, diagnostics, options);
  struct rules *rules = NULL;
  if (compile_file(c, path)) {
    rules = ARENA_NEW(arena, struct rules);
    *rules = tables_now(c);
    if (!c->options->no_expect)
      check_expectations(c, rules);
    if (diagnostics->errors != errors)
      rules = NULL;
  }
  list_files(c);
  close_files(c);
  return rules;
}

bool
rules_print_file(struct arena *arena, struct diagnostics *diagnostics,
                 const char *path, const struct rules_options *options,
                 struct buffer *out) {
  struct compilation *c = compilation_new(arena, diagnostics, options);
  bool fine = compile_file(c, path);
  if (fine)
    print_rules(c, out);
  close_files(c);
  return fine;
}
