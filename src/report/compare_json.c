/* compare_json.c - what --compare found, for programs.
 *
 *   {"tool": "remat", "before": "a.mlir", "after": "b.mlir", "same": true,
 *    "functions": [{"name": "main", "same": true, ...}],
 *    "computed_again": {"ops": 3, "cost_ns": 12, "by_name": {...}}, ...
 *    "differences": [{"text": ..., "before": {"line": 2, ...}, ...}]} */
#include "report/compare.h"

static void
put_sides(struct buffer *out, const char *key, const uint64_t value[SIDES]) {
  buffer_printf(out, ",\n     \"%s\": {\"before\": %llu, \"after\": %llu}", key,
                (unsigned long long)value[0], (unsigned long long)value[1]);
}

static void
put_name(struct buffer *out, const char *key, const struct ir_module *m,
         function_id f) {
  name_id name = m->functions.data[f].name;
  buffer_printf(out, "\"%s\": ", key);
  buffer_json(out, name == NONE ? TEXT("") : string_text(m->names, name));
}

static void
put_pair(const struct compare *c, const struct pair *pair, struct buffer *out) {
  struct pair_figures figures = compare_figures(c, pair);
  buffer_string(out, "    {");
  put_name(out, "name", c->program[0]->input, pair->function[0]);
  buffer_string(out, ", ");
  put_name(out, "name_after", c->program[1]->input, pair->function[1]);
  buffer_printf(out,
                ", \"same\": %s, \"results\": %u, \"results_different\": %u, "
                "\"effects\": %u",
                pair->same ? "true" : "false", pair->results, pair->different,
                pair->effects);
  put_sides(out, "ops", figures.ops);
  put_sides(out, "peak_bytes", figures.peak);
  put_sides(out, "peak_temp_bytes", figures.temp);
  put_sides(out, "fused_peak_temp_bytes", figures.fused);
  put_sides(out, "cost_ns", figures.cost);
  buffer_string(out, "}");
}

static void
put_change(const struct changes *changes, const char *key, struct buffer *out) {
  buffer_printf(out,
                ",\n \"%s\": {\"ops\": %llu, \"cost_ns\": %llu, "
                "\"by_name\": {",
                key, (unsigned long long)changes->count,
                (unsigned long long)changes->cost_ns);
  for (uint32_t i = 0; i < changes->tallies.count; i++) {
    buffer_string(out, i ? ", " : "");
    buffer_json(out, changes->tallies.data[i].name);
    buffer_printf(out, ": %llu",
                  (unsigned long long)changes->tallies.data[i].count);
  }
  buffer_string(out, "}}");
}

static void
put_place(const char *key, struct location where, struct buffer *out) {
  uint32_t line, column;
  buffer_printf(out, ", \"%s\": ", key);
  if (!where.source) {
    buffer_string(out, "null");
    return;
  }
  source_position(where.source, where.begin, &line, &column);
  buffer_printf(out, "{\"line\": %u, \"column\": %u}", line, column);
}

void
compare_json(const struct compare *c, struct buffer *out) {
  static const char *const keys[CHANGES] = {
      "computed_again", "computed_fewer_times", "only_after", "only_before"};
  buffer_string(out, "{\"tool\": \"remat\", \"version\": \"" REMAT_VERSION
                     "\",\n \"before\": ");
  buffer_json(out, text_of(c->program[0]->input->source->name));
  buffer_string(out, ", \"after\": ");
  buffer_json(out, text_of(c->program[1]->input->source->name));
  buffer_printf(out, ", \"same\": %s,\n \"functions\": [",
                c->same ? "true" : "false");
  for (uint32_t i = 0; i < c->pairs.count; i++) {
    buffer_string(out, i ? ",\n" : "\n");
    put_pair(c, &c->pairs.data[i], out);
  }
  buffer_string(out, "]");
  for (int i = 0; i < CHANGES; i++)
    put_change(&c->changes[i], keys[i], out);
  buffer_string(out, ",\n \"differences\": [");
  for (uint32_t i = 0; i < c->told.count; i++) {
    buffer_string(out, i ? ",\n    {\"text\": " : "\n    {\"text\": ");
    buffer_json(out, text_of(c->told.data[i].text));
    put_place("before", c->told.data[i].where[0], out);
    put_place("after", c->told.data[i].where[1], out);
    buffer_string(out, "}");
  }
  buffer_string(out, "]}\n");
}
