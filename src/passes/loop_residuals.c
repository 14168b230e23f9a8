/* loop_residuals.c - take back what a loop stacks for another one.
 *
 *   A: v = f(c, xs[i])         A': (v is not stored; c is)
 *      s[i] = v                    n[i] = c
 *   B: w = s[T-1-j]            B': c = n[T-1-j]
 *      ... g(w)                    v = f(c, xs[T-1-j])
 *                                  ... g(v)
 *
 * A scan under a gradient keeps T copies of every residual of its body from
 * the forward loop to the backward one.  Where a function does not fit its
 * budget, this finds such stacks (loop_find.c), makes plans that keep less and
 * less of them (loop_choice.c), writes the program out with each
 * (loop_rewrite.c), has it read again, and lets the rest of the pipeline plan
 * what is left: the cheapest program that fits takes the place of the input,
 * or where none fits the one that needs least.  Loops and straight code so
 * share one budget.  A program is taken only with its proofs: one that fails
 * them is left out, and a remark says so.  The pipeline then begins again, and
 * this is done again: a loop that ran in a reader's copies has become a writer
 * beside its reader.  Stacks that were chosen are never looked at again.
 *
 * Not where a plan is given or to be saved: it is one of the input as it is.
 * Not done: loops that do not count, stacks that are used whole, values that
 * may not be computed twice; each is said with its place (-fopt-info).
 *
 * Cost: that of the pipeline for each plan that is tried (loop-trials), in each
 * round. */
#include "passes/budget.h"
#include "passes/fused.h"
#include "passes/loop_residuals.h"
#include "passes/loop_segment.h"
#include "passes/manager.h"
#include "passes/options.h"
#include "passes/plan.h"

#include <stdlib.h>
#include <string.h>

/* Prices of a byte that are tried, and plans between two that differ much. */
enum { PRICES = 40, BETWEEN = 24, CANDIDATES = 600 };
#define STEP 1.8

extern const struct pass pass_loop_residuals;

static uint32_t
parameter(const struct program *program, const char *name) {
  return (uint32_t)pass_parameter(program, &pass_loop_residuals, name);
}

/* --- which writers --- */

/* Do the loops of writers A and B touch: the same one, or one in another? */
static bool
touch(const struct loops *loops, const uint32_t *sizes, uint32_t a,
      uint32_t b) {
  op_id x = loops->list.data[a]->op, y = loops->list.data[b]->op;
  return x < y ? y < x + sizes[x] : x < y + sizes[y];
}

/* The loops that are rewritten with WRITER: itself first, then its readers,
 * some more than once. */
static uint32_t
loops_of(const struct loops *loops, uint32_t writer, uint32_t *list) {
  uint32_t count = 0;
  list[count++] = writer;
  for (uint32_t s = 0; s < loops->stacks.count; s++) {
    const struct loop_stack *stack = &loops->stacks.data[s];
    if (stack->writer != writer || !loop_droppable(loops, stack))
      continue;
    for (uint32_t i = 0; i < stack->reads.count; i++)
      if (list[count - 1] != stack->reads.data[i].loop)
        list[count++] = stack->reads.data[i].loop;
  }
  return count;
}

/* All reads of all stacks, and one more. */
static uint32_t
most_loops(const struct loops *loops) {
  uint32_t most = 1;
  for (uint32_t s = 0; s < loops->stacks.count; s++)
    most += loops->stacks.data[s].reads.count;
  return most;
}

/* Add WRITER to those that are rewritten, unless one of its loops is, or holds
 * or is held by one that is. */
static void
take_writer(struct residuals *w, uint32_t writer) {
  struct arena *scratch = w->program->scratch;
  const struct loops *loops = w->loops;
  const uint32_t *sizes = ir_op_sizes(loops->module, scratch);
  uint32_t most = most_loops(loops);
  uint32_t *own = ARENA_ARRAY(scratch, uint32_t, most);
  uint32_t *other = ARENA_ARRAY(scratch, uint32_t, most);
  uint32_t count = loops_of(loops, writer, own);
  if (w->program->before &&
      loop_is_chosen(loops->module, loops->list.data[writer]))
    return;
  for (uint32_t i = 0; count > 1 && i < w->writers.count; i++) {
    uint32_t others = loops_of(loops, w->writers.data[i], other);
    for (uint32_t a = 0; a < count; a++)
      for (uint32_t b = 0; b < others; b++)
        if (touch(loops, sizes, own[a], other[b])) {
          diagnose(w->program->diagnostics, DIAGNOSTIC_MISSED,
                   ir_op_location(loops->module, loops->list.data[writer]->op),
                   "the stacks of this loop stay for now: another loop that it "
                   "belongs with is rewritten first");
          return;
        }
  }
  if (count > 1)
    vector_push(scratch, &w->writers, writer);
  for (uint32_t s = 0; count > 1 && s < loops->stacks.count; s++)
    if (loops->stacks.data[s].writer == writer &&
        loop_droppable(loops, &loops->stacks.data[s]))
      w->bytes = saturating_add(w->bytes, loops->stacks.data[s].bytes);
}

/* --- candidates --- */

/* What all writers do for QUERY; what may not be kept is of writer number
 * OF. */
static void
add_candidate(struct residuals *w, const struct loop_query *query,
              uint32_t of) {
  struct arena *arena = w->program->scratch;
  struct candidate *candidate = vector_add(arena, &w->candidates);
  candidate->query = *query;
  candidate->plans = ARENA_ARRAY(arena, struct loop_plan, w->writers.count);
  for (uint32_t i = 0; i < w->writers.count; i++) {
    struct loop_query own = *query;
    if (i != of)
      own.without[0] = own.without[1] = NONE;
    struct loop_point point = loop_choose(w->choosers[i], &own);
    if (!point.possible) {
      w->candidates.count--;
      return;
    }
    candidate->plans[i] = point.plan;
    candidate->bytes = saturating_add(candidate->bytes, point.bytes);
    candidate->cost_ns = saturating_add(candidate->cost_ns, point.cost_ns);
  }
}

/* From the candidates FIRST on, up to END: the same without one value that they
 * keep. */
static void
add_without(struct residuals *w, uint32_t first, uint32_t end) {
  for (uint32_t c = first; c < end && w->candidates.count < CANDIDATES; c++)
    for (uint32_t i = 0; i < w->writers.count; i++) {
      const struct loop_plan plan = w->candidates.data[c].plans[i];
      for (uint32_t s = 0;
           s < plan.stores.count && w->candidates.count < CANDIDATES; s++) {
        struct loop_query query = w->candidates.data[c].query;
        query.without[query.without[0] != NONE] = plan.stores.data[s].value;
        add_candidate(w, &query, i);
      }
    }
}

/* Much memory first, then much cost. */
static int
by_bytes(const void *a, const void *b) {
  const struct candidate *x = a, *y = b;
  if (x->bytes != y->bytes)
    return x->bytes < y->bytes ? 1 : -1;
  return (x->cost_ns < y->cost_ns) - (x->cost_ns > y->cost_ns);
}

/* Leave those to which no other is better in one thing and no worse in the
 * other. */
static void
drop_worse(struct residuals *w) {
  struct candidate *list = w->candidates.data;
  uint32_t count = w->candidates.count, first = count;
  uint64_t least = w->bytes ? UINT64_MAX : 0;
  if (!count)
    return;
  qsort(list, count, sizeof *list, by_bytes);
  for (uint32_t i = count; i-- > 0;)
    if (list[i].cost_ns < least) {
      least = list[i].cost_ns;
      list[--first] = list[i];
    }
  memmove(list, list + first, (count - first) * sizeof *list);
  w->candidates.count = count - first;
}

/* Prices from low to high; between two that differ by much, more plans; then
 * the best of all these without one value, and without two. */
static void
find_candidates(struct residuals *w) {
  struct program *program = w->program;
  struct arena *arena = program->scratch;
  const struct loop_costs costs = {program->facts, fused_is_model(program),
                                   fused_bytes_per_ns(program)};
  uint32_t count = w->writers.count, seed = 0;
  w->choosers = ARENA_ARRAY(arena, struct loop_chooser *, count);
  for (uint32_t i = 0; i < count; i++)
    w->choosers[i] =
        loop_chooser_new(arena, w->loops, w->writers.data[i], &costs);
  uint64_t last = w->bytes;
  struct loop_query query = {1e-6, 0, {NONE, NONE}};
  for (uint32_t p = 0; p < PRICES; p++, query.price *= STEP) {
    add_candidate(w, &query, NONE);
    uint64_t bytes = w->candidates.data[w->candidates.count - 1].bytes;
    bool far = last > bytes && last - bytes > w->bytes / 16;
    for (uint32_t i = 0; far && i < BETWEEN; i++) {
      struct loop_query other = {
          query.price * (0.6 + 0.6 * i / BETWEEN), ++seed, {NONE, NONE}};
      add_candidate(w, &other, NONE);
    }
    last = bytes;
  }
  for (uint32_t round = 0; round < 2; round++) {
    drop_worse(w);
    add_without(w, 0, w->candidates.count);
  }
  drop_worse(w);
}

/* --- segments --- */

uint64_t
residuals_segment_length(const struct residuals *w, uint32_t i) {
  uint32_t asked = parameter(w->program, "loop-segment");
  return asked ? asked
               : segment_length(w->loops->list.data[w->writers.data[i]]->trips);
}

/* CANDIDATE with segments, for all writers that can have them; false where none
 * can. */
static bool
segment_candidate(const struct residuals *w, struct candidate *candidate) {
  struct loop_plan *plans =
      ARENA_ARRAY(w->program->scratch, struct loop_plan, w->writers.count);
  bool any = false;
  for (uint32_t i = 0; i < w->writers.count; i++) {
    const struct loop_plan *plan = &candidate->plans[i];
    const char *why;
    struct loop_point point = segment_point(
        w->choosers[i], plan, residuals_segment_length(w, i), &why);
    plans[i] = point.possible ? point.plan : *plan;
    if (!point.possible)
      continue;
    any = true;
    candidate->bytes =
        candidate->bytes - segment_bytes(w->choosers[i], plan) + point.bytes;
    candidate->cost_ns = saturating_add(candidate->cost_ns, point.cost_ns);
  }
  candidate->plans = plans;
  return any;
}

/* Behind the candidates, the same with segments. */
static void
add_segments(struct residuals *w) {
  struct arena *arena = w->program->scratch;
  uint32_t asked = parameter(w->program, "loop-segment");
  uint32_t count = w->candidates.count;
  struct candidate *plain = w->candidates.data;
  w->segmented = count;
  if (asked == 1 || !count)
    return;
  w->candidates.data = NULL;
  w->candidates.count = w->candidates.capacity = 0;
  for (uint32_t c = 0; c < count; c++) {
    struct candidate candidate = plain[c];
    if (segment_candidate(w, &candidate))
      vector_push(arena, &w->candidates, candidate);
  }
  drop_worse(w);
  w->segmented = count;
  vector_reserve(arena, &w->candidates, count);
  memmove(w->candidates.data + count, w->candidates.data,
          w->candidates.count * sizeof *plain);
  memcpy(w->candidates.data, plain, count * sizeof *plain);
  w->candidates.count += count;
}

/* --- trials --- */

static void
report_trial(struct residuals *w, uint64_t bytes, const struct trial *trial) {
  buffer_printf(&w->report, "  stacks %llu bytes: cost %llu ns, ",
                (unsigned long long)bytes, (unsigned long long)trial->cost_ns);
  if (!trial->good)
    buffer_printf(&w->report, "left out: %s\n", trial->fault);
  else if (trial->fits)
    buffer_string(&w->report, "fits\n");
  else
    buffer_printf(&w->report, "%llu bytes over\n",
                  (unsigned long long)trial->over_bytes);
}

static void
report_best(struct residuals *w) {
  uint32_t best = w->best_candidate;
  buffer_printf(&w->report, "kept: %llu bytes, %s, cost %llu ns\n",
                (unsigned long long)(best == NONE
                                         ? w->bytes
                                         : w->candidates.data[best].bytes),
                w->best.fits ? "fits" : "does not fit",
                (unsigned long long)w->best.cost_ns);
}

/* The text of candidate INDEX. */
static struct text
write_candidate(struct residuals *w, uint32_t index) {
  struct candidate *candidate = &w->candidates.data[index];
  if (!candidate->text.size)
    candidate->text =
        loop_rewrite(w->program->arena, w->loops, w->program->facts,
                     candidate->plans, w->writers.count);
  return candidate->text;
}

/* Try candidate INDEX, unless that was done; the best so far is noted.  False
 * where what it plans around its loops is no better than the best with
 * those. */
static bool
try_candidate(struct residuals *w, uint32_t index) {
  struct program *program = w->program;
  struct candidate *candidate = &w->candidates.data[index];
  if (candidate->tried || !w->trials)
    return false;
  w->trials--;
  candidate->tried = true;
  struct trial trial = trial_plan(
      program, write_candidate(w, index),
      saturating_add(program->loops_ns, candidate->cost_ns), &w->best);
  report_trial(w, candidate->bytes, &trial);
  if (!trial.good)
    diagnose(program->diagnostics, DIAGNOSTIC_MISSED,
             ir_op_location(w->loops->module,
                            w->loops->list.data[w->writers.data[0]]->op),
             "this loop with %llu bytes of stacks is not proved, and left "
             "out: %s",
             (unsigned long long)candidate->bytes, trial.fault);
  if (trial_is_better(&trial, &w->best)) {
    w->best = trial;
    w->best_candidate = index;
  }
  trial.cost_ns = saturating_subtract(trial.cost_ns, candidate->cost_ns);
  return trial_is_better(&trial, &w->best);
}

/* The first candidate from BEGIN on, and before END, that fits as it is, found
 * by halves: those behind it keep less, and fit too.  The last one where none
 * does. */
static uint32_t
first_to_fit(struct residuals *w, uint32_t begin, uint32_t end) {
  uint32_t low = begin, high = end - 1;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    struct trial trial = trial_weigh(w->program, write_candidate(w, middle));
    if (trial.good && trial.fits)
      high = middle;
    else
      low = middle + 1;
  }
  return high;
}

/* Find the best candidate from BEGIN on, and before END.  One that fits as it
 * is costs what its loops do; to keep more costs less there, and more in what
 * is planned around them.  So from the first that fits on: those that keep
 * more, in steps that double, for as long as that can pay; then those about the
 * best one, in steps that halve. */
static void
search(struct residuals *w, uint32_t begin, uint32_t end) {
  uint32_t step = 1, first = first_to_fit(w, begin, end);
  w->trials = parameter(w->program, "loop-trials");
  try_candidate(w, first);
  /* One that is not proved does not end it: one that keeps less may be. */
  for (uint32_t at = first + 1; w->best_candidate == NONE && at < end; at++)
    try_candidate(w, at);
  for (uint32_t at = first; at >= begin + step; step *= 2) {
    at -= step;
    if (!try_candidate(w, at))
      break;
  }
  for (; step && w->best_candidate != NONE && w->best_candidate >= begin;
       step /= 2) {
    uint32_t best = w->best_candidate;
    if (best >= begin + step)
      try_candidate(w, best - step);
    if (end - best > step)
      try_candidate(w, best + step);
  }
}

/* What the input costs, and what its budgets are, all together. */
static void
weigh_input(const struct program *program, double *cost, double *bytes) {
  for (function_id f = 0; f < program->input->functions.count; f++)
    if (program->budget[f].source != BUDGET_NONE &&
        program->liveness->functions[f].runs) {
      *cost += (double)plan_function_cost(program->input, program->facts, f);
      *bytes += (double)program->budget[f].bytes;
    }
}

/* Where nothing fits: do segments, which are the best now, take away as large a
 * part of what is needed as they add to what PLAIN, the best without, costs? */
static bool
segments_pay(const struct residuals *w, const struct trial *plain) {
  double cost = (double)plain->cost_ns, bytes = (double)plain->over_bytes;
  double more = (double)w->best.cost_ns - cost;
  double less = bytes - (double)w->best.over_bytes;
  weigh_input(w->program, &cost, &bytes);
  return less * cost >= more * bytes;
}

/* The best candidate without segments; and where that does not fit or plans
 * with segments cost less, that with them.  Where a length is asked for, those
 * without are not looked at if others can be had. */
static void
find_best(struct residuals *w) {
  uint32_t first = w->segmented, count = w->candidates.count;
  bool asked = parameter(w->program, "loop-segment") > 1;
  w->best =
      trial_plan(w->program, (struct text){"", 0}, w->program->loops_ns, NULL);
  report_trial(w, w->bytes, &w->best);
  if (asked && first < count)
    search(w, first, count);
  if (asked && w->best_candidate != NONE)
    return;
  search(w, 0, first);
  const struct trial plain = w->best;
  uint32_t candidate = w->best_candidate;
  if (asked || first == count ||
      (plain.fits && w->candidates.data[first].cost_ns >= plain.cost_ns))
    return;
  search(w, first, count);
  if (candidate == NONE || w->best.fits || segments_pay(w, &plain))
    return;
  w->best = plain;
  w->best_candidate = candidate;
}

/* --- the pass --- */

/* Does a function need more than its budget? */
static bool
is_over(const struct program *program) {
  for (function_id f = 0; f < program->input->functions.count; f++) {
    const struct budget *budget = &program->budget[f];
    if (budget->source != BUDGET_NONE && program->liveness->functions[f].runs &&
        budget_counted(budget, &program->liveness->functions[f]) >
            budget->bytes)
      return true;
  }
  return false;
}

static bool
gate_loop_residuals(const struct program *program) {
  const struct options *options = program->options;
  return !options->analyze && options->strategy == STRATEGY_BEST &&
         !options->plan && !options->plan_saved && !options->pareto &&
         !program->tried && program->reread &&
         program->input->format->spelling && !program->input->scheduled;
}

/* How often loops may still be rewritten. */
static uint32_t
rounds_left(const struct program *program) {
  return program->before ? program->loop_rounds
                         : parameter(program, "loop-rounds");
}

/* How often they may be when CANDIDATE has been: loops of segments are not
 * looked at again. */
static uint32_t
rounds_behind(const struct residuals *w, const struct candidate *candidate) {
  for (uint32_t i = 0; i < w->writers.count; i++)
    if (candidate->plans[i].segment)
      return 0;
  return rounds_left(w->program) - 1;
}

/* Put what CANDIDATE says in the place of the input. */
static bool
replace_input(const struct residuals *w, const struct candidate *candidate) {
  struct program *program = w->program;
  struct program *before = ARENA_NEW(program->arena, struct program);
  const struct ir_module *input = program->reread(
      program->reread_user, program->arena, candidate->text, NULL);
  if (!input) {
    diagnose(program->diagnostics, DIAGNOSTIC_INTERNAL, NO_LOCATION,
             "a rewritten loop cannot be read");
    return false;
  }
  *before = *program;
  *program = (struct program){
      .arena = before->arena,
      .scratch = before->scratch,
      .diagnostics = before->diagnostics,
      .options = before->options,
      .rules = before->rules,
      .device = before->device,
      .input = input,
      .given = before->given,
      .given_facts = before->given_facts,
      .is_fused = before->is_fused,
      .reread = before->reread,
      .reread_user = before->reread_user,
      .before = before,
      .loop_report = before->loop_report,
      .loops_ns = saturating_add(before->loops_ns, candidate->cost_ns),
      .loop_rounds = rounds_behind(w, candidate)};
  return true;
}

static bool
execute_loop_residuals(struct program *program) {
  struct residuals w = {.program = program,
                        .best_candidate = NONE,
                        .report = {.arena = program->arena}};
  program->loop_report = NULL;
  if (!parameter(program, "loop-trials") || !is_over(program) ||
      !rounds_left(program))
    return true;
  w.loops = loops_find(program->scratch, program->input);
  for (uint32_t i = 0; i < w.loops->list.count; i++)
    take_writer(&w, i);
  if (w.writers.count) {
    find_candidates(&w);
    add_segments(&w);
    if (w.candidates.count)
      find_best(&w);
  }
  uint32_t best = w.best_candidate;
  residuals_remark(&w, best);
  report_best(&w);
  program->loop_report = buffer_finish(&w.report);
  return best == NONE || replace_input(&w, &w.candidates.data[best]);
}

static void
dump_loop_residuals(const struct program *program, struct buffer *out) {
  if (program->loop_report)
    buffer_string(out, program->loop_report);
}

static const struct parameter loop_parameters[] = {
    {"loop-trials", "plans for what loops stack that are tried; 0: none", 12, 0,
     40},
    {"loop-segment",
     "iterations for which what a loop carries is stacked once; 1: no "
     "segments, 0: as long as it is best",
     0, 0, 1 << 30},
    {"loop-rounds",
     "times that loops are rewritten, each for what the one "
     "before left",
     3, 1, 8},
    {NULL, NULL, 0, 0, 0},
};

const struct pass pass_loop_residuals = {
    .name = "loop-residuals",
    .help = "let loops stack less, and make it again in the loops that read it",
    .gate = gate_loop_residuals,
    .execute = execute_loop_residuals,
    .dump = dump_loop_residuals,
    .parameters = loop_parameters,
    .requires_ = PROP_FACTS | PROP_LIVENESS | PROP_BUDGET,
};
