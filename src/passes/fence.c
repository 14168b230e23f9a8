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
 * that comes out is contracted again and measured.  Several goals are tried,
 * and the cheapest plan that fits is taken.
 *
 * Not planned are functions of several blocks, and bodies inside of ops.
 * Cost: that of the planners and of building the program, once for each goal.
 */
#include "passes/fence.h"

#include "passes/budget.h"
#include "passes/instances.h"
#include "passes/manager.h"
#include "passes/options.h"
#include "passes/planning.h"
#include "passes/rebuild.h"
#include "passes/verify.h"
#include "plan/limit.h"

enum { SLACK_MOST = 140, SLACK_LEAST = 85, SLACK_STEP = 5, CUT_ROUNDS = 3 };

struct fencing {
  struct program *program;
  struct fused *fused;
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

/* What any order of what PLAN makes of FUNCTION needs at most; without fences
 * what it needs in order. */
static uint64_t
measure(struct fencing *f, function_id function,
        const struct fence_plan *plan) {
  struct program *program = f->program;
  struct plan alone = {.selected = program->plan->selected,
                       .functions = program->plan->functions};
  vector_push(program->scratch, &alone.blocks, plan->block);
  struct ir_module *made = rebuild_module(program->input, &alone,
                                          program->scratch, program->scratch);
  struct facts *facts = facts_of_made(program, made);
  struct stored *stored = stored_find(program, made, facts);
  struct fused *fused = fused_new(program, stored, program->scratch);
  region_id body = made->functions.data[function].body;
  return f->fences ? verify_fenced_bytes(fused, made->region_block[body])
                   : fused_function_peak(fused, function);
}

/* A plan of B, of FUNCTION, that planners make for GOAL bytes, cut so that it
 * stays within LIMIT: where what is measured is over it, earlier. */
static bool
plan_once(struct fencing *f, function_id function, const struct fused_block *b,
          uint64_t goal, uint64_t limit, struct fence_plan *plan) {
  struct arena *scratch = f->program->scratch;
  uint64_t cut = limit;
  plan_limited(b->problem, goal, &f->settings, &plan->result, scratch);
  for (uint32_t round = 0; round < CUT_ROUNDS; round++) {
    if (!fence_cut(&plan->cuts, b, plan->result.sequence, cut, f->fences,
                   scratch))
      return false;
    plan->block = fused_expand(&plan->cuts, f->program->arena);
    plan->measured_bytes = measure(f, function, plan);
    uint64_t over = saturating_subtract(plan->measured_bytes, limit);
    if (!over || over >= cut || !f->fences)
      break;
    cut -= over;
  }
  return plan->made = true;
}

/* Is A to be preferred to B for LIMIT bytes: it fits and B does not; both fit
 * and it is cheaper; neither does and it needs less? */
static bool
is_better(const struct fence_plan *a, const struct fence_plan *b,
          uint64_t limit) {
  bool fits = a->measured_bytes <= limit;
  if (!b->made || fits != (b->measured_bytes <= limit))
    return !b->made || fits;
  if (!fits)
    return a->measured_bytes < b->measured_bytes;
  if (a->result.figures.cost_ns != b->result.figures.cost_ns)
    return a->result.figures.cost_ns < b->result.figures.cost_ns;
  return a->block.count < b->block.count;
}

/* The best plan of BLOCK of FUNCTION for LIMIT bytes.  That an operand dies
 * where its place can be taken, planners know of the program as it was; with
 * clones it is true more often: so goals beyond the limit are tried as well,
 * and such below it. */
static struct fence_plan
find_plan(struct fencing *f, function_id function, block_id block,
          uint64_t limit) {
  struct fence_plan best = {.made = false}, plan = {.made = false};
  const struct fused_block *b = fused_contract(f->fused, block);
  for (uint32_t percent = SLACK_MOST; b->problem && percent >= SLACK_LEAST;
       percent -= SLACK_STEP) {
    uint64_t goal = (uint64_t)((double)limit * percent / 100);
    if (!plan_once(f, function, b, goal, limit, &plan))
      continue;
    if (is_better(&plan, &best, limit))
      best = plan;
    if (percent <= 100 && best.measured_bytes <= limit)
      break;
  }
  return best;
}

/* Plan FUNCTION. */
static void
plan_function(struct fencing *f, function_id function) {
  struct program *program = f->program;
  struct plan_function *figures = &program->plan->functions[function];
  block_id block = block_of(program, function);
  figures->planned = true;
  if (block == NONE)
    return;
  struct fence_plan best =
      find_plan(f, function, block, allowed_bytes(program, function));
  if (!best.made)
    return;
  figures->strategy = arena_printf(program->arena, "%s", best.result.strategy);
  figures->claimed_peak_before_bytes =
      program->liveness->functions[function].fused_temp_bytes;
  figures->claimed_peak_after_bytes = best.measured_bytes;
  figures->lower_bound_bytes = best.result.bound_bytes;
  figures->lower_bound_cost_ns = best.result.bound_cost_ns;
  figures->proved_infeasible = best.result.proved_infeasible;
  figures->fences = best.block.fence_count;
  instances_count(program, &best.block, 1);
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
  struct stored *stored = stored_find(program, program->input, program->facts);
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
