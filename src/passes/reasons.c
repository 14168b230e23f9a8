/* reasons.c - say of each clone and move of what is emitted why it is there.
 *
 *   recompute %v3
 *     before %g4: frees 1.00 MiB from line 6 to here, where 10.0 MiB would be
 *     live with it (line 12); reads %x (an argument), %v2 (there anyway)
 *
 * A clone's gap is where no instance of its op is needed: from behind the
 * last reader of the instance before it up to itself; a move's is from where
 * it stood.  All is read off the liveness of the program that is emitted, so
 * all planners are told about alike.  O((ops + ticks) log ticks). */
#include "passes/reasons.h"

#include "ir/print.h"
#include "passes/options.h"
#include "support/human.h"

#include <string.h>

enum { NAMED = 4 };

/* The tick of the most bytes in any range of ticks. */
struct heights {
  const uint64_t *bytes;
  uint32_t *best; /* a tree of ticks: node I is the better of 2I and 2I + 1 */
  uint32_t count;
};

struct explaining {
  struct reasons *r;
  struct heights heights[2]; /* all bytes; temporaries */
  op_id *reader;             /* by value of AT: the first op that reads it */
  op_id *newest;             /* by op of the input: its newest instance */
  op_id *highest; /* by op of AT: the highest origin in its block up to it */
};

/* --- the most in a range --- */

static uint32_t
higher(const struct heights *h, uint32_t a, uint32_t b) {
  if (a == NONE || b == NONE)
    return a == NONE ? b : a;
  return h->bytes[b] > h->bytes[a] ? b : a;
}

static void
build_heights(struct heights *h, const uint64_t *bytes, uint32_t count,
              struct arena *scratch) {
  *h = (struct heights){
      bytes, ARENA_ARRAY(scratch, uint32_t, 2 * (size_t)count + 2), count};
  for (uint32_t i = 0; i < count; i++)
    h->best[count + i] = i;
  for (uint32_t i = count; i-- > 1;)
    h->best[i] = higher(h, h->best[2 * i], h->best[2 * i + 1]);
}

/* The tick of the most bytes from FIRST to LAST, or NONE. */
static uint32_t
highest_tick(const struct heights *h, uint32_t first, uint32_t last) {
  uint32_t found = NONE;
  uint64_t low = (uint64_t)first + h->count, high = (uint64_t)last + h->count;
  for (; first != NONE && last != NONE && low <= high && last < h->count;
       low /= 2, high /= 2) {
    if (low & 1)
      found = higher(h, found, h->best[low++]);
    if (!(high & 1))
      found = higher(h, found, h->best[high--]);
  }
  return found;
}

/* --- shared by both files --- */

uint32_t
reasons_peak_tick(const struct reasons *r, function_id function) {
  const struct liveness_function *live = &r->liveness->functions[function];
  return r->program->budget[function].temporaries ? live->peak_temp_tick
                                                  : live->peak_tick;
}

bool
reasons_counted(const struct reasons *r, function_id function,
                uint32_t buffer) {
  return !r->program->budget[function].temporaries ||
         buffers_temporary(r->buffers, buffer);
}

void
reasons_name_op(const struct reasons *r, struct buffer *out, op_id op) {
  if (r->at->op_result_count[op])
    ir_spell_value(out, r->at, ir_result(r->at, op, 0));
  else
    buffer_text(out, ir_op_name(r->at, op));
}

/* --- one clone or move --- */

/* What is behind a decision: bytes of counted buffers that OP makes; the last
 * tick at which the same of the op BEFORE is needed. */
static uint64_t
made_bytes(const struct explaining *e, op_id op, uint32_t *last) {
  const struct reasons *r = e->r;
  uint64_t bytes = 0;
  *last = r->buffers->clock->op_end[op];
  for (uint32_t i = 0; i < r->at->op_result_count[op]; i++) {
    value_id value = ir_result(r->at, op, i);
    uint32_t end = facts_first_leaf(r->facts, value + 1);
    for (uint32_t l = facts_first_leaf(r->facts, value); l < end; l++) {
      uint32_t buffer = r->buffers->leaf_buffer[l];
      if (buffer == NONE || !reasons_counted(r, r->of[op], buffer) ||
          r->buffers->value[buffer] != value)
        continue;
      bytes = saturating_add(bytes, r->facts->leaf_bytes[l]);
      if (r->buffers->end[buffer] > *last)
        *last = r->buffers->end[buffer];
    }
  }
  return bytes;
}

/* The first op behind which OP, which was moved, would have stood. */
static op_id
former_place(const struct explaining *e, op_id op) {
  const struct reasons *r = e->r;
  block_id block = r->at->op_block[op];
  uint32_t low = 0, high = r->at->block_op_count[block];
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (e->highest[ir_block_op(r->at, block, middle)] > reasons_origin(r, op))
      high = middle;
    else
      low = middle + 1;
  }
  return ir_block_op(r->at, block, low);
}

static void
put_line(const struct reasons *r, struct buffer *out, op_id op) {
  buffer_printf(out, "line %u", ir_op_line(r->m, reasons_origin(r, op)));
}

/* What OP frees in ticks FIRST to LAST, and what that is good for. */
static void
put_freed(const struct explaining *e, struct buffer *out, op_id op,
          uint64_t bytes, uint32_t first, uint32_t last) {
  const struct reasons *r = e->r;
  const struct heights *h =
      &e->heights[r->program->budget[r->of[op]].temporaries];
  uint32_t tick = first <= last ? highest_tick(h, first, last) : NONE;
  if (tick == NONE || !bytes) {
    buffer_string(out, "frees nothing by itself");
    return;
  }
  op_id peak = liveness_op_at(r->buffers->clock, tick);
  op_id from = liveness_op_at(r->buffers->clock, first);
  buffer_string(out, "frees ");
  human_bytes(out, bytes);
  if (from != NONE && reasons_origin(r, from) != NONE) {
    buffer_string(out, " from ");
    put_line(r, out, from);
    buffer_string(out, " to here");
  }
  if (r->program->budget[r->of[op]].fused)
    return;
  buffer_string(out, ", where else ");
  human_bytes(out, saturating_add(h->bytes[tick], bytes));
  buffer_string(out, " would be live");
  if (peak != NONE && reasons_origin(r, peak) != NONE) {
    buffer_string(out, " at ");
    reasons_name_op(r, out, peak);
    buffer_string(out, ", ");
    put_line(r, out, peak);
  }
}

/* How OP, which reads VALUE, comes by it. */
static const char *
how_read(const struct explaining *e, op_id op, value_id value) {
  const struct reasons *r = e->r;
  op_id source = ir_value_op(r->at, value);
  uint32_t leaf = facts_first_leaf(r->facts, value);
  uint32_t buffer = leaf < facts_first_leaf(r->facts, value + 1)
                        ? r->buffers->leaf_buffer[leaf]
                        : NONE;
  if (buffer != NONE && r->buffers->flags[buffer] & BUFFER_ARGUMENT)
    return "an argument";
  if (source != NONE && r->at->op_copy[source])
    return "made again too";
  if (buffer != NONE &&
      r->buffers->end[buffer] <= r->buffers->clock->op_end[op])
    return "kept until here for it";
  return "there anyway";
}

static void
put_reads(const struct explaining *e, struct buffer *out, op_id op) {
  const struct reasons *r = e->r;
  uint32_t count = r->at->op_use_count[op];
  buffer_string(out, count ? "; reads " : "");
  for (uint32_t i = 0; i < count && i < NAMED; i++) {
    value_id value = ir_operand(r->at, op, i);
    buffer_string(out, i ? ", " : "");
    ir_spell_value(out, r->at, value);
    buffer_printf(out, " (%s)", how_read(e, op, value));
  }
  if (count > NAMED)
    buffer_printf(out, " and %u others", count - NAMED);
}

/* Note that OP is made again or stands elsewhere, for READER, because of bytes
 * that are free in the ticks behind LAST. */
static void
add_note(struct explaining *e, op_id op, uint64_t bytes, uint32_t last) {
  struct reasons *r = e->r;
  struct plan_function *f = &r->program->plan->functions[r->of[op]];
  struct buffer text = {.arena = r->program->arena};
  op_id reader =
      r->at->op_result_count[op] ? e->reader[ir_result(r->at, op, 0)] : NONE;
  uint32_t begin = r->buffers->clock->op_begin[op];
  buffer_string(&text, r->at->op_copy[op] ? "again for " : "only here for ");
  if (reader == NONE)
    buffer_string(&text, "the end");
  else
    reasons_name_op(r, &text, reader);
  buffer_string(&text, ": ");
  put_freed(e, &text, op, bytes, last + 1, begin ? begin - 1 : 0);
  put_reads(e, &text, op);
  const struct plan_note note = {
      reasons_origin(r, op), reader == NONE ? NONE : reasons_origin(r, reader),
      buffer_finish(&text)};
  vector_push(r->program->arena, &f->notes, note);
}

/* --- all of them --- */

/* The decision about ORIGIN in F, of those made here, or a new one. */
static struct plan_decision *
decision_of(struct explaining *e, struct plan_function *f, op_id origin,
            uint32_t *number) {
  if (!number[origin]) {
    const struct plan_decision decision = {.op = origin, .taken = true};
    vector_push(e->r->program->arena, &f->decisions, decision);
    number[origin] = f->decisions.count;
  }
  return &f->decisions.data[number[origin] - 1];
}

/* Is OP nothing but a part of a clone, or of a computation's copy? */
static bool
comes_with_another(const struct reasons *r, const function_id *own, op_id op) {
  op_id parent = ir_parent_op(r->at, op);
  return own[op] == NONE || own[op] >= r->m->functions.count ||
         (parent != NONE && r->at->op_copy[parent]);
}

static void
explain_op(struct explaining *e, op_id op, uint32_t *number) {
  struct reasons *r = e->r;
  struct plan_function *f = &r->program->plan->functions[r->of[op]];
  op_id origin = reasons_origin(r, op), before = e->newest[origin];
  bool clone = r->at->op_copy[op] > 0, moved = e->highest[op] > origin;
  uint32_t last;
  uint64_t bytes = made_bytes(e, op, &last);
  e->newest[origin] = op;
  if ((!clone && !moved) || !r->at->op_result_count[op])
    return;
  if (before != NONE && r->at->op_block[before] != r->at->op_block[op])
    return;
  if (before != NONE)
    made_bytes(e, before, &last);
  else
    last = r->buffers->clock->op_end[former_place(e, op)] - 1;
  struct plan_decision *decision = decision_of(e, f, origin, number);
  decision->clones += clone;
  decision->saved_bytes =
      bytes > decision->saved_bytes ? bytes : decision->saved_bytes;
  decision->cost_ns =
      clone ? saturating_add(decision->cost_ns, r->facts->op_cost_ns[op])
            : decision->cost_ns;
  add_note(e, op, bytes, last);
}

static void
find_readers(struct explaining *e) {
  const struct ir_module *at = e->r->at;
  struct arena *scratch = e->r->program->scratch;
  op_id highest = 0;
  block_id block = NONE;
  e->reader = ARENA_ARRAY(scratch, op_id, at->value_count);
  memset(e->reader, 0xff, at->value_count * sizeof *e->reader);
  e->highest = ARENA_ARRAY(scratch, op_id, at->op_count);
  for (op_id op = at->op_count; op-- > 0;)
    for (uint32_t i = 0; i < at->op_use_count[op]; i++)
      e->reader[ir_operand(at, op, i)] = op;
  for (block = 0; block < at->block_count; block++) {
    highest = 0;
    for (uint32_t i = 0; i < at->block_op_count[block]; i++) {
      op_id op = ir_block_op(at, block, i), origin = reasons_origin(e->r, op);
      if (origin != NONE && !at->op_copy[op] && origin > highest)
        highest = origin;
      e->highest[op] = highest;
    }
  }
}

/* Ops of FUNCTIONS that were recomputed or moved. */
static void
add_taken(struct reasons *r, const bool *functions) {
  struct arena *scratch = r->program->scratch;
  struct explaining e = {.r = r};
  const function_id *own = ir_functions_of_ops(r->at, scratch);
  uint32_t *number = ARENA_ARRAY(scratch, uint32_t, r->m->op_count);
  build_heights(&e.heights[0], r->liveness->live, r->buffers->clock->tick_count,
                scratch);
  build_heights(&e.heights[1], r->liveness->temp, r->buffers->clock->tick_count,
                scratch);
  find_readers(&e);
  e.newest = ARENA_ARRAY(scratch, op_id, r->m->op_count);
  memset(e.newest, 0xff, r->m->op_count * sizeof *e.newest);
  for (function_id f = 0; f < r->m->functions.count; f++) {
    const struct plan_function *plan = &r->program->plan->functions[f];
    for (uint32_t i = 0; i < plan->decisions.count; i++) {
      /* What a planner that selects has said is kept, but for its figures. */
      struct plan_decision *decision = &plan->decisions.data[i];
      number[decision->op] = i + 1;
      decision->clones = 0;
      decision->cost_ns = decision->taken ? 0 : decision->cost_ns;
    }
  }
  for (op_id op = 0; op < r->at->op_count; op++)
    if (r->of[op] != NONE && functions[r->of[op]] &&
        reasons_origin(r, op) != NONE &&
        r->buffers->clock->op_begin[op] != NONE &&
        !comes_with_another(r, own, op))
      explain_op(&e, op, number);
}

/* How many ops, and of what cost, each function computes again: what planners
 * that select nothing leave open. */
static void
count_recomputed(struct program *program) {
  const struct ir_module *m = program->input, *made = program->made;
  const function_id *of = plan_functions_of_ops(program);
  bool *again = ARENA_ARRAY(program->scratch, bool, m->op_count);
  for (op_id op = 0; op < made->op_count; op++)
    if (made->op_copy[op] && made->op_origin[op] != NONE)
      again[made->op_origin[op]] = true;
  for (op_id op = 0; op < m->op_count; op++) {
    if (!again[op] || of[op] == NONE ||
        (program->plan->selected[op] & PLAN_SELECTED))
      continue;
    struct plan_function *f = &program->plan->functions[of[op]];
    f->selected++;
    f->selected_cost_ns =
        saturating_add(f->selected_cost_ns, program->facts->op_cost_ns[op]);
  }
}

/* --- the pass --- */

/* By op of MODULE, on CLOCK: the function on whose clock it runs. */
static function_id *
hosts_of_ops(const struct ir_module *module, const struct clock *clock,
             struct arena *scratch) {
  function_id *of = ir_functions_of_ops(module, scratch);
  for (op_id op = 0; op < module->op_count; op++) {
    function_id host = of[op] == NONE ? NONE : clock->function_host[of[op]];
    of[op] = host == NONE ? of[op] : host;
  }
  return of;
}

static bool
gate_reasons(const struct program *program) {
  return !program->options->analyze && !program->options->pareto &&
         program->options->strategy != STRATEGY_NONE;
}

static bool
execute_reasons(struct program *program) {
  bool made = program->made != NULL;
  struct reasons r = {.program = program,
                      .m = program->input,
                      .at = made ? program->made : program->input,
                      .facts = made ? program->made_facts : program->facts,
                      .liveness =
                          made ? program->made_liveness : program->liveness};
  bool *functions =
      ARENA_ARRAY(program->scratch, bool, r.at->functions.count + 1);
  if (made)
    count_recomputed(program);
  if (program->options->no_report && !program->diagnostics->remarks)
    return true;
  r.buffers = r.liveness->buffers;
  r.of = hosts_of_ops(r.at, r.buffers->clock, program->scratch);
  for (function_id f = 0; f < r.m->functions.count; f++)
    functions[f] = r.liveness->functions[f].runs &&
                   (program->budget[f].source != BUDGET_NONE ||
                    program->plan->functions[f].planned ||
                    program->plan->functions[f].marked);
  if (made)
    add_taken(&r, functions);
  reasons_add_kept(&r, functions);
  return true;
}

const struct pass pass_reasons = {
    .name = "reasons",
    .help = "find out why each value was recomputed, moved or kept",
    .gate = gate_reasons,
    .execute = execute_reasons,
    .requires_ =
        PROP_FACTS | PROP_BUFFERS | PROP_LIVENESS | PROP_BUDGET | PROP_MARKS,
};
