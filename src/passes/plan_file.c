/* plan_file.c - see plan_file.h: writing.
 *
 * The longest run of ops that stand in their old order is what the other ones
 * are placed by, so that the text says no more than has changed.
 * O(n log n) in the ops of a block. */
#include "passes/plan_file.h"

#include <string.h>

/* How OP of BLOCK is called. */
static void
write_op(struct buffer *out, const struct ir_module *m, op_id op,
         const uint32_t *number) {
  if (m->op_result_count[op] == 0) {
    buffer_printf(out, "op %u", number[op]);
    return;
  }
  buffer_text(out, source_text(m->source, m->value_name[ir_result(m, op, 0)]));
}

/* Do not all read the instance at PLACE that could? */
static bool
is_special(const struct plan_block *block, uint32_t place) {
  return block->stays && block->stays[place] != PLAN_STAYS;
}

/* Mark in STAYS (by place in BLOCK) a longest run of first instances that
 * stand in the order of the input; the last op is always in it. */
static void
find_anchors(const struct plan_block *block, const uint32_t *number,
             const bool *first, bool *stays, struct arena *scratch) {
  uint32_t *ends = ARENA_ARRAY(scratch, uint32_t, block->count + 1);
  uint32_t *before = ARENA_ARRAY(scratch, uint32_t, block->count);
  uint32_t length = 0;
  for (uint32_t i = 0; i < block->count; i++) {
    uint32_t low = 0, high = length;
    if (!first[i] || is_special(block, i))
      continue;
    while (low < high) {
      uint32_t middle = low + (high - low) / 2;
      if (number[block->ops[ends[middle]]] < number[block->ops[i]])
        low = middle + 1;
      else
        high = middle;
    }
    before[i] = low ? ends[low - 1] : NONE;
    ends[low] = i;
    if (low == length)
      length++;
  }
  for (uint32_t i = length ? ends[length - 1] : NONE; i != NONE; i = before[i])
    stays[i] = true;
}

static void
write_value(struct buffer *out, const struct ir_module *m, value_id value) {
  buffer_text(out, source_text(m->source, m->value_name[value]));
  if (m->value_number[value] != NONE)
    buffer_printf(out, "#%u", m->value_number[value]);
}

/* What a block is written from. */
struct writing {
  struct buffer *out;
  const struct ir_module *m;
  const struct plan_block *block;
  const uint32_t *number; /* by op: its place in the input's block */
  const bool *first;      /* by place: no instance stands before it */
  uint32_t fence;         /* the next one */
};

/* " before ANCHOR", the op at that place. */
static void
write_before(const struct writing *w, uint32_t anchor) {
  buffer_string(w->out, " before ");
  if (anchor + 1 >= w->block->count)
    buffer_string(w->out, "end");
  else
    write_op(w->out, w->m, w->block->ops[anchor], w->number);
}

/* Who reads the instance at PLACE, where that is not all. */
static void
write_readers(const struct writing *w, uint32_t place) {
  const struct plan_block *block = w->block;
  if (block->backward && block->backward[place] && !w->first[place])
    buffer_string(w->out, " backward");
  if (block->stays && block->stays[place] == PLAN_JOINS)
    buffer_string(w->out, " joining");
  if (block->stays && block->stays[place] == PLAN_PASSES)
    buffer_string(w->out, " passing");
}

static void
write_fence(const struct writing *w, const struct plan_fence *fence,
            uint32_t anchor) {
  buffer_string(w->out, "  fence");
  for (uint32_t i = 0; i < fence->count; i++) {
    buffer_string(w->out, " ");
    write_value(w->out, w->m, fence->values[i]);
  }
  write_before(w, anchor);
  buffer_string(w->out, "\n");
}

/* Fences and instances from place FROM on that stand before ANCHOR. */
static void
write_placed(struct writing *w, uint32_t from, uint32_t anchor) {
  const struct plan_block *block = w->block;
  for (uint32_t i = from; i <= anchor; i++) {
    while (w->fence < block->fence_count && block->fences[w->fence].at == i)
      write_fence(w, &block->fences[w->fence++], anchor);
    if (i == anchor)
      return;
    buffer_string(w->out, w->first[i] ? "  move " : "  clone ");
    write_op(w->out, w->m, block->ops[i], w->number);
    write_before(w, anchor);
    write_readers(w, i);
    buffer_string(w->out, "\n");
  }
}

static void
write_block(struct buffer *out, const struct ir_module *m,
            const struct plan_block *block, uint32_t *number,
            struct arena *scratch) {
  bool *first = ARENA_ARRAY(scratch, bool, block->count + 1);
  bool *stays = ARENA_ARRAY(scratch, bool, block->count + 1);
  uint32_t count = m->block_op_count[block->block];
  bool *seen = ARENA_ARRAY(scratch, bool, count + 1);
  for (uint32_t i = 0; i < count; i++)
    number[ir_block_op(m, block->block, i)] = i;
  for (uint32_t i = 0; i < block->count; i++) {
    first[i] = !seen[number[block->ops[i]]];
    seen[number[block->ops[i]]] = true;
  }
  find_anchors(block, number, first, stays, scratch);
  struct writing w = {out, m, block, number, first, 0};
  uint32_t from = 0;
  for (uint32_t i = 0; i < block->count; i++) {
    if (!stays[i])
      continue;
    write_placed(&w, from, i);
    from = i + 1;
  }
  write_placed(&w, from, block->count);
  for (uint32_t i = 0; i < count; i++) {
    if (seen[i])
      continue;
    buffer_string(out, "  erase ");
    write_op(out, m, ir_block_op(m, block->block, i), number);
    buffer_string(out, "\n");
  }
}

/* The function that BLOCK belongs to, and which of its blocks it is. */
static function_id
place_of(const struct ir_module *m, block_id block, uint32_t *index) {
  region_id region = m->block_region[block];
  function_id function = NONE;
  for (function_id f = 0; function == NONE && f < m->functions.count; f++)
    if (m->functions.data[f].body == region)
      function = f;
  if (function == NONE)
    function = ir_op_function(m, m->region_op[region]);
  *index = block - m->region_block[m->functions.data[function].body];
  return function;
}

void
plan_file_write(struct buffer *out, const struct ir_module *m,
                const struct plan *plan, struct arena *scratch) {
  uint32_t *number = ARENA_ARRAY(scratch, uint32_t, m->op_count);
  function_id last = NONE;
  buffer_string(out, "remat-plan 1\n");
  for (uint32_t b = 0; b < plan->blocks.count; b++) {
    uint32_t index;
    function_id function = place_of(m, plan->blocks.data[b].block, &index);
    const struct ir_function *f = &m->functions.data[function];
    if (function != last) {
      buffer_string(out, "function ");
      buffer_text(out, source_text(m->source, f->name_text));
      buffer_string(out, "\n");
    }
    buffer_printf(out, "block %u\n", index);
    last = function;
    write_block(out, m, &plan->blocks.data[b], number, scratch);
  }
}
