/* loop_trial.c - see loop_trial.h.
 *
 * The text is read and goes through the pipeline in arenas of its own, so that
 * nothing of a trial stays but its figures.  Costs what the pipeline does: up
 * to the budget to weigh, up to what is emitted to plan, and the proofs for
 * what may be taken. */
#include "passes/loop_trial.h"
#include "ir/print.h"
#include "passes/budget.h"
#include "passes/manager.h"
#include "passes/options.h"
#include "passes/plan.h"
#include "passes/verify.h"

#include <string.h>

extern const struct pass pass_verify;

/* The default pipeline up to the pass BEFORE, which is not in it. */
static struct pipeline
pipeline_until(struct arena *arena, const char *before) {
  struct pipeline pipeline;
  pipeline_default(&pipeline, arena);
  uint32_t count = 0;
  while (count < pipeline.passes.count &&
         strcmp(pipeline.passes.data[count]->name, before) != 0)
    count++;
  pipeline.passes.count = count;
  return pipeline;
}

/* What TRIED emits needs, and costs beyond its input. */
static void
measure(const struct program *tried, struct trial *trial) {
  const struct ir_module *m = tried->input;
  const struct liveness *liveness =
      tried->made ? tried->made_liveness : tried->liveness;
  for (function_id f = 0; f < m->functions.count; f++) {
    const struct budget *budget = &tried->budget[f];
    if (budget->source == BUDGET_NONE || !tried->liveness->functions[f].runs)
      continue;
    uint64_t need = budget_counted(budget, &liveness->functions[f]);
    trial->over_bytes = saturating_add(
        trial->over_bytes, saturating_subtract(need, budget->bytes));
    if (!tried->made)
      continue;
    uint64_t after = plan_function_cost(tried->made, tried->made_facts, f);
    uint64_t before = plan_function_cost(m, tried->facts, f);
    trial->cost_ns =
        saturating_add(trial->cost_ns, saturating_subtract(after, before));
  }
  trial->fits = trial->over_bytes == 0;
}

bool
trial_is_better(const struct trial *a, const struct trial *b) {
  if (!a->good || !b->good)
    return a->good;
  if (a->fits != b->fits)
    return a->fits;
  if (!a->fits && a->over_bytes != b->over_bytes)
    return a->over_bytes < b->over_bytes;
  return a->cost_ns < b->cost_ns;
}

/* The first error of a trial, which the user does not get. */
struct trial_fault {
  struct arena *arena;
  const char *message;
};

static void
keep_fault(void *user, const struct diagnostic *diagnostic) {
  struct trial_fault *fault = user;
  if (diagnostic->severity == SEVERITY_ERROR && !fault->message)
    fault->message = arena_copy(fault->arena, diagnostic->message,
                                (uint32_t)strlen(diagnostic->message));
}

static bool
into_buffer(void *user, const char *data, size_t size) {
  buffer_add(user, data, size);
  return true;
}

/* What is wrong with the text that TRIED comes to, or NULL.  Where nothing is
 * planned it is the one that was read. */
static const char *
text_fault(const struct program *program, struct program *tried) {
  struct buffer out = {.arena = tried->arena};
  const struct ir_writer writer = {into_buffer, &out};
  const struct options *options = program->options;
  if (!tried->made || options->verify_text == 0 ||
      (options->verify_text < 0 &&
       tried->made->op_count >
           pass_parameter(program, &pass_verify, "verify-text-ops")))
    return NULL;
  ir_print(tried->made, tried->edits, &writer, tried->scratch);
  if (out.size >= UINT32_MAX)
    return NULL;
  struct text text = {buffer_finish(&out), (uint32_t)out.size};
  const struct ir_module *again =
      program->reread(program->reread_user, tried->arena, text, NULL);
  return again ? verify_text(tried->made, again, tried->scratch)
               : "the printed text cannot be read";
}

/* Is what TRIED emits proved, and that its input does what PROGRAM's does?
 * Where not, its diagnostics get the reason. */
static bool
is_proved(const struct program *program, struct program *tried) {
  if (pass_verify.gate(tried) && !pass_verify.execute(tried))
    return false;
  const char *fault =
      verify_loops(program->input, tried->input, program->facts->op_repeatable,
                   tried->scratch);
  if (!fault)
    fault = text_fault(program, tried);
  if (fault)
    diagnose(tried->diagnostics, DIAGNOSTIC_INTERNAL, NO_LOCATION, "%s", fault);
  return !fault;
}

/* Run TEXT, or the input of PROGRAM, through the pipeline up to the pass
 * BEFORE. */
static struct trial
run_until(const struct program *program, struct text text, const char *before,
          struct diagnostics *diagnostics, struct program *tried) {
  struct trial trial = {0};
  const struct manager_callbacks none = {0};
  tried->diagnostics = diagnostics;
  tried->rules = program->rules;
  tried->device = program->device;
  tried->is_fused = program->is_fused;
  tried->input = program->input;
  tried->before = program;
  tried->tried = true;
  if (text.size)
    tried->input =
        program->reread(program->reread_user, tried->arena, text, NULL);
  struct pipeline pipeline = pipeline_until(tried->arena, before);
  trial.good = tried->input && manager_run(tried, &pipeline, &none);
  if (trial.good)
    measure(tried, &trial);
  return trial;
}

struct trial
trial_weigh(const struct program *program, struct text text) {
  struct arena arena = {0}, scratch = {0};
  struct diagnostics silent = {0};
  struct options options = *program->options;
  options.dumps.count = 0;
  struct program tried = {
      .arena = &arena, .scratch = &scratch, .options = &options};
  struct trial trial =
      run_until(program, text, "loop-residuals", &silent, &tried);
  arena_empty(&arena);
  arena_empty(&scratch);
  return trial;
}

struct trial
trial_plan(const struct program *program, struct text text, uint64_t loops_ns,
           const struct trial *best) {
  struct arena arena = {0}, scratch = {0};
  struct trial_fault fault = {program->scratch, NULL};
  struct diagnostics kept = {.sink = keep_fault, .user = &fault};
  struct options options = *program->options;
  options.dumps.count = 0;
  struct program tried = {
      .arena = &arena, .scratch = &scratch, .options = &options};
  struct trial trial = run_until(program, text, "verify", &kept, &tried);
  trial.cost_ns = saturating_add(trial.cost_ns, loops_ns);
  if (text.size && trial_is_better(&trial, best))
    trial.good = is_proved(program, &tried);
  if (!trial.good)
    trial.fault = fault.message ? fault.message : "it cannot be read";
  arena_empty(&arena);
  arena_empty(&scratch);
  return trial;
}
