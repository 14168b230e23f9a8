/* trim.c - give back selections until their clones fit the bound.
 *
 * --max-clone-expansion=N allows N clones for each op of the input that has
 * results; --trim says by which rule ops are given back (give_back.h).  What
 * markers selected stays, whatever it costs. */
#include "passes/give_back.h"
#include "passes/intervals.h"

/* The selected ops of one function, what they cost, and the bound. */
struct group {
  VECTOR(op_id) ops;
  bool planned; /* something in it may be given back */
};

static struct group *
group_ops(struct program *program, function_id *of) {
  const struct ir_module *m = program->input;
  const uint8_t *selected = program->plan->selected;
  struct group *groups =
      ARENA_ARRAY(program->scratch, struct group, m->functions.count);
  for (op_id op = 0; op < m->op_count; op++) {
    if (!(selected[op] & PLAN_SELECTED) || of[op] == NONE)
      continue;
    vector_push(program->scratch, &groups[of[op]].ops, op);
    groups[of[op]].planned |= !(selected[op] & PLAN_MARKER);
  }
  return groups;
}

static void
note_given_back(struct program *program, struct plan_function *function) {
  for (uint32_t i = 0; i < function->decisions.count; i++) {
    struct plan_decision *decision = &function->decisions.data[i];
    if (program->plan->selected[decision->op] & PLAN_SELECTED)
      continue;
    decision->taken = false;
    decision->reason = "given back to fit the bound on clones";
    function->dropped++;
  }
  function->selected -= function->dropped;
}

/* Trim what FUNCTION's planner selected, GROUP, to BOUND clones. */
static void
trim_function(struct program *program, const struct group *group,
              struct give_back *request, function_id function) {
  struct plan_function *figures = &program->plan->functions[function];
  uint64_t projected = 0;
  request->ops = group->ops.data;
  request->count = group->ops.count;
  for (uint32_t i = 0; i < group->ops.count; i++) {
    op_id op = group->ops.data[i];
    uint64_t clones = projection_clones(request->projection, op);
    projected = saturating_add(projected,
                               saturating_multiply(clones, request->sizes[op]));
  }
  if (projected <= request->bound)
    return;
  give_back(request, program->options->trim);
  note_given_back(program, figures);
  const char *clones = projected < UINT64_MAX
                           ? arena_printf(program->scratch, "%llu clones",
                                          (unsigned long long)projected)
                           : "more clones than can be counted";
  diagnose(program->diagnostics, DIAGNOSTIC_PLAN_CLONE_BOUND,
           plan_location(program->input, function),
           "the plan makes %s, %llu are allowed: %u of %u selections were "
           "given back",
           clones, (unsigned long long)request->bound, figures->dropped,
           figures->dropped + figures->selected);
}

/* Ops with results, by function that hosts them. */
static uint32_t *
count_ops(struct program *program, const function_id *of) {
  const struct ir_module *m = program->input;
  uint32_t *ops = ARENA_ARRAY(program->scratch, uint32_t, m->functions.count);
  for (op_id op = 0; op < m->op_count; op++)
    if (of[op] != NONE && m->op_result_count[op])
      ops[of[op]]++;
  return ops;
}

static bool
execute_trim(struct program *program) {
  const struct ir_module *m = program->input;
  function_id *of = plan_functions_of_ops(program);
  const struct group *groups = group_ops(program, of);
  const uint32_t *ops = count_ops(program, of);
  struct projection projection;
  projection_build(&projection, m, program->plan->selected, program->scratch);
  struct give_back request = {.module = m,
                              .projection = &projection,
                              .selected = program->plan->selected,
                              .sizes = ir_op_sizes(m, program->scratch),
                              .scratch = program->scratch};
  for (function_id f = 0; f < m->functions.count; f++) {
    request.bound =
        saturating_multiply(program->options->clone_expansion, ops[f]);
    if (groups[f].planned)
      trim_function(program, &groups[f], &request, f);
  }
  return true;
}

static bool
gate_trim(const struct program *program) {
  return !program->options->analyze &&
         program->options->strategy == STRATEGY_GREEDY &&
         program->options->clone_expansion > 0;
}

const struct pass pass_trim = {
    .name = "trim",
    .help = "give back selections until their clones fit the bound",
    .requires_ = PROP_PLAN | PROP_BUFFERS,
    .gate = gate_trim,
    .execute = execute_trim,
};
