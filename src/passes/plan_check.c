/* plan_check.c - see plan_check.h.
 *
 * `verify` proves what is emitted, and takes a fault for our own.  A plan from
 * a file is the user's, so its faults are told here, with their place in the
 * dump.  O(uses). */
#include "passes/facts.h"
#include "passes/plan_check.h"

#include <string.h>

struct checking {
  struct program *program;
  const struct ir_module *m;
  const struct facts *facts;
  const struct plan_block *block;
  uint32_t *instances; /* by op */
  bool good;
};

/* Note where the plan speaks of OP. */
static void
note_said(struct checking *c, op_id op) {
  const struct plan *plan = c->program->plan;
  for (uint32_t i = 0; i < plan->said.count; i++)
    if (plan->said.data[i].op == op)
      diagnose_note(
          c->program->diagnostics,
          location_at(c->program->plan_source, plan->said.data[i].where),
          "here the plan speaks of it");
}

static void
complain(struct checking *c, op_id op, const char *what) {
  diagnose(c->program->diagnostics, DIAGNOSTIC_INPUT, ir_op_location(c->m, op),
           "the plan %s", what);
  note_said(c, op);
  c->good = false;
}

/* The op of the block that OP is or stands in, or NONE. */
static op_id
op_of_block(const struct checking *c, op_id op) {
  while (op != NONE && c->m->op_block[op] != c->block->block)
    op = ir_parent_op(c->m, op);
  return op;
}

static bool
is_bound(const struct checking *c, op_id op) {
  return !facts_has(c->facts, op, FACT_PURE) ||
         (facts_of(c->facts, op)->flags &
          (FACT_EFFECT | FACT_RANDOM | FACT_COLLECTIVE));
}

/* Reads of OP, an op of the block or one inside of it. */
static void
check_reads(struct checking *c, op_id op) {
  for (uint32_t i = 0; i < c->m->op_use_count[op]; i++) {
    op_id source = ir_value_op(c->m, ir_operand(c->m, op, i));
    if (source == NONE || c->m->op_block[source] != c->block->block ||
        c->instances[source])
      continue;
    complain(c, op, "runs this op before what it reads");
    diagnose_note(c->program->diagnostics, ir_op_location(c->m, source),
                  "which is this");
    note_said(c, source);
  }
}

/* All ops of the block that are or stand inside of OP. */
static void
check_reads_inside(struct checking *c, op_id op) {
  check_reads(c, op);
  if (c->m->op_region[op] == NONE)
    return;
  for (op_id inner = op + 1;
       inner < c->m->op_count && op_of_block(c, inner) == op; inner++)
    check_reads(c, inner);
}

static void
check_again(struct checking *c, op_id op) {
  if (c->facts->op_repeatable[op])
    return;
  const char *why = facts_obstacle(c->program->scratch, c->program->rules,
                                   facts_of(c->facts, op));
  complain(c, op,
           arena_printf(c->program->scratch,
                        "runs this op twice, which changes the program (%s)",
                        why ? why : "what is inside of it is not pure"));
}

/* Ops with effects stand once and in their old order. */
static void
check_effects(struct checking *c) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < c->m->block_op_count[c->block->block]; i++) {
    op_id op = ir_block_op(c->m, c->block->block, i);
    if (!is_bound(c, op))
      continue;
    while (at < c->block->count && !is_bound(c, c->block->ops[at]))
      at++;
    if (at < c->block->count && c->block->ops[at++] == op)
      continue;
    complain(c, op, "erases or moves this op, whose effects have an order");
    return;
  }
}

/* What other blocks or the block's end need stands somewhere. */
static void
check_erased(struct checking *c) {
  for (uint32_t u = 0; u < c->m->use_count; u++) {
    op_id source = ir_value_op(c->m, c->m->use_value[u]);
    if (source != NONE && c->m->op_block[source] == c->block->block &&
        !c->instances[source]) {
      c->instances[source] = 1;
      complain(c, source, "erases this op, but something reads it");
    }
  }
}

/* Has all that OP reads of BLOCK an instance? */
static bool
reads_run(const struct ir_module *m, block_id block, op_id op,
          const bool *stands, op_id first) {
  for (uint32_t i = 0; i < m->op_use_count[op]; i++) {
    op_id source = ir_value_op(m, ir_operand(m, op, i));
    if (source != NONE && m->op_block[source] == block &&
        !stands[source - first])
      return false;
  }
  for (region_id r = m->op_region[op]; r != NONE; r = m->region_next[r])
    for (block_id b = m->region_block[r]; b != NONE; b = m->block_next[b])
      for (uint32_t i = 0; i < m->block_op_count[b]; i++)
        if (!reads_run(m, block, ir_block_op(m, b, i), stands, first))
          return false;
  return true;
}

bool
plan_block_runs(const struct ir_module *m, const struct plan_block *block,
                struct arena *scratch) {
  uint32_t count = m->block_op_count[block->block];
  if (!count)
    return true;
  op_id first = ir_block_op(m, block->block, 0);
  op_id last = ir_block_op(m, block->block, count - 1);
  bool *stands = ARENA_ARRAY(scratch, bool, last - first + 1);
  for (uint32_t i = 0; i < block->count; i++) {
    if (!reads_run(m, block->block, block->ops[i], stands, first))
      return false;
    if (m->op_block[block->ops[i]] == block->block)
      stands[block->ops[i] - first] = true;
  }
  return true;
}

/* Is there what FENCE hands on? */
static void
check_fence(struct checking *c, const struct plan_fence *fence) {
  for (uint32_t i = 0; i < fence->count; i++) {
    op_id source = ir_value_op(c->m, fence->values[i]);
    if (source != NONE && c->m->op_block[source] == c->block->block &&
        !c->instances[source])
      complain(c, source, "hands this value on before it is made");
  }
}

static void
check_block(struct checking *c) {
  uint32_t fence = 0;
  for (uint32_t i = 0; i < c->block->count; i++) {
    while (fence < c->block->fence_count && c->block->fences[fence].at == i)
      check_fence(c, &c->block->fences[fence++]);
    op_id op = c->block->ops[i];
    check_reads_inside(c, op);
    if (c->instances[op]++)
      check_again(c, op);
  }
  if (!c->good)
    return;
  check_effects(c);
  check_erased(c);
}

bool
plan_check(struct program *program) {
  const struct plan *plan = program->plan;
  struct checking c = {.program = program,
                       .m = program->input,
                       .facts = program->facts,
                       .instances = ARENA_ARRAY(program->scratch, uint32_t,
                                                program->input->op_count),
                       .good = true};
  for (uint32_t b = 0; b < plan->blocks.count && c.good; b++) {
    c.block = &plan->blocks.data[b];
    check_block(&c);
  }
  return c.good;
}
