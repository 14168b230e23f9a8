/* fence_bodies.c - see fence.h: bodies of ops, each with what is left to it.
 *
 *   limit 10                 live around   body needs   left
 *   %1 = while (%0) {...}         4            8          6
 *
 * A block is planned as if each body inside of it ran in its own order.  Where
 * any order of a body, in the segment that its op then stands in, would pass
 * the limit, the body is planned with what the segment leaves: fences, and
 * clones that run as often as the body does.  If it still needs more, the
 * block is planned again with that.  A body that several ops call is planned
 * for the one that leaves least.
 * Cost: that of planning each block, ROUNDS times at most. */
#include "passes/fence.h"

#include "passes/manager.h"
#include "passes/rebuild.h"
#include "passes/verify.h"
#include "plan/order.h"
#include "plan/pack.h"
#include "plan/ready.h"

#include <string.h>

enum { ROUNDS = 3, DEPTH_MAX = 16 };

/* Nodes up to which more than one order is packed. */
enum { PACKED_NODES = 20000 };

/* BLOCK as it is in MADE, the first where it is there several times. */
static block_id
made_block(const struct ir_module *made, block_id block) {
  for (block_id b = 0; b < made->block_count; b++)
    if (made->block_origin[b] == block)
      return b;
  return NONE;
}

struct fused *
fence_made(struct fencing *f, const struct plan_block *plan, bool unordered,
           struct arena *arena) {
  struct program program = *f->program;
  program.arena = program.scratch = arena;
  struct plan all = {.selected = program.plan->selected,
                     .functions = program.plan->functions};
  for (uint32_t i = 0; i < f->blocks.count; i++)
    if (!plan || f->blocks.data[i].block != plan->block)
      vector_push(arena, &all.blocks, f->blocks.data[i]);
  if (plan)
    vector_push(arena, &all.blocks, *plan);
  struct ir_module *made = rebuild_module(program.input, &all, arena, arena);
  struct facts *facts = facts_of_made(&program, made);
  struct fused *fused =
      fused_new(f->program, stored_find(&program, made, facts), arena);
  fused->any_order = unordered && f->fences;
  return fused;
}

static bool
same_order(struct plan_sequence a, struct plan_sequence b) {
  return a.count == b.count &&
         (!a.count || !memcmp(a.nodes, b.nodes, a.count * sizeof *a.nodes));
}

/* What an allocator makes of the ops of B, a new program: the most of what it
 * makes of their order, of that of a scheduler that runs what it can, and of
 * one that delays.  Fences often leave one order. */
static uint64_t
packed_bytes(const struct fused_block *b, struct arena *arena) {
  struct plan_sequence orders[3] = {plan_program_order(b->problem, arena)};
  uint64_t most = plan_packed_bytes(b->problem, orders[0]);
  uint32_t count = orders[0].count <= PACKED_NODES ? 3 : 1;
  for (uint32_t i = 1; i < count; i++) {
    orders[i] = orders[0];
    orders[i].nodes = i > 1 ? plan_order_nodes(b->problem, PLAN_DFS, arena)
                            : plan_ready_order(b->problem, arena);
    if (same_order(orders[i], orders[0]) ||
        same_order(orders[i], orders[i - 1]))
      continue;
    uint64_t bytes = plan_packed_bytes(b->problem, orders[i]);
    most = bytes > most ? bytes : most;
  }
  return most;
}

uint64_t
fence_measure(struct fencing *f, block_id block, const struct plan_block *plan,
              bool unordered, uint64_t *packed) {
  struct arena arena = {0};
  struct fused *made = fence_made(f, plan, unordered, &arena);
  block_id copy = made_block(made->module, block);
  uint64_t bytes = f->fences ? verify_fenced_bytes(made, copy)
                             : fused_block_peak(made, copy);
  if (packed) {
    const struct fused_block *b = fused_contract(made, copy);
    *packed = b->problem && f->fences ? packed_bytes(b, &arena) : bytes;
  }
  arena_empty(&arena);
  return bytes;
}

/* Keep PLAN, in the place of an older one of its block. */
static void
keep(struct fencing *f, struct plan_block plan) {
  for (uint32_t i = 0; i < f->blocks.count; i++)
    if (f->blocks.data[i].block == plan.block) {
      f->blocks.data[i] = plan;
      return;
    }
  vector_push(f->program->scratch, &f->blocks, plan);
}

/* --- what is left to bodies --- */

/* What is to be asked of a plan's segments. */
struct around {
  const struct fence_cuts *cuts;
  uint64_t *live_in; /* by position: bytes made before and needed from on */
  uint32_t *read_in; /* by slot: the newest segment that reads it, + 1 */
};

/* The workspace of NODE where it is needed among the ops around. */
static uint64_t
adding_workspace(const struct fused_block *block, uint32_t node) {
  return fused_calls(block->fused, block->node_op[node])
             ? block->problem->workspace_bytes[node]
             : 0;
}

static struct around
look_around(const struct fence_cuts *cuts, struct arena *arena) {
  const struct plan_timeline *t = &cuts->timeline;
  struct around a = {cuts, ARENA_ARRAY(arena, uint64_t, (size_t)t->count + 2),
                     ARENA_ARRAY(arena, uint32_t, t->slot_count)};
  for (uint32_t slot = 0; slot < t->slot_count; slot++) {
    uint64_t bytes = cuts->block->problem->bytes[plan_slot_value(t, slot)];
    a.live_in[t->owner[slot] + 1] += bytes;
    a.live_in[(size_t)t->last[slot] + 1] -= bytes;
  }
  for (uint32_t p = 1; p <= t->count; p++)
    a.live_in[p] += a.live_in[p - 1];
  return a;
}

/* What the segment from BEGIN to END needs beside the workspaces of those of
 * its ops that run one after the other. */
static uint64_t
segment_bytes(struct around *a, uint32_t begin, uint32_t end) {
  const struct plan_timeline *t = &a->cuts->timeline;
  uint64_t held = a->live_in[begin];
  for (uint32_t p = begin; p < end; p++) {
    held += adding_workspace(a->cuts->block, t->nodes[p]);
    for (uint32_t s = t->slot_begin[p]; s < t->slot_begin[p + 1]; s++)
      held += a->cuts->block->problem->bytes[plan_slot_value(t, s)];
    for (uint32_t i = t->read_begin[p]; i < t->read_begin[p + 1]; i++) {
      uint32_t slot = t->reads[i];
      if (a->read_in[slot] != begin + 1)
        held -= (uint64_t)fence_takeover(a->cuts, p, slot);
      a->read_in[slot] = begin + 1;
    }
  }
  return held;
}

/* Plan BLOCK, a body, for LIMIT bytes, unless that was done or is not needed.
 * True where it needs another amount now. */
static bool
lower_body(struct fencing *f, block_id block, uint64_t limit) {
  if (fused_block_peak(f->unordered, block) <= limit ||
      f->block_goal[block] <= limit)
    return false;
  uint64_t before = fused_block_peak(f->fused, block);
  struct fence_plan plan;
  f->block_goal[block] = limit;
  uint64_t after = fence_plan_block(f, block, limit, &plan);
  fence_set_peak(f, block, after);
  return after != before;
}

/* Plan the bodies of OP, each for LIMIT bytes. */
static bool
lower_op(struct fencing *f, op_id op, uint64_t limit) {
  struct fused_bodies bodies = fused_bodies(f->fused, op);
  bool changed = false;
  for (uint32_t i = 0; i < bodies.count; i++)
    changed |=
        lower_body(f, bodies.blocks[i],
                   saturating_subtract(
                       limit, fused_outside_bytes(f->fused, bodies.blocks[i])));
  return changed;
}

/* Plan the bodies of the ops of the segment from BEGIN to END with what that
 * leaves of LIMIT. */
static bool
lower_segment(struct fencing *f, struct around *a, uint32_t begin, uint32_t end,
              uint64_t limit) {
  const struct fused_block *block = a->cuts->block;
  uint64_t held = segment_bytes(a, begin, end);
  bool changed = false;
  for (uint32_t p = begin; p < end; p++) {
    uint32_t node = a->cuts->timeline.nodes[p];
    uint64_t adding = adding_workspace(block, node);
    if (block->problem->workspace_bytes[node] && held < limit + adding)
      changed |= lower_op(f, block->node_op[node],
                          saturating_subtract(limit + adding, held));
  }
  return changed;
}

/* Plan the bodies of all ops of PLAN with what it leaves of LIMIT.  True where
 * any needs another amount now. */
static bool
lower_bodies(struct fencing *f, const struct fence_plan *plan, uint64_t limit) {
  const struct fence_cuts *cuts = &plan->cuts;
  struct around a = look_around(cuts, f->program->scratch);
  bool changed = false;
  if (f->depth == DEPTH_MAX)
    return false;
  f->depth++;
  for (uint32_t k = 0; k < cuts->count; k++)
    changed |= lower_segment(f, &a, cuts->starts[k],
                             k + 1 < cuts->count ? cuts->starts[k + 1]
                                                 : cuts->timeline.count,
                             limit);
  f->depth--;
  return changed;
}

uint64_t
fence_plan_block(struct fencing *f, block_id block, uint64_t limit,
                 struct fence_plan *best) {
  uint64_t least = UINT64_MAX;
  *best = (struct fence_plan){.made = false};
  for (uint32_t round = 0; round < ROUNDS; round++) {
    struct fence_plan plan = fence_find(f, block, limit);
    if (!plan.made)
      break;
    bool changed = lower_bodies(f, &plan, limit);
    uint64_t needs = fence_measure(f, block, &plan.block, true, NULL);
    if (needs < least) {
      least = needs;
      *best = plan;
    }
    if (needs <= limit || !changed)
      break;
  }
  if (best->made)
    keep(f, best->block);
  return best->made ? least : fused_block_peak(f->unordered, block);
}
