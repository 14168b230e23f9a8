/* fence_find.c - see fence.h: the plan of a block.
 *
 *   goal 5     plan for 5    cut at 5    needs 6, of which 1 are holes
 *              moved about               needs 5
 *   goal 4     plan for 4    cut at 5    needs 5, costs less
 *
 * Planners count what is live; fences and an allocator's holes take more.  So
 * plans are made for several goals from the limit down, each is cut, expanded
 * to the program that comes out, measured and packed, and the cheapest is taken
 * of those that fit.  Where only holes are too much, instances are moved about
 * at random, as long as that needs no more, until the plan packs; where nothing
 * helps, plans that the planners found beside their best are tried.
 *
 * Cost: that of the planners, and of building the program, for each goal. */
#include "passes/fence.h"
#include "passes/plan_check.h"

#include "plan/limit.h"
#include "plan/move.h"
#include "plan/random.h"
#include "plan/settle.h"

#include <string.h>

/* Goals that are tried, and by which shares of the limit they go down. */
enum { TRIES = 12, FEW_TRIES = 3, FINEST = 128, COARSEST = 24, CUT_ROUNDS = 3 };

/* Goals that are tried below one that fits: planners are not so good that a
 * tighter one never comes out cheaper. */
enum { MORE = 2 };

/* Plans beside the best that are weighed, of few nodes. */
enum { OTHERS = 16 };

/* Ops that are built and measured, all together, for a plan of a block before
 * plans beside the best, and then moves, are left out. */
enum { MEASURED_MAX = 600000, PACKED_MAX = 4000000 };

/* Nodes up to which the least that is needed is looked for long, and at all. */
enum { SMALL_NODES = 250, FEW_NODES = 2000, MANY_NODES = 20000 };

/* Moves of the attempts to pack a plan: so many instances are built for all
 * together, and plans of no more than so many are tried; and how many in a row
 * may come to nothing. */
enum {
  PACK_INSTANCES = 20000,
  PACK_TRIES = 100,
  PACK_MOVES = 3,
  PACK_IDLE = 8
};

/* Looking for a plan of a block. */
struct finding {
  struct fencing *f;
  const struct fused_block *b;
  uint64_t limit;
  struct fence_plan best;
  VECTOR(uint64_t) cut; /* hashes of sequences that were cut */
};

/* How PLAN stands to LIMIT: 2 where it fits, 1 where only an allocator's holes
 * are too much, else 0. */
static int
fit(const struct fence_plan *plan, uint64_t limit) {
  if (!plan->made || plan->measured_bytes > limit)
    return 0;
  return 1 + (plan->packed_bytes <= limit);
}

/* Is A to be preferred to B for LIMIT bytes: it fits better; both fit and it is
 * cheaper, or leaves a scheduler less to choose; neither does and it needs
 * less? */
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
  return a->cuts.count > b->cuts.count;
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
  f->measured += plan->block.count + f->program->input->op_count;
  plan->measured_bytes =
      fence_measure(f, block, &plan->block, false, &plan->packed_bytes);
  return plan->made = true;
}

/* Was SEQUENCE cut before?  Notes that it is now. */
static bool
was_cut(struct finding *find, struct plan_sequence sequence) {
  uint64_t hash = sequence.count;
  for (uint32_t i = 0; i < sequence.count; i++)
    hash = (hash ^ sequence.nodes[i]) * 0x100000001b3;
  for (uint32_t i = 0; i < find->cut.count; i++)
    if (find->cut.data[i] == hash)
      return true;
  vector_push(find->f->program->scratch, &find->cut, hash);
  return false;
}

/* Cut the sequence of PLAN at BYTES and expand it.  False where it does not
 * run. */
static bool
cut_at(struct finding *find, struct fence_plan *plan, uint64_t bytes,
       enum fence_fineness fineness) {
  struct fencing *f = find->f;
  return fence_cut(&plan->cuts, find->b, plan->result.sequence, bytes,
                   f->fences ? fineness : FENCE_NONE, f->program->scratch) &&
         expand(f, find->b->block, plan);
}

static void
keep_best(struct finding *find, const struct fence_plan *plan) {
  if (is_better(plan, &find->best, find->limit))
    find->best = *plan;
}

/* Cut *PLAN, FINENESS fine, so that it stays within the limit: where what it
 * needs is over that, earlier.  The best of the cuts remains. */
static bool
cut_finely(struct finding *find, struct fence_plan *plan,
           enum fence_fineness fineness) {
  uint64_t limit = find->limit, peak = plan->result.figures.peak_bytes;
  uint64_t cut = peak > limit ? peak : limit;
  struct fence_plan trial = *plan;
  for (uint32_t round = 0; round < CUT_ROUNDS; round++) {
    if (!cut_at(find, &trial, cut, fineness))
      return false;
    if (is_better(&trial, plan, limit))
      *plan = trial;
    uint64_t over = saturating_subtract(most_needed(&trial), limit);
    if (!over || over >= cut || !find->f->fences)
      break;
    cut -= over;
  }
  return true;
}

/* Move some instances of *PLAN.  False where that does not stay within the
 * limit. */
static bool
move_some(struct finding *find, struct plan_random *random,
          struct fence_plan *plan) {
  const struct plan_problem *problem = find->b->problem;
  struct arena *scratch = find->f->program->scratch;
  struct plan_sequence trial = plan_copy(plan->result.sequence, scratch);
  for (uint32_t i = plan_random_below(random, PACK_MOVES); i < PACK_MOVES; i++)
    plan_move_one(problem, random, &trial);
  plan_drop_dead(problem, &trial);
  if (!plan_settle(problem, &trial, scratch) || !plan_valid(problem, trial) ||
      !plan_evaluate(problem, trial, &plan->result.figures))
    return false;
  plan->result.sequence = trial;
  return plan->result.figures.peak_bytes <= find->limit;
}

/* Move instances of PLAN, which fits but for holes, until it packs where it is
 * cut FINENESS fine. */
static bool
pack(struct finding *find, struct fence_plan plan,
     enum fence_fineness fineness) {
  struct plan_random random = {find->f->settings.seed * 0x9e3779b97f4a7c15u |
                               1};
  uint32_t tries = PACK_INSTANCES / (plan.result.sequence.count + 1);
  tries = tries < PACK_TRIES ? tries : PACK_TRIES;
  for (uint32_t i = 0, idle = 0;
       i < tries && idle < PACK_IDLE && fit(&plan, find->limit) == 1 &&
       find->f->measured < PACKED_MAX;
       i++) {
    struct fence_plan trial = plan;
    if (!move_some(find, &random, &trial)) {
      idle++;
      i--;
      continue;
    }
    idle = 0;
    if (!cut_at(find, &trial, find->limit, fineness))
      return false;
    if (trial.measured_bytes <= find->limit &&
        trial.packed_bytes <= plan.packed_bytes)
      plan = trial;
  }
  keep_best(find, &plan);
  return true;
}

/* Does the best plan fit, and cost no more than PLAN? */
static bool
is_settled(const struct finding *find, const struct fence_plan *plan) {
  return fit(&find->best, find->limit) == 2 &&
         find->best.result.figures.cost_ns <= plan->result.figures.cost_ns;
}

/* Cut PLAN, FINENESS fine, and pack it where MAY_PACK and it does not. */
static bool
cut_and_pack(struct finding *find, struct fence_plan plan,
             enum fence_fineness fineness, bool may_pack) {
  if (!cut_finely(find, &plan, fineness))
    return false;
  keep_best(find, &plan);
  return !may_pack || fit(&plan, find->limit) != 1 ||
         pack(find, plan, fineness);
}

/* Cut PLAN, of which only the sequence is known.  Many segments leave a
 * scheduler no choice, so that what an allocator makes of them is known; few
 * leave more places to be taken over. */
static bool
cut_within(struct finding *find, const struct fence_plan *plan, bool may_pack) {
  return was_cut(find, plan->result.sequence) ||
         (cut_and_pack(find, *plan, FENCE_MOST, may_pack) &&
          (is_settled(find, plan) || !find->f->fences ||
           cut_and_pack(find, *plan, FENCE_FEWEST, may_pack)));
}

/* The I-th plan that was found beside PLAN. */
static struct fence_plan
other_plan(const struct fence_plan *plan, uint32_t i) {
  const struct plan_other *from = &plan->result.others[i];
  struct fence_plan other = {.result = plan->result};
  other.result.sequence = from->sequence;
  other.result.strategy = from->strategy;
  other.result.figures.cost_ns = from->cost_ns;
  other.result.figures.peak_bytes = from->peak_bytes;
  return other;
}

/* Cut PLAN, of which only the sequence is known, and what was found beside it
 * where nothing fits yet. */
static bool
cut_all(struct finding *find, const struct fence_plan *plan) {
  if (!is_settled(find, plan) && !cut_within(find, plan, true))
    return false;
  for (uint32_t i = 0;
       i < plan->result.other_count && fit(&find->best, find->limit) < 2 &&
       find->f->measured < MEASURED_MAX;
       i++) {
    struct fence_plan other = other_plan(plan, i);
    if (!cut_within(find, &other, false))
      return false;
  }
  return true;
}

/* The goal behind GOAL, for which PLAN was made. */
static uint64_t
next_goal(const struct finding *find, uint64_t goal,
          const struct fence_plan *plan) {
  uint64_t limit = find->limit;
  uint64_t least = limit / FINEST, most = limit / COARSEST;
  uint64_t step = saturating_subtract(most_needed(&find->best), limit) / 2;
  step = fit(&find->best, limit) == 2 || step > most ? most
         : step < least                              ? least
                                                     : step;
  goal = saturating_subtract(goal, step);
  uint64_t peak = plan->result.figures.peak_bytes;
  return goal < peak ? goal : saturating_subtract(peak, 1);
}

/* The best plan of B for LIMIT bytes of those that come out for TRIES goals
 * from there down, until there were MORE behind the first that fits, or nothing
 * meets them. */
static struct fence_plan
find_within(struct fencing *f, const struct fused_block *b, uint64_t limit,
            uint32_t tries, uint32_t more) {
  struct finding find = {.f = f, .b = b, .limit = limit};
  uint64_t goal = limit;
  uint32_t fitting = 0;
  f->settings.others_max = b->problem->node_count <= FEW_NODES ? OTHERS : 0;
  for (uint32_t try = 0; try < tries; try++) {
    struct fence_plan plan = {.made = false};
    uint64_t least = 0;
    if (!plan_limited(b->problem, goal, &f->settings, &plan.result,
                      f->program->scratch))
      least = plan.result.figures.peak_bytes;
    f->work = saturating_add(f->work, plan.result.work);
    if (!cut_all(&find, &plan))
      break;
    find.best.least_bytes = least;
    fitting += fit(&find.best, limit) == 2;
    if (fitting > more || least)
      break;
    goal = next_goal(&find, goal, &plan);
  }
  return find.best;
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

/* Is a plan of B made in which what is of KINDS is held, where another FITS or
 * not?  What is compact is nearly always better kept; the rest seldom is. */
static bool
is_tried(const struct fused_block *b, uint32_t kinds, bool fits) {
  uint32_t nodes = b->problem->node_count;
  if (nodes <= SMALL_NODES)
    return true;
  return kinds == HELD_COMPACT ? nodes <= FEW_NODES || !fits
                               : nodes <= FEW_NODES && !fits;
}

struct fence_plan
fence_find(struct fencing *f, block_id block, uint64_t limit) {
  const struct fused_block *b = fused_contract(f->fused, block);
  f->measured = 0;
  struct fence_plan best = find_in(f, b, limit);
  for (uint32_t i = 0; best.made && i < HELD_SETS; i++) {
    if (!f->held[i] || !is_tried(b, i + 1, fit(&best, limit) == 2))
      continue;
    const struct fused_block *held = fused_contract(f->held[i], block);
    if (!held->problem || held->problem->node_count == b->problem->node_count)
      continue;
    struct fence_plan plan = find_in(f, held, limit);
    if (is_better(&plan, &best, limit))
      best = plan;
  }
  return best;
}
