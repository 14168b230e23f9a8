/* reads.c - see reads.h.
 *
 * Pairs of reader and producer are counted, placed by reader, and each
 * reader's few are sorted and made distinct. */
#include "passes/reads.h"

#include "passes/plan.h"

#include <stdlib.h>

enum { FEW = 16 };

op_id
reads_reader(const struct ir_module *module, op_id op, region_id region) {
  while (op != NONE) {
    block_id block = module->op_block[op];
    if (block == NONE)
      return NONE;
    if (module->block_region[block] == region)
      return op;
    op = module->region_op[module->block_region[block]];
  }
  return NONE;
}

/* The selected op that use number USE of OP reads, and in *READER the op that
 * reads it in its region; NONE where it is not selected. */
static op_id
selected_producer(const struct ir_module *m, const uint8_t *selected, op_id op,
                  uint32_t use) {
  op_id producer = ir_value_op(m, m->use_value[m->op_first_use[op] + use]);
  return producer != NONE && (selected[producer] & PLAN_SELECTED) ? producer
                                                                  : NONE;
}

static op_id
reader_of(const struct ir_module *m, op_id op, op_id producer) {
  if (m->op_block[op] == m->op_block[producer])
    return op;
  return reads_reader(m, op, m->block_region[m->op_block[producer]]);
}

static int
descending(const void *a, const void *b) {
  op_id x = *(const op_id *)a, y = *(const op_id *)b;
  return x > y ? -1 : x < y;
}

static void
sort_descending(op_id *ops, uint32_t count) {
  if (count > FEW) {
    qsort(ops, count, sizeof *ops, descending);
    return;
  }
  for (uint32_t i = 1; i < count; i++) {
    op_id moving = ops[i];
    uint32_t to = i;
    for (; to > 0 && ops[to - 1] < moving; to--)
      ops[to] = ops[to - 1];
    ops[to] = moving;
  }
}

/* Sort each reader's producers and close the gaps that repeats leave. */
static void
make_distinct(struct reads *reads, uint32_t op_count) {
  uint32_t out = 0;
  for (op_id op = 0; op < op_count; op++) {
    uint32_t begin = reads->first[op], end = reads->first[op + 1];
    sort_descending(reads->producers + begin, end - begin);
    reads->first[op] = out;
    for (uint32_t i = begin; i < end; i++)
      if (i == begin || reads->producers[i] != reads->producers[i - 1])
        reads->producers[out++] = reads->producers[i];
  }
  reads->first[op_count] = out;
}

/* The same pairs by producer. */
static void
turn_around(struct reads *reads, uint32_t op_count, struct arena *arena) {
  uint32_t count = reads->first[op_count];
  reads->reader_first = ARENA_ARRAY(arena, uint32_t, op_count + 2);
  reads->readers = ARENA_ARRAY(arena, op_id, count);
  uint32_t *begin = reads->reader_first + 1;
  for (uint32_t i = 0; i < count; i++)
    begin[reads->producers[i] + 1]++;
  for (op_id op = 0; op < op_count; op++)
    begin[op + 1] += begin[op];
  for (op_id op = 0; op < op_count; op++)
    for (uint32_t i = reads->first[op]; i < reads->first[op + 1]; i++)
      reads->readers[begin[reads->producers[i]]++] = op;
}

void
reads_build(struct reads *reads, const struct ir_module *m,
            const uint8_t *selected, struct arena *arena) {
  reads->first = ARENA_ARRAY(arena, uint32_t, m->op_count + 2);
  uint32_t *begin = reads->first + 1;
  for (int pass = 0; pass < 2; pass++) {
    for (op_id op = 0; op < m->op_count; op++)
      for (uint32_t use = 0; use < m->op_use_count[op]; use++) {
        op_id producer = selected_producer(m, selected, op, use);
        op_id reader = producer == NONE ? NONE : reader_of(m, op, producer);
        if (reader == NONE || reader == producer)
          continue;
        if (pass == 0)
          begin[reader + 1]++;
        else
          reads->producers[begin[reader]++] = producer;
      }
    if (pass == 1)
      break;
    for (op_id op = 0; op < m->op_count; op++)
      begin[op + 1] += begin[op];
    reads->producers = ARENA_ARRAY(arena, op_id, begin[m->op_count]);
  }
  make_distinct(reads, m->op_count);
  turn_around(reads, m->op_count, arena);
}
