/* loop_segment.h - plans that stack carries only when a segment begins. */
#ifndef REMAT_PASSES_LOOP_SEGMENT_H
#define REMAT_PASSES_LOOP_SEGMENT_H

#include "passes/loop_choice.h"

/* The length of segments of TRIPS iterations with which slots are fewest: as
 * many for the segments as there are and for the iterations of one.  0 where
 * TRIPS has no divisor but 1 and itself. */
uint64_t segment_length(uint64_t trips);

/* PLAN, of CHOOSER, with segments of LENGTH iterations; its cost is what comes
 * to that of PLAN.  Where that cannot be, it is not possible, and *WHY says
 * why. */
struct loop_point segment_point(const struct loop_chooser *chooser,
                                const struct loop_plan *plan, uint64_t length,
                                const char **why);

/* Bytes of the stacks that PLAN may choose, and of what it refills. */
uint64_t segment_bytes(const struct loop_chooser *chooser,
                       const struct loop_plan *plan);

#endif
