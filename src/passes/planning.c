/* planning.c - see planning.h.
 *
 * Cost: that of the planners, times ROUNDS at most. */
#include "passes/planning.h"
#include "passes/flow.h"
#include "passes/plan_check.h"
#include "passes/rebuild.h"
#include "passes/xla.h"
#include "plan/limit.h"

#include <string.h>

enum { ROUNDS = 4, INNER_ROUNDS = 4, DEPTH_MAX = 16, BODIES = 64 };

/* --- one block --- */

static void
keep_block(struct planning *p, struct planning_job *job,
           struct plan_block block) {
  for (uint32_t i = 0; i < job->blocks.count; i++)
    if (job->blocks.data[i].block == block.block) {
      job->blocks.data[i] = block;
      return;
    }
  vector_push(p->program->arena, &job->blocks, block);
}

static uint64_t plan_region_op(struct planning *p, struct planning_job *job,
                               op_id op, uint64_t goal, uint32_t depth);

/* What an op runs: a region on its clock, or that of CALLEE, which others call
 * too; else that is NONE. */
struct body {
  region_id region;
  function_id callee;
};

/* What OP runs, up to BODIES into FOUND; how many. */
static uint32_t
bodies_of(const struct planning *p, op_id op, struct body *found) {
  const struct program *program = p->program;
  const struct ir_module *m = program->input;
  struct flow_body bodies[BODIES];
  uint32_t calls,
      count = flow_bodies(m, program->facts, program->buffers->clock, op,
                          bodies, BODIES);
  const struct ir_call *call =
      m->calls.count ? ir_op_calls(m, op, &calls) : NULL;
  if (count > BODIES)
    count = BODIES;
  for (uint32_t i = 0; i < count; i++)
    found[i] = (struct body){bodies[i].function == NONE
                                 ? bodies[i].region
                                 : m->functions.data[bodies[i].function].body,
                             NONE};
  for (uint32_t i = 0; call && i < calls && count < BODIES; i++) {
    const struct ir_function *callee = &m->functions.data[call[i].callee];
    if (call[i].role == CALL_FLOW && callee->body != NONE && !callee->fixed &&
        !clock_inlines(program->buffers->clock, &call[i]) &&
        program->liveness->functions[call[i].callee].runs)
      found[count++] = (struct body){callee->body, call[i].callee};
  }
  return count;
}

static bool
has_bodies(const struct planning *p, op_id op) {
  struct body bodies[BODIES];
  return bodies_of(p, op, bodies) > 0;
}

/* Lower what ops with bodies need, where the plan RESULT of C is over GOAL at
 * them.  True where any of them needs less now. */
static bool
lower_inner(struct planning *p, struct planning_job *job,
            const struct contraction *c, const struct plan_result *result,
            uint64_t goal, uint32_t depth) {
  struct plan_timeline timeline;
  bool lowered = false;
  if (depth == DEPTH_MAX ||
      !plan_timeline_build(&timeline, c->problem, result->sequence,
                           p->program->scratch))
    return false;
  for (uint32_t at = 0; at < timeline.count; at++) {
    uint64_t live = (uint64_t)timeline.profile[at] + c->held_bytes;
    op_id op = c->node_op[timeline.nodes[at]];
    if (live <= goal || op == NONE || !has_bodies(p, op))
      continue;
    uint64_t saved = plan_region_op(p, job, op, live - goal, depth + 1);
    if (saved > job->contractor->op_saved[op]) {
      job->contractor->op_saved[op] = saved;
      lowered = true;
    }
  }
  return lowered;
}

/* What no plan of a block of the function itself can do better, where the
 * problem is no more than the program. */
static void
record_bounds(struct planning_job *job, const struct contraction *c,
              const struct plan_result *result) {
  uint64_t bytes = saturating_add(result->bound_bytes, c->held_bytes);
  if (job->bound_bytes < bytes)
    job->bound_bytes = bytes;
  job->bound_cost_ns =
      saturating_add(job->bound_cost_ns, result->bound_cost_ns);
  job->proved_infeasible |= result->proved_infeasible;
}

/* Plan BLOCK for GOAL bytes of the account of JOB.  Returns the bytes that the
 * plan is said to need; what is planned goes to JOB's blocks. */
static uint64_t
plan_one_block(struct planning *p, struct planning_job *job, block_id block,
               uint64_t goal, uint32_t depth) {
  struct plan_result result = {0};
  struct contraction *c = NULL;
  for (uint32_t round = 0; round < INNER_ROUNDS; round++) {
    c = contract_block(job->contractor, block);
    if (!c)
      return UINT64_MAX;
    plan_limited(c->problem, saturating_subtract(goal, c->held_bytes),
                 &p->settings, &result, p->program->scratch);
    job->work = saturating_add(job->work, result.work);
    if (result.fits || !lower_inner(p, job, c, &result, goal, depth))
      break;
  }
  job->clone_bound_reached |= result.clone_bound_reached;
  if (result.strategy)
    job->strategy =
        arena_copy(p->program->arena, result.strategy, strlen(result.strategy));
  if (depth == 0 && c->exact)
    record_bounds(job, c, &result);
  struct plan_block planned =
      contraction_expand(c, result.sequence, p->program->arena);
  if (!plan_block_runs(p->program->input, &planned, p->program->scratch)) {
    diagnose(p->program->diagnostics, DIAGNOSTIC_INTERNAL,
             plan_location(p->program->input, job->function),
             "a plan runs an op before what it reads");
    return UINT64_MAX;
  }
  keep_block(p, job, planned);
  return saturating_add(result.figures.peak_bytes, c->held_bytes);
}

/* Bytes that BLOCK needs at most as it stands. */
static uint64_t
block_peak(const struct planning_job *job, block_id block) {
  const struct clock *clock = job->contractor->clock;
  const uint64_t *live = job->contractor->live;
  uint64_t most = 0;
  if (clock->block_begin[block] == NONE)
    return 0;
  for (uint32_t t = clock->block_begin[block]; t <= clock->block_end[block];
       t++)
    most = live[t] > most ? live[t] : most;
  return most;
}

/* Plan all blocks of REGION for GOAL.  Returns what they need at most. */
static uint64_t
plan_region(struct planning *p, struct planning_job *job, region_id region,
            uint64_t goal, uint32_t depth) {
  const struct ir_module *m = p->program->input;
  uint64_t most = 0;
  for (block_id b = m->region_block[region]; b != NONE; b = m->block_next[b]) {
    uint64_t needs = block_peak(job, b);
    if (needs > goal)
      needs = plan_one_block(p, job, b, goal, depth);
    most = needs > most ? needs : most;
  }
  return most;
}

/* Plan BODY for GOAL.  What several ops call has one plan, that for the lowest
 * goal.  Returns what it needs at most. */
static uint64_t
plan_body(struct planning *p, struct planning_job *job, struct body body,
          uint64_t goal, uint32_t depth) {
  if (body.callee == NONE)
    return plan_region(p, job, body.region, goal, depth);
  struct planned_callee *callee = &job->callees[body.callee];
  if (!callee->planned || goal < callee->goal_bytes) {
    callee->planned = true;
    callee->goal_bytes = goal;
    callee->needed_bytes = plan_region(p, job, body.region, goal, depth);
  }
  return callee->needed_bytes;
}

/* Lower what the bodies of OP need by EXCESS bytes.  Returns by how much that
 * went. */
static uint64_t
plan_region_op(struct planning *p, struct planning_job *job, op_id op,
               uint64_t excess, uint32_t depth) {
  const struct ir_module *m = p->program->input;
  uint64_t before = 0, after = 0;
  struct body bodies[BODIES];
  uint32_t count = bodies_of(p, op, bodies);
  for (uint32_t i = 0; i < count; i++)
    for (block_id b = m->region_block[bodies[i].region]; b != NONE;
         b = m->block_next[b]) {
      uint64_t peak = block_peak(job, b);
      before = peak > before ? peak : before;
    }
  uint64_t goal = saturating_subtract(
      before, saturating_add(excess, job->contractor->op_saved[op]));
  for (uint32_t i = 0; i < count; i++) {
    uint64_t needs = plan_body(p, job, bodies[i], goal, depth);
    after = needs > after ? needs : after;
  }
  return saturating_subtract(before, after);
}

/* --- functions --- */

static void
plan_job(struct planning *p, struct planning_job *job) {
  const struct ir_module *m = p->program->input;
  const struct ir_function *f = &m->functions.data[job->function];
  job->blocks.count = 0;
  job->bound_cost_ns = 0;
  memset(job->contractor->op_saved, 0,
         m->op_count * sizeof *job->contractor->op_saved);
  memset(job->callees, 0, m->functions.count * sizeof *job->callees);
  job->claimed_bytes = plan_region(p, job, f->body, job->goal_bytes, 0);
}

static struct contractor *
contractor_for(struct planning *p, bool temporaries_only) {
  struct contractor **contractor = &p->contractors[temporaries_only];
  const struct program *program = p->program;
  struct contract_input input = {
      .module = program->input,
      .facts = program->facts,
      .buffers = p->apart ? program->buffers : program->liveness->buffers,
      .liveness = program->liveness,
      .marks = program->plan->selected,
      .orders = &p->orders};
  if (!*contractor)
    *contractor = contractor_new(&input, temporaries_only, program->scratch);
  return *contractor;
}

bool
planning_add(struct planning *p, function_id function, uint64_t bytes) {
  const struct program *program = p->program;
  const struct ir_function *f = &program->input->functions.data[function];
  const struct budget *budget = &program->budget[function];
  if (!program->liveness->functions[function].runs || f->fixed ||
      f->body == NONE ||
      program->buffers->clock->function_host[function] != function)
    return false;
  struct planning_job *job = vector_add(program->arena, &p->jobs);
  job->function = function;
  job->budget_bytes = bytes;
  job->needed_bytes =
      budget_counted(budget, &program->liveness->functions[function]);
  job->goal_bytes = saturating_add(bytes, budget->resident_bytes);
  op_id op;
  job->proved_infeasible =
      budget_least(budget, &program->liveness->functions[function], &op) >
      bytes;
  job->contractor = contractor_for(p, budget->temporaries);
  job->callees = ARENA_ARRAY(program->scratch, struct planned_callee,
                             program->input->functions.count);
  return true;
}

/* --- measuring --- */

void
planning_gather(struct planning *p) {
  struct plan *plan = p->program->plan;
  bool *has =
      ARENA_ARRAY(p->program->scratch, bool, p->program->input->block_count);
  plan->blocks.count = 0;
  for (uint32_t j = 0; j < p->jobs.count; j++)
    for (uint32_t b = 0; b < p->jobs.data[j].blocks.count; b++) {
      const struct plan_block *block = &p->jobs.data[j].blocks.data[b];
      /* Two functions may have planned what both call. */
      if (!has[block->block])
        vector_push(p->program->arena, &plan->blocks, *block);
      has[block->block] = true;
    }
}

struct planning_measure
planning_measure(struct program *program) {
  struct ir_module *made = rebuild_module(program->input, program->plan,
                                          program->arena, program->scratch);
  struct facts *facts = facts_of_made(program, made);
  struct buffers *buffers = buffers_find(program, made, facts);
  return (struct planning_measure){
      made, facts, liveness_scan(program, made, facts, buffers)};
}

/* What JOB's function needs by LIVENESS, as its budget counts. */
static uint64_t
needs_of(const struct planning *p, const struct planning_job *job,
         const struct liveness *liveness) {
  return budget_counted(&p->program->budget[job->function],
                        &liveness->functions[job->function]);
}

/* Hold the measured program against the budgets: lower the goals of those that
 * are still over.  True where there is something to plan again. */
static bool
adjust_goals(struct planning *p, const struct liveness *measured) {
  bool again = false;
  for (uint32_t j = 0; j < p->jobs.count; j++) {
    struct planning_job *job = &p->jobs.data[j];
    if (job->settled)
      continue;
    job->measured_bytes = needs_of(p, job, measured);
    job->fits = job->measured_bytes <= job->budget_bytes;
    uint64_t over = saturating_subtract(job->measured_bytes, job->budget_bytes);
    bool missed = job->claimed_bytes > job->goal_bytes;
    job->settled = job->fits || missed || job->blocks.count == 0 ||
                   over >= job->goal_bytes;
    if (job->settled)
      continue;
    job->goal_bytes -= over;
    again = true;
  }
  return again;
}

/* Give up the plans of functions that measure no lower than before. */
static void
drop_harmful(struct planning *p) {
  for (uint32_t j = 0; j < p->jobs.count; j++) {
    struct planning_job *job = &p->jobs.data[j];
    uint64_t before = needs_of(p, job, p->program->liveness);
    if (job->measured_bytes < before)
      continue;
    job->blocks.count = 0;
    job->measured_bytes = before;
  }
}

/* --- storage that is written over --- */

/* The job whose function OP of the input runs in, or NULL. */
static struct planning_job *
job_of(const struct planning *p, const function_id *of, op_id op) {
  for (uint32_t j = 0; of[op] != NONE && j < p->jobs.count; j++)
    if (p->jobs.data[j].function == of[op])
      return &p->jobs.data[j];
  return NULL;
}

static void
add_order(struct planning *p, op_id before, op_id after) {
  struct arena *arena = p->program->scratch;
  if (!p->orders.bound)
    p->orders.bound = ARENA_ARRAY(arena, bool, p->program->input->op_count);
  p->orders.bound[before] = true;
  if (after != NONE)
    p->orders.bound[after] = true;
  vector_push(arena, &p->orders.list, ((struct contract_order){before, after}));
}

/* Where ops of what was made read what was written over: bind them, and let
 * their functions be planned again, or with DROP not at all.  True where there
 * were any. */
static bool
order_conflicts(struct planning *p, const struct planning_measure *measured,
                bool drop) {
  const struct ir_module *made = measured->made;
  struct xla_conflicts found = xla_new_conflicts(
      p->program, made, measured->facts, measured->liveness->buffers->clock);
  const function_id *of =
      found.count ? plan_functions_of_ops(p->program) : NULL;
  for (uint32_t i = 0; i < found.count; i++) {
    op_id reader = made->op_origin[found.data[i].reader];
    op_id writer = found.data[i].writer == NONE
                       ? NONE
                       : made->op_origin[found.data[i].writer];
    struct planning_job *job = reader == NONE ? NULL : job_of(p, of, reader);
    if (!job)
      continue;
    add_order(p, reader, writer);
    job->settled = job->fits = false;
    if (drop)
      job->blocks.count = 0;
  }
  return found.count > 0;
}

/* --- all of it --- */

static void
run_rounds(struct planning *p) {
  bool again = p->jobs.count > 0;
  struct planning_measure measured = {0};
  for (uint32_t round = 0; again && round < ROUNDS; round++) {
    for (uint32_t j = 0; j < p->jobs.count; j++)
      if (!p->jobs.data[j].settled)
        plan_job(p, &p->jobs.data[j]);
    planning_gather(p);
    measured = planning_measure(p->program);
    again = adjust_goals(p, measured.liveness);
    again |= order_conflicts(p, &measured, false);
  }
  drop_harmful(p);
  planning_gather(p);
  if (again && order_conflicts(p, &measured, true))
    planning_gather(p);
}

/* Plan once more what did not fit, as if no storage were shared that XLA shares
 * when it can: what it does with a new order cannot be foreseen.  The lower of
 * both plans stays. */
static void
run_apart(struct planning *p) {
  struct arena *arena = p->program->scratch;
  struct planning_job *former =
      ARENA_ARRAY(arena, struct planning_job, p->jobs.count);
  bool any = false;
  p->apart = true;
  memset(p->contractors, 0, sizeof p->contractors);
  for (uint32_t j = 0; j < p->jobs.count; j++) {
    struct planning_job *job = &p->jobs.data[j];
    const struct budget *budget = &p->program->budget[job->function];
    former[j] = *job;
    if (job->fits)
      continue;
    any = true;
    memset(&job->blocks, 0, sizeof job->blocks);
    job->goal_bytes = saturating_add(job->budget_bytes, budget->resident_bytes);
    job->settled = false;
    job->contractor = contractor_for(p, budget->temporaries);
  }
  if (any)
    run_rounds(p);
  for (uint32_t j = 0; j < p->jobs.count; j++)
    if (former[j].measured_bytes < p->jobs.data[j].measured_bytes) {
      former[j].work = p->jobs.data[j].work;
      p->jobs.data[j] = former[j];
    }
  planning_gather(p);
}

void
planning_run(struct planning *p) {
  run_rounds(p);
  if (p->program->liveness->buffers != p->program->buffers)
    run_apart(p);
}
