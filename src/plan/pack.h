/* pack.h - what an allocator makes of a plan. */
#ifndef REMAT_PLAN_PACK_H
#define REMAT_PLAN_PACK_H

#include "plan/evaluate.h"

/* Bytes that SEQUENCE, a plan, needs when its buffers are placed one by one,
 * each in the smallest hole that it fits for all of its life: the largest
 * first, of those the longest lived, or the other way round, whichever needs
 * less; which is what XLA does.  At least the peak; what it is more is
 * fragmentation.  Workspaces are buffers too.  Where more than some ten million
 * pairs of buffers are live together, buffers are put on top of each other
 * without looking for holes, which can only need more. */
uint64_t plan_packed_bytes(const struct plan_problem *problem,
                           struct plan_sequence sequence);

#endif
