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
 * segments (fence.h), and expand it to ops with barriers between.  The program
 * that comes out is contracted again and measured; where it needs more than was
 * planned, the goal is lowered by the difference and planned again.
 *
 * Not planned are functions of several blocks, and bodies inside of ops.
 * Cost: that of the planners, ROUNDS times at most. */
#include "passes/fence.h"

#include "passes/budget.h"
#include "passes/manager.h"
#include "passes/options.h"
#include "passes/planning.h"
#include "passes/rebuild.h"

enum { ROUNDS = 4 };

struct fencing {
  struct program *program;
  struct fused *fused; /* as plans are made: long reductions count */
  struct plan_settings settings;
  bool fences;
};

struct fence_plan {
  struct plan_block block;
  struct plan_result result;
  struct fence_cuts cuts;
  uint64_t measured_bytes;
  bool made;
};

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

/* The only block of FUNCTION, if it can be planned; else NONE. */
static block_id
block_of(const struct program *program, function_id function) {
  const struct ir_module *m = program->input;
  const struct ir_function *f = &m->functions.data[function];
  if (!program->liveness->functions[function].runs || f->fixed ||
      f->body == NONE ||
      program->buffers->clock->function_host[function] != function)
    return NONE;
  block_id block = m->region_block[f->body];
  return block == NONE || m->block_next[block] != NONE ? NONE : block;
}

/* A plan of BLOCK that needs GOAL bytes at most, if there is one. */
static bool
plan_once(struct fencing *f, block_id block, uint64_t goal, uint64_t limit,
          struct fence_plan *plan) {
  struct arena *scratch = f->program->scratch;
  const struct fused_block *b = fused_contract(f->fused, block);
  plan->made = false;
  if (!b->problem)
    return false;
  plan_best(b->problem, goal, &f->settings, &plan->result, scratch);
  if (!fence_cut(&plan->cuts, b, plan->result.sequence, limit, f->fences,
                 scratch))
    return false;
  plan->block = fused_expand(&plan->cuts, f->program->arena);
  plan->made = true;
  return true;
}

/* The peak of FUNCTION's temporaries in the program that PLAN makes. */
static uint64_t
measure(struct fencing *f, function_id function, struct fence_plan *plan) {
  struct program *program = f->program;
  struct plan alone = {.selected = program->plan->selected,
                       .functions = program->plan->functions};
  vector_push(program->scratch, &alone.blocks, plan->block);
  struct ir_module *made =
      rebuild_module(program->input, &alone, program->arena, program->scratch);
  struct facts *facts = facts_of_made(program, made);
  struct stored *stored = stored_find(program, made, facts, false);
  struct fused *fused = fused_new(program, stored, program->scratch);
  return fused_function_peak(fused, function);
}

/* Plan FUNCTION, and again with less where what comes out needs more. */
static void
plan_function(struct fencing *f, function_id function) {
  struct program *program = f->program;
  block_id block = block_of(program, function);
  uint64_t limit = allowed_bytes(program, function), goal = limit;
  struct fence_plan best = {.made = false}, plan;
  for (uint32_t round = 0; block != NONE && round < ROUNDS; round++) {
    if (!plan_once(f, block, goal, limit, &plan))
      break;
    plan.measured_bytes = measure(f, function, &plan);
    if (!best.made || plan.measured_bytes < best.measured_bytes)
      best = plan;
    uint64_t over = saturating_subtract(plan.measured_bytes, limit);
    if (!over || over >= goal)
      break;
    goal -= over;
  }
  struct plan_function *figures = &program->plan->functions[function];
  figures->planned = true;
  if (!best.made)
    return;
  figures->strategy = arena_printf(program->arena, "%s", best.result.strategy);
  figures->claimed_peak_before_bytes =
      program->liveness->functions[function].fused_temp_bytes;
  figures->claimed_peak_after_bytes = best.cuts.bound_bytes;
  figures->lower_bound_bytes = best.result.bound_bytes;
  figures->lower_bound_cost_ns = best.result.bound_cost_ns;
  figures->proved_infeasible = best.result.proved_infeasible;
  figures->fences = best.block.fence_count;
  planning_count(program, &best.block, figures);
  vector_push(program->arena, &program->plan->blocks, best.block);
  if (best.cuts.operandless)
    diagnose(program->diagnostics, DIAGNOSTIC_MISSED,
             plan_location(program->input, function),
             "no fence holds %u values of %llu bytes in all, which are made of "
             "nothing: a scheduler may make them early",
             best.cuts.operandless, (unsigned long long)best.cuts.loose_bytes);
}

static bool
gate_fence(const struct program *program) {
  enum strategy strategy = program->options->strategy;
  return !program->options->analyze && strategy != STRATEGY_NONE &&
         strategy != STRATEGY_GREEDY && fused_is_model(program);
}

static bool
execute_fence(struct program *program) {
  struct fencing f = {.program = program,
                      .settings = planning_settings(program),
                      .fences = program->options->barriers != 0};
  struct stored *stored =
      stored_find(program, program->input, program->facts, true);
  f.fused = fused_new(program, stored, program->scratch);
  for (function_id i = 0; i < program->input->functions.count; i++) {
    const struct budget *budget = &program->budget[i];
    if (budget->source != BUDGET_NONE &&
        program->plan->functions[i].marked == 0 &&
        budget_counted(budget, &program->liveness->functions[i]) >
            budget->bytes)
      plan_function(&f, i);
  }
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
