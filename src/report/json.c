/* json.c - the report that programs read; keys from counters.def. */
#include "report/report.h"
#include "report/stacks.h"
#include "report/stored.h"

#include "passes/fused.h"
#include "passes/options.h"
#include "passes/plan.h"

struct work {
  struct arena *arena;
  const struct program *program;
  struct where_table *where;
  struct figure_counts counts;
  struct buffer *out;
};

/* "KEY": {"op": ..., "line": ..., "source": ...} */
static void
put_place(struct work *work, const char *key, op_id op) {
  buffer_printf(work->out, ", \"%s\": ", key);
  if (op == NONE) {
    buffer_string(work->out, "null");
    return;
  }
  struct where where = where_of(work->where, op);
  buffer_string(work->out, "{\"op\": ");
  buffer_json(work->out, ir_op_name(work->program->input, op));
  buffer_printf(work->out, ", \"line\": %u",
                ir_op_line(work->program->input, op));
  if (where.file.size) {
    buffer_string(work->out, ", \"source\": ");
    buffer_json(work->out, text_of(arena_printf(work->arena, "%.*s:%u",
                                                (int)where.file.size,
                                                where.file.data, where.line)));
  }
  if (where.name.size) {
    buffer_string(work->out, ", \"source_name\": ");
    buffer_json(work->out, where.name);
  }
  buffer_string(work->out, "}");
}

static void
put_row(struct work *work, const struct peak_row *row) {
  const struct ir_module *module = work->program->input;
  struct text name =
      source_text(module->source, module->value_name[row->value]);
  if (module->value_number[row->value] != NONE)
    name = text_of(arena_printf(work->arena, "%.*s#%u", (int)name.size,
                                name.data, module->value_number[row->value]));
  buffer_string(work->out, "{\"value\": ");
  buffer_json(work->out, name);
  if (module->value_type[row->value] != TYPE_NONE) {
    buffer_string(work->out, ", \"type\": ");
    buffer_json(work->out, ir_value_type(module, row->value)->spelling);
  }
  buffer_printf(work->out, ", \"bytes\": %llu", (unsigned long long)row->bytes);
  if (row->first != NONE)
    buffer_printf(work->out, ", \"first_line\": %u",
                  ir_op_line(work->program->input, row->first));
  if (row->last != NONE)
    buffer_printf(work->out, ", \"last_line\": %u",
                  ir_op_line(work->program->input, row->last));
  put_place(work, "made_by", row->op);
  buffer_string(work->out, "}");
}

static void
put_groups(struct work *work, const char *key, const struct peak_group *groups,
           uint32_t count) {
  buffer_printf(work->out, ", \"%s\": {", key);
  for (uint32_t i = 0; i < count; i++) {
    buffer_string(work->out, i ? ", " : "");
    buffer_json(work->out, groups[i].name);
    buffer_printf(work->out, ": %llu", (unsigned long long)groups[i].bytes);
  }
  buffer_string(work->out, "}");
}

static void
put_decisions(struct work *work, function_id function) {
  const struct plan_function *plan = &work->program->plan->functions[function];
  buffer_string(work->out, ",\n     \"decisions\": [");
  for (uint32_t i = 0; i < plan->decisions.count; i++) {
    const struct plan_decision *decision = &plan->decisions.data[i];
    buffer_string(work->out, i ? ",\n       " : "\n       ");
    buffer_printf(work->out,
                  "{\"taken\": %s, \"clones\": %u, \"saved_bytes\": %llu, "
                  "\"cost_ns\": %llu, \"reason\": ",
                  decision->taken ? "true" : "false", decision->clones,
                  (unsigned long long)decision->saved_bytes,
                  (unsigned long long)decision->cost_ns);
    buffer_json(work->out, text_of(decision->reason ? decision->reason : ""));
    put_place(work, "of", decision->op);
    buffer_string(work->out, "}");
  }
  buffer_string(work->out, "]");
}

static void
put_peak(struct work *work, function_id function) {
  const struct liveness_function *live =
      &work->program->liveness->functions[function];
  if (!live->runs)
    return;
  struct peak *peak = peak_at(work->arena, work->program, work->where, function,
                              live->peak_tick);
  put_place(work, "peak_at", peak->op);
  put_place(work, "lower_bound_at", live->lower_bound_op);
  buffer_string(work->out, ",\n     \"live_at_peak\": [");
  for (uint32_t i = 0; i < peak->rows.count; i++) {
    buffer_string(work->out, i ? ",\n       " : "\n       ");
    put_row(work, &peak->rows.data[i]);
  }
  buffer_string(work->out, "]");
  put_groups(work, "bytes_by_class", peak->classes.data, peak->classes.count);
  put_groups(work, "bytes_by_source", peak->sources.data, peak->sources.count);
}

static void
put_function(struct work *work, function_id function) {
  struct figures figures;
  figures_of(work->program, &work->counts, function, &figures);
  bool first = true;
  buffer_string(work->out, "    {");
  for (uint32_t i = 0; i < figure_count; i++) {
    if (figure_infos[i].planned && !work->counts.planned)
      continue;
    buffer_printf(work->out, "%s\"%s\": ", first ? "" : ", ",
                  figure_infos[i].key);
    figures_json(&figures, i, work->out);
    first = false;
  }
  if (work->counts.planned && work->program->plan)
    put_decisions(work, function);
  put_peak(work, function);
  if (fused_is_model(work->program))
    stored_json(work->program, function, work->program->options->analyze,
                work->out);
  buffer_string(work->out, "}");
}

static void
put_stack(struct work *work, const struct stack_row *row) {
  const struct ir_module *module = work->program->input;
  buffer_printf(work->out, "{\"slots\": %llu, \"bytes\": %llu, \"value\": ",
                (unsigned long long)row->slots, (unsigned long long)row->bytes);
  if (row->value == NONE)
    buffer_string(work->out, "null");
  else
    buffer_json(work->out,
                source_text(module->source, module->value_name[row->value]));
  put_place(work, "made_by", row->made_by);
  put_place(work, "written_by", row->writer);
  buffer_string(work->out, ", \"read_by_lines\": [");
  for (uint32_t i = 0; i < row->reader_count; i++)
    buffer_printf(work->out, "%s%u", i ? ", " : "",
                  ir_op_line(module, row->readers[i]));
  buffer_string(work->out, "], \"stays\": ");
  if (row->kept)
    buffer_json(work->out, text_of(row->kept));
  else
    buffer_string(work->out, "null");
  buffer_string(work->out, "}");
}

/* What loops stack, and what looks like it. */
static void
put_stacks(struct work *work) {
  const struct stacks *stacks = stacks_of(work->arena, work->program);
  buffer_string(work->out, " \"stacks\": [");
  for (uint32_t i = 0; i < stacks->rows.count; i++) {
    buffer_string(work->out, i ? ",\n   " : "\n   ");
    put_stack(work, &stacks->rows.data[i]);
  }
  buffer_string(work->out, "],\n \"not_stacks\": [");
  for (uint32_t i = 0; i < stacks->refused.count; i++) {
    buffer_string(work->out, i ? ",\n   {\"why\": " : "\n   {\"why\": ");
    buffer_json(work->out, text_of(stacks->refused.data[i].kept));
    put_place(work, "op", stacks->refused.data[i].made_by);
    buffer_string(work->out, "}");
  }
  buffer_string(work->out, "]");
}

static const char *
model_name(const struct program *program) {
  if (program->options->memory_model == MEMORY_CANDIDATES)
    return "candidates";
  return fused_is_model(program) ? "fused" : "live";
}

void
report_json(struct program *program, struct buffer *out) {
  const struct ir_module *module = program->input;
  struct work work = {.arena = program->scratch,
                      .program = program,
                      .where = where_table_new(program->scratch, module),
                      .out = out};
  figures_count(work.arena, program, &work.counts);
  buffer_string(out,
                "{\"tool\": \"remat\", \"version\": \"" REMAT_VERSION "\"");
  buffer_string(out, ", \"target\": ");
  buffer_json(out, text_of(rules_name(program->rules)));
  buffer_string(out, ", \"device\": ");
  buffer_json(out, text_of(rules_device_name(program->rules, program->device)));
  buffer_printf(out, ", \"memory_model\": \"%s\",\n \"functions\": [\n",
                model_name(program));
  for (function_id i = 0; i < module->functions.count; i++) {
    put_function(&work, i);
    buffer_string(out, i + 1 < module->functions.count ? ",\n" : "\n");
  }
  buffer_string(out, " ]");
  if (program->options->analyze) {
    buffer_string(out, ",\n");
    put_stacks(&work);
  }
  buffer_string(out, "}\n");
}
