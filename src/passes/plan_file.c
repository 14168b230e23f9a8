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
    if (!first[i])
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

/* What is placed before the anchor at place ANCHOR, from FROM on. */
static void
write_placed(struct buffer *out, const struct ir_module *m,
             const struct plan_block *block, const uint32_t *number,
             const bool *first, uint32_t from, uint32_t anchor) {
  for (uint32_t i = from; i < anchor; i++) {
    buffer_string(out, first[i] ? "  move " : "  clone ");
    write_op(out, m, block->ops[i], number);
    buffer_string(out, " before ");
    if (anchor + 1 >= block->count)
      buffer_string(out, "end");
    else
      write_op(out, m, block->ops[anchor], number);
    buffer_string(out, "\n");
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
  uint32_t from = 0;
  for (uint32_t i = 0; i < block->count; i++) {
    if (!stays[i])
      continue;
    write_placed(out, m, block, number, first, from, i);
    from = i + 1;
  }
  write_placed(out, m, block, number, first, from, block->count);
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
    if (function != last || index)
      buffer_printf(out, "block %u\n", index);
    last = function;
    write_block(out, m, &plan->blocks.data[b], number, scratch);
  }
}
