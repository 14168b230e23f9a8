/* reads.h - which selected ops each op reads.
 *
 * The reader of a value is an op of the region that defines it: an op nested
 * inside of it reads through it.  Materialization makes a clone right before
 * that op, never inside of a loop. */
#ifndef REMAT_PASSES_READS_H
#define REMAT_PASSES_READS_H

#include "ir/ir.h"

/* The selected producers that op O reads are producers[first[O]] up to
 * producers[first[O + 1]]: distinct, the last in program order first.  The
 * readers of a selected op P are readers[reader_first[P]] up to
 * readers[reader_first[P + 1]], in program order. */
struct reads {
  uint32_t *first;
  op_id *producers;
  uint32_t *reader_first;
  op_id *readers;
};

/* Fill READS for MODULE, where SELECTED (enum plan_mark) says what is selected;
 * in ARENA.  Cost: O(ops + uses), times the depth of nesting for captures. */
void reads_build(struct reads *reads, const struct ir_module *module,
                 const uint8_t *selected, struct arena *arena);

/* The op of REGION that is OP or holds it, or NONE where REGION has none. */
op_id reads_reader(const struct ir_module *module, op_id op, region_id region);

#endif
