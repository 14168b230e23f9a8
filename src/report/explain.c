/* explain.c - why a value was sized, priced, chosen or refused as it was.
 *
 *   %52 of @main, line 109: stablehlo.exponential, model.py:31
 *     (class, size, price: each with its rule)
 *     lives from line 109 to line 1630 in 8.00 MiB, also at the peak
 *     plan: recomputed, 2 clones: ...
 *
 * A name may stand for values of several functions; all are told of. */
#include "passes/options.h"
#include "passes/plan.h"
#include "report/report.h"

#include <string.h>

struct work {
  const struct program *program;
  struct where_table *where;
  const function_id *of; /* by op: its function */
  struct buffer *out;
};

/* Does the user mean VALUE by NAME?  '%' may be left out, and "#0". */
static bool
is_called(const struct ir_module *module, value_id value, struct text name) {
  struct text own = source_text(module->source, module->value_name[value]);
  uint32_t number = module->value_number[value];
  if (name.size && *name.data == '%')
    name = (struct text){name.data + 1, name.size - 1};
  if (own.size && *own.data == '%')
    own = (struct text){own.data + 1, own.size - 1};
  const char *mark = name.size ? memchr(name.data, '#', name.size) : NULL;
  if (mark) {
    struct text digits = {mark + 1,
                          name.size - (uint32_t)(mark + 1 - name.data)};
    int64_t wanted;
    if (!ir_parse_integer(digits, &wanted) || wanted < 0 ||
        (uint64_t)wanted != (number == NONE ? 0 : number))
      return false;
    name.size = (uint32_t)(mark - name.data);
  }
  return text_equal(name, own);
}

static function_id
function_of(const struct work *work, value_id value) {
  const struct ir_module *module = work->program->input;
  op_id op = ir_value_op(module, value);
  if (op != NONE)
    return work->of[op];
  region_id region = module->block_region[ir_value_block(module, value)];
  for (function_id i = 0; i < module->functions.count; i++)
    if (module->functions.data[i].body == region)
      return i;
  return module->region_op[region] == NONE
             ? NONE
             : work->of[module->region_op[region]];
}

static void
put_head(struct work *work, value_id value, function_id function) {
  const struct ir_module *module = work->program->input;
  struct text name = source_text(module->source, module->value_name[value]);
  op_id op = ir_value_op(module, value);
  buffer_text(work->out, name);
  if (module->value_number[value] != NONE)
    buffer_printf(work->out, "#%u", module->value_number[value]);
  if (function != NONE && module->functions.data[function].name != NONE) {
    name = string_text(module->names, module->functions.data[function].name);
    buffer_printf(work->out, " of @%.*s", (int)name.size, name.data);
  }
  if (op == NONE) {
    buffer_string(work->out, ": an argument\n");
    return;
  }
  name = ir_op_name(module, op);
  buffer_printf(work->out, ", line %u: %.*s",
                ir_op_line(work->program->input, op), (int)name.size,
                name.data);
  struct where where = where_of(work->where, op);
  if (where.file.size)
    buffer_printf(work->out, ", %.*s:%u", (int)where.file.size, where.file.data,
                  where.line);
  buffer_string(work->out, "\n");
}

/* Where the buffer of VALUE's first leaf is needed. */
static void
put_life(struct work *work, value_id value, function_id function) {
  const struct program *program = work->program;
  const struct buffers *buffers = program->liveness->buffers;
  const struct clock *clock = buffers->clock;
  uint32_t leaf = facts_first_leaf(program->facts, value);
  uint32_t buffer = leaf == facts_first_leaf(program->facts, value + 1)
                        ? NONE
                        : buffers->leaf_buffer[leaf];
  if (buffer == NONE || function == NONE) {
    buffer_string(work->out, "  never stored: computed where it is read\n");
    return;
  }
  op_id first = liveness_op_at(clock, buffers->begin[buffer]);
  op_id last = clock->tick_op[buffers->end[buffer]];
  buffer_string(work->out, "  lives ");
  if (first != NONE)
    buffer_printf(work->out, "from line %u ",
                  ir_op_line(work->program->input, first));
  if (last != NONE)
    buffer_printf(work->out, "to line %u ",
                  ir_op_line(work->program->input, last));
  buffer_string(work->out, "in ");
  human_bytes(work->out, buffers->bytes[buffer]);
  value_id made = buffers->value[buffer];
  struct text name =
      source_text(program->input->source, program->input->value_name[made]);
  if (made != value)
    buffer_printf(work->out, " of %.*s", (int)name.size, name.data);
  function = clock->function_host[function];
  bool at_peak = function != NONE &&
                 buffers_live(buffers, buffer,
                              program->liveness->functions[function].peak_tick);
  buffer_string(work->out,
                at_peak ? ", also at the peak\n" : ", not at the peak\n");
}

static void
put_decision(struct work *work, op_id op) {
  const struct plan *plan = work->program->plan;
  function_id function = work->of[op];
  if (!plan || function == NONE)
    return;
  const struct plan_function *f = &plan->functions[function];
  for (uint32_t i = 0; i < f->decisions.count; i++) {
    const struct plan_decision *decision = &f->decisions.data[i];
    if (decision->op != op)
      continue;
    buffer_printf(work->out, "  plan: %s",
                  !decision->taken   ? "kept"
                  : decision->clones ? "recomputed"
                                     : "moved");
    if (decision->clones) {
      buffer_printf(work->out, ", %u clone%s, saves ", decision->clones,
                    decision->clones == 1 ? "" : "s");
      human_bytes(work->out, decision->saved_bytes);
      buffer_string(work->out, ", costs ");
      human_time(work->out, decision->cost_ns);
    }
    if (decision->reason)
      buffer_printf(work->out, ": %s", decision->reason);
    buffer_string(work->out, "\n");
  }
  for (uint32_t i = 0; i < f->notes.count; i++)
    if (f->notes.data[i].op == op)
      buffer_printf(work->out, "    %s\n", f->notes.data[i].text);
}

static void
put_value(struct work *work, value_id value) {
  const struct program *program = work->program;
  function_id function = function_of(work, value);
  op_id op = ir_value_op(program->input, value);
  put_head(work, value, function);
  if (op != NONE)
    rules_explain(program->facts->binding, op, work->out);
  put_life(work, value, function);
  if (op != NONE)
    put_decision(work, op);
}

bool
report_explain(struct program *program, struct buffer *out) {
  const struct ir_module *module = program->input;
  struct text name = text_of(program->options->explain);
  struct work work = {.program = program,
                      .where = where_table_new(program->scratch, module),
                      .of = ir_functions_of_ops(module, program->scratch),
                      .out = out};
  bool found = false;
  for (value_id value = 0; value < module->value_count; value++) {
    if (!is_called(module, value, name))
      continue;
    put_value(&work, value);
    found = true;
  }
  if (!found)
    diagnose(program->diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION,
             "no value is called '%s'", program->options->explain);
  return found;
}
