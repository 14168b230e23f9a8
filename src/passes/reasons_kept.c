/* reasons_kept.c - say of each value that is live at the peak why it was kept.
 *
 * In this order: it is the caller's; the op at the peak needs it; its facts,
 * the target's policy or a marker forbid to run it again, or what it is made
 * of; its price, with all that would have to run again for it before it is
 * read next, and then that the budget is met without that, or what stood
 * against it. */
#include "passes/fused.h"
#include "passes/options.h"
#include "passes/reasons.h"

#include "ir/print.h"
#include "support/human.h"

#include <string.h>

enum { CLOSURE_MAX = 64 };

struct keeping {
  struct reasons *r;
  uint32_t *next_read; /* by buffer: the first tick behind its function's peak
                          at which it is read; NONE */
  bool *seen;          /* by op of AT */
  op_id closure[CLOSURE_MAX];
};

static void
add_place(struct buffer *out, struct rule_place place) {
  if (place.file)
    buffer_printf(out, "; %s:%u", place.file, place.line);
}

/* Why OP, of the input, may not run again, into OUT; false where it may. */
static bool
put_obstacle(const struct reasons *r, struct buffer *out, op_id op) {
  struct program *program = r->program;
  const struct op_facts *facts = facts_of(program->facts, op);
  struct rules_cost cost = rules_op_cost(program->facts->binding, op);
  const char *obstacle =
      facts_obstacle(program->scratch, program->rules, facts);
  if (obstacle) {
    buffer_string(out, obstacle);
    add_place(out,
              facts->safety_place.file ? facts->safety_place : facts->place);
  } else if (!program->facts->op_repeatable[op]) {
    buffer_string(out, "what is inside of it may not run twice");
  } else if (program->plan->selected[op] & PLAN_KEEP) {
    buffer_string(out, "a marker says so: remat.keep");
  } else if (cost.policy == POLICY_NEVER) {
    buffer_string(out, cost.reason ? cost.reason : "the target says never");
    add_place(out, cost.place);
  } else if (cost.policy == POLICY_UNKNOWN) {
    buffer_printf(out, "nobody can tell what it costs: %s",
                  cost.missing ? cost.missing : "no rule");
    add_place(out, cost.place);
  } else {
    return false;
  }
  return true;
}

/* Is some of VALUE, of AT, stored at TICK? */
static bool
stored_at(const struct reasons *r, value_id value, uint32_t tick) {
  uint32_t end = facts_first_leaf(r->facts, value + 1);
  for (uint32_t l = facts_first_leaf(r->facts, value); l < end; l++) {
    uint32_t buffer = r->buffers->leaf_buffer[l];
    if (buffer != NONE && buffers_live(r->buffers, buffer, tick))
      return true;
  }
  return facts_first_leaf(r->facts, value) == end;
}

/* What would have to run again for OP at TICK, OP included, up to CLOSURE_MAX
 * ops; how many.  *NS gets what they cost, *BOUND one of them that may not run
 * again, or NONE. */
static uint32_t
find_closure(struct keeping *k, op_id op, uint32_t tick, uint64_t *ns,
             op_id *bound) {
  const struct reasons *r = k->r;
  struct buffer none = {.arena = r->program->scratch};
  uint32_t count = 1;
  k->closure[0] = op;
  k->seen[op] = true;
  *ns = 0;
  *bound = NONE;
  for (uint32_t i = 0; i < count; i++) {
    op_id next = k->closure[i], origin = reasons_origin(r, next);
    *ns = saturating_add(*ns, r->facts->op_cost_ns[next]);
    if (*bound == NONE && i &&
        (origin == NONE || put_obstacle(r, &none, origin)))
      *bound = next;
    for (uint32_t u = 0; u < r->at->op_use_count[next]; u++) {
      value_id value = ir_operand(r->at, next, u);
      op_id source = ir_value_op(r->at, value);
      if (source == NONE || k->seen[source] || count == CLOSURE_MAX ||
          stored_at(r, value, tick))
        continue;
      k->seen[source] = true;
      k->closure[count++] = source;
    }
  }
  for (uint32_t i = 0; i < count; i++)
    k->seen[k->closure[i]] = false;
  return count;
}

/* What stood against a plan without the value, whose price was said. */
static void
put_verdict(const struct reasons *r, struct buffer *out, function_id function,
            bool fits) {
  const struct plan_function *f = &r->program->plan->functions[function];
  const struct options *options = r->program->options;
  if (fits)
    buffer_string(out, ", and the budget is met without that");
  else if (f->refused)
    buffer_string(out, ", and the plan was not carried out");
  else if (f->clone_bound_reached)
    buffer_printf(out,
                  ", and plans within the budget have more clones than "
                  "--max-clone-expansion=%llu allows",
                  (unsigned long long)options->clone_expansion);
  else if (f->proved_infeasible)
    buffer_string(out, ", and no plan at all meets the budget");
  else
    buffer_string(out, ", and no plan was found that fits by it");
}

/* Why OP's value in BUFFER was not made again later, its price included. */
static void
put_price(struct keeping *k, struct buffer *out, function_id function, op_id op,
          uint32_t buffer) {
  const struct reasons *r = k->r;
  uint32_t tick = k->next_read[buffer];
  op_id bound = NONE,
        reader = tick == NONE ? NONE : r->buffers->clock->tick_op[tick];
  uint64_t ns = r->facts->op_cost_ns[op];
  uint32_t count = tick == NONE ? 1 : find_closure(k, op, tick, &ns, &bound);
  const struct budget *budget = &r->program->budget[function];
  uint64_t need = budget_counted(budget, &r->liveness->functions[function]);
  struct rules_cost cost =
      rules_op_cost(r->program->facts->binding, reasons_origin(r, op));
  if (reader != NONE) {
    buffer_string(out, "read next by ");
    reasons_name_op(r, out, reader);
    buffer_string(out, ", ");
  }
  if (bound != NONE) {
    buffer_string(out, "and made of ");
    reasons_name_op(r, out, bound);
    buffer_string(out, ", which is gone by then and may not run again: ");
    put_obstacle(r, out, reasons_origin(r, bound));
    return;
  }
  buffer_string(out, "again it would cost ");
  human_time(out, ns);
  if (count > 1)
    buffer_printf(out, " for %s%u ops", count == CLOSURE_MAX ? "at least " : "",
                  count);
  put_verdict(r, out, function,
              budget->source == BUDGET_NONE || need <= budget->bytes);
  add_place(out, cost.place);
}

/* Does the op at TICK read or make what is in BUFFER? */
static bool
needed_at(const struct reasons *r, uint32_t tick, uint32_t buffer,
          op_id *reader) {
  op_id op = *reader = liveness_op_at(r->buffers->clock, tick);
  if (op == NONE)
    return false;
  for (uint32_t i = 0; i < r->at->op_use_count[op] + r->at->op_result_count[op];
       i++) {
    value_id value = i < r->at->op_use_count[op]
                         ? ir_operand(r->at, op, i)
                         : ir_result(r->at, op, i - r->at->op_use_count[op]);
    uint32_t end = facts_first_leaf(r->facts, value + 1);
    for (uint32_t l = facts_first_leaf(r->facts, value); l < end; l++)
      if (r->buffers->leaf_buffer[l] == buffer)
        return true;
  }
  return false;
}

static void
add_decision(struct reasons *r, function_id function, op_id op, uint64_t bytes,
             const char *reason) {
  struct plan_function *f = &r->program->plan->functions[function];
  const struct plan_decision decision = {.op = op,
                                         .taken = false,
                                         .at_peak = true,
                                         .saved_bytes = bytes,
                                         .cost_ns =
                                             r->program->facts->op_cost_ns[op],
                                         .reason = reason};
  vector_push(r->program->arena, &f->decisions, decision);
}

static void
add_buffer(struct keeping *k, function_id function, uint32_t buffer,
           uint32_t tick) {
  struct reasons *r = k->r;
  struct buffer text = {.arena = r->program->arena};
  op_id op = ir_value_op(r->at, r->buffers->value[buffer]), at;
  op_id origin = op == NONE ? NONE : reasons_origin(r, op);
  if (r->buffers->flags[buffer] & BUFFER_ARGUMENT) {
    struct plan_function *f = &r->program->plan->functions[function];
    f->peak_arguments++;
    f->peak_argument_bytes =
        saturating_add(f->peak_argument_bytes, r->buffers->bytes[buffer]);
    return;
  }
  if (origin == NONE || !r->buffers->bytes[buffer])
    return;
  if (needed_at(r, tick, buffer, &at)) {
    buffer_string(&text,
                  at == op ? "made at the peak" : "read at the peak, by ");
    if (at != op)
      reasons_name_op(r, &text, at);
  } else if (r->buffers->flags[buffer] & BUFFER_RESULT) {
    buffer_string(&text, "the function returns it");
  } else if (!put_obstacle(r, &text, origin)) {
    put_price(k, &text, function, op, buffer);
  }
  add_decision(r, function, origin, r->buffers->bytes[buffer],
               buffer_finish(&text));
}

/* The first readings behind the peaks of FUNCTIONS. */
static void
find_next_reads(struct keeping *k, const bool *functions) {
  const struct reasons *r = k->r;
  const struct clock *clock = r->buffers->clock;
  memset(k->next_read, 0xff, r->buffers->count * sizeof *k->next_read);
  for (op_id op = 0; op < r->at->op_count; op++) {
    if (r->of[op] == NONE || !functions[r->of[op]] ||
        clock->op_end[op] == NONE ||
        clock->op_end[op] <= reasons_peak_tick(r, r->of[op]))
      continue;
    for (uint32_t i = 0; i < r->at->op_use_count[op]; i++) {
      value_id value = ir_operand(r->at, op, i);
      uint32_t end = facts_first_leaf(r->facts, value + 1);
      for (uint32_t l = facts_first_leaf(r->facts, value); l < end; l++) {
        uint32_t buffer = r->buffers->leaf_buffer[l];
        if (buffer != NONE && k->next_read[buffer] > clock->op_end[op])
          k->next_read[buffer] = clock->op_end[op];
      }
    }
  }
}

/* What a fusing compiler has stored at the peak of FUNCTION's first block. */
static void
add_fused(struct reasons *r, struct fused *fused, function_id function) {
  region_id body = r->at->functions.data[function].body;
  struct fused_peak peak;
  if (body == NONE || r->at->region_block[body] == NONE ||
      !fused_find_peak(fused, r->at->region_block[body], &peak,
                       r->program->scratch))
    return;
  const struct budget *budget = &r->program->budget[function];
  bool fits = budget_counted(budget, &r->liveness->functions[function]) <=
              budget->bytes;
  for (uint32_t i = 0; i < peak.count; i++) {
    value_id value = fused->stored->leaf_value[peak.leaves[i]];
    op_id op = ir_value_op(r->at, value);
    op_id origin = op == NONE ? NONE : reasons_origin(r, op);
    struct buffer text = {.arena = r->program->arena};
    if (origin == NONE)
      continue;
    if (!put_obstacle(r, &text, origin)) {
      buffer_string(&text, "again it would cost ");
      human_time(&text, r->facts->op_cost_ns[op]);
      put_verdict(r, &text, function, fits);
    }
    add_decision(r, function, origin, r->facts->leaf_bytes[peak.leaves[i]],
                 buffer_finish(&text));
  }
}

void
reasons_add_kept(struct reasons *r, const bool *functions) {
  struct program *program = r->program;
  struct keeping k = {
      .r = r,
      .next_read = ARENA_ARRAY(program->scratch, uint32_t, r->buffers->count),
      .seen = ARENA_ARRAY(program->scratch, bool, r->at->op_count)};
  struct fused *fused = NULL;
  find_next_reads(&k, functions);
  for (function_id f = 0; f < r->m->functions.count; f++) {
    if (!functions[f] || r->buffers->clock->function_host[f] != f)
      continue;
    if (program->budget[f].fused) {
      if (!fused)
        fused = fused_new(program, stored_find(program, r->at, r->facts),
                          program->scratch);
      add_fused(r, fused, f);
      continue;
    }
    uint32_t tick = reasons_peak_tick(r, f);
    for (uint32_t b = 0; b < r->buffers->count; b++)
      if (buffers_live(r->buffers, b, tick) && reasons_counted(r, f, b))
        add_buffer(&k, f, b, tick);
  }
}
