/* select.c - choose what to recompute: the seed's greedy rule.
 *
 *   %a = gelu %x      4 MiB, read far below      <- most bytes x length / cost
 *   %b = matmul ...   4 MiB, as far, dear
 *
 * Candidates are taken in the order of bytes x length per nanosecond, the
 * earlier op first where two are equal, until the largest sum of the intervals
 * of those not taken fits the budget.  Comparison is exact, in integers.  What
 * markers selected is taken already.
 *
 * It knows nothing of what clones keep alive; `materialize` finds out, and
 * refuses a plan that does not help.  O(n log n). */
#include "passes/intervals.h"
#include "passes/options.h"
#include "plan/segment_tree.h"

#include <stdlib.h>

/* bytes x length / cost of an interval, as quotient and remainder. */
struct score {
  uint128 quotient;
  uint64_t remainder, cost_ns;
  uint32_t interval;
};

static int
compare_scores(const void *a, const void *b) {
  const struct score *x = a, *y = b;
  if (x->quotient != y->quotient)
    return x->quotient > y->quotient ? -1 : 1;
  uint128 left = (uint128)x->remainder * y->cost_ns;
  uint128 right = (uint128)y->remainder * x->cost_ns;
  if (left != right)
    return left > right ? -1 : 1;
  return x->interval < y->interval ? -1 : x->interval > y->interval;
}

/* The scores of what may still be taken, best first. */
static struct score *
rank(const struct intervals *intervals, const uint8_t *selected,
     struct arena *scratch, uint32_t *count) {
  struct score *scores =
      ARENA_ARRAY(scratch, struct score, intervals->all.count);
  *count = 0;
  for (uint32_t i = 0; i < intervals->all.count; i++) {
    const struct interval *interval = &intervals->all.data[i];
    if ((selected[interval->op] & PLAN_SELECTED) ||
        interval->from > interval->last)
      continue;
    uint64_t length = interval->last - interval->first;
    uint128 area = (uint128)interval->bytes * length;
    scores[(*count)++] = (struct score){area / interval->cost_ns,
                                        (uint64_t)(area % interval->cost_ns),
                                        interval->cost_ns, i};
  }
  qsort(scores, *count, sizeof *scores, compare_scores);
  return scores;
}

struct selection {
  struct program *program;
  const struct intervals *intervals;
  struct segment_tree tree;
  uint32_t *inside; /* by op: selected ops inside of it */
  bool phases;
};

static void
take(struct selection *s, const struct interval *interval) {
  const struct ir_module *m = s->program->input;
  uint8_t *selected = s->program->plan->selected;
  if (interval->from <= interval->last)
    segment_tree_add(&s->tree, interval->from, interval->last,
                     -(int64_t)interval->bytes);
  selected[interval->op] |= PLAN_SELECTED;
  if (interval->from > interval->first)
    selected[interval->op] |= PLAN_SCOPED;
  for (op_id op = ir_parent_op(m, interval->op); op != NONE;
       op = ir_parent_op(m, op))
    s->inside[op]++;
}

/* Is nothing selected that holds OP or is held by it? */
static bool
stands_alone(const struct selection *s, op_id op) {
  const struct ir_module *m = s->program->input;
  if (s->inside[op])
    return false;
  for (op = ir_parent_op(m, op); op != NONE; op = ir_parent_op(m, op))
    if (s->program->plan->selected[op] & PLAN_SELECTED)
      return false;
  return true;
}

/* The largest sum that is allowed for FUNCTION. */
static uint64_t
limit_of(const struct program *program, function_id function) {
  const struct budget *budget = &program->budget[function];
  if (program->options->memory_model == MEMORY_CANDIDATES)
    return budget->bytes;
  return saturating_add(budget->bytes, budget->resident_bytes);
}

static void
decide(struct program *program, const struct interval *interval,
       struct plan_function *function) {
  struct plan_decision decision = {
      .op = interval->op,
      .taken = true,
      .saved_bytes = interval->bytes,
      .cost_ns = program->facts->op_cost_ns[interval->op],
      .reason = "most bytes x length per nanosecond"};
  vector_push(program->arena, &function->decisions, decision);
}

static void
select_in_function(struct selection *s) {
  struct program *program = s->program;
  const struct intervals *intervals = s->intervals;
  struct plan_function *function =
      &program->plan->functions[intervals->function];
  uint64_t limit = limit_of(program, intervals->function);
  uint32_t count;
  segment_tree_build(&s->tree, intervals->profile, intervals->positions,
                     program->scratch);
  function->planned = true;
  function->strategy = "greedy";
  function->claimed_peak_before_bytes = (uint64_t)segment_tree_top(&s->tree);
  for (uint32_t i = 0; i < intervals->all.count; i++)
    if (program->plan->selected[intervals->all.data[i].op] & PLAN_SELECTED)
      take(s, &intervals->all.data[i]);
  struct score *scores =
      rank(intervals, program->plan->selected, program->scratch, &count);
  for (uint32_t i = 0;
       i < count && (uint64_t)segment_tree_top(&s->tree) > limit; i++) {
    const struct interval *interval = &intervals->all.data[scores[i].interval];
    if (!stands_alone(s, interval->op))
      continue;
    take(s, interval);
    decide(program, interval, function);
    function->selected++;
  }
}

static bool
execute_select(struct program *program) {
  uint32_t count;
  struct intervals *all = intervals_find(program, program->scratch, &count);
  struct selection s = {.program = program};
  s.inside = ARENA_ARRAY(program->scratch, uint32_t, program->input->op_count);
  for (uint32_t i = 0; i < count; i++)
    if (all[i].positions && all[i].profile) {
      s.intervals = &all[i];
      select_in_function(&s);
    }
  return true;
}

static bool
gate_select(const struct program *program) {
  return !program->options->analyze && !program->options->pareto &&
         !program->plan_source && program->options->strategy == STRATEGY_GREEDY;
}

static void
dump_select(const struct program *program, struct buffer *out) {
  const struct ir_module *m = program->input;
  for (op_id op = 0; op < m->op_count; op++) {
    uint8_t mark = program->plan->selected[op];
    if (!(mark & PLAN_SELECTED))
      continue;
    if (m->op_result_count[op])
      buffer_text(
          out, source_text(m->source, m->value_name[m->op_first_result[op]]));
    buffer_string(out, mark & PLAN_MARKER   ? " marked"
                       : mark & PLAN_SCOPED ? " selected for backward ops"
                                            : " selected");
    buffer_string(out, "\n");
  }
}

const struct pass pass_select = {
    .name = "select",
    .help = "choose what to recompute, most bytes x length per time first",
    .requires_ =
        PROP_FACTS | PROP_BUFFERS | PROP_LIVENESS | PROP_BUDGET | PROP_MARKS,
    .provides = PROP_PLAN,
    .gate = gate_select,
    .execute = execute_select,
    .dump = dump_select,
};
