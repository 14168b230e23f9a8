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
 * that comes out is contracted again, measured, and packed as an allocator
 * does.  Several goals are tried, and the cheapest plan that fits is taken.
 *
 * Bodies inside of ops are planned too: fence_bodies.c.
 * Cost: that of the planners and of building the program, once for each goal.
 */
#include "passes/fence.h"
#include "passes/plan_check.h"

#include "passes/budget.h"
#include "passes/instances.h"
#include "passes/manager.h"
#include "passes/options.h"
#include "passes/planning.h"
#include "plan/limit.h"

#include <string.h>

/* Goals that are tried, and by which shares of the limit they go down. */
enum { TRIES = 12, FEW_TRIES = 3, FINEST = 128, COARSEST = 24, CUT_ROUNDS = 3 };

/* Goals that are tried below one that fits: planners are not so good that a
 * tighter one never comes out cheaper. */
enum { MORE = 2 };

/* Nodes up to which the least that is needed is looked for long, and at all. */
enum { FEW_NODES = 2000, MANY_NODES = 20000 };

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

/* How PLAN stands to LIMIT: 2 where it fits, 1 where only an allocator's holes
 * are too much, else 0. */
static int
fit(const struct fence_plan *plan, uint64_t limit) {
  if (!plan->made || plan->measured_bytes > limit)
    return 0;
  return 1 + (plan->packed_bytes <= limit);
}

/* Is A to be preferred to B for LIMIT bytes: it fits better; both fit and it is
 * cheaper; neither does and it needs less? */
static bool
is_better(const struct fence_plan *a, const struct fence_plan *b,
          uint64_t limit) {
  int fits = fit(a, limit);
  if (!b->made || fits != fit(b, limit))
    return !b->made || fits > fit(b, limit);
  if (fits == 0)
    return a->measured_bytes < b->measured_bytes;
  if (fits == 1 && a->packed_bytes != b->packed_bytes)
    return a->packed_bytes < b->packed_bytes;
  if (a->result.figures.cost_ns != b->result.figures.cost_ns)
    return a->result.figures.cost_ns < b->result.figures.cost_ns;
  return a->block.count < b->block.count;
}

/* What PLAN needs, an allocator's holes counted. */
static uint64_t
most_needed(const struct fence_plan *plan) {
  return plan->measured_bytes > plan->packed_bytes ? plan->measured_bytes
                                                   : plan->packed_bytes;
}

/* The ops of PLAN's cuts, and what they need.  False where they do not run. */
static bool
expand(struct fencing *f, block_id block, struct fence_plan *plan) {
  struct arena *scratch = f->program->scratch;
  plan->block = fused_expand(&plan->cuts, f->program->arena);
  if (!plan_block_runs(f->program->input, &plan->block, scratch)) {
    const struct ir_module *m = f->program->input;
    diagnose(f->program->diagnostics, DIAGNOSTIC_INTERNAL,
             ir_op_location(m, ir_block_op(m, block, 0)),
             "a plan of this block runs an op before what it reads");
    return false;
  }
  plan->measured_bytes =
      fence_measure(f, block, &plan->block, false, &plan->packed_bytes);
  return plan->made = true;
}

/* A plan of B that planners make for GOAL bytes, cut so that it stays within
 * LIMIT: where what it needs is over that, earlier. */
static bool
plan_once(struct fencing *f, const struct fused_block *b, uint64_t goal,
          uint64_t limit, struct fence_plan *best) {
  struct arena *scratch = f->program->scratch;
  struct fence_plan plan = {.made = false};
  if (!plan_limited(b->problem, goal, &f->settings, &plan.result, scratch))
    plan.least_bytes = plan.result.figures.peak_bytes;
  f->work = saturating_add(f->work, plan.result.work);
  uint64_t cut = plan.result.figures.peak_bytes;
  cut = cut > limit ? cut : limit;
  best->made = false;
  for (uint32_t round = 0; round < CUT_ROUNDS; round++) {
    if (!fence_cut(&plan.cuts, b, plan.result.sequence, cut, f->fences,
                   scratch) ||
        !expand(f, b->block, &plan))
      return false;
    if (is_better(&plan, best, limit))
      *best = plan;
    uint64_t over = saturating_subtract(most_needed(&plan), limit);
    if (!over || over >= cut || !f->fences)
      break;
    cut -= over;
  }
  return true;
}

/* The best plan of B for LIMIT bytes of those that come out for
 * TRIES goals from there down, until MORE fit than one, or nothing does: fences
 * and an allocator's holes take more than planners count. */
static struct fence_plan
find_within(struct fencing *f, const struct fused_block *b, uint64_t limit,
            uint32_t tries, uint32_t more) {
  struct fence_plan best = {.made = false}, plan = {.made = false};
  uint64_t goal = limit, least = limit / FINEST, most = limit / COARSEST;
  uint32_t fitting = 0;
  for (uint32_t try = 0; try < tries; try++) {
    if (!plan_once(f, b, goal, limit, &plan))
      break;
    if (is_better(&plan, &best, limit))
      best = plan;
    fitting += fit(&plan, limit) == 2;
    if (fitting > more || plan.least_bytes)
      break;
    uint64_t needed = most_needed(&plan);
    uint64_t step = saturating_subtract(needed, limit) / 2;
    step = fitting || step > most ? most : step < least ? least : step;
    goal = saturating_subtract(goal, step);
  }
  return best;
}

/* How often a limit between what was met and what was not is tried. */
static uint32_t
bisections(const struct fused_block *b) {
  uint32_t nodes = b->problem->node_count;
  return nodes <= FEW_NODES ? 4 : nodes <= MANY_NODES ? 2 : 0;
}

/* The best plan of B for LIMIT bytes; where nothing fits, the one that needs
 * least. */
static struct fence_plan
find_in(struct fencing *f, const struct fused_block *b, uint64_t limit) {
  if (!b->problem)
    return (struct fence_plan){.made = false};
  struct fence_plan best = find_within(f, b, limit, TRIES, MORE);
  uint64_t low = limit > best.least_bytes ? limit : best.least_bytes;
  for (uint32_t round = fit(&best, limit) ? 0 : bisections(b);
       best.made && round-- > 0;) {
    uint64_t high = most_needed(&best);
    if (high <= low || high - low <= high / COARSEST)
      break;
    uint64_t middle = low + (high - low) / 2;
    struct fence_plan plan = find_within(f, b, middle, FEW_TRIES, 0);
    if (fit(&plan, middle) == 2)
      best = plan;
    else
      low = middle;
  }
  return best;
}

struct fence_plan
fence_find(struct fencing *f, block_id block, uint64_t limit) {
  const struct fused_block *b = fused_contract(f->fused, block);
  struct fence_plan best = find_in(f, b, limit);
  if (!f->held || !best.made ||
      (b->problem->node_count > FEW_NODES && fit(&best, limit) == 2))
    return best;
  const struct fused_block *held = fused_contract(f->held, block);
  if (!held->problem || held->problem->node_count == b->problem->node_count)
    return best;
  struct fence_plan plan = find_in(f, held, limit);
  return is_better(&plan, &best, limit) ? plan : best;
}

void
fence_set_peak(struct fencing *f, block_id block, uint64_t bytes) {
  fused_set_peak(f->fused, block, bytes);
  fused_set_peak(f->unordered, block, bytes);
  if (f->held)
    fused_set_peak(f->held, block, bytes);
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
  const bool *held = f.fences ? fence_held(stored, scratch) : NULL;
  if (held)
    f.held = fused_new(
        program, stored_find_held(program, m, program->facts, held), scratch);
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
