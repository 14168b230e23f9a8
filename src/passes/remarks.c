/* remarks.c - say of each decision why it was taken or missed (-fopt-info).
 *
 *   step.mlir:41:10: optimized: recompute %38 at 2 places (12.0 MiB less at
 *   the peak, costs 31.0 us; apple.rules:27)
 *   step.mlir:57:10: missed: keep %51, 8.00 MiB at the peak (random: hidden
 *   generator state; ops/stablehlo.rules:14)
 *
 * From what is emitted alone, so all planners are told about alike: an op with
 * clones was recomputed; what is live at the emitted peak was kept, and then
 * facts, the target's policy, price or the budget say why.  O(ops + buffers).
 */
#include "passes/budget.h"
#include "passes/options.h"
#include "passes/plan.h"
#include "support/human.h"

struct remarks {
  struct program *program;
  const struct ir_module *m;  /* the input */
  uint32_t *clones;           /* by op of the input */
  const struct ir_module *at; /* what is emitted */
  const struct facts *facts;
  const struct buffers *buffers;
  const struct liveness *liveness;
};

static void
name_value(struct buffer *out, const struct ir_module *m, value_id value) {
  buffer_text(out, source_text(m->source, m->value_name[value]));
}

static void
add_place(struct buffer *out, struct rule_place place) {
  if (place.file)
    buffer_printf(out, "; %s:%u", place.file, place.line);
}

/* The bytes of OP's results that are live at TICK of the input. */
static uint64_t
bytes_at(const struct program *program, op_id op, uint32_t tick) {
  const struct ir_module *m = program->input;
  uint64_t bytes = 0;
  for (uint32_t r = 0; r < m->op_result_count[op]; r++) {
    value_id value = ir_result(m, op, r);
    uint32_t end = facts_first_leaf(program->facts, value + 1);
    for (uint32_t l = facts_first_leaf(program->facts, value); l < end; l++) {
      uint32_t buffer = program->buffers->leaf_buffer[l];
      if (buffer != NONE && buffers_live(program->buffers, buffer, tick))
        bytes = saturating_add(bytes, program->facts->leaf_bytes[l]);
    }
  }
  return bytes;
}

static void
remark_recomputed(struct remarks *r, op_id op, uint32_t peak_tick) {
  struct program *program = r->program;
  struct buffer text = {.arena = program->scratch};
  struct rules_cost cost = rules_op_cost(program->facts->binding, op);
  uint32_t places = r->clones[op];
  buffer_string(&text, "recompute ");
  name_value(&text, r->m, ir_result(r->m, op, 0));
  buffer_printf(&text, " at %u place%s (", places, places == 1 ? "" : "s");
  uint64_t bytes = bytes_at(program, op, peak_tick);
  if (bytes) {
    human_bytes(&text, bytes);
    buffer_string(&text, " of the input's peak, ");
  }
  buffer_string(&text, "costs ");
  human_time(&text, saturating_multiply(cost.ns, places));
  add_place(&text, cost.place);
  buffer_string(&text, ")");
  diagnose(program->diagnostics, DIAGNOSTIC_OPTIMIZED, ir_op_location(r->m, op),
           "%s", buffer_finish(&text));
}

/* Why OP, of the input, was not recomputed. */
static void
add_reason(struct remarks *r, struct buffer *text, op_id op, bool fits) {
  struct program *program = r->program;
  const struct op_facts *facts = facts_of(program->facts, op);
  struct rules_cost cost = rules_op_cost(program->facts->binding, op);
  const char *obstacle =
      facts_obstacle(program->scratch, program->rules, facts);
  if (obstacle) {
    buffer_string(text, obstacle);
    add_place(text,
              facts->safety_place.file ? facts->safety_place : facts->place);
  } else if (!program->facts->op_repeatable[op]) {
    buffer_string(text, "what is inside of it may not run twice");
  } else if (cost.policy == POLICY_NEVER) {
    buffer_string(text, cost.reason ? cost.reason : "the target says never");
    add_place(text, cost.place);
  } else if (cost.policy == POLICY_UNKNOWN) {
    buffer_printf(text, "nobody can tell what it costs: %s",
                  cost.missing ? cost.missing : "no rule");
    add_place(text, cost.place);
  } else {
    buffer_string(text, "again it would cost ");
    human_time(text, cost.ns);
    buffer_string(text, fits ? ", and the budget is met without that"
                             : ", and no plan was found that fits by it");
    add_place(text, cost.place);
  }
}

/* The op of the input that made what is in BUFFER of the emitted program, or
 * NONE. */
static op_id
maker_of(const struct remarks *r, uint32_t buffer, value_id *value) {
  *value = r->buffers->value[buffer];
  op_id op = ir_value_op(r->at, *value);
  if (op == NONE)
    return NONE;
  return r->at->base ? r->at->op_origin[op] : op;
}

static void
remark_kept(struct remarks *r, uint32_t buffer, bool fits) {
  struct program *program = r->program;
  struct buffer text = {.arena = program->scratch};
  value_id value;
  op_id op = maker_of(r, buffer, &value);
  if (op == NONE || !r->buffers->bytes[buffer])
    return;
  buffer_string(&text, "keep ");
  name_value(&text, r->at, value);
  buffer_string(&text, ", ");
  human_bytes(&text, r->buffers->bytes[buffer]);
  buffer_string(&text, " at the peak (");
  if (r->buffers->flags[buffer] & BUFFER_ARGUMENT)
    buffer_string(&text, "an argument, which is the caller's");
  else if (r->buffers->flags[buffer] & BUFFER_RESULT)
    buffer_string(&text, "the function returns it");
  else
    add_reason(r, &text, op, fits);
  buffer_string(&text, ")");
  diagnose(program->diagnostics, DIAGNOSTIC_MISSED, ir_op_location(r->m, op),
           "%s", buffer_finish(&text));
}

/* What was kept and is live at the peak of FUNCTION. */
static void
remark_peak(struct remarks *r, function_id function) {
  const struct budget *budget = &r->program->budget[function];
  const struct liveness_function *live = &r->liveness->functions[function];
  uint32_t tick = budget->temporaries ? live->peak_temp_tick : live->peak_tick;
  bool fits = budget_counted(budget, live) <= budget->bytes;
  for (uint32_t b = 0; b < r->buffers->count; b++)
    if (buffers_live(r->buffers, b, tick) &&
        (!budget->temporaries || buffers_temporary(r->buffers, b)))
      remark_kept(r, b, fits);
}

/* How good the plan of FUNCTION is, and how much better one could be. */
static void
remark_plan(struct remarks *r, function_id function) {
  struct program *program = r->program;
  const struct plan_function *plan = &program->plan->functions[function];
  const struct budget *budget = &program->budget[function];
  struct buffer text = {.arena = program->scratch};
  uint64_t before =
      plan_function_cost(program->input, program->facts, function);
  uint64_t after = plan_function_cost(r->at, r->facts, function);
  buffer_string(&text, "the peak goes from ");
  human_bytes(&text,
              budget_counted(budget, &program->liveness->functions[function]));
  buffer_string(&text, " to ");
  human_bytes(&text, budget_counted(budget, &r->liveness->functions[function]));
  buffer_string(&text, ", the cost from ");
  human_time(&text, before);
  buffer_string(&text, " to ");
  human_time(&text, after);
  if (plan->lower_bound_cost_ns) {
    buffer_string(&text, "; no plan within the budget costs less than ");
    human_time(&text, plan->lower_bound_cost_ns);
  }
  if (plan->lower_bound_bytes) {
    buffer_string(&text, "; no plan needs less than ");
    human_bytes(&text, plan->lower_bound_bytes);
  }
  diagnose(program->diagnostics, DIAGNOSTIC_OPTIMIZED,
           plan_location(program->input, function), "%s", buffer_finish(&text));
}

static bool
gate_remarks(const struct program *program) {
  return program->diagnostics->remarks && !program->options->analyze &&
         !program->options->pareto &&
         program->options->strategy != STRATEGY_NONE;
}

static bool
execute_remarks(struct program *program) {
  bool made = program->made != NULL;
  struct remarks r = {
      .program = program,
      .m = program->input,
      .clones =
          ARENA_ARRAY(program->scratch, uint32_t, program->input->op_count),
      .at = made ? program->made : program->input,
      .facts = made ? program->made_facts : program->facts,
      .buffers = made ? program->made_buffers : program->buffers,
      .liveness = made ? program->made_liveness : program->liveness};
  const function_id *of = plan_functions_of_ops(program);
  for (op_id op = 0; made && op < program->made->op_count; op++)
    if (program->made->op_copy[op] && program->made->op_origin[op] != NONE)
      r.clones[program->made->op_origin[op]]++;
  for (op_id op = 0; op < program->input->op_count; op++)
    if (r.clones[op] && r.m->op_result_count[op] && of[op] != NONE) {
      const struct liveness_function *live =
          &program->liveness->functions[of[op]];
      remark_recomputed(&r, op,
                        program->budget[of[op]].temporaries
                            ? live->peak_temp_tick
                            : live->peak_tick);
    }
  for (function_id f = 0; f < program->input->functions.count; f++)
    if (program->plan->functions[f].planned && r.liveness->functions[f].runs) {
      if (made && !program->plan->functions[f].refused)
        remark_plan(&r, f);
      remark_peak(&r, f);
    }
  return true;
}

const struct pass pass_remarks = {
    .name = "remarks",
    .help = "say of each decision why it was taken or missed (-fopt-info)",
    .gate = gate_remarks,
    .execute = execute_remarks,
    .requires_ =
        PROP_FACTS | PROP_BUFFERS | PROP_LIVENESS | PROP_BUDGET | PROP_MARKS,
};
