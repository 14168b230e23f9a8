/* loop_remark.c - what is said of stacks: dropped or not, in segments or not,
 * and why.
 *
 * All is said in the first round; later ones only say what they change. */
#include "passes/loop_residuals.h"
#include "passes/loop_segment.h"
#include "support/human.h"

static void
remark_stack(const struct residuals *w, const struct loop_stack *stack,
             bool dropped) {
  const struct ir_module *m = w->loops->module;
  const struct loop *writer = w->loops->list.data[stack->writer];
  struct buffer text = {.arena = w->program->scratch};
  flat_id home = flat_home(m, writer, stack->stored);
  const struct flat_value *value = &writer->values.data[home];
  op_id op = ir_value_op(m, value->value);
  op_id keeper = stack->keeper;
  const char *why = stack->kept;
  for (uint32_t i = 0; !why && i < w->writers.count; i++)
    if (w->writers.data[i] == stack->writer)
      why = loop_fixed(w->choosers[i], stack, &keeper);
  buffer_string(&text, dropped ? "do not stack " : "stack ");
  buffer_text(&text, source_text(m->source, m->value_name[value->value]));
  buffer_printf(&text, ", %llu times ", (unsigned long long)writer->trips);
  human_bytes(&text, stack->bytes / (stack->slots ? stack->slots : 1));
  if (dropped)
    buffer_printf(
        &text, ": made again in the loop%s at line %u",
        stack->reads.count > 1 ? "s that read it, the first" : "",
        ir_op_line(m, w->loops->list.data[stack->reads.data[0].loop]->op));
  else if (why)
    buffer_printf(&text, ": %s", why);
  else
    buffer_string(&text, ": what is made again is made of it, or it is dear");
  diagnose(w->program->diagnostics,
           dropped ? DIAGNOSTIC_OPTIMIZED : DIAGNOSTIC_MISSED,
           ir_op_location(m, op != NONE ? op : writer->op), "%s",
           buffer_finish(&text));
  if (!dropped && keeper != NONE)
    diagnose_note(w->program->diagnostics, ir_op_location(m, keeper), "here");
}

/* Is the stack part of WRITERS, and dropped by CANDIDATE? */
static bool
is_dropped(const struct residuals *w, uint32_t candidate, uint32_t stack) {
  for (uint32_t i = 0; candidate != NONE && i < w->writers.count; i++)
    if (w->candidates.data[candidate].plans[i].dropped[stack])
      return true;
  return false;
}

/* Say of writer number I, as CANDIDATE does it, what its segments are, or why
 * it has none. */
static void
remark_segments(const struct residuals *w, uint32_t i, uint32_t candidate) {
  const struct loop_plan *plan = &w->candidates.data[candidate].plans[i];
  const struct loop *writer = w->loops->list.data[plan->writer];
  uint64_t length = residuals_segment_length(w, i);
  struct buffer text = {.arena = w->program->scratch};
  const char *why = NULL;
  if (plan->segment) {
    buffer_printf(&text,
                  "stack what is carried once in %llu of %llu iterations: made "
                  "again between them in the loop that reads it",
                  (unsigned long long)plan->segment,
                  (unsigned long long)writer->trips);
  } else if (length > 1) {
    struct loop_point point = segment_point(w->choosers[i], plan, length, &why);
    buffer_printf(
        &text, "no segments of %llu iterations: ", (unsigned long long)length);
    if (why) {
      buffer_string(&text, why);
    } else {
      uint64_t bytes = segment_bytes(w->choosers[i], plan);
      human_bytes(&text, saturating_subtract(bytes, point.bytes));
      buffer_string(&text, " less for ");
      human_time(&text, point.cost_ns);
      buffer_string(&text, w->best.fits ? ", and without them it fits"
                                        : ", which is too dear");
    }
  } else {
    buffer_string(&text, "no segments: ");
    if (length)
      buffer_string(&text, "none are asked for");
    else
      buffer_printf(&text, "its %llu iterations cannot be divided",
                    (unsigned long long)writer->trips);
  }
  diagnose(w->program->diagnostics,
           plan->segment ? DIAGNOSTIC_OPTIMIZED : DIAGNOSTIC_MISSED,
           ir_op_location(w->loops->module, writer->op), "%s",
           buffer_finish(&text));
}

void
residuals_remark(const struct residuals *w, uint32_t candidate) {
  const struct loops *loops = w->loops;
  bool again = w->program->before != NULL;
  if (!w->program->diagnostics->remarks)
    return;
  for (uint32_t i = 0; !again && i < loops->refusals.count; i++)
    diagnose(w->program->diagnostics, DIAGNOSTIC_MISSED,
             ir_op_location(loops->module, loops->refusals.data[i].op),
             "what this loop stacks stays: %s", loops->refusals.data[i].why);
  for (uint32_t s = 0; s < loops->stacks.count; s++) {
    const struct loop_stack *stack = &loops->stacks.data[s];
    bool dropped = is_dropped(w, candidate, s);
    if (dropped || (!again && (stack->reads.count || stack->kept)))
      remark_stack(w, stack, dropped);
  }
  for (uint32_t i = 0; candidate != NONE && i < w->writers.count; i++)
    remark_segments(w, i, candidate);
}
