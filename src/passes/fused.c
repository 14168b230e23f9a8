/* fused.c - see fused.h: peaks of blocks and functions.
 *
 * Each block is contracted once and evaluated in program order; blocks inside
 * of its ops come first.  O(what contraction takes). */
#include "passes/fused.h"

#include "passes/manager.h"
#include "passes/options.h"
#include "passes/verify.h"
#include "plan/order.h"

#include <string.h>

enum { ORDERED_NODES = 20000 };

enum { BLOCK_NEW, BLOCK_BUSY, BLOCK_DONE };

/* Where the ops inside of each op end: they are numbered right behind it. */
static void
find_ends(struct fused *fused) {
  const struct ir_module *m = fused->module;
  fused->op_end = ARENA_ARRAY(fused->arena, op_id, m->op_count);
  for (op_id op = m->op_count; op-- > 0;) {
    op_id end = op + 1;
    for (region_id r = m->op_region[op]; r != NONE; r = m->region_next[r])
      for (block_id b = m->region_block[r]; b != NONE; b = m->block_next[b])
        for (uint32_t i = m->block_op_count[b]; i-- > 0;) {
          op_id inner = ir_block_op(m, b, i);
          if (fused->op_end[inner] > end)
            end = fused->op_end[inner];
        }
    fused->op_end[op] = end;
  }
}

/* Which views show one of several values: a part of a tuple can only be read
 * where all its parts are there. */
static void
find_sided(struct fused *fused) {
  const struct ir_module *m = fused->module;
  fused->op_sided = ARENA_ARRAY(fused->arena, bool, m->op_count);
  for (op_id op = 0; op < m->op_count; op++) {
    if (!fused->stored->view[op])
      continue;
    op_id from = ir_value_op(m, ir_operand(m, op, 0));
    fused->op_sided[op] =
        m->op_use_count[op] > 1 || (from != NONE && fused->op_sided[from]);
  }
}

double
fused_bytes_per_ns(const struct program *program) {
  uint32_t device = rules_device_find(program->rules, program->options->device);
  double bandwidth = 0, share = 1;
  if (device == NONE ||
      !rules_figure(program->rules, device, "bandwidth", &bandwidth))
    return 0;
  rules_figure(program->rules, device, "stream", &share);
  return bandwidth * share;
}

struct fused *
fused_new(struct program *program, const struct stored *stored,
          struct arena *arena) {
  struct fused *fused = ARENA_NEW(arena, struct fused);
  const struct ir_module *m = stored->module;
  fused->program = program;
  fused->arena = arena;
  fused->module = m;
  fused->facts = stored->facts;
  fused->stored = stored;
  fused->bytes_per_ns = fused_bytes_per_ns(program);
  fused->value = ARENA_ARRAY(arena, uint32_t, stored->facts->leaf_count);
  memset(fused->value, 0xff, stored->facts->leaf_count * sizeof *fused->value);
  fused->op_seen = ARENA_ARRAY(arena, uint32_t, m->op_count);
  fused->op_stamp = ARENA_ARRAY(arena, uint32_t, m->op_count);
  fused->op_mixes = ARENA_ARRAY(arena, bool, m->op_count);
  fused->block_peak = ARENA_ARRAY(arena, uint64_t, m->block_count);
  fused->block_state = ARENA_ARRAY(arena, uint8_t, m->block_count);
  find_ends(fused);
  find_sided(fused);
  fused_find_crossing(fused);
  return fused;
}

/* How many orders of B may be its order: HLO that is not scheduled is printed
 * in an order that nobody runs. */
static uint32_t
orders_of(const struct fused *fused, const struct fused_block *b) {
  const struct ir_module *m = fused->module;
  bool free = strcmp(m->format->name, "hlo") == 0 && !m->scheduled && !m->base;
  return free && b->problem->node_count < ORDERED_NODES ? PLAN_ORDER_COUNT : 1;
}

static uint64_t
peak_in_order(struct fused *fused, block_id block) {
  struct fused_block *b = fused_contract(fused, block);
  uint64_t peak = UINT64_MAX;
  for (uint32_t order = 0; b->problem && order < orders_of(fused, b); order++) {
    struct plan_sequence sequence = {
        plan_order_nodes(b->problem, order, fused->arena),
        b->problem->node_count};
    struct plan_figures figures;
    if (plan_evaluate(b->problem, sequence, &figures) &&
        figures.peak_bytes < peak)
      peak = figures.peak_bytes;
  }
  return peak;
}

uint64_t
fused_block_peak(struct fused *fused, block_id block) {
  if (fused->block_state[block] == BLOCK_DONE)
    return fused->block_peak[block];
  if (fused->block_state[block] == BLOCK_BUSY ||
      !fused->facts->block_stored[block])
    return 0; /* a recursive call adds nothing; kernels store nothing */
  fused->block_state[block] = BLOCK_BUSY;
  fused_set_peak(fused, block,
                 fused->any_order ? verify_fenced_bytes(fused, block)
                                  : peak_in_order(fused, block));
  return fused->block_peak[block];
}

void
fused_set_peak(struct fused *fused, block_id block, uint64_t bytes) {
  fused->block_peak[block] = bytes;
  fused->block_state[block] = BLOCK_DONE;
}

uint64_t
fused_function_peak(struct fused *fused, function_id function) {
  region_id body = fused->module->functions.data[function].body;
  uint64_t most = 0;
  if (body == NONE)
    return 0;
  for (block_id b = fused->module->region_block[body]; b != NONE;
       b = fused->module->block_next[b]) {
    uint64_t peak = saturating_add(fused_block_peak(fused, b),
                                   fused_outside_bytes(fused, b));
    most = peak > most ? peak : most;
  }
  return most;
}

struct fused_bodies
fused_bodies(const struct fused *fused, op_id op) {
  const struct ir_module *m = fused->module;
  VECTOR(block_id) found = {NULL, 0, 0};
  for (region_id r = m->op_region[op]; r != NONE; r = m->region_next[r])
    for (block_id b = m->region_block[r]; b != NONE; b = m->block_next[b])
      vector_push(fused->arena, &found, b);
  uint32_t count = 0;
  const struct ir_call *calls =
      m->calls.count ? ir_op_calls(m, op, &count) : NULL;
  for (uint32_t i = 0; i < count && !fused->stored->fuses[op]; i++) {
    region_id body = m->functions.data[calls[i].callee].body;
    if (calls[i].role != CALL_FLOW || body == NONE)
      continue;
    for (block_id b = m->region_block[body]; b != NONE; b = m->block_next[b])
      vector_push(fused->arena, &found, b);
  }
  return (struct fused_bodies){found.count, found.data};
}

bool
fused_calls(const struct fused *fused, op_id op) {
  return facts_of(fused->facts, op)->body == BODY_CALL &&
         !fused->stored->fuses[op];
}

/* LEAVES, sorted in by size; COUNT of them are. */
static void
sort_in(const struct facts *facts, uint32_t *leaves, uint32_t count,
        uint32_t leaf) {
  for (; count > 0 &&
         facts->leaf_bytes[leaves[count - 1]] < facts->leaf_bytes[leaf];
       count--)
    leaves[count] = leaves[count - 1];
  leaves[count] = leaf;
}

bool
fused_find_peak(struct fused *fused, block_id block, struct fused_peak *peak,
                struct arena *arena) {
  struct fused_block *b = fused_contract(fused, block);
  struct plan_timeline timeline;
  *peak = (struct fused_peak){.op = NONE};
  if (!b->problem ||
      !plan_timeline_build(&timeline, b->problem,
                           plan_program_order(b->problem, arena), arena))
    return false;
  if (timeline.count == 0)
    return true;
  uint32_t at = timeline.peak_position;
  peak->bytes = (uint64_t)timeline.peak_bytes;
  peak->op = b->node_op[timeline.nodes[at]];
  peak->workspace_bytes = b->problem->workspace_bytes[timeline.nodes[at]];
  peak->leaves = ARENA_ARRAY(arena, uint32_t, timeline.slot_count);
  for (uint32_t slot = 0; slot < timeline.slot_count; slot++) {
    uint32_t value = plan_slot_value(&timeline, slot);
    if (timeline.owner[slot] <= at && timeline.last[slot] >= at &&
        b->problem->bytes[value] && !plan_takeover(&timeline, at, slot))
      sort_in(fused->facts, peak->leaves, peak->count++, b->value_leaf[value]);
  }
  return true;
}

bool
fused_is_model(const struct program *program) {
  return program->is_fused;
}

void
fused_enter(struct fused *fused, struct liveness *liveness) {
  const struct ir_module *m = fused->module;
  for (function_id f = 0; f < m->functions.count; f++)
    if (liveness->functions[f].runs)
      liveness->functions[f].fused_temp_bytes = fused_function_peak(fused, f);
  for (uint32_t i = 0; i < m->donations.count; i++) {
    const struct ir_donation *donation = &m->donations.data[i];
    const struct ir_function *f = &m->functions.data[donation->function];
    if (donation->result == NONE || donation->argument >= f->argument_count ||
        f->arguments[donation->argument] == NONE ||
        donation->argument_path.size > 2)
      continue;
    uint64_t *donated = &liveness->functions[donation->function].donated_bytes;
    *donated = saturating_add(
        *donated,
        facts_value_bytes(fused->facts, f->arguments[donation->argument]));
  }
}

/* --- the pass --- */

void
fused_measure(struct program *program, const struct ir_module *module,
              const struct facts *facts, struct liveness *liveness) {
  struct stored *stored = stored_find(program, module, facts);
  fused_enter(fused_new(program, stored, program->arena), liveness);
}

static bool
is_of_xla(const struct ir_module *m, name_id name) {
  struct text text = string_text(m->names, name);
  return text_starts(text, "stablehlo.") || text_starts(text, "mhlo.");
}

/* Is MODULE in a form that goes to a compiler that fuses? */
static bool
is_to_be_fused(const struct ir_module *m) {
  if (strcmp(m->format->name, "hlo") == 0)
    return !m->scheduled;
  bool named = false; /* by an op, or by something else */
  for (name_id name = 0; name < m->names->count; name++)
    named |= is_of_xla(m, name);
  for (op_id op = 0; named && op < m->op_count; op++)
    if (is_of_xla(m, m->op_name[op]))
      return true;
  return false;
}

bool
fused_resolve(const struct options *options, const struct ir_module *module) {
  if (options->memory_model != MEMORY_AUTO)
    return options->memory_model == MEMORY_FUSED;
  return options->strategy != STRATEGY_GREEDY && !options->pareto &&
         is_to_be_fused(module);
}

/* Linear, but not for nothing: only where the model is asked for, or its
 * figures may be wanted. */
static bool
gate_fused(const struct program *program) {
  return fused_is_model(program) || !program->options->no_report ||
         (program->options->analyze && is_to_be_fused(program->input));
}

static bool
execute_fused(struct program *program) {
  struct stored *stored = stored_find(program, program->input, program->facts);
  program->fused = fused_new(program, stored, program->arena);
  fused_enter(program->fused, program->liveness);
  return true;
}

/* One line for each value: its size, and where it is kept. */
static void
dump_peak(const struct program *program, function_id function,
          struct buffer *out) {
  const struct ir_module *m = program->input;
  struct fused *fused = program->fused;
  region_id body = m->functions.data[function].body;
  struct fused_peak peak;
  if (body == NONE || m->region_block[body] == NONE ||
      !fused_find_peak(fused, m->region_block[body], &peak, program->scratch))
    return;
  buffer_string(out, "  peak at ");
  if (peak.op != NONE)
    buffer_text(out, ir_op_name(m, peak.op));
  buffer_printf(out, ", workspace %llu\n",
                (unsigned long long)peak.workspace_bytes);
  for (uint32_t i = 0; i < peak.count; i++) {
    value_id value = fused->stored->leaf_value[peak.leaves[i]];
    op_id op = ir_value_op(m, value);
    buffer_string(out, "  live ");
    buffer_text(out, source_text(m->source, m->value_name[value]));
    buffer_printf(out, " %llu ",
                  (unsigned long long)fused->facts->leaf_bytes[peak.leaves[i]]);
    if (op != NONE)
      buffer_text(out, ir_op_name(m, op));
    buffer_printf(out, ": %s\n", stored_words(fused->stored->how[value]));
  }
}

static void
dump_fused(const struct program *program, struct buffer *out) {
  const struct stored *s = program->fused->stored;
  const struct ir_module *m = program->input;
  for (function_id f = 0; f < m->functions.count; f++) {
    buffer_string(out, "@");
    if (m->functions.data[f].name != NONE)
      buffer_text(out, string_text(m->names, m->functions.data[f].name));
    buffer_printf(
        out, ": %llu bytes of temporaries\n",
        (unsigned long long)program->liveness->functions[f].fused_temp_bytes);
    dump_peak(program, f, out);
  }
  for (value_id value = 0; value < m->value_count; value++) {
    op_id op = ir_value_op(m, value);
    if (op == NONE || m->op_block[op] == NONE)
      continue;
    buffer_string(out, "  ");
    buffer_text(out, source_text(m->source, m->value_name[value]));
    buffer_printf(out, " %llu ",
                  (unsigned long long)facts_value_bytes(s->facts, value));
    buffer_string(out, stored_words(s->how[value]));
    if (s->whole[value] && !stored_for_all(s, value) &&
        s->how[value] != STORED_LITERAL)
      buffer_string(out, "; stored for readers that do not fuse");
    buffer_string(out, "\n");
  }
}

const struct pass pass_fused = {
    .name = "fused",
    .help = "what a fusing compiler stores of the program, and its peak",
    .requires_ = PROP_FACTS | PROP_LIVENESS,
    .provides = PROP_FUSED,
    .gate = gate_fused,
    .execute = execute_fused,
    .dump = dump_fused,
};
