/* fused.c - see fused.h: peaks of blocks and functions.
 *
 * Each block is contracted once and evaluated in program order; blocks inside
 * of its ops come first.  O(what contraction takes). */
#include "passes/fused.h"

#include "passes/options.h"

#include <string.h>

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

/* Bytes that the device moves in a nanosecond, 0 where its figures do not
 * say. */
static double
bytes_per_ns(const struct program *program) {
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
  fused->bytes_per_ns = bytes_per_ns(program);
  fused->value = ARENA_ARRAY(arena, uint32_t, stored->facts->leaf_count);
  memset(fused->value, 0xff, stored->facts->leaf_count * sizeof *fused->value);
  fused->op_stamp = ARENA_ARRAY(arena, uint32_t, m->op_count);
  fused->op_mixes = ARENA_ARRAY(arena, bool, m->op_count);
  fused->block_peak = ARENA_ARRAY(arena, uint64_t, m->block_count);
  fused->block_state = ARENA_ARRAY(arena, uint8_t, m->block_count);
  find_ends(fused);
  return fused;
}

uint64_t
fused_block_peak(struct fused *fused, block_id block) {
  struct plan_timeline timeline;
  if (fused->block_state[block] == BLOCK_DONE)
    return fused->block_peak[block];
  if (fused->block_state[block] == BLOCK_BUSY ||
      !fused->facts->block_stored[block])
    return 0; /* a recursive call adds nothing; kernels store nothing */
  fused->block_state[block] = BLOCK_BUSY;
  struct fused_block *b = fused_contract(fused, block);
  uint64_t peak = UINT64_MAX;
  if (b->problem) {
    struct plan_sequence order = plan_program_order(b->problem, fused->arena);
    if (plan_timeline_build(&timeline, b->problem, order, fused->arena))
      peak = (uint64_t)timeline.peak_bytes;
  }
  fused->block_peak[block] = peak;
  fused->block_state[block] = BLOCK_DONE;
  return peak;
}

uint64_t
fused_function_peak(struct fused *fused, function_id function) {
  region_id body = fused->module->functions.data[function].body;
  uint64_t most = 0;
  if (body == NONE)
    return 0;
  for (block_id b = fused->module->region_block[body]; b != NONE;
       b = fused->module->block_next[b]) {
    uint64_t peak = fused_block_peak(fused, b);
    most = peak > most ? peak : most;
  }
  return most;
}
