/* fits.c - does what is emitted fit, and if not, why?
 *
 *   step.mlir:3:3: warning: @train needs 12884901888 bytes, which is more than
 *   its budget of 8589934592 by 4294967296
 *   step.mlir:9:5: note: at the peak, here, the largest that is live is ...
 *
 * The peak is that of the new program's own liveness, never a planner's.  Notes
 * say what no plan can go below, and what holds the memory at the peak. */
#include "ir/print.h"
#include "passes/budget.h"
#include "passes/fused.h"
#include "passes/least.h"
#include "passes/options.h"
#include "passes/plan.h"

enum { SHOWN = 3 };

/* The program that is emitted and what is known of it. */
struct emitted {
  const struct ir_module *module;
  const struct facts *facts;
  const struct buffers *buffers;
  const struct liveness *liveness;
};

static struct emitted
emitted_of(const struct program *program) {
  if (program->made)
    return (struct emitted){program->made, program->made_facts,
                            program->made_liveness->buffers,
                            program->made_liveness};
  return (struct emitted){program->input, program->facts,
                          program->liveness->buffers, program->liveness};
}

static struct location
value_location(const struct ir_module *m, value_id value) {
  return location_at(m->source, m->value_name[value]);
}

/* Note the largest buffers that are live at TICK. */
static void
note_holders(struct program *program, const struct emitted *e, uint32_t tick,
             bool temporaries) {
  uint32_t largest[SHOWN], count = 0;
  for (uint32_t b = 0; b < e->buffers->count; b++) {
    if (!e->buffers->bytes[b] || !buffers_live(e->buffers, b, tick) ||
        (temporaries && !buffers_temporary(e->buffers, b)))
      continue;
    uint32_t to = count < SHOWN ? count++ : SHOWN;
    for (; to > 0 && e->buffers->bytes[largest[to - 1]] < e->buffers->bytes[b];
         to--)
      if (to < SHOWN)
        largest[to] = largest[to - 1];
    if (to < SHOWN)
      largest[to] = b;
  }
  for (uint32_t i = 0; i < count; i++) {
    value_id value = e->buffers->value[largest[i]];
    struct buffer name = {.arena = program->scratch};
    ir_spell_value(&name, e->module, value);
    const char *kind =
        e->buffers->flags[largest[i]] & BUFFER_ARGUMENT   ? "an argument"
        : e->buffers->flags[largest[i]] & BUFFER_RESULT   ? "a result"
        : e->buffers->flags[largest[i]] & BUFFER_CONSTANT ? "a constant"
                                                          : "a temporary";
    diagnose_note(program->diagnostics, value_location(e->module, value),
                  "%s, %s, holds %llu bytes of it", buffer_finish(&name), kind,
                  (unsigned long long)e->buffers->bytes[largest[i]]);
  }
}

/* Note where FUNCTION, of the program that is emitted, needs most as a fusing
 * compiler runs it, and the largest of what is stored then. */
static void
note_fused(struct program *program, const struct emitted *e,
           function_id function) {
  struct stored *stored = stored_find(program, e->module, e->facts);
  struct fused *fused = fused_new(program, stored, program->scratch);
  region_id body = e->module->functions.data[function].body;
  struct fused_peak peak;
  if (!fused_find_peak(fused, e->module->region_block[body], &peak,
                       program->scratch) ||
      peak.op == NONE)
    return;
  diagnose_note(program->diagnostics, ir_op_location(e->module, peak.op),
                "the peak is reached here%s",
                peak.workspace_bytes > peak.bytes / 2 ? ", mostly inside of it"
                                                      : "");
  for (uint32_t i = 0; i < peak.count && i < SHOWN; i++) {
    value_id value = stored->leaf_value[peak.leaves[i]];
    struct buffer name = {.arena = program->scratch};
    ir_spell_value(&name, e->module, value);
    diagnose_note(program->diagnostics, value_location(e->module, value),
                  "%s holds %llu bytes of it: %s", buffer_finish(&name),
                  (unsigned long long)e->facts->leaf_bytes[peak.leaves[i]],
                  stored->whole[value] && !stored_for_all(stored, value)
                      ? "it has readers that do not fuse"
                      : stored_words(stored->how[value]));
  }
}

/* Below what no plan of FUNCTION goes: the greediest op, and what has to stay
 * around one. */
static struct least
lower_bound(struct program *program, function_id function) {
  op_id op;
  struct least around = least_find(program, function);
  uint64_t bytes = budget_least(&program->budget[function],
                                &program->liveness->functions[function], &op);
  return around.bytes > bytes ? around : (struct least){bytes, op};
}

static void
note_lower_bound(struct program *program, function_id function,
                 struct least least) {
  op_id op = least.op;
  if (least.bytes)
    diagnose_note(program->diagnostics,
                  op == NONE ? NO_LOCATION : ir_op_location(program->input, op),
                  "no plan needs less than %llu bytes%s%s",
                  (unsigned long long)least.bytes,
                  program->budget[function].temporaries ? " of temporaries"
                                                        : "",
                  op == NONE ? "" : ", because of this op");
}

static void
warn_missed(struct program *program, function_id function, uint64_t need,
            struct least least) {
  struct emitted e = emitted_of(program);
  const struct ir_function *f = &program->input->functions.data[function];
  const struct budget *budget = &program->budget[function];
  const struct liveness_function *live = &e.liveness->functions[function];
  uint32_t tick = budget->temporaries ? live->peak_temp_tick : live->peak_tick;
  op_id at = liveness_op_at(e.buffers->clock, tick);
  struct location where = plan_location(program->input, function);
  struct text name = source_text(program->input->source, f->name_text);
  diagnose(program->diagnostics, DIAGNOSTIC_BUDGET_MISSED, where,
           "%.*s needs %llu bytes%s, %llu more than its budget of %llu (%s)",
           (int)name.size, name.data, (unsigned long long)need,
           budget->temporaries ? " of temporaries" : "",
           (unsigned long long)(need - budget->bytes),
           (unsigned long long)budget->bytes,
           budget_source_name(budget->source));
  if (program->plan->functions[function].refused)
    diagnose_note(program->diagnostics, where,
                  "the plan that was made is not carried out: %s",
                  program->plan->functions[function].refused_reason);
  note_lower_bound(program, function, least);
  if (f->fixed)
    diagnose_note(program->diagnostics, where,
                  "it is not planned: ops are written inside of others, and "
                  "not one a line as the producer prints them");
  if (program->plan->functions[function].planned ||
      program->plan->functions[function].proved_infeasible)
    diagnose_note(program->diagnostics, where, "%s",
                  program->plan->functions[function].proved_infeasible
                      ? "it is proved that no plan fits this budget"
                      : "no plan was found that fits, which is no proof that "
                        "there is none");
  if (program->plan->functions[function].clone_bound_reached)
    diagnose_note(program->diagnostics, where,
                  "there are plans that need less, but with more clones than "
                  "--max-clone-expansion=%llu allows",
                  (unsigned long long)program->options->clone_expansion);
  if (!budget->temporaries && live->argument_bytes > budget->bytes)
    diagnose_note(program->diagnostics, where,
                  "its arguments alone are %llu bytes",
                  (unsigned long long)live->argument_bytes);
  if (budget->fused) {
    note_fused(program, &e, function);
    return;
  }
  if (at != NONE)
    diagnose_note(program->diagnostics, ir_op_location(e.module, at),
                  "the peak is reached here");
  note_holders(program, &e, tick, budget->temporaries);
}

static bool
execute_fits(struct program *program) {
  struct emitted e = emitted_of(program);
  for (function_id f = 0; f < program->input->functions.count; f++) {
    const struct budget *budget = &program->budget[f];
    if (budget->source == BUDGET_NONE ||
        program->buffers->clock->function_host[f] != f)
      continue;
    uint64_t need = budget_counted(budget, &e.liveness->functions[f]);
    if (need <= budget->bytes)
      continue;
    struct least least = lower_bound(program, f);
    program->plan->functions[f].proved_infeasible |=
        least.bytes > budget->bytes;
    warn_missed(program, f, need, least);
  }
  return true;
}

static bool
gate_fits(const struct program *program) {
  return !program->options->analyze &&
         program->options->strategy != STRATEGY_NONE;
}

const struct pass pass_fits = {
    .name = "fits",
    .help = "say where what is emitted does not fit its budget, and why",
    .requires_ = PROP_BUFFERS | PROP_LIVENESS | PROP_BUDGET | PROP_MADE,
    .essential = true,
    .gate = gate_fits,
    .execute = execute_fits,
};
