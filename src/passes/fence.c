/* fence.c - plan what a fusing compiler stores, and fence the plan.
 *
 *   budget 5                     %a = dot ...
 *   %a = dot ...                 %b = dot %a, ...
 *   %b = dot %a, ...       ==>   %a1, %b1 = barrier %a, %b
 *   %c = tanh %b                 %c = tanh %b1
 *   %d = dot %c, %a              %d = dot %c, %a1
 *
 * For each function that is over its budget: contract it to stored values
 * (fused.h), let the planners of src/plan find a sequence, cut that into
 * segments (fence.h), and expand it to ops with barriers between
 * (fence_find.c).  Bodies inside of ops are planned too: fence_bodies.c.
 */
#include "passes/fence.h"

#include "passes/budget.h"
#include "passes/instances.h"
#include "passes/manager.h"
#include "passes/options.h"
#include "passes/planning.h"

#include <string.h>

/* Of what the search for an optimum may look at, for one goal. */
enum { EXACT_SHARE = 25 };

/* Bytes of temporaries that FUNCTION may have. */
static uint64_t
allowed_bytes(const struct program *program, function_id function) {
  const struct budget *budget = &program->budget[function];
  const struct liveness_function *f = &program->liveness->functions[function];
  if (budget->temporaries)
    return budget->bytes;
  return saturating_subtract(
      saturating_add(budget->bytes, budget->resident_bytes),
      liveness_caller_bytes(f));
}

/* Can FUNCTION be planned? */
static bool
can_plan(const struct program *program, function_id function) {
  const struct ir_function *f = &program->input->functions.data[function];
  return program->liveness->functions[function].runs && !f->fixed &&
         f->body != NONE &&
         program->buffers->clock->function_host[function] == function;
}

void
fence_set_peak(struct fencing *f, block_id block, uint64_t bytes) {
  fused_set_peak(f->fused, block, bytes);
  fused_set_peak(f->unordered, block, bytes);
  for (uint32_t i = 0; i < HELD_SETS; i++)
    if (f->held[i])
      fused_set_peak(f->held[i], block, bytes);
}

/* What the plan of BLOCK, of FUNCTION, says of it.  Its bounds are not taken
 * over: they are those of a problem in which what is stored is settled, and of
 * the goal, where a plan may change the one and miss the other (least.h). */
static void
record(struct fencing *f, function_id function, const struct fence_plan *plan) {
  struct plan_function *figures = &f->program->plan->functions[function];
  figures->strategy =
      arena_printf(f->program->arena, "%s", plan->result.strategy);
  if (plan->cuts.operandless)
    diagnose(f->program->diagnostics, DIAGNOSTIC_MISSED,
             plan_location(f->program->input, function),
             "no fence holds %u values of %llu bytes in all, which are made of "
             "nothing: a scheduler may make them early",
             plan->cuts.operandless,
             (unsigned long long)plan->cuts.loose_bytes);
}

/* Plan the blocks of FUNCTION that are over its budget. */
static void
plan_function(struct fencing *f, function_id function) {
  struct program *program = f->program;
  const struct ir_module *m = program->input;
  struct plan_function *figures = &program->plan->functions[function];
  uint64_t limit = allowed_bytes(program, function);
  uint64_t before = f->work;
  figures->planned = true;
  if (!can_plan(program, function))
    return;
  for (block_id b = m->region_block[m->functions.data[function].body];
       b != NONE; b = m->block_next[b]) {
    struct fence_plan plan;
    uint64_t left =
        saturating_subtract(limit, fused_outside_bytes(f->fused, b));
    if (fused_block_peak(f->fused, b) <= left)
      continue;
    uint64_t needs = fence_plan_block(f, b, left, &plan);
    if (!plan.made)
      continue;
    fence_set_peak(f, b, needs);
    record(f, function, &plan);
  }
  figures->planner_work = f->work - before;
}

static bool
gate_fence(const struct program *program) {
  enum strategy strategy = program->options->strategy;
  return !program->options->analyze && !program->plan_source &&
         strategy != STRATEGY_NONE && strategy != STRATEGY_GREEDY &&
         fused_is_model(program);
}

/* Is FUNCTION to be planned? */
static bool
is_over(const struct program *program, function_id function) {
  const struct budget *budget = &program->budget[function];
  return budget->source != BUDGET_NONE &&
         program->plan->functions[function].marked == 0 &&
         budget_counted(budget, &program->liveness->functions[function]) >
             budget->bytes;
}

static void
refuse(struct program *program, function_id function, uint64_t before,
       uint64_t after) {
  struct plan_function *figures = &program->plan->functions[function];
  figures->refused = true;
  figures->refused_reason = arena_printf(
      program->arena,
      "in the worst order that its fences leave it needs %llu bytes of "
      "temporaries, the input %llu",
      (unsigned long long)after, (unsigned long long)before);
  diagnose(program->diagnostics, DIAGNOSTIC_MISSED,
           plan_location(program->input, function),
           "the plan is not carried out: %s", figures->refused_reason);
}

/* Say what each function that was planned needs now at most.  Where that is no
 * less than without a plan, there is none: fences hold a program to an order
 * that may be worse than what a compiler would find.  Returns how many plans
 * are left. */
static uint32_t
claim(struct fencing *f, bool *refused) {
  struct program *program = f->program;
  struct fused *made = fence_made(f, NULL, true, program->scratch);
  uint32_t left = 0;
  for (function_id i = 0; i < program->input->functions.count; i++) {
    struct plan_function *figures = &program->plan->functions[i];
    if (!figures->planned || !figures->strategy)
      continue;
    uint64_t before = program->liveness->functions[i].fused_temp_bytes;
    uint64_t after = fused_function_peak(made, i);
    figures->claimed_peak_before_bytes = before;
    figures->claimed_peak_after_bytes = after;
    figures->fenced = f->fences && after < before;
    refused[i] = after >= before;
    left += !refused[i];
    if (refused[i])
      refuse(program, i, before, after);
  }
  return left;
}

/* Give the plans to the program, with the figures of each function. */
static void
hand_over(struct fencing *f, const bool *refused) {
  struct program *program = f->program;
  const function_id *of = ir_functions_of_ops(program->input, program->scratch);
  const function_id *host = program->buffers->clock->function_host;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < f->blocks.count; i++) {
    struct plan_block block = f->blocks.data[i];
    function_id own = block.count ? of[block.ops[0]] : NONE;
    if (own == NONE || (host[own] != NONE && refused[host[own]]))
      continue;
    program->plan->functions[own].fences += block.fence_count;
    f->blocks.data[kept++] = block;
    vector_push(program->arena, &program->plan->blocks, block);
  }
  instances_count(program, f->blocks.data, kept);
}

/* Can fences be put?  Says where they cannot, and are wanted. */
static bool
has_barrier(struct program *program) {
  const struct ir_module *m = program->input;
  if (m->format->has_barrier && m->format->has_barrier(m))
    return true;
  diagnose(program->diagnostics, DIAGNOSTIC_MISSED, NO_LOCATION,
           "the dialects of this dump have no barrier: nothing keeps a "
           "compiler behind from undoing the plan");
  return false;
}

static bool
execute_fence(struct program *program) {
  const struct ir_module *m = program->input;
  struct arena *scratch = program->scratch;
  struct fencing f = {.program = program,
                      .settings = planning_settings(program),
                      .fences = program->options->barriers != 0 &&
                                has_barrier(program)};
  if (!program->options->exact) /* there are many goals, and many bodies */
    f.settings.exact_states /= EXACT_SHARE;
  struct stored *stored = stored_find(program, m, program->facts);
  f.fused = fused_new(program, stored, scratch);
  f.unordered = fused_new(program, stored, scratch);
  f.unordered->any_order = f.fences;
  for (uint32_t i = 0; f.fences && i < HELD_SETS; i++) {
    const bool *held = fence_held(stored, i + 1, scratch);
    if (held)
      f.held[i] = fused_new(
          program, stored_find_held(program, m, program->facts, held), scratch);
  }
  f.block_goal = ARENA_ARRAY(scratch, uint64_t, m->block_count);
  memset(f.block_goal, 0xff, m->block_count * sizeof *f.block_goal);
  for (function_id i = 0; i < m->functions.count; i++)
    if (is_over(program, i))
      plan_function(&f, i);
  if (!f.blocks.count)
    return true;
  bool *refused = ARENA_ARRAY(scratch, bool, m->functions.count);
  if (claim(&f, refused))
    hand_over(&f, refused);
  return true;
}

const struct pass pass_fence = {
    .name = "fence",
    .help =
        "plan what a fusing compiler stores, with fences that hold the plan",
    .gate = gate_fence,
    .execute = execute_fence,
    .requires_ = PROP_FACTS | PROP_BUFFERS | PROP_LIVENESS | PROP_BUDGET |
                 PROP_MARKS | PROP_FUSED,
    .provides = PROP_PLAN,
};
